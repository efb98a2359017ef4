//! Rules of the repository that a compiler does not check, as tests.

//! The target `session`, see `fuzz::session`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(session);

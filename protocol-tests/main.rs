//! The built program, tested from outside.

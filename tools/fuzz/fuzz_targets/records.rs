//! The target `records`, see `fuzz::records`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(records);

//! The target `position`, see `fuzz::position`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(position);

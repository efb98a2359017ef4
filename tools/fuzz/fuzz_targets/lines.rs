//! The target `lines`, see `fuzz::lines`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(lines);

//! The target `weights`, see `fuzz::weights`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(weights);

//! The target `forbidden`, see `fuzz::forbidden`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(forbidden);

//! The target `network`, see `fuzz::network`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(network);

//! The target `text`, see `fuzz::text`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(text);

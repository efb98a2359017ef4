//! The target `table`, see `fuzz::table`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(table);

//! The target `gamefile`, see `fuzz::gamefile`.

#![cfg_attr(fuzzing, no_main)]

fuzz::target!(gamefile);

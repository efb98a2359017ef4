//! Limits to deadlines.

//! The program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    connect_four::cli::main()
}

//! The `erstwhile` program. Knows only where the command line begins.

use std::process::ExitCode;

fn main() -> ExitCode {
    erstwhile::surface::cli::main()
}

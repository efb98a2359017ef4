//! Where the program lies and how it is started must not matter.
//!
//! PC-41: managers set the working directory, unpack archives into folders with odd names, follow
//! links and give no right to write.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::grid::Point;
use crate::harness::{Fault, Machine, Outcome, Program, command};

/// The program as one file, when it is one.
fn program() -> Option<Program> {
    let program = Program::under_test();
    if program.is_none() {
        println!("skipped: {:?} does not end with the file of the program", command());
    }
    program
}

/// A folder below cargo's own for temporary files, fresh for each caller.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Fails when the folder is not there yet, which is what is wanted.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// The move of a fixed effort, the same from everywhere.
fn move_of(machine: &Machine, command: &mut Command) -> Result<Point, Fault> {
    let mut brain = machine.run(command);
    brain.start("INFO timeout_turn -1\nINFO max_node 5000\nSTART 15")?;
    let mv = brain.ask("BOARD\n7,7,2\n6,6,1\n8,6,2\nDONE")?;
    brain.finish()?;
    Ok(mv)
}

fn plays_as_ever(machine: &Machine, command: &mut Command) -> Outcome {
    let usual = move_of(machine, &mut crate::harness::command())?;
    let place = format!("{command:?}");
    let mv = move_of(machine, command).map_err(|fault| fault.at(&place))?;
    assert_eq!(mv, usual, "{place}");
    Ok(())
}

#[test]
fn from_another_working_directory() -> Outcome {
    let Some(program) = program() else { return Ok(()) };
    let machine = Machine::shared();
    plays_as_ever(&machine, program.at(&program.file).current_dir(env::temp_dir()))
}

#[test]
fn by_a_relative_path() -> Outcome {
    let Some(program) = program() else { return Ok(()) };
    let (Some(folder), Some(name)) = (program.file.parent(), program.file.file_name()) else {
        return Ok(());
    };
    let machine = Machine::shared();
    plays_as_ever(&machine, program.at(&Path::new(".").join(name)).current_dir(folder))
}

#[cfg(unix)]
#[test]
fn through_a_symbolic_link_of_another_name() -> Outcome {
    let Some(program) = program() else { return Ok(()) };
    let mut link = folder("link").join("engine");
    if let Some(extension) = program.file.extension() {
        link.set_extension(extension);
    }
    std::os::unix::fs::symlink(&program.file, &link).expect("a link");
    plays_as_ever(&Machine::shared(), &mut program.at(&link))
}

#[test]
fn in_a_folder_with_blanks_and_accents() -> Outcome {
    let Some(program) = program() else { return Ok(()) };
    let copy =
        folder("five in a row \u{e9}\u{17e}").join(program.file.file_name().expect("a name"));
    fs::copy(&program.file, &copy).expect("a copy");
    plays_as_ever(&Machine::shared(), &mut program.at(&copy))
}

#[cfg(unix)]
#[test]
fn in_a_folder_that_cannot_be_written() -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    let Some(program) = program() else { return Ok(()) };
    let folder = folder("read only");
    let copy = folder.join(program.file.file_name().expect("a name"));
    fs::copy(&program.file, &copy).expect("a copy");
    let allow = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode));
    allow(0o555).expect("rights of our own folder");
    let outcome = plays_as_ever(&Machine::shared(), program.at(&copy).current_dir(&folder));
    allow(0o755).expect("rights of our own folder");
    outcome
}

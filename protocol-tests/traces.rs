//! What the brain leaves behind: no files, no word on stderr, a log only where it was asked for.
//!
//! That stderr stays empty is looked at in every dialogue, see `harness`, under `RUST_BACKTRACE=1`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::grid::text;
use crate::harness::{Machine, Outcome, Program, command, ms};
use crate::startup::folder;

/// Everything below a folder, with the size of each file.
fn content(folder: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of ours").map(|entry| entry.expect("one")) {
        let data = entry.metadata().expect("data of a file of ours");
        found.push((entry.path().display().to_string(), data.len()));
        if data.is_dir() {
            found.extend(content(&entry.path()));
        }
    }
    found.sort();
    found
}

/// PC-22a: whole games on every rule in an empty folder that cannot be written, HOME and the
/// folders for temporary, configuration and cache files another one, `INFO folder` a third: all
/// three are empty afterwards.
#[test]
fn whole_games_leave_no_files_behind() -> Outcome {
    let Some(program) = Program::under_test() else {
        println!("skipped: {:?} does not end with the file of the program", command());
        return Ok(());
    };
    let root = folder("traces");
    let [here, home, named] = ["here", "home", "named"].map(|name| root.join(name));
    for folder in [&here, &home, &named] {
        fs::create_dir(folder).expect("a folder of ours");
    }
    read_only(&here, true);
    let machine = Machine::shared();
    let begin = || {
        let mut command = program.at(&program.file);
        command.current_dir(&here);
        // Wine has files of its own to find in some of these.
        if program.is_native() {
            for variable in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]
            {
                command.env(variable, &home);
            }
        }
        machine.run(&mut command)
    };
    for rule in [0, 1, 4, 8, 9] {
        let mut sides = [begin(), begin()];
        for side in &mut sides {
            let settings = format!("INFO rule {rule}\nINFO folder {}", named.display());
            side.start(&format!("START 15\n{settings}\nINFO timeout_turn 10"))?;
        }
        let mut last = None;
        for ply in 0..40 {
            let request = last.map_or("BEGIN".to_string(), |mv| format!("TURN {}", text(mv)));
            last = Some(sides[ply % 2].ask(&request)?);
        }
        let [first, second] = sides;
        first.finish()?;
        second.end()?;
    }
    read_only(&here, false);
    let left = content(&root);
    assert_eq!(left.len(), 3, "{left:?}");
    Ok(())
}

/// Takes the right to write away, or gives it back; root keeps it all the same.
fn read_only(folder: &Path, is_read_only: bool) {
    let mut rights = fs::metadata(folder).expect("a folder of ours").permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(
        &mut rights,
        if is_read_only { 0o555 } else { 0o755 },
    );
    #[cfg(not(unix))]
    rights.set_readonly(is_read_only);
    fs::set_permissions(folder, rights).expect("rights of our own folder");
}

/// A short dialogue with a word nobody knows.
fn talk(command: &mut Command) -> Outcome {
    let mut brain = Machine::shared().run(command);
    brain.start("START 15\nINFO timeout_turn 50")?;
    brain.ask("TURN 7,7")?;
    brain.send("XYZZY \u{e9}");
    brain.expect_word("UNKNOWN")?;
    brain.finish()
}

#[test]
fn a_log_goes_to_the_file_that_is_named_and_nowhere_else() -> Outcome {
    let folder = folder("log");
    let file = folder.join("tengen.log");
    let logged = || fs::read_to_string(&file).expect("a log");
    let with = |level: Option<&str>| {
        let mut command = command();
        // A relative name means the same in every system.
        command.current_dir(&folder).env("TENGEN_LOG", "tengen.log").env_remove("RUST_LOG");
        level.map(|level| command.env("RUST_LOG", level));
        command
    };
    if Program::under_test().is_none() {
        println!("skipped: {:?} may not be found from another folder", command());
        return Ok(());
    }
    talk(&mut with(None))?;
    assert_eq!(logged(), "", "nothing went wrong");
    talk(&mut with(Some("debug")))?;
    let first = logged();
    for part in ["> START 15", "< OK", "> TURN 7,7", "< UNKNOWN", "> END"] {
        assert!(first.contains(part), "{part} in {first}");
    }
    talk(&mut with(Some("debug")))?;
    let both = logged();
    assert!(both.starts_with(&first) && both.len() > first.len(), "the log is continued");
    Ok(())
}

#[test]
fn a_log_that_cannot_be_written_changes_nothing() -> Outcome {
    let missing = folder("no log").join("no such folder").join("tengen.log");
    for name in [missing.as_path(), Path::new("."), Path::new("")] {
        talk(command().env("TENGEN_LOG", name).env_remove("RUST_LOG"))?;
        if !name.as_os_str().is_empty() {
            talk(command().env("TENGEN_LOG", name).env("RUST_LOG", "debug"))?;
        }
    }
    #[cfg(target_os = "linux")]
    talk(command().env("TENGEN_LOG", "/dev/full").env("RUST_LOG", "debug"))?;
    Ok(())
}

/// `RUST_LOG` alone is for people at a terminal: its lines are no moves, but they are there.
#[test]
fn a_log_without_a_file_goes_to_stderr() -> Outcome {
    let mut command = command();
    command.env("RUST_LOG", "debug").env_remove("TENGEN_LOG");
    let mut brain = Machine::shared().run(&mut command);
    brain.start("START 15\nINFO timeout_turn 50")?;
    brain.ask("TURN 7,7")?;
    brain.send("END");
    let status = brain.wait(ms(5000))?;
    brain.check_left(status)?;
    assert!(brain.check_errors().is_err(), "no log at all");
    Ok(())
}

//! Processes of a shell.

use super::*;

fn shell(script: &str) -> Process {
    let command = ["sh", "-c", script].map(str::to_string);
    Process::spawn(&command, None).unwrap()
}

fn soon(ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(ms)
}

#[test]
fn lines_come_with_their_time_and_without_their_end() {
    let mut process = shell("printf 'one\\r\\ntwo\\n'; sleep 0.2; echo three; printf rest");
    let one = process.next_line(soon(5000)).unwrap();
    assert_eq!((one.text.as_str(), one.whole), ("one", true));
    assert_eq!(process.next_line(soon(5000)).unwrap().text, "two");
    assert_eq!(process.next_line(soon(10)), Err(NoLine::TimedOut));
    let three = process.next_line(soon(5000)).unwrap();
    assert!(three.at - one.at > Duration::from_millis(100));
    assert_eq!(process.next_line(soon(5000)), Err(NoLine::Closed));
    assert!(process.last_lines().iter().any(|line| line == "< rest (no line end)"));
}

#[test]
fn a_line_in_two_writes_is_not_whole() {
    let mut process = shell("printf on; sleep 0.1; echo e; sleep 0.1");
    let line = process.next_line(soon(5000)).unwrap();
    assert_eq!((line.text.as_str(), line.whole), ("one", false));
}

#[test]
fn a_suspended_process_is_silent_until_it_goes_on() {
    let mut process = shell("read line; echo $line");
    process.suspend();
    process.send(b"hello\n").unwrap();
    assert_eq!(process.next_line(soon(150)), Err(NoLine::TimedOut));
    process.resume();
    assert_eq!(process.next_line(soon(5000)).unwrap().text, "hello");
}

#[test]
fn the_whole_group_is_killed() {
    // The helper would hold the output open for a minute.
    let mut process = shell("sleep 60 & echo up; wait");
    assert_eq!(process.next_line(soon(5000)).unwrap().text, "up");
    process.kill();
    assert_eq!(process.next_line(soon(5000)), Err(NoLine::Closed));
}

#[test]
fn a_process_that_does_not_read_does_not_block() {
    let mut process = shell("exec sleep 60");
    let began = Instant::now();
    assert!(process.send(&vec![b'x'; 1 << 20]).is_err());
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_end_of_a_process_has_a_status() {
    let mut process = shell("echo oops >&2; exit 3");
    let status = process.exit_status(soon(5000)).unwrap();
    assert_eq!(status.code(), Some(3));
    assert_eq!(process.next_line(soon(5000)), Err(NoLine::Closed));
    assert_eq!(
        Process::spawn(&["/no/such/program".to_string()], None).map(|_| ()).map_err(|e| e.kind()),
        Err(io::ErrorKind::NotFound)
    );
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_measured() {
    let mut process = shell("echo up; read line");
    process.next_line(soon(5000)).unwrap();
    assert!(process.private_bytes() > 4096);
    assert!(process.pin(0).is_ok());
}

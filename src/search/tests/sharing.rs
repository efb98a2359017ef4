//! What threads gain from each other: a node that one of them has searched costs the others little.

use super::*;
use crate::base::busy::Busy;
use crate::search::root::root_moves;
use crate::search::worker::Worker;

/// The nodes of a search to a depth as one of two threads does it, the other one being idle.
fn nodes_beside_another<R: RuleKind>(position: &Position, table: &Table, depth: i32) -> u64 {
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let busy = Busy::new();
    let moves = root_moves(&mut position.clone(), &[]);
    let mut worker = Worker::new(position.clone(), table, &control, Some(&busy), None, moves);
    let task = Task::new(position.clone(), Limits { depth: Some(depth), ..Limits::default() });
    let result = worker.iterate::<R>(&task, 1, 0);
    assert_eq!(result.depth, depth, "{}", position.board());
    result.nodes
}

#[test]
fn a_tree_that_another_thread_has_searched_is_not_searched_again() {
    let (mut first, mut second) = (0, 0);
    for line in include_str!("../../bench/positions.txt").lines() {
        let Some((head, moves)) = line.split_once('|').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        let rule = Rule::from_name(words[0]).unwrap();
        let position = position(rule, words[1].parse().unwrap(), moves);
        let table = Table::new(16 << 20);
        for sum in [&mut first, &mut second] {
            *sum += match rule {
                Rule::Freestyle | Rule::Standard => {
                    nodes_beside_another::<Plain>(&position, &table, 11)
                }
                Rule::Renju => nodes_beside_another::<Renju>(&position, &table, 11),
                Rule::Caro | Rule::CaroExact => nodes_beside_another::<Caro>(&position, &table, 11),
            };
        }
    }
    println!("{first} nodes, then {second}");
    assert!(second * 5 < first, "{first} nodes, then {second}");
}

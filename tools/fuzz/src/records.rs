//! Record files of both versions, and bodies of frames whose checksum is right.
//!
//! Holds: nothing panics; what is lost and what is whole are all of a file; a game that was read
//! is one, and is read again as it is when it is written.

use records::format::{self, FILE_HEADER, Frame};
use records::{Game, Reader, encode_file};
use tengen::types::square::SquareSet;

/// Most games of a file that are looked at.
const MOST_GAMES: usize = 200;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    read(bytes);
    // A fuzzer does not find a checksum: the same bytes as the body of a frame.
    if let Ok(Frame::Game(game)) = format::decode_body(bytes) {
        look_at(&game);
    }
    if let Ok(note) = std::str::from_utf8(bytes) {
        let mut file = FILE_HEADER.to_vec();
        file.extend(format::encode_note(note));
        read(&file);
    }
}

fn read(bytes: &[u8]) {
    let Ok(mut reader) = Reader::new(bytes.to_vec()) else { return };
    let mut count = 0;
    while let Some(game) = reader.next_game() {
        look_at(&game);
        count += 1;
        if count == MOST_GAMES {
            return;
        }
    }
    let damage = reader.damage();
    assert!(reader.whole() >= FILE_HEADER.len() && damage.lost <= reader.whole());
    assert_eq!(reader.whole() + damage.torn, bytes.len());
}

fn look_at(game: &Game) {
    let mut taken = SquareSet::EMPTY;
    for mv in &game.moves {
        let (x, y) = (mv.square.x(), mv.square.y());
        assert!(game.size.contains(x.into(), y.into()) && !taken.contains(mv.square));
        taken.insert(mv.square);
    }
    assert!(game.opening <= game.moves.len());
    let read = |game: &Game| {
        let mut reader = Reader::new(encode_file("", [game])).expect("a file of our own");
        let games: Vec<Game> = reader.games().collect();
        assert_eq!((games.len(), reader.damage().bytes()), (1, 0));
        games
    };
    // Writing rounds: what has been written once does not change any more.
    let [once] = &read(game)[..] else { unreachable!("one game") };
    assert_eq!((once.number, once.rule, once.size), (game.number, game.rule, game.size));
    assert_eq!((once.winner, once.end, once.opening), (game.winner, game.end, game.opening));
    assert!(once.moves.iter().map(|mv| mv.square).eq(game.moves.iter().map(|mv| mv.square)));
    assert_eq!(&read(once)[0], once);
}

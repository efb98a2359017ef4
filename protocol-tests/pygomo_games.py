#!/usr/bin/env python3
"""Whole games between two brains, driven by pygomo, a client others wrote.

The Rust tests speak the protocol as we read it; this one speaks it as a published client does.
Owns no rules beyond "so many in a row": fouls of renju are the business of the Rust tests.

    pip install --target target/pygomo pygomo-lib==0.1.1
    PYTHONPATH=target/pygomo python3 protocol-tests/pygomo_games.py target/release/pbrain-tengen

A second path lets two different programs play. Exit status 0 when every game came to its end.
"""

import contextlib
import sys
import time

from pygomo import BoardPosition, EngineClient, Move

TURN_MS = 40
# INFO rule, side of the board, opening as columns and rows, black first.
GAMES = [
    (0, 15, []),
    (0, 15, [(7, 7), (8, 8), (7, 9)]),
    (1, 15, []),
    (1, 15, [(7, 7), (7, 8), (9, 6), (8, 8)]),
    (4, 15, []),
    (4, 15, [(7, 7), (8, 7), (9, 9)]),
    (0, 20, [(10, 10), (11, 11)]),
]


class Failure(Exception):
    """What a brain did wrong."""


def check(holds, what):
    """Raises a Failure unless the condition holds."""
    if not holds:
        raise Failure(what)


def longest_row(stones, move):
    """The longest unbroken row of these stones through a move."""
    rows = []
    for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
        row = 1
        for sign in (1, -1):
            x, y = move[0] + sign * dx, move[1] + sign * dy
            while (x, y) in stones:
                row += 1
                x, y = x + sign * dx, y + sign * dy
        rows.append(row)
    return rows


def wins(rule, is_black, rows):
    """Whether rows of these lengths win the game."""
    exact = rule == 1 or (rule == 4 and is_black)
    return any(row == 5 if exact else row >= 5 for row in rows)


def connect(path, rule, side):
    """A brain that has started a game."""
    engine = EngineClient(path)
    engine.connect()
    check(engine.about() and "name=" in engine.about(), "ABOUT without a name")
    check(engine.start(side), f"START {side} refused")
    engine.configure(timeout_turn=TURN_MS, timeout_match=600000, rule=rule, thread_num=1)
    engine.set_time(time_left_ms=600000)
    return engine


def request(engine, moves, asked):
    """Asks for the next move the way a client does: BEGIN, BOARD once, then TURN."""
    if not moves:
        return engine.begin(timeout=10)
    if asked:
        return engine.turn(moves[-1], timeout=10)
    position = BoardPosition()
    for back, move in enumerate(reversed(moves)):
        owner = BoardPosition.OPPONENT if back % 2 == 0 else BoardPosition.SELF
        position.moves.insert(0, (Move(move), owner))
    return engine.board(position, timeout=10)


def play(engines, rule, side, opening):
    """Plays one game; returns how it ended and how many search reports were read."""
    moves = list(opening)
    asked = [False, False]
    reports = 0
    while len(moves) < side * side:
        turn = len(moves) % 2
        result = request(engines[turn], moves, asked[turn])
        asked[turn] = True
        check(result is not None, f"no answer after {moves}")
        move = result.move.to_tuple()
        on_board = all(0 <= number < side for number in move)
        check(on_board and move not in moves, f"{move} cannot be played after {moves}")
        for info in result.all_info:
            check(info.depth > 0 and info.pv, f"a report pygomo cannot read: {info}")
        reports += len(result.all_info)
        moves.append(move)
        own = set(moves[turn::2])
        if wins(rule, turn == 0, longest_row(own, move)):
            return f"{'black' if turn == 0 else 'white'} wins in {len(moves)} moves", reports
    return "the board is full", reports


def analyze(engine):
    """A position set without a move being asked for, then the best lines of it."""
    position = BoardPosition()
    position.add_move(Move("h8"), BoardPosition.OPPONENT)
    engine.board(position, start_thinking=False)
    result = engine.nbest(2, timeout=10)
    check(result is not None, "no answer to YXNBEST")
    check(result.move != Move("h8"), "YXNBEST answers with an occupied point")


def leave(engine):
    """END must be enough: pygomo itself would send a signal right after it."""
    engine.send_raw("END")
    deadline = time.monotonic() + 2
    while engine.is_connected and time.monotonic() < deadline:
        time.sleep(0.01)
    check(not engine.is_connected, "still running two seconds after END")


def main(paths):
    """Plays all games; two paths are two programs, one path plays itself."""
    total = 0
    for number, (rule, side, opening) in enumerate(GAMES):
        order = [paths[0], paths[-1]] if number % 2 == 0 else [paths[-1], paths[0]]
        with contextlib.ExitStack() as stack:
            engines = []
            for path in order:
                engine = connect(path, rule, side)
                stack.callback(engine.disconnect)
                engines.append(engine)
            ending, reports = play(engines, rule, side, opening)
            print(f"rule {rule}, {side}x{side}, {len(opening)} stones given: {ending}", flush=True)
            total += reports
            check(engines[0].restart(), "RESTART refused")
            analyze(engines[0])
            for engine in engines:
                leave(engine)
    check(total > 0, "not a single report of a search")
    print(f"{len(GAMES)} games, {total} reports of searches read")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"failed: {failure}")

//! Tables in files: a head of text, numbers, a checksum.

use play::files::checksum;
use play::patterns::TableModel;
use play::solve::Optimal;
use play::solve::pushover::Perfect;

use super::{Answer, Room, Verdict, again, check_line, refused, same};

/// The last eight bytes of a table are the checksum of those before.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len().saturating_sub(8));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// What is read is written as the same bytes again and again.
fn table<T>(
    bytes: &[u8],
    read: fn(&[u8]) -> Result<T, String>,
    write: fn(&T) -> Vec<u8>,
) -> Result<T, Verdict> {
    let once = match read(bytes) {
        Ok(once) => once,
        Err(error) => return Err(refused(error)),
    };
    let written = write(&once);
    let twice = again("a table", "its bytes", read(&written)).map_err(Err)?;
    same("a table", &written, &write(&twice)).map_err(Err)?;
    Ok(once)
}

pub(super) fn patterns(bytes: &[u8], _: &Room) -> Verdict {
    let model = match table(bytes, TableModel::from_bytes, TableModel::to_bytes) {
        Ok(model) => model,
        Err(verdict) => return verdict,
    };
    let value = model.fresh_value(0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
    if !value.is_finite() {
        return Err(format!("the start is worth {value}"));
    }
    check_line(model.about())?;
    Ok(Answer::Accepted)
}

pub(super) fn tetris(bytes: &[u8], _: &Room) -> Verdict {
    let optimal = match table(bytes, Optimal::from_bytes, Optimal::to_bytes) {
        Ok(optimal) => optimal,
        Err(verdict) => return verdict,
    };
    use games::{Dice, Game, Turn};
    let mut position = games::tetris::Tetris::start(optimal.rules());
    let mut dice = Dice::seeded(&[1]);
    for _ in 0..8 {
        match position.turn() {
            Turn::Chance => position.deal(&mut dice),
            Turn::Player(_) => position.play_unchecked(optimal.choose(&position)),
            Turn::Over => break,
        }
    }
    Ok(Answer::Accepted)
}

pub(super) fn pushover(bytes: &[u8], _: &Room) -> Verdict {
    let perfect = match table(bytes, Perfect::from_bytes, Perfect::to_bytes) {
        Ok(perfect) => perfect,
        Err(verdict) => return verdict,
    };
    use games::Game;
    let start = games::pushover::Pushover::start(&perfect.rules());
    perfect.endless_value(&start);
    perfect.line(&start, 20);
    Ok(Answer::Accepted)
}

//! How a position gets its number. A new way is a variant, its word in `WORDS`, and an arm in `of`.

use std::fmt;
use std::str::FromStr;

use games::error::shown;
use games::{Dice, Side, Turn};
use play::PlayedGame;
use play::players::spec::{Kind, Spec};
use play::playout::{GameDice, random_playout};
use play::search::evaluation::{WIN, is_decided, margin};
use play::search::{Found, Limits, Searcher};
use serde::{Deserialize, Serialize};

/// What labels are called, for messages and help.
pub(super) const WORDS: &str =
    "outcome, fraction, difference/N, simulations:N, search:PLAYER, value/N:PLAYER";
/// The most simulations of a position.
const MOST_SIMULATIONS: u32 = 1_000_000;
/// Keeps simulations apart from all other streams of the same seed.
const STREAM: u64 = 0x7369_6d75;

/// How positions are labelled. Always for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Label {
    /// How the game ended: 1 won, 0 drawn, -1 lost.
    Outcome,
    /// The outcome times j/t, j being the moves made before and t those of the whole game: the nearer the end, the surer
    /// (Müller 1992, equation 2.1, whose sign is for the side that has just moved).
    Fraction,
    /// The final value of the game over a number, cut off at 1 and -1: of Othello the difference of discs over 64.
    Difference(f64),
    /// The mean outcome of so many random games from the position (Branly and Guichard 2022, section 2.1.5, as a value in
    /// [-1, 1] in place of a share of wins).
    Simulations(u32),
    /// What a search finds: 1, 0 or -1 where it sees the end, and else its value v as twice the share of wins less one, the
    /// share being 1 / (1 + exp(-v / scale)), or that of its simulated games.
    Search {
        /// The search with its limits.
        player: Spec,
        /// The value at which a win is 73 % likely.
        scale: f64,
    },
    /// What a search finds over a number, cut off at 1 and -1: what the game is won by where the end is seen, and else the value, which
    /// has to be in the same unit, as discs of Othello.
    Value {
        /// The search with its limits.
        player: Spec,
        /// The number.
        most: f64,
    },
}

/// The search of a label, and what it remembers of the game at hand.
pub(super) type Search<G> = Box<dyn Searcher<G>>;

/// A position of a game that has been played to its end.
pub(super) struct Seen<'a, G> {
    pub position: &'a G,
    /// Moves made before.
    pub ply: usize,
    /// How the game ended for the first side: 1, 0 or -1.
    pub outcome: f64,
    /// What the game was won by, for the first side; 0 if it was broken off.
    pub margin: f64,
    /// Moves of the whole game.
    pub length: usize,
    /// What names the game: seed and number.
    pub name: [u64; 2],
}

/// 1, 0 or -1 as a finished game is won, drawn or lost for this side; 0 for one that was broken off.
pub(super) fn outcome<G: PlayedGame>(end: &G, side: Side) -> f64 {
    if end.turn() != Turn::Over {
        return 0.0;
    }
    match end.final_value(side) {
        value if value > 0.0 => 1.0,
        value if value < 0.0 => -1.0,
        _ => 0.0,
    }
}

impl Label {
    /// The search that it needs, if any.
    pub(super) fn search(&self) -> Option<&Spec> {
        match self {
            Label::Search { player, .. } | Label::Value { player, .. } => Some(player),
            _ => None,
        }
    }

    /// Whether it is a matter of how the game ended.
    pub(super) fn needs_end(&self) -> bool {
        matches!(self, Label::Outcome | Label::Fraction | Label::Difference(_))
    }

    /// The label of a position in which a player is to move; None if told to stop.
    /// `search` is there if the label needs one; it has seen nothing but earlier positions of the same game.
    pub(super) fn of<G: PlayedGame>(
        &self,
        seen: &Seen<G>,
        search: Option<&mut Search<G>>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<f32> {
        let Turn::Player(side) = seen.position.turn() else {
            unreachable!("only positions with a side to move are labelled");
        };
        let outcome_here = if side == Side::First { seen.outcome } else { -seen.outcome };
        let value = match self {
            Label::Outcome => outcome_here,
            Label::Fraction => outcome_here * seen.ply as f64 / seen.length as f64,
            Label::Difference(most) => {
                let margin = if side == Side::First { seen.margin } else { -seen.margin };
                (margin / most).clamp(-1.0, 1.0)
            }
            Label::Simulations(count) => {
                let [seed, game] = seen.name;
                let stream = |number| Dice::seeded(&[seed, STREAM, game, seen.ply as u64, number]);
                let mut dice = GameDice { deals: stream(0), players: [stream(1), stream(2)] };
                let mut moves = Vec::new();
                let mut sum = 0.0;
                for _ in 0..*count {
                    if !go_on() {
                        return None;
                    }
                    sum += outcome(&random_playout(seen.position, &mut dice, &mut moves).end, side);
                }
                sum / f64::from(*count)
            }
            Label::Search { player, .. } | Label::Value { player, .. } => {
                if !go_on() {
                    return None;
                }
                let [seed, game] = seen.name;
                let mut dice = Dice::seeded(&[seed, STREAM, game, seen.ply as u64]);
                let search = search.expect("a label by search has one");
                let found = search.search(seen.position, &player.limits, &mut dice);
                match self {
                    Label::Search { scale, .. } => worth(&found, player, *scale),
                    Label::Value { most, .. } => {
                        let mut again =
                            |depth| search.search(seen.position, &Limits::depth(depth), &mut dice).value;
                        (won_by(&found, &mut again) / most).clamp(-1.0, 1.0)
                    }
                    _ => unreachable!("these two search"),
                }
            }
        };
        // What a search finds that was told to stop is no label.
        if !go_on() {
            return None;
        }
        // Adding 0 turns -0 into 0: a drawn game has one label.
        Some(value as f32 + 0.0)
    }
}

/// What a search has found, from -1 to 1 for the side to move.
fn worth<G: PlayedGame>(found: &Found<G>, player: &Spec, scale: f64) -> f64 {
    match found.value {
        share if matches!(player.kind, Kind::Mcts { .. }) => (2.0 * share - 1.0).clamp(-1.0, 1.0),
        value if is_decided(value) => value.signum(),
        // Exact and not decided is drawn, and 0.
        value => math::tanh(value / (2.0 * scale)),
    }
}

/// What the side to move wins by, as far as the search knows. Where it knows the winner alone, what it thinks `again` to the same depth
/// without looking for one, but not less than 0 for the winner.
pub(super) fn won_by<G: PlayedGame>(found: &Found<G>, again: &mut dyn FnMut(u32) -> f64) -> f64 {
    if found.value.abs() != WIN {
        return margin(found.value);
    }
    let thought = margin(again(found.depth.max(1)));
    if found.value > 0.0 { thought.max(0.0) } else { thought.min(0.0) }
}

/// The number of a label, as a scale.
fn number(text: &str, number: &str) -> Result<f64, String> {
    let found = number.parse().ok().filter(|number| (1e-9..=1e9).contains(number));
    found.ok_or_else(|| format!("label {}: the number is one from 0.000000001 to 1000000000", shown(text)))
}

/// The search of a label.
fn search(text: &str, player: &str) -> Result<Spec, String> {
    let wrong = |reason: &str| format!("label {}: {reason}", shown(text));
    let player = Spec::parse(player).map_err(|error| wrong(&error.to_string()))?;
    if matches!(player.kind, Kind::Hybrid(_)) {
        return Err(wrong("the searches of a hybrid have different scales; allowed: one search"));
    }
    if player.limits.game_time.is_some() {
        return Err(wrong("a game time is for a game; allowed: depth, nodes, simulations, time"));
    }
    Ok(player)
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Label::Outcome => write!(f, "outcome"),
            Label::Fraction => write!(f, "fraction"),
            Label::Difference(most) => write!(f, "difference/{most}"),
            Label::Simulations(count) => write!(f, "simulations:{count}"),
            Label::Search { player, scale: 1.0 } => write!(f, "search:{player}"),
            Label::Search { player, scale } => write!(f, "search/{scale}:{player}"),
            Label::Value { player, most } => write!(f, "value/{most}:{player}"),
        }
    }
}

impl FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(most) = text.strip_prefix("difference/") {
            return number(text, most).map(Label::Difference);
        }
        match text.split_once(':') {
            None if text == "outcome" => Ok(Label::Outcome),
            None if text == "fraction" => Ok(Label::Fraction),
            Some(("simulations", count)) => {
                let count = count.parse().ok().filter(|count| (1..=MOST_SIMULATIONS).contains(count));
                let refused =
                    || format!("label {}: allowed: 1 to {MOST_SIMULATIONS} simulations", shown(text));
                count.map(Label::Simulations).ok_or_else(refused)
            }
            Some(("search", player)) => Ok(Label::Search { player: search(text, player)?, scale: 1.0 }),
            Some((before, player)) if before.starts_with("search/") => {
                let scale = number(text, &before["search/".len()..])?;
                Ok(Label::Search { player: search(text, player)?, scale })
            }
            Some((before, player)) if before.starts_with("value/") => {
                let most = number(text, &before["value/".len()..])?;
                let player = search(text, player)?;
                if matches!(player.kind, Kind::Mcts { .. }) {
                    let reason = "mcts counts wins, not what they are won by; allowed: another search";
                    return Err(format!("label {}: {reason}", shown(text)));
                }
                Ok(Label::Value { player, most })
            }
            _ => Err(format!("unknown label {}; known: {WORDS}", shown(text))),
        }
    }
}

impl TryFrom<String> for Label {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Label> for String {
    fn from(label: Label) -> String {
        label.to_string()
    }
}

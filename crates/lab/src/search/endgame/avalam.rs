//! Who wins an endgame of Avalam.
//!
//! Only a yes or a no is asked for: does the side to move get at least so much? That takes far fewer positions than a value.
//! What helps further: towers that can no longer move only add a constant, so that the table knows a position by its other
//! towers alone; lone pairs are not searched at all (`avalam_rest.rs`); no side can gain more than the moves left allow. With 24 moves
//! played the answer takes a few hundred thousand positions where the general search with its margins does not end in a minute.

use games::avalam::{Avalam, Move};

use super::avalam_rest::{Links, Pairs, Position, Step, TOWER, kind, settled};
use super::{Endgame, Outcome};
use crate::search::limits::Watch;

/// What is known about a rest: it is worth at least `low` and at most `high` to the side to move.
#[derive(Debug, Clone, Copy)]
struct Entry {
    tag: u32,
    low: i16,
    high: i16,
    best: Option<Move>,
    /// The logarithm of the positions that it took.
    work: u8,
}

const FREE: Entry = Entry { tag: 0, low: i16::MIN, high: i16::MAX, best: None, work: 0 };

/// Two neighbouring places for every key.
const PLACES: usize = 2;

/// From so many active towers on the children are looked up in the table before any is searched: half the positions, but each
/// costs more. At 14 the time is least.
const LOOK_AHEAD: usize = 14;

/// Moves are tried in the order of what they do at once. The first is enough in 98 % of the positions in which one is; the weights
/// are those with the fewest positions over 90 endgames. Whether the new tower is exposed does not help.
const TAKES: i32 = 1000;
const SETTLES: i32 = 1000;
const FREES: i32 = 600;
const CUTS: i32 = 10;
const FIRST: i32 = i32::MAX;
/// Known to be of no use.
const NEVER: i32 = i32::MIN;

#[derive(Debug, Clone, Copy)]
struct Ranked {
    step: Step,
    score: i32,
}

/// What can be said at a glance.
enum Glance {
    Known(bool),
    Open { needed: i32, pairs: Pairs, key: u64, best: Option<Move> },
}

/// The search and its table.
pub struct Solver {
    table: Vec<Entry>,
    most: usize,
    nodes: u64,
    plies: Vec<Vec<Ranked>>,
    speed: f64,
}

impl Solver {
    /// A solver whose table takes at most so many megabytes, and no memory before it is used.
    pub fn new(megabytes: usize) -> Self {
        let most = ((megabytes << 20) / size_of::<Entry>()).max(1 << 10);
        Self { table: Vec::new(), most: 1 << most.ilog2(), nodes: 0, plies: vec![Vec::new(); 48], speed: 2e6 }
    }

    fn places(&self, key: u64) -> std::ops::Range<usize> {
        let start = key as usize & (self.table.len() - 1) & !(PLACES - 1);
        start..start + PLACES
    }

    fn find(&self, key: u64) -> Option<&Entry> {
        let tag = tag(key);
        self.table[self.places(key)].iter().find(|entry| entry.tag == tag)
    }

    fn keep(&mut self, key: u64, needed: i32, found: Option<Move>, reached: bool, work: u8) {
        let (places, tag) = (self.places(key), tag(key));
        let places = &mut self.table[places];
        let same = places.iter().position(|entry| entry.tag == tag);
        let entry = &mut places[same.unwrap_or(usize::from(places[1].work < places[0].work))];
        if same.is_none() {
            *entry = Entry { tag, ..FREE };
        }
        entry.work = entry.work.max(work);
        if reached {
            (entry.low, entry.best) = (entry.low.max(needed as i16), found);
        } else {
            entry.high = entry.high.min(needed as i16 - 1);
        }
    }

    /// Everything that can be said about getting at least `least` without a search.
    #[inline]
    fn glance(&self, position: &Position, links: &Links, least: i32) -> Glance {
        let needed = least - settled(position, links.active);
        if links.count == 0 {
            return Glance::Known(needed <= 0);
        }
        let pairs = Pairs::of(position, links);
        if pairs.towers == links.active {
            return Glance::Known(pairs.total() >= needed);
        }
        let needed = needed - pairs.value;
        let live = links.active & !pairs.towers;
        let (low, high) = bounds(position, live, &pairs);
        if needed <= low || needed > high {
            return Glance::Known(needed <= low);
        }
        let key = key(position, live, &pairs);
        let Some(entry) = self.find(key) else { return Glance::Open { needed, pairs, key, best: None } };
        if i32::from(entry.low) >= needed || i32::from(entry.high) < needed {
            return Glance::Known(i32::from(entry.low) >= needed);
        }
        Glance::Open { needed, pairs, key, best: entry.best }
    }

    /// Whether the side to move gets at least `least`. Without meaning once the watch has stopped.
    fn reaches(&mut self, position: &Position, least: i32, ply: usize, watch: &mut Watch) -> bool {
        self.nodes += 1;
        if watch.stops(self.nodes, 1) {
            return false;
        }
        let links = Links::of(position);
        let (needed, pairs, key, best) = match self.glance(position, &links, least) {
            Glance::Known(answer) => return answer,
            Glance::Open { needed, pairs, key, best } => (needed, pairs, key, best),
        };
        let before = self.nodes;
        let found = self.try_all(position, &links, &pairs, best, least, ply, watch);
        if !watch.stopped {
            let work = (self.nodes - before).checked_ilog2().unwrap_or(0) as u8;
            self.keep(key, needed, found, found.is_some(), work);
        }
        found.is_some()
    }

    /// A move that gets at least `least`.
    #[expect(clippy::too_many_arguments, reason = "one node of a hot recursion")]
    fn try_all(
        &mut self,
        position: &Position,
        links: &Links,
        pairs: &Pairs,
        best: Option<Move>,
        least: i32,
        ply: usize,
        watch: &mut Watch,
    ) -> Option<Move> {
        let mut moves = std::mem::take(&mut self.plies[ply]);
        rank(position, links, pairs, best, &mut moves);
        let found = self.first_enough(position, links, &mut moves, least, ply, watch);
        self.plies[ply] = moves;
        found
    }

    fn first_enough(
        &mut self,
        position: &Position,
        links: &Links,
        moves: &mut [Ranked],
        least: i32,
        ply: usize,
        watch: &mut Watch,
    ) -> Option<Move> {
        // To get at least this is to keep the other side below the negative.
        let theirs = 1 - least;
        if links.count >= LOOK_AHEAD {
            for one in moves.iter_mut() {
                let after = position.after(one.step);
                match self.glance(&after, &Links::of(&after), theirs) {
                    Glance::Known(false) => return Some(one.step.mv()),
                    Glance::Known(true) => one.score = NEVER,
                    Glance::Open { .. } => {}
                }
            }
        }
        for tried in 0..moves.len() {
            // Seldom more than one is needed: the next best is picked, nothing is sorted.
            let next = (tried..moves.len()).max_by_key(|&i| (moves[i].score, usize::MAX - i))?;
            moves.swap(tried, next);
            let Ranked { step, score } = moves[tried];
            if score == NEVER {
                return None;
            }
            let kept_below = !self.reaches(&position.after(step), theirs, ply + 1, watch);
            if watch.stopped {
                return None;
            }
            if kept_below {
                return Some(step.mv());
            }
        }
        None
    }

    /// The first position: a move is wanted, whatever is known already.
    fn root(&mut self, position: &Position, least: i32, watch: &mut Watch) -> Option<Move> {
        let links = Links::of(position);
        // Here every move counts, those of pairs that cancel too.
        let mut pairs = Pairs::of(position, &links);
        pairs.towers = 0;
        let best = match self.glance(position, &links, least) {
            Glance::Open { best, .. } => best,
            Glance::Known(_) => None,
        };
        self.try_all(position, &links, &pairs, best, least, 0, watch)
    }
}

impl Step {
    fn mv(self) -> Move {
        Move { from: self.from, to: self.to }
    }
}

/// The moves of a position with their order. Of lone pairs only one of each kind that is left over is played.
fn rank(position: &Position, links: &Links, pairs: &Pairs, best: Option<Move>, moves: &mut Vec<Ranked>) {
    moves.clear();
    let at_most = position.at_most();
    let mut odd = pairs.odd;
    for &from in &links.cells[..links.count] {
        let mut goals = links.goals[usize::from(from)];
        if pairs.towers >> from & 1 != 0 {
            let kind = kind(position, from, goals.trailing_zeros() as u8);
            if !odd[kind] || (kind > 0 && !position.is_own(from)) {
                continue;
            }
            odd[kind] = false;
        }
        let low = position.height(from);
        while goals != 0 {
            let to = goals.trailing_zeros() as u8;
            goals &= goals - 1;
            let step = Step { from, to, low, high: position.height(to) };
            let score =
                if best == Some(step.mv()) { FIRST } else { promise(position, links, &at_most, step) };
            moves.push(Ranked { step, score });
        }
    }
}

/// What a move does at once: the tower that it takes, the towers that it settles, the links that it cuts.
#[inline]
fn promise(position: &Position, links: &Links, at_most: &[u64; 6], step: Step) -> i32 {
    let own = position.own;
    let signed = |is_own: bool, value: i32| if is_own { value } else { -value };
    let (from, to) = (1u64 << step.from, 1u64 << step.to);
    let is_own = position.is_own(step.from);
    let (goals_from, goals_to) =
        (links.goals[usize::from(step.from)], links.goals[usize::from(step.to)] & !from);
    let stay = goals_to & at_most[usize::from(5 - step.low - step.high)];
    let mut score = signed(!position.is_own(step.to), TAKES);
    if stay == 0 {
        score += signed(is_own, SETTLES);
    }
    let mut lost = goals_from & !to | goals_to & !stay;
    score += CUTS * lost.count_ones() as i32;
    while lost != 0 {
        let cell = lost.trailing_zeros();
        lost &= lost - 1;
        if links.goals[cell as usize] & !from & !to == 0 && stay >> cell & 1 == 0 {
            score += signed(own >> cell & 1 != 0, FREES);
        }
    }
    score
}

/// The least and the most that the rest can bring: every move takes one tower, and merged towers of height 5 are out.
#[inline]
fn bounds(position: &Position, live: u64, pairs: &Pairs) -> (i32, i32) {
    let (own, enemy) =
        ((live & position.own).count_ones() as i32, (live & !position.own).count_ones() as i32);
    let mass: i32 = (1..5).map(|h| h as i32 * (position.heights[h] & live).count_ones() as i32).sum();
    let (moves, fives) = (own + enemy - (mass + 4) / 5, mass / 5);
    let swing = TOWER * i32::from(pairs.odd[1]) + (TOWER + 1) * i32::from(pairs.odd[2]);
    let most = |mine: i32, theirs: i32| TOWER * (mine - (theirs - moves).max(0)) + fives + swing;
    (-most(enemy, own), most(own, enemy))
}

/// What is live and whose it is, and the pairs that are left over.
#[inline]
fn key(position: &Position, live: u64, pairs: &Pairs) -> u64 {
    let kinds = pairs.odd.iter().fold(0, |kinds, &odd| kinds << 1 | u64::from(odd));
    let own = position.own & live | kinds << 48;
    (1..5).fold(mixed(own), |key, h| mixed(key ^ position.heights[h] & live))
}

#[inline]
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ bits >> 32
}

/// What tells keys of one place apart; 0 is a free place.
#[inline]
fn tag(key: u64) -> u32 {
    (key >> 32) as u32 | 1
}

impl Endgame<Avalam> for Solver {
    /// Measured with 21 to 30 moves played: log10 = 0.57 + 0.067 times the number of moves, with a deviation of 0.44.
    fn expected_nodes(&self, position: &Avalam) -> f64 {
        10f64.powf(0.57 + 0.067 * games::Game::count_moves(position) as f64)
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn solve(
        &mut self,
        position: &Avalam,
        looks_won: bool,
        watch: &mut Watch,
        nodes: &mut u64,
    ) -> Option<Outcome<Move>> {
        if self.table.is_empty() {
            self.table = vec![FREE; self.most];
        }
        let begun = watch.seconds();
        self.nodes = *nodes;
        let start = Position::of(position);
        // A lost position is known by one question: no draw, no win.
        let saved = if looks_won { None } else { Some(self.root(&start, 0, watch)) };
        let found = match saved {
            Some(None) => Outcome::Lost,
            _ => match (self.root(&start, 1, watch), saved.flatten()) {
                (Some(best), _) => Outcome::Won(best),
                (None, Some(best)) => Outcome::Drawn(best),
                (None, None) => self.root(&start, 0, watch).map_or(Outcome::Lost, Outcome::Drawn),
            },
        };
        let (seconds, visited) = (watch.seconds() - begun, self.nodes - *nodes);
        *nodes = self.nodes;
        if seconds > 0.01 {
            self.speed = visited as f64 / seconds;
        }
        (!watch.stopped).then_some(found)
    }

    fn new_game(&mut self) {
        self.table.fill(FREE);
    }
}

#[cfg(test)]
#[path = "avalam_tests.rs"]
mod tests;

//! Who wins an endgame of Avalam.
//!
//! Only null windows are searched: does the side to move get at least so much, yes or no? That takes far fewer positions than a value.
//! What helps further: towers that can no longer move only add a constant, so that the table knows a position by its other
//! towers alone; lone pairs are not searched at all (`avalam_rest.rs`); no side can gain more than the moves left allow. With 24 moves
//! played the answer takes a few hundred thousand positions where the general search with its margins does not end in a minute.

use games::avalam::{Avalam, Move};

use super::avalam_rest::{Links, Pairs, Position, Step, TOWER, cells, kind, settled};
use super::{Endgame, Outcome};
use crate::search::limits::Budget;

/// What is known about a rest: it is worth at least `low` and at most `high` to the side to move.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    low: i16,
    high: i16,
    best: Option<Move>,
    /// The logarithm of the positions that it took.
    work: u8,
}

const FREE: Entry = Entry { key: 0, low: i16::MIN, high: i16::MAX, best: None, work: 0 };

/// The places of a key: they share one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Places([Entry; 4]);

const _: () = assert!(size_of::<Places>() == 64);

/// From so many active towers on the children are looked up in the table before any is searched: half the positions, but each
/// costs more. From 10 to 18 the time is much the same.
const LOOK_AHEAD: u32 = 16;

/// Moves are tried in the order of what they do at once. The first makes the cut-off in 98 % of the positions that have one; the weights
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
    /// What the other side needs after it, and the key to look it up by.
    needed: i32,
    key: u64,
}

/// What can be said at a glance.
enum Glance {
    Known(bool),
    Open { needed: i32, pairs: Pairs, key: u64 },
}

/// The search and its table.
pub struct Solver {
    table: Vec<Places>,
    most: usize,
    nodes: u64,
    plies: Vec<Vec<Ranked>>,
    speed: f64,
}

impl Solver {
    /// A solver whose table takes at most so many megabytes, and no memory before it is used.
    pub fn new(megabytes: usize) -> Self {
        let most = ((megabytes << 20) / size_of::<Places>()).max(1 << 8);
        Self { table: Vec::new(), most: 1 << most.ilog2(), nodes: 0, plies: vec![Vec::new(); 48], speed: 2e6 }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    #[inline]
    fn find(&self, key: u64) -> Option<&Entry> {
        self.table[self.place(key)].0.iter().find(|entry| entry.key == key)
    }

    fn keep(&mut self, key: u64, needed: i32, found: Option<Move>, reached: bool, work: u8) {
        let place = self.place(key);
        let places = &mut self.table[place].0;
        let same = places.iter().position(|entry| entry.key == key);
        let least = || (0..places.len()).min_by_key(|&i| places[i].work).unwrap_or(0);
        let entry = &mut places[same.unwrap_or_else(least)];
        if same.is_none() {
            *entry = Entry { key, ..FREE };
        }
        entry.work = entry.work.max(work);
        if reached {
            (entry.low, entry.best) = (entry.low.max(needed as i16), found);
        } else {
            entry.high = entry.high.min(needed as i16 - 1);
        }
    }

    /// Whether the table knows that a rest brings what is needed, and the move that was best there.
    #[inline]
    fn look_up(&self, key: u64, needed: i32) -> (Option<bool>, Option<Move>) {
        let Some(entry) = self.find(key) else { return (None, None) };
        let is_known = i32::from(entry.low) >= needed || i32::from(entry.high) < needed;
        (is_known.then_some(i32::from(entry.low) >= needed), entry.best)
    }

    /// Whether the side to move gets at least `least`. Without meaning once the watch has stopped.
    fn reaches(
        &mut self,
        position: &Position,
        links: &Links,
        least: i32,
        ply: usize,
        watch: &mut Budget,
    ) -> bool {
        self.nodes += 1;
        if watch.stops(self.nodes, 1) {
            return false;
        }
        let (needed, pairs, key) = match glance(position, links, least) {
            Glance::Known(answer) => return answer,
            Glance::Open { needed, pairs, key } => (needed, pairs, key),
        };
        let (known, best) = self.look_up(key, needed);
        if let Some(answer) = known {
            return answer;
        }
        let before = self.nodes;
        let found = self.try_all(position, links, &pairs, best, least, ply, watch);
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
        watch: &mut Budget,
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
        watch: &mut Budget,
    ) -> Option<Move> {
        // To get at least this is to keep the other side below the negative.
        let theirs = 1 - least;
        let at_most = position.at_most();
        if links.active.count_ones() >= LOOK_AHEAD {
            // First all keys, then all places: the waits for memory overlap.
            for one in moves.iter_mut() {
                match glance(&position.after(one.step), &links.after(one.step, &at_most), theirs) {
                    Glance::Known(false) => return Some(one.step.mv()),
                    Glance::Known(true) => one.score = NEVER,
                    Glance::Open { needed, key, .. } => (one.needed, one.key) = (needed, key),
                }
            }
            for one in moves.iter_mut().filter(|one| one.score != NEVER) {
                match self.look_up(one.key, one.needed).0 {
                    Some(false) => return Some(one.step.mv()),
                    Some(true) => one.score = NEVER,
                    None => {}
                }
            }
        }
        for tried in 0..moves.len() {
            // Seldom more than one is needed: the best two are picked, and only then the rest is sorted.
            if tried < 2 {
                let next = (tried..moves.len()).max_by_key(|&i| moves[i].score)?;
                moves.swap(tried, next);
            } else if tried == 2 {
                moves[tried..].sort_unstable_by_key(|one| std::cmp::Reverse(one.score));
            }
            let Ranked { step, score, .. } = moves[tried];
            if score == NEVER {
                return None;
            }
            let kept_below =
                !self.reaches(&position.after(step), &links.after(step, &at_most), theirs, ply + 1, watch);
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
    fn root(&mut self, position: &Position, least: i32, watch: &mut Budget) -> Option<Move> {
        let links = Links::of(position);
        // Here every move counts, those of pairs that cancel too.
        let mut pairs = Pairs::of(position, &links);
        pairs.towers = 0;
        let best = match glance(position, &links, least) {
            Glance::Open { needed, key, .. } => self.look_up(key, needed).1,
            Glance::Known(_) => None,
        };
        self.try_all(position, &links, &pairs, best, least, 0, watch)
    }
}

/// Everything that can be said about getting at least `least` without a search or a table.
#[inline]
fn glance(position: &Position, links: &Links, least: i32) -> Glance {
    let needed = least - settled(position, links.active);
    if links.active == 0 {
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
    Glance::Open { needed, pairs, key: key(position, live, &pairs) }
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
    for from in cells(links.active) {
        let goals = links.goals[usize::from(from)];
        if pairs.towers >> from & 1 != 0 {
            let kind = kind(position, from, goals.trailing_zeros() as u8);
            if !odd[kind] || (kind > 0 && !position.is_own(from)) {
                continue;
            }
            odd[kind] = false;
        }
        let low = position.height(from);
        for to in cells(goals) {
            let step = Step { from, to, low, high: position.height(to) };
            let score =
                if best == Some(step.mv()) { FIRST } else { promise(position, links, &at_most, step) };
            moves.push(Ranked { step, score, needed: 0, key: 0 });
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
    let stay = links.stay(step, at_most);
    let mut score = signed(!position.is_own(step.to), TAKES);
    if stay == 0 {
        score += signed(is_own, SETTLES);
    }
    let lost = goals_from & !to | goals_to & !stay;
    score += CUTS * lost.count_ones() as i32;
    for cell in cells(lost) {
        if links.goals[usize::from(cell)] & !from & !to == 0 && stay >> cell & 1 == 0 {
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
    let [_, one, two, three, four, _] = position.heights.map(|towers| towers & live);
    // Three products at once: one after the other would be three times the wait.
    let low = folded(position.own & live | kinds << 48, one, 0);
    let high = folded(two, three, 2);
    folded(low, high ^ folded(four, 0, 4), 6)
}

/// Odd numbers without a pattern.
const SALT: [u64; 8] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x8ebc_6af0_9c88_c6e3,
];

/// Both halves of a product: every bit of the one meets every bit of the other.
#[inline]
fn folded(a: u64, b: u64, salt: usize) -> u64 {
    let product = u128::from(a ^ SALT[salt]) * u128::from(b ^ SALT[salt + 1]);
    product as u64 ^ (product >> 64) as u64
}

impl Endgame<Avalam> for Solver {
    /// Measured before steps 20 to 24 of 24 games: log10 = 1.06 + 0.066 times the number of moves, with a deviation of 0.53.
    fn expected_nodes(&self, position: &Avalam) -> f64 {
        math::powf(10.0, 1.06 + 0.066 * games::Game::count_moves(position) as f64)
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn solve(
        &mut self,
        position: &Avalam,
        looks_won: bool,
        watch: &mut Budget,
        nodes: &mut u64,
    ) -> Option<Outcome<Move>> {
        if self.table.is_empty() {
            self.table = vec![Places([FREE; 4]); self.most];
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

    fn knows_margins(&self) -> bool {
        false
    }

    fn new_game(&mut self) {
        self.table.fill(Places([FREE; 4]));
    }
}

#[cfg(test)]
#[path = "avalam_tests.rs"]
pub(crate) mod tests;

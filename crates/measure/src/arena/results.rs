//! What has been played, in the order in which it counts. Pairs end in any order; those that count are the ones from the
//! first to the one before the first gap, so that neither threads nor an interruption choose among them (the last to end
//! are the long ones). A test looks after each pair of its meeting in this order, and what comes after its decision does not count.

use games::Side;
use play::PlayedGame;
use serde::{Deserialize, Serialize};
use stats::{Decision, Mean, Pentanomial, Sprt};

use super::game::{Played, Reason, Winner};
use super::tournament::{Schedule, Standing, standings, swiss_round};
use super::{DuelSetup, Job};

/// The two games of a pair. In the first the first player has the first side, in the second the second player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedPair {
    /// The first player's place in the list.
    pub first: usize,
    /// The second player's.
    pub second: usize,
    /// The pair's number in their meeting.
    pub pair: usize,
    /// Where both games began.
    pub opening: String,
    /// The games.
    pub games: [Played; 2],
}

impl PlayedPair {
    /// What it was.
    pub fn job(&self) -> Job {
        Job { first: self.first, second: self.second, pair: self.pair }
    }

    /// Whether a game was lost because a program was not understood.
    pub fn is_misunderstood(&self) -> bool {
        self.games.iter().any(|game| matches!(game.reason, Reason::Misunderstood(_)))
    }

    /// Half points of the first player, 0 to 4.
    pub fn halves(&self) -> usize {
        let [one, two] = &self.games;
        one.winner.halves(Side::First) + two.winner.halves(Side::Second)
    }
}

/// The pairs of a match or tournament.
#[derive(Debug, Clone)]
pub struct Results {
    /// All meetings that are known, stage by stage; there is one stage, but of a Swiss tournament one a round.
    stages: Vec<Stage>,
    schedule: Schedule,
    players: usize,
    /// Pairs of a meeting.
    pairs: usize,
    seed: u64,
    /// Pairs in all.
    wanted: usize,
    /// Pairs of meetings that are not known yet, of a journal.
    early: Vec<PlayedPair>,
    /// By number, up to the last that is there: nearly all may still be to come, and there may be millions.
    played: Vec<Option<PlayedPair>>,
    /// The place of the first pair that is neither played nor left out by a test.
    next: usize,
    /// The places of those that count.
    counted: Vec<usize>,
    /// How each meeting stands.
    met: Vec<Met>,
    sprt: Option<Sprt>,
}

/// Meetings that are played together, in the order of a turn; pairs are numbered turn by turn.
#[derive(Debug, Clone)]
struct Stage {
    /// Who meets whom, and the number of their first pair: they may have met before.
    meetings: Vec<(usize, usize, usize)>,
    /// The place of its first pair.
    begin: usize,
    /// The place of its first meeting.
    first_met: usize,
}

/// How a meeting stands.
#[derive(Debug, Clone, Copy)]
struct Met {
    pentanomial: Pentanomial,
    llr: f64,
    decision: Decision,
}

impl Results {
    /// Nothing yet.
    pub fn new<G: PlayedGame>(setup: &DuelSetup<G>) -> Self {
        let players = setup.players.len();
        let meetings = setup.schedule.meetings(players);
        let wanted = setup.pairs
            * match setup.schedule {
                Schedule::Swiss(rounds) => rounds * (players / 2),
                _ => meetings.len(),
            };
        let mut results = Self {
            stages: Vec::new(),
            schedule: setup.schedule,
            players,
            pairs: setup.pairs,
            seed: setup.seed,
            wanted,
            early: Vec::new(),
            played: Vec::new(),
            next: 0,
            counted: Vec::new(),
            met: Vec::new(),
            sprt: setup.sprt,
        };
        match setup.schedule {
            Schedule::Swiss(_) => results.pair_next_round(),
            _ => results.add_stage(&meetings),
        }
        results
    }

    fn add_stage(&mut self, meetings: &[(usize, usize)]) {
        let (begin, first_met) = (self.known(), self.met.len());
        let met = Met { pentanomial: Pentanomial::default(), llr: 0.0, decision: Decision::Open };
        self.met.resize(first_met + meetings.len(), met);
        let before = self.met_so_far();
        let times = |meeting: (usize, usize)| before.iter().filter(|&&other| other == meeting).count();
        let meetings = meetings.iter().map(|&(a, b)| (a, b, self.pairs * times((a, b)))).collect();
        self.stages.push(Stage { meetings, begin, first_met });
    }

    /// The next round of a Swiss tournament; all before it are played.
    fn pair_next_round(&mut self) {
        if self.known() < self.wanted {
            self.add_stage(&swiss_round(&self.standings(), &self.met_so_far(), self.seed));
            std::mem::take(&mut self.early).into_iter().for_each(|pair| self.insert(pair));
        }
    }

    /// How everybody stands by the meetings that are known, of a Swiss tournament.
    pub fn standings(&self) -> Vec<Standing> {
        let mut rounds = Vec::new();
        for stage in &self.stages {
            let points = |(&(first, second, _), met): (&(usize, usize, usize), &Met)| {
                let halves = (0..).zip(met.pentanomial.0).map(|(halves, count)| halves * count).sum();
                (first, second, [halves, 4 * met.pentanomial.pairs() - halves])
            };
            rounds.push(stage.meetings.iter().zip(&self.met[stage.first_met..]).map(points).collect());
        }
        standings(self.players, self.pairs, &rounds)
    }

    fn met_so_far(&self) -> Vec<(usize, usize)> {
        self.stages.iter().flat_map(|stage| &stage.meetings).map(|&(a, b, _)| (a, b)).collect()
    }

    /// Who meets whom as far as it is known, everybody once, in the order of a turn.
    pub fn meetings(&self) -> Vec<(usize, usize)> {
        let mut all: Vec<(usize, usize)> = Vec::new();
        for meeting in self.met_so_far() {
            if !all.contains(&meeting) {
                all.push(meeting);
            }
        }
        all
    }

    /// Pairs of the meetings that are known.
    fn known(&self) -> usize {
        self.stages.last().map_or(0, |last| last.begin + self.pairs * last.meetings.len())
    }

    /// The number of a pair, if it is asked for.
    fn place(&self, job: Job) -> Option<usize> {
        self.stages.iter().find_map(|stage| {
            let wanted = |&(first, second, pair): &(usize, usize, usize)| {
                (first, second) == (job.first, job.second) && (pair..pair + self.pairs).contains(&job.pair)
            };
            let meeting = stage.meetings.iter().position(wanted)?;
            Some(stage.begin + (job.pair - stage.meetings[meeting].2) * stage.meetings.len() + meeting)
        })
    }

    /// The stage of a number, the meeting in it, and which of its pairs.
    fn parts(&self, place: usize) -> (&Stage, usize, usize) {
        let stage =
            self.stages.iter().rev().find(|stage| stage.begin <= place).expect("the first begins at 0");
        let (turn, meetings) = (place - stage.begin, stage.meetings.len());
        (stage, turn % meetings, turn / meetings)
    }

    /// The pair of a number.
    fn job(&self, place: usize) -> Job {
        let (stage, meeting, turn) = self.parts(place);
        let (first, second, pair) = stage.meetings[meeting];
        Job { first, second, pair: pair + turn }
    }

    /// The place of the meeting of a number.
    fn met(&self, place: usize) -> usize {
        let (stage, meeting, _) = self.parts(place);
        stage.first_met + meeting
    }

    fn pair(&self, place: usize) -> Option<&PlayedPair> {
        self.played.get(place)?.as_ref()
    }

    /// Puts a pair into its place; one that was not asked for is left out.
    pub fn insert(&mut self, pair: PlayedPair) {
        let Some(place) = self.place(pair.job()) else {
            if matches!(self.schedule, Schedule::Swiss(_)) {
                self.early.push(pair);
            }
            return;
        };
        if place >= self.played.len() {
            self.played.resize(place + 1, None);
        }
        self.played[place] = Some(pair);
        while self.next < self.known() {
            let meeting = self.met(self.next);
            if self.met[meeting].decision == Decision::Open {
                let Some(halves) = self.pair(self.next).map(PlayedPair::halves) else { break };
                let met = &mut self.met[meeting];
                met.pentanomial.add(halves);
                if let Some(test) = self.sprt {
                    met.llr = test.llr(&met.pentanomial);
                    met.decision = test.decision(met.llr);
                }
                self.counted.push(self.next);
            }
            self.next += 1;
        }
        if self.next == self.known() {
            self.pair_next_round();
        }
    }

    /// What is still to be played, in order, as far as it is known who meets whom.
    pub fn missing(&self) -> Vec<Job> {
        (0..self.known()).filter(|&place| self.is_open(place)).map(|place| self.job(place)).collect()
    }

    /// Whether a pair is still to be played: no test has ended its meeting.
    pub fn is_missing(&self, job: Job) -> bool {
        self.place(job).is_some_and(|place| self.is_open(place))
    }

    fn is_open(&self, place: usize) -> bool {
        self.met[self.met(place)].decision == Decision::Open && self.pair(place).is_none()
    }

    /// Whether everything is played, or tests have decided what is not.
    pub fn complete(&self) -> bool {
        self.next == self.wanted
    }

    /// The pairs that count.
    pub fn counted(&self) -> impl ExactSizeIterator<Item = &PlayedPair> {
        self.counted.iter().map(|&place| self.pair(place).expect("only what is played counts"))
    }

    /// All that have been played, whether they count or not.
    pub fn all(&self) -> impl Iterator<Item = &PlayedPair> {
        self.played.iter().flatten()
    }

    /// How many pairs there are to be at most.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// The scores of the pairs that count, by the player named first; of use where only two play.
    pub fn pentanomial(&self) -> Pentanomial {
        self.met.first().map_or_else(Pentanomial::default, |met| met.pentanomial)
    }

    /// The test of a match of two, its log-likelihood ratio and what it says.
    pub fn sprt(&self) -> Option<(Sprt, f64, Decision)> {
        self.tests().next()
    }

    /// The same for every meeting, in the order of a round; none without a test.
    pub fn tests(&self) -> impl Iterator<Item = (Sprt, f64, Decision)> {
        self.met.iter().filter_map(|met| Some((self.sprt?, met.llr, met.decision)))
    }
}

/// A meeting of two in numbers, seen by the first of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their score.
    pub pentanomial: Pentanomial,
    /// Games won by the side that begins, drawn, and won by the other.
    pub sides: [u64; 3],
    /// Games that the first player won in each of its places: as the side that begins, and as the other. It had each of
    /// them once a pair.
    pub wins_as: [u64; 2],
    /// Moves of a game, those of the opening left out.
    pub moves: Mean,
    /// By how much the first player's score was above the second's, in games that were not ended early.
    pub margin: Mean,
    /// Seconds for a move of either player; not a number without moves.
    pub seconds_per_move: [f64; 2],
    /// Games that a player lost by breaking a rule, with the number of games for each reason.
    pub forfeits: [Vec<(String, u64)>; 2],
    /// Games drawn for their length.
    pub too_long: u64,
    /// Games ended early: since the loser said it was lost, since both said it was level, since it is solved.
    pub adjudicated: [u64; 3],
}

impl Tally {
    /// Of the games between two players among these pairs.
    pub fn of<'a>(pairs: impl Iterator<Item = &'a PlayedPair>, first: usize, second: usize) -> Self {
        let mut tally = Self {
            wins: 0,
            draws: 0,
            losses: 0,
            pentanomial: Pentanomial::default(),
            sides: [0; 3],
            wins_as: [0; 2],
            moves: Mean::of(&[]),
            margin: Mean::of(&[]),
            seconds_per_move: [f64::NAN; 2],
            forfeits: [Vec::new(), Vec::new()],
            too_long: 0,
            adjudicated: [0; 3],
        };
        let (mut lengths, mut margins) = (Vec::new(), Vec::new());
        let (mut nanos, mut made) = ([0u64; 2], [0usize; 2]);
        for pair in pairs.filter(|pair| (pair.first, pair.second) == (first, second)) {
            tally.pentanomial.add(pair.halves());
            for (game, sides) in pair.games.iter().zip([[0, 1], [1, 0]]) {
                // sides[player] is where that player sat, and the other way round too.
                let own = Side::BOTH[sides[0]];
                match game.winner.halves(own) {
                    2 => tally.wins += 1,
                    1 => tally.draws += 1,
                    _ => tally.losses += 1,
                }
                tally.wins_as[sides[0]] += u64::from(game.winner.halves(own) == 2);
                tally.sides[match game.winner {
                    Winner::First => 0,
                    Winner::Draw => 1,
                    Winner::Second => 2,
                }] += 1;
                lengths.push(game.moves.len() as f64);
                // Between two sides a score is a lead: the other's is the same with the other sign. What was on the board when a
                // game was ended early is no lead of its end.
                if !matches!(game.reason, Reason::Adjudicated(_)) {
                    margins.push(game.scores[sides[0]]);
                }
                let by_side = [game.first_made, game.moves.len() - game.first_made.min(game.moves.len())];
                for player in 0..2 {
                    nanos[player] += game.spent[sides[player]];
                    made[player] += by_side[sides[player]];
                }
                if let Reason::Adjudicated(verdict) = game.reason {
                    tally.adjudicated[verdict as usize] += 1;
                }
                tally.too_long += u64::from(game.reason == Reason::MoveLimit);
                if game.reason.is_forfeit() {
                    let loser = usize::from(game.winner.halves(own) == 2);
                    let reason = game.reason.to_string();
                    let reasons = &mut tally.forfeits[loser];
                    match reasons.iter_mut().find(|(known, _)| *known == reason) {
                        Some((_, count)) => *count += 1,
                        None => reasons.push((reason, 1)),
                    }
                }
            }
        }
        (tally.moves, tally.margin) = (Mean::of(&lengths), Mean::of(&margins));
        tally.seconds_per_move = [0, 1].map(|player| nanos[player] as f64 / 1e9 / made[player] as f64);
        tally
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

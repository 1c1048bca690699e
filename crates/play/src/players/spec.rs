//! Players that search, as their texts say: which search, its limits, its evaluation. Plain data, read and printed back.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use notation::{MOST_DEPTH, SyntaxError};

use super::notation::{Call, NotationError};
use crate::names::UnknownName;
use crate::search::alpha_beta::DEFAULT_TABLE;
use crate::search::limits::{Limits, MAX_DEPTH};
use crate::search::mcts::{DEFAULT_EXPLORATION, DEFAULT_SIMULATIONS};
use crate::search::probcut::DEFAULT_CONFIDENCE;
use crate::search::rollout::{Policy, Rollout};

/// The evaluation that is the game's own score.
pub const SCORE: &str = "score";

/// The depth when nothing limits alpha-beta.
const DEFAULT_DEPTH: u32 = 4;

/// A search with all its options.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Which search, and what only it has.
    pub kind: Kind,
    /// What it may use for a move, or for the game.
    pub limits: Limits,
    /// The evaluation: `score`, or a model as players are written.
    pub eval: String,
}

/// The searches.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// One ply.
    BestMove,
    /// Plain minimax.
    Minimax,
    /// Alpha-beta.
    AlphaBeta {
        /// Megabytes of the table.
        table: usize,
        /// The file of ratios that its clock trims by; by default what is shipped for the game.
        clock: Option<String>,
        /// Whether an evaluation is kept up to date from move to move where it can be, and not counted afresh.
        update: bool,
        /// The fit by which it leaves out what is as good as certain: a shipped one or a file; none leaves out nothing.
        probcut: Option<String>,
        /// How many sigmas of that fit are as good as certain.
        confidence: f64,
        /// How much is played for mistakes by who is behind; by default as measured for the game.
        swindle: Option<f64>,
    },
    /// Monte Carlo tree search.
    Mcts {
        /// How simulated games go on.
        rollout: Rollout,
        /// The weight of curiosity.
        exploration: f64,
    },
    /// Searches by step.
    Hybrid(Vec<(u32, Spec)>),
}

/// Each search with the options it knows, in the order in which they are printed. `greedy` with options is best move.
const OPTIONS: &[(&str, &[&str])] = &[
    ("best-move", &["eval"]),
    ("greedy", &["eval"]),
    ("minimax", &["depth", "eval"]),
    (
        "alphabeta",
        &[
            "depth",
            "nodes",
            "time",
            "game-time",
            "table",
            "clock",
            "update",
            "probcut",
            "confidence",
            "swindle",
            "eval",
        ],
    ),
    (
        "mcts",
        &[
            "simulations",
            "nodes",
            "time",
            "game-time",
            "rollout",
            "epsilon",
            "cut",
            "scale",
            "exploration",
            "eval",
        ],
    ),
    ("hybrid", &["time", "game-time"]),
];

/// The options that limit a search.
pub const LIMITS: [&str; 5] = ["depth", "nodes", "simulations", "time", "game-time"];

/// How players that search are written, with a line about each.
pub const FORMS: &[(&str, &str)] = &[
    ("best-move(eval=MODEL)", "the move into the position that a model values most; ties by lot"),
    ("minimax(OPTION=VALUE, ...)", "every line to a depth"),
    (
        "alphabeta(OPTION=VALUE, ...)",
        "alpha-beta to a depth, or for seconds a move, or with the seconds of a whole game",
    ),
    ("mcts(OPTION=VALUE, ...)", "Monte Carlo tree search"),
    ("hybrid(1: PLAYER, 6: PLAYER, ...)", "one search from a step of the game on, then another"),
];

/// An option of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub values: &'static str,
    /// What it is unless given.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// What each option means, which is the same in every search that knows it: name, values, default, meaning.
const MEANINGS: &[[&str; 4]] = &[
    ["depth", "PLIES", "4 without another limit, of minimax 2", "look so many plies ahead"],
    ["nodes", "N", "no limit", "look at so many positions for a move"],
    ["simulations", "N", "1000 without another limit", "simulate so many games for a move"],
    ["time", "SECONDS", "no limit", "think so long about a move"],
    ["game-time", "SECONDS", "no limit", "think so long in a whole game, shared out over its moves"],
    ["table", "MB", "64", "megabytes for positions that were seen before"],
    [
        "clock",
        "FILE",
        "as shipped for the game",
        "how long depths take, from 'evalforge tune clock': none is begun in vain",
    ],
    [
        "update",
        "on|off",
        "on",
        "keep the evaluation up to date from move to move where it can be; the values are the same",
    ],
    ["probcut", "FILE", "none", "leave out what a shallow search is sure of, from 'evalforge tune probcut'"],
    ["confidence", "SIGMAS", "1", "how sure that has to be"],
    [
        "swindle",
        "0..0.9",
        "as measured for the game",
        "how much to play for mistakes of the other side when behind",
    ],
    ["rollout", "random|greedy", "random", "how simulated games go on"],
    ["epsilon", "0..1", "0", "the share of random moves with rollout=greedy"],
    ["cut", "PLIES", "none", "end simulated games after so many plies by the evaluation"],
    ["scale", "X", "1", "what the evaluation is divided by there"],
    ["exploration", "X", "1.414", "the weight of moves that were tried less"],
    ["eval", "MODEL", "score", "the evaluation: a shipped model, a model file, or the score of the game"],
];

/// The options of the search that a text names, with their meanings; none if it is no search.
pub fn options_of(text: &str) -> Vec<OptionInfo> {
    let name = Call::name_of(text);
    let keys = OPTIONS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, keys)| keys);
    let known = |key: &&str| MEANINGS.iter().find(|[name, ..]| name == key);
    let info =
        |&[name, values, default, help]: &[&'static str; 4]| OptionInfo { name, values, default, help };
    keys.iter().filter_map(known).map(info).collect()
}

/// Whether a text is that of a player that searches: by its name. `greedy` alone is the older player of that name.
pub fn is_spec(text: &str) -> bool {
    let name = Call::name_of(text);
    OPTIONS.iter().any(|(known, _)| *known == name) && text.trim() != "greedy"
}

/// The names of the searches.
pub fn names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|(name, _)| *name).filter(|name| *name != "greedy")
}

/// The limits that a search knows; none if there is no such search.
pub fn limits_of(name: &str) -> Vec<&'static str> {
    let keys = OPTIONS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, keys)| keys);
    LIMITS.into_iter().filter(|limit| keys.contains(limit)).collect()
}

/// The options of a call, to be taken one by one.
struct Options<'a>(&'a Call);

impl Options<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.0.options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn wrong(&self, key: &str, value: &str, allowed: impl Into<String>) -> NotationError {
        let [player, key, value] = [&self.0.name, key, value].map(str::to_string);
        NotationError::Value { player, key, value, allowed: allowed.into() }
    }

    /// A number of a range, which is described.
    fn number<T: FromStr + PartialOrd + Copy>(
        &self,
        key: &str,
        range: RangeInclusive<T>,
        allowed: &str,
    ) -> Result<Option<T>, NotationError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| self.wrong(key, text, allowed))
    }

    /// The name of a file, which is described.
    fn file(&self, key: &str, allowed: &str) -> Result<Option<String>, NotationError> {
        match self.text(key) {
            Some("") => Err(self.wrong(key, "", allowed)),
            text => Ok(text.map(str::to_string)),
        }
    }

    fn limits(&self) -> Result<Limits, NotationError> {
        let most = MAX_DEPTH;
        let seconds = "seconds, from 0 to 1000000";
        Ok(Limits {
            depth: self.number("depth", 1..=most, &format!("a whole number from 1 to {most}"))?,
            nodes: self.number("nodes", 1..=u64::MAX, "a whole number from 1 on")?,
            simulations: self.number("simulations", 1..=u64::MAX, "a whole number from 1 on")?,
            time: self.number("time", 0.0..=1e6, seconds)?,
            game_time: self.number("game-time", 0.0..=1e6, seconds)?,
        })
    }

    fn rollout(&self) -> Result<Rollout, NotationError> {
        let policy = match self.text("rollout") {
            None | Some("random") => Policy::Random,
            Some("greedy") => Policy::Greedy,
            Some(other) => return Err(self.wrong("rollout", other, "random, greedy")),
        };
        let epsilon = self.number("epsilon", 0.0..=1.0, "a number from 0 to 1")?;
        if epsilon.is_some() && policy == Policy::Random {
            let reason =
                "epsilon is the share of random moves with rollout=greedy, which is not given".into();
            return Err(NotationError::Options { player: self.0.name.clone(), reason });
        }
        let default = Rollout::default();
        Ok(Rollout {
            policy,
            epsilon: epsilon.unwrap_or(default.epsilon),
            cut: self.number("cut", 1..=1000, "plies, from 1 to 1000")?,
            scale: self.number("scale", 1e-9..=1e9, "a number above 0")?.unwrap_or(default.scale),
        })
    }
}

impl Spec {
    /// Reads the text of a player that searches.
    ///
    /// # Errors
    /// Something in it is unknown, not allowed or does not go together.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        Self::read(text, None, 1)
    }

    /// `outer`: the limits of the hybrid that this is a part of. A search is printed with brackets where it was given without:
    /// levels are counted, so that what is printed is not too deep to be read.
    fn read(text: &str, outer: Option<&Limits>, level: usize) -> Result<Self, NotationError> {
        if level > MOST_DEPTH {
            return Err(NotationError::syntax(text, &SyntaxError::TooDeep));
        }
        let call = Call::parse(text)?;
        let wrong =
            |reason: &str| NotationError::Options { player: call.name.clone(), reason: reason.into() };
        let known = OPTIONS.iter().find(|(name, _)| *name == call.name);
        let (_, keys) = known.ok_or_else(|| UnknownName::new("search", &call.name, names()))?;
        let is_hybrid = call.name == "hybrid";
        let mut seen = HashSet::new();
        for (key, _) in &call.options {
            let step = key.parse::<u32>().ok().filter(|step| is_hybrid && *step >= 1);
            if !keys.contains(&key.as_str()) && step.is_none() {
                let steps = if is_hybrid { &["1: PLAYER"][..] } else { &[] };
                let error = UnknownName::new("option", key, [keys, steps].concat());
                return Err(NotationError::Key { player: call.name.clone(), error });
            }
            // However a step is written: 01 is 1.
            let key = step.map_or(key.clone(), |step| step.to_string());
            if !seen.insert(key.clone()) {
                return Err(wrong(&format!("{key} is given twice")));
            }
        }
        let options = Options(&call);
        let mut limits = options.limits()?;
        if outer.is_some() && limits.game_time.is_some() {
            return Err(wrong("a game time is for the whole game: give it to the hybrid"));
        }
        // A search without any limit gets one, unless the whole has one.
        let is_free = limits == Limits::default() && outer.is_none_or(|outer| !outer.is_timed());
        let kind = match call.name.as_str() {
            "best-move" | "greedy" => Kind::BestMove,
            "minimax" => {
                limits.depth.get_or_insert(2);
                Kind::Minimax
            }
            "alphabeta" => {
                limits.depth = limits.depth.or(is_free.then_some(DEFAULT_DEPTH));
                let table = options.number("table", 0..=65_536, "megabytes, from 0 to 65536")?;
                let clock = options.file("clock", "a file that 'evalforge tune clock' has written")?;
                let probcut = options.file("probcut", "a file that 'evalforge tune probcut' has written")?;
                let confidence =
                    options.number("confidence", 0.0..=100.0, "a number of sigmas from 0 to 100")?;
                if confidence.is_some() && probcut.is_none() {
                    return Err(wrong("confidence is that of probcut, which is not given"));
                }
                let confidence = confidence.unwrap_or(DEFAULT_CONFIDENCE);
                let swindle = options.number("swindle", 0.0..=0.9, "a number from 0 to 0.9")?;
                if swindle.is_some() && limits.depth.is_some() {
                    return Err(wrong(
                        "a search to a depth does not swindle: give it time, nodes or a game time",
                    ));
                }
                let update = match options.text("update") {
                    None | Some("on") => true,
                    Some("off") => false,
                    Some(other) => return Err(options.wrong("update", other, "on, off")),
                };
                Kind::AlphaBeta {
                    table: table.unwrap_or(DEFAULT_TABLE),
                    clock,
                    update,
                    probcut,
                    confidence,
                    swindle,
                }
            }
            "mcts" => {
                limits.simulations = limits.simulations.or(is_free.then_some(DEFAULT_SIMULATIONS));
                let exploration = options.number("exploration", 0.0..=1e3, "a number from 0 to 1000")?;
                Kind::Mcts {
                    rollout: options.rollout()?,
                    exploration: exploration.unwrap_or(DEFAULT_EXPLORATION),
                }
            }
            _ => {
                let steps = call.options.iter().filter_map(|(key, value)| Some((key.parse().ok()?, value)));
                let read =
                    |(step, text): (u32, &String)| Ok((step, Self::read(text, Some(&limits), level + 1)?));
                let mut stages = steps.map(read).collect::<Result<Vec<_>, NotationError>>()?;
                stages.sort_by_key(|(step, _)| *step);
                if stages.is_empty() {
                    return Err(wrong("it needs a search from some step on, as 1: best-move"));
                }
                Kind::Hybrid(stages)
            }
        };
        Ok(Self { kind, limits, eval: options.text("eval").unwrap_or(SCORE).to_string() })
    }

    /// The name of its search.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::BestMove => "best-move",
            Kind::Minimax => "minimax",
            Kind::AlphaBeta { .. } => "alphabeta",
            Kind::Mcts { .. } => "mcts",
            Kind::Hybrid(_) => "hybrid",
        }
    }

    /// The value of an option, unless it is the default.
    fn option(&self, key: &str) -> Option<String> {
        fn other<T: Copy + PartialEq + ToString>(value: T, default: T) -> Option<String> {
            (value != default).then(|| value.to_string())
        }
        let usual = Rollout::default();
        match (key, &self.kind) {
            ("depth", _) => self.limits.depth.map(|depth| depth.to_string()),
            ("nodes", _) => self.limits.nodes.map(|nodes| nodes.to_string()),
            ("simulations", _) => self.limits.simulations.map(|games| games.to_string()),
            ("time", _) => self.limits.time.map(|seconds| seconds.to_string()),
            ("game-time", _) => self.limits.game_time.map(|seconds| seconds.to_string()),
            ("eval", _) => other(self.eval.as_str(), SCORE),
            ("table", Kind::AlphaBeta { table, .. }) => other(*table, DEFAULT_TABLE),
            ("clock", Kind::AlphaBeta { clock, .. }) => clock.clone(),
            ("update", Kind::AlphaBeta { update, .. }) => (!update).then(|| "off".to_string()),
            ("probcut", Kind::AlphaBeta { probcut, .. }) => probcut.clone(),
            ("confidence", Kind::AlphaBeta { confidence, .. }) => other(*confidence, DEFAULT_CONFIDENCE),
            ("swindle", Kind::AlphaBeta { swindle, .. }) => swindle.map(|swindle| swindle.to_string()),
            ("exploration", Kind::Mcts { exploration, .. }) => other(*exploration, DEFAULT_EXPLORATION),
            ("rollout", Kind::Mcts { rollout, .. }) => {
                (rollout.policy == Policy::Greedy).then(|| "greedy".to_string())
            }
            ("epsilon", Kind::Mcts { rollout, .. }) => other(rollout.epsilon, usual.epsilon),
            ("cut", Kind::Mcts { rollout, .. }) => rollout.cut.map(|cut| cut.to_string()),
            ("scale", Kind::Mcts { rollout, .. }) => other(rollout.scale, usual.scale),
            _ => None,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = OPTIONS.iter().find(|(name, _)| *name == self.name()).map_or(&[][..], |(_, keys)| keys);
        let set = |key: &&str| self.option(key).map(|value| (key.to_string(), value));
        let mut options: Vec<(String, String)> = keys.iter().filter_map(set).collect();
        if let Kind::Hybrid(stages) = &self.kind {
            options.extend(stages.iter().map(|(step, spec)| (step.to_string(), spec.to_string())));
        }
        Call { name: self.name().to_string(), options }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    #[test]
    fn every_option_is_told_with_its_meaning() {
        for (name, keys) in OPTIONS {
            let told: Vec<&str> = options_of(name).iter().map(|option| option.name).collect();
            assert_eq!(told, *keys, "{name}");
        }
        for (form, _) in FORMS {
            assert!(OPTIONS.iter().any(|(name, _)| *name == Call::name_of(form)), "{form}");
        }
        assert!(options_of("random").is_empty());
        // What is said of defaults that are numbers.
        let said = |key: &str| MEANINGS.iter().find(|[name, ..]| *name == key).unwrap()[2];
        assert_eq!(said("table"), DEFAULT_TABLE.to_string());
        assert_eq!(said("confidence"), DEFAULT_CONFIDENCE.to_string());
        assert_eq!(said("exploration"), format!("{DEFAULT_EXPLORATION:.3}"));
        assert!(said("depth").starts_with(&DEFAULT_DEPTH.to_string()));
        assert!(said("simulations").starts_with(&DEFAULT_SIMULATIONS.to_string()));
        let usual = Rollout::default();
        assert_eq!(
            (said("epsilon"), said("scale")),
            (&*usual.epsilon.to_string(), &*usual.scale.to_string())
        );
    }

    #[test]
    fn texts_are_printed_in_one_way() {
        for (text, printed) in [
            ("alphabeta", "alphabeta(depth=4)"),
            ("alphabeta( eval=m/a.json , depth=04)", "alphabeta(depth=4, eval=m/a.json)"),
            ("alphabeta(time=0.10,table=64)", "alphabeta(time=0.1)"),
            ("alphabeta(game-time=60, table=0)", "alphabeta(game-time=60, table=0)"),
            ("alphabeta(clock=a b.json,game-time=1)", "alphabeta(game-time=1, clock=a b.json)"),
            ("alphabeta(update=on)", "alphabeta(depth=4)"),
            ("alphabeta(swindle=0.40, time=1)", "alphabeta(time=1, swindle=0.4)"),
            // The words of before.
            ("alphabeta(hope=0.4, credit=9)", "alphabeta(game-time=9, swindle=0.4)"),
            ("alphabeta(update=off,nodes=9)", "alphabeta(nodes=9, update=off)"),
            (
                "alphabeta(confidence=2,probcut=a.json,time=1)",
                "alphabeta(time=1, probcut=a.json, confidence=2)",
            ),
            ("alphabeta(probcut=patterns,confidence=1.00)", "alphabeta(depth=4, probcut=patterns)"),
            ("greedy(eval=score)", "best-move"),
            ("greedy(eval=linear(a,b; 1, -2))", "best-move(eval=linear(a,b; 1, -2))"),
            ("minimax", "minimax(depth=2)"),
            ("mcts", "mcts(simulations=1000)"),
            ("mcts(cut=3,rollout=greedy,time=1)", "mcts(time=1, rollout=greedy, cut=3)"),
            ("hybrid(20=alphabeta,1: greedy())", "hybrid(1: best-move, 20: alphabeta(depth=4))"),
            ("hybrid(9: alphabeta, game-time=5)", "hybrid(game-time=5, 9: alphabeta)"),
        ] {
            let spec = Spec::parse(text).unwrap();
            assert_eq!(spec.to_string(), printed);
            assert_eq!(Spec::parse(printed).unwrap(), spec);
        }
    }

    #[test]
    fn faults_name_key_value_and_what_is_allowed() {
        for (text, said) in [
            ("alphabeta(dept=3)", "unknown option 'dept' (did you mean 'depth'?); known: depth, nodes"),
            ("alphabeta(depth=0)", "alphabeta: depth cannot be '0'; allowed: a whole number from 1 to 120"),
            ("alphabeta(depth=-2)", "depth cannot be '-2'"),
            ("alphabeta(time=nan)", "time cannot be 'nan'; allowed: seconds"),
            ("alphabeta(time=-1)", "time cannot be '-1'"),
            ("alphabeta(game-time=1e99)", "game-time cannot be '1e99'"),
            ("alphabeta(depth=2, depth=3)", "depth is given twice"),
            ("alphabeta(update=no)", "update cannot be 'no'; allowed: on, off"),
            ("alphabeta(time=1, swindle=1)", "swindle cannot be '1'; allowed: a number from 0 to 0.9"),
            ("alphabeta(credit=1, game-time=2)", "game-time is given twice"),
            ("alphabeta(swindle=0.3)", "a search to a depth does not swindle"),
            ("alphabeta(swindle=0, depth=3, time=1)", "a search to a depth does not swindle"),
            ("alphabeta(clock=)", "clock cannot be ''; allowed: a file"),
            ("alphabeta(probcut=)", "probcut cannot be ''; allowed: a file"),
            (
                "alphabeta(probcut=a.json, confidence=-1)",
                "confidence cannot be '-1'; allowed: a number of sigmas",
            ),
            ("alphabeta(confidence=2)", "confidence is that of probcut, which is not given"),
            ("mcts(clock=a.json)", "unknown option 'clock'"),
            ("mcts(rollout=gredy)", "rollout cannot be 'gredy'; allowed: random, greedy"),
            (
                "mcts(epsilon=0.5)",
                "epsilon is the share of random moves with rollout=greedy, which is not given",
            ),
            ("mcts(depth=3)", "unknown option 'depth'"),
            ("mcts(cut=0)", "cut cannot be '0'"),
            ("hybrid", "it needs a search"),
            ("hybrid(0: mcts)", "unknown option '0'; known: time, game-time, 1: PLAYER"),
            ("hybrid(1: mtcs)", "unknown search 'mtcs' (did you mean 'mcts'?)"),
            ("hybrid(1: alphabeta(game-time=3))", "give it to the hybrid"),
            ("hybrid(1: hybrid(1: mcts(simulations=x)))", "simulations cannot be 'x'"),
        ] {
            let error = Spec::parse(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    fn any_spec(dice: &mut Dice, inside: bool) -> String {
        let eval = |dice: &mut Dice| {
            dice.pick(&["", "eval=score", "eval=a b/c.json", "eval=\"x, (\"", "eval=linear(f; 1, 2)"])
        };
        let limit = |dice: &mut Dice| match dice.below(if inside { 3 } else { 4 }) {
            0 => String::new(),
            1 => format!("nodes={}", dice.below(1 << 40) + 1),
            2 => format!("time={}", dice.unit() * 100.0),
            _ => format!("game-time={}", dice.unit()),
        };
        let parts = |name: &str, parts: Vec<String>| {
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            format!("{name}({})", parts.join(","))
        };
        match dice.below(if inside { 4 } else { 5 }) {
            0 => parts("best-move", vec![eval(dice).into()]),
            1 => parts("minimax", vec![format!("depth={}", 1 + dice.below(120)), eval(dice).into()]),
            2 => {
                let clock = dice.pick(&[
                    "",
                    "clock=my, clock.json",
                    "clock=c.json",
                    "update=off",
                    "probcut=p",
                    "probcut=p,confidence=2",
                ]);
                let clock = clock.replace("my, clock.json", "\"my, clock.json\"");
                let table = format!("table={}", dice.below(100));
                parts("alphabeta", vec![limit(dice), table, clock, eval(dice).into()])
            }
            3 => {
                let scale = format!("scale={}", dice.unit() + 0.1);
                let greedy = dice
                    .pick(&["rollout=greedy", "rollout=random", "rollout=greedy,epsilon=0.25"])
                    .to_string();
                parts("mcts", vec![limit(dice), greedy, scale, eval(dice).into()])
            }
            _ => {
                let stages =
                    (0..1 + dice.below(3)).map(|i| format!("{}: {}", 1 + 7 * i, any_spec(dice, true)));
                let mut all: Vec<String> = stages.collect();
                all.push(dice.pick(&["", "game-time=9.5", "time=3"]).into());
                parts("hybrid", all)
            }
        }
    }

    #[test]
    fn what_is_printed_reads_as_the_same_search() {
        let mut dice = Dice::seeded(&[8]);
        for _ in 0..3000 {
            let text = any_spec(&mut dice, false);
            let spec = Spec::parse(&text).expect(&text);
            let printed = spec.to_string();
            assert_eq!(Spec::parse(&printed).expect(&printed), spec, "{text} {printed}");
            assert_eq!(Spec::parse(&printed).unwrap().to_string(), printed);
        }
    }
}

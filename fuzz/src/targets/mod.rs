//! What is fuzzed: one list. A parser takes any bytes without panicking, soon and in bounded memory; what it refuses it refuses in one line
//! without control characters; what it accepts prints as text that reads as the same, and can be played.

mod broken;
mod files;
mod folders;
mod tables;
mod texts;
mod wires;

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};

pub use broken::BROKEN;

/// What a parser says to an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It takes it.
    Accepted,
    /// It does not; the text says why.
    Refused(String),
}

/// The answer, or what is wrong with the parser.
pub type Verdict = Result<Answer, String>;

/// A parser to be fuzzed.
pub struct Target {
    /// Its name, also that of its folder in the corpus.
    pub name: &'static str,
    /// What it reads.
    pub reads: &'static str,
    /// Reads an input.
    pub read: fn(&[u8], &Room) -> Verdict,
    /// Words of its format, with spaces between them; `~` stands for a space.
    pub tokens: &'static str,
    /// Whether the first line names the game and its rules.
    pub is_headed: bool,
    /// Makes the checksums of an input right.
    pub seal: Option<fn(Vec<u8>) -> Vec<u8>>,
}

impl Target {
    const fn new(
        name: &'static str,
        reads: &'static str,
        read: fn(&[u8], &Room) -> Verdict,
        tokens: &'static str,
    ) -> Self {
        Self { name, reads, read, tokens, is_headed: false, seal: None }
    }

    const fn headed(self) -> Self {
        Self { is_headed: true, ..self }
    }

    const fn sealed(self, seal: fn(Vec<u8>) -> Vec<u8>) -> Self {
        Self { seal: Some(seal), ..self }
    }
}

const PLAYER_WORDS: &str = "alphabeta mcts hybrid minimax best-move greedy random lookahead linear external perfect optimal score depth= \
    nodes= time= game-time= credit= swindle= hope= rollout= epsilon= confidence= probcut= update= eval= clock= table= cut= on off \
    patterns phases( mobility exploration= simulations= 1: gtp= nboard= xmlrpc= seconds= dellacherie record ( ) , ; \"";
const RULE_WORDS: &str = "game=original width=4 height=28 pieces=bag pieces=weights:1,1,1,1,1,1,0 pieces=sequence:IOTSZJL \
    losing=allowed over=top-row clearing=before preview=on size=5 size=3 limit=auto repetition=off = , :";
const TOML_WORDS: &str = "[task] [model] [learner] [fitness] [[score]] [[stage]] [quick] [curve] name= features= start= games= runs= seed= \
    generations= against= cma-es noisy-ce td genetic swarm tetris othello sphere \"\" [] {} true racing= tune= search= rules= form=";
const JSON_WORDS: &str = "null true false [] {} \"\" : , \"format\" \"game\" \"features\" \"model\" \"parameters\" \"about\" linear network(2) \
    mlp(2,tanh) polynomial(2) logistic exponential displaced othello tetris pushover avalam";
const GTP_WORDS: &str = "play~black~ play~white~ genmove~b genmove~w reg_genmove undo clear_board boardsize~8 time_settings~0~1~0 \
    time_left~b~1~0 showboard final_score quit komi known_command list_commands gogui-rules_board gogui-rules_legal_moves set_game 12 pass d3 # = ?";
const NBOARD_WORDS: &str = "nboard~2 set~depth~ set~game~ move~ hint~ go ping~ pong learn analyze quit === search status nodestats (;GM[Othello] \
    BO[8~ B[d3] W[c3] PA D3 /";
const XML_WORDS: &str = "<value> </value> <int> </int> <i4> <double> <boolean> <string> <nil/> <array> <data> <struct> <member> <name> \
    <param> </param> <params> <methodCall> &lt; &#x1b; &#0; &amp; <!-- --> <![CDATA[ ]]> <?xml faultCode faultString play initialize \
    Content-Length:~ Transfer-Encoding:~chunked Connection:~close Expect:~100-continue HTTP/1.0 HTTP/1.1 POST~/RPC2 200";

/// The one list.
pub const TARGETS: &[Target] = &[
    Target::new(
        "positions",
        "positions of every game",
        texts::positions,
        ". X O # / ; - -1 ooo +++ end I O T",
    )
    .headed(),
    Target::new("moves", "moves of every game", texts::moves, "d3 pass PA A1 1d I0a 3>4 -> , a b").headed(),
    Target::new("players", "players of every game", texts::players, PLAYER_WORDS).headed(),
    Target::new("rules", "options of rules of every game", texts::rules, RULE_WORDS).headed(),
    Target::new(
        "features",
        "lists of features of every game",
        texts::features,
        "dn dt holes heights criteria mobility phases(3) , + -",
    )
    .headed(),
    Target::new(
        "settings",
        "calls, forms of models, optimisers",
        texts::settings,
        "mlp( network( adam( bfgs sgd rate= batch= relu T= , ) \"",
    ),
    Target::new(
        "patterns",
        "patterns and phases of Othello",
        texts::patterns,
        "a1 h8 : parity mobility constant phases( interpolated , #",
    ),
    Target::new("experiments", "experiments, as far as their plan", files::experiments, TOML_WORDS),
    Target::new("models", "models", files::models, JSON_WORDS),
    Target::new(
        "probcut",
        "fits of ProbCut",
        files::probcut,
        "\"cuts\" \"shallow\" \"deep\" \"slope\" \"sigma\" null [] {} , 0.5",
    ),
    Target::new("clocks", "clocks", files::clocks, "\"ratios\" [14,5,5.09,10] null [] {} ,"),
    Target::new("wthor", "WTHOR: games, players, tournaments", files::wthor, "\0 \u{8}"),
    Target::new("ggf", "GGF", files::ggf, "(; ;) GM[Othello] PB[ PW[ RE[ BO[8~ B[ W[ PA / ] \\ * O -"),
    Target::new("obf", "OBF problems", files::obf, "X O - ; A1:+2 --:-127 # %"),
    Target::new("openings", "files of openings", files::openings, "X O - # \n"),
    Target::new("recorded", "recorded positions of Push-over", files::recorded, "o + . -0.400 1.000 Eo"),
    Target::new(
        "saved-games",
        "saved games",
        files::saved_games,
        "game: rules: first: second: opening: result: draw moves: times: size=3 pass d3",
    ),
    Target::new(
        "labelled",
        "labelled positions, text and packed",
        files::labelled,
        "\t -1 1 text packed \"rules\" \"label\" \"outcome\" {} [] null",
    )
    .sealed(files::seal_labelled),
    Target::new(
        "pattern-tables",
        "tables of patterns",
        tables::patterns,
        "game~othello phases(2) form~linear form~logistic scale~ about parity a1 \n",
    )
    .sealed(tables::seal),
    Target::new(
        "tetris-values",
        "values of Tetris boards",
        tables::tetris,
        "width= height= boards= pieces=sz \n",
    )
    .sealed(tables::seal),
    Target::new(
        "pushover-values",
        "values of Push-over boards",
        tables::pushover,
        "size=3 size=4 repetition=on boards= \n",
    )
    .sealed(tables::seal),
    Target::new(
        "duel-journal",
        "journals of duels",
        folders::duel_journal,
        "\"pair\" \"games\" \"moves\" null [] {} 0 1 first draw",
    ),
    Target::new(
        "score-journal",
        "journals of scores",
        folders::score_journal,
        "\"player\" \"game\" \"score\" \"lines\" null 1e300 {} [] \"rest\"",
    ),
    Target::new(
        "run-folder",
        "folders of runs, as far as their report",
        folders::run,
        "\"generation\" \"centre\" null [] {} \"learner\" 1e300",
    )
    .sealed(|bytes| folders::seal_run(&bytes)),
    Target::new("gtp", "GTP, as an engine", wires::gtp, GTP_WORDS).headed(),
    Target::new("nboard", "NBoard, as an engine", wires::nboard, NBOARD_WORDS),
    Target::new(
        "gtp-answers",
        "GTP, as an opponent",
        wires::gtp_answers,
        "= =12~ ? D3 d3 pass PASS resign \n \n\n",
    ),
    Target::new(
        "nboard-answers",
        "NBoard, as an opponent",
        wires::nboard_answers,
        "=== pong~ status search nodestats set~myname PA D3 d3 / /-27.00/0.01 ~-27.00~0.0 \n",
    ),
    Target::new("xml-rpc-calls", "HTTP and XML-RPC, as a server", wires::xml_rpc_calls, XML_WORDS)
        .sealed(|bytes| wires::seal_http(&bytes)),
    Target::new("xml-rpc-answers", "HTTP and XML-RPC, as a client", wires::xml_rpc_answers, XML_WORDS)
        .sealed(|bytes| wires::seal_http(&bytes)),
];

/// A folder of its own for a target that reads files.
pub struct Room {
    folder: PathBuf,
}

impl Room {
    /// The room in a folder that nobody else uses.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// A file with this content.
    fn file(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        std::fs::write(&path, bytes)
            .map(|()| path.clone())
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn refused(error: impl Display) -> Verdict {
    Ok(Answer::Refused(error.to_string()))
}

/// What an accepted thing was and what came of it again must be equal.
fn same<T: PartialEq + Debug>(what: &str, first: &T, again: &T) -> Result<(), String> {
    match first == again {
        true => Ok(()),
        false => {
            let [first, again] =
                [first, again].map(|one| format!("{one:?}").chars().take(400).collect::<String>());
            Err(format!("{what} is not the same again: {first}, then {again}"))
        }
    }
}

/// What was printed must be accepted.
fn again<T, E: Display>(what: &str, printed: &str, read: Result<T, E>) -> Result<T, String> {
    read.map_err(|error| {
        let printed: String = printed.chars().take(400).collect();
        format!("{what} is printed as {printed:?}, which is refused: {error}")
    })
}

/// A text for a person or a terminal: one line.
pub fn check_line(text: &str) -> Result<(), String> {
    match text.contains(char::is_control) {
        true => Err(format!(
            "a message holds control characters: {:?}",
            text.chars().take(400).collect::<String>()
        )),
        false => Ok(()),
    }
}

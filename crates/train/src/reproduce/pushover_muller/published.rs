//! The figures of Müller 1992: share of games that o wins, in percent. Rows play o, columns +.

/// Who plays, in the order of rows and columns: the network and the expert, each looking one or two moves ahead.
pub const PLAYERS: [&str; 4] = ["r1", "r2", "e1", "e2"];

/// What a network has learned from and looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Positions as they come.
    Natural,
    /// Half of them from games won by o, half from games won by +.
    Balanced,
    /// Only games won by o.
    WonByO,
    /// Only games won by +.
    WonByPlus,
    /// As they come, seen as the 44 features of section 5.
    Features,
}

impl Sample {
    /// All of them.
    pub const ALL: [Sample; 5] =
        [Sample::Natural, Sample::Balanced, Sample::WonByO, Sample::WonByPlus, Sample::Features];
}

/// A table of the paper.
#[derive(Debug, Clone, Copy)]
pub struct Published {
    /// Its number.
    pub name: &'static str,
    /// What its networks learned from.
    pub sample: Sample,
    /// Whether a test for four in line helps the network.
    pub helped: bool,
    /// The figures; section 5 says only that they are worse.
    pub shares: Option<[[f64; 4]; 4]>,
    /// What it shows, in one line.
    pub about: &'static str,
}

const EXPERT: [[f64; 2]; 2] = [[73.4, 7.8], [97.4, 61.8]];

/// The rows of the network, then of the expert against the network.
const fn shares(network: [[f64; 4]; 2], against: [[f64; 2]; 2]) -> Option<[[f64; 4]; 4]> {
    Some([
        network[0],
        network[1],
        [against[0][0], against[0][1], EXPERT[0][0], EXPERT[0][1]],
        [against[1][0], against[1][1], EXPERT[1][0], EXPERT[1][1]],
    ])
}

/// The tables, in the order of the paper.
pub const TABLES: [Published; 6] = [
    Published {
        name: "4.1",
        sample: Sample::Natural,
        helped: false,
        shares: shares([[60.6, 42.1, 50.3, 28.5], [74.7, 56.4, 41.4, 41.5]], [[64.0, 66.3], [87.5, 83.1]]),
        about: "the network r as it is",
    },
    Published {
        name: "4.2",
        sample: Sample::Natural,
        helped: true,
        shares: shares([[73.1, 52.4, 68.5, 47.8], [88.9, 72.6, 93.3, 83.7]], [[62.8, 24.2], [81.8, 45.7]]),
        about: "r*: helped by an exact test for four in line",
    },
    Published {
        name: "4.3",
        sample: Sample::Balanced,
        helped: true,
        shares: shares([[63.4, 40.5, 63.2, 41.3], [89.0, 70.3, 93.4, 82.5]], [[60.6, 19.3], [83.2, 46.9]]),
        about: "r*, from as many positions of games won by o as by +",
    },
    Published {
        name: "4.4",
        sample: Sample::WonByO,
        helped: true,
        shares: shares([[61.5, 44.2, 47.1, 19.1], [93.4, 78.3, 88.7, 63.2]], [[64.9, 44.4], [92.1, 72.1]]),
        about: "r*, only from games won by o",
    },
    Published {
        name: "4.5",
        sample: Sample::WonByPlus,
        helped: true,
        shares: shares([[53.3, 39.3, 32.1, 6.2], [83.8, 66.2, 80.5, 43.3]], [[82.5, 53.3], [96.6, 79.3]]),
        about: "r*, only from games won by +",
    },
    Published {
        name: "5",
        sample: Sample::Features,
        helped: true,
        shares: None,
        about: "44-30-1 over features, helped; the paper says only that it never came near",
    },
];

/// Games of the expert, those that were drawn, the share of the others that o won in percent, positions.
pub const DATABASE: (usize, usize, f64, usize) = (3000, 103, 64.4, 52_590);
/// Games of each cell.
pub const GAMES: usize = 1000;

//! The models that come with the program: the files of `models/`, which it carries inside it.

/// A model that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name as a player.
    pub name: &'static str,
    /// The game it is for.
    pub game: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// Models for other rules than the usual ones, with the options of these.
const OTHER_RULES: &[(&str, &[(&str, &str)])] = &[("pusher-5x5", &[("size", "5")])];

impl Shipped {
    /// The options of the rules that it is for, where they are not the usual ones.
    pub fn rules(&self) -> &'static [(&'static str, &'static str)] {
        OTHER_RULES.iter().find(|(name, _)| *name == self.name).map_or(&[], |(_, options)| options)
    }
}

/// The one list of shipped models.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "dellacherie",
        game: "tetris",
        text: include_str!("../../../models/tetris/dellacherie.json"),
    },
    Shipped { name: "dn", game: "tetris", text: include_str!("../../../models/tetris/dn.json") },
    Shipped { name: "dt-10", game: "tetris", text: include_str!("../../../models/tetris/dt-10.json") },
    Shipped { name: "dt-20", game: "tetris", text: include_str!("../../../models/tetris/dt-20.json") },
    Shipped {
        name: "dt-learned",
        game: "tetris",
        text: include_str!("../../../models/tetris/dt-learned.json"),
    },
    Shipped { name: "observer", game: "avalam", text: include_str!("../../../models/avalam/observer.json") },
    Shipped { name: "expert", game: "pushover", text: include_str!("../../../models/pushover/expert.json") },
    Shipped { name: "pusher", game: "pushover", text: include_str!("../../../models/pushover/pusher.json") },
    Shipped {
        name: "pusher-5x5",
        game: "pushover",
        text: include_str!("../../../models/pushover/pusher-5x5.json"),
    },
];

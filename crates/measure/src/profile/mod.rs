//! How long a search takes: games of alpha-beta against itself, with the time of every depth at every step and the number
//! of legal moves. What a clock should know about the game and the machine (Branly & Guichard 2022, figures G.1 and I.1).
//!
//! Depths that ran out of time are not forgotten, for they are the slow ones: they count as longer than they were.
//! Every search begins without memories of the one before: a depth that is half known already tells nothing about the next.
//! A player with a game time for the game is left as it is, and what it does with the game time is measured (`spending`).

mod games;
mod spending;
mod summary;

pub use self::games::{ProfileError, ProfileProgress, ProfileSetup, Sample, run};
pub use spending::{Spending, StepSpending};
pub use summary::{DepthProfile, Profile, StepProfile};

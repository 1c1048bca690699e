//! The options of Push-over.

use crate::error::InputError;
use crate::rules::{OptionInfo, Rules, SWITCH, choice, number, word};

/// Size of the board, move limit, rule against repetition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PushoverRules {
    /// Cells along an edge: 3, 4 or 5.
    pub size: u8,
    /// Whether a player may not make the board after his own previous move again.
    pub repetition: bool,
    pub(super) limit: Option<u16>,
}

impl PushoverRules {
    /// A board of this size, with or without the rule against repetition, and the usual limit.
    pub fn new(size: u8, repetition: bool) -> Self {
        Self { size, repetition, limit: None }
    }

    /// Single moves after which the game is a draw. The paper's 50 holds for 4x4 and does for 3x3; 5x5 has no
    /// published limit, and takes 100.
    pub fn limit(&self) -> u16 {
        self.limit.unwrap_or(if self.size == 5 { 100 } else { 50 })
    }
}

impl Default for PushoverRules {
    fn default() -> Self {
        Self { size: 4, repetition: true, limit: None }
    }
}

impl Rules for PushoverRules {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo { name: "size", values: "3|4|5", help: "cells along an edge" },
        OptionInfo {
            name: "limit",
            values: "auto|1..10000",
            help: "single moves after which the game is a draw; auto: 50, on 5x5 100",
        },
        OptionInfo {
            name: "repetition",
            values: "on|off",
            help: "forbid making the board after one's own previous move again",
        },
    ];

    fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        match key {
            "size" => self.size = choice(key, value, &[("3", 3), ("4", 4), ("5", 5)])?,
            "limit" if value == "auto" => self.limit = None,
            "limit" => {
                let limit = number(key, value, 1..=10_000).ok();
                let refused = || InputError::option(key, value, "auto, or a whole number from 1 to 10000");
                self.limit = Some(limit.ok_or_else(refused)?);
            }
            "repetition" => self.repetition = choice(key, value, SWITCH)?,
            _ => unreachable!("option {key}"),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> String {
        match key {
            "size" => self.size.to_string(),
            "limit" => self.limit.map_or("auto".to_string(), |limit| limit.to_string()),
            "repetition" => word(self.repetition, SWITCH),
            _ => unreachable!("option {key}"),
        }
    }
}

//! The stages of an experiment's file, as tables.

use games::Dice;
use toml::{Table, Value};

/// Keeps the seeds of stages apart from all other streams of the same seed.
const STREAM: u64 = 0x7374_6167;

/// The stages as experiments of their own, and whether each names the model that it begins from. What stands outside of them holds
/// for all, but scores are played by the last one.
pub(super) fn split(whole: &Table) -> Result<Vec<(Table, bool)>, String> {
    let mut common = whole.clone();
    let stages = match common.remove("stage") {
        Some(Value::Array(stages)) if !stages.is_empty() => stages,
        _ => return Err("stage: must be [[stage]], once or more".into()),
    };
    let last = stages.len() - 1;
    let one = |(number, stage): (usize, Value)| {
        let Value::Table(stage) = stage else { return Err(format!("stage.{number}: must be a table")) };
        let own_start = stage.get("model").is_some_and(|model| model.get("start").is_some());
        let mut table = common.clone();
        if number < last {
            table.remove("score");
        }
        if number > 0 {
            let seed = common.get("seed").and_then(Value::as_integer).unwrap_or(1);
            let seed = Dice::seeded(&[seed as u64, number as u64, STREAM]).bits() >> 1;
            table.insert("seed".into(), Value::Integer(seed as i64));
        }
        merge(&mut table, stage);
        Ok((table, own_start))
    };
    stages.into_iter().enumerate().map(one).collect()
}

/// Puts the keys of a stage over those outside of it, table by table; a learner has settings of its own.
fn merge(table: &mut Table, stage: Table) {
    for (key, value) in stage {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(more)) if key != "learner" => merge(inner, more),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

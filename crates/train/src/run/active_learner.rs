//! Who learns in a run: one that asks for vectors, or one that plays against itself, under one roof.

use learn::learners::Learner;
use serde_json::Value;

use super::plan::{LearnerPlan, Plan};
use crate::selfplay::SelfPlay;

/// A learner at work.
pub enum ActiveLearner {
    /// One that asks for vectors.
    Vectors(Box<dyn Learner>),
    /// One that plays against itself.
    SelfPlay(Box<dyn SelfPlay>),
}

impl ActiveLearner {
    /// The learner of a plan at the beginning of a run.
    pub fn begin(plan: &Plan, run: usize) -> Self {
        let seed = plan.learner_seed(run);
        match &plan.learner {
            LearnerPlan::Vectors(learner) => Self::Vectors(learner.begin(seed)),
            LearnerPlan::SelfPlay(method, start) => Self::SelfPlay(method.begin(seed, start.as_deref())),
        }
    }

    /// The learner of a plan as it was saved.
    ///
    /// # Errors
    /// It was not saved by this learner.
    pub fn load(plan: &Plan, saved: &Value) -> Result<Self, String> {
        match &plan.learner {
            LearnerPlan::Vectors(learner) => {
                (learner.entry.load)(saved.clone()).map(Self::Vectors).map_err(|error| error.to_string())
            }
            LearnerPlan::SelfPlay(method, _) => method.load(saved).map(Self::SelfPlay),
        }
    }

    /// Why it ends by itself, if it does.
    pub fn stop(&self) -> Option<String> {
        match self {
            Self::Vectors(learner) => learner.stop(),
            Self::SelfPlay(_) => None,
        }
    }

    /// All that is needed to go on.
    pub fn save(&self) -> Value {
        match self {
            Self::Vectors(learner) => learner.save(),
            Self::SelfPlay(learner) => learner.save(),
        }
    }

    /// What it would deploy.
    pub fn centre(&self) -> Vec<f64> {
        match self {
            Self::Vectors(learner) => learner.centre(),
            Self::SelfPlay(learner) => learner.parameters().to_vec(),
        }
    }
}

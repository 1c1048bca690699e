//! The tree of a Monte Carlo search: nodes in one vector, children side by side, no pointers.
//!
//! Everything in a node is for the side that moved into it: what its parent's player compares.

use games::Game;

/// How a game from here ends if both play well, once that is proven; for the side that moved here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proven {
    /// Not proven yet.
    No,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Proven {
    /// The end of a game with this final value.
    pub fn of_end(final_value: f64) -> Self {
        match final_value {
            value if value > 0.0 => Proven::Win,
            value if value < 0.0 => Proven::Loss,
            _ => Proven::Draw,
        }
    }

    /// The same for the other side.
    pub fn for_other(self) -> Self {
        match self {
            Proven::Win => Proven::Loss,
            Proven::Loss => Proven::Win,
            same => same,
        }
    }

    /// 1, 0.5 or 0, if it is proven.
    pub fn result(self) -> Option<f64> {
        match self {
            Proven::No => None,
            Proven::Loss => Some(0.0),
            Proven::Draw => Some(0.5),
            Proven::Win => Some(1.0),
        }
    }
}

/// A position, known by the moves that lead to it.
#[derive(Debug, Clone, Copy)]
pub struct Node<M> {
    /// The move into it; the root has none.
    pub mv: Option<M>,
    parent: u32,
    first: u32,
    count: u32,
    /// Simulated games through it.
    pub visits: u32,
    /// What they have brought.
    pub total: f64,
    /// What is proven.
    pub proven: Proven,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, parent: u32) -> Self {
        Self { mv, parent, first: 0, count: 0, visits: 0, total: 0.0, proven: Proven::No }
    }

    /// The mean result, or the proven one.
    pub fn mean(&self) -> f64 {
        self.proven.result().unwrap_or(self.total / f64::from(self.visits.max(1)))
    }
}

/// The tree. Node 0 is the root.
#[derive(Debug, Clone)]
pub struct Tree<G: Game> {
    /// The position of the root.
    pub position: G,
    nodes: Vec<Node<G::Move>>,
}

impl<G: Game> Tree<G> {
    /// Only a root.
    pub fn new(position: G) -> Self {
        Self { position, nodes: vec![Node::new(None, 0)] }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn node(&self, at: u32) -> &Node<G::Move> {
        &self.nodes[at as usize]
    }

    /// The numbers of the children; none before the node is expanded.
    pub fn children(&self, at: u32) -> std::ops::Range<u32> {
        let node = self.node(at);
        node.first..node.first + node.count
    }

    /// Expands a node: gives it its children.
    pub fn expand(&mut self, at: u32, moves: &[G::Move]) {
        let first = self.nodes.len() as u32;
        self.nodes.extend(moves.iter().map(|&mv| Node::new(Some(mv), at)));
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, moves.len() as u32);
    }

    /// Backs up a result: a game through a node has brought this to the side that moved there: the other side got the rest, level by level.
    pub fn back_up(&mut self, mut at: u32, mut result: f64) {
        loop {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.total += result;
            result = 1.0 - result;
            if at == 0 {
                return;
            }
            at = node.parent;
        }
    }

    /// A node is proven: so may those above it be. One winning child is enough for the side that chooses; without one, all must be
    /// proven.
    pub fn prove(&mut self, mut at: u32, proven: Proven) {
        self.nodes[at as usize].proven = proven;
        while at != 0 {
            let parent = self.nodes[at as usize].parent;
            let children = self.children(parent);
            let mut all = children.map(|child| self.node(child).proven);
            let best = match self.node(at).proven {
                Proven::Win => Proven::Win,
                own => all
                    .try_fold(own, |best, one| match (best, one) {
                        (_, Proven::No) => None,
                        (Proven::Draw, Proven::Loss) => Some(Proven::Draw),
                        (_, one) => Some(one),
                    })
                    .unwrap_or(Proven::No),
            };
            if best == Proven::No {
                return;
            }
            at = parent;
            self.nodes[at as usize].proven = best.for_other();
        }
    }

    /// The node of a position, if it is the root, a child of the root or a child of the child that was chosen.
    pub fn find(&self, position: &G, chosen: Option<u32>) -> Option<u32> {
        let after = |before: &G, child: u32| {
            let mut after = before.clone();
            after.play_unchecked(self.node(child).mv.expect("a child has a move"));
            after
        };
        if self.position == *position {
            return Some(0);
        }
        let below = chosen.and_then(|chosen| {
            let before = after(&self.position, chosen);
            self.children(chosen).find(|&child| after(&before, child) == *position)
        });
        below.or_else(|| self.children(0).find(|&child| after(&self.position, child) == *position))
    }

    /// Makes a node the root and forgets what is not below it.
    pub fn reroot(&mut self, at: u32, position: G) {
        self.position = position;
        if at == 0 {
            return;
        }
        let (mut kept, mut old) = (vec![*self.node(at)], vec![at]);
        let mut next = 0;
        while next < kept.len() {
            let children = self.children(old[next]);
            kept[next].first = kept.len() as u32;
            for child in children {
                kept.push(Node { parent: next as u32, ..*self.node(child) });
                old.push(child);
            }
            next += 1;
        }
        (kept[0].mv, kept[0].parent) = (None, 0);
        self.nodes = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::pushover::{Entry, Pushover};

    fn tree() -> Tree<Pushover> {
        let mut tree = Tree::new(Pushover::start(&Default::default()));
        let moves: Vec<Entry> = (0..3).map(Entry::new).collect();
        tree.expand(0, &moves);
        tree.expand(2, &moves);
        tree
    }

    #[test]
    fn results_change_sides_at_every_level() {
        let mut tree = tree();
        tree.back_up(5, 1.0);
        tree.back_up(5, 1.0);
        tree.back_up(4, 0.5);
        let seen = |at: u32| (tree.node(at).visits, tree.node(at).total);
        assert_eq!(
            [seen(5), seen(4), seen(2), seen(0), seen(1)],
            [(2, 2.0), (1, 0.5), (3, 0.5), (3, 2.5), (0, 0.0)]
        );
    }

    #[test]
    fn what_is_certain_below_is_certain_above() {
        let mut one = tree();
        one.prove(4, Proven::Win);
        assert_eq!((one.node(2).proven, one.node(0).proven), (Proven::Loss, Proven::No));
        let mut two = tree();
        two.prove(4, Proven::Loss);
        two.prove(5, Proven::Draw);
        assert_eq!(two.node(2).proven, Proven::No);
        two.prove(6, Proven::Loss);
        assert_eq!(two.node(2).proven, Proven::Draw);
        two.prove(1, Proven::Loss);
        two.prove(3, Proven::Win);
        assert_eq!(two.node(0).proven, Proven::Loss, "the side to move at the root wins");
    }

    #[test]
    fn the_part_below_a_new_root_is_kept() {
        let mut tree = tree();
        tree.back_up(5, 1.0);
        let mut position = tree.position.clone();
        position.play_unchecked(Entry::new(1));
        assert_eq!(tree.find(&position, Some(1)), Some(2));
        let mut below = position.clone();
        below.play_unchecked(Entry::new(2));
        assert_eq!((tree.find(&below, Some(2)), tree.find(&below, None)), (Some(6), None));
        tree.reroot(2, position);
        assert_eq!((tree.len(), tree.children(0)), (4, 1..4));
        assert_eq!((tree.node(0).visits, tree.node(2).total, tree.node(1).visits), (1, 1.0, 0));
    }
}

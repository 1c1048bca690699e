//! Tables over the surface of the pile: one feature for each way in which neighbouring columns differ in height.
//!
//! A pattern and its mirror image share their entry, so that a board and its image are worth the same. Patterns are kept
//! as codes of four bits for each difference, which both the plain path and the fast one look up.

use super::height;

/// The most columns of a pattern: its code has four bits for each difference.
const MOST_COLUMNS: usize = 5;
/// The largest difference told apart from larger ones: with its signs, 0 and the wall 16 symbols.
const MOST_STEP: i32 = 7;
/// The name of the table of both neighbours of a column.
const PAIRS: &str = "surface-pairs";
/// Bits of a symbol in a code.
pub const SYMBOL_BITS: usize = 4;

/// A table over neighbouring columns, the walls being columns too, in all places from wall to wall. The differences of
/// neighbours, right less left, are clipped to a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surface {
    name: String,
    /// The range of each difference, from left to right; the mirror image has the same ranges.
    ranges: Vec<(i32, i32)>,
    /// The entry of each code.
    numbers: Vec<u32>,
    names: Vec<String>,
}

/// Neighbouring columns to draw: the cells of each, bit 0 at the bottom, a wall having none. The lowest column of a surface is
/// one cell high.
pub type Profile = Vec<Option<u32>>;

/// What has no entry: no surface has this code.
const NEVER: u32 = u32::MAX;

impl Surface {
    /// The table that a name stands for: `surface-pairs`, or as `surface-4x3`, four columns with differences of -3 to 3; `None`
    /// if it is no such name or does not fit the board.
    pub fn parse(name: &str, width: usize) -> Option<Self> {
        if name == PAIRS {
            // Both neighbours less the middle column are clipped to -3 to 4: the left difference is the other way round.
            return Some(Self::new(name, vec![(-4, 3), (-3, 4)]));
        }
        let (columns, step) = name.strip_prefix("surface-")?.split_once('x')?;
        let (columns, step): (usize, i32) = (columns.parse().ok()?, step.parse().ok()?);
        let fits = (2..=MOST_COLUMNS.min(width)).contains(&columns) && (1..=MOST_STEP).contains(&step);
        // One form of each name.
        let plain = format!("surface-{columns}x{step}") == name;
        (fits && plain).then(|| Self::new(name, vec![(-step, step); columns - 1]))
    }

    fn new(name: &str, ranges: Vec<(i32, i32)>) -> Self {
        let codes = 1 << (SYMBOL_BITS * ranges.len());
        let mut surface =
            Self { name: name.to_string(), ranges, numbers: vec![NEVER; codes], names: Vec::new() };
        for code in (0..codes).filter(|&code| surface.is_possible(code)).collect::<Vec<_>>() {
            let image = surface.mirrored(code);
            surface.numbers[code] = if image < code {
                surface.numbers[image]
            } else {
                surface.names.push(surface.entry_name(code));
                surface.names.len() as u32 - 1
            };
        }
        surface
    }

    /// The symbol of a wall beside difference `i`.
    fn wall(&self, i: usize) -> usize {
        (self.ranges[i].1 - self.ranges[i].0) as usize + 1
    }

    /// The symbols of a code, from left to right.
    fn symbols(&self, code: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.ranges.len();
        (0..count).map(move |i| code >> (SYMBOL_BITS * (count - 1 - i)) & ((1 << SYMBOL_BITS) - 1))
    }

    /// Whether all symbols have a meaning; there are walls at the ends only.
    fn is_possible(&self, code: usize) -> bool {
        let last = self.ranges.len() - 1;
        self.symbols(code)
            .enumerate()
            .all(|(i, symbol)| symbol < self.wall(i) || symbol == self.wall(i) && (i == 0 || i == last))
    }

    fn mirrored(&self, code: usize) -> usize {
        let turned = self.symbols(code).enumerate().map(|(i, symbol)| match self.wall(i) {
            wall if symbol == wall => wall,
            wall => wall - 1 - symbol,
        });
        turned.collect::<Vec<_>>().into_iter().rev().fold(0, |code, symbol| code << SYMBOL_BITS | symbol)
    }

    /// The differences of a code from left to right, a wall having none; of pairs and their mirror images, that with the lower
    /// neighbour on the left.
    fn differences(&self, code: usize) -> Vec<Option<i32>> {
        let difference = |(i, symbol): (usize, usize)| match symbol == self.wall(i) {
            true => None,
            false => Some(symbol as i32 + self.ranges[i].0),
        };
        let differences: Vec<Option<i32>> = self.symbols(code).enumerate().map(difference).collect();
        if self.name == PAIRS {
            let above = differences[0].map_or(i32::MAX, |left| -left);
            if above > differences[1].unwrap_or(i32::MAX) {
                return differences.iter().rev().map(|one| one.map(|one| -one)).collect();
            }
        }
        differences
    }

    /// The name of the table and the differences from left to right; of pairs, what both neighbours are above the middle
    /// column, the lower one first.
    fn entry_name(&self, code: usize) -> String {
        let mut differences = self.differences(code);
        if self.name == PAIRS {
            differences[0] = differences[0].map(|left| -left);
        }
        let texts = differences.iter().map(|one| one.map_or("wall".to_string(), |one| one.to_string()));
        format!("{}:{}", self.name, texts.collect::<Vec<_>>().join("/"))
    }

    /// The columns of each entry, as its name has them.
    pub fn profiles(&self) -> Vec<Profile> {
        named(&self.numbers).map(|code| profile(&self.differences(code))).collect()
    }

    /// The columns of a pattern.
    pub fn columns(&self) -> usize {
        self.ranges.len() + 1
    }

    /// The range of each difference, from left to right.
    pub fn ranges(&self) -> &[(i32, i32)] {
        &self.ranges
    }

    /// The number of the entry of each code, if there is one.
    pub fn numbers(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.numbers.iter().map(|&number| (number != NEVER).then_some(number as usize))
    }

    /// The name of each entry.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The entries that a board shows, from left to right.
    pub fn shown<'a>(&'a self, board: &[u32]) -> impl Iterator<Item = u32> + use<'a> {
        let mut heights = vec![None];
        heights.extend(board.iter().map(|&column| Some(height(column) as i32)));
        heights.push(None);
        (0..=heights.len() - self.columns()).map(move |from| {
            let pairs = heights[from..from + self.columns()].windows(2);
            let symbol = |(i, pair): (usize, &[Option<i32>])| match (pair[0], pair[1]) {
                (Some(left), Some(right)) => {
                    let (low, high) = self.ranges[i];
                    ((right - left).clamp(low, high) - low) as usize
                }
                _ => self.wall(i),
            };
            self.numbers[pairs.enumerate().map(symbol).fold(0, |code, symbol| code << SYMBOL_BITS | symbol)]
        })
    }
}

/// What may be present on a surface, one bit each: differences of neighbouring heights, right less left, from -2 to 2...
pub const DIFFERENCES: std::ops::RangeInclusive<i32> = -2..=2;
/// ... and then inner columns by how much their left and their right neighbour are above them.
pub const INNER: [(i32, i32); 6] = [(0, 0), (0, 1), (1, 0), (1, 1), (-1, 0), (0, -1)];
/// The first bit of inner columns.
pub const FIRST_INNER: usize = 5;
/// All sets of things present.
pub const SETS: usize = 1 << (FIRST_INNER + INNER.len());

/// A table over what is present on the surface, wherever it is: a board shows one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceSet {
    /// The entry of each set.
    numbers: Vec<u32>,
    names: Vec<String>,
}

impl SurfaceSet {
    /// The name of the table.
    pub const NAME: &'static str = "surface-set";

    /// The table; sets that contradict themselves have no entry.
    #[expect(clippy::new_without_default, reason = "it is worked out, and nobody asks for a default one")]
    pub fn new() -> Self {
        let (mut numbers, mut names) = (vec![NEVER; SETS], Vec::new());
        for set in (0..SETS).filter(|&set| is_possible(set)) {
            let image = mirrored(set);
            numbers[set] = if image < set {
                numbers[image]
            } else {
                names.push(entry_name(set));
                names.len() as u32 - 1
            };
        }
        Self { numbers, names }
    }

    /// The number of the entry of each set, if there is one.
    pub fn numbers(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.numbers.iter().map(|&number| (number != NEVER).then_some(number as usize))
    }

    /// The name of each entry: what is present, differences first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What is present of each entry, in the order of its name.
    pub fn profiles(&self) -> Vec<Vec<Profile>> {
        named(&self.numbers).map(present_profiles).collect()
    }

    /// The entry that a board shows.
    pub fn shown(&self, board: &[u32]) -> u32 {
        self.numbers[present(board)]
    }
}

/// The bit of a difference.
pub fn difference_bit(difference: i32) -> usize {
    if DIFFERENCES.contains(&difference) { 1 << (difference - DIFFERENCES.start()) } else { 0 }
}

/// The bit of an inner column.
pub fn inner_bit(left: i32, right: i32) -> usize {
    INNER.iter().position(|&pair| pair == (left, right)).map_or(0, |i| 1 << (FIRST_INNER + i))
}

fn present(board: &[u32]) -> usize {
    let heights: Vec<i32> = board.iter().map(|&column| height(column) as i32).collect();
    let differences = heights.windows(2).map(|pair| difference_bit(pair[1] - pair[0]));
    let inner = heights.windows(3).map(|three| inner_bit(three[0] - three[1], three[2] - three[1]));
    differences.chain(inner).fold(0, |set, bit| set | bit)
}

/// An inner column brings its two differences along.
fn is_possible(set: usize) -> bool {
    INNER.iter().filter(|&&(left, right)| set & inner_bit(left, right) != 0).all(|&(left, right)| {
        let brings = difference_bit(-left) | difference_bit(right);
        set & brings == brings
    })
}

fn mirrored(set: usize) -> usize {
    let differences = DIFFERENCES.map(|one| (difference_bit(one), difference_bit(-one)));
    let inner = INNER.map(|(left, right)| (inner_bit(left, right), inner_bit(right, left)));
    differences.chain(inner).filter(|(bit, _)| set & bit != 0).fold(0, |image, (_, bit)| image | bit)
}

/// The code that each entry is named after: the lower one of a pattern and its image.
fn named(numbers: &[u32]) -> impl Iterator<Item = usize> + '_ {
    let mut entries = 0;
    (0..numbers.len()).filter(move |&code| {
        let is_first = numbers[code] == entries;
        entries += u32::from(is_first);
        is_first
    })
}

/// Columns by their differences; the wall of the first difference is on its left, that of any other on its right.
fn profile(differences: &[Option<i32>]) -> Profile {
    let mut heights = vec![differences[0].map(|_| 0)];
    let mut height = 0;
    for (i, difference) in differences.iter().enumerate() {
        height += difference.unwrap_or(0);
        heights.push((i == 0 || difference.is_some()).then_some(height));
    }
    above_lowest(&heights)
}

fn above_lowest(heights: &[Option<i32>]) -> Profile {
    let lowest = heights.iter().flatten().min().copied().unwrap_or(0);
    heights.iter().map(|height| height.map(|height| (2 << height.abs_diff(lowest)) - 1)).collect()
}

fn present_profiles(set: usize) -> Vec<Profile> {
    let differences = DIFFERENCES.map(|one| (difference_bit(one), vec![Some(0), Some(one)]));
    let inner = INNER.map(|(left, right)| (inner_bit(left, right), vec![Some(left), Some(0), Some(right)]));
    let present = differences.chain(inner).filter(|(bit, _)| set & bit != 0);
    present.map(|(_, heights)| above_lowest(&heights)).collect()
}

fn entry_name(set: usize) -> String {
    let differences = DIFFERENCES.map(|one| (difference_bit(one), one.to_string()));
    let inner = INNER.map(|(left, right)| (inner_bit(left, right), format!("{left}/{right}")));
    let present = differences.chain(inner).filter(|(bit, _)| set & bit != 0).map(|(_, name)| name);
    let names: Vec<String> = present.collect();
    let names = if names.is_empty() { "nothing".to_string() } else { names.join("|") };
    format!("{}:{names}", SurfaceSet::NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    /// 6 .....#
    /// 5 .....#
    /// 4 #....#
    /// 3 #....#   heights 4 2 2 1 1 6
    /// 2 ###..#
    /// 1 ######
    /// ```
    const BOARD: [u32; 6] = [0b1111, 0b11, 0b11, 0b1, 0b1, 0b111111];

    fn shown(name: &str, board: &[u32]) -> Vec<String> {
        let surface = Surface::parse(name, board.len()).unwrap();
        surface.shown(board).map(|number| surface.names()[number as usize].clone()).collect()
    }

    #[test]
    fn pairs_of_a_drawn_board() {
        let expected = ["-2/wall", "0/2", "-1/0", "0/1", "0/4", "-3/wall"];
        assert_eq!(shown("surface-pairs", &BOARD), expected.map(|one| format!("surface-pairs:{one}")));
    }

    #[test]
    fn longer_patterns_of_a_drawn_board() {
        // The differences are -2 0 -1 0 5; of a pattern and its image the one that begins lower is named, a wall is highest.
        let expected = ["0/2/wall", "-2/0/-1", "0/-1/0", "-3/0/1", "0/3/wall"];
        assert_eq!(shown("surface-4x3", &BOARD), expected.map(|one| format!("surface-4x3:{one}")));
        let expected = ["wall", "-1", "0", "-1", "0", "-1", "wall"];
        assert_eq!(shown("surface-2x1", &BOARD), expected.map(|one| format!("surface-2x1:{one}")));
    }

    #[test]
    fn what_is_present_on_a_drawn_board() {
        let table = SurfaceSet::new();
        let name = |board: &[u32]| table.names()[table.shown(board) as usize].clone();
        // 0/-1 is the third column, 1/0 the fourth; the image is named, whose highest bit is lower.
        assert_eq!(
            present(&BOARD),
            difference_bit(-2) | difference_bit(-1) | difference_bit(0) | 1 << 7 | 1 << 10
        );
        assert_eq!(name(&BOARD), "surface-set:0|1|2|0/1|-1/0");
        assert_eq!(name(&[1, 0b11111, 0, 0b111111]), "surface-set:nothing");
        assert_eq!(name(&[1, 0, 1]), "surface-set:-1|1|1/1");
        // Outer columns are not looked at.
        assert_eq!(name(&[1, 1]), "surface-set:0");
    }

    #[test]
    fn an_entry_is_drawn_as_it_is_named() {
        let drawn = |table: &str, entry: &str| {
            let surface = Surface::parse(table, 10).unwrap();
            let number = surface.names().iter().position(|name| *name == format!("{table}:{entry}")).unwrap();
            let columns = surface.profiles()[number].clone();
            let text =
                |cells: &Option<u32>| cells.map_or("|".to_string(), |cells| (height(cells) - 1).to_string());
            columns.iter().map(text).collect::<String>()
        };
        for (entry, heights) in
            [("-1/3", "014"), ("0/0", "000"), ("-3/-2", "031"), ("4/wall", "40|"), ("wall/wall", "|0|")]
        {
            assert_eq!(drawn("surface-pairs", entry), heights, "{entry}");
        }
        for (entry, heights) in [("0/2/wall", "002|"), ("-2/0/-1", "3110"), ("wall/0/wall", "|00|")] {
            assert_eq!(drawn("surface-4x3", entry), heights, "{entry}");
        }
        assert_eq!([drawn("surface-2x1", "wall"), drawn("surface-2x1", "-1")], ["|0", "10"]);
        // A board that is drawn so shows the entry.
        for table in ["surface-pairs", "surface-4x3"] {
            let surface = Surface::parse(table, 10).unwrap();
            for (number, profile) in surface.profiles().iter().enumerate() {
                let board: Vec<u32> = profile.iter().flatten().map(|&cells| cells >> 1).collect();
                assert!(
                    surface.shown(&board).any(|shown| shown as usize == number),
                    "{}",
                    surface.names()[number]
                );
            }
        }
    }

    #[test]
    fn a_set_is_drawn_thing_by_thing() {
        let table = SurfaceSet::new();
        let drawn = |name: &str| {
            let number = table.names().iter().position(|one| one.strip_prefix("surface-set:") == Some(name));
            table.profiles()[number.unwrap()].clone()
        };
        let heights =
            |heights: &[u32]| heights.iter().map(|height| Some((2 << height) - 1)).collect::<Profile>();
        let expected = [&[1, 0][..], &[0, 1], &[1, 0, 1]].map(heights);
        assert_eq!(drawn("-1|1|1/1"), expected);
        assert_eq!(drawn("0|1|2|-1/0"), [&[0, 0][..], &[0, 1], &[0, 2], &[0, 1, 1]].map(heights));
        assert!(drawn("nothing").is_empty());
    }

    #[test]
    fn an_image_shows_the_same() {
        let image: Vec<u32> = BOARD.iter().rev().copied().collect();
        for name in ["surface-pairs", "surface-2x7", "surface-3x2", "surface-4x3", "surface-5x1"] {
            let mut here = shown(name, &BOARD);
            here.reverse();
            assert_eq!(here, shown(name, &image), "{name}");
        }
        assert_eq!(SurfaceSet::new().shown(&BOARD), SurfaceSet::new().shown(&image));
        assert_ne!(present(&BOARD), present(&image));
    }

    #[test]
    fn tables_have_as_many_entries_as_there_are_patterns_up_to_images() {
        let count = |name: &str| Surface::parse(name, 10).unwrap().names().len();
        // Nine symbols, in pairs without order.
        assert_eq!(count("surface-pairs"), 45);
        // The five values of one difference, three of them up to the sign, and the wall.
        assert_eq!(count("surface-2x2"), 4);
        // 8 x 7 x 8 patterns; of these 8 are their own image: the middle is 0, the ends are opposite or both walls.
        assert_eq!(count("surface-4x3"), (8 * 7 * 8 + 8) / 2);
        let names = SurfaceSet::new();
        let unlike: std::collections::HashSet<&String> = names.names().iter().collect();
        assert_eq!(unlike.len(), names.names().len());
        // Of 2,048 sets 348 do not contradict themselves, and 42 of these are their own image; counted by another program.
        assert_eq!(unlike.len(), (348 + 42) / 2);
    }

    #[test]
    fn names_of_other_tables_are_none() {
        for name in [
            "surface-1x2",
            "surface-6x1",
            "surface-4x8",
            "surface-4x0",
            "surface-04x3",
            "surface-x",
            "surface-4",
            "surface-set",
            "surface-5x1 ",
        ] {
            assert_eq!(Surface::parse(name, 10), None, "{name}");
        }
        assert_eq!(Surface::parse("surface-5x1", 4), None);
    }
}

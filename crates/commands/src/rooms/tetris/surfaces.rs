//! `evalforge analyze tetris --surfaces`: the patterns of the surface that a player likes most and least, in the terminal, as JSON or
//! as a picture.

use std::io::{self, Write, stdout};
use std::path::Path;

use games::draw::{Ink, Pen};
use play::analyze::surfaces::{Entry, SurfaceTable};
use play::files::new_file;
use play::numbers::signed;
use report::surfaces::profiles;
use report::surfaces::svg as surfaces_svg;

use crate::failure::unwritten;
use crate::outputs::{self, Surface, SurfaceEntry};
use crate::terminal::{beside, colour, screen_width};

/// Entries of each kind unless given.
pub const SHOWN: usize = 8;
/// Green and red among the colours of pieces.
const LIKED: Ink = Ink::Piece(3);
const DISLIKED: Ink = Ink::Piece(4);
/// Between two entries, as [`beside`] sets them.
const GAP: usize = 3;

/// The tables of a player.
pub struct Surfaces<'a> {
    /// The text of the player.
    pub player: &'a str,
    /// Its tables.
    pub tables: Vec<SurfaceTable>,
    /// How many entries are asked for.
    pub top: Option<usize>,
}

impl Surfaces<'_> {
    /// For the terminal.
    pub fn text(&self) -> io::Result<()> {
        let mut out = stdout().lock();
        writeln!(
            out,
            "Surfaces that {} likes and dislikes: each number is a weight less the mean weight of its table, every entry\n\
             counted once; only differences matter. Differences at the end of their range stand for larger ones too, ░ is a\n\
             wall, mirror images share a weight. Rows with holes are counted from 0, a board having more or fewer of them; their\n\
             names are rank / holes / open cells / cells over the holes / empty cells above.",
            self.player
        )?;
        let most = self.top.unwrap_or(SHOWN);
        for table in &self.tables {
            let (count, mean) = (table.entries.len(), signed(table.mean));
            write!(out, "\n{}: {count} entries, mean weight {mean}", table.name)?;
            match table.left_out {
                0 => writeln!(out)?,
                some => writeln!(out, "; {some} more with weight 0, as if never met, are left out")?,
            }
            for (words, ink, entries) in
                [("liked", LIKED, table.liked(most)), ("disliked", DISLIKED, table.disliked(most))]
            {
                writeln!(out, "\nmost {words}{}", if entries.is_empty() { ": none" } else { "" })?;
                write_entries(&mut out, &entries, ink)?;
            }
        }
        Ok(())
    }

    /// The same as JSON, all entries unless a number is asked for.
    pub fn json(&self) -> io::Result<()> {
        let most = self.top.unwrap_or(usize::MAX);
        let entries = |entries: Vec<&Entry>| {
            let one = |entry: &Entry| SurfaceEntry {
                entry: entry.name.clone(),
                weight: entry.weight,
                above_mean: entry.above_mean,
            };
            entries.into_iter().map(one).collect()
        };
        let table = |table: &SurfaceTable| Surface {
            table: table.name.clone(),
            entries: table.entries.len(),
            left_out: table.left_out,
            mean: table.mean,
            liked: entries(table.liked(most)),
            disliked: entries(table.disliked(most)),
        };
        let tables = self.tables.iter().map(table).collect();
        outputs::print(&outputs::Surfaces { player: self.player.into(), tables })
    }

    /// The same as a picture in a file.
    pub fn write_svg(&self, path: &Path) -> anyhow::Result<()> {
        let picture = surfaces_svg(self.player, &self.tables, self.top.unwrap_or(SHOWN));
        let refused = |error| unwritten("--svg", path, &error);
        new_file::write(path, picture.as_bytes()).map_err(refused)?;
        let (tables, size) = (self.tables.len(), picture.len().div_ceil(1000));
        let plural = if tables == 1 { "" } else { "s" };
        writeln!(stdout(), "{}: {tables} table{plural} of the surface, {size} kB", path.display())?;
        Ok(())
    }
}

/// Entries side by side, as many as the screen is wide.
fn write_entries(out: &mut dyn Write, entries: &[&Entry], ink: Ink) -> io::Result<()> {
    let mut rest = entries;
    while !rest.is_empty() {
        let mut right = 0;
        let fits = rest.iter().take_while(|entry| {
            right += width(entry) + GAP;
            right - GAP <= screen_width()
        });
        let (row, others) = rest.split_at(fits.count().max(1));
        let rows = row.iter().map(|entry| profiles(&entry.profiles, 0).len()).max().unwrap_or(0);
        let block = |entry: &&Entry| {
            let mut pen = Pen::new(colour());
            for line in profiles(&entry.profiles, rows) {
                pen.ink(ink, &line);
                pen.line();
            }
            pen.plain(&format!("{}\n{}\n", signed(entry.above_mean), entry.name));
            pen.finish()
        };
        let blocks = row.iter().map(block).reduce(|left, right| beside(&left, &right));
        writeln!(out, "{}", blocks.unwrap_or_default())?;
        rest = others;
    }
    Ok(())
}

fn width(entry: &Entry) -> usize {
    let drawing = profiles(&entry.profiles, 0).iter().map(|line| line.chars().count()).max().unwrap_or(0);
    drawing.max(entry.name.chars().count()).max(signed(entry.above_mean).chars().count())
}

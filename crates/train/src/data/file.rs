//! Files of labelled positions: the header, the lines of the text format, and the door to both formats. Nothing in a file
//! is trusted: a position is only text until it is parsed by its game.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use games::InputError;
use games::error::{one_line, shown};
use play::{PlayedGame, files};
use thiserror::Error;

use super::packed::{Packer, Unpacker};
use super::{Dataset, Header, Labelled, MOST_TEXT, recorded};

/// What a file begins with.
const NAME: &str = "evalforge positions 1 ";
/// The longest header: a model may be given as text.
const MOST_HEADER: usize = 1 << 20;
/// The longest line of the text format: a position and three numbers.
const MOST_LINE: usize = MOST_TEXT + 256;
/// The longest file.
const MOST_BYTES: u64 = 1 << 32;
/// The longest file of positions that others have recorded, which is read as a whole.
const MOST_POSITIONS: u64 = 1 << 30;

/// How positions are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One line a position.
    Text,
    /// Few bytes a position, and a checksum.
    Packed,
}

impl Format {
    /// All, with their words.
    pub const WORDS: [(&'static str, Format); 2] = [("text", Format::Text), ("packed", Format::Packed)];

    /// The word of files and of the command line.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, format)| *format == self).expect("every format has a word").0
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(word, _)| *word == text).map(|&(_, format)| format);
        found.ok_or_else(|| format!("unknown format {}; known: text, packed", shown(text)))
    }
}

/// What can be wrong with labelled positions.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("positions {}: {cause}", shown(&.path.display().to_string()))]
    File {
        /// Which file.
        path: PathBuf,
        /// What the file system says.
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("positions {}: {reason}", shown(&.path.display().to_string()))]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The positions are of another game.
    #[error("positions of {}, but {wanted} is expected", shown(.found))]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is asked for.
        wanted: &'static str,
    },
    /// The rules of the header do not fit the game.
    #[error("rules of the positions: {0}")]
    Rules(InputError),
    /// A position is none under its rules.
    #[error("position number {number}: {error}")]
    Position {
        /// Which one, the first being 1.
        number: usize,
        /// What is wrong with it.
        error: InputError,
    },
}

/// Reads a file of either format.
///
/// # Errors
/// It cannot be read, or is no whole and sound file of positions.
pub fn read(path: &Path) -> Result<Dataset, DataError> {
    let wrong = |reason| DataError::Content { path: path.to_path_buf(), reason };
    open(path)?.dataset().map_err(wrong)
}

/// A file of either format, to be read position by position.
///
/// # Errors
/// It cannot be read, or its header is none.
pub fn open(path: &Path) -> Result<Reader<BufReader<Take<File>>>, DataError> {
    let file = files::open(path).map_err(|cause| DataError::File { path: path.to_path_buf(), cause })?;
    // What comes first tells a foreign file before all of it is read, which might never end.
    Reader::new(BufReader::with_capacity(1 << 16, file.take(MOST_BYTES)))
        .map_err(|reason| DataError::Content { path: path.to_path_buf(), reason })
}

/// Reads positions of a game: a file of ours, or what others have recorded in a format that the game knows.
///
/// # Errors
/// It cannot be read, or is no whole and sound file of positions.
pub fn read_for<G: PlayedGame>(path: &Path) -> Result<Dataset, DataError> {
    if recorded::is_recorded::<G>(path) {
        return Ok(recorded::dataset(&G::read_games(path)?));
    }
    let failed = |cause| DataError::File { path: path.to_path_buf(), cause };
    let mut begin = Vec::new();
    files::open(path).map_err(failed)?.take(NAME.len() as u64).read_to_end(&mut begin).map_err(failed)?;
    if begin == NAME.as_bytes() || !G::may_be_positions(&begin) {
        return read(path);
    }
    let text = files::read_text(path, MOST_POSITIONS).map_err(failed)?;
    let positions = G::read_positions(&text);
    positions
        .map(recorded::labelled)
        .map_err(|reason| DataError::Content { path: path.to_path_buf(), reason })
}

/// Reads the content of a file of either format.
///
/// # Errors
/// It is no whole and sound file of positions; the text says why.
pub fn from_bytes(bytes: &[u8]) -> Result<Dataset, String> {
    Reader::new(bytes)?.dataset()
}

/// Positions that are read one after the other, so that a file may be larger than memory. Only the end tells whether it is whole: what
/// was read before counts for nothing after an error.
pub struct Reader<R> {
    /// Where the positions come from.
    pub header: Header,
    body: Body<R>,
    is_over: bool,
}

enum Body<R> {
    Text { input: R, line: usize },
    Packed(Unpacker<R>),
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// It is none; the text says why.
    pub fn new(mut input: R) -> Result<Self, String> {
        let mut line = Vec::new();
        let mut more = |line: &mut Vec<u8>, most: usize| {
            (&mut input).take(most as u64).read_until(b'\n', line).map_err(|error| error.to_string())
        };
        more(&mut line, NAME.len())?;
        if line != NAME.as_bytes() {
            return Err(format!("it does not begin with '{NAME}'"));
        }
        more(&mut line, MOST_HEADER)?;
        let rest = line[NAME.len()..].strip_suffix(b"\n").ok_or("its header does not end")?;
        let header = std::str::from_utf8(rest).map_err(|_| "its header is no text")?;
        let (format, header) = header.split_once(' ').ok_or("its header is cut short")?;
        let format: Format = format.parse()?;
        let header: Header = serde_json::from_str(header)
            .map_err(|error| format!("its header: {}", one_line(&error.to_string())))?;
        let body = match format {
            // The header is line 1.
            Format::Text => Body::Text { input, line: 1 },
            Format::Packed => Body::Packed(Unpacker::new(input, &line)),
        };
        Ok(Self { header, body, is_over: false })
    }

    fn dataset(mut self) -> Result<Dataset, String> {
        let positions = self.by_ref().collect::<Result<_, _>>()?;
        Ok(Dataset { header: self.header, positions })
    }

    fn position(&mut self) -> Result<Option<Labelled>, String> {
        let (input, number) = match &mut self.body {
            Body::Packed(unpacker) => return unpacker.position(),
            Body::Text { input, line } => (input, line),
        };
        let mut line = Vec::new();
        input.take(MOST_LINE as u64).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
        *number += 1;
        if line.is_empty() {
            return Ok(None);
        }
        let wrong = |reason: &str| format!("line {number}: {reason}");
        let line = match line.strip_suffix(b"\n") {
            Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
            None if line.len() < MOST_LINE => {
                return Err("its last line does not end: it is cut short".into());
            }
            None => return Err(wrong("it is too long")),
        };
        let line = std::str::from_utf8(line).map_err(|_| wrong("it is no text"))?;
        line_position(line).map(Some).map_err(|reason| wrong(&reason))
    }
}

impl Reader<BufReader<Take<File>>> {
    /// The bytes that were read so far, a little ahead of the positions.
    pub fn bytes(&self) -> u64 {
        let input = match &self.body {
            Body::Text { input, .. } => input,
            Body::Packed(unpacker) => unpacker.input(),
        };
        MOST_BYTES - input.get_ref().limit()
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Labelled, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let found = self.position().transpose();
        self.is_over = !matches!(found, Some(Ok(_)));
        found
    }
}

fn line_position(line: &str) -> Result<Labelled, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [text, label, ply, game] = fields[..] else {
        return Err(format!(
            "position, label, ply and game are expected with tabs between them, not {}",
            shown(line)
        ));
    };
    fn number<N: FromStr>(what: &str, text: &str) -> Result<N, String> {
        text.parse().map_err(|_| format!("{what} {} is no number", shown(text)))
    }
    let read = Labelled {
        text: text.to_string(),
        label: number("label", label)?,
        ply: number("ply", ply)?,
        game: number("game", game)?,
    };
    read.check().map(|()| read)
}

/// Writes positions one after the other.
pub struct Writer<W: Write> {
    out: W,
    packer: Option<Packer>,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins with the header.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(out: W, format: Format, header: &Header) -> io::Result<Self> {
        let packer = (format == Format::Packed).then(Packer::default);
        let mut writer = Self { out, packer, bytes: 0 };
        let header = serde_json::to_string(header)?;
        writer.write(format!("{NAME}{} {header}\n", format.word()).as_bytes())?;
        Ok(writer)
    }

    /// Writes a position.
    ///
    /// # Errors
    /// It cannot be written, or could not be read again.
    pub fn push(&mut self, position: &Labelled) -> io::Result<()> {
        position.check().map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
        let Labelled { text, label, ply, game } = position;
        let bytes = match &mut self.packer {
            None => format!("{text}\t{label}\t{ply}\t{game}\n").into_bytes(),
            Some(packer) => packer.pack(position),
        };
        self.write(&bytes)
    }

    /// Ends the file and gives back what it was written to, and its length in bytes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> io::Result<(W, u64)> {
        if let Some(packer) = &mut self.packer {
            let end = packer.end();
            self.write(&end)?;
            let sum = self.packer.as_ref().map(Packer::checksum).unwrap_or_default();
            self.write(&sum)?;
        }
        self.out.flush()?;
        Ok((self.out, self.bytes))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(packer) = &mut self.packer {
            packer.count(bytes);
        }
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

//! The keyboard: lines that are edited with history and completion, and keys one by one. Whoever changes the terminal's mode does it here, where
//! every way out puts it back: the end, an error, a panic, a signal.

use std::io::{self, BufRead, IsTerminal, Read, Write, stdin, stdout};

use crate::terminal::is_canvas;

/// Whether a person types and looks.
pub fn is_person() -> bool {
    stdin().is_terminal() && is_canvas()
}

/// What comes from the keyboard when a line is asked for.
pub enum Said {
    /// A line.
    Line(String),
    /// The end of the input; Ctrl-D.
    End,
    /// Ctrl-C, where it is no signal.
    Interrupted,
}

/// What Tab completes: the first word, or what follows it.
#[derive(Default)]
pub struct Words {
    /// First words.
    pub first: Vec<String>,
    /// What may follow one, or stand for itself.
    pub any: Vec<String>,
}

/// Lines as they come: edited where a person types, as they are elsewhere.
pub struct Lines {
    #[cfg(unix)]
    editor: Option<editing::Editor>,
}

impl Lines {
    /// Nothing read yet.
    pub fn new() -> Self {
        #[cfg(unix)]
        return Self { editor: if is_person() { editing::editor() } else { None } };
        #[cfg(not(unix))]
        Self {}
    }

    /// Asks for a line.
    pub fn read(&mut self, prompt: &str, words: impl FnOnce() -> Words) -> io::Result<Said> {
        #[cfg(unix)]
        if let Some(editor) = &mut self.editor {
            return editing::read(editor, prompt, words());
        }
        #[cfg(not(unix))]
        drop(words);
        let mut out = stdout();
        write!(out, "{prompt}")?;
        out.flush()?;
        let mut bytes = Vec::new();
        if stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            writeln!(out)?;
            return Ok(Said::End);
        }
        Ok(Said::Line(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// The editor of lines. Elsewhere the console has one of its own, and the crate would bring a licence that we do not take.
#[cfg(unix)]
mod editing {
    use std::io;

    use rustyline::completion::Completer;
    use rustyline::error::ReadlineError;
    use rustyline::highlight::Highlighter;
    use rustyline::hint::Hinter;
    use rustyline::history::MemHistory;
    use rustyline::validate::Validator;
    use rustyline::{CompletionType, Config, Context, Helper};

    use super::{Said, Words, mode};

    pub type Editor = rustyline::Editor<Words, MemHistory>;

    impl Completer for Words {
        type Candidate = String;

        fn complete(
            &self,
            line: &str,
            at: usize,
            _: &Context<'_>,
        ) -> rustyline::Result<(usize, Vec<String>)> {
            let start = line[..at].rfind(' ').map_or(0, |blank| blank + 1);
            let first = if start == 0 { &self.first[..] } else { &[] };
            let known = first.iter().chain(&self.any).filter(|word| word.starts_with(&line[start..at]));
            Ok((start, known.cloned().collect()))
        }
    }

    impl Hinter for Words {
        type Hint = String;
    }
    impl Highlighter for Words {}
    impl Validator for Words {}
    impl Helper for Words {}

    pub fn editor() -> Option<Editor> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        // Without one lines are read as from a file.
        Editor::with_history(config, MemHistory::new()).ok()
    }

    pub fn read(editor: &mut Editor, prompt: &str, words: Words) -> io::Result<Said> {
        let _mode = mode::kept()?;
        editor.set_helper(Some(words));
        match editor.readline(prompt) {
            Ok(line) => Ok(Said::Line(line)),
            Err(ReadlineError::Eof) => Ok(Said::End),
            Err(ReadlineError::Interrupted) => Ok(Said::Interrupted),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    /// Any other that has a sign.
    Sign(char),
    /// The end of the input; Ctrl-D.
    End,
}

/// Keys as they are pressed on a terminal, without waiting for the end of a line; elsewhere as they come.
pub struct Keys {
    pending: Vec<u8>,
    is_terminal: bool,
    #[cfg(unix)]
    _pressed: Option<mode::Pressed>,
}

impl Keys {
    /// Of a person's terminal, or of whatever standard input is.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        let pressed = is_person().then(mode::Pressed::new).transpose()?;
        Ok(Self { pending: Vec::new(), is_terminal: pressed.is_some(), _pressed: pressed })
    }

    /// Of whatever standard input is.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Self> {
        Ok(Self { pending: Vec::new(), is_terminal: false })
    }

    /// Whether they come as they are pressed.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The next one; None if none is pressed within a tenth of a second, on a terminal.
    pub fn read(&mut self) -> io::Result<Option<Key>> {
        loop {
            if let Some(key) = decoded(&mut self.pending) {
                return Ok(Some(key));
            }
            let mut bytes = [0; 64];
            match stdin().lock().read(&mut bytes) {
                Ok(0) if self.is_terminal => {
                    // Escape by itself.
                    self.pending.clear();
                    return Ok(None);
                }
                Ok(0) => return Ok(Some(Key::End)),
                Ok(count) => self.pending.extend(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the program was suspended since the last call, so that all must be drawn again.
    pub fn was_suspended(&self) -> bool {
        #[cfg(unix)]
        return mode::was_suspended();
        #[cfg(not(unix))]
        false
    }
}

/// The first key of some bytes, which it takes away; None if they are none or the beginning of one.
fn decoded(bytes: &mut Vec<u8>) -> Option<Key> {
    let (length, key) = match *bytes.as_slice() {
        [] | [0x1b] | [0x1b, b'[' | b'O'] => return None,
        [0x1b, b'[' | b'O', b'A', ..] => (3, Key::Up),
        [0x1b, b'[' | b'O', b'B', ..] => (3, Key::Down),
        [0x1b, b'[' | b'O', b'C', ..] => (3, Key::Right),
        [0x1b, b'[' | b'O', b'D', ..] => (3, Key::Left),
        // Others that send a sequence mean nothing here.
        [0x1b, b'[', ref rest @ ..] => {
            let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            (end + 3, Key::Sign('\x1b'))
        }
        [0x04, ..] => (1, Key::End),
        [byte, ..] => (1, Key::Sign(char::from(byte))),
    };
    bytes.drain(..length);
    Some(key)
}

/// Puts the terminal's mode back if somebody has changed it: for those who end the program then and there.
pub fn restore() {
    #[cfg(unix)]
    mode::restore();
}

#[cfg(unix)]
mod mode {
    use std::io::{self, stdin};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
    use signal_hook::consts::SIGTSTP;
    use signal_hook::iterator::{Handle, Signals};
    use signal_hook::low_level::emulate_default_handler;

    use crate::terminal::Screen;

    /// The mode to go back to.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// Whoever holds it may change the mode; dropping it puts it back.
    pub struct Kept;

    pub fn kept() -> io::Result<Kept> {
        let mode = tcgetattr(stdin())?;
        if let Ok(mut before) = BEFORE.lock() {
            *before = Some(mode);
        }
        Ok(Kept)
    }

    pub fn restore() {
        if let Some(mode) = BEFORE.lock().ok().and_then(|mut before| before.take()) {
            // Nobody is left to be told.
            let _ = tcsetattr(stdin(), OptionalActions::Now, &mode);
        }
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            restore();
        }
    }

    /// Whether the program was suspended and nobody has asked yet.
    static SUSPENDED: AtomicBool = AtomicBool::new(false);

    pub fn was_suspended() -> bool {
        SUSPENDED.swap(false, Ordering::SeqCst)
    }

    /// Every key by itself and unseen; signals stay what they are. A suspended program gives the terminal back for as long.
    pub struct Pressed {
        suspensions: Handle,
        _mode: Kept,
    }

    impl Pressed {
        pub fn new() -> io::Result<Self> {
            let mut signals = Signals::new([SIGTSTP])?;
            let suspensions = signals.handle();
            std::thread::Builder::new().name("suspending".into()).spawn(move || {
                for signal in signals.forever() {
                    restore();
                    Screen::restore();
                    let _ = emulate_default_handler(signal);
                    // Here again.
                    let _ = set();
                    SUSPENDED.store(true, Ordering::SeqCst);
                }
            })?;
            set()?;
            Ok(Self { suspensions, _mode: Kept })
        }
    }

    impl Drop for Pressed {
        fn drop(&mut self) {
            self.suspensions.close();
        }
    }

    fn set() -> io::Result<()> {
        // What it was is put back by whoever drops the mode, and not here.
        std::mem::forget(kept()?);
        let mut mode = tcgetattr(stdin())?;
        mode.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        mode.special_codes[SpecialCodeIndex::VMIN] = 0;
        // In tenths of a second.
        mode.special_codes[SpecialCodeIndex::VTIME] = 1;
        Ok(tcsetattr(stdin(), OptionalActions::Now, &mode)?)
    }
}

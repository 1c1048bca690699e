//! The keyboard: lines that are edited with history and completion. Whoever changes the terminal's mode does it here, where
//! every way out puts it back: the end, an error, a panic, a signal.

use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};

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

/// Puts the terminal's mode back if somebody has changed it: for those who end the program then and there.
pub fn restore() {
    #[cfg(unix)]
    mode::restore();
}

#[cfg(unix)]
mod mode {
    use std::io::{self, stdin};
    use std::sync::Mutex;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

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
}

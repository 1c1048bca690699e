//! What README.md and the pages of docs/ tell people to type is understood by the program, and their links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use commands::clap::error::ErrorKind;
use commands::clap::{ArgMatches, Command};
use train::experiments::EXPERIMENTS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page of a folder and the folders in it.
fn pages_of(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages_of(&path, pages);
        } else if path.extension().is_some_and(|end| end == "md") {
            pages.push(path);
        }
    }
}

/// The pages that tell how the program is used.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    pages_of(&root().join("docs"), &mut pages);
    pages.sort();
    pages
}

/// A page by its place in the repository.
fn shown(page: &Path) -> String {
    page.strip_prefix(root()).unwrap().display().to_string()
}

/// The commands of a line as a shell divides it into words: quotes, backslashes, comments, and what stands between commands.
fn commands_of(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = letters.next().filter(|inner| *inner != letter) {
                    // Within double quotes a backslash protects the next letter.
                    let protected = (letter == '"' && inner == '\\').then(|| letters.next()).flatten();
                    word.push(protected.unwrap_or(inner));
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            '#' if word.is_none() => break,
            ' ' | ';' | '|' | '&' | '(' | ')' | '<' | '>' => {
                commands.last_mut().unwrap().extend(word.take());
                if letter != ' ' {
                    commands.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    commands.last_mut().unwrap().extend(word);
    commands
}

/// The words of a call of evalforge, its name first; of nothing else.
fn call(mut words: Vec<String>) -> Option<Vec<String>> {
    if words.starts_with(&["cargo", "run", "--release", "--"].map(String::from)) {
        words.splice(..4, ["evalforge".to_string()]);
    }
    (words.len() > 1 && words[0] == "evalforge").then_some(words)
}

/// A page in pieces: each line of a fenced block, with what it goes on with, and each text between such blocks as a whole. With it the number of
/// its first line and the language of the block.
fn pieces(text: &str) -> Vec<(usize, Option<&str>, String)> {
    let mut pieces: Vec<(usize, Option<&str>, String)> = Vec::new();
    let mut fence = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(language.trim()) };
            // The lines of a block are never joined with the text after it.
            pieces.push((number, fence, String::new()));
            continue;
        }
        match pieces.last_mut() {
            Some((_, _, before)) if fence.is_some() && before.ends_with('\\') => {
                before.pop();
                before.push_str(line);
            }
            Some((_, None, before)) if fence.is_none() => {
                before.push('\n');
                before.push_str(line);
            }
            _ => pieces.push((number, fence, line.to_string())),
        }
    }
    pieces
}

/// Somebody is told to type this.
struct Call {
    line: usize,
    words: Vec<String>,
    /// In the middle of a sentence, where a command may be named without all that it needs.
    is_mentioned: bool,
}

/// All calls of evalforge on a page: those of fenced blocks for a shell, and those in the middle of sentences, where words in capital letters stand
/// for what the reader will put there, and dots for what is left out.
fn calls(text: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    for (first, fence, piece) in pieces(text) {
        if fence == Some("sh") {
            let found = commands_of(&piece).into_iter().filter_map(call);
            calls.extend(found.map(|words| Call { line: first, words, is_mentioned: false }));
        } else if fence.is_none() {
            let mut line = first;
            for (number, span) in piece.split('`').enumerate() {
                let found = commands_of(&span.replace('\n', " ")).into_iter().filter_map(call);
                for words in found.filter(|_| number % 2 == 1) {
                    let is_blank = |word: &String| word.chars().all(|c| c.is_ascii_uppercase());
                    let words = words.into_iter().filter(|word| word != "...");
                    let words = words.map(|word| if is_blank(&word) { "2".to_string() } else { word });
                    calls.push(Call { line, words: words.collect(), is_mentioned: true });
                }
                line += span.matches('\n').count();
            }
        }
    }
    calls
}

/// Refuses commands and games that only the program itself would miss.
fn known(described: &Command, matches: &ArgMatches) -> Result<(), String> {
    let Some((name, inside)) = matches.subcommand() else { return Ok(()) };
    let described = described.find_subcommand(name).ok_or_else(|| format!("there is no '{name}'"))?;
    known(described, inside)
}

/// Refuses experiments that are neither shipped nor files.
fn shipped(words: &[String]) -> Result<(), String> {
    let name = match words {
        [_, command, name, ..]
            if command == "learn" && !name.starts_with('-') && !name.ends_with(".toml") =>
        {
            name
        }
        _ => return Ok(()),
    };
    let is_shipped = EXPERIMENTS.iter().any(|shipped| shipped.name == *name);
    if is_shipped { Ok(()) } else { Err(format!("there is no experiment '{name}'")) }
}

/// Has a call read by the program's own parser, and nothing run.
fn understood(call: &Call) -> Result<(), String> {
    let mut described = commands::command_line();
    described.build();
    match described.try_get_matches_from_mut(&call.words) {
        Ok(matches) => known(&described, &matches).and_then(|()| shipped(&call.words)),
        Err(error) => {
            let is_short =
                matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand);
            if error.kind() == ErrorKind::DisplayHelp || call.is_mentioned && is_short {
                return Ok(());
            }
            let told = error.to_string();
            let first = told.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_string())
        }
    }
}

/// What is wrong with the command lines of a page.
fn mistakes(page: &str, text: &str) -> Vec<String> {
    let wrong = |call: Call| {
        let reason = understood(&call).err()?;
        Some(format!("{page}:{}: {}: {reason}", call.line, call.words.join(" ")))
    };
    calls(text).into_iter().filter_map(wrong).collect()
}

#[test]
fn every_command_line_is_understood() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        count += calls(&text).len();
        wrong.extend(mistakes(&shown(&page), &text));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} command lines were found");
}

#[test]
fn a_wrong_command_line_is_told_with_file_and_line() {
    let page = "A page, `evalforge list games`, `evalforge duel` and\n`evalforge duel othello A B --games N\n--jsn`.\n\
                ```sh\nevalforge list games   # --no comment\n\
                evalforge duel othello 'mcts(time=1)' greedy \\\n  --games 2 --opening 3\n\
                SUM=1; cargo run --release -- lisst games | sort\nevalforge learn tetris-quik --quick\n```\n\
                ```text\nevalforge output\n```\nand `evalforge list --jso`\n";
    let wrong = mistakes("page.md", page);
    let begins = [
        "page.md:2: evalforge duel othello 2 2 --games 2 --jsn: unexpected argument '--jsn'",
        "page.md:6: evalforge duel othello mcts(time=1) greedy --games 2 --opening 3: unexpected argument '--opening'",
        "page.md:8: evalforge lisst games: there is no 'lisst'",
        "page.md:9: evalforge learn tetris-quik --quick: there is no experiment 'tetris-quik'",
        "page.md:14: evalforge list --jso: unexpected argument '--jso'",
    ];
    assert_eq!(wrong.len(), begins.len(), "{wrong:?}");
    for (said, begin) in wrong.iter().zip(begins) {
        assert!(said.starts_with(begin), "{said}");
    }
}

/// The links of a page to files and headings, each with its line.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (first, _, piece) in pieces(text).into_iter().filter(|(_, fence, _)| fence.is_none()) {
        for (at, _) in piece.match_indices("](") {
            let line = first + piece[..at].matches('\n').count();
            let target = piece[at + 2..].split(')').next().unwrap_or_default();
            if !target.contains("://") {
                links.push((line, target.to_string()));
            }
        }
    }
    links
}

/// The name by which a link leads to a heading.
fn anchor(heading: &str) -> String {
    let kept =
        heading.trim_start_matches('#').trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Why a link of a page leads nowhere.
fn astray(page: &Path, link: &str) -> Option<String> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(file) };
    if !target.exists() {
        return Some(format!("there is no {file}"));
    }
    let has_heading = || {
        let text = fs::read_to_string(&target).unwrap();
        text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
    };
    (!heading.is_empty() && !has_heading()).then(|| format!("{} has no heading {heading}", shown(&target)))
}

#[test]
fn every_link_leads_to_a_file_and_its_heading() {
    let others = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let all = pages().into_iter().chain(others.iter().map(|name| root().join(name)));
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in all {
        for (number, link) in links(&fs::read_to_string(&page).unwrap()) {
            count += 1;
            let astray = astray(&page, &link).map(|reason| format!("{}:{number}: {reason}", shown(&page)));
            wrong.extend(astray);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 10, "only {count} links were found");
    let page = root().join("README.md");
    assert_eq!(astray(&page, "docs/no.md").unwrap(), "there is no docs/no.md");
    assert_eq!(astray(&page, "README.md#no-such").unwrap(), "README.md has no heading no-such");
    assert_eq!(anchor("## Push-over's solver, 4x4"), "push-overs-solver-4x4");
}

/// The site leaves out what its table of contents does not name.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = root().join("docs/SUMMARY.md");
    let named: Vec<PathBuf> = links(&fs::read_to_string(&summary).unwrap())
        .into_iter()
        .map(|(_, link)| root().join("docs").join(link))
        .collect();
    let all = pages().into_iter().filter(|page| *page != summary && *page != root().join("README.md"));
    let missing: Vec<String> = all.filter(|page| !named.contains(page)).map(|page| shown(&page)).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md does not name {missing:?}");
}

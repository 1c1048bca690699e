//! Signals: one Ctrl-C is heard soon, whatever is under way, and programs that think for us end with us.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{folder, program};

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Starts a command whose words are separated by spaces, in a folder of its own.
fn start(place: &Path, command: &str) -> Child {
    let mut child = program();
    child.args(command.split(' ')).current_dir(place).stdin(Stdio::piped());
    child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The exit code, none if it was killed, and what it said last. It has to come within some seconds: a busy machine is slow, but a search
/// without end never ends.
fn end(mut child: Child, what: &str) -> (Option<i32>, String) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(4) {
            child.kill().unwrap();
            panic!("{what}: still there after {:?}", begun.elapsed());
        }
        sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said.lines().last().unwrap_or_default().to_string())
}

#[test]
fn one_interrupt_is_heard_whatever_is_under_way() {
    let place = folder("signals", "heard");
    let label = ["label", "othello", "--games", "300", "--label", "difference/64", "--out", "data.txt"];
    assert!(program().args(label).current_dir(&place).output().unwrap().status.success());
    for command in [
        "analyze othello --player minimax(depth=30)",
        "analyze othello --player alphabeta(depth=60)",
        "engine othello --player random",
        "engine pushover --player random",
        "duel othello random random --games 10000000",
        "duel othello minimax(depth=30) random --games 2",
        "duel othello alphabeta(depth=60) random --games 2",
        "duel othello alphabeta(time=1000) random --games 2",
        "duel othello mcts(simulations=1000000000) random --games 2 --game-time 1000",
        "label othello --player alphabeta(depth=60) --out a.txt",
        "label othello --label search:alphabeta(depth=60) --out b.txt",
        "label othello --label search:mcts(simulations=1000000000) --out c.txt",
        "tune clock othello --time 1000",
        "tune clock avalam --depth 60",
        "fit othello --data data.txt --form mlp(50,50) --with adam --iterations 10000 --patience 10000",
        "tune probcut othello --depth 30 --eval score",
        "solve pushover --verify",
        "learn tetris-quick --set curve.games=1000000 --out run-a",
        "learn avalam-cma-es --set model.search=alphabeta(depth=30) --out run-b",
    ] {
        let child = start(&place, command);
        // Long enough to be under way, though it does not matter.
        sleep(Duration::from_millis(700));
        send("-INT", &child);
        let (code, last) = end(child, command);
        assert!(code == Some(1) && last.starts_with("evalforge: interrupted"), "{command}: {code:?}, {last}");
    }
}

/// Whether a process is there and is no corpse that nobody has buried.
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

/// A program that has started another one and thinks for ever ends with us, and so does the other one, even if nobody asks us.
#[test]
fn programs_and_what_they_have_started_end_with_us() {
    for signals in [&["-TERM"][..], &["-HUP"], &["-INT"], &["-INT", "-INT"], &["-KILL"]] {
        let place = folder("signals", &format!("children{}", signals.join("")));
        let script = "trap '' INT TERM HUP\nsleep 1000 &\necho $! >> pids\necho $$ >> pids\nwhile read word rest; do case $word in \
            genmove) touch thinking; while :; do sleep 1000; done;; *) printf '= \\n\\n';; esac; done\n";
        fs::write(place.join("think.sh"), script).unwrap();
        let mut child = program();
        child.args([
            "duel",
            "othello",
            "external(gtp=\"sh think.sh\", seconds=1000)",
            "random",
            "--games",
            "2",
        ]);
        child.current_dir(&place).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        let begun = Instant::now();
        while !place.join("thinking").exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
            sleep(Duration::from_millis(10));
        }
        for (number, signal) in signals.iter().enumerate() {
            sleep(Duration::from_millis(if number == 0 { 0 } else { 600 }));
            // It may have gone at the first.
            let _ =
                Command::new("kill").args([*signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        }
        let (code, _) = end(child, &signals.join(" "));
        assert_eq!(code, if signals == ["-KILL"] { None } else { Some(1) });
        let pids = fs::read_to_string(place.join("pids")).unwrap();
        assert!(pids.lines().count() >= 2);
        let begun = Instant::now();
        while let Some(pid) = pids.lines().find(|pid| is_alive(pid)) {
            assert!(begun.elapsed() < Duration::from_secs(5), "{signals:?}: {pid} lives on");
            sleep(Duration::from_millis(10));
        }
    }
}

/// Nothing that a program or a file says reaches the terminal as it is.
#[test]
fn what_others_say_is_written_out() {
    let place = folder("signals", "escapes");
    let script = "while read word rest; do case $word in genmove) printf '= a\\033[2Jz\\n\\n';; *) printf '= \\n\\n';; esac; done\n";
    fs::write(place.join("rude.sh"), script).unwrap();
    fs::write(place.join("rude.txt"), "nothing\x1b[2J\n").unwrap();
    for (command, code, part) in [
        ("duel othello external(gtp=\"sh_rude.sh\") random --games 6", 1, "a\\u{1b}[2Jz"),
        ("duel othello random ran\x1b[2Jdom", 2, "ran\\u{1b}[2Jdom"),
        ("duel othello random greedy --positions rude.txt", 2, "nothing\\u{1b}[2J"),
        ("fit othello --data no\x1b[2J", 2, "no\\u{1b}[2J"),
        ("runs no\x1b[2J", 2, "no\\u{1b}[2J"),
    ] {
        let mut child = program();
        child.args(command.split(' ').map(|word| word.replace('_', " "))).current_dir(&place);
        let output = child.output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(output.status.code() == Some(code) && said.contains(part), "{command}: {said}");
        assert!(!said.contains('\x1b'), "{command}: {said}");
    }
}

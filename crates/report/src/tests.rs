//! The report as a whole, from folders to pages.

use std::fs;

use train::run::record::Generation;

use super::fixture::{CONFIG, EVIL, Folder, experiment, generation, log};
use super::*;

fn read(folder: &Folder) -> Experiment {
    Experiment::read(folder.path()).unwrap()
}

/// The pictures of a page, each held to be well-formed: what is opened is closed, and quotes and signs are in order.
fn pictures(page: &str) -> Vec<&str> {
    let found: Vec<&str> =
        page.split("<svg").skip(1).map(|rest| rest.split_inclusive("</svg>").next().unwrap()).collect();
    for picture in &found {
        let whole = format!("<svg{picture}");
        let mut open: Vec<&str> = Vec::new();
        for part in whole.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let entities = text.split('&').skip(1).chain(tag.split('&').skip(1));
            for entity in entities {
                let name = entity.split(';').next().unwrap();
                assert!(["lt", "gt", "amp", "quot", "#39"].contains(&name), "{name}");
            }
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty());
        assert!(!whole.contains("NaN") && !whole.contains("inf"), "{whole}");
    }
    found
}

#[test]
fn a_picture_of_its_own_holds_a_chart_for_each_unit() {
    let [one, two, other] = ["picture-1", "picture-2", "picture-3"].map(|name| experiment(name, name));
    let mut all = [read(&one), read(&two), read(&other)];
    all[2].manifest.unit = "another unit".into();
    let picture = svg(&all);
    // Nothing but the frame is around the charts, and each is well-formed by itself.
    let (frame, charts) = picture.split_once("<svg x=").expect("a chart");
    assert!(frame.starts_with("<svg xmlns=") && picture.ends_with("</svg></svg>\n"));
    assert_eq!(pictures(&format!("<svg x={charts}")).len(), 2);
    for said in
        ["class=\"l c0\"", "class=\"l c2\"", ">picture-1<", ">picture-2<", ">picture-3<", ">another unit<"]
    {
        assert!(picture.contains(said), "{said}: {picture}");
    }
}

/// Every figure of the page leaves as SVG and PDF, along what is asked for and as large.
#[test]
fn figures_are_files_of_their_own() {
    let folder = experiment("figures", "an experiment");
    let it = [read(&folder)];
    let page = figures(&it, &Look::default());
    let names: Vec<&str> = page.iter().map(|file| file.name.as_str()).collect();
    let known = [
        "learning-lines",
        "racing",
        "weights",
        "final-weights",
        "step-size",
        "lengths-of-the-axes",
        "standard-deviation-of-each-parameter",
    ];
    assert_eq!(names, known);
    let look =
        Look { against: Against::Time, log: Some(false), size: Some((800.0, 500.0)), ..Look::default() };
    for (file, before) in figures(&it, &look).iter().zip(&page) {
        let svg = &file.svg;
        assert!(svg.starts_with("<svg xmlns=") && svg.contains("width=\"800\" height=\""), "{svg}");
        // The inner picture alone is held to be well-formed; around it there are only a frame and a key.
        assert_eq!(pictures(&svg[svg.find("<svg x=").unwrap()..]).len(), 1);
        assert!(svg.contains("seconds of working time") || file.name == "final-weights", "{}", file.name);
        assert!(svg != &before.svg && file.pdf.starts_with(b"%PDF-1.4"));
        let pdf = String::from_utf8(file.pdf.clone()).unwrap();
        // Lines and marks are drawn, and the ends of the axes are written.
        assert!(pdf.matches(" S Q").count() > 5 && pdf.matches(" Tj ET").count() > 4, "{pdf}");
    }
}

#[test]
fn the_page_has_every_section_and_the_right_numbers() {
    let folder = experiment("page", "an experiment");
    let it = read(&folder);
    assert_eq!((it.runs.len(), it.runs[0].name.as_str()), (3, "run-01"));
    let page = html(&[it]);
    for id in ["learning", "weights", "spread", "games", "final", "origin"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert_eq!(pictures(&page).len(), 2 * 2 + 1 + 3 + 1 + 1);
    for said in [
        "Expected:",
        "finished and scored",
        // The median of 1, 2 and 3 times 10 to the power of 2.
        "generation 20: score 200.0, median of 3 runs\n95 % [160.0, 240.0]",
        "generation 10: % of the games: 50.00, median of 3 runs",
        "▲ learned is better",
        "[1.500, ∞]",
        "○ open; about 300 more games would settle it",
        "run-02: 200.0 in the end",
        "evalforge learn ",
        "bound = &quot;bernstein&quot;",
    ] {
        assert!(page.contains(said), "{said}");
    }
    // Eight weights of 1 to 8: the last one is 8 / sqrt(204).
    assert!(page.contains("rows-with-holes\ngeneration 20: 0.560"), "weights");
    // The length of dn is 40.74: its holes weigh -13.08.
    let dn: f64 = [12.63, 6.60, 9.22, 19.77, 13.08, 10.49, 1.61, 24.04].iter().map(|x: &f64| x * x).sum();
    let holes = play::numbers::number(-13.08 / dn.sqrt());
    assert!(page.contains(&format!("holes, dn: {holes}")), "{holes}");
    assert!(!page.contains("holes, dellacherie"));
    assert!(page.len() < 300_000, "{}", page.len());
}

#[test]
fn text_from_files_stays_text_and_nothing_is_fetched() {
    let folder = experiment("evil", EVIL);
    folder.write("config.toml", &CONFIG.replace("Nothing", "</code></pre><img src=x onerror=alert(1)>"));
    let page = html(&[read(&folder)]);
    pictures(&page);
    assert!(page.contains("a&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;|"));
    assert_eq!(page.matches("<script>").count(), 1);
    for forbidden in ["<img", "<b>that", "http:", "https:", "href=", "url(", "@import", "\u{1b}"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let words = text(&[read(&folder)]) + &markdown(&[read(&folder)]);
    assert!(!words.contains('\u{1b}') && !markdown(&[read(&folder)]).contains("<script>"));
}

#[test]
fn two_experiments_share_their_axes() {
    let (first, second) = (experiment("first", "same"), experiment("second", "same"));
    let both = [read(&first), read(&second)];
    let page = html(&both);
    pictures(&page);
    assert!(page.contains("<section id=\"comparison\">") && page.contains("<h1>2 experiments</h1>"));
    let names = labels(&both);
    assert!(names[0].starts_with("same (") && names[0] != names[1], "{names:?}");
    let curve = page.split("<figure").nth(1).unwrap();
    for (colour, name) in names.iter().enumerate() {
        assert!(curve.contains(&format!("class=\"l t c{colour}\"")) && curve.contains(name), "{name}");
    }
    let twice = [read(&first), read(&first)];
    assert!(labels(&twice)[1].ends_with(" #2"));
    let table = text(&both);
    assert!(table.contains("median") && table.contains("200.0"), "{table}");
}

#[test]
fn csv_and_markdown_say_the_same() {
    let folder = experiment("tables", "a, \"b\"");
    let it = [read(&folder)];
    let rows = csv(&it);
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines.len(), 1 + 3 * 20);
    assert!(lines[0].contains(",weight hole-depth,weight rows-with-holes,deviation landing-height,"));
    assert!(
        lines[0]
            .ends_with(",deviation rows-with-holes,axis 1,axis 2,axis 3,axis 4,axis 5,axis 6,axis 7,axis 8")
    );
    assert_eq!(lines[0].split(',').count(), 19 + 3 * 8);
    // The name is quoted, so the rest is counted behind it.
    let (_, rest) = lines[20].split_once("\"\"b\"\"\",,1,").unwrap();
    let cells: Vec<&str> = rest.split(',').collect();
    assert_eq!(&cells[..5], ["run-01", "20", "200", "2000", "20"]);
    assert_eq!((cells[7], cells[8], cells[9], cells[10], cells[11]), ("10", "50", "10", "100", "100"));
    assert_eq!((cells[23], cells[24], cells[39], cells.len()), ("8", "0.1", "1", 40));
    let page = markdown(&it);
    for part in ["| learned | 200.0 | \\[160.0, 240.0\\] | 100 |", "```toml", "evalforge learn ", "## State"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// A quick variant says what it is wherever it is shown, and nothing is expected of it.
#[test]
fn a_quick_variant_is_no_test_of_what_is_expected() {
    let folder = experiment("quick", "an experiment");
    // The contest of the fixture is the first one of this seed.
    let seed = train::run::evaluate::Series::Score(0).seed(1, 0);
    let scores = fs::read_to_string(folder.path().join("scores.json")).unwrap();
    folder.write("scores.json", &scores.replace("\"seed\":3", &format!("\"seed\":{seed}")));
    let forms: [fn(&[Experiment]) -> String; 3] = [html, text, markdown];
    for (expect, found, verdict) in [
        ("{ about = 210, games = 100 }", "about 210", "▲ met"),
        ("{ at_least = 250 }", "at least 250", "▼ not met: less"),
        ("{ at_least = 190, at_most = 210 }", "190", "○ open"),
        ("{ at_least = 1.2, against = \"dn\" }", "learned / dn", "▲ met"),
        ("{ at_most = 0.5, against = \"dn\" }", "at most 0.5", "▼ not met: more"),
    ] {
        folder.write("config.toml", &format!("{CONFIG}expect = {expect}\n"));
        for form in forms {
            let said = form(&[read(&folder)]);
            for part in ["Expected:", "Nothing", "What was expected", found, verdict] {
                assert!(said.contains(part), "{part}: {said}");
            }
            assert!(!said.contains("uick variant"));
        }
    }
    let quick = format!("variant = \"quick\"\n{CONFIG}expect = {{ at_least = 250 }}\n");
    folder.write("config.toml", &quick);
    for form in forms {
        let said = form(&[read(&folder)]);
        assert!(said.contains("Quick variant: fewer") && said.contains("an experiment (quick variant)"));
        assert!(!said.contains("Expected:") && !said.contains("What was expected"), "{said}");
    }
    let rows = csv(&[read(&folder)]);
    assert!(rows.lines().nth(1).unwrap().starts_with("an experiment (quick variant),quick,1,run-01,1,"));
}

/// Folders that differ in nothing but the seed are runs of one experiment, and so are single runs that were made apart.
#[test]
fn seeds_and_runs_made_apart_are_one_experiment() {
    let folders = [1, 2, 3].map(|seed| {
        let folder = experiment(&format!("pool-{seed}"), "same");
        folder.write("config.toml", &format!("seed = {seed}\n{CONFIG}"));
        let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
        folder.write("manifest.json", &manifest.replace("\"seed\":1", &format!("\"seed\":{seed}")));
        let scores = fs::read_to_string(folder.path().join("scores.json")).unwrap();
        // The means are 100, 200 and 300.
        folder.write("scores.json", &scores.replacen("200.0", &format!("{seed}00.0"), 1));
        folder
    });
    let all = || folders.iter().map(read).collect::<Vec<_>>();
    let [it] = &pool(all())[..] else { panic!("one experiment") };
    assert_eq!((it.runs.len(), it.config.runs, it.seeds()), (9, 9, vec![1, 2, 3]));
    assert_eq!(it.runs[8].name, "seed 3, run-03");
    let contest = &it.scores[0];
    let learned = &contest.players[0];
    assert_eq!(
        (learned.player.as_str(), learned.score.mean, learned.score.n),
        ("learned, mean of 3 results", 200.0, 300)
    );
    // Student's 4.30 for two degrees of freedom, times 100 over the root of three: more than the mean itself.
    let [low, high] = learned.score.ci95.unwrap();
    assert!(low == 0.0 && (high - 448.4).abs() < 0.5, "{low} {high}");
    assert_eq!(contest.players.last().unwrap().player, "learned, seed 3");
    let alone = std::slice::from_ref(it);
    for page in [html(alone), markdown(alone), text(alone)] {
        assert!(page.contains("3 folders as one experiment") && page.contains("3 seeds"), "{page}");
    }
    assert!(csv(alone).lines().last().unwrap().starts_with("same,,3,\"seed 3, run-03\",20,"));
    // Another configuration is another experiment, and the same run twice is not two.
    folders[1].write(
        "config.toml",
        &format!("seed = 2\n{}", CONFIG.replace("generations = 20", "generations = 19")),
    );
    assert_eq!(pool(all()).len(), 2);
    assert_eq!(pool(vec![read(&folders[0]), read(&folders[0])]).len(), 2);
    // Of one seed, the runs are joined by their numbers.
    for (folder, run) in folders.iter().zip(1..) {
        folder.write("config.toml", &format!("run = {run}\n{CONFIG}"));
        let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
        folder.write("manifest.json", &manifest.replace(&format!("\"seed\":{run}"), "\"seed\":1"));
        for other in (1..=3).filter(|other| *other != run) {
            fs::remove_dir_all(folder.path().join(format!("run-{other:02}"))).unwrap();
        }
    }
    let [it] = &pool(all())[..] else { panic!("one experiment") };
    let names: Vec<&str> = it.runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!((names, it.config.runs), (vec!["run-01", "run-02", "run-03"], 3));
}

#[test]
fn what_is_not_finished_is_shown_as_far_as_it_is() {
    let folder = experiment("running", "running");
    for gone in ["model.json", "scores.json"] {
        fs::remove_file(folder.path().join(gone)).unwrap();
    }
    fs::remove_dir_all(folder.path().join("run-03")).unwrap();
    let cut = log((1..=5).map(|number| generation(2, number))) + "{\"generation\":6,\"eval";
    folder.write("run-02/log.jsonl", &cut);
    let it = read(&folder);
    assert_eq!(it.runs[1].generations.len(), 5);
    let page = html(&[it]);
    pictures(&page);
    assert!(page.contains("not finished: 1 of 3 runs done, generation 5 to 20 of 20"));
    for run in ["run-01", "run-02"] {
        fs::remove_dir_all(folder.path().join(run)).unwrap();
    }
    let page = html(&[read(&folder)]);
    assert!(page.contains("nothing done yet") && pictures(&page).is_empty());
    assert!(text(&[read(&folder)]).contains("nothing done yet") && !markdown(&[read(&folder)]).is_empty());
    // A single run lies in the folder itself; a generation that was done again counts once.
    let again = log([generation(1, 1), generation(1, 2), generation(3, 2)]);
    folder.write("log.jsonl", &again);
    let it = read(&folder);
    assert_eq!((it.runs.len(), &it.runs[0].generations[..]), (1, &[generation(1, 1), generation(3, 2)][..]));
    pictures(&html(&[it]));
}

#[test]
fn without_a_curve_the_fitness_is_drawn() {
    let folder = experiment("bare", "bare");
    let bare = |number| Generation { curve: None, standing: Default::default(), ..generation(1, number) };
    for run in 1..=3 {
        folder.write(&format!("run-{run:02}/log.jsonl"), &log((1..=20).map(bare)));
    }
    let page = html(&[read(&folder)]);
    pictures(&page);
    assert!(page.contains("best fitness") && page.contains("class=\"l s c0\""));
    assert!(!page.contains("<section id=\"spread\">"));
}

#[test]
fn long_logs_make_no_heavy_page() {
    let folder = experiment("long", "long");
    for run in 1..=3 {
        let text =
            log((1..=3_000).map(|number| Generation { generation: number, ..generation(run, number % 30) }));
        folder.write(&format!("run-{run:02}/log.jsonl"), &text);
    }
    let page = html(&[read(&folder)]);
    assert!(page.len() < 1_000_000, "{}", page.len());
    for picture in pictures(&page) {
        assert!(
            picture.split("d=\"").all(|path| path.split('"').next().unwrap().matches('L').count() <= 999)
        );
    }
}

/// A log is for people: what is wrong with a line is told, and the others are shown.
#[test]
fn damaged_lines_are_told_and_left_out() {
    let whole = log((1..=20).map(|number| generation(2, number)));
    let fewer = log([Generation { centre: vec![1.0], ..generation(2, 20) }]);
    let lines: Vec<&str> = whole.lines().collect();
    let with = |place: usize, line: &str| {
        let mut lines = lines.clone();
        lines[place] = line;
        lines.join("\n") + "\n"
    };
    for (text, said) in [
        (with(4, "{}"), "run-02: log.jsonl: line 5 is damaged: missing field"),
        (with(0, ""), "run-02: log.jsonl: line 1 is damaged"),
        (with(19, fewer.trim()), "line 20 has 1 weights, but the manifest names 8 parameters"),
    ] {
        let folder = experiment("damaged", "damaged");
        folder.write("run-02/log.jsonl", &text);
        let it = read(&folder);
        assert_eq!(it.runs[1].generations.len(), 19);
        let told = super::text(&[it]);
        assert!(told.contains(said), "{said}: {told}");
    }
    let folder = experiment("damaged", "damaged");
    fs::write(folder.path().join("run-01/log.jsonl"), b"\xff\xfe\n").unwrap();
    assert!(read(&folder).runs[0].fault.as_ref().unwrap().contains("line 1 "));
}

#[test]
fn faults_name_the_file() {
    let fault = |name: &str, text: &str| {
        let folder = experiment("fault", "fault");
        folder.write(name, text);
        let error = Experiment::read(folder.path()).expect_err(name);
        let said = error.to_string();
        assert!(said.contains(name) && !said.contains('\n'), "{said}");
        error.reason
    };
    for (name, text, part) in [
        ("manifest.json", "{", "EOF"),
        ("manifest.json", "[]", "names no format"),
        ("manifest.json", "{\"format\": \"tar\"}", "known: evalforge run 1"),
        ("manifest.json", "{\"format\": \"evalforge run 1\"}", "missing field"),
        ("config.toml", "generations = \"x\"", "generations"),
        ("config.toml", "generatons = 3", ""),
        ("scores.json", "{}", "expected a sequence"),
        ("scores.json", "[{\"players\": [{\"ratio\": [1]}]}]", ""),
        ("model.json", "[3", ""),
        ("run-02/model.json", "{}", "missing field"),
    ] {
        let reason = fault(name, text);
        assert!(reason.contains(part), "{name}: {reason}");
    }
    let folder = experiment("broken", "broken");
    fs::remove_file(folder.path().join("config.toml")).unwrap();
    assert!(Experiment::read(folder.path()).unwrap_err().to_string().contains("config.toml: it is missing"));
    for wrong in ["no-such-folder", "run-01/log.jsonl", "run-02"] {
        let error = Experiment::read(&folder.path().join(wrong)).unwrap_err().to_string();
        assert!(error.contains(wrong), "{error}");
    }
}

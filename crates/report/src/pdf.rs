//! Our own pictures as PDF: the paths, texts, circles and rectangles of an SVG that this crate has drawn, as vector operators of one page. It reads
//! what the drawing code writes and nothing else; what it does not know it leaves out.

use std::fmt::Write;

use super::plot;
use super::svg::COLOURS;

/// How something is painted.
#[derive(Clone, Copy)]
struct Paint {
    fill: Option<[f64; 3]>,
    stroke: Option<[f64; 3]>,
    width: f64,
    opacity: f64,
    dash: &'static str,
}

const GREY: [f64; 3] = [0.373, 0.408, 0.471];

/// The page of a picture.
pub fn of_svg(svg: &str) -> Vec<u8> {
    let (width, height) = size(svg);
    let mut page = Page { height, ..Page::default() };
    page.read(svg);
    document(width, height, &page.out)
}

/// Width and height in the picture's own units, which become points.
fn size(svg: &str) -> (f64, f64) {
    let view = attribute(svg, "viewBox").unwrap_or("0 0 600 340");
    let mut numbers = view.split(' ').skip(2).map(|number| number.parse().unwrap_or(600.0));
    (numbers.next().unwrap_or(600.0), numbers.next().unwrap_or(340.0))
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).and_then(|value| value.parse().ok()).unwrap_or(0.0)
}

#[derive(Default)]
struct Page {
    height: f64,
    /// How far down charts inside the picture begin, the inner one last.
    down: Vec<f64>,
    /// The classes of the groups that are open.
    groups: Vec<String>,
    out: String,
}

impl Page {
    fn read(&mut self, svg: &str) {
        for part in svg.split('<').skip(1) {
            let Some((tag, text)) = part.split_once('>') else { continue };
            match tag.split([' ', '/']).next().unwrap_or_default() {
                "svg" => self.down.push(self.top() + number(tag, "y")),
                "g" => self.groups.push(attribute(tag, "class").unwrap_or_default().to_string()),
                "path" => self.path(tag),
                "rect" => self.rect(tag),
                "circle" => self.circle(tag),
                "text" => self.text(tag, text),
                _ if tag == "/svg" => drop(self.down.pop()),
                _ if tag == "/g" => drop(self.groups.pop()),
                _ => {}
            }
        }
    }

    fn top(&self) -> f64 {
        self.down.last().copied().unwrap_or(0.0)
    }

    /// A place on the page, whose origin is below on the left.
    fn at(&self, x: f64, y: f64) -> String {
        format!("{x:.2} {:.2}", self.height - self.top() - y)
    }

    fn paint(&self, tag: &str, name: &str) -> Option<Paint> {
        let own = attribute(tag, "class").unwrap_or_default();
        let group = self.groups.last().cloned().unwrap_or_default();
        let classes: Vec<&str> = own.split(' ').chain(group.split(' ')).collect();
        let has = |class: &str| classes.contains(&class);
        let colour = classes.iter().find_map(|class| class.strip_prefix('c')?.parse::<usize>().ok());
        let colour = colour.map(|colour| rgb(COLOURS[colour % plot::COLOURS]));
        let plain = Paint { fill: None, stroke: colour, width: 1.0, opacity: 1.0, dash: "" };
        let dash = match () {
            () if has("s") => "6 5",
            () if has("d1") => "7 4",
            () if has("d2") => "2 5",
            () if has("d3") => "9 4 2 4",
            () => "",
        };
        Some(match () {
            () if has("p") => return None,
            () if has("l") && has("t") => Paint { opacity: 0.45, dash, ..plain },
            () if has("l") => Paint { width: 2.6, dash, ..plain },
            () if has("w") => Paint { opacity: 0.5, ..plain },
            () if has("b") => Paint { fill: colour, stroke: None, opacity: 0.16, ..plain },
            () if has("g") => Paint { stroke: Some(rgb("#dfe3ea")), ..plain },
            () if has("k") => Paint { stroke: Some(rgb("#8a93a3")), ..plain },
            () if has("box") && name == "rect" => Paint { fill: colour, opacity: 0.35, width: 1.3, ..plain },
            () if has("median") => Paint { width: 3.0, ..plain },
            () if has("box") => Paint { width: 1.3, ..plain },
            () if has("cross") => Paint { width: 2.6, ..plain },
            () if has("dot") || has("mark") => Paint { fill: colour, stroke: None, opacity: 0.8, ..plain },
            () => return None,
        })
    }

    fn painted(&mut self, paint: Paint, shape: &str) {
        let opacity = OPACITIES.iter().position(|&known| known == paint.opacity).unwrap_or(0);
        let _ = write!(self.out, "q /O{opacity} gs {:.1} w 1 J 1 j [{}] 0 d ", paint.width, paint.dash);
        let colour = |[red, green, blue]: [f64; 3], operator: &str| {
            format!("{red:.3} {green:.3} {blue:.3} {operator} ")
        };
        self.out.extend(paint.fill.map(|it| colour(it, "rg")));
        self.out.extend(paint.stroke.map(|it| colour(it, "RG")));
        let end = match (paint.fill, paint.stroke) {
            (Some(_), Some(_)) => "B",
            (Some(_), None) => "f",
            _ => "S",
        };
        let _ = writeln!(self.out, "{shape}{end} Q");
    }

    fn path(&mut self, tag: &str) {
        let (Some(paint), Some(d)) = (self.paint(tag, "path"), attribute(tag, "d")) else { return };
        let mut shape = String::new();
        let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
        let mut rest = d;
        while let Some(command) = rest.chars().next() {
            let end =
                rest[1..].find(|sign: char| sign.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
            let numbers = numbers(&rest[1..end]);
            rest = &rest[end..];
            let pair = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
            match command {
                'M' | 'L' => (x, y) = (pair(0), pair(1)),
                'm' | 'l' => (x, y) = (x + pair(0), y + pair(1)),
                'H' => x = pair(0),
                'h' => x += pair(0),
                'V' => y = pair(0),
                'v' => y += pair(0),
                _ => {
                    (x, y) = start;
                    shape.push_str("h ");
                    continue;
                }
            }
            let moves = command.eq_ignore_ascii_case(&'m');
            if moves {
                start = (x, y);
            }
            let _ = write!(shape, "{} {} ", self.at(x, y), if moves { "m" } else { "l" });
        }
        self.painted(paint, &shape);
    }

    fn rect(&mut self, tag: &str) {
        // What stands behind all is white, as the page is.
        let Some(paint) = self.paint(tag, "rect") else { return };
        let (width, height) = (number(tag, "width"), number(tag, "height"));
        let corner = self.at(number(tag, "x"), number(tag, "y") + height);
        self.painted(paint, &format!("{corner} {width:.2} {height:.2} re "));
    }

    fn circle(&mut self, tag: &str) {
        let Some(paint) = self.paint(tag, "circle") else { return };
        let (x, y, r) = (number(tag, "cx"), number(tag, "cy"), number(tag, "r"));
        // Four curves; this is how far their control points lie (0.5523 of the radius).
        let k = 0.5523 * r;
        let at = |dx: f64, dy: f64| self.at(x + dx, y + dy);
        let curve = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
            format!("{} {} {} c ", at(a.0, a.1), at(b.0, b.1), at(c.0, c.1))
        };
        let shape = format!("{} m ", at(r, 0.0))
            + &curve((r, k), (k, r), (0.0, r))
            + &curve((-k, r), (-r, k), (-r, 0.0))
            + &curve((-r, -k), (-k, -r), (0.0, -r))
            + &curve((k, -r), (r, -k), (r, 0.0));
        self.painted(paint, &shape);
    }

    fn text(&mut self, tag: &str, text: &str) {
        let classes: Vec<&str> = attribute(tag, "class").unwrap_or_default().split(' ').collect();
        let heading = classes.contains(&"h");
        let size = if heading { 14.0 } else { 12.0 };
        let plain = unescaped(text);
        // The width of Helvetica, near enough to centre a label.
        let width: f64 = plain.chars().map(|sign| size * breadth(sign)).sum();
        let x = number(tag, "x");
        let x = match () {
            () if classes.contains(&"e") => x - width,
            () if classes.contains(&"m") => x - width / 2.0,
            () => x,
        };
        let colour = classes.iter().find_map(|class| class.strip_prefix('c')?.parse::<usize>().ok());
        let [red, green, blue] = match colour {
            Some(colour) => rgb(COLOURS[colour % plot::COLOURS]),
            None if heading => rgb("#1b1f27"),
            None => GREY,
        };
        let font = if heading { "F2" } else { "F1" };
        let at = self.at(x, number(tag, "y"));
        let _ = writeln!(
            self.out,
            "BT /{font} {size} Tf {red:.3} {green:.3} {blue:.3} rg {at} Td ({}) Tj ET",
            literal(&plain)
        );
    }
}

/// The numbers of a command of a path, which may stand without a space before a sign.
fn numbers(text: &str) -> Vec<f64> {
    let mut spaced = String::new();
    for sign in text.chars() {
        match sign {
            '-' => spaced.push_str(" -"),
            ',' => spaced.push(' '),
            sign => spaced.push(sign),
        }
    }
    spaced.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn rgb(text: &str) -> [f64; 3] {
    [1, 3, 5]
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_or(0.0, |value| f64::from(value) / 255.0))
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// A text in the letters of Windows-1252, which every reader of PDF knows; others become a mark.
fn literal(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '(' | ')' | '\\' => out.extend(['\\', sign]),
            ' '..='~' => out.push(sign),
            '…' => out.push_str("\\205"),
            '–' => out.push_str("\\226"),
            '\u{a0}'..='\u{ff}' => out.push_str(&format!("\\{:03o}", u32::from(sign))),
            _ => out.push('?'),
        }
    }
    out
}

/// The breadth of a letter of Helvetica over its size, roughly.
fn breadth(sign: char) -> f64 {
    match sign {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | 'I' | '!' => 0.25,
        'f' | 't' | 'r' | ' ' | '-' | '(' | ')' | '[' | ']' | '/' => 0.31,
        'm' | 'w' | 'M' | 'W' | '%' => 0.85,
        'A'..='Z' => 0.69,
        _ => 0.556,
    }
}

/// Every opacity there is.
const OPACITIES: [f64; 6] = [1.0, 0.45, 0.5, 0.16, 0.35, 0.8];

/// A file of one page with this content.
fn document(width: f64, height: f64, content: &str) -> Vec<u8> {
    let states: String =
        OPACITIES.iter().enumerate().map(|(i, it)| format!("/O{i} << /ca {it} /CA {it} >> ")).collect();
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
    };
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources \
             << /Font << /F1 5 0 R /F2 6 0 R >> /ExtGState << {states}>> >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len() + 1),
        font("Helvetica"),
        font("Helvetica-Bold"),
    ];
    let mut out = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", i + 1);
    }
    let table = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(out, "{place:010} 00000 n ");
    }
    let _ =
        write!(out, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_and_texts_are_where_they_were() {
        let svg = "<svg viewBox=\"0 0 200 100\"><svg x=\"0\" y=\"10\" viewBox=\"0 0 200 90\"><path class=\"l c0\" d=\"M10 20L30 40v-5h2m-4-4l8 8z\"/>\
                   <text class=\"e\" x=\"50\" y=\"60\">a(b)</text><circle class=\"p c0\" cx=\"1\" cy=\"1\" r=\"6\"/></svg></svg>";
        let pdf = String::from_utf8(of_svg(svg)).unwrap();
        assert!(pdf.starts_with("%PDF-1.4") && pdf.ends_with("%%EOF\n"));
        let path =
            "10.00 70.00 m 30.00 50.00 l 30.00 55.00 l 32.00 55.00 l 28.00 59.00 m 36.00 51.00 l h S Q";
        assert!(pdf.contains(path), "{pdf}");
        assert!(pdf.contains("0.000 0.447 0.698 RG") && pdf.contains("(a\\(b\\)) Tj"));
        assert_eq!(pdf.matches(" S Q").count(), 1, "places to point at are not drawn");
        // Each object is where the table says, and the stream is as long as it says.
        for (number, place) in pdf.split("xref\n0 7\n").nth(1).unwrap().lines().skip(1).take(6).enumerate() {
            let place: usize = place[..10].parse().unwrap();
            assert!(pdf[place..].starts_with(&format!("{} 0 obj", number + 1)));
        }
        let (head, rest) = pdf.split_once(" >>\nstream\n").unwrap();
        let length: usize = head.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(rest[length..].starts_with("endstream"), "{length}");
    }
}

//! HTTP/1.1 as far as remote calls need it: one message with a length at a time, over one connection or many. Every line,
//! every head and every body has a limit in bytes, and a whole message one in time.

use std::io::{self, BufRead, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use games::error::shown;
use thiserror::Error;

use super::xml_rpc::MOST_BYTES;

/// The longest head of a message, in bytes.
const MOST_HEAD: usize = 8 * 1024;

/// Why a message cannot be read.
#[derive(Debug, Error)]
pub enum HttpError {
    /// The connection broke, or time ran out.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The other side breaks a rule or a limit; the number is the status that says so.
    #[error("{1}")]
    Refused(u16, String),
}

fn refused<T>(status: u16, message: impl Into<String>) -> Result<T, HttpError> {
    Err(HttpError::Refused(status, message.into()))
}

/// A request that has come in whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What it asks for.
    pub body: Vec<u8>,
    /// Whether more may follow on the same connection.
    pub keep_alive: bool,
}

/// Reads a call that was posted to one of `paths`; none if the other side has closed the connection. `go_on` is called if
/// the sender waits for leave to send the body.
///
/// # Errors
/// The connection breaks, or the request is none that we answer.
pub fn read_request(
    reader: &mut impl BufRead,
    paths: &[&str],
    go_on: &mut dyn FnMut() -> io::Result<()>,
) -> Result<Option<Request>, HttpError> {
    let Some((first, headers)) = read_head(reader)? else { return Ok(None) };
    let words: Vec<&str> = first.split(' ').collect();
    let [method, target, version] = words[..] else { return refused(400, "no request line") };
    let keep_alive = match version {
        "HTTP/1.1" => !headers.lists("connection", "close"),
        "HTTP/1.0" => headers.lists("connection", "keep-alive"),
        _ => return refused(505, "only HTTP/1.0 and HTTP/1.1 are spoken"),
    };
    if !paths.contains(&target.split('?').next().unwrap_or_default()) {
        return refused(404, format!("nothing is here; calls go to {}", paths[0]));
    }
    if method != "POST" {
        return refused(405, "calls are sent with POST");
    }
    // Pages in a browser may send to any address of this machine, and browsers say so. Old ones do not, but they let a page of
    // another site post only forms, plain text and what has no type at all.
    if headers.get("origin").or(headers.get("sec-fetch-site")).is_some() {
        return refused(403, "calls from pages in a browser are not answered");
    }
    let Some(kind) = headers.get("content-type") else { return refused(415, "calls are text/xml") };
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !matches!(kind.as_str(), "text/xml" | "application/xml") {
        return refused(415, "calls are text/xml");
    }
    if headers.get("content-encoding").is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        return refused(415, "calls are sent without compression");
    }
    if headers.get("transfer-encoding").is_some() {
        return refused(411, "calls are sent with a Content-Length");
    }
    let Some(length) = headers.length()? else { return refused(411, "Content-Length is missing") };
    if headers.lists("expect", "100-continue") {
        go_on()?;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { body, keep_alive }))
}

/// Reads the body of a response.
///
/// # Errors
/// The connection breaks, or the response does not say that all is well.
pub fn read_response(reader: &mut impl BufRead) -> Result<Vec<u8>, HttpError> {
    let Some((first, headers)) = read_head(reader)? else {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    };
    let mut words = first.splitn(3, ' ');
    let (Some("HTTP/1.1" | "HTTP/1.0"), Some(status)) = (words.next(), words.next()) else {
        return refused(0, "the answer is not HTTP");
    };
    if status != "200" {
        return refused(0, format!("the answer is {}", shown(&first)));
    }
    if headers.get("transfer-encoding").is_some() {
        return refused(0, "the answer has no Content-Length, which remote calls must have");
    }
    let mut body = Vec::new();
    match headers.length()? {
        Some(length) => {
            body.resize(length, 0);
            reader.read_exact(&mut body)?;
        }
        // Old servers close the connection instead.
        None => {
            reader.take(MOST_BYTES as u64 + 1).read_to_end(&mut body)?;
            if body.len() > MOST_BYTES {
                return refused(413, format!("longer than {MOST_BYTES} bytes"));
            }
        }
    }
    Ok(body)
}

/// A response as bytes, to be written at once: small packets one after another wait for each other.
pub fn response(status: u16, kind: &str, body: &str, keep_alive: bool) -> Vec<u8> {
    let reason = match status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Bad Request",
    };
    let allow = if status == 405 { "Allow: POST\r\n" } else { "" };
    let connection = if keep_alive { "keep-alive" } else { "close" };
    let length = body.len();
    format!(
        "HTTP/1.1 {status} {reason}\r\n{allow}Content-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: {connection}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A call as bytes. Each has a connection of its own: a server that serves one connection at a time must not be held.
pub fn request(host: &str, path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/xml\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

struct Headers(Vec<(String, String)>);

impl Headers {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether a word is in the list that a header holds.
    fn lists(&self, name: &str, word: &str) -> bool {
        self.all(name).flat_map(|value| value.split(',')).any(|one| one.trim().eq_ignore_ascii_case(word))
    }

    /// The length of the body, if one is said. Two lengths are how requests are smuggled.
    fn length(&self) -> Result<Option<usize>, HttpError> {
        let mut lengths = self.all("content-length");
        let Some(text) = lengths.next() else { return Ok(None) };
        if lengths.next().is_some() || text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
            return refused(400, "Content-Length is not one number");
        }
        match text.parse() {
            Ok(length) if length <= MOST_BYTES => Ok(Some(length)),
            _ => refused(413, format!("longer than {MOST_BYTES} bytes")),
        }
    }
}

/// The first line and the headers; none if the connection ends before anything has come.
fn read_head(reader: &mut impl BufRead) -> Result<Option<(String, Headers)>, HttpError> {
    let mut budget = MOST_HEAD;
    let Some(mut first) = read_line(reader, &mut budget)? else { return Ok(None) };
    if first.is_empty() {
        // Some clients end their bodies with a line feed too many.
        let Some(second) = read_line(reader, &mut budget)? else { return Ok(None) };
        first = second;
    }
    let mut headers = Vec::new();
    loop {
        let Some(line) = read_line(reader, &mut budget)? else {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        };
        if line.is_empty() {
            return Ok(Some((first, Headers(headers))));
        }
        let Some((name, value)) = line.split_once(':') else { return refused(400, "a header has no colon") };
        if name.is_empty() || name.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return refused(400, "the name of a header is none");
        }
        headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
    }
}

fn read_line(reader: &mut impl BufRead, budget: &mut usize) -> Result<Option<String>, HttpError> {
    let mut line = Vec::new();
    let read = reader.take(*budget as u64).read_until(b'\n', &mut line)?;
    *budget -= read;
    if line.pop_if(|byte| *byte == b'\n').is_none() {
        return match (*budget, read) {
            (0, _) => refused(431, format!("the head is longer than {MOST_HEAD} bytes")),
            (_, 0) => Ok(None),
            _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        };
    }
    line.pop_if(|byte| *byte == b'\r');
    if line.iter().any(|&byte| byte < 32 && byte != b'\t' || byte == 127) {
        return refused(400, "control characters in the head");
    }
    String::from_utf8(line).map(Some).or_else(|_| refused(400, "the head is not UTF-8"))
}

/// A connection that is read up to a moment and not beyond it, however slowly the bytes drip.
pub struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Timed {
    /// Reads from a connection for this long.
    pub fn new(stream: TcpStream, time: Duration) -> Self {
        Self { stream, deadline: Instant::now() + time }
    }

    /// From now on, for this long.
    pub fn allow(&mut self, time: Duration) {
        self.until(Instant::now() + time);
    }

    /// Up to this moment.
    pub fn until(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

/// Whether an error says that time ran out; systems have two words for it.
pub fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

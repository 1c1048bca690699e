//! As much of XML as XML-RPC needs, read strictly: tags without attributes, text, the five named entities and character
//! numbers. Document types are refused, and with them every entity that could grow or reach for a file.

use super::xml_rpc::XmlError;

/// What a reader meets next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token<'a> {
    /// `<name>`; an empty element is this and the closing tag.
    Open(&'a str),
    /// `</name>`.
    Close(&'a str),
    /// Text with its entities resolved, blanks included.
    Text(String),
    /// Nothing is left.
    End,
}

/// Reads token by token.
pub struct Tokens<'a> {
    rest: &'a str,
    /// The element that was empty and is still to be closed.
    empty: Option<&'a str>,
    peeked: Option<Token<'a>>,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), empty: None, peeked: None }
    }

    /// The next token, left where it is.
    pub fn peek(&mut self) -> Result<&Token<'a>, XmlError> {
        let token = match self.peeked.take() {
            Some(token) => token,
            None => self.read()?,
        };
        Ok(self.peeked.insert(token))
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token<'a>, XmlError> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.read(),
        }
    }

    /// Passes over blanks between elements.
    pub fn skip_blanks(&mut self) -> Result<(), XmlError> {
        while matches!(self.peek()?, Token::Text(text) if text.trim().is_empty()) {
            self.peeked = None;
        }
        Ok(())
    }

    /// The text up to the next tag; none is an empty one.
    pub fn text(&mut self) -> Result<String, XmlError> {
        let mut whole = String::new();
        while let Token::Text(text) = self.peek()? {
            whole.push_str(text);
            self.peeked = None;
        }
        Ok(whole)
    }

    /// Whether the next element is of this name; it is entered then.
    pub fn enter_if(&mut self, name: &str) -> Result<bool, XmlError> {
        self.skip_blanks()?;
        let found = *self.peek()? == Token::Open(name);
        if found {
            self.peeked = None;
        }
        Ok(found)
    }

    /// Enters the element of this name.
    pub fn enter(&mut self, name: &str) -> Result<(), XmlError> {
        if self.enter_if(name)? { Ok(()) } else { Err(self.unexpected(&format!("<{name}>"))) }
    }

    /// Leaves the element of this name.
    pub fn leave(&mut self, name: &str) -> Result<(), XmlError> {
        self.skip_blanks()?;
        match self.peek()? {
            Token::Close(found) if *found == name => {
                self.peeked = None;
                Ok(())
            }
            _ => Err(self.unexpected(&format!("</{name}>"))),
        }
    }

    /// The error that something else was expected here.
    pub fn unexpected(&mut self, expected: &str) -> XmlError {
        let found = match self.peek() {
            Ok(Token::Open(name)) => format!("<{}>", cut(name)),
            Ok(Token::Close(name)) => format!("</{}>", cut(name)),
            Ok(Token::Text(_)) => "text".to_string(),
            Ok(Token::End) => "the end".to_string(),
            Err(error) => return error,
        };
        XmlError(format!("{expected} expected, {found} found"))
    }

    fn read(&mut self) -> Result<Token<'a>, XmlError> {
        if let Some(name) = self.empty.take() {
            return Ok(Token::Close(name));
        }
        loop {
            // Comments and instructions to programs say nothing to us.
            if let Some(rest) = self.rest.strip_prefix("<!--") {
                self.rest = after(rest, "-->")?.1;
            } else if let Some(rest) = self.rest.strip_prefix("<?") {
                self.rest = after(rest, "?>")?.1;
            } else {
                break;
            }
        }
        if self.rest.is_empty() {
            return Ok(Token::End);
        }
        if let Some(rest) = self.rest.strip_prefix("<![CDATA[") {
            let (text, rest) = after(rest, "]]>")?;
            self.rest = rest;
            return Ok(Token::Text(text.to_string()));
        }
        let Some(rest) = self.rest.strip_prefix('<') else {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            let (text, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(Token::Text(resolved(text)?));
        };
        let (tag, rest) = after(rest, ">")?;
        self.rest = rest;
        let closing = tag.strip_prefix('/');
        let name = closing.or(tag.strip_suffix('/')).unwrap_or(tag).trim_ascii_end();
        let sound = |sign: char| sign.is_ascii_alphanumeric() || "._:-".contains(sign);
        if name.is_empty() || !name.chars().all(sound) {
            return Err(XmlError(format!("<{}> is no plain tag", cut(tag))));
        }
        if closing.is_some() {
            return Ok(Token::Close(name));
        }
        if tag.ends_with('/') {
            self.empty = Some(name);
        }
        Ok(Token::Open(name))
    }
}

/// What is before a mark, and what is after it.
fn after<'a>(text: &'a str, mark: &str) -> Result<(&'a str, &'a str), XmlError> {
    text.split_once(mark).ok_or_else(|| XmlError(format!("'{mark}' is missing")))
}

/// A foreign word for a message.
pub fn cut(text: &str) -> String {
    text.chars().take(40).map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

fn resolved(text: &str) -> Result<String, XmlError> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, entity)) = rest.split_once('&') {
        whole.push_str(plain);
        let (name, after) = after(entity, ";")?;
        whole.push(character(name).ok_or_else(|| XmlError(format!("&{}; is unknown", cut(name))))?);
        rest = after;
    }
    whole.push_str(rest);
    Ok(whole)
}

fn character(entity: &str) -> Option<char> {
    let number = |digits: &str, radix| {
        let sound = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        let code = u32::from_str_radix(digits, radix).ok().filter(|_| sound)?;
        char::from_u32(code).filter(|&sign| is_character(sign))
    };
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match entity.strip_prefix('#')? {
            digits if digits.starts_with('x') => number(&digits[1..], 16),
            digits => number(digits, 10),
        },
    }
}

/// Whether XML has a character; a document that holds another is none.
pub fn is_character(sign: char) -> bool {
    match sign {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => u32::from(sign) >= 32,
    }
}

/// Text as it may stand between tags. What XML cannot hold becomes a question mark.
pub fn escaped(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => whole.push_str("&amp;"),
            '<' => whole.push_str("&lt;"),
            '>' => whole.push_str("&gt;"),
            '\r' => whole.push_str("&#13;"),
            '\t' | '\n' => whole.push(sign),
            _ if is_character(sign) => whole.push(sign),
            _ => whole.push('?'),
        }
    }
    whole
}

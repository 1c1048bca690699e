//! XML-RPC: values, calls and responses as text. The reader takes any bytes without panicking and says what is wrong; it
//! is strict, for what it lets through is played.

use thiserror::Error;

use super::xml::{Token, Tokens, cut, escaped, is_character};

/// The longest message that is read. A board takes 4 kB.
pub const MOST_BYTES: usize = 256 * 1024;
/// How deep values may be nested: a board is a matrix in a struct, four deep.
pub const MOST_DEPTH: usize = 16;

/// A text that is no message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct XmlError(pub String);

/// A value on the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `int` or `i4`.
    Int(i32),
    /// `double`, finite.
    Double(f64),
    /// `boolean`.
    Boolean(bool),
    /// `string`, or a value without a type.
    String(String),
    /// `nil`, an extension that everybody has.
    Nil,
    /// `array`.
    Array(Vec<Value>),
    /// `struct`: members in their order, names unique.
    Struct(Vec<(String, Value)>),
}

impl Value {
    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Int(_) => "int",
            Value::Double(_) => "double",
            Value::Boolean(_) => "boolean",
            Value::String(_) => "string",
            Value::Nil => "nil",
            Value::Array(_) => "array",
            Value::Struct(_) => "struct",
        }
    }

    /// A member of a struct.
    pub fn member(&self, name: &str) -> Option<&Value> {
        let Value::Struct(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn write(&self, text: &mut String) {
        text.push_str("<value>");
        match self {
            Value::Int(number) => text.push_str(&format!("<int>{number}</int>")),
            Value::Double(number) => text.push_str(&format!("<double>{number}</double>")),
            Value::Boolean(yes) => text.push_str(&format!("<boolean>{}</boolean>", u8::from(*yes))),
            Value::String(string) => text.push_str(&format!("<string>{}</string>", escaped(string))),
            Value::Nil => text.push_str("<nil/>"),
            Value::Array(values) => {
                text.push_str("<array><data>");
                values.iter().for_each(|value| value.write(text));
                text.push_str("</data></array>");
            }
            Value::Struct(members) => {
                text.push_str("<struct>");
                for (name, value) in members {
                    text.push_str(&format!("<member><name>{}</name>", escaped(name)));
                    value.write(text);
                    text.push_str("</member>");
                }
                text.push_str("</struct>");
            }
        }
        text.push_str("</value>");
    }
}

/// A call of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The method's name.
    pub method: String,
    /// What it is given.
    pub params: Vec<Value>,
}

/// An answer that says why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("fault {code}: {message}")]
pub struct Fault {
    /// A number for programs.
    pub code: i32,
    /// A line for people.
    pub message: String,
}

impl Fault {
    /// The message is no XML, or no call.
    pub const MALFORMED: i32 = -32700;
    /// There is no such method.
    pub const UNKNOWN_METHOD: i32 = -32601;
    /// The method cannot take this.
    pub const WRONG_PARAMS: i32 = -32602;
    /// The fault is ours.
    pub const INTERNAL: i32 = -32603;

    /// A fault of this kind.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

const PROLOGUE: &str = "<?xml version=\"1.0\"?>\n";

impl Call {
    /// The call as a document.
    pub fn text(&self) -> String {
        let mut text =
            format!("{PROLOGUE}<methodCall><methodName>{}</methodName><params>", escaped(&self.method));
        for param in &self.params {
            text.push_str("<param>");
            param.write(&mut text);
            text.push_str("</param>");
        }
        text + "</params></methodCall>\n"
    }

    /// Reads a call.
    ///
    /// # Errors
    /// The bytes are none.
    pub fn parse(bytes: &[u8]) -> Result<Self, XmlError> {
        let mut tokens = Tokens::new(document(bytes)?);
        tokens.enter("methodCall")?;
        tokens.enter("methodName")?;
        let method = tokens.text()?.trim().to_string();
        tokens.leave("methodName")?;
        let sound = |sign: char| sign.is_ascii_alphanumeric() || "_.:/".contains(sign);
        if method.is_empty() || !method.chars().all(sound) {
            return Err(XmlError("the name of the method is none".into()));
        }
        let mut params = Vec::new();
        if tokens.enter_if("params")? {
            while tokens.enter_if("param")? {
                params.push(value(&mut tokens, MOST_DEPTH)?);
                tokens.leave("param")?;
            }
            tokens.leave("params")?;
        }
        tokens.leave("methodCall")?;
        end(&mut tokens)?;
        Ok(Self { method, params })
    }
}

/// A response as a document.
pub fn response_text(response: &Result<Value, Fault>) -> String {
    let mut text = format!("{PROLOGUE}<methodResponse>");
    match response {
        Ok(value) => {
            text.push_str("<params><param>");
            value.write(&mut text);
            text.push_str("</param></params>");
        }
        Err(Fault { code, message }) => {
            let code = ("faultCode".to_string(), Value::Int(*code));
            let message = ("faultString".to_string(), Value::String(message.clone()));
            text.push_str("<fault>");
            Value::Struct(vec![code, message]).write(&mut text);
            text.push_str("</fault>");
        }
    }
    text + "</methodResponse>\n"
}

/// Reads a response.
///
/// # Errors
/// The bytes are none.
pub fn parse_response(bytes: &[u8]) -> Result<Result<Value, Fault>, XmlError> {
    let mut tokens = Tokens::new(document(bytes)?);
    tokens.enter("methodResponse")?;
    let response = if tokens.enter_if("fault")? {
        let fault = value(&mut tokens, MOST_DEPTH)?;
        tokens.leave("fault")?;
        let (Some(Value::Int(code)), Some(Value::String(message))) =
            (fault.member("faultCode"), fault.member("faultString"))
        else {
            return Err(XmlError("a fault has a faultCode and a faultString".into()));
        };
        Err(Fault::new(*code, message.clone()))
    } else {
        tokens.enter("params")?;
        tokens.enter("param")?;
        let value = value(&mut tokens, MOST_DEPTH)?;
        tokens.leave("param")?;
        tokens.leave("params")?;
        Ok(value)
    };
    tokens.leave("methodResponse")?;
    end(&mut tokens)?;
    Ok(response)
}

fn document(bytes: &[u8]) -> Result<&str, XmlError> {
    if bytes.len() > MOST_BYTES {
        return Err(XmlError(format!("longer than {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| XmlError("not UTF-8".into()))?;
    match text.contains(|sign| !is_character(sign)) {
        true => Err(XmlError("a character that XML has not".into())),
        false => Ok(text),
    }
}

fn end(tokens: &mut Tokens) -> Result<(), XmlError> {
    tokens.skip_blanks()?;
    if *tokens.peek()? == Token::End { Ok(()) } else { Err(tokens.unexpected("the end")) }
}

fn value(tokens: &mut Tokens, depth: usize) -> Result<Value, XmlError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(XmlError(format!("values are nested more than {MOST_DEPTH} deep")));
    };
    tokens.enter("value")?;
    let text = tokens.text()?;
    let kind = match tokens.next()? {
        // Without a type it is a string, blanks and all.
        Token::Close("value") => return Ok(Value::String(text)),
        Token::Open(kind) if text.trim().is_empty() => kind,
        Token::Open(_) => return Err(XmlError("a value is text or an element, not both".into())),
        Token::Close(name) => return Err(XmlError(format!("</value> expected, </{}> found", cut(name)))),
        Token::Text(_) | Token::End => return Err(XmlError("</value> is missing".into())),
    };
    let value = match kind {
        "int" | "i4" => Value::Int(scalar(tokens, kind, int)?),
        "double" => Value::Double(scalar(tokens, kind, double)?),
        "boolean" => Value::Boolean(scalar(tokens, kind, boolean)?),
        "string" => Value::String(tokens.text()?),
        "nil" | "ex:nil" => Value::Nil,
        "array" => array(tokens, depth)?,
        "struct" => members(tokens, depth)?,
        _ => return Err(XmlError(format!("values of type '{}' are not read", cut(kind)))),
    };
    tokens.leave(kind)?;
    tokens.leave("value")?;
    Ok(value)
}

fn scalar<T>(tokens: &mut Tokens, kind: &str, read: fn(&str) -> Option<T>) -> Result<T, XmlError> {
    let text = tokens.text()?;
    read(text.trim()).ok_or_else(|| XmlError(format!("'{}' is no {kind}", cut(&text))))
}

fn int(text: &str) -> Option<i32> {
    text.parse().ok()
}

/// Rust would read words as well, and 1e999 as infinite.
fn double(text: &str) -> Option<f64> {
    let plain = text.chars().all(|sign| sign.is_ascii_digit() || "+-.eE".contains(sign));
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn array(tokens: &mut Tokens, depth: usize) -> Result<Value, XmlError> {
    let mut values = Vec::new();
    tokens.enter("data")?;
    loop {
        tokens.skip_blanks()?;
        if *tokens.peek()? != Token::Open("value") {
            break;
        }
        values.push(value(tokens, depth)?);
    }
    tokens.leave("data")?;
    Ok(Value::Array(values))
}

fn members(tokens: &mut Tokens, depth: usize) -> Result<Value, XmlError> {
    /// Names are compared one by one; nothing that we read has more than a handful.
    const MOST_MEMBERS: usize = 64;
    let mut members: Vec<(String, Value)> = Vec::new();
    while tokens.enter_if("member")? {
        tokens.enter("name")?;
        let name = tokens.text()?;
        tokens.leave("name")?;
        if members.len() == MOST_MEMBERS || members.iter().any(|(other, _)| *other == name) {
            return Err(XmlError(format!("member '{}' comes twice, or is one too many", cut(&name))));
        }
        let value = value(tokens, depth)?;
        tokens.leave("member")?;
        members.push((name, value));
    }
    Ok(Value::Struct(members))
}

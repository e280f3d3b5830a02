//! Reading a model's answer: whatever is around the JSON, one repair of it, and what cannot be a claim put aside with its reason.
//! Knows no observation.

use crate::model::Polarity;
use serde_json::{Map, Value};
use std::fmt;

/// An answer is not longer.
const LONGEST: usize = 1 << 20;
/// No more claims of one answer are looked at.
const MOST: usize = 1_000;

/// One claim as a model proposes it; nothing of it is held against the observation yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The number of the observation, from 0.
    pub observation: usize,
    /// The head.
    pub head: String,
    /// The relation, in the model's words.
    pub relation: String,
    /// The tail.
    pub tail: String,
    /// The words that are said to say so.
    pub quote: String,
    /// Whether it holds, ended or is denied.
    pub polarity: Polarity,
    /// The words that date its beginning.
    pub from: Option<String>,
    /// The words that date its end.
    pub to: Option<String>,
    /// The tail that it replaces.
    pub corrects: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
}

impl fmt::Display for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {:?}", self.head, self.relation, self.tail)
    }
}

/// Something in an answer that cannot be a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantined {
    /// Its place in the answer, from 0.
    pub place: usize,
    /// Why, naming the field and the value.
    pub reason: String,
}

impl fmt::Display for Quarantined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "claim {} of the answer: {}", self.place, self.reason)
    }
}

/// What an answer proposes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The claims, in its order.
    pub proposals: Vec<Proposal>,
    /// What is no claim.
    pub quarantined: Vec<Quarantined>,
    /// Whether its JSON had to be repaired.
    pub repaired: bool,
}

/// Reads an answer: JSON as it stands or among other words or in a fence; where it is broken, once more with what models get wrong put
/// right (commas too many, quotes of print, an end that is missing).
///
/// # Errors
/// In words, where there is no JSON even so.
///
/// ```
/// use erstwhile::extract::llm::read_reply;
/// let fenced = "Sure!\n```json\n{\"claims\": [{\"head\": \"Ida\", \"relation\": \"age\", \"tail\": 41, \"quote\": \"I am 41\"},]}\n```";
/// let reply = read_reply(fenced)?;
/// assert_eq!((reply.proposals.len(), reply.repaired), (1, true));
/// assert_eq!(reply.proposals[0].tail, "41");
/// assert!(read_reply("I cannot help with that.").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn read_reply(text: &str) -> Result<Reply, String> {
    if text.len() > LONGEST {
        return Err(format!("it has {} bytes, more than the limit of {LONGEST}", text.len()));
    }
    let begin = text
        .find(['{', '['])
        .ok_or_else(|| if text.trim().is_empty() { "it is empty".to_owned() } else { "there is no JSON in it".to_owned() })?;
    let json = text.get(begin..).unwrap_or_default();
    let first = serde_json::Deserializer::from_str(json).into_iter::<Value>().next();
    let (value, repaired) = match first {
        Some(Ok(value)) => (value, false),
        _ => (serde_json::from_str(&repair(json)).map_err(|error| format!("{error}, after one repair"))?, true),
    };
    let claims = listed(value)?;
    let mut reply = Reply { repaired, ..Reply::default() };
    for (place, claim) in claims.into_iter().enumerate().take(MOST) {
        match proposal(claim) {
            Ok(proposal) => reply.proposals.push(proposal),
            Err(reason) => reply.quarantined.push(Quarantined { place, reason }),
        }
    }
    Ok(reply)
}

/// The list of claims, whether it stands alone, under a name, or is one claim.
fn listed(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Array(claims) => Ok(claims),
        Value::Object(mut fields) => {
            for name in ["claims", "facts", "triples"] {
                match fields.remove(name) {
                    Some(Value::Array(claims)) => return Ok(claims),
                    Some(Value::Null) => return Ok(Vec::new()),
                    Some(other) => return Err(format!("{name}: {} is no list", short(&other))),
                    None => {}
                }
            }
            if fields.contains_key("head") || fields.contains_key("subject") {
                return Ok(vec![Value::Object(fields)]);
            }
            if fields.is_empty() { Ok(Vec::new()) } else { Err("it has no field \"claims\"".to_owned()) }
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            Err(format!("{} is no list of claims", short(&other)))
        }
    }
}

fn proposal(claim: Value) -> Result<Proposal, String> {
    let Value::Object(fields) = claim else { return Err(format!("{} is no claim", short(&claim))) };
    let needed = |names: &[&str]| {
        let name = names.first().copied().unwrap_or_default();
        words(&fields, names)?.ok_or_else(|| format!("{name} is missing"))
    };
    let polarity = match words(&fields, &["polarity"])?.as_deref().map(str::to_lowercase).as_deref() {
        None | Some("holds" | "true" | "positive") => Polarity::Holds,
        Some("ends" | "ended") => Polarity::Ends,
        Some("never" | "false" | "negative") => Polarity::Never,
        Some(other) => return Err(format!("polarity: {other:?} is none")),
    };
    let observation = match fields.get("observation") {
        None | Some(Value::Null) => 0,
        Some(given) => number(given)
            .filter(|number| *number >= 0.0 && number.fract() == 0.0)
            .and_then(whole)
            .ok_or_else(|| format!("observation: {} is no number of one", short(given)))?,
    };
    let confidence = match fields.get("confidence") {
        None | Some(Value::Null) => 0.7,
        Some(given) => number(given)
            .filter(|share| (0.0..=1.0).contains(share))
            .ok_or_else(|| format!("confidence: {} does not lie between 0 and 1", short(given)))?,
    };
    Ok(Proposal {
        observation,
        head: needed(&["head", "subject"])?,
        relation: needed(&["relation", "predicate"])?,
        tail: needed(&["tail", "object"])?,
        quote: needed(&["quote"])?,
        polarity,
        from: words(&fields, &["from"])?,
        to: words(&fields, &["to"])?,
        corrects: words(&fields, &["corrects"])?,
        confidence,
    })
}

/// A field's words under the first of its names that is there: a text, or what can only be meant as one.
fn words(fields: &Map<String, Value>, names: &[&str]) -> Result<Option<String>, String> {
    let Some((name, value)) = names.iter().find_map(|name| Some((name, fields.get(*name)?))) else { return Ok(None) };
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => Ok(Some(text.trim().to_owned())),
        Value::Number(_) | Value::Bool(_) => Ok(Some(value.to_string())),
        Value::Array(_) | Value::Object(_) => Err(format!("{name}: {} is no text", short(value))),
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn whole(number: f64) -> Option<usize> {
    format!("{number:.0}").parse().ok()
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

/// JSON with what models get wrong put right: quotes of print around names, commas before an end, an end that is missing, a comment.
fn repair(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = Vec::new();
    let (mut inside, mut escaped) = (false, false);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if inside {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => inside = false,
                // A line that breaks within a text breaks the JSON.
                '\n' => {
                    out.push_str("\\n");
                    continue;
                }
                _ => {}
            }
            out.push(c);
            continue;
        }
        match c {
            '"' => {
                inside = true;
                out.push(c);
            }
            '\u{201c}' | '\u{201d}' => {
                let text: String = characters.by_ref().take_while(|c| !matches!(c, '\u{201c}' | '\u{201d}' | '"')).collect();
                out.push_str(&Value::String(text).to_string());
            }
            '/' if characters.peek() == Some(&'/') => while characters.next_if(|c| *c != '\n').is_some() {},
            '{' | '[' => {
                open.push(if c == '{' { '}' } else { ']' });
                out.push(c);
            }
            '}' | ']' => {
                drop_comma(&mut out);
                // What was opened inside and never closed ends here.
                while let Some(end) = open.pop() {
                    out.push(end);
                    if end == c {
                        break;
                    }
                }
                if open.is_empty() {
                    return out;
                }
            }
            _ => out.push(c),
        }
    }
    if inside {
        out.push('"');
    }
    drop_comma(&mut out);
    out.extend(open.into_iter().rev());
    out
}

fn drop_comma(out: &mut String) {
    let kept = out.trim_end().trim_end_matches(',').len();
    out.truncate(kept);
}

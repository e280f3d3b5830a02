//! What a request asks for: its fields, decoded and checked. Knows neither tenant nor answer.

use super::refusal::Refusal;
use crate::sparql::Position;
use crate::time::{AsOf, Moment, Zone, parse_moment};
use axum::http::{HeaderMap, StatusCode, header};
use oxrdf::NamedNode;

/// The fields of a request, in their order, decoded.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds those of a query string, or of a form.
    pub(super) fn add(&mut self, encoded: &str) -> Result<(), Refusal> {
        for pair in encoded.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.0.push((decoded(name)?, decoded(value)?));
        }
        Ok(())
    }

    /// Every value of a field.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field that may be given once.
    pub(super) fn one(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() { Err(Refusal::bad(format!("the field `{name}` is given more than once"))) } else { Ok(first) }
    }

    /// A switch: `true` or `false`.
    pub(super) fn switch(&self, name: &str) -> Result<bool, Refusal> {
        match self.one(name)? {
            None | Some("false") => Ok(false),
            Some("" | "true") => Ok(true),
            Some(other) => Err(Refusal::field(name, other, "it is neither `true` nor `false`")),
        }
    }

    /// Graphs that a request names.
    pub(super) fn graphs(&self, name: &'static str) -> Result<Vec<NamedNode>, Refusal> {
        self.all(name).map(|iri| NamedNode::new(iri).map_err(|error| Refusal::field(name, iri, error))).collect()
    }

    /// A moment of valid time in UTC, `now` being no moment of its own.
    pub(super) fn moment(&self, name: &'static str) -> Result<Option<Moment>, Refusal> {
        let said = self.one(name)?.filter(|text| !text.eq_ignore_ascii_case("now"));
        said.map(|text| parse_moment(text, &Zone::UTC).map_err(|error| Refusal::field(name, text, error))).transpose()
    }

    /// Where the request reads: `at` and `known-at`, in UTC, each `now` where it is left out.
    pub(super) fn position(&self, now: AsOf) -> Result<AsOf, Refusal> {
        let valid_at = self.moment("at")?.unwrap_or(now.valid_at);
        let known_at = match self.one("known-at")?.filter(|text| !text.eq_ignore_ascii_case("now")) {
            Some(text) => Position::known(text).map_err(|error| Refusal::field("known-at", text, error))?,
            None => now.known_at,
        };
        Ok(AsOf { valid_at, known_at })
    }
}

/// A text out of a URL or a form: `+` is a blank, and `%` two digits of a byte.
fn decoded(text: &str) -> Result<String, Refusal> {
    let wrong = || Refusal::bad(format!("{text:?} is not percent-encoded UTF-8"));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16)).and_then(|digit| u8::try_from(digit).ok());
                let (high, low) = (digit().ok_or_else(wrong)?, digit().ok_or_else(wrong)?);
                high << 4 | low
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_no_text| wrong())
}

/// The media type of a body, without its parameters, in lower case.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Refuses what a page of another origin sends, and, where only this machine may ask, what was sent to another name: a browser would carry
/// out both for any page that its user has open.
pub(super) fn check_origin(headers: &HeaderMap, is_local: bool) -> Result<(), Refusal> {
    let said = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = said(header::HOST).unwrap_or_default();
    if is_local && !is_this_machine(host) {
        let text = format!("the name {host:?} is not of this machine, and nobody else may ask here");
        return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, text));
    }
    match said(header::ORIGIN) {
        Some(origin) if origin.split_once("://").is_none_or(|(_, at)| at != host) => {
            Err(Refusal::new(StatusCode::FORBIDDEN, format!("pages of {origin:?} may not ask here")))
        }
        Some(_) | None => Ok(()),
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded() {
        let mut fields = Fields::default();
        fields.add("query=SELECT+%2A&x=1&x=2&empty&k%C3%A9=%20").unwrap();
        assert_eq!(fields.one("query").unwrap(), Some("SELECT *"));
        assert_eq!(fields.all("x").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!((fields.one("empty").unwrap(), fields.one("ké").unwrap(), fields.one("none").unwrap()), (Some(""), Some(" "), None));
        assert!(fields.one("x").is_err(), "a field that is given twice says two things");
        for wrong in ["a=%", "a=%2", "a=%zz", "a=%ff"] {
            assert!(Fields::default().add(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_this_machine_are_told_from_others() {
        for host in ["localhost", "localhost:7878", "127.0.0.1:1", "127.1.2.3", "[::1]:80", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "example.org", "example.org:7878", "localhost.example.org", "10.0.0.1:7878", "127.0.0.1.example.org"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn pages_of_other_origins_may_not_ask() {
        let with = |origin: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "localhost:7878".parse().unwrap());
            headers.insert(header::ORIGIN, origin.parse().unwrap());
            check_origin(&headers, true).map_err(|refusal| refusal.status)
        };
        assert_eq!(with("http://localhost:7878"), Ok(()));
        assert_eq!(with("http://localhost:80"), Err(StatusCode::FORBIDDEN));
        assert_eq!(with("null"), Err(StatusCode::FORBIDDEN));
    }
}

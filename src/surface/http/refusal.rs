//! What is said to a request that is not answered: a status and a text. The one mapping from error kinds to statuses.

use crate::memory::{Error, ErrorKind};
use crate::sparql::SparqlError;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::fmt;

/// A request that is not answered.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) text: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The status of a kind of error.
const fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::InvalidInput => StatusCode::BAD_REQUEST,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Limit => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Io | ErrorKind::Corrupt | ErrorKind::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl Refusal {
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), headers: Vec::new() }
    }

    /// Something in the request is wrong.
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// The value of a field is wrong.
    pub(super) fn field(name: &str, value: &str, why: impl fmt::Display) -> Self {
        Self::bad(format!("{name} {value:?}: {why}"))
    }

    /// There is no such tenant.
    pub(super) fn no_tenant(name: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no tenant {name:?}"))
    }

    pub(super) fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    /// It may be tried again.
    pub(super) fn later(text: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text).with(header::RETRY_AFTER, "1")
    }
}

impl From<SparqlError> for Refusal {
    fn from(error: SparqlError) -> Self {
        let text = error.to_string();
        if matches!(error, SparqlError::Stopped) {
            return Self::later(text);
        }
        let is_too_long = matches!(error, SparqlError::TooLong { .. });
        Self::new(if is_too_long { StatusCode::PAYLOAD_TOO_LARGE } else { status_of(ErrorKind::of_query(&error)) }, text)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let refused = Self::new(status_of(error.kind()), error.to_string());
        if let Error::Sparql(error) = error { (*error).into() } else { refused }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.text + "\n"));
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response.headers_mut().extend(self.headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_and_what_is_too_much_have_statuses_of_their_own() {
        let status = |error: SparqlError| Refusal::from(error).status.as_u16();
        assert_eq!(status(SparqlError::Syntax { line: 1, column: 2, reason: String::new() }), 400);
        assert_eq!(status(SparqlError::TooLong { bytes: 2, limit: 1 }), 413);
        assert_eq!(status(SparqlError::TooMuchAnswered { limit: 1, what: "rows" }), 422);
        assert_eq!(status(SparqlError::Stopped), 503);
    }
}

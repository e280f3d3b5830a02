//! Embeddings asked of a server on the loopback: what is sent, in how many requests, what is tried again, and what is refused.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_assert_message,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test"
)]

use erstwhile::surface::EmbeddingEndpoint;
use erstwhile::text::Embedder;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the server answers to one request.
enum Reply {
    Status(u16),
    /// A vector for each text: how many characters it has, and 1. They come in reverse order, each with its number.
    Lengths,
    Body(Value),
    /// Takes the request and never answers.
    Silence,
}

/// A request as it came: its head in small letters, and its body.
struct Came {
    head: String,
    body: Value,
}

/// A server on the loopback that answers in turn, and keeps what came.
struct Server {
    url: String,
    came: Arc<Mutex<Vec<Came>>>,
}

impl Server {
    fn answering(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let came = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&came);
        std::thread::spawn(move || {
            let mut replies = VecDeque::from(replies);
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(reply) = replies.pop_front() else { return };
                let request = read(&stream);
                let answer = match reply {
                    Reply::Status(status) => Some((status, "busy".to_owned())),
                    Reply::Lengths => Some((200, lengths(&request.body).to_string())),
                    Reply::Body(body) => Some((200, body.to_string())),
                    Reply::Silence => None,
                };
                kept.lock().unwrap().push(request);
                if let Some((status, body)) = answer {
                    let length = body.len();
                    write!(stream, "HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}").unwrap();
                } else {
                    silent.push(stream);
                }
            }
        });
        Self { url, came }
    }

    fn endpoint(&self) -> EmbeddingEndpoint {
        EmbeddingEndpoint::new(&self.url, "small-model", Some("sk-kept-quiet".to_owned())).unwrap()
    }

    fn requests(&self) -> usize {
        self.came.lock().unwrap().len()
    }
}

fn read(stream: &TcpStream) -> Came {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "the request ends in its head: {head}");
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Came { head: lower, body: serde_json::from_slice(&body).unwrap() }
}

fn lengths(request: &Value) -> Value {
    let texts = request["input"].as_array().unwrap().iter().enumerate();
    let vectors = texts.rev().map(|(at, text)| json!({ "index": at, "embedding": [text.as_str().unwrap().chars().count(), 1] }));
    json!({ "object": "list", "data": vectors.collect::<Vec<Value>>() })
}

#[test]
fn texts_go_in_batches_and_their_vectors_come_back_in_order() {
    let server = Server::answering(vec![Reply::Lengths, Reply::Lengths, Reply::Lengths]);
    let endpoint = server.endpoint().connect(None).unwrap();
    assert_eq!((endpoint.dimensions(), endpoint.name(), server.requests()), (2, "small-model", 1), "one text tells the dimensions");
    let mut texts: Vec<String> = (1..=69).map(|length| "a".repeat(length)).collect();
    texts.push(String::new());
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = endpoint.embed(&texts).unwrap();
    let counted: Vec<usize> = vectors.iter().map(|vector| format!("{:.0}", vector[0]).parse().unwrap()).collect();
    let expected: Vec<usize> = (1..=69).chain([1]).collect();
    assert_eq!(counted, expected, "an empty text is sent as a space");
    let came = server.came.lock().unwrap();
    assert_eq!(came.iter().map(|request| request.body["input"].as_array().unwrap().len()).collect::<Vec<_>>(), [1, 64, 6]);
    assert!(came[1].head.starts_with("post /v1/embeddings http/1.1"), "{}", came[1].head);
    assert!(came[1].head.contains("authorization: bearer sk-kept-quiet"), "{}", came[1].head);
    assert_eq!((&came[1].body["model"], &came[1].body["encoding_format"]), (&json!("small-model"), &json!("float")));
    assert!(!format!("{endpoint:?}").contains("kept-quiet"), "the key is never printed");
    assert!(endpoint.embed(&[]).unwrap().is_empty(), "nothing is asked for nothing: a fourth request would have no answer");
}

#[test]
fn a_busy_endpoint_is_asked_again_and_a_refusal_is_not() {
    let server = Server::answering(vec![Reply::Status(429), Reply::Lengths]);
    let endpoint = server.endpoint().connect(Some(2)).unwrap();
    assert_eq!((endpoint.embed(&["four"]).unwrap(), server.requests()), (vec![vec![4.0, 1.0]], 2));
    let refusing = Server::answering(vec![Reply::Status(401), Reply::Lengths]);
    let error = refusing.endpoint().connect(Some(2)).unwrap().embed(&["four"]).unwrap_err();
    assert_eq!((error.embedder.as_str(), refusing.requests()), ("small-model", 1));
    assert!(error.reason.contains("/v1/embeddings: it answered 401: busy"), "{error}");
    let broken = Server::answering(vec![Reply::Status(500), Reply::Status(503), Reply::Lengths]);
    let error = broken.endpoint().trying(2).connect(Some(2)).unwrap().embed(&["four"]).unwrap_err();
    assert!(error.reason.contains("it answered 503") && broken.requests() == 2, "{error}");
}

#[test]
fn what_takes_longer_than_it_may_is_let_go() {
    let silent = Server::answering(vec![Reply::Silence, Reply::Silence, Reply::Silence]);
    let began = Instant::now();
    let endpoint = silent.endpoint().within(Duration::from_millis(300)).connect(Some(2)).unwrap();
    let error = endpoint.embed(&["four"]).unwrap_err();
    assert!(error.reason.contains("timeout") && silent.requests() == 1, "{error}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn an_answer_that_does_not_fit_the_request_is_refused() {
    let one = |index: u64, numbers: Value| json!({ "index": index, "embedding": numbers });
    for (body, said) in [
        (json!({ "data": [one(0, json!([1, 2]))] }), "it gave no vector for text 1 of 2"),
        (json!({ "data": [one(0, json!([1, 2])), one(0, json!([1, 2]))] }), "it gave two vectors for text 0"),
        (json!({ "data": [one(0, json!([1, 2])), one(2, json!([1, 2]))] }), "it gave a vector for text 2 of 2"),
        (json!({ "data": [one(0, json!([1, 2])), one(1, json!([1]))] }), "it gave 1 numbers for text 1, and not 2"),
        (json!({ "data": [one(0, json!([1, 2])), one(1, json!([1, 1e300]))] }), "number out of range"),
        (json!({ "data": [one(0, json!("AAAA"))] }), "its answer is no list of embeddings"),
        (json!({ "error": "no such model" }), "its answer is no list of embeddings"),
    ] {
        let server = Server::answering(vec![Reply::Body(body)]);
        let error = server.endpoint().connect(Some(2)).unwrap().embed(&["one", "two"]).unwrap_err();
        assert!(error.reason.contains(said), "{:?} does not say {said:?}", error.reason);
    }
    let empty = Server::answering(vec![Reply::Body(json!({ "data": [one(0, json!([]))] }))]);
    assert!(empty.endpoint().connect(None).unwrap_err().reason.contains("vectors of 0 numbers"));
    assert!(empty.endpoint().connect(Some(1 << 20)).is_err());
}

#[test]
fn settings_that_cannot_be_are_refused_by_their_variable() {
    let told = |url: &str, model: &str| EmbeddingEndpoint::new(url, model, None).unwrap_err().to_string();
    assert!(told("localhost:11434", "m").starts_with("ERSTWHILE_EMBED_URL: \"localhost:11434\" does not begin with"));
    assert_eq!(told("http://localhost", " "), "ERSTWHILE_EMBED_MODEL: no model is named");
}

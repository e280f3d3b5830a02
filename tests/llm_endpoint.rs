//! The endpoint against a server on the loopback: what is sent, what is tried again, what a failure leaves, what reading again finds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_assert_message,
    missing_docs,
    reason = "a test"
)]

use erstwhile::extract::llm::{Budget, Llm};
use erstwhile::memory::MemoryOptions;
use erstwhile::model::{Authority, ObservationKind, Source, Term};
use erstwhile::surface::Endpoint;
use erstwhile::time::ZonedInstant;
use erstwhile::{Incoming, Memory, Tenant, TenantId};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the server answers to one request.
enum Reply {
    Status(u16),
    Completion(&'static str),
    /// Takes the request and never answers.
    Silence,
}

/// A request as it came: its head and its body.
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
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let came = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&came);
        std::thread::spawn(move || {
            let mut replies = VecDeque::from(replies);
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(reply) = replies.pop_front() else { return };
                kept.lock().unwrap().push(read(&stream));
                match reply {
                    Reply::Status(status) => {
                        write!(stream, "HTTP/1.1 {status} Not Now\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbusy").unwrap();
                    }
                    Reply::Completion(text) => {
                        let usage = json!({ "prompt_tokens": 210, "completion_tokens": 35 });
                        let body =
                            json!({ "choices": [{ "message": { "role": "assistant", "content": text } }], "usage": usage }).to_string();
                        let length = body.len();
                        write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
                            .unwrap();
                    }
                    Reply::Silence => silent.push(stream),
                }
            }
        });
        Self { url, came }
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new(&self.url, "small-model", Some("sk-kept-quiet".to_owned())).unwrap()
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

const MOVED: &str = r#"```json
{"claims": [{"observation": 0, "head": "Ida", "relation": "lives_in", "tail": "Basel", "quote": "moved to Basel", "from": "in March"}]}
```"#;

fn turn() -> Incoming {
    let source = Source { authority: Authority::User, name: Some("Ida".to_owned()) };
    Incoming::from_text(ObservationKind::Chat, ZonedInstant::parse("2024-05-01T09:00:00Z").unwrap(), source, "We moved to Basel in March.")
}

fn read_by(folder: &Path, model: Llm<Endpoint>) -> Memory {
    Memory::open_with(folder, MemoryOptions { extractor: Arc::new(model), ..MemoryOptions::default() }).unwrap()
}

fn tenant(memory: &Memory) -> Tenant {
    memory.tenant(&TenantId::new("ida").unwrap())
}

fn home(tenant: &Tenant) -> Vec<String> {
    let view = tenant.at(tenant.now()).unwrap();
    let held = view.values(&Term::Name("Ida".to_owned()), "lives_in");
    held.map(|answer| answer.facts.iter().map(|held| held.fact.tail.to_string()).collect()).unwrap_or_default()
}

#[test]
fn a_busy_endpoint_is_asked_again_and_the_receipt_says_what_it_cost() {
    let server = Server::answering(vec![Reply::Status(503), Reply::Completion(MOVED)]);
    let folder = tempfile::tempdir().unwrap();
    let memory = read_by(folder.path(), Llm::new(server.endpoint()));
    let receipt = tenant(&memory).remember(vec![turn()]).unwrap();
    assert_eq!((receipt.claims, receipt.pending), (1, 0), "{receipt:?}");
    assert_eq!((receipt.cost.calls, receipt.cost.prompt_tokens, receipt.cost.completion_tokens), (2, 210, 35));
    assert!(receipt.cost.micros > 0, "waiting is part of the cost");
    assert_eq!(home(&tenant(&memory)), ["Basel"]);
    let came = server.came.lock().unwrap();
    assert!(came.iter().all(|request| request.head.starts_with("post /v1/chat/completions http/1.1")), "{}", came[0].head);
    assert!(came[0].head.contains("authorization: bearer sk-kept-quiet"), "{}", came[0].head);
    assert_eq!((&came[1].body["model"], &came[1].body["response_format"]["type"]), (&json!("small-model"), &json!("json_schema")));
    assert!(came[1].body["messages"][1]["content"].as_str().unwrap().contains("We moved to Basel in March."));
    assert!(!format!("{:?}", server.endpoint()).contains("kept-quiet"), "the key is never printed");
}

#[test]
fn an_endpoint_that_always_fails_leaves_the_observation_waiting_and_reading_again_finds_the_claim() {
    let broken = Server::answering(vec![Reply::Status(500), Reply::Status(500)]);
    let folder = tempfile::tempdir().unwrap();
    let memory = read_by(folder.path(), Llm::new(broken.endpoint().trying(2)));
    let receipt = tenant(&memory).remember(vec![turn()]).unwrap();
    assert_eq!((receipt.observations, receipt.claims, receipt.pending, broken.requests()), (1, 0, 1, 2));
    let waiting = tenant(&memory).pending().unwrap();
    assert!(waiting[0].reason.contains("it answered 500: busy"), "{waiting:?}");
    let stored = tenant(&memory).observation(waiting[0].id).unwrap();
    assert_eq!(stored.observation.text.as_deref(), Some("We moved to Basel in March."));
    let mended = Server::answering(vec![Reply::Completion(MOVED)]);
    let memory = read_by(folder.path(), Llm::new(mended.endpoint()));
    let receipt = tenant(&memory).reprocess(&mut |_, _| {}).unwrap();
    assert_eq!((receipt.claims, receipt.pending, tenant(&memory).pending().unwrap().len()), (1, 0, 0));
    assert_eq!(home(&tenant(&memory)), ["Basel"]);
}

#[test]
fn what_is_refused_is_not_tried_again_and_what_never_answers_is_let_go() {
    let refusing = Server::answering(vec![Reply::Status(401), Reply::Completion(MOVED)]);
    let folder = tempfile::tempdir().unwrap();
    let memory = read_by(folder.path(), Llm::new(refusing.endpoint()));
    assert_eq!((tenant(&memory).remember(vec![turn()]).unwrap().pending, refusing.requests()), (1, 1));
    let silent = Server::answering(vec![Reply::Silence]);
    let memory = read_by(folder.path(), Llm::new(silent.endpoint().waiting(Duration::from_millis(200)).trying(1)));
    let receipt = tenant(&memory).reprocess(&mut |_, _| {}).unwrap();
    assert_eq!((receipt.claims, silent.requests()), (0, 1));
    let waiting = tenant(&memory).pending().unwrap();
    assert!(waiting[0].reason.contains("timeout"), "{waiting:?}");
}

#[test]
fn a_spent_budget_asks_nothing_more() {
    let server = Server::answering(vec![Reply::Completion(MOVED), Reply::Completion(MOVED)]);
    let folder = tempfile::tempdir().unwrap();
    let budget = Budget { tokens: 200, ..Budget::default() };
    let memory = read_by(folder.path(), Llm::new(server.endpoint()).with_budget(budget));
    let first = tenant(&memory).remember(vec![turn()]).unwrap();
    let mut later = turn();
    later.observation.text = Some("Then we stayed.".to_owned());
    later.observation.id = erstwhile::observe::identify(&later.observation, &[]);
    let second = tenant(&memory).remember(vec![later]).unwrap();
    assert_eq!((first.claims, second.pending, server.requests()), (1, 1, 1));
    assert!(tenant(&memory).pending().unwrap()[0].reason.contains("budget of 200 tokens"));
}

//! A folder for one test and the program run inside it, in ripgrep's manner. Knows nothing of what is tested.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary folder; its memory is `erstwhile-memory` inside it.
pub(crate) struct Dir(tempfile::TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder whose default tenant holds `lines` of claims.
    pub(crate) fn with(lines: &str) -> Self {
        let dir = Self::new();
        dir.file("claims.jsonl", lines);
        dir.run(&["remember", "claims.jsonl"]).ok();
        dir
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The program, ready to run here, with nothing taken over from the environment that could change its answers.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_erstwhile"));
        command
            .args(args)
            .current_dir(self.path())
            .env_remove("ERSTWHILE_MEMORY")
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::new(args, self.command(args).output().unwrap())
    }

    /// Runs with something on standard input.
    pub(crate) fn run_with(&self, input: impl AsRef<[u8]>, args: &[&str]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::new(args, output)
    }

    /// The JSON answer of a command that shall succeed.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let mut args = args.to_vec();
        args.push("--json");
        self.run(&args).ok().json()
    }
}

/// What a run left behind.
pub(crate) struct Ran {
    what: String,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn new(args: &[&str], output: Output) -> Self {
        Self {
            what: args.join(" "),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Holds that it succeeded and said nothing on standard error.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.exits(0);
        assert!(self.err.is_empty(), "{}: standard error has {:?}", self.what, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}\n--- out\n{}--- err\n{}", self.what, self.out, self.err);
        self
    }

    /// Holds that standard output has every one of these.
    #[track_caller]
    pub(crate) fn says(&self, wanted: &[&str]) -> &Self {
        for text in wanted {
            assert!(self.out.contains(text), "{}: no {text:?} in\n{}", self.what, self.out);
        }
        self
    }

    /// Holds that standard error has every one of these, and that nothing panicked.
    #[track_caller]
    pub(crate) fn complains(&self, wanted: &[&str]) -> &Self {
        assert!(!self.err.contains("panicked"), "{}: {}", self.what, self.err);
        for text in wanted {
            assert!(self.err.contains(text), "{}: no {text:?} in\n{}", self.what, self.err);
        }
        self
    }

    /// The one JSON object on standard output, with the schema's version in it.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.what, self.out));
        assert_eq!(value["schema"], 1, "{}: {value}", self.what);
        assert_eq!(self.out.trim_end().lines().count(), 1, "{}: one object on one line", self.what);
        value
    }
}

/// What the program printed, with ids replaced by `ID`, so that it can be compared with a golden text.
pub(crate) fn without_ids(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| {
                let digits = word.split('.').next().unwrap_or_default();
                if digits.len() >= 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && word.contains('.') {
                    "ID".to_owned()
                } else {
                    word.to_owned()
                }
            })
            .collect();
        out.push_str(&words.join(" "));
        out.push('\n');
    }
    out
}

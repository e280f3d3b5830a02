//! Models read from folders: `MiniLM` against the vectors of sentence-transformers, folders made here, and folders that are broken.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_assert_message,
    clippy::print_stdout,
    missing_docs,
    reason = "a test"
)]

use erstwhile::text::{Embedder, SentenceModel, StaticModel, open_model};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of all-MiniLM-L6-v2, or why the test is skipped.
fn minilm() -> Option<PathBuf> {
    let folder = std::env::var_os("ERSTWHILE_MINILM").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: $ERSTWHILE_MINILM names no folder with all-MiniLM-L6-v2 (tests/models/fetch_minilm.sh fetches it)");
    }
    folder
}

/// What sentence-transformers makes of a text: every twelfth number, and a sum over all.
struct Reference {
    text: String,
    some: Vec<f64>,
    sum: f64,
}

fn references() -> Vec<Reference> {
    let lines = include_str!("models/minilm.jsonl").lines();
    let read = lines.map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let some = line["some"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
        Reference { text: line["text"].as_str().unwrap().to_owned(), some, sum: line["sum"].as_f64().unwrap() }
    });
    read.collect()
}

/// The greatest difference to the reference.
fn difference(vector: &[f32], reference: &Reference) -> f64 {
    let some = vector.iter().step_by(12).zip(&reference.some).map(|(ours, theirs)| (f64::from(*ours) - theirs).abs());
    let sum: f64 = (0_u32..).zip(vector).map(|(at, number)| f64::from(*number) * f64::from(at).cos()).sum();
    some.fold((sum - reference.sum).abs(), f64::max)
}

#[test]
fn minilm_makes_the_vectors_of_sentence_transformers() {
    let Some(folder) = minilm() else { return };
    let references = references();
    assert!(references.len() >= 20, "{} texts", references.len());
    let texts: Vec<&str> = references.iter().map(|reference| reference.text.as_str()).collect();
    let model = SentenceModel::open(&folder).unwrap();
    assert_eq!(model.dimensions(), 384);
    let together = model.embed(&texts).unwrap();
    let mut greatest = 0.0_f64;
    for (vector, reference) in together.iter().zip(&references) {
        assert_eq!(vector.len(), 384);
        let apart = difference(vector, reference);
        assert!(apart <= 1e-4, "{:?}: {apart} apart", reference.text);
        greatest = greatest.max(apart);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
    println!("{} texts, at most {greatest:.1e} apart", references.len());
    // Neither the neighbours of a text nor the number of threads change its vector.
    let threads = SentenceModel::open(&folder).unwrap().with_threads(2);
    assert_eq!(threads.name(), model.name());
    for ((text, together), in_threads) in texts.iter().zip(&together).zip(threads.embed(&texts).unwrap()) {
        let alone = model.embed(&[text]).unwrap().remove(0);
        let apart = |other: &[f32]| together.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart(&alone) < 1e-6 && apart(&in_threads) < 1e-6, "{text:?}");
    }
}

#[test]
fn minilm_puts_what_means_alike_together() {
    let Some(folder) = minilm() else { return };
    let model = open_model(&folder).unwrap();
    let vectors = model.embed(&["Where is her home?", "Ana lives in a flat in Turin.", "The engine needs new oil."]).unwrap();
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    assert!(near(&vectors[0], &vectors[1]) > near(&vectors[0], &vectors[2]) + 0.1);
}

/// Files of a model made here.
struct Made {
    files: Vec<(&'static str, Vec<u8>)>,
}

impl Made {
    fn write(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &self.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    /// The same with another file in place of one, or without it.
    fn with(mut self, name: &'static str, bytes: Option<Vec<u8>>) -> Self {
        self.files.retain(|(known, _)| *known != name);
        self.files.extend(bytes.map(|bytes| (name, bytes)));
        self
    }

    fn with_json(self, name: &'static str, value: &Value) -> Self {
        self.with(name, Some(value.to_string().into_bytes()))
    }

    fn file(&self, name: &str) -> Vec<u8> {
        self.files.iter().find(|(known, _)| *known == name).unwrap().1.clone()
    }
}

fn safetensors(tensors: &[(String, Vec<usize>, Vec<f32>)]) -> Vec<u8> {
    let mut header = Map::new();
    let mut numbers = Vec::new();
    for (name, shape, values) in tensors {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "{name}");
        let begin = numbers.len();
        numbers.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        header.insert(name.clone(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, numbers.len()] }));
    }
    let header = Value::Object(header).to_string();
    [u64::try_from(header.len()).unwrap().to_le_bytes().as_slice(), header.as_bytes(), &numbers].concat()
}

fn tokenizer(pieces: &[&str]) -> Value {
    let vocabulary: Map<String, Value> = pieces.iter().enumerate().map(|(at, piece)| ((*piece).to_owned(), json!(at))).collect();
    json!({
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary },
    })
}

/// Five pieces with vectors of three numbers.
fn static_model() -> Made {
    let rows = vec![9.0, 9.0, 9.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, -1.0, 0.0, 0.0];
    let made = Made { files: vec![("model.safetensors", safetensors(&[("embeddings".to_owned(), vec![5, 3], rows)]))] };
    made.with_json("config.json", &json!({ "model_type": "model2vec", "normalize": true }))
        .with_json("tokenizer.json", &tokenizer(&["[UNK]", "red", "green", "##s", "blue"]))
}

/// An encoder with a layer of two heads, vectors of four numbers and eight pieces, its numbers made by a fixed rule.
fn encoder() -> Made {
    let (hidden, inner) = (4, 6);
    let mut made = 0_u32;
    let mut tensors = Vec::new();
    let mut tensor = |name: &str, shape: &[usize]| {
        let values = (0..shape.iter().product::<usize>()).map(|_| {
            made += 1;
            let turn = f64::from(made * 37 % 101) / 50.0 - 1.0;
            #[expect(clippy::cast_possible_truncation, reason = "a test")]
            let value = turn as f32;
            if name.ends_with("LayerNorm.weight") { 1.0 } else { value }
        });
        tensors.push((name.to_owned(), shape.to_vec(), values.collect()));
    };
    tensor("embeddings.word_embeddings.weight", &[8, hidden]);
    tensor("embeddings.position_embeddings.weight", &[16, hidden]);
    tensor("embeddings.token_type_embeddings.weight", &[2, hidden]);
    for (name, from, to) in [
        ("attention.self.query", hidden, hidden),
        ("attention.self.key", hidden, hidden),
        ("attention.self.value", hidden, hidden),
        ("attention.output.dense", hidden, hidden),
        ("intermediate.dense", hidden, inner),
        ("output.dense", inner, hidden),
    ] {
        tensor(&format!("encoder.layer.0.{name}.weight"), &[to, from]);
        tensor(&format!("encoder.layer.0.{name}.bias"), &[to]);
    }
    for name in ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"] {
        tensor(&format!("{name}.LayerNorm.weight"), &[hidden]);
        tensor(&format!("{name}.LayerNorm.bias"), &[hidden]);
    }
    let config = json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": hidden, "intermediate_size": inner, "num_attention_heads": 2,
        "num_hidden_layers": 1, "vocab_size": 8, "max_position_embeddings": 16, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    });
    Made { files: vec![("model.safetensors", safetensors(&tensors))] }
        .with_json("config.json", &config)
        .with_json("tokenizer.json", &tokenizer(&["[UNK]", "[CLS]", "[SEP]", "red", "green", "##s", "blue", "."]))
}

const MODULES: [&str; 3] = ["Transformer", "Pooling", "Normalize"];

fn modules(kinds: &[&str]) -> Value {
    let module = |kind: &&str| {
        let path = if *kind == "Transformer" { String::new() } else { format!("1_{kind}") };
        json!({ "type": format!("sentence_transformers.models.{kind}"), "path": path })
    };
    Value::Array(kinds.iter().map(module).collect())
}

fn one(folder: &Path, text: &str) -> Vec<f32> {
    open_model(folder).unwrap().embed(&[text]).unwrap().remove(0)
}

fn is_near(vector: &[f32], expected: &[f32]) -> bool {
    vector.len() == expected.len() && vector.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn a_text_of_static_vectors_is_their_mean_of_length_one() {
    let folder = static_model().write();
    for (text, expected) in [
        ("Red", [1.0, 0.0, 0.0]),
        ("red green", [0.447_213_6, 0.894_427_2, 0.0]),
        ("reds", [0.242_535_6, 0.0, 0.970_142_5]),
        ("red, unheard of", [1.0, 0.0, 0.0]),
        ("unheard", [0.0; 3]),
        ("red blue", [0.0; 3]),
        ("", [0.0; 3]),
    ] {
        let vector = one(folder.path(), text);
        assert!(is_near(&vector, &expected), "{text:?}: {vector:?}");
    }
    let model = open_model(folder.path()).unwrap();
    assert_eq!(model.dimensions(), 3);
    assert!(model.name().starts_with("static-3@"), "{}", model.name());
}

#[test]
fn a_folder_of_static_vectors_may_weigh_and_map_its_pieces_and_bound_a_text() {
    let mut tensors = vec![
        ("embeddings".to_owned(), vec![2, 2], vec![1.0, 0.0, 0.0, 1.0]),
        ("weights".to_owned(), vec![5], vec![1.0, 3.0, 4.0, 1.0, 1.0]),
    ];
    let mapping = [0_i64, 0, 1, 1, 1].iter().flat_map(|row| row.to_le_bytes()).collect::<Vec<u8>>();
    let with_mapping = |bytes: &[u8], mapping: &[u8]| {
        let (length, rest) = bytes.split_at(8);
        let length = usize::try_from(u64::from_le_bytes(length.try_into().unwrap())).unwrap();
        let (header, numbers) = rest.split_at(length);
        let mut header: Value = serde_json::from_slice(header).unwrap();
        header["mapping"] = json!({ "dtype": "I64", "shape": [5], "data_offsets": [numbers.len(), numbers.len() + mapping.len()] });
        let header = header.to_string();
        [u64::try_from(header.len()).unwrap().to_le_bytes().as_slice(), header.as_bytes(), numbers, mapping].concat()
    };
    let config = json!({ "model_type": "model2vec", "max_length": 2 });
    let folder = |bytes: Vec<u8>| static_model().with("model.safetensors", Some(bytes)).with_json("config.json", &config).write();
    let kept = folder(with_mapping(&safetensors(&tensors), &mapping));
    assert!(is_near(&one(kept.path(), "red green"), &[0.6, 0.8]));
    assert!(is_near(&one(kept.path(), "red red green green green"), &[1.0, 0.0]), "two pieces count");
    let beyond = [0_i64, 0, 1, 1, 2].iter().flat_map(|row| row.to_le_bytes()).collect::<Vec<u8>>();
    let kept = folder(with_mapping(&safetensors(&tensors), &beyond));
    let message = open_model(kept.path()).unwrap_err().to_string();
    assert!(message.ends_with("model.safetensors: mapping: number 4 is not below 2"), "{message}");
    let kept = folder(safetensors(&tensors));
    let message = open_model(kept.path()).unwrap_err().to_string();
    assert!(message.ends_with("model.safetensors: embeddings: 2 rows for 5 pieces, and no mapping"), "{message}");
    tensors.truncate(1);
    "embedding.weight".clone_into(&mut tensors[0].0);
    tensors[0].1 = vec![5, 2];
    tensors[0].2 = vec![1.0; 10];
    let kept = folder(safetensors(&tensors));
    assert!(is_near(&one(kept.path(), "red"), &[std::f32::consts::FRAC_1_SQRT_2; 2]), "the name that sentence-transformers gives");
}

#[test]
fn how_a_text_s_vectors_become_one_is_the_folder_s_to_say() {
    let pooled = |pooling: &Value| {
        let made = encoder().with_json("modules.json", &modules(&MODULES)).with_json("1_Pooling/config.json", pooling);
        one(made.write().path(), "red greens.")
    };
    let mean = pooled(&json!({ "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false }));
    let first = pooled(&json!({ "pooling_mode_mean_tokens": false, "pooling_mode_cls_token": true }));
    let greatest = pooled(&json!({ "pooling_mode": "max" }));
    assert!(is_near(&one(encoder().write().path(), "red greens."), &mean), "the mean, if nothing is said");
    assert!(!is_near(&mean, &first) && !is_near(&mean, &greatest) && !is_near(&first, &greatest));
    let lengths = [&mean, &first, &greatest].map(|vector| vector.iter().map(|x| x * x).sum::<f32>());
    assert!(lengths.iter().all(|length| (length - 1.0).abs() < 1e-5), "{lengths:?}");
}

#[test]
fn a_text_is_cut_to_the_model_s_longest_and_a_prompt_stands_before_it() {
    let short = encoder().with_json("sentence_bert_config.json", &json!({ "max_seq_length": 4 })).write();
    assert!(is_near(&one(short.path(), "red green blue blue"), &one(short.path(), "red green")));
    assert!(!is_near(&one(short.path(), "red green"), &one(short.path(), "red")));
    let whole = encoder().write();
    let long = "red ".repeat(1_000);
    assert!(is_near(&one(whole.path(), &long), &one(whole.path(), &"red ".repeat(14))), "no longer than there are positions");
    let prompt = json!({ "prompts": { "note": "green " }, "default_prompt_name": "note" });
    let prompted = encoder().with_json("config_sentence_transformers.json", &prompt).write();
    assert!(is_near(&one(prompted.path(), "red"), &one(whole.path(), "green red")));
    let names = [short.path(), whole.path(), prompted.path()].map(|folder| open_model(folder).unwrap().name().to_owned());
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2], "other vectors, another name: {names:?}");
}

#[test]
fn the_neighbours_of_a_text_and_the_threads_do_not_change_its_vector() {
    let folder = encoder().write();
    let texts: Vec<String> =
        (0..300).map(|n| ["red", "green", "blue", "reds.", ""].repeat(n % 4 + 1).join(" ")[n % 3..].to_owned()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let model = SentenceModel::open(folder.path()).unwrap();
    let together = model.embed(&texts).unwrap();
    let threads = SentenceModel::open(folder.path()).unwrap().with_threads(3).embed(&texts).unwrap();
    assert_eq!((together.len(), threads.len()), (300, 300));
    for ((text, vector), in_threads) in texts.iter().zip(&together).zip(&threads) {
        assert!(is_near(vector, &model.embed(&[text]).unwrap()[0]) && is_near(vector, in_threads), "{text:?}");
    }
    assert!(model.embed(&[]).unwrap().is_empty());
}

#[test]
fn a_broken_folder_is_refused_by_file_and_field() {
    let told = |made: Made| open_model(made.write().path()).unwrap_err().to_string();
    let config = |field: &str, value: Value| {
        let mut config: Value = serde_json::from_slice(&encoder().file("config.json")).unwrap();
        config[field] = value;
        told(encoder().with_json("config.json", &config))
    };
    let module = |kinds: &[&str]| told(encoder().with_json("modules.json", &modules(kinds)));
    let outside = json!([{ "type": "Pooling", "path": "../elsewhere" }]);
    for (message, said) in [
        (told(Made { files: Vec::new() }), "config.json: there is no such file"),
        (told(encoder().with("config.json", Some(b"{\"model_type\":".to_vec()))), "config.json: no JSON"),
        (told(encoder().with("config.json", Some(vec![b' '; (1 << 20) + 1]))), "config.json: 1048577 bytes, of at most 1048576"),
        (config("model_type", json!("roberta")), "config.json: model_type: \"roberta\" is not read"),
        (config("model_type", json!(7)), "config.json: model_type: 7 is no text"),
        (config("hidden_act", json!("relu")), "config.json: hidden_act: \"relu\" is not read"),
        (config("position_embedding_type", json!("relative_key")), "config.json: position_embedding_type: \"relative_key\""),
        (config("hidden_size", Value::Null), "config.json: hidden_size: it is missing"),
        (config("hidden_size", json!(-4)), "config.json: hidden_size: -4 is no number from 1 to 16384"),
        (config("hidden_size", json!(8)), "model.safetensors: embeddings.word_embeddings.weight: its shape is [8, 4] and not [8, 8]"),
        (config("num_attention_heads", json!(3)), "config.json: num_attention_heads: 3 do not divide a hidden_size of 4"),
        (config("num_hidden_layers", json!(2)), "model.safetensors: encoder.layer.1.attention.self.query.weight: there is no such tensor"),
        (config("layer_norm_eps", json!("small")), "config.json: layer_norm_eps: \"small\""),
        (told(encoder().with("model.safetensors", None)), "model.safetensors: No such file"),
        (told(encoder().with("tokenizer.json", None)), "tokenizer.json: there is no such file"),
        (told(encoder().with_json("tokenizer.json", &tokenizer(&["[UNK]", "red"]))), "tokenizer.json: [CLS]: there is no such piece"),
        (
            told(encoder().with_json("tokenizer.json", &tokenizer(&["[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d", "e", "f"]))),
            "config.json: vocab_size: 8, and the tokenizer has pieces up to 8",
        ),
        (module(&["Transformer", "Pooling", "Dense"]), "1_Pooling/config.json: there is no such file"),
        (module(&["Transformer", "Dense"]), "modules.json: 1.type: \"sentence_transformers.models.Dense\" is not read"),
        (told(encoder().with_json("modules.json", &outside)), "modules.json: 0.path: \"../elsewhere\" lies outside of the folder"),
        (told(encoder().with_json("modules.json", &json!({}))), "modules.json: modules: {} is no list"),
        (
            told(
                encoder()
                    .with_json("modules.json", &modules(&MODULES))
                    .with_json("1_Pooling/config.json", &json!({ "pooling_mode": "lasttoken" })),
            ),
            "1_Pooling/config.json: pooling_mode: lasttoken is not read",
        ),
        (
            told(encoder().with_json("sentence_bert_config.json", &json!({ "max_seq_length": 0 }))),
            "sentence_bert_config.json: max_seq_length: 0",
        ),
        (
            told(encoder().with_json("config_sentence_transformers.json", &json!({ "default_prompt_name": "note" }))),
            "config_sentence_transformers.json: prompts.note: it is missing",
        ),
        (told(static_model().with_json("config.json", &json!({ "max_length": "long" }))), "config.json: max_length: \"long\""),
    ] {
        assert!(message.contains(said), "{message:?} does not say {said:?}");
    }
}

#[test]
fn weights_that_are_cut_anywhere_are_refused() {
    for made in [static_model(), encoder()] {
        let whole = made.file("model.safetensors");
        let folder = made.write();
        let path = folder.path().join("model.safetensors");
        for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
            fs::write(&path, &whole[..length]).unwrap();
            let message = open_model(folder.path()).unwrap_err().to_string();
            assert!(message.contains("model.safetensors: "), "{length} of {} bytes: {message}", whole.len());
        }
        fs::write(&path, &whole).unwrap();
        assert!(open_model(folder.path()).is_ok());
    }
}

proptest! {
    #[test]
    fn a_folder_with_bytes_turned_over_is_read_or_refused_and_nothing_else(
        which in 0_usize..2,
        file in prop::sample::select(vec!["model.safetensors", "config.json", "tokenizer.json"]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        text in "\\PC{0,20}|(red|green|s|blue|\\.| ){0,12}",
    ) {
        let made = if which == 0 { static_model() } else { encoder() };
        let mut bytes = made.file(file);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let folder = made.with(file, Some(bytes)).write();
        if let Ok(model) = open_model(folder.path()) {
            let vectors = model.embed(&[&text, "red"]).unwrap();
            prop_assert!(vectors.len() == 2 && vectors.iter().all(|vector| vector.len() == model.dimensions()));
        }
    }

    #[test]
    fn every_text_has_a_vector_of_length_one(texts in prop::collection::vec("\\PC{0,30}|(red|green|s|blue|\\.| ){0,12}", 0..6)) {
        let folder = encoder().write();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for vector in open_model(folder.path()).unwrap().embed(&texts).unwrap() {
            prop_assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4, "{:?}", vector);
        }
    }
}

#[test]
fn the_debug_form_of_a_model_is_short() {
    let shown = format!("{:?} {:?}", SentenceModel::open(encoder().write().path()), StaticModel::open(static_model().write().path()));
    assert!(shown.len() < 400, "{shown}");
}

//! A folder of sentence-transformers as an embedder: an encoder of the BERT family, then one vector of each text's many.
//!
//! Owns what the folder's modules say: how long a text may be, how its vectors become one. Every vector has the length 1. Knows nothing
//! of the arithmetic within. Source: Reimers & Gurevych 2019, Sentence-BERT.

use super::bert::{Bert, block};
use super::folder::{Folder, ModelError, Settings, short};
use super::wordpiece::WordPiece;
use super::{EmbedError, Embedder, normalise};
use ndarray::{ArrayView2, Axis};
use serde_json::Value;
use std::fmt;
use std::path::Path;

/// So many pieces are computed at a time: as many as the caches hold the states of.
const BATCH: usize = 512;
/// Texts are read by at most so many threads.
const MOST_THREADS: usize = 64;

/// A model of sentence-transformers in a folder: `config.json`, `model.safetensors`, `tokenizer.json` or `vocab.txt`, and where there
/// are, `modules.json`, `1_Pooling/config.json` and `sentence_bert_config.json`.
///
/// Reads encoders of the BERT family (`MiniLM`, BGE, E5, GTE and others) that cut words into pieces, weights of 16 and 32 bits, and
/// pooling by the mean, the greatest or the first piece. A text is cut to the model's longest.
///
/// ```no_run
/// use erstwhile::text::{Embedder, SentenceModel};
///
/// let model = SentenceModel::open("all-MiniLM-L6-v2".as_ref())?;
/// let vectors = model.embed(&["Ana moved to Turin.", "Where does Ana live?"])?;
/// assert_eq!(vectors[0].len(), model.dimensions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SentenceModel {
    name: String,
    tokenizer: WordPiece,
    bert: Bert,
    begin: u32,
    end: u32,
    plan: Plan,
    threads: usize,
}

impl fmt::Debug for SentenceModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentenceModel").field("name", &self.name).field("plan", &self.plan).finish_non_exhaustive()
    }
}

/// What is done around the encoder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plan {
    pooling: Pooling,
    /// In pieces, with the marks of beginning and end.
    longest: usize,
    lowercase: bool,
    /// Stands before every text.
    prompt: String,
}

/// How the vectors of a text's pieces become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pooling {
    /// That of the mark at the beginning.
    First,
    /// The greatest number in each dimension.
    Greatest,
    /// Their mean; also where the sum is divided by something else, which the length of 1 undoes.
    Mean,
}

impl SentenceModel {
    /// The model in a folder, with one thread.
    ///
    /// # Errors
    /// [`ModelError`] names the file and the field.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let folder = Folder::new(folder);
        let config = folder.settings("config.json")?;
        match config.word("model_type")? {
            Some("bert") => {}
            Some(other) => return Err(config.wrong("model_type", format!("{other:?} is not read; \"bert\" is"))),
            None => return Err(config.missing("model_type")),
        }
        let tokenizer = WordPiece::open(&folder)?;
        let mut tensors = folder.tensors()?;
        let bert = Bert::read(&config, &mut tensors)?;
        if tokenizer.bound() > bert.vocabulary() {
            let reason = format!("{}, and the tokenizer has pieces up to {}", bert.vocabulary(), tokenizer.bound() - 1);
            return Err(config.wrong("vocab_size", reason));
        }
        let mark = |written: &str| tokenizer.piece(written).ok_or_else(|| folder.lacks_piece(written));
        let (begin, end) = (mark("[CLS]")?, mark("[SEP]")?);
        let plan = Plan::read(&folder, bert.longest())?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(tensors.fingerprint().as_bytes()).update(format!("{plan:?}").as_bytes());
        let fingerprint = hasher.finalize().to_hex();
        let name = format!("bert-{}x{}@{}", bert.layers(), bert.hidden(), fingerprint.get(..8).unwrap_or_default());
        Ok(Self { name, tokenizer, bert, begin, end, plan, threads: 1 })
    }

    /// The same with up to so many threads for the texts of one call.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.clamp(1, MOST_THREADS), ..self }
    }

    fn pieces(&self, text: &str) -> Vec<u32> {
        let prompted = format!("{}{text}", self.plan.prompt);
        let text = if self.plan.prompt.is_empty() { text } else { &prompted };
        let lower = self.plan.lowercase.then(|| text.to_lowercase());
        let inner = self.tokenizer.pieces(lower.as_deref().unwrap_or(text), self.plan.longest.saturating_sub(2));
        [self.begin].into_iter().chain(inner).chain([self.end]).collect()
    }

    fn vectors(&self, batch: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let states = self.bert.encode(batch);
        let mut begin = 0;
        let pooled = batch.iter().map(|text| {
            let of_text = block(states.view(), begin..begin + text.len(), 0..self.bert.hidden());
            begin += text.len();
            let mut vector = self.plan.pooling.apply(&of_text);
            normalise(&mut vector);
            vector
        });
        pooled.collect()
    }
}

impl Embedder for SentenceModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.bert.hidden()
    }

    /// # Complexity
    /// Linear in the pieces of the texts, each of which is read to the model's longest alone.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<Vec<u32>> = texts.iter().map(|text| self.pieces(text)).collect();
        let batches = batches(&texts);
        let mut made: Vec<Vec<Vec<f32>>> = vec![Vec::new(); batches.len()];
        let share = batches.len().div_ceil(self.threads).max(1);
        std::thread::scope(|scope| {
            let mut parts = batches
                .chunks(share)
                .zip(made.chunks_mut(share))
                .map(|(batches, made)| move || batches.iter().zip(made).for_each(|(batch, made)| *made = self.vectors(batch)));
            let own = parts.next();
            for part in parts {
                scope.spawn(part);
            }
            if let Some(part) = own {
                part();
            }
        });
        Ok(made.into_iter().flatten().collect())
    }
}

/// Texts one after the other, in parts that have about as many pieces as are computed at a time.
fn batches(texts: &[Vec<u32>]) -> Vec<&[Vec<u32>]> {
    let mut batches = Vec::new();
    let mut rest = texts;
    while !rest.is_empty() {
        let mut pieces = 0;
        let fit = rest.iter().take_while(|text| {
            pieces += text.len();
            pieces <= BATCH
        });
        let (batch, after) = rest.split_at(fit.count().max(1).min(rest.len()));
        batches.push(batch);
        rest = after;
    }
    batches
}

impl Pooling {
    fn apply(self, states: &ArrayView2<'_, f32>) -> Vec<f32> {
        match self {
            Self::First => states.rows().into_iter().next().map(|row| row.to_vec()).unwrap_or_default(),
            Self::Greatest => states.fold_axis(Axis(0), f32::NEG_INFINITY, |most, x| most.max(*x)).to_vec(),
            Self::Mean => states.sum_axis(Axis(0)).to_vec(),
        }
    }

    /// As the file says, which has one name or several flags.
    fn read(settings: &Settings) -> Result<Self, ModelError> {
        const FLAGS: [(&str, &str); 6] = [
            ("pooling_mode_cls_token", "cls"),
            ("pooling_mode_max_tokens", "max"),
            ("pooling_mode_mean_tokens", "mean"),
            ("pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"),
            ("pooling_mode_weightedmean_tokens", "weightedmean"),
            ("pooling_mode_lasttoken", "lasttoken"),
        ];
        let mut modes: Vec<&str> = Vec::new();
        if let Some(mode) = settings.word("pooling_mode")? {
            modes.push(mode);
        } else {
            for (flag, mode) in FLAGS {
                modes.extend(settings.flag(flag)?.unwrap_or(false).then_some(mode));
            }
        }
        match modes.as_slice() {
            [] | ["mean" | "mean_sqrt_len_tokens"] => Ok(Self::Mean),
            ["cls"] => Ok(Self::First),
            ["max"] => Ok(Self::Greatest),
            others => {
                Err(settings.wrong("pooling_mode", format!("{} is not read; \"mean\", \"cls\" and \"max\" are", others.join(" with "))))
            }
        }
    }
}

impl Plan {
    fn read(folder: &Folder, positions: usize) -> Result<Self, ModelError> {
        let mut pooling = Pooling::Mean;
        let modules = folder.optional_settings("modules.json")?;
        let listed = modules.as_ref().map_or(Ok([].as_slice()), |modules| {
            let listed = modules.root().as_array().map(Vec::as_slice);
            listed.ok_or_else(|| modules.wrong("modules", format!("{} is no list", short(modules.root()))))
        })?;
        for (at, (module, modules)) in listed.iter().zip(modules.iter().cycle()).enumerate() {
            let text = |field: &str| module.get(field).and_then(Value::as_str);
            let kind = text("type").ok_or_else(|| modules.missing(&format!("{at}.type")))?;
            match kind.rsplit('.').next() {
                Some("Transformer") if text("path").is_none_or(str::is_empty) => {}
                Some("Transformer") => return Err(modules.wrong(&format!("{at}.path"), "the encoder does not lie in the folder itself")),
                Some("Pooling") => {
                    let path = text("path").ok_or_else(|| modules.missing(&format!("{at}.path")))?;
                    if path.contains("..") || Path::new(path).is_absolute() {
                        return Err(modules.wrong(&format!("{at}.path"), format!("{path:?} lies outside of the folder")));
                    }
                    pooling = Pooling::read(&folder.settings(&format!("{path}/config.json"))?)?;
                }
                Some("Normalize") => {}
                _ => {
                    let reason = format!("{kind:?} is not read; Transformer, Pooling and Normalize are");
                    return Err(modules.wrong(&format!("{at}.type"), reason));
                }
            }
        }
        let sentence = folder.optional_settings("sentence_bert_config.json")?;
        let tokenizer = folder.optional_settings("tokenizer_config.json")?;
        let said = match (&sentence, &tokenizer) {
            (Some(settings), _) if settings.get("max_seq_length").is_some() => settings.count("max_seq_length", 1 << 20)?,
            // Where a tokenizer has no limit, its file says so by a number of thirty digits.
            (_, Some(settings)) => settings.get("model_max_length").and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok()),
            _ => None,
        };
        let lowercase = sentence.as_ref().map_or(Ok(None), |settings| settings.flag("do_lower_case"))?.unwrap_or(false);
        let prompt = match folder.optional_settings("config_sentence_transformers.json")? {
            Some(settings) => match settings.word("default_prompt_name")? {
                Some(name) => {
                    let field = format!("prompts.{name}");
                    settings.word(&field)?.ok_or_else(|| settings.missing(&field))?.to_owned()
                }
                None => String::new(),
            },
            None => String::new(),
        };
        Ok(Self { pooling, longest: said.unwrap_or(positions).min(positions), lowercase, prompt })
    }
}

//! Observations: what came in, immutable. Knows nothing of the formats it came in, nor of what is extracted from it.

use super::ObservationId;
use crate::time::ZonedInstant;

/// How far a source is to be believed against others. Greater is stronger; [`Authority::User`] and
/// [`Authority::Curated`] have the same rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Authority {
    /// Concluded by a model or a rule.
    Inference,
    /// Said by the assistant.
    Assistant,
    /// Returned by a tool.
    Tool,
    /// Written in a document.
    Document,
    /// Entered or approved by a curator.
    Curated,
    /// Said by the person the memory is about.
    User,
}

impl Authority {
    /// The rank that rules compare: 0 for inference to 4 for user and curated.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Inference => 0,
            Self::Assistant => 1,
            Self::Tool => 2,
            Self::Document => 3,
            Self::Curated | Self::User => 4,
        }
    }
}

/// Who said it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The rank of the source.
    pub authority: Authority,
    /// Its name: a file, a tool, a person.
    pub name: Option<String>,
}

/// What sort of thing came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObservationKind {
    /// A turn of a conversation.
    Chat,
    /// A document or plain text.
    Document,
    /// What a tool returned.
    ToolResult,
    /// Ready claims or triples.
    Claims,
}

/// An immutable unit of input.
#[doc(alias = "episode")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// Derived from the content: the same content is the same observation.
    pub id: ObservationId,
    /// What sort of thing came in.
    pub kind: ObservationKind,
    /// When it was said or written (valid-time line), with its offset.
    pub observed_at: ZonedInstant,
    /// Who said it.
    pub source: Source,
    /// The conversation it belongs to.
    pub session: Option<String>,
    /// Who spoke, in a chat.
    pub speaker: Option<String>,
    /// The chat role as given ("user", "assistant", "system", "tool").
    pub role: Option<String>,
    /// The key the source gave it, if any.
    pub key: Option<String>,
    /// The text, verbatim.
    pub text: Option<String>,
}

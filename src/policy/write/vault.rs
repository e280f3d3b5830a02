//! The door to a vault: where masked values may be kept by somebody else, to be put back for whoever may see them. Keeps nothing itself.

use super::mask::MaskKind;

/// Keeps masked values apart from the memory.
///
/// Nothing is handed to a vault unless the policy says `mask.vault = true` and the program passes one. Without it a value never leaves the
/// call that masks it.
pub trait Vault {
    /// Keeps a value and gives a name for it: small letters and figures, at most 32. The same value must get the same name, so that the
    /// same input stays the same observation. `None` keeps nothing, and the mask has no name.
    fn keep(&mut self, kind: MaskKind, value: &str) -> Option<String>;
    /// The value of that name, if it is kept and may be seen.
    fn open(&self, name: &str) -> Option<String>;
}

/// Whether a text can be a vault's name for a value; what is none is not written.
pub(super) fn is_name(name: &str) -> bool {
    (1..=32).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// A placeholder with the name of what it stands for: "[card]" is "[card #7f3a]".
pub(super) fn named(placeholder: &str, name: &str) -> String {
    format!("{} #{name}]", placeholder.trim_end_matches(']'))
}

/// Puts values back where a vault opens the names in their placeholders; everything else stays.
///
/// # Complexity
/// Linear in the text.
#[must_use]
pub fn reveal(text: &str, vault: &dyn Vault) -> String {
    let mut revealed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        revealed.push_str(before);
        let inside = from.get(1..).unwrap_or_default();
        let value = inside.find([']', '[']).and_then(|close| {
            let (mask, after) = inside.split_at_checked(close)?;
            let (_, name) = mask.rsplit_once(" #").filter(|_| after.starts_with(']'))?;
            Some((vault.open(Some(name).filter(|name| is_name(name))?)?, after.get(1..)?))
        });
        if let Some((value, after)) = value {
            revealed.push_str(&value);
            rest = after;
        } else {
            revealed.push('[');
            rest = inside;
        }
    }
    revealed.push_str(rest);
    revealed
}

//! Names by whose somebody is: "my mother", 「母」, 「私の上司」 are somebody else for everybody who says them.
//!
//! Owns how such a name becomes one that means the same whoever says it. Knows no text around it and no claim.

use super::lexicon::Lexicon;

/// The name of somebody or something named by whose it is, under the name of whose it is: "my mother" said by Ana is "Ana's mother",
/// 「母」 said by 遥 is 「遥の母」. `None` for a name that does not depend on who says it.
///
/// # Complexity
/// Linear in the name.
///
/// # Examples
/// ```
/// use erstwhile::resolve::named_by_owner;
///
/// assert_eq!(named_by_owner("My sister's husband", "Ana").as_deref(), Some("Ana's sister's husband"));
/// assert_eq!(named_by_owner("妹の夫", "遥").as_deref(), Some("遥の妹の夫"));
/// assert_eq!(named_by_owner("Greta", "Ana"), None);
/// ```
#[must_use]
pub fn named_by_owner(name: &str, owner: &str) -> Option<String> {
    let lexicon = Lexicon::shipped();
    let lower = name.to_lowercase();
    if let Some(rest) = ["my ", "our "].iter().find_map(|own| lower.strip_prefix(own)) {
        let rest = name.get(name.len() - rest.len()..).filter(|_| lower.len() == name.len())?.trim_start();
        // "My Neighbour" with a capital is a title of something.
        let is_noun = rest.starts_with(char::is_lowercase) || lexicon.is_kin(&rest.to_lowercase());
        return is_noun.then(|| format!("{owner}'s {rest}"));
    }
    // "Both of my brothers": some of them.
    if let Some((some, rest)) = [" of my ", " of our "].iter().find_map(|own| lower.split_once(own)) {
        return (lower.len() == name.len() && !rest.is_empty()).then(|| {
            format!(
                "{} of {owner}'s {}",
                name.get(..some.len()).unwrap_or_default(),
                name.get(name.len() - rest.len()..).unwrap_or_default()
            )
        });
    }
    if lexicon.is_kin(&lower) && name.is_ascii() {
        return Some(format!("{owner}'s {lower}"));
    }
    let own = lexicon.own().find_map(|own| name.strip_prefix(own)).filter(|rest| !rest.is_empty());
    let said = own.unwrap_or(name);
    let who = lexicon.former().find_map(|former| said.strip_prefix(former)).unwrap_or(said);
    let first = who.split('の').next().unwrap_or_default();
    (own.is_some() || lexicon.is_kin(first) && !first.is_ascii()).then(|| format!("{owner}の{said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_the_speaker_is_named_by_the_speaker() {
        for (name, owner, expected) in [
            ("My mother", "Ana", "Ana's mother"),
            ("our neighbour", "Bo", "Bo's neighbour"),
            ("Mum", "Bo", "Bo's mum"),
            ("My Dad", "Bo", "Bo's Dad"),
            ("Both of my brothers", "Bo", "Both of Bo's brothers"),
            ("元妻", "亮", "亮の元妻"),
            ("義理の母", "遥", "遥の義理の母"),
            ("上司", "遥", "遥の上司"),
            ("私の母", "遥", "遥の母"),
            ("うちの犬", "遥", "遥の犬"),
            ("母の友人", "Ana", "Anaの母の友人"),
        ] {
            assert_eq!(named_by_owner(name, owner).as_deref(), Some(expected), "{name} of {owner}");
        }
    }

    #[test]
    fn a_name_is_left_alone() {
        for name in ["Greta", "Myra", "My", "my ", "Our Lady", "My Neighbour", "Motherwell", "母袋", "私", "私の", "夫婦岩", "", "İ my"]
        {
            assert_eq!(named_by_owner(name, "Ana"), None, "{name}");
        }
    }
}

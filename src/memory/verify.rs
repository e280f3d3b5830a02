//! Verification: the ledger looked through for damage, every observation held against its id, and the projection against one that is
//! built anew.
//!
//! Knows nothing of what either should hold.

use super::content::misfit;
use super::engine::Loaded;
use super::results::Verification;
use super::shared::Published;
use super::{Error, ErrorKind, Tenant};
use crate::ledger::{Ledger, LedgerError, StoredRecord};

/// How often to take both anew because somebody wrote in between.
const ATTEMPTS: usize = 10;

/// At most so many changed observations, and so many differences, are told one by one.
const MOST_TOLD: usize = 20;

/// See [`Tenant::verify`].
pub(super) fn verify(tenant: &Tenant) -> Result<Verification, Error> {
    let mut found = Verification::default();
    tenant.shared().read_apart(|ledger| {
        (found.records, found.problems) = read_through(ledger)?;
        let rebuilt = match rebuilt(tenant, ledger) {
            Ok(rebuilt) => rebuilt,
            // What is damaged is told; that nothing can be derived from it is no reason to keep that back.
            Err(error) if error.kind() == ErrorKind::Corrupt && !found.problems.is_empty() => {
                found.problems.push(format!("the projection could not be compared: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let Some((current, fresh)) = rebuilt else {
            found.problems.push("the projection could not be compared: others kept writing".to_owned());
            return Ok(());
        };
        let (ours, anew) = (current.snapshot.dump(), fresh.projection.snapshot().dump());
        found.facts = u64::try_from(anew.len()).unwrap_or(u64::MAX);
        found.problems.extend(differences(&ours, &anew));
        Ok(())
    })?;
    Ok(found)
}

/// The projection and one built anew, of the same records; `None` where others kept writing.
fn rebuilt(tenant: &Tenant, ledger: &mut dyn Ledger) -> Result<Option<(Published, Loaded)>, Error> {
    for _attempt in 0..ATTEMPTS {
        let current = tenant.current()?;
        let fresh = Loaded::read(ledger)?;
        if fresh.seq == current.seq {
            return Ok(Some((current, fresh)));
        }
    }
    Ok(None)
}

/// How many records there are, claims among them, and what is wrong with the ledger.
fn read_through(ledger: &mut dyn Ledger) -> Result<(u64, Vec<String>), LedgerError> {
    let (mut records, mut changed) = (0_u64, 0_u64);
    let mut contents = Vec::new();
    let mut problems = ledger.check_with(&mut |record| {
        records += 1 + record.last_seq() - record.seq();
        if let StoredRecord::Observation(stored) = record {
            let seq = stored.seq;
            if let Some(reason) = misfit(stored) {
                changed += 1;
                if contents.len() < MOST_TOLD {
                    contents.push(format!("record {seq}: {reason}"));
                }
            }
        }
    })?;
    let told = u64::try_from(contents.len()).unwrap_or(u64::MAX);
    problems.extend(contents);
    if changed > told {
        problems.push(format!("{} more observations are not what their ids were made of", changed - told));
    }
    Ok((records, problems))
}

/// The lines that only one of two sorted lists has, in order, the first ones told and the others counted.
fn differences(ours: &[String], anew: &[String]) -> Vec<String> {
    let mut told = Vec::new();
    let mut count = 0_usize;
    let (mut ours, mut anew) = (ours.iter().peekable(), anew.iter().peekable());
    while let Some(first) = ours.peek().copied().into_iter().chain(anew.peek().copied()).min() {
        let (here, there) = (ours.next_if_eq(&first).is_some(), anew.next_if_eq(&first).is_some());
        if here && there {
            continue;
        }
        count += 1;
        if told.len() < MOST_TOLD {
            let problem =
                if here { "the projection holds what the ledger does not give" } else { "the projection lacks what the ledger gives" };
            told.push(format!("{problem}: {first}"));
        }
    }
    if count > told.len() {
        told.push(format!("{} more differences", count - told.len()));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(words: &str) -> Vec<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn differences_are_named_on_either_side() {
        assert_eq!(differences(&lines("a b c"), &lines("a b c")), [""; 0]);
        let told = differences(&lines("a b d e"), &lines("b c d"));
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].ends_with("does not give: a"), "{told:?}");
        assert!(told[1].ends_with("lacks what the ledger gives: c"), "{told:?}");
        assert!(told[2].ends_with("does not give: e"), "{told:?}");
        let many: Vec<String> = (0..100).map(|n| format!("{n:03}")).collect();
        let told = differences(&many, &[]);
        assert_eq!((told.len(), told[20].as_str()), (21, "80 more differences"));
    }
}

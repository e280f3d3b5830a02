//! Check digits and shapes of numbers that name people and accounts. Knows no text around them.

/// Whether digits satisfy the checksum of payment cards.
///
/// Source: ISO/IEC 7812-1, annex B (Luhn).
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .zip([1, 2].iter().cycle())
        .map(|(digit, weight)| {
            let product = u32::from(*digit) * weight;
            product / 10 + product % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether a number begins as one of the card schemes gives them out, and is as long as theirs.
pub(super) fn is_card(digits: &[u8]) -> bool {
    let lead = |count: usize| digits.iter().take(count).fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    let length = digits.len();
    let scheme = match lead(1) {
        4 => matches!(length, 13 | 16 | 19),
        2 => length == 16 && (2221..=2720).contains(&lead(4)),
        3 => match lead(2) {
            34 | 37 => length == 15,
            35 => (16..=19).contains(&length) && (3528..=3589).contains(&lead(4)),
            36 | 38 | 39 => (14..=19).contains(&length),
            _ => length == 14 && (300..=305).contains(&lead(3)),
        },
        5 => {
            (length == 16 && (51..=55).contains(&lead(2))) || ((13..=19).contains(&length) && matches!(lead(4), 5018 | 5020 | 5038 | 5893))
        }
        6 => {
            let discover = lead(4) == 6011 || (644..=649).contains(&lead(3)) || lead(2) == 65 || lead(2) == 60;
            let union_pay = lead(2) == 62 || lead(2) == 81;
            ((16..=19).contains(&length) && (discover || union_pay))
                || ((13..=19).contains(&length) && matches!(lead(4), 6304 | 6759 | 6761..=6763))
        }
        _ => false,
    };
    scheme && luhn(digits)
}

/// Whether twelve digits are a Japanese individual number ("My Number").
///
/// Source: ordinance of the Ministry of Internal Affairs and Communications no. 85 of 2014, article 5.
pub(super) fn my_number(digits: &[u8]) -> bool {
    let [body @ .., check] = digits else { return false };
    if body.len() != 11 || body.iter().all(|digit| *digit == 0) {
        return false;
    }
    let weighted: u32 = body.iter().rev().zip((2..=7).chain(2..=6)).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    let rest = weighted % 11;
    u32::from(*check) == if rest <= 1 { 0 } else { 11 - rest }
}

/// Whether nine digits can be a United States social security or taxpayer number.
pub(super) fn us_ssn(digits: &[u8]) -> bool {
    let number = |from: usize, to: usize| digits.get(from..to).map(|part| part.iter().fold(0_u32, |n, digit| n * 10 + u32::from(*digit)));
    let (Some(area), Some(group), Some(serial)) = (number(0, 3), number(3, 5), number(5, 9)) else { return false };
    // From 900 on the numbers are those of taxpayers, whose groups lie in 50 to 99.
    let area_is_given = area != 0 && area != 666 && (area < 900 || group >= 50);
    digits.len() == 9 && area_is_given && group != 0 && serial != 0
}

/// Whether two letters can begin a United Kingdom national insurance number.
///
/// Source: HMRC National Insurance Manual NIM39110.
pub(super) fn nino_prefix(first: u8, second: u8) -> bool {
    let pair = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let [first, second] = pair;
    first.is_ascii_uppercase()
        && second.is_ascii_uppercase()
        && !b"DFIQUV".contains(&first)
        && !b"DFIOQUV".contains(&second)
        && !matches!(&pair, b"BG" | b"GB" | b"KN" | b"NK" | b"NT" | b"TN" | b"ZZ")
}

/// The length of an account number of each country that has them.
///
/// Source: SWIFT, IBAN registry (ISO 13616).
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 \
    ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 \
    LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 \
    SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

/// How many characters an account number of the country has.
pub(super) fn iban_length(first: u8, second: u8) -> Option<usize> {
    let country = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let entry = IBAN_LENGTHS.split_ascii_whitespace().find(|entry| entry.as_bytes().starts_with(&country))?;
    entry.get(2..)?.parse().ok()
}

/// Whether letters and digits satisfy the checksum of account numbers.
///
/// Source: ISO 13616, ISO/IEC 7064 (MOD 97-10).
pub(super) fn iban(letters: &[u8]) -> bool {
    let Some((head, body)) = letters.split_at_checked(4) else { return false };
    let rest = body.iter().chain(head).try_fold(0_u32, |rest, letter| {
        let value = char::from(*letter).to_digit(36)?;
        Some(if value < 10 { (rest * 10 + value) % 97 } else { (rest * 100 + value) % 97 })
    });
    rest == Some(1)
}

/// The information in a text, in bits a byte: of even spread over 16 letters it is 4.
///
/// Source: Shannon 1948, section 6.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect()
    }

    #[test]
    fn numbers_are_told_by_their_check_digits() {
        for card in ["4111111111111111", "5555555555554444", "378282246310005", "6011111111111117", "3530111333300000", "30569309025904"] {
            assert!(is_card(&digits(card)), "{card}");
        }
        for no_card in ["4111111111111112", "1111111111111117", "0000000000000000", "411111111111111", "9111111111111111"] {
            assert!(!is_card(&digits(no_card)), "{no_card}");
        }
        assert!(my_number(&digits("123456789018")) && !my_number(&digits("123456789012")) && !my_number(&digits("000000000000")));
        assert!(us_ssn(&digits("219-09-9999")) && us_ssn(&digits("912-70-1234")));
        for no_ssn in ["000-12-3456", "666-12-3456", "900-12-3456", "219-00-9999", "219-09-0000", "21-09-9999"] {
            assert!(!us_ssn(&digits(no_ssn)), "{no_ssn}");
        }
        assert!(nino_prefix(b'A', b'B') && nino_prefix(b'j', b'g') && !nino_prefix(b'G', b'B') && !nino_prefix(b'Q', b'Q'));
        assert!(iban(b"GB82WEST12345698765432") && iban(b"de89370400440532013000") && !iban(b"GB82WEST12345698765433"));
        assert_eq!(iban_length(b'n', b'o'), Some(15));
        assert_eq!(iban_length(b'X', b'X'), None);
    }

    #[test]
    fn entropy_counts_bits() {
        assert!(entropy(b"aaaaaaaa").abs() < 1e-9 && (entropy(b"abababab") - 1.0).abs() < 1e-9);
        assert!((entropy(b"0123456789abcdef") - 4.0).abs() < 1e-9);
    }
}

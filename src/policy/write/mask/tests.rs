//! What is masked in chat and in documents, in English and Japanese; and ordinary texts, in which nothing is.

use super::MaskKind;
use crate::model::{Authority, ObservationKind, Source};
use crate::observe::Incoming;
use crate::policy::write::{Consents, WritePolicy, screen};
use crate::time::{Instant, ZonedInstant};

fn screened(kind: ObservationKind, text: &str) -> (String, Vec<MaskKind>) {
    let authority = match kind {
        ObservationKind::Chat | ObservationKind::Claims => Authority::User,
        ObservationKind::Document => Authority::Document,
        ObservationKind::ToolResult => Authority::Tool,
    };
    let at = ZonedInstant { at: Instant::from_micros(0), offset_minutes: 0 };
    let incoming = Incoming::from_text(kind, at, Source { authority, name: None }, text);
    let screened = screen(incoming, &WritePolicy::shipped(), &Consents::default());
    (screened.incoming.observation.text.unwrap(), screened.masked.iter().map(|masked| masked.kind).collect())
}

const EVERYWHERE: [ObservationKind; 3] = [ObservationKind::Chat, ObservationKind::Document, ObservationKind::ToolResult];

/// What each text becomes in each place, with the kinds of its masks; every one that is otherwise is told of.
fn check(places: &[ObservationKind], cases: &[(&str, &str)], kind: Option<MaskKind>) {
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        for place in places {
            let (stored, kinds) = screened(*place, text);
            let right = kind.map_or(kinds.is_empty(), |kind| !kinds.is_empty() && kinds.iter().all(|found| *found == kind));
            if stored != *expect || !right {
                wrong.push(format!("{place:?}: {text:?} became {stored:?} with {kinds:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Masked wherever it is said.
fn masks(kind: MaskKind, cases: &[(&str, &str)]) {
    check(&EVERYWHERE, cases, Some(kind));
}

/// Nothing in these is masked, wherever it is said.
fn leaves(texts: &[&str]) {
    let cases: Vec<(&str, &str)> = texts.iter().map(|text| (*text, *text)).collect();
    check(&EVERYWHERE, &cases, None);
}

/// Masked in documents and tool results, and not in chat.
fn masks_of_others(kind: MaskKind, cases: &[(&str, &str)]) {
    check(&[ObservationKind::Document, ObservationKind::ToolResult], cases, Some(kind));
    let unchanged: Vec<(&str, &str)> = cases.iter().map(|(text, _)| (*text, *text)).collect();
    check(&[ObservationKind::Chat], &unchanged, None);
}

#[test]
fn cards() {
    masks(
        MaskKind::Card,
        &[
            ("Charge 4111 1111 1111 1111, please.", "Charge [card], please."),
            ("card:5555-5555-5555-4444.", "card:[card]."),
            ("Amex 3782 822463 10005 exp 09/27", "Amex [card] exp 09/27"),
            ("378282246310005", "[card]"),
            ("{\"pan\":\"6011111111111117\",\"n\":1}", "{\"pan\":\"[card]\",\"n\":1}"),
            ("4111 1111 1111 1111 09 27 123", "[card] 09 27 123"),
            ("Two: 4111 1111 1111 1111 5555 5555 5555 4444", "Two: [card] [card]"),
            ("4111.1111.1111.1111", "[card]"),
            ("my order was paid with 4111 1111 1111 1111", "my order was paid with [card]"),
            ("カード番号は４１１１　１１１１　１１１１　１１１１です。", "カード番号は[card]です。"),
            ("クレカは3530-1113-3330-0000、有効期限は来年", "クレカは[card]、有効期限は来年"),
            ("4111\u{200b}1111\u{200b}1111\u{200b}1111", "[card]"),
            ("４１１１ー１１１１ー１１１１ー１１１１", "[card]"),
        ],
    );
    leaves(&[
        "4111 1111 1111 1112 fails its check",
        "Order number 4111111111111111 has shipped",
        "注文番号4111111111111111を発送しました",
        "id_4111111111111111",
        "0.4111111111111111",
        "4111111111111111111111",
        "1700000000000000 microseconds",
        "Build 2024.05.10.1234 of 4 111 111 parts",
        "ISBN 978-0-306-40615-7",
        "9111 1111 1111 1111",
    ]);
}

#[test]
fn card_codes() {
    masks(
        MaskKind::CardCode,
        &[
            ("CVV: 123", "CVV: [card code]"),
            ("the cvc is 9876", "the cvc is [card code]"),
            ("セキュリティコードは４５６です", "セキュリティコードは[card code]です"),
        ],
    );
    leaves(&["CVV is on the back", "123 456", "CVE-2024-1234", "セキュリティコードとは"]);
}

#[test]
fn keys_and_tokens() {
    masks(
        MaskKind::ApiKey,
        &[
            ("use sk-proj-a8Kd93mZq0Lx72Vb51Nc now", "use [api key] now"),
            ("AKIAZ7QX2M4P9R3T6W8Y", "[api key]"),
            ("export GITHUB=ghp_9aKd83mZq0Lx72Vb51NcTy64Rw20Pe8sUh17", "export GITHUB=[api key]"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.q8Kd93mZq0Lx72Vb51Nc ok", "jwt [api key] ok"),
            ("Authorization: Bearer 8f3a9c71d2e64b50", "Authorization: Bearer [api key]"),
            ("AWS_SECRET_ACCESS_KEY=wJq8Kd93mZq0Lx72/Vb51NcTy64+Rw20Pe8sUh17", "AWS_SECRET_ACCESS_KEY=[api key]"),
            ("{\"access_token\": \"t0k3n-8842-qzx\"}", "{\"access_token\": \"[api key]\"}"),
            ("my API key is q7w8e9r0t1y2", "my API key is [api key]"),
            ("token = 9f8e7d6c5b4a", "token = [api key]"),
            ("Try Jq8Kd93mZq0Lx72Vb51NcTy64Rw20Pe8sUh17Zk5Xo when it asks", "Try [api key] when it asks"),
            ("APIキーはsk-ant-a8Kd93mZq0Lx72Vb51Ncです", "APIキーは[api key]です"),
            ("アクセストークン：t0k3n8842qzx", "アクセストークン：[api key]"),
            ("ａｐｉ＿ｋｅｙ＝ｑ７ｗ８ｅ９ｒ０ｔ１", "ａｐｉ＿ｋｅｙ＝[api key]"),
        ],
    );
    leaves(&[
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "integrity sha512-Jq8Kd93mZq0Lx72Vb51NcTy64Rw20Pe8sUh17Zk5XoJq8Kd93mZq0Lx72Vb51NcTy64Rw20",
        "pip install sk-learn-contrib-extras-2024",
        "npm_config_registry_url is set in .npmrc",
        "the token count was 4096 and the key was lost",
        "APIキーを再発行してください",
        "token = null, api_key: ${API_KEY}",
        "https://docs.example/d/1Jq8Kd93mZq0Lx72Vb51NcTy64Rw20Pe8sUh17Zk5Xo/edit",
        "src/policy/WriteFileAndReadItBackAgainVersion2OfTheWriter.rs",
        "a token-based approach with 3 tokens",
    ]);
}

#[test]
fn private_keys() {
    let block = "-----BEGIN RSA PRIVATE KEY-----\nMIIabc123\nxyz==\n-----END RSA PRIVATE KEY-----";
    masks(
        MaskKind::PrivateKey,
        &[
            (&format!("key:\n{block}\nthanks"), "key:\n[private key]\nthanks"),
            (&format!("鍵は{block}です"), "鍵は[private key]です"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", "[private key]"),
        ],
    );
    leaves(&["-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIabc", "a private key"]);
}

#[test]
fn passwords() {
    masks(
        MaskKind::Password,
        &[
            ("password=tulips", "password=[password]"),
            ("DB_PASSWORD=\"b3rry pie\"", "DB_PASSWORD=\"[password]\""),
            ("{\"user\": \"ana\", \"password\": \"tulips\"}", "{\"user\": \"ana\", \"password\": \"[password]\"}"),
            ("Password: Tulip-88", "Password: [password]"),
            ("wifi password: tulips\nsee you", "wifi password: [password]\nsee you"),
            ("the password for the router is Tulip_88!", "the password for the router is [password]"),
            ("my password is tulips", "my password is [password]"),
            ("mysql --password tulips99 -u ana", "mysql --password [password] -u ana"),
            ("postgres://ana:tul1ps@db.example:5432/shop", "postgres://ana:[password]@db.example:5432/shop"),
            ("My PIN is 4821.", "My PIN is [password]."),
            ("パスワードはtulip88です", "パスワードは[password]です"),
            ("パスワード：「ちゅーりっぷ」", "パスワード：「[password]」"),
            ("暗証番号は４８２１です。", "暗証番号は[password]です。"),
            ("Wi-Fiのパスワードを Tulip88 に変えた", "Wi-Fiのパスワードを [password] に変えた"),
        ],
    );
    leaves(&[
        "I forgot my password again.",
        "The password is too short",
        "the password is 12 characters long",
        "password: required",
        "Password reset is on Tuesday",
        "your password was changed",
        "password is stored in the vault",
        "password = os.environ['DB']",
        "let password = read_password();",
        "password: ${DB_PASSWORD}",
        "user.password = hashed_password",
        "password = request.form['field']",
        "User(name=name, password=form.value)",
        "let password = sha3.hash(password, salt)",
        "`check_password`: Makes sure of it",
        "pin the tab, 4821 times",
        "パスワードは8文字以上にしてください",
        "パスワードを忘れました",
        "暗証番号を変更する",
        "https://ana@code.example/repo:8080",
        "boarding pass: A12",
    ]);
}

#[test]
fn national_ids() {
    masks(
        MaskKind::UsSsn,
        &[
            ("SSN 219-09-9999", "SSN [national id]"),
            ("his number, 219 09 9999, is on file", "his number, [national id], is on file"),
            ("ssn: 219099999", "ssn: [national id]"),
            ("社会保障番号は２１９－０９－９９９９", "社会保障番号は[national id]"),
        ],
    );
    masks(
        MaskKind::UkNino,
        &[
            ("NI number AB 12 34 56 C", "NI number [national id]"),
            ("It says AB123456C there", "It says [national id] there"),
            ("national insurance: jg 12 34 56 d", "national insurance: [national id]"),
            ("国民保険番号はＡＢ１２３４５６Ｃです", "国民保険番号は[national id]です"),
        ],
    );
    masks(
        MaskKind::JpMyNumber,
        &[
            ("My Number: 123456789018", "My Number: [national id]"),
            ("1234 5678 9018", "[national id]"),
            ("マイナンバーは１２３４－５６７８－９０１８です", "マイナンバーは[national id]です"),
            ("個人番号123456789018を提出した", "個人番号[national id]を提出した"),
        ],
    );
    masks(
        MaskKind::Passport,
        &[
            ("Passport no. AB1234567", "Passport no. [passport]"),
            ("my passport number is 123456789", "my passport number is [passport]"),
            ("パスポート番号はTK1234567です", "パスポート番号は[passport]です"),
            ("旅券番号：ＴＫ１２３４５６７", "旅券番号：[passport]"),
        ],
    );
    leaves(&[
        "000-12-3456 and 666-12-3456",
        "219-09-99990",
        "PO-219-09-9999",
        "219-09-9999-1",
        "219099999 visitors",
        "GB123456A and QQ123456C",
        "part AB123456C",
        "AB 12 34",
        "order 123456789018",
        "追跡番号 1234 5678 9018",
        "123456789018",
        "1234 5678 9012",
        "口座は123456789012、期限は2024年5月10日",
        "my passport expires in 2031",
        "passport photos cost 1200 yen",
        "パスポートは2031年まで有効",
    ]);
}

#[test]
fn account_numbers() {
    masks(
        MaskKind::Iban,
        &[
            ("IBAN GB82 WEST 1234 5698 7654 32.", "IBAN [iban]."),
            ("pay DE89370400440532013000 by noon", "pay [iban] by noon"),
            ("NO93 8601 1117 947", "[iban]"),
            ("振込先はＤＥ８９３７０４００４４０５３２０１３０００です", "振込先は[iban]です"),
        ],
    );
    leaves(&["GB82 WEST 1234 5698 7654 33", "DE89 cars and 37 vans", "XX82370400440532013000", "NO93 8601"]);
}

#[test]
fn mail_addresses_of_others() {
    masks_of_others(
        MaskKind::Email,
        &[
            ("Write to noor+news@mail.lantern.example today", "Write to [email] today"),
            ("<noor@lantern.example>;", "<[email]>;"),
            ("連絡先はnoor@lantern.exampleです", "連絡先は[email]です"),
            ("ｎｏｏｒ＠ｌａｎｔｅｒｎ．ｅｘａｍｐｌｅ まで", "[email] まで"),
            ("info@müller.example", "[email]"),
        ],
    );
    leaves(&[
        "@noor and @kai",
        "git@code.example:noor/repo.git",
        "react@18.2.0 and icon@2x.png",
        "meet @ 5.30 pm",
        "noor@localhost",
        "5 @ 3.50",
        "ユーザー名は@noor",
    ]);
}

#[test]
fn telephone_numbers_of_others() {
    masks_of_others(
        MaskKind::Phone,
        &[
            ("Call (415) 555-0132 after six", "Call [phone] after six"),
            ("415-555-0132", "[phone]"),
            ("415.555.0132", "[phone]"),
            ("tel 415 555 0132", "tel [phone]"),
            ("the help line (1-415-555-0132) is free", "the help line ([phone]) is free"),
            ("+1 415 555 0132", "[phone]"),
            ("+44 (0)20 7946 0123", "[phone]"),
            ("020 7946 0123", "[phone]"),
            ("07700 900123", "[phone]"),
            ("phone: 5550132", "phone: [phone]"),
            ("{\"phone\": \"0312345678\"}", "{\"phone\": \"[phone]\"}"),
            ("電話は03-1234-5678まで", "電話は[phone]まで"),
            ("０９０ー１２３４ー５６７８", "[phone]"),
            ("03(1234)5678", "[phone]"),
            ("携帯 09012345678", "携帯 [phone]"),
            ("フリーダイヤル0120-444-113", "フリーダイヤル[phone]"),
            ("＋８１－９０－１２３４－５６７８", "[phone]"),
        ],
    );
    leaves(&[
        "2024-05-10 and 10-05-2024, 01-02-2024",
        "2024-05-10 09:20:00",
        "version 1.12.3, build 20240510.1",
        "192.168.100.1 and 10.0.0.255",
        "ISBN 978-4-10-109205-8",
        "3-1-2 Nakano, 164-0001 Tokyo",
        "〒060-0001 札幌市",
        "第03-1234号",
        "2019-2024, pages 100-200",
        "order 415-555-0132",
        "a ratio of 100 200 3000",
        "rows 1 204,391 263 2018 and 234 380 2016",
        "電話 2024-05-10 更新",
        "1234567890 rows",
        "$ 415 555",
        "+15 points",
    ]);
}

#[test]
fn cards_in_any_spacing_and_figures() {
    masks(
        MaskKind::Card,
        &[
            ("card 4111_1111_1111_1111", "card [card]"),
            ("card 4111/1111/1111/1111", "card [card]"),
            ("4111,1111,1111,1111 on file", "[card] on file"),
            ("{\"n\":[4111,1111,1111,1111]}", "{\"n\":[[card]]}"),
            ("{\"n\":[\"4111\", \"1111\", \"1111\", \"1111\"]}", "{\"n\":[\"[card]\"]}"),
            ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 is mine", "[card] is mine"),
            ("4111\n1111\n1111\n1111 is my card", "[card] is my card"),
            ("card: 4111 11111 111 1111", "card: [card]"),
            ("4111 1111-1111 1111", "[card]"),
            ("Card no.4111111111111111exp 09/27", "Card no.[card]exp 09/27"),
            ("x4111111111111111x", "x[card]x"),
            ("٤١١١ ١١١١ ١١١١ ١١١١", "[card]"),
            ("カード番号は四一一一一一一一一一一一一一一一です", "カード番号は[card]です"),
        ],
    );
    leaves(&[
        "sha 4111111111111111a0b1c2d3e4f5",
        "ORD4111111111111111 and tx_4111111111111111",
        "4200, 4300, 4400, 4500, 4600, 4700",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "2019/2020/2021/2022, 12/05/2024 10:30:00",
        "4111.1111 and 1111.1111",
        "五十三人が四月に集まった",
    ]);
}

#[test]
fn values_behind_escapes() {
    masks(
        MaskKind::Card,
        &[
            (r#"{"a":"4111\u00201111\u00201111\u00201111"}"#, r#"{"a":"[card]"}"#),
            (r#"{"a":"paid\n4111 1111 1111 1111\n"}"#, r#"{"a":"paid\n[card]\n"}"#),
            ("4111&nbsp;1111&nbsp;1111&nbsp;1111", "[card]"),
            ("?c=4111%201111%201111%201111", "?c=[card]"),
        ],
    );
    masks(MaskKind::UsSsn, &[(r#"{"city":"219\u002d09\u002d9999"}"#, r#"{"city":"[national id]"}"#)]);
    masks(
        MaskKind::ApiKey,
        &[
            (r#"{"t":"sk\u002da8Kd93mZq0Lx72Vb51Nc"}"#, r#"{"t":"[api key]"}"#),
            (r#"{"\u0061ccess_token":"t0k3n-8842-qzx"}"#, r#"{"\u0061ccess_token":"[api key]"}"#),
        ],
    );
    masks(
        MaskKind::Password,
        &[
            (r#"{"pass\u0077ord":"tulips"}"#, r#"{"pass\u0077ord":"[password]"}"#),
            (r#"{"password":"tul\"ips and more"}"#, r#"{"password":"[password]"}"#),
            (r#"{"note":"password: \"tulips\", ok"}"#, r#"{"note":"password: \"[password]\", ok"}"#),
            ("&quot;password&quot;: &quot;tulips&quot;", "&quot;password&quot;: &quot;[password]&quot;"),
        ],
    );
    masks_of_others(
        MaskKind::Email,
        &[
            (r#"{"e":"noor\u0040lantern.example"}"#, r#"{"e":"[email]"}"#),
            ("noor&#64;lantern.example", "[email]"),
            ("mailto:noor%40lantern.example", "mailto:[email]"),
            ("noor [at] mail [dot] example", "[email]"),
            ("write to noor(at)mail.example now", "write to [email] now"),
            ("noor at mail dot example", "[email]"),
        ],
    );
    masks_of_others(
        MaskKind::Phone,
        &[(r#"{"p":"\u002b47 22 12 34 56"}"#, r#"{"p":"[phone]"}"#), (r#"{"phone":"031234\u0035678"}"#, r#"{"phone":"[phone]"}"#)],
    );
    leaves(&[
        "50%20 off",
        "R&D at 5 dot matrix printers",
        r"C:\new\token is a path",
        "meet me at noon",
        "look at mail.example today (at 5)",
    ]);
}

#[test]
fn secrets_announced_in_other_words() {
    masks(
        MaskKind::ApiKey,
        &[
            ("aws AKIAZ7QX2M4P9R3T6W8Y secret wJqKdmZqOLxVbNcTy/RwPesUhZkXoAbCdEfGhIj7", "aws [api key] secret [api key]"),
            ("AKIAZ7QX2M4P9R3T6W8Y / wJqKdmZqOLxVbNcTyRwPesUhZkXoAbCdEfGhIjk7", "[api key] / [api key]"),
            ("the token is q7w8e9r0t1y2", "the token is [api key]"),
            ("secret: q7w8e9r0t1y2", "secret: [api key]"),
            ("トークンはq7w8e9r0t1y2です", "トークンは[api key]です"),
            ("q7w8e9r0t1y2 is my API key", "[api key] is my API key"),
        ],
    );
    masks(
        MaskKind::Password,
        &[
            ("pw: tulip22!", "pw: [password]"),
            ("The wifi password's tulip22", "The wifi password's [password]"),
            ("my password tulip22!", "my password [password]"),
            ("my password: correct horse battery staple", "my password: [password]"),
            ("passphrase is window lemon orbit kettle. Keep it.", "passphrase is [password]. Keep it."),
            ("tulip22 is my wifi password", "[password] is my wifi password"),
            ("4821 is the PIN", "[password] is the PIN"),
            ("tulip22がWi-Fiのパスワードです", "[password]がWi-Fiのパスワードです"),
            ("4821が暗証番号です", "[password]が暗証番号です"),
            (
                "My bitcoin seed: window lemon orbit kettle window lemon orbit kettle window lemon orbit kettle",
                "My bitcoin seed: [password]",
            ),
        ],
    );
    masks(
        MaskKind::UsSsn,
        &[
            ("219.09.9999 is my social security number", "[national id] is my social security number"),
            ("219099999 (SSN)", "[national id] (SSN)"),
        ],
    );
    leaves(&[
        "the secret is to rest the dough",
        "the token is expired, the secret: patience",
        "token bert-base-uncased-2024-large",
        "password sha256 hashing",
        "Python3 is the password manager of choice",
        "password: see the welcome mail",
        "The password is easy to guess these days",
        "password: minimum eight characters",
        "Release 2024 is my password manager",
        "the seed is 42, seed: wheat and barley",
        "this is my pin",
        "Room 4821 is on the pin board",
    ]);
}

#[test]
fn bank_accounts_and_licences() {
    masks(
        MaskKind::BankAccount,
        &[
            ("口座番号は1234567です", "口座番号は[bank account]です"),
            ("routing 021000021 account 000123456789", "routing [bank account] account [bank account]"),
            ("My account number is 0001 2345 6789.", "My account number is [bank account]."),
            ("sort code: 12-34-56", "sort code: [bank account]"),
        ],
    );
    masks(
        MaskKind::Licence,
        &[
            ("driver's license D1234567", "driver's license [licence]"),
            ("運転免許証番号 123456789012", "運転免許証番号 [licence]"),
            ("driving licence number: MORGA753116SM9IJ", "driving licence number: [licence]"),
        ],
    );
    leaves(&[
        "the account number is on the card",
        "bank account since 2019-05-10",
        "my driver's license expires in 2031",
        "運転免許証は2031年まで有効",
        "MIT license 2024",
    ]);
}

#[test]
fn values_are_found_however_people_paste_them() {
    masks(
        MaskKind::Password,
        &[
            ("**Password:** tulip22!", "**Password:** [password]"),
            ("**Password**: tulip22!", "**Password**: [password]"),
            ("Password (new): tulip22!", "Password (new): [password]"),
            ("| Password | tulip22! |", "| Password | [password] |"),
            ("<password>tulip22!</password>", "<password>[password]</password>"),
            ("bank password - tulip22!", "bank password - [password]"),
            ("password:\n  tulip22!", "password:\n  [password]"),
            ("Passwort: tulip22!", "Passwort: [password]"),
            ("パスワード、tulip22!だよ", "パスワード、[password]だよ"),
            ("the password used to be tulip22!", "the password used to be [password]"),
            ("Changed my password from tulip22! to daisy77!", "Changed my password from [password] to [password]"),
            ("tulip22! - that's my bank password", "[password] - that's my bank password"),
            ("PIN 4821", "PIN [password]"),
            ("Our wifi: network Krona, key tulip22!", "Our wifi: network Krona, key [password]"),
            ("The login for the NAS is admin / tulip22!", "The login for the NAS is admin / [password]"),
            ("curl -u ana:Tulip2024 https://x.example", "curl -u ana:[password] https://x.example"),
            ("mysql -u root -pTulip2024x", "mysql -u root -p[password]"),
            (r#"{"password":{"value":"tulip22x"}}"#, r#"{"password":{"value":"[password]"}}"#),
            (r#"{"passwords":["tulip22x","daisy77y"]}"#, r#"{"passwords":["[password]","[password]"]}"#),
            (r#"[{"key":"password","value":"tulip22x"}]"#, r#"[{"key":"password","value":"[password]"}]"#),
        ],
    );
    masks(
        MaskKind::ApiKey,
        &[
            (r#"{"client_secret":{"value":"abcd1234efgh5678"}}"#, r#"{"client_secret":{"value":"[api key]"}}"#),
            ("https://hooks.slack.com/services/T0AB1/B0CD2/abcdEFGH1234ijkl", "https://hooks.slack.com/services/[api key]"),
        ],
    );
    masks(
        MaskKind::Passport,
        &[
            (r#"{"passport":{"number":"533380006"}}"#, r#"{"passport":{"number":"[passport]"}}"#),
            ("パスポートの番号はTK1234567です", "パスポートの番号は[passport]です"),
        ],
    );
    masks(
        MaskKind::BankAccount,
        &[
            (r#"{"account":{"number":"5577991122"}}"#, r#"{"account":{"number":"[bank account]"}}"#),
            ("口座の番号は1234567です", "口座の番号は[bank account]です"),
            ("若葉銀行北支店 普通 1234567", "若葉銀行北支店 普通 [bank account]"),
        ],
    );
    masks(MaskKind::Licence, &[("運転免許証の番号は 301234567890 です", "運転免許証の番号は [licence] です")]);
    masks(MaskKind::JpMyNumber, &[("マイナンバーカードの番号が123456789018", "マイナンバーカードの番号が[national id]")]);
    masks(MaskKind::UsSsn, &[("SSN: 219 / 09 / 9999", "SSN: [national id]")]);
    masks(
        MaskKind::Card,
        &[("Card: 4539 1488\n0343 6467", "Card: [card]"), ("5555 5555\n5555 4444", "[card]"), ("4539 1488, 0343 6467", "[card]")],
    );
    masks_of_others(
        MaskKind::Phone,
        &[
            (r#"{"name":"Bo","phones":["22123456"]}"#, r#"{"name":"Bo","phones":["[phone]"]}"#),
            (r#"{"phone":{"country":47,"number":"22123456"}}"#, r#"{"phone":{"country":47,"number":"[phone]"}}"#),
        ],
    );
    masks_of_others(MaskKind::Email, &[("bo.lind @ fjord.no", "[email]"), ("bo<wbr>@fjord.no", "[email]")]);
}

#[test]
fn what_only_stands_where_a_value_would_stays() {
    leaves(&[
        "**Password:** see the welcome mail",
        "Password (required): yes",
        "| Password | Email |\n|---|---|",
        "| password | text |",
        "<password></password>",
        "password - I forgot it again",
        "password:\nUsername: bo",
        "password:\n  at least eight characters",
        "パスワード、忘れました",
        "the password used to be easy",
        "Changed my password from weak to strong",
        "Changed the password policy from 2019 to 2023",
        "Lovely - that's my bank",
        "Agreed - that's why passwords expire",
        "pin 4 and pin 5, and a pin of 1024 bits",
        "Our wifi is down, the key question is why",
        "The login page is slow / broken",
        "The login is admin / guest",
        "curl -u https://x.example",
        "mysql -u root -p",
        "mysql -P 3306 -u root",
        "mysql -P3306 -u root",
        r#"{"password":{"required":true,"label":"New one"}}"#,
        r#"{"passwords":[]}"#,
        r#"[{"key":"colour","value":"red22xyz"}]"#,
        "https://hooks.slack.com/services/",
        "https://api.example/api/webhooks/list",
        r#"{"passport":{"expires":"2031-05-06"}}"#,
        r#"{"account":{"name":"Bo Lind","since":2019}}"#,
        "口座の種類は普通です",
        "北支店 普通の日",
        "運転免許の更新は2031年です",
        "マイナンバーカードの更新は来月です",
        "パスポートの更新に3週間かかりました",
        "電話の番号を忘れた",
        "Due 12 / 05 / 2024",
        "2019, 2020\n2021 2022",
        "1000 2000, 3000 4000",
        "1984 1985\n1986 1987",
        "Dinner @ noma.dk",
        "9.30 @ noma.dk",
        "meet @ noon",
        "商品コード 4901234567894",
        "JANコード：4901234567894",
        "Section 03-1234-5678 of the register",
        "メモリ：16GB",
        "the key to it all is patience",
        "token - a sign",
        "secret (open): none",
        "pass - fail",
        "<pin>up</pin>",
        "PIN: see letter",
        "PIN 12",
        "Passwort vergessen",
        "the credentials are fine / good",
    ]);
}

#[test]
fn secrets_in_free_words() {
    masks(
        MaskKind::Password,
        &[
            ("my password is still heron77", "my password is still [password]"),
            ("the wifi code: heron-lake-22", "the wifi code: [password]"),
            ("the gate code is 4471#", "the gate code is [password]"),
            ("gate code 4471", "gate code [password]"),
            ("safe combination 12-34-56", "safe combination [password]"),
            ("the passphrase we use is otter lake copper moon", "the passphrase we use is [password]"),
            ("seed words: again least about over above ability absent absorb abstract absurd abuse access", "seed words: [password]"),
            ("玄関の暗証コードは4471です", "玄関の暗証コードは[password]です"),
            ("WiFiのパスは heron22", "WiFiのパスは [password]"),
            ("確認コードは４４７１です", "確認コードは[password]です"),
        ],
    );
    leaves(&[
        "The combination of 1200 and 3400 is odd.",
        "The verification code expires after 10 minutes.",
        "The password is still required.",
        "The seed words in this poem are soft and warm like rain over the old mill near town.",
        "We log in with Google / Apple.",
        "ロッカーの番号は12番です",
        "The error code is 4041.",
    ]);
}

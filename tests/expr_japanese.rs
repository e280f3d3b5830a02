//! What Japanese temporal expressions are read in running text, and what they come to mean: one table a topic.
#![cfg(test)]

use erstwhile::time::expr::{Context, Language, Recurrence, Role, TimeMention, Value, describe, find};
use erstwhile::time::{Instant, Zone};

/// Thursday, 14 March 2024, ten in the morning.
fn said() -> Context {
    Context::new(Instant::parse("2024-03-14T10:00:00Z").unwrap(), Zone::UTC)
}

fn show(value: &Value) -> String {
    match value {
        Value::Moment(moment) => moment.to_string(),
        Value::Span(span) => span.to_string(),
        Value::Duration(duration) => format!("{}m{}d{}s", duration.months, duration.days, duration.micros / 1_000_000),
        Value::Set(set) => shown(*set),
    }
}

fn shown(set: Recurrence) -> String {
    let list = |name: &str, numbers: Vec<i8>| if numbers.is_empty() { String::new() } else { format!(" {name}{numbers:?}") };
    let times = set.times.map(|times| format!(" x{times}")).unwrap_or_default();
    let day = set.day.map(|day| format!(" day {day}")).unwrap_or_default();
    let clock = |name: &str, at: Option<(u32, u32)>| at.map(|(hour, minute)| format!(" {name}{hour}:{minute:02}")).unwrap_or_default();
    format!(
        "every {} {}{times}{}{}{day}{}{}{}{}",
        set.interval,
        set.grain.name(),
        list("on ", set.weekdays.iter().collect()),
        list("nth ", set.nth.iter().collect()),
        if set.weekend { " weekend" } else { "" },
        set.part.map(|part| format!(" {}", part.name())).unwrap_or_default(),
        clock("at ", set.time),
        clock("to ", set.until),
    )
}

/// Each expression of the text with its preferred value, as `words=value`.
fn read(text: &str) -> Vec<String> {
    find(text, &said()).iter().map(|mention| format!("{}={}", &text[mention.bytes.clone()], show(&mention.value))).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text), expected, "{text}");
}

fn only(text: &str) -> TimeMention {
    let mut mentions = find(text, &said());
    assert_eq!(mentions.len(), 1, "{text}: {mentions:?}");
    mentions.remove(0)
}

#[test]
fn the_end_of_a_named_year_or_month_is_of_that_one() {
    check("店は2018年末に閉まった。", &["2018年末=[2018-12-21T00:00:00Z, 2019-01-01T00:00:00Z)"]);
    check("令和2年末の在庫", &["令和2年末=[2020-12-21T00:00:00Z, 2021-01-01T00:00:00Z)"]);
    check("8月末に旅へ出る。", &["8月末=[2024-08-21T00:00:00Z, 2024-09-01T00:00:00Z)"]);
    check("再来年の5月末に終わる。", &["再来年の5月末=[2026-05-21T00:00:00Z, 2026-06-01T00:00:00Z)"]);
    check("2017年初めに結婚した。", &["2017年初め=[2017-01-01T00:00:00Z, 2017-05-01T00:00:00Z)"]);
    check("支払いは4月末日です。", &["4月末日=2024-04-30"]);
    check("今年の最終日", &["今年の最終日=2024-12-31"]);
    check("今月末までに返します。", &["今月末までに=/by 2024-03"]);
    check("昨年末から腰が痛い。", &["昨年末から=[2023-12-21T00:00:00Z, 2024-01-01T00:00:00Z)/.."]);
}

#[test]
fn the_end_of_the_year_is_its_last_days_and_the_verb_says_which() {
    check("年末に雪が降った。", &["年末=[2023-12-21T00:00:00Z, 2024-01-01T00:00:00Z)"]);
    check("年末に京都へ行きます。", &["年末=[2024-12-21T00:00:00Z, 2025-01-01T00:00:00Z)"]);
    check("年明けに始めよう。", &["年明け=[2025-01-01T00:00:00Z, 2025-01-11T00:00:00Z)"]);
    check("2021年の初めに会った。", &["2021年の初め=[2021-01-01T00:00:00Z, 2021-05-01T00:00:00Z)"]);
}

#[test]
fn a_fiscal_year_begins_in_april() {
    let year = |text: &str, first: u32| {
        check(text, &[&format!("{text}=[{first}-04-01T00:00:00Z, {}-04-01T00:00:00Z)", first + 1)]);
    };
    for (text, first) in
        [("2018年度", 2018), ("令和元年度", 2019), ("今年度", 2023), ("来年度", 2024), ("昨年度", 2022), ("再来年度", 2025)]
    {
        year(text, first);
    }
    check("2020年度下半期に伸びた。", &["2020年度下半期=[2020-10-01T00:00:00Z, 2021-04-01T00:00:00Z)"]);
    check("2019年度の第4四半期", &["2019年度の第4四半期=2020-Q1"]);
    check("来年度上期の計画", &["来年度上期=[2024-04-01T00:00:00Z, 2024-10-01T00:00:00Z)"]);
    check("2021年度2月の売上", &["2021年度2月=2022-02"]);
    check("平成29年度末に退いた。", &["平成29年度末=[2018-03-21T00:00:00Z, 2018-04-01T00:00:00Z)"]);
    check("年度初めに集まる。", &["年度初め=[2024-04-01T00:00:00Z, 2024-04-11T00:00:00Z)"]);
    check(
        "2016年度に着手し、翌年度に終えた。",
        &["2016年度=[2016-04-01T00:00:00Z, 2017-04-01T00:00:00Z)", "翌年度=[2017-04-01T00:00:00Z, 2018-04-01T00:00:00Z)"],
    );
}

#[test]
fn a_number_that_counts_is_no_year() {
    for text in [
        "値段は1980円だった。",
        "2010個売れた。",
        "応募は2022名でした。",
        "2005万円の家",
        "重さ2000グラム",
        "2015 円",
        "1999点を取った",
        "席は2001番です",
        "約2020人",
        "在庫は2000。",
    ] {
        check(text, &[]);
    }
    check("2015年に2015個売れた。", &["2015年=2015"]);
}

#[test]
fn eras_have_decades_and_years_before_the_common_era() {
    check("昭和30年代の街", &["昭和30年代=[1955-01-01T00:00:00Z, 1965-01-01T00:00:00Z)"]);
    check("紀元前221年に統一した。", &["紀元前221年=-0220"]);
    check("紀元前2世紀の鏡", &["紀元前2世紀=-01XX"]);
    check("西暦645年の改革", &["西暦645年=0645"]);
    check("江戸時代の絵", &["江戸時代=[1603-01-01T00:00:00Z, 1868-01-01T00:00:00Z)"]);
    check("慶応2年に生まれた。", &["慶応2年=1866"]);
    check("H27年6月に入った。R5.10.2に出た。", &["H27年6月=2015-06", "R5.10.2=2023-10-02"]);
    check("平成28年(2016年)4月に起きた。", &["平成28年(2016年)4月=2016-04"]);
    check("20世紀初頭の詩", &["20世紀初頭=[1900-01-01T00:00:00Z, 1934-01-01T00:00:00Z)"]);
    check("R12ガスとT4菌、M1チップ", &[]);
}

#[test]
fn what_was_spoken_of_is_the_anchor() {
    check("2003年に出会い、4年後に別れた。", &["2003年=2003", "4年後=2007"]);
    check("2003年に出会い、その4年後に別れた。", &["2003年=2003", "その4年後=2007"]);
    check("1998年に開き、前年に建てていた。", &["1998年=1998", "前年=1997"]);
    check("1998年に開き、翌々年に閉めた。", &["1998年=1998", "翌々年=2000"]);
    check("2021年2月10日に着き、その前日に発った。", &["2021年2月10日=2021-02-10", "その前日=2021-02-09"]);
    check("2021年2月に着いた。その翌月に帰った。", &["2021年2月=2021-02", "その翌月=2021-03"]);
    check("2021年2月10日に泊まり、翌朝7時に発った。", &["2021年2月10日=2021-02-10", "翌朝7時=2021-02-11T07Z"]);
    // What is to come is seen from now.
    check("2003年に出会った。4年後に還暦を迎えます。", &["2003年=2003", "4年後=2028"]);
}

#[test]
fn the_verb_at_the_end_of_the_clause_tells_which_year() {
    check("11月20日から12月3日まで休みます。", &["11月20日から12月3日まで=2024-11-20/2024-12-03"]);
    check("11月20日から12月3日まで休んだ。", &["11月20日から12月3日まで=2023-11-20/2023-12-03"]);
    check("申込は10月15日必着です。", &["10月15日=2024-10-15"]);
    check("10月15日に東京の新しい店で働きはじめた。", &["10月15日=2023-10-15"]);
    check("日曜に友達と会いたい。", &["日曜=2024-03-17"]);
    check("姉が生まれたのは10月15日。", &["10月15日=2023-10-15"]);
    check("再来月始める。今日終わります。", &["再来月=2024-05", "今日=2024-03-14"]);
}

#[test]
fn ordinary_words_that_hold_a_word_of_time_are_left_alone() {
    for text in [
        "今井さんと今日子さん",
        "明日香村へ行く",
        "四日市から十日町まで",
        "二日酔いで三日坊主",
        "五月雨を集めて",
        "朝日新聞と夕刊",
        "一時停止して一時的に休む",
        "一時帰宅を許す",
        "三分の一と10分の1",
        "国を二分する",
        "五分五分だ",
        "即位と即答、即ち",
        "現在地は今ひとつ分からない",
        "今さら言えない",
        "同年代の前日本代表",
        "半月板を痛めた",
        "1年A組と3年2組",
        "千夜一夜",
        "十分です。もう十分だ。",
        "三月さんと春ちゃん",
        "年末調整",
        "2023年13月1日",
        "3/4カップの砂糖",
    ] {
        check(text, &[]);
    }
    check("今、今田さんが来た。", &["今=2024-03-14T10:00:00Z"]);
    check("三日月を三日に見た。", &["三日=2024-03-03"]);
    check("三分で一時に着く。", &["三分で=2024-03-14T10:03Z", "一時=2024-03-14T13Z"]);
    check("十分後に出る。", &["十分後=2024-03-14T10:10Z"]);
}

#[test]
fn around_and_before_a_time_of_day() {
    check("25日前後に着く。", &["25日前後=[2024-03-24T00:00:00Z, 2024-03-27T00:00:00Z)"]);
    assert!(only("25日前後に着く。").approximate);
    check("明日の朝8時5分前に着く。", &["明日の朝8時5分前=2024-03-15T07:55Z"]);
    check("明日の午後一時二十分前", &["明日の午後一時二十分前=2024-03-15T12:40Z"]);
    check("明日の27時に放送", &["明日の27時=2024-03-16T03Z"]);
    check("明日の24時に閉まる", &["明日の24時=2024-03-16T00Z"]);
}

#[test]
fn a_zone_that_is_named_is_the_clocks() {
    check("2024年5月2日8時JSTに始まる。", &["2024年5月2日8時JST=2024-05-01T23Z"]);
    check("日本時間の5月2日午前8時に始まる。", &["日本時間の5月2日午前8時=2024-05-01T23Z"]);
    check("5月2日8時30分（日本時間）に始まる。", &["5月2日8時30分（日本時間）=2024-05-01T23:30Z"]);
}

#[test]
fn parts_of_what_lies_so_long_ago() {
    check("4年前の秋に会った。", &["4年前の秋=2020-23"]);
    check("3年前の8月に会った。", &["3年前の8月=2021-08"]);
    check("二週間前の水曜日に会った。", &["二週間前の水曜日=2024-02-28"]);
    check("4日前の夜に会った。", &["4日前の夜=[2024-03-10T20:00:00Z, 2024-03-11T04:00:00Z)"]);
    check("20年後の今日も、一昨年の今日も。", &["20年後の今日=2044-03-14", "一昨年の今日=2022-03-14"]);
    check("去年の今頃は寒かった。", &["去年の今頃=[2023-02-01T00:00:00Z, 2023-05-01T00:00:00Z)"]);
    check("1995年の2年前", &["1995年の2年前=1993"]);
    check("半年前に習い、一年半後に使う。", &["半年前=2023-09", "一年半後=2025-09"]);
    check("十数年前に見た。", &["十数年前=[2010-01-01T00:00:00Z, 2013-01-01T00:00:00Z)"]);
    check("2、3日前に見た。", &["2、3日前=[2024-03-10T00:00:00Z, 2024-03-13T00:00:00Z)"]);
    check("2千年前の港と1500年前の港", &["2千年前=0024", "1500年前=0524"]);
    check("4年前から通い、10年以上前に知った。", &["4年前から=2020/..", "10年以上前=/by 2013"]);
    check("いまから三週間後に発つ。", &["いまから三週間後=2024-W14"]);
}

#[test]
fn weekdays_and_days_inside_what_is_named() {
    check("次の日曜日に行く。", &["次の日曜日=2024-03-17"]);
    check("先週末の土曜に寝た。", &["先週末の土曜=2024-03-09"]);
    check("来週の土日は雨だ。", &["来週の土日=[2024-03-23T00:00:00Z, 2024-03-25T00:00:00Z)"]);
    check("来月の最終月曜日に開く。", &["来月の最終月曜日=2024-04-29"]);
    check("来月の第二週の木曜日", &["来月の第二週の木曜日=2024-04-11"]);
    check("週明けに送ります。", &["週明け=2024-03-18"]);
    check("2022年上半期と2021年Q2", &["2022年上半期=[2022-01-01T00:00:00Z, 2022-07-01T00:00:00Z)", "2021年Q2=2021-Q2"]);
    check("この夏に行く。", &["この夏=2024-22"]);
}

#[test]
fn by_is_not_until() {
    assert_eq!(only("金曜日までに返す。").role, Role::By);
    assert_eq!(only("金曜日まで休む。").role, Role::Until);
    check("午後4時までに戻る。", &["午後4時までに=/by 2024-03-14T16:00:00Z"]);
    check("6月1日より開館。", &["6月1日より=2024-06-01/.."]);
    check("去年より寒い。", &["去年=2023"]);
}

#[test]
fn recurring_times() {
    let set = |text: &str, expected: &str| check(text, &[&format!("{text}={expected}")]);
    set("毎月第2火曜日", "every 1 month on [2] nth [2]");
    set("毎月第1・第3日曜日", "every 1 month on [7] nth [1, 3]");
    set("毎月最終金曜日", "every 1 month on [5] nth [-1]");
    set("毎年5月第2日曜日", "every 1 year on [7] nth [2]");
    set("毎週火曜と土曜の朝", "every 1 week on [2, 6] morning");
    set("毎週末", "every 1 week weekend");
    set("平日の夜", "every 1 week on [1, 2, 3, 4, 5] night");
    set("平日9時から17時まで", "every 1 week on [1, 2, 3, 4, 5] at 9:00 to 17:00");
    set("1日2回", "every 1 day x2");
    set("週に3度", "every 1 week x3");
    set("月1回", "every 1 month x1");
    set("五年に一度", "every 5 year x1");
    set("一月に一度", "every 1 month x1");
    set("一日おき", "every 2 day");
    set("4時間おき", "every 4 hour");
    set("土曜日ごとに", "every 1 week on [6]");
    check("1月に一度会った。", &["1月=2024-01"]);
}

#[test]
fn lengths_in_days_and_nights() {
    check("3泊4日の旅", &["3泊4日=0m4d0s"]);
    check("三日三晩踊った。", &["三日三晩=0m3d0s"]);
    check("作るのに三日かかった。", &["三日=0m3d0s"]);
    check("10日ほど休む。", &["10日ほど=0m10d0s"]);
    check("1日8時間働き、2日と3時間休む。", &["8時間=0m0d28800s", "2日=2024-04-02", "3時間=0m0d10800s"]);
}

#[test]
fn not_long_ago_is_a_stretch_before_the_reference() {
    check("さっき食べた。", &["さっき=[2024-03-14T07:00:00Z, 2024-03-14T10:00:00Z)"]);
    check("先日お会いした者です。", &["先日=[2024-02-29T00:00:00Z, 2024-03-14T00:00:00Z)"]);
    assert!(only("このあいだ会った。").approximate);
}

#[test]
fn holidays_follow_the_law_of_their_year() {
    check("2010年の天皇誕生日", &["2010年の天皇誕生日=2010-12-23"]);
    check("1980年の体育の日", &["1980年の体育の日=1980-10-10"]);
    check("2020年の山の日、2022年の山の日", &["2020年の山の日=2020-08-10", "2022年の山の日=2022-08-11"]);
    check("2019年の天皇誕生日", &[]);
}

#[test]
fn days_of_the_month_are_spelled_in_kana() {
    check("四月ふつかに発つ。", &["四月ふつか=2024-04-02"]);
    check("四月ようかに発つ。", &["四月ようか=2024-04-08"]);
    check("来月ついたちに始める。", &["来月ついたち=2024-04-01"]);
    check("はつかに届きます。", &["はつか=2024-03-20"]);
    check("ふつか前に着いた。", &["ふつか前=2024-03-12"]);
    check("みっか間休んだ。", &["みっか間=0m3d0s"]);
    for text in ["いつか会おう。", "はつか大根を植えた。", "どうなのか。"] {
        check(text, &[]);
    }
}

#[test]
fn eras_are_written_as_one_character() {
    check("㍻30年に建てた。", &["㍻30年=2018"]);
    check("㋿3年4月に移った。", &["㋿3年4月=2021-04"]);
    check("㍼60年の本", &["㍼60年=1985"]);
}

#[test]
fn a_year_that_is_said_twice_is_one() {
    for text in ["令和3年(2021年)", "令和3年（2021）", "令和3（2021）年", "2021（令和3）年", "2021年（令和3年）"] {
        check(&format!("{text}に着いた。"), &[&format!("{text}=2021")]);
    }
    check("令和3年（2020年）", &["令和3年=2021", "2020年=2020"]);
}

#[test]
fn weekdays_are_listed_by_their_first_characters() {
    check("月・水・金に走る。", &["月・水・金=every 1 week on [1, 3, 5]"]);
    check("火・木は休みだ。", &["火・木=every 1 week on [2, 4]"]);
    check("毎週月水金の9時に会う。", &["毎週月水金の9時=every 1 week on [1, 3, 5] at 9:00"]);
    for text in ["水・電気・ガス", "火・水・風", "木・竹の家"] {
        check(text, &[]);
    }
    check("1月・2月は寒い。", &["1月=2024-01", "2月=2024-02"]);
}

#[test]
fn the_end_of_every_month_is_its_last_day() {
    check("毎月末に払う。", &["毎月末=every 1 month nth [-1]"]);
    check("毎年末に集まる。", &["毎年末=every 1 year"]);
}

#[test]
fn what_narrows_a_granule_is_read_with_it() {
    check("一昨年の暮れに店を閉めた。", &["一昨年の暮れ=[2022-12-21T00:00:00Z, 2023-01-01T00:00:00Z)"]);
    check("昨年暮れに家を買った。", &["昨年暮れ=[2023-12-21T00:00:00Z, 2024-01-01T00:00:00Z)"]);
    check("年の暮れに旅に出た。", &["年の暮れ=[2023-12-21T00:00:00Z, 2024-01-01T00:00:00Z)"]);
    check("2018年の年の瀬", &["2018年=2018", "年の瀬=[2024-12-21T00:00:00Z, 2025-01-01T00:00:00Z)"]);
    check("歳末に福引がある。", &["歳末=[2024-12-21T00:00:00Z, 2025-01-01T00:00:00Z)"]);
    check("暮れに祖父が来た。", &["暮れ=[2023-12-21T00:00:00Z, 2024-01-01T00:00:00Z)"]);
    for text in ["途方に暮れた。", "日が暮れて寒い。", "日暮れに鐘が鳴る。", "夕暮れの浜"] {
        check(text, &[]);
    }
}

#[test]
fn what_opens_after_days_off_is_in_the_week_after_them() {
    check("お盆明けに会おう。", &["お盆明け=[2024-08-17T00:00:00Z, 2024-08-24T00:00:00Z)"]);
    check("正月明けに退院した。", &["正月明け=[2024-01-04T00:00:00Z, 2024-01-11T00:00:00Z)"]);
    check("2021年の大型連休明けに始めた。", &["2021年の大型連休明け=[2021-05-06T00:00:00Z, 2021-05-13T00:00:00Z)"]);
    check("来年の夏休み明けに引っ越す。", &["来年の夏休み明け=2025-W36"]);
    check("お盆休み明けに話す。", &["お盆休み明け=[2024-08-17T00:00:00Z, 2024-08-24T00:00:00Z)"]);
    for text in ["徹夜明けで眠い。", "梅雨明けが待たれる。"] {
        check(text, &[]);
    }
}

#[test]
fn school_holidays_are_spans() {
    check("夏休みに泳ぎを習います。", &["夏休み=[2024-07-20T00:00:00Z, 2024-09-01T00:00:00Z)"]);
    check("2019年の冬休みに犬が来た。", &["2019年の冬休み=[2019-12-24T00:00:00Z, 2020-01-08T00:00:00Z)"]);
    check("去年の春休み", &["去年の春休み=[2023-03-25T00:00:00Z, 2023-04-07T00:00:00Z)"]);
}

#[test]
fn an_era_has_parts() {
    check("昭和末期の喫茶店", &["昭和末期=[1979-01-01T00:00:00Z, 1990-01-01T00:00:00Z)"]);
    check("平成の終わり頃に始めた。", &["平成の終わり頃=[2014-01-01T00:00:00Z, 2020-01-01T00:00:00Z)"]);
    check("明治初期の建物", &["明治初期=[1868-01-01T00:00:00Z, 1882-01-01T00:00:00Z)"]);
    check("江戸時代後期の絵", &["江戸時代後期=[1779-01-01T00:00:00Z, 1868-01-01T00:00:00Z)"]);
    check("昭和の歌が好きだ。", &[]);
}

#[test]
fn the_quarter_that_kanji_count_is_no_other_number() {
    check("第一四半期の決算", &["第一四半期=2024-Q1"]);
    check("2022年度第三四半期", &["2022年度第三四半期=2022-Q4"]);
    check("十四日に発つ。", &["十四日=2024-03-14"]);
}

#[test]
fn two_figures_and_a_year_are_a_year_where_something_lies_in_it() {
    check("98年に高校を出た。", &["98年=1998"]);
    check("'21年夏に帰国した。", &["'21年夏=2021-22"]);
    check("22年の夏休みに登った。", &["22年の夏休み=[2022-07-20T00:00:00Z, 2022-09-01T00:00:00Z)"]);
    check("19年4月に入社した。", &["19年4月=2019-04"]);
    check("97年から04年まで神戸にいた。", &["97年から04年まで=1997/2004"]);
    check("18年末に畳んだ。", &["18年末=[2018-12-21T00:00:00Z, 2019-01-01T00:00:00Z)"]);
    check("昭和50年に生まれ、98年に高校を出た。", &["昭和50年=1975", "98年=1998"]);
    check("令和元年に開き、22年に改めた。", &["令和元年=2019", "22年=2022"]);
    check("昭和50年に生まれ、55年に越した。", &["昭和50年=1975", "55年=1980"]);
    check(
        "平成20年度に始め、22年度に終えた。",
        &["平成20年度=[2008-04-01T00:00:00Z, 2009-04-01T00:00:00Z)", "22年度=[2010-04-01T00:00:00Z, 2011-04-01T00:00:00Z)"],
    );
    check("20年11月末に着いた。", &["20年11月末=[2020-11-21T00:00:00Z, 2020-12-01T00:00:00Z)"]);
    check("21年度の予算", &["21年度=[2021-04-01T00:00:00Z, 2022-04-01T00:00:00Z)"]);
    for (text, read) in [
        ("12年かけて建てた。", "12年=144m0d0s"),
        ("20年に及ぶ工事", "20年=240m0d0s"),
        ("30年にわたる研究", "30年=360m0d0s"),
        ("結婚して25年になります。", "25年=300m0d0s"),
        ("10年から15年かかる。", "10年=120m0d0s"),
        ("築40年に近い家", "40年=480m0d0s"),
        ("40年の歴史", "40年=480m0d0s"),
    ] {
        assert_eq!(self::read(text).first().map(String::as_str), Some(read), "{text}");
    }
    check("10年に一度の雨", &["10年に一度=every 10 year x1"]);
    check("20年前に植えた。", &["20年前=2004"]);
}

#[test]
fn what_no_calendar_or_clock_has_is_left_alone() {
    for text in ["0年", "9999年", "9999年12月31日", "13月32日", "25時61分", "0日ごとに動く。"] {
        check(text, &[]);
    }
}

#[test]
fn late_night_is_around_midnight() {
    check("昨日の深夜に地震があった。", &["昨日の深夜=[2024-03-13T23:00:00Z, 2024-03-14T04:00:00Z)"]);
    check("深夜2時に起きた。", &["深夜2時=2024-03-14T02Z"]);
    check("毎日深夜1時に更新する。", &["毎日深夜1時=every 1 day late night at 1:00"]);
}

#[test]
fn the_weekday_of_a_programme_is_of_its_title() {
    check("火曜サスペンスを見た。", &[]);
    check("日曜洋画劇場が好きだった。", &[]);
    check("火曜ミーティングは中止です。", &["火曜=2024-03-19"]);
}

#[test]
fn what_is_next_to_a_day_that_nobody_named_is_not_to_come_where_it_has_been() {
    check("翌年、彼は会社を辞めた。", &[]);
    check("翌日、姉が来た。", &[]);
    check("翌日届きます。", &["翌日=2024-03-15"]);
    check("2019年に転び、翌年、彼は会社を辞めた。", &["2019年=2019", "翌年=2020"]);
}

#[test]
fn ordinary_wordings_come_before_the_formal_notation() {
    for (text, worded) in [
        ("令和元年度", "2019年度"),
        ("今週末", "2024年3月16日の週末"),
        ("年末年始", "2024年の年末年始"),
        ("ここ数年", "2021年3月14日からの3年間"),
        ("1990年代後半", "1990年代後半"),
        ("去年の冬", "2023年の冬"),
        ("隔日の朝", "隔日の朝"),
        ("毎日深夜2時", "毎日深夜2時"),
        ("21世紀初頭", "21世紀初期"),
    ] {
        assert_eq!(describe(&only(text).value, Language::Japanese), worded, "{text}");
    }
}

#[test]
fn minutes_before_an_hour_are_of_the_hour_before_it() {
    check("大晦日の午前0時10分前に鐘が鳴る。", &["大晦日の午前0時10分前=2024-12-31T23:50Z"]);
    check("午後0時5分前に着く。", &["午後0時5分前=2024-03-14T11:55Z"]);
    check("明日の正午の20分前に会おう。", &["明日の正午の20分前=2024-03-15T11:40Z"]);
    check("午後7時の5分前です。", &["午後7時の5分前=2024-03-14T18:55Z"]);
}

#[test]
fn a_time_to_the_minute_of_a_whole_date_is_of_the_morning_first() {
    let mention = only("記録は2022年8月9日5時40分。");
    assert_eq!(show(&mention.value), "2022-08-09T05:40Z");
    assert_eq!(mention.alternatives.iter().map(show).collect::<Vec<_>>(), ["2022-08-09T17:40Z"]);
    check("2022年8月9日夜8時40分", &["2022年8月9日夜8時40分=2022-08-09T20:40Z"]);
    check("明日5時40分に出る。", &["明日5時40分=2024-03-15T17:40Z"]);
}

#[test]
fn the_beginning_of_a_year_is_as_long_as_early_in_it_is() {
    check("2016年の終わりに離れた。", &["2016年の終わり=[2016-09-01T00:00:00Z, 2017-01-01T00:00:00Z)"]);
    check("2016年頭の話", &["2016年頭=[2016-01-01T00:00:00Z, 2016-01-11T00:00:00Z)"]);
}

#[test]
fn past_an_hour_is_after_it() {
    check("正午過ぎに届く。", &["正午過ぎ=2024-03-14T12:00:00Z/.."]);
    check("お昼過ぎに寄る。", &["お昼過ぎ=[2024-03-14T12:00:00Z, 2024-03-14T18:00:00Z)"]);
    check("食べすぎた。", &[]);
}

#[test]
fn hours_are_of_each_of_the_days_named_before_them() {
    check("月曜から金曜の9時半〜17時", &["月曜から金曜の9時半〜17時=every 1 week on [1, 2, 3, 4, 5] at 9:30 to 17:00"]);
    check("火〜土は10:00〜19:00", &["火〜土は10:00〜19:00=every 1 week on [2, 3, 4, 5, 6] at 10:00 to 19:00"]);
    check("平日は9時から17時まで", &["平日は9時から17時まで=every 1 week on [1, 2, 3, 4, 5] at 9:00 to 17:00"]);
    check("土日は11時から18時まで", &["土日は11時から18時まで=every 1 week weekend at 11:00 to 18:00"]);
}

#[test]
fn golden_week_goes_by_its_letters_too() {
    check("GW明けに戻る。", &["GW明け=2024-W19"]);
    check("連休明けに話そう。", &["連休明け=2024-W19"]);
    check("出力5GWの設備", &[]);
}

#[test]
fn what_fills_a_month_ends_on_its_last_day() {
    check("来月いっぱいで店を閉める。", &["来月いっぱいで=2024-04-30"]);
    check("今週いっぱい留守です。", &["今週いっぱい=2024-W11"]);
}

#[test]
fn a_night_between_two_days_is_of_the_first() {
    check("8月3日から4日にかけての夜に降った。", &["8月3日から4日にかけての夜=[2023-08-03T20:00:00Z, 2023-08-04T04:00:00Z)"]);
}

#[test]
fn what_has_no_name_lies_between_two_days_or_years() {
    let described = |text: &str, expected: &str| {
        let value = only(text).value;
        assert_eq!(describe(&value, Language::Japanese), expected, "{text}");
    };
    described("お盆明け", "2024年8月17日から2024年8月23日までのいつか");
    described("来四半期末まで", "2024年6月末まで");
    described("平成の初め頃", "1989年から1998年までのいつか");
    described("2016年の終わり", "2016年の終わり");
    described("明日の昼過ぎ", "2024年3月15日の午後");
}

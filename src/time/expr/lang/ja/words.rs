//! Japanese words for values. Knows nothing of how they are read.

use crate::time::expr::calendar::Grain;
use crate::time::expr::recur::Recurrence;
use crate::time::expr::symbol::DayPart;
use crate::time::expr::wording::{Piece, Stretch, Within};

const WEEKDAYS: [&str; 7] = ["月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"];

fn clock(hour: u32, minute: u32) -> String {
    let half = if hour < 12 { "午前" } else { "午後" };
    let minutes = if minute == 0 { String::new() } else { format!("{minute}分") };
    format!("{half}{}時{minutes}", hour % 12)
}

/// A granule: `2019年6月3日`, `2019年第2四半期`, `1980年代`.
pub(in crate::time::expr) fn piece(piece: Piece) -> String {
    match piece {
        Piece::Century(year) => format!("{}世紀", year / 100 + 1),
        Piece::Decade(year) => format!("{year}年代"),
        Piece::Year(year) => format!("{year}年"),
        Piece::Season(year, season) => {
            let name = match season {
                0 => "春",
                1 => "夏",
                2 => "秋",
                // It is that of the year it ends in.
                _ => return format!("{}年の冬", year + 1),
            };
            format!("{year}年の{name}")
        }
        Piece::Quarter(year, quarter) => format!("{year}年第{quarter}四半期"),
        Piece::Month(year, month) => format!("{year}年{month}月"),
        Piece::Week(year, week) => format!("{year}年の第{week}週"),
        Piece::Day(year, month, day) => format!("{year}年{month}月{day}日"),
        Piece::Hour(year, month, day, hour) => format!("{year}年{month}月{day}日{}", clock(hour, 0)),
        // A minute of nought is said, or it would be the hour.
        Piece::Minute(year, month, day, hour, minute) => {
            let half = if hour < 12 { "午前" } else { "午後" };
            format!("{year}年{month}月{day}日{half}{}時{minute}分", hour % 12)
        }
    }
}

/// A stretch: `2019年5月から2019年7月まで`.
pub(in crate::time::expr) fn stretch(stretch: Stretch) -> String {
    match stretch {
        Stretch::Between(from, to) => format!("{from}から{to}まで"),
        Stretch::Since(from) => format!("{from}から"),
        Stretch::Until(to) => format!("{to}まで"),
        Stretch::UntilEnd(to) => format!("{to}末まで"),
        Stretch::Sometime(from, to) => format!("{from}から{to}までのいつか"),
        Stretch::Before(to) => format!("{to}より前"),
        Stretch::After(from) => format!("{from}の後"),
        Stretch::Lasting(length, from) => format!("{from}からの{length}{}", if length.ends_with('間') { "" } else { "間" }),
    }
}

/// What lies in or around a granule: `2019年頃`, `2023年3月上旬`, `2019年6月3日の朝`.
pub(in crate::time::expr) fn within(within: Within, of: &str) -> Option<String> {
    Some(match within {
        Within::Near => format!("{of}頃"),
        Within::Section(0, Grain::Month) => format!("{of}上旬"),
        Within::Section(1, Grain::Month) => format!("{of}中旬"),
        Within::Section(2, Grain::Month) => format!("{of}下旬"),
        Within::Part(DayPart::Morning) => format!("{of}の朝"),
        Within::Part(DayPart::Afternoon) => format!("{of}の午後"),
        Within::Part(DayPart::Evening) => format!("{of}の夕方"),
        Within::Section(0, Grain::Year) => format!("{of}の初め"),
        Within::Section(1, Grain::Year) => format!("{of}の半ば"),
        Within::Section(2, Grain::Year) => format!("{of}の終わり"),
        Within::Part(DayPart::Night) => format!("{of}の夜"),
        Within::Part(DayPart::LateNight) => format!("{of}の深夜"),
        Within::Section(0, Grain::Decade | Grain::Century) => format!("{of}初期"),
        Within::Section(1, Grain::Decade | Grain::Century) => format!("{of}中期"),
        Within::Section(2, Grain::Decade | Grain::Century) => format!("{of}後期"),
        Within::Half(first) => format!("{of}{}", if first { "前半" } else { "後半" }),
        Within::Holiday(index) => format!("{of}の{}", super::holiday_name(index)?),
        Within::Fiscal => format!("{}年度", of.strip_suffix('年')?),
        Within::Weekend => format!("{of}の週末"),
        Within::Section(..) | Within::Part(_) => return None,
    })
}

/// A duration: `3年2か月`.
pub(in crate::time::expr) fn duration(parts: &[(i64, Grain)]) -> Option<String> {
    let word = |(count, grain): &(i64, Grain)| {
        let unit = match grain {
            Grain::Second => "秒",
            Grain::Minute => "分",
            Grain::Hour => "時間",
            Grain::Day => "日間",
            Grain::Month => "か月",
            Grain::Year => "年",
            _ => return None,
        };
        Some(format!("{count}{unit}"))
    };
    parts.iter().map(word).collect()
}

/// A recurring time: `毎週月曜日午前10時30分`, `毎月第1・第3土曜日`, `週に3回`, `平日午前9時から午後5時まで`.
pub(in crate::time::expr) fn set(set: Recurrence) -> Option<String> {
    let time = match (set.time, set.until) {
        // The part of the day says which half of it: 深夜2時, 夜9時半.
        (Some((hour, minute)), None) if set.part.is_some() => {
            let minutes = if minute == 0 { String::new() } else { format!("{minute}分") };
            format!("{}時{minutes}", hour % 12)
        }
        (Some((hour, minute)), None) => clock(hour, minute),
        (Some(from), Some(to)) => format!("{}から{}まで", clock(from.0, from.1), clock(to.0, to.1)),
        _ => String::new(),
    };
    let name = |weekday: i8| WEEKDAYS.get(usize::try_from(weekday).ok()?.checked_sub(1)?).copied();
    let weekdays: Vec<&str> = set.weekdays.iter().filter_map(name).collect();
    let each = match set.grain {
        Grain::Day => "毎日",
        Grain::Week => "毎週",
        Grain::Month => "毎月",
        Grain::Year => "毎年",
        _ => "",
    };
    let part = match set.part {
        Some(DayPart::Morning) => "朝",
        Some(DayPart::Evening) => "晩",
        Some(DayPart::Night) => "夜",
        Some(DayPart::LateNight) => "深夜",
        Some(_) => return None,
        None => "",
    };
    let unit = match set.grain {
        Grain::Day => "日",
        Grain::Week => "週間",
        Grain::Month => "か月",
        Grain::Year => "年",
        Grain::Hour => "時間",
        Grain::Minute => "分",
        _ => return None,
    };
    let month = set.month.map(|month| format!("{month}月")).unwrap_or_default();
    let nth = |n: i8| if n == -1 { "最終".to_owned() } else { format!("第{n}") };
    let head = match (set.interval, weekdays.as_slice(), set.day) {
        _ if set.weekend => (set.interval == 1 && set.grain == Grain::Week && weekdays.is_empty()).then(|| "毎週末".to_owned())?,
        (n, [], None) if set.times.is_some() => {
            let often = set.times.map(|times| format!("に{times}回")).unwrap_or_default();
            match (n, set.grain) {
                (1, Grain::Week) => format!("週{often}"),
                (1, Grain::Month) => format!("月{often}"),
                (1, Grain::Year) => format!("年{often}"),
                (n, _) => format!("{n}{unit}{often}"),
            }
        }
        (1, [weekday], None) if !set.nth.is_empty() => {
            format!("{each}{month}{}{weekday}", set.nth.iter().map(nth).collect::<Vec<_>>().join("・"))
        }
        (1, days, None) if set.weekdays == (1..=5).collect() && !days.is_empty() => "平日".to_owned(),
        (1, [_, ..], None) if set.month.is_none() => format!("{each}{}", weekdays.join("と")),
        (2, [weekday], None) if set.grain == Grain::Week => format!("隔週{weekday}"),
        (1, [], Some(day)) => format!("{each}{month}{day}日"),
        (1, [], None) if !each.is_empty() => format!("{each}{month}"),
        (2, [], None) if set.grain == Grain::Day && !part.is_empty() => "隔日の".to_owned(),
        (n, [], None) if set.part.is_none() => format!("{n}{unit}ごと"),
        _ => return None,
    };
    Some(head + part + &time)
}

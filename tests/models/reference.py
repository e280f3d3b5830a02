#!/usr/bin/env python3
"""Writes tests/models/minilm.jsonl: what sentence-transformers itself makes of some texts.

    pip install sentence-transformers
    python3 tests/models/reference.py "$(tests/models/fetch_minilm.sh)" > tests/models/minilm.jsonl

Each line has a text, every twelfth number of its vector, and one sum over all numbers, each with its own weight.
"""

import json
import math
import sys

from sentence_transformers import SentenceTransformer

TEXTS = [
    "Ana moved from Oslo to Turin in September 2018.",
    "Where does Ana live now?",
    "The quick brown fox jumps over the lazy dog, twice.",
    "",
    "   \t\n ",
    "naïve café résumé: Ångström, São Tomé, İstanbul",
    "cafe\u0301 with a combining accent, and a soft\u00adhyphen\u200b here",
    "遥は京都の出版社で編集者として働いています。",
    "田中さんは2021年の春に大阪へ引っ越した。",
    "她去年搬到了上海，现在在一家银行工作。",
    "지수는 서울에서 부산으로 이사했다.",
    "อารีย้ายไปเชียงใหม่เมื่อปีที่แล้ว",
    "Hän muutti Helsingistä Tampereelle viime vuonna.",
    "Она переехала в Казань и работает врачом.",
    "Η Μαρία μένει στη Θεσσαλονίκη από το 2015.",
    "انتقلت ليلى إلى القاهرة في العام الماضي.",
    "היא עברה לחיפה לפני שנתיים",
    "वह पिछले साल दिल्ली चली गई।",
    "Đặng chuyển đến Huế vào tháng ba.",
    "Order #A-1093 cost $12.50 (or €11,75) — see https://example.org/a?b=c&d=%20e.",
    "fn main() { println!(\"{}\", 1 << 4); } // C++ & C#",
    "Great 👍🏽 news 🎉🎉: 👩‍👩‍👧 is here!",
    "\u0000null\u0007bell\ufffdreplacement\ue000private",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "a" * 150 + " is one very long word",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "½ ﬁ Ⅳ ① ㎏ ｆｕｌｌ　ｗｉｄｔｈ",
    "\U00020000\u9fff\uf900 rare Han \U0002a700",
    " ".join(f"Sentence number {n} says that the harbour was quiet on day {n * 7}." for n in range(40)),
]


def main() -> None:
    model = SentenceTransformer(sys.argv[1], device="cpu")
    for text, vector in zip(TEXTS, model.encode(TEXTS, convert_to_numpy=True), strict=True):
        numbers = [float(number) for number in vector]
        some = [round(number, 7) for number in numbers[::12]]
        whole = sum(number * math.cos(at) for at, number in enumerate(numbers))
        print(json.dumps({"text": text, "some": some, "sum": round(whole, 7)}, ensure_ascii=True))


if __name__ == "__main__":
    main()

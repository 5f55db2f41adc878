values = (1, -2, 0x10, 1_000, 99999999999999999999999, 2.5e-3, 1j, True, None, ...)
words = ["plain", 'it\'s', r"\d", "two " "parts", b"\x00\xff", ""]
text = f"{values!r:>{width}} {words[0]} {{}}" "tail"
template = t"{text}"
table = {"a": 1, **words, 2: []}
empty = (), {}, {1, *values}

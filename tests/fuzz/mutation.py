"""Damage of the kinds that logs suffer and attackers try, the same in every run."""

import random

_TOKENS = [
    *(b"\n", b"\r\n", b"\r", b" ", b"\t", b",", b";", b":", b"|", b"=", b"%", b"#", b"'", b'"', b"\\", b"/", b"../", b"{", b"["),
    *(b"0", b"-1", b"1e999", b"-1e999", b"1e-999", b"nan", b"NaN", b"inf", b"-inf", b"1e", b"+", b"-", b".", b"1_0", b"0x10"),
    *(b"2147483648", b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"9" * 40, b"9" * 5000),
    *(b"\0", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"\x85", b"\x1b[2J", b"\xed\xa0\x80"),
    *(b"@01 ", b"@04 1\n", b"---\n", b"* ", b"null", b"true", b"\x1c\x1cx\n", b"&a ", b"*a", b"!!int ", b"<<: "),
    *("\u0664".encode(), "\u00b2".encode(), "\uff11".encode(), "\u221e".encode()),
]


def mutated(seeds, number, name):
    """Sample number `number` of a target, damaged one to five times; as many samples as seeds have each of these."""
    draw = random.Random(f"{name} {number}")
    data = bytearray(seeds[number % len(seeds)])
    for _ in range(draw.randint(1, 5)):
        at = draw.randrange(len(data) + 1)
        extent = draw.choice((1, 2, 4, 10, 40, 200))
        match draw.randrange(9):
            case 0 if at < len(data):
                data[at] ^= 1 << draw.randrange(8)
            case 1 if at < len(data):
                data[at] = draw.randrange(256)
            case 2:
                del data[at:]
            case 3:
                del data[at : at + extent]
            case 4:
                data[at:at] = data[at : at + extent]
            case 5:
                data[at : at + draw.choice((0, extent))] = draw.choice(_TOKENS)
            case 6:
                other = draw.choice(seeds)
                begin = draw.randrange(len(other) + 1)
                data[at : at + draw.choice((0, extent))] = other[begin : begin + extent]
            case 7:
                numbers = [i for i, c in enumerate(data) if 48 <= c <= 57]
                if numbers:
                    data[draw.choice(numbers)] = draw.randrange(48, 58)
            case 8:
                lines = bytes(data).split(b"\n")
                first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
                lines[first], lines[second] = lines[second], lines[first]
                data = bytearray(b"\n".join(lines))
    return bytes(data)

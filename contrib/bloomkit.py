#!/usr/bin/env python3
"""Reads Bloomkit filters without Java: one file, standard library only, Python 3.8 or newer.

    import bloomkit

    seen = bloomkit.open_filter("seen.bloom")
    if "alice" in seen: ...         # strategy utf8(xxh3)
    seen.might_contain(b"alice")    # strategy xxh3
    counted.count("alice")          # counting and cuckoo filters
    bloomkit.open_filter("secret.bloom", key=sixteen_bytes)  # strategies with siphash24
    users = bloomkit.open_filter("users.bloom", probes=["alice@example.org"])
    "bob@example.org" in users      # strategy on(email=utf8(xxh3)), with this email of its probe

    seen = bloomkit.open_folder("seen")      # the folder of a durable filter
    "alice" in seen                          # in its snapshot or in its log

    updated = bloomkit.apply_delta(old_bytes, delta_bytes)   # the bytes of the next version
    seen = bloomkit.read(updated)

Written from docs/format.md. It opens files of every kind: classic, blocked, counting, blocked
counting, cuckoo, dynamic cuckoo, expiring cuckoo and scalable filters, and filters of Guava in
Bloomkit's format. It does not read Guava's own format, nor files of Parquet or Spark.

Strategies, with the type of an element: xxh3 (bytes), utf8(...) (str), longs(...) (int of 64 bits)
and uuids(...) (uuid.UUID), where the bytes hash is xxh3 or siphash24; siphash24 (bytes);
longs(rrmxmx) (int); on(field=...) of these, with the type of the field; and the funnels of Guava, of
strings only those in UTF-8. Any other strategy, such as composite(...), is a function in Java. A
TypeError names it when an element is queried: pass the 64-bit hash of the element to
might_contain_hash or count_hash, or fill the filter in Java by a strategy of these.

FormatError is raised for malformed bytes and for a wrong key; it names the offset. Reading
allocates at most 64 KiB plus 16 times the bytes received. Applying a delta allocates at most 4
times the decoded size of base and result, and refuses a result of more than 64 KiB plus 16 times
that of base and delta.

A query takes 5 to 40 microseconds. Opening takes 1 second per 10 megabytes of bits, per million
fingerprints of a dynamic or expiring cuckoo filter 1 second more, of a cuckoo filter 6 (Python
3.11, a 2-core virtual machine).

Command line: "bloomkit.py FILE" describes a filter. "bloomkit.py FILE -" reads lines of bytes from
standard input and prints each with a tab and the answer: 0 or 1, or the count in a filter that
counts. "--key-file KEY" names a file with the key of siphash24 in 32 hexadecimal digits, "--probe
VALUE" has the field of a probe of on(...).
"""

import argparse
import math
import os
import re
import struct
import sys
import time
import uuid
from array import array
from bisect import bisect_left

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

_M64 = (1 << 64) - 1
_M32 = (1 << 32) - 1


class FormatError(ValueError):
    """The bytes are damaged, forged or not a filter, or the key is not that of the filter."""

    def __init__(self, offset, fault):
        super().__init__("at byte %d: %s" % (offset, fault))
        self.offset = offset


# CRC32C (RFC 3720, appendix B.4)


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(data):
    """Returns the CRC32C of bytes."""
    crc = _M32
    table = _CRC
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ _M32


# XXH3 with 64 bits and seed 0 (the published specification of xxHash)

_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_P32_1, _P32_2, _P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_P64_1, _P64_2, _P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P64_4, _P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_MIXER = 0x9FB21C651E98DF25
_word = struct.Struct("<Q").unpack_from
_half = struct.Struct("<I").unpack_from
_STRIPE_BYTES = 64
_BLOCK_BYTES = 1024
_block_words = struct.Struct("<128Q").unpack_from
_stripe_words = struct.Struct("<8Q").unpack_from
_SECRET_WORDS = [_word(_SECRET, at)[0] for at in range(len(_SECRET) - 7)]


def _fold(a, b):
    product = a * b
    return product & _M64 ^ product >> 64


def _rotated(value, distance):
    return (value << distance | value >> 64 - distance) & _M64


def _avalanche(value):
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & _M64
    return value ^ value >> 32


def _old_avalanche(value):
    value ^= value >> 33
    value = value * _P64_2 & _M64
    value ^= value >> 29
    value = value * _P64_3 & _M64
    return value ^ value >> 32


def _swapped(value):
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def _mix16(data, at, secret):
    return _fold(
        _word(data, at)[0] ^ _SECRET_WORDS[secret],
        _word(data, at + 8)[0] ^ _SECRET_WORDS[secret + 8],
    )


def xxh3(data):
    """Returns the XXH3 hash of bytes, 64 bits, seed 0."""
    length = len(data)
    secret = _SECRET_WORDS
    if length <= 16:
        if length > 8:
            low = _word(data, 0)[0] ^ secret[24] ^ secret[32]
            high = _word(data, length - 8)[0] ^ secret[40] ^ secret[48]
            return _avalanche(length + _swapped(low) + high + _fold(low, high) & _M64)
        if length >= 4:
            both = _half(data, length - 4)[0] + (_half(data, 0)[0] << 32)
            value = both ^ secret[8] ^ secret[16]
            value ^= _rotated(value, 49) ^ _rotated(value, 24)
            value = value * _MIXER & _M64
            value ^= (value >> 35) + length
            value = value * _MIXER & _M64
            return value ^ value >> 28
        if length:
            value = data[0] << 16 | data[length >> 1] << 24 | data[-1] | length << 8
            return _old_avalanche(value ^ secret[0] & _M32 ^ secret[4] & _M32)
        return _old_avalanche(secret[56] ^ secret[64])
    value = length * _P64_1
    if length <= 128:
        for i in range((length - 1) // 32 + 1):
            value += _mix16(data, 16 * i, 32 * i)
            value += _mix16(data, length - 16 * (i + 1), 32 * i + 16)
        return _avalanche(value & _M64)
    if length <= 240:
        for i in range(8):
            value += _mix16(data, 16 * i, 16 * i)
        value = _avalanche(value & _M64)
        for i in range(8, length // 16):
            value += _mix16(data, 16 * i, 16 * (i - 8) + 3)
        value += _mix16(data, length - 16, 136 - 17)
        return _avalanche(value & _M64)
    return _xxh3_long(data)


class _XxhStream:
    """XXH3 of bytes that come in parts."""

    def __init__(self):
        self.pending = bytearray()
        self.before = b""
        self.length = 0
        self.sums = [_P32_3, _P64_1, _P64_2, _P64_3, _P64_4, _P32_2, _P64_5, _P32_1]

    def put(self, part):
        self.length += len(part)
        self.pending += part
        at = 0
        while len(self.pending) - at > _BLOCK_BYTES:  # the last block is never complete
            self._block(at)
            at += _BLOCK_BYTES
        if at:
            self.before = bytes(self.pending[at - _STRIPE_BYTES : at])
            del self.pending[:at]

    def _block(self, at):
        sums = self.sums
        words = _block_words(self.pending, at)
        for first in range(0, 128, 8):
            _accumulate(sums, words[first : first + 8], first)
        for i in range(8):
            value = sums[i] ^ sums[i] >> 47 ^ _SECRET_WORDS[128 + 8 * i]
            sums[i] = value * _P32_1 & _M64

    def hash(self):
        if self.length <= 240:
            return xxh3(bytes(self.pending))
        sums = list(self.sums)
        for stripe in range((len(self.pending) - 1) // _STRIPE_BYTES):
            _accumulate(sums, _stripe_words(self.pending, stripe * _STRIPE_BYTES), 8 * stripe)
        last = (self.before + self.pending)[-_STRIPE_BYTES:]
        _accumulate(sums, _stripe_words(last, 0), 128 - 7)
        value = self.length * _P64_1
        for i in range(4):
            value += _fold(
                sums[2 * i] ^ _SECRET_WORDS[11 + 16 * i],
                sums[2 * i + 1] ^ _SECRET_WORDS[19 + 16 * i],
            )
        return _avalanche(value & _M64)


def _xxh3_long(data):
    stream = _XxhStream()
    stream.put(data)
    return stream.hash()


def _accumulate(sums, words, secret):
    for i, word in enumerate(words):
        key = word ^ _SECRET_WORDS[secret + 8 * i]
        sums[i ^ 1] = sums[i ^ 1] + word & _M64
        sums[i] = sums[i] + (key & _M32) * (key >> 32) & _M64


# SipHash-2-4 (J.-P. Aumasson, D. Bernstein, 2012)


def _sip_rounds(v0, v1, v2, v3, rounds):
    for _ in range(rounds):
        v0 = v0 + v1 & _M64
        v2 = v2 + v3 & _M64
        v1 = _rotated(v1, 13) ^ v0
        v3 = _rotated(v3, 16) ^ v2
        v0 = _rotated(v0, 32)
        v2 = v2 + v1 & _M64
        v0 = v0 + v3 & _M64
        v1 = _rotated(v1, 17) ^ v2
        v3 = _rotated(v3, 21) ^ v0
        v2 = _rotated(v2, 32)
    return v0, v1, v2, v3


def siphash24(key, data):
    """Returns the SipHash-2-4 of bytes under a key of sixteen bytes."""
    key0, key1 = struct.unpack("<QQ", key)
    state = (
        key0 ^ 0x736F6D6570736575,
        key1 ^ 0x646F72616E646F6D,
        key0 ^ 0x6C7967656E657261,
        key1 ^ 0x7465646279746573,
    )
    tail = len(data) & ~7
    last = int.from_bytes(data[tail:], "little") | (len(data) & 255) << 56
    words = [_word(data, at)[0] for at in range(0, tail, 8)]
    for word in words + [last]:
        v0, v1, v2, v3 = state
        v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3 ^ word, 2)
        state = v0 ^ word, v1, v2, v3
    v0, v1, v2, v3 = state
    v0, v1, v2, v3 = _sip_rounds(v0, v1, v2 ^ 0xFF, v3, 4)
    return v0 ^ v1 ^ v2 ^ v3


# MurmurHash3 with 128 bits for x64, seed 0 (A. Appleby), the hash of Guava's filters


def _murmur_mixed(value):
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & _M64
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & _M64
    return value ^ value >> 33


def _murmur3(data):
    """Returns the two halves of the hash."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = 0
    tail = len(data) & ~15
    for at in range(0, tail, 16):
        h1 ^= _rotated(_word(data, at)[0] * c1 & _M64, 31) * c2 & _M64
        h1 = (_rotated(h1, 27) + h2) * 5 + 0x52DCE729 & _M64
        h2 ^= _rotated(_word(data, at + 8)[0] * c2 & _M64, 33) * c1 & _M64
        h2 = (_rotated(h2, 31) + h1) * 5 + 0x38495AB5 & _M64
    rest = int.from_bytes(data[tail:], "little")
    h2 ^= _rotated((rest >> 64) * c2 & _M64, 33) * c1 & _M64
    h1 ^= _rotated((rest & _M64) * c1 & _M64, 31) * c2 & _M64
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = h1 + h2 & _M64
    h2 = h2 + h1 & _M64
    h1, h2 = _murmur_mixed(h1), _murmur_mixed(h2)
    h1 = h1 + h2 & _M64
    return h1, h2 + h1 & _M64


# Strategies


def _wrong_element(wanted, element):
    return TypeError("the strategy of this filter takes %s, got %r" % (wanted, element))


def _of_bytes(element):
    if not isinstance(element, (bytes, bytearray, memoryview)):
        raise _wrong_element("bytes, of a text those of .encode()", element)
    return bytes(element)


def _of_text(element):
    if not isinstance(element, str):
        raise _wrong_element("str", element)
    return element.encode("utf-8", "replace")


def _of_chars(element):
    if not isinstance(element, str):
        raise _wrong_element("str", element)
    return element.encode("utf-16-le", "surrogatepass")


def _of_number(element, size=8):
    most = 1 << 8 * size - 1
    if not isinstance(element, int) or not -most <= element < most:
        raise _wrong_element("int of %d bits" % (8 * size), element)
    return element.to_bytes(size, "little", signed=True)


def _of_int(element):
    return _of_number(element, 4)


def _of_uuid(element):
    if not isinstance(element, uuid.UUID):
        raise _wrong_element("uuid.UUID", element)
    return element.bytes[7::-1] + element.bytes[:7:-1]


def _rrmxmx(data):
    value = _word(data, 0)[0]
    value ^= _rotated(value, 15) ^ _rotated(value, 40)  # to the right by 49 and 24
    value = value * _MIXER & _M64
    value ^= value >> 28
    value = value * _MIXER & _M64
    return value ^ value >> 28


def _line(line):
    return line


def _line_of_chars(line):
    return _of_chars(line.decode("utf-8", "replace"))


def _int_of_line(line):
    if b"_" in line:  # which int() skips
        raise ValueError
    return int(line)


def _line_of_number(line):
    return _of_number(_int_of_line(line))


def _line_of_int(line):
    return _of_int(_int_of_line(line))


def _line_of_uuid(line):
    return _of_uuid(uuid.UUID(line.decode("ascii")))


# By the first part of an id: what turns an element and what turns a line of a text file into bytes,
# what such a line is, and the elements whose hashes the fingerprint of the strategy combines.
_TEXTS = ["", "a", "Bloom \u0416\u20ac\U0001d11e", "-" * 300]
_ENCODINGS = {
    "": (_of_bytes, _line, "line", [text.encode() for text in _TEXTS]),
    "utf8": (_of_text, _line, "line", _TEXTS),
    "longs": (_of_number, _line_of_number, "64-bit integer", [0, 1, -1, 0x0123456789ABCDEF]),
    "uuids": (
        _of_uuid,
        _line_of_uuid,
        "UUID",
        [uuid.UUID(int=0), uuid.UUID(int=0x0123456789ABCDEF << 64 | 1)],
    ),
}
_FUNNELS = {
    "guava-byteArrays": (_of_bytes, _line, "line"),
    "guava-ints": (_of_int, _line_of_int, "32-bit integer"),
    "guava-longs": (_of_number, _line_of_number, "64-bit integer"),
    "guava-unencodedChars": (_of_chars, _line_of_chars, "line"),
    "guava-strings(UTF-8)": (_of_text, _line, "line"),
}
_ID = re.compile(r"(?:(utf8|longs|uuids)\((xxh3|siphash24|rrmxmx)\)|(xxh3|siphash24))")


_FIELD = re.compile(r"on\([A-Za-z0-9_.-]+=(.*)\)")


def _is_keyed(identity):
    field = _FIELD.fullmatch(identity)
    parts = _ID.fullmatch(field.group(1) if field else identity)
    return bool(parts) and "siphash24" in parts.groups()


class _Strategy:
    """A function from elements to hashes. For the funnels of Guava, a hash is a pair of words."""

    def __init__(self, encoding, of_bytes):
        self.encode, self.encode_line, self.line_kind = encoding[:3]
        self.of_bytes = of_bytes

    def hash(self, element):
        return self.of_bytes(self.encode(element))

    def hash_line(self, line):
        try:
            return self.of_bytes(self.encode_line(line))
        except (TypeError, ValueError):
            raise ValueError("no %s: %r" % (self.line_kind, line[:40])) from None


def _fingerprint(identity, hashes):
    combined = xxh3(identity.encode("utf-16-le"))
    for value in hashes:
        combined = xxh3(struct.pack("<QQ", combined, value))
    return combined


def _strategy(header, key, probes):
    """Returns the strategy of a filter, or None if it is unknown or key or probes were not given."""
    if header.variant == _GUAVA:
        funnel = _FUNNELS.get(header.strategy)
        known = funnel and _fingerprint(header.strategy, []) == header.fingerprint
        return _Strategy(funnel, _murmur3) if known else None
    field = _FIELD.fullmatch(header.strategy)
    strategy, fingerprint = _known(field.group(1) if field else header.strategy, key)
    if strategy and field:
        hashes = [strategy.hash_line(p) if type(p) is bytes else strategy.hash(p) for p in probes]
        fingerprint = _fingerprint(header.strategy, [fingerprint] + hashes)
    if fingerprint == header.fingerprint:
        return strategy
    if strategy and _is_keyed(header.strategy) and not field:
        raise FormatError(32, "the filter was filled with another key of %s" % header.strategy)
    return None


def _known(identity, key):
    """Returns a strategy and its fingerprint, or None for both."""
    parts = _ID.fullmatch(identity)
    name = parts and (parts.group(2) or parts.group(3))
    if not parts or name == "rrmxmx" and identity != "longs(rrmxmx)":
        return None, None
    if name == "siphash24":
        if key is None:
            return None, None
        of_bytes = lambda data: siphash24(key, data)  # noqa: E731
    else:
        of_bytes = xxh3 if name == "xxh3" else _rrmxmx
    encoding = _ENCODINGS[parts.group(1) or ""]
    strategy = _Strategy(encoding, of_bytes)
    return strategy, _fingerprint(identity, map(strategy.hash, encoding[3]))


def _refusal(header, key_option, probe_option):
    """Returns why a strategy cannot hash, and what to do."""
    name = "the strategy %s#%x" % (header.strategy, header.fingerprint)
    field = _FIELD.fullmatch(header.strategy)
    if _is_keyed(header.strategy) and key_option:
        return "%s has a secret key: pass %s" % (name, key_option)
    if field and _ID.fullmatch(field.group(1)):
        return (
            "%s was made with other probes or a key than were given: pass %s, the field of each probe"
            " in Java" % (name, probe_option)
        )
    return (
        "%s is a function in Java, which is not supported: pass hashes, or fill the filter in Java"
        " by bytes(), utf8(), longs() or uuids()" % name
    )


# Positions

_STEP = 0xF1357AEA2E62A9C5

_BASE_MASKS_OF_64 = {
    1: "80000000000 80000000000000 2 100000000000 40 200 80000000000000 40000000000000",
    2: "10080000000000 280000000000000 200000000000002 100001000000 200000040 100000200"
    " 80000000000020 240000000000000",
    3: "480000000004 82000000200000 1002000000000002 100020000008 2000000000000240"
    " 800000000001200 80000000008200 40400200000000",
    4: "8000a4000000000 80000040040004 24000008002 4100080001000 8000008000000042 1101200"
    " 480000010000001 2050000100000000",
    5: "90280000000040 80001011008000 85008000000002 8000110808000000 4000810000010040"
    " 18000080008200 490000001004000 41000200c00000",
    6: "2880000048010 290041000002000 20040000050402 300100080000088 4000800220000240"
    " 8028040000000220 1080088100020000 40010020200041",
    7: "211080001030000 40800a0000042080 80401060000a 2080700200200000 420010202000440"
    " 4000800202000290 4089000000210400 48001140060000",
    8: "810080009002201 481042850000000 2042100503 2108100011014 104a000090044 d040044000000202"
    " 88800020240050 9400a0800000082",
}

_BASE_MASKS_OF_16 = {
    1: "800 80 2 1000 40 200 80 40",
    2: "2800 84 12 1010 2040 280 480 440",
    3: "c08 1c0 83 1021 9040 4220 282 450",
    4: "3880 8c80 116 1281 4940 8680 b8 1064",
    5: "2930 7280 1446 142c 2341 13a0 4d4 8154",
    6: "f12 8e9 229a 3b20 2c64 6219 7490 74c0",
    7: "5b14 ada0 e0c6 3057 65e 1f48 51b2 33c1",
    8: "9987 25ba 1d0f d88e 146f 7ae 74b2 7354",
}


def _masks(per_word, count):
    """Returns the positions of each of the 256 masks of a number of positions."""
    text = (_BASE_MASKS_OF_64 if per_word == 64 else _BASE_MASKS_OF_16)[count]
    bases = [int(base, 16) for base in text.split()]
    return [
        [i * (2 * (e // 8) + 1) % per_word for i in range(per_word) if bases[e % 8] >> i & 1]
        for e in range(256)
    ]


def _flat_positions(positions, hashes):
    def of(value):
        state = value | 1
        found = []
        for _ in range(hashes):
            found.append((state >> 1) * positions >> 63)
            state = state * _STEP & _M64
        return found

    return of


def _blocked_positions(blocks, per_block, hashes):
    per_word = per_block // 8
    half = hashes // 2
    words = 8 * blocks
    masks = _masks(per_word, half)
    unread = 0 if per_word == 64 else 2

    def of(value):
        first = (value ^ 1 << 63) * words >> 64
        second = first ^ 1 + (7 * (value >> 26 & 63) >> 6)
        index = value >> 18 & 255
        other = index ^ 1 if half <= 3 else (value * _STEP & _M64) >> 56
        turn = value & 63
        other_turn = turn if per_word == 64 and half <= 3 else value >> 6 & 63
        return [first * per_word + (i + (turn >> unread)) % per_word for i in masks[index]] + [
            second * per_word + (i + (other_turn >> unread)) % per_word for i in masks[other]
        ]

    return of


# The file

_MARK = b"\x89Bloom\r\n"
_FIXED_BYTES = 48
_ENTRY_BYTES = 24
_MAX_POSITIONS = 1 << 37
_MAX_WORDS = 1 << 34
_MAX_NUMBER = 1 << 60
_MAX_COPIES = 1 << 62
_PART_BYTES = 1 << 16
_WORDS, _OVERFLOW, _BUCKETS, _STASH, _COPIES = 1, 2, 3, 4, 5
_TABLE, _CHANGES, _FINGERPRINTS, _EXTRA_COPIES = 6, 7, 8, 9
_RAW, _GAPS, _ASCENDING = 0, 1, 2
_CLASSIC, _BLOCKED, _COUNTING, _BLOCKED_COUNTING, _CUCKOO = 1, 2, 3, 4, 5
_SCALABLE, _GUAVA, _DYNAMIC_CUCKOO, _EXPIRING_CUCKOO, _DELTA = 6, 9, 10, 11, 256
_NAMES = {
    _CLASSIC: "ClassicBloomFilter",
    _BLOCKED: "BlockedBloomFilter",
    _COUNTING: "CountingBloomFilter",
    _BLOCKED_COUNTING: "BlockedCountingBloomFilter",
    _CUCKOO: "CuckooFilter",
    _SCALABLE: "ScalableBloomFilter",
    _GUAVA: "GuavaBloomFilter",
    _DYNAMIC_CUCKOO: "DynamicCuckooFilter",
    _EXPIRING_CUCKOO: "ExpiringCuckooFilter",
    _DELTA: "Delta",
}


def _is_ascending(role):
    return role in (_FINGERPRINTS, _EXTRA_COPIES)


def _has_fixed_size(role):
    return role in (_WORDS, _BUCKETS)


def _least_stored(words):
    return (8 * words + 13) // 14


class _Section:
    """An entry of the header."""

    __slots__ = ("at", "role", "coding", "parameter", "words", "stored", "offset", "end")

    def __init__(self, entry, at, offset):
        self.at = at
        self.role, self.coding, self.parameter, reserved, self.words, self.stored = entry
        self.offset = offset
        self.end = offset + self.stored + 4
        if not _WORDS <= self.role <= _EXTRA_COPIES:
            raise FormatError(at, "there is no section of role %d" % self.role)
        allowed = (_ASCENDING,) if _is_ascending(self.role) else (_RAW,)
        if _has_fixed_size(self.role):
            allowed = (_RAW, _GAPS)
        if self.coding not in allowed:
            raise FormatError(at + 2, "a section of role %d, coding %d" % (self.role, self.coding))
        if self.parameter > (0, 40, 60)[self.coding]:
            raise FormatError(at + 3, "coding %d, parameter %d" % (self.coding, self.parameter))
        if reserved:
            raise FormatError(at + 4, "reserved bytes must be 0")
        if self.words > _MAX_WORDS:
            raise FormatError(at + 8, "a section of %d words" % self.words)
        least = _least_stored(self.words) if self.coding else 8 * self.words
        if not least <= self.stored <= 8 * self.words:
            raise FormatError(at + 16, "%d bytes for %d words" % (self.stored, self.words))


class _Header:
    """The header of a filter or delta. May be parsed before the sections have come."""

    def __init__(self, data):
        if data[:8] != _MARK[: len(data)] or not data:
            raise FormatError(0, "this is no filter of Bloomkit; bloom inspect names other formats")
        if len(data) < _FIXED_BYTES:
            raise FormatError(len(data), "the filter ends within its header")
        version, self.variant, _, flags, fields, sections, id_length = struct.unpack_from(
            "<HHIIHHH", data, 8
        )
        length = self.length_in(data)
        if len(data) < length:
            raise FormatError(len(data), "the filter ends within its header")
        if crc32c(data[: length - 4]) != _half(data, length - 4)[0]:
            raise FormatError(length - 4, "the header is damaged: its checksum is another")
        if flags & ~1:
            raise FormatError(16, "reserved bits must be 0")
        if any(data[26:32]):
            raise FormatError(26, "reserved bytes must be 0")
        if self.variant not in _NAMES:
            raise FormatError(10, "variant %d is not read here" % self.variant)
        self.fingerprint, self.element_count = struct.unpack_from("<Qq", data, 32)
        if self.element_count < -1:
            raise FormatError(40, "an element count of %d" % self.element_count)
        self.fields = struct.unpack_from("<%dq" % fields, data, _FIXED_BYTES)
        at = _FIXED_BYTES + 8 * fields
        self.plan = None
        self.plan_at = at
        if flags & 1:
            elements, fpp = struct.unpack_from("<Qd", data, at)
            if not 1 <= elements <= _MAX_NUMBER or not 0 < fpp < 1:
                raise FormatError(at, "a plan for %d elements at %r" % (elements, fpp))
            self.plan = (elements, fpp)
            at += 16
        self.end = length
        self.sections = []
        for _ in range(sections):
            entry = struct.unpack_from("<HBBIQQ", data, at)
            self.sections.append(_Section(entry, at, self.end + 63 & -64))
            self.end = self.sections[-1].end
            at += _ENTRY_BYTES
        identity = data[at : at + id_length]
        if any(not 0x20 <= character <= 0x7E for character in identity):
            raise FormatError(at, "the id of the strategy has other than printable ASCII")
        self.strategy = bytes(identity).decode("ascii")
        self.id_at = at

    @staticmethod
    def length_in(fixed):
        """Checks the version and the lengths. Returns the length of the header."""
        version, _, length, flags, fields, sections, id_length = struct.unpack_from(
            "<HHIIHHH", fixed, 8
        )
        if version != 1:
            raise FormatError(8, "version %d of the format; only 1 is known" % version)
        if not 1 <= id_length <= 1000:
            raise FormatError(24, "an id of %d characters" % id_length)
        if fields > 64:
            raise FormatError(20, "%d fields" % fields)
        if length != 52 + 8 * fields + 16 * (flags & 1) + _ENTRY_BYTES * sections + id_length:
            raise FormatError(12, "a header of %d bytes" % length)
        return length

    @property
    def name(self):
        return _NAMES[self.variant]

    def require(self, variant, fields):
        if self.variant != variant:
            raise FormatError(10, "this is a %s and not a %s" % (self.name, _NAMES[variant]))
        if len(self.fields) != fields:
            raise FormatError(20, "a %s with %d fields" % (self.name, len(self.fields)))

    def field(self, index, name, least, most, step=1):
        value = self.fields[index]
        if not least <= value <= most or value % step:
            raise FormatError(_FIXED_BYTES + 8 * index, "%s is %d" % (name, value))
        return value

    def fraction(self, index, name, most=None):
        value = struct.unpack("<d", struct.pack("<q", self.fields[index]))[0]
        if not (0 < value < 1 if most is None else 1 <= value <= most):
            raise FormatError(_FIXED_BYTES + 8 * index, "%s is %r" % (name, value))
        return value

    def require_plan_for(self, elements):
        if self.plan and self.plan[0] != elements:
            raise FormatError(self.plan_at, "the plan is for %d elements" % self.plan[0])

    def require_no_plan(self):
        if self.plan:
            raise FormatError(self.plan_at, "a %s has no plan" % self.name)

    def require_count(self, least, most=None):
        count = self.element_count
        if count != -1 and (count < least or most is not None and count > most):
            raise FormatError(40, "the element count %d is impossible for the contents" % count)


class _Contents:
    """A header and the decoded sections, of which a kind of filter takes one after another.

    A decoded section is an array of numbers if its numbers ascend, and bytes otherwise.
    """

    def __init__(self, data):
        self.header = header = _Header(data)
        self.decoded = []
        end = header.sections[0].offset if header.sections else header.end
        begin = _Header.length_in(data)
        for index, section in enumerate(header.sections):
            if len(data) < section.end:
                raise FormatError(len(data), "the filter ends within section %d" % index)
            if any(data[begin : section.offset]):
                raise FormatError(begin, "padding must be 0")
            self.decoded.append(_decoded(data, section))
            begin = end = section.end
        if end != len(data):
            raise FormatError(end, "the filter ends here, but more bytes follow")
        self.next = 0

    def take(self, role, words=None, most=None, multiple=1):
        """Returns the next section. Its number of words is exact, or has a bound and a divisor."""
        header = self.header
        if self.next == len(header.sections):
            raise FormatError(22, "a %s with %d sections" % (header.name, self.next))
        section = header.sections[self.next]
        if section.role != role:
            raise FormatError(section.at, "the section has the role %d" % section.role)
        wrong = section.words != words if most is None else section.words > most
        if wrong or section.words % multiple:
            raise FormatError(section.at + 8, "the section has %d words" % section.words)
        self.next += 1
        return self.decoded[self.next - 1]

    def finish(self):
        if self.next != len(self.decoded):
            count = len(self.decoded)
            raise FormatError(22, "a %s with %d sections" % (self.header.name, count))

    def fault(self, fault, at=0):
        """Returns an error in the section that was taken last."""
        return FormatError(self.header.sections[self.next - 1].offset + at, fault)

    def fingerprint(self):
        """Returns the fingerprint of the contents."""
        header = self.header
        roles = [section.role for section in header.sections]
        sections = list(zip(roles, self.decoded))
        return _fingerprint_of(header, header.fields, header.variant, sections)


def _fingerprint_of(header, fields, variant, sections):
    identity = header.strategy.encode("ascii")
    stream = _XxhStream()
    stream.put(struct.pack("<QQQ", variant, header.fingerprint, len(identity)))
    stream.put(identity)
    stream.put(struct.pack("<Q%dqQ" % len(fields), len(fields), *fields, len(sections)))
    for role, content in sections:
        stream.put(struct.pack("<QQ", role, _word_count(content)))
        step = _PART_BYTES // 8 if _is_ascending(role) else _PART_BYTES
        for at in range(0, len(content), step):
            part = content[at : at + step]
            stream.put(struct.pack("<%dQ" % len(part), *part) if _is_ascending(role) else part)
    return stream.hash()


def _word_count(content):
    return len(content) if isinstance(content, array) else len(content) // 8


def _decoded(data, section):
    """Verifies the checksum of a section and returns what it holds."""
    stored = data[section.offset : section.end - 4]
    if crc32c(stored) != _half(data, section.end - 4)[0]:
        raise FormatError(section.end - 4, "a section is damaged: its checksum is another")
    if section.coding == _RAW:
        return bytes(stored)
    if section.coding == _ASCENDING:
        return _decoded_numbers(stored, section)
    return _decoded_bits(stored, section)


class _Bits:
    """The bits of a byte string, the lowest bit of each byte first."""

    def __init__(self, data, offset):
        self.data = data
        self.offset = offset
        self.at = 0
        self.window = 0
        self.left = 0

    def _fill(self):
        part = self.data[self.at : self.at + 8]
        if not part:
            raise FormatError(self.offset + self.at, "the gap code ends too early")
        self.window = int.from_bytes(part, "little")
        self.left = 8 * len(part)
        self.at += len(part)

    def ones(self):
        """Reads ones and the zero that ends them. Returns the number of ones."""
        count = 0
        while True:
            if not self.left:
                self._fill()
            inverted = ~self.window & (1 << self.left) - 1
            if inverted:
                run = (inverted & -inverted).bit_length() - 1
                self.window >>= run + 1
                self.left -= run + 1
                return count + run
            count += self.left
            self.left = 0

    def number(self, width):
        value = 0
        have = 0
        while have < width:
            if not self.left:
                self._fill()
            take = min(width - have, self.left)
            value |= (self.window & (1 << take) - 1) << have
            self.window >>= take
            self.left -= take
            have += take
        return value

    def gap(self, parameter):
        return (self.ones() << parameter) + self.number(parameter)

    def require_zeros(self):
        """Checks that zeros follow. Returns their number."""
        if self.window or any(self.data[self.at :]):
            raise FormatError(self.offset + len(self.data) - 1, "bits follow the gap code")
        return self.left + 8 * (len(self.data) - self.at)

    def taken(self):
        """Returns the number of bytes that the code used."""
        return self.at - self.left // 8


def _finish_code(bits, section):
    bits.require_zeros()
    if section.stored != max(bits.taken(), _least_stored(section.words)):
        raise FormatError(section.at + 16, "the gap code is followed by bytes")


def _decoded_bits(stored, section):
    size = 64 * section.words
    decoded = bytearray(8 * section.words)
    bits = _Bits(stored, section.offset)
    position = -1
    while section.words:
        position += bits.gap(section.parameter) + 1
        if position >= size:
            break
        decoded[position >> 3] |= 1 << (position & 7)
    if position > size:
        raise FormatError(section.offset, "the gap code has a position beyond the last")
    _finish_code(bits, section)
    return decoded


def _decoded_numbers(stored, section):
    numbers = array("Q", [0]) * section.words
    bits = _Bits(stored, section.offset)
    number = -1
    for index in range(section.words):
        number += bits.gap(section.parameter) + 1
        if number >= _MAX_NUMBER:
            raise FormatError(section.offset + bits.taken(), "a number is 2^60 or more")
        numbers[index] = number
    _finish_code(bits, section)
    return numbers


_BITS_OF_BYTE = [bin(byte).count("1") for byte in range(256)]
_COUNTERS_OF_BYTE = [(byte & 15) + (byte >> 4) for byte in range(256)]


def _bit_count(data):
    return sum(map(_BITS_OF_BYTE.__getitem__, data))


# Kinds of filters


def _place(state, places):
    return (state >> 1) * places >> 63


class _BitArray:
    """The bits of a classic or blocked filter, or of a layer."""

    count = None

    def __init__(self, contents, positions, count, hashes):
        self.cells = contents.take(_WORDS, (count + 63) // 64)
        self.positions = positions
        self.set_bits = _bit_count(self.cells)
        self.least_elements = -(-self.set_bits // hashes)
        unused = len(self.cells) * 8 - count
        if unused and int.from_bytes(self.cells[-8:], "little") >> 64 - unused:
            raise contents.fault("positions beyond the last are set", len(self.cells) - 8)

    def contains(self, value):
        cells = self.cells
        return all(cells[p >> 3] >> (p & 7) & 1 for p in self.positions(value))


def _flat_fields(header):
    positions = header.field(0, "positions", 1, _MAX_POSITIONS)
    hashes = header.field(1, "hashes", 1, 64)
    return _flat_positions(positions, hashes), positions, hashes


def _blocked_fields(header, per_block):
    blocks = header.field(0, "blocks", 2, 1 << 29, 2)
    hashes = header.field(len(header.fields) - 1, "hashes", 2, 16, 2)
    return _blocked_positions(blocks, per_block, hashes), blocks * per_block, hashes


def _bit_array(contents, shape):
    bits = _BitArray(contents, *shape)
    contents.header.require_count(bits.least_elements, None if bits.set_bits else 0)
    return bits


def _classic(contents):
    contents.header.require(_CLASSIC, 2)
    return _bit_array(contents, _flat_fields(contents.header))


def _blocked(contents):
    header = contents.header
    header.require(_BLOCKED, 3)
    per_block = header.field(1, "positions of a block", 128, 512, 128)
    if per_block not in (128, 512):
        raise FormatError(_FIXED_BYTES + 8, "positions of a block is %d" % per_block)
    return _bit_array(contents, _blocked_fields(header, per_block))


class _SortedKeys:
    """Ascending keys in a section, each of one word, or of two with a number."""

    def __init__(self, content, step):
        self.content = content
        self.step = step

    def __len__(self):
        return len(self.content) // self.step

    def _key(self, index):
        return _word(self.content, self.step * index)[0]

    def __contains__(self, key):
        return self._index(key) is not None

    def number(self, key):
        """Returns the number of a key, 0 if it is none."""
        index = self._index(key)
        return 0 if index is None else _word(self.content, self.step * index + 8)[0]

    def _index(self, key):
        begin, end = 0, len(self)
        while begin < end:
            middle = (begin + end) // 2
            if self._key(middle) < key:
                begin = middle + 1
            else:
                end = middle
        return begin if begin < len(self) and self._key(begin) == key else None


class _Counters:
    def __init__(self, contents, positions, count, hashes):
        self.cells = cells = contents.take(_WORDS, (count + 15) // 16)
        self.positions = positions
        unused = len(cells) * 2 - count
        if unused and int.from_bytes(cells[-8:], "little") >> 64 - 4 * unused:
            raise contents.fault("counters beyond the last are not zero", len(cells) - 8)
        content = contents.take(_OVERFLOW, most=2 * count, multiple=2)
        self.overflow = _SortedKeys(content, 16)
        total = sum(map(_COUNTERS_OF_BYTE.__getitem__, cells))
        last = -1
        for entry, (index, value) in enumerate(struct.iter_unpack("<QQ", content)):
            if not last < index < count or not 1 <= value <= (1 << 62) - 15:
                raise contents.fault("an overflow of %d for %d" % (value, index), 16 * entry)
            if self._four_bits(index) != 15:
                raise contents.fault("counter %d is below fifteen" % index, 16 * entry)
            last = index
            total += value
        if total % hashes:
            raise contents.fault("%d hashes do not give a sum of counters of %d" % (hashes, total))
        contents.header.require_count(total // hashes, total // hashes)

    def _four_bits(self, position):
        return self.cells[position >> 1] >> ((position & 1) << 2) & 15

    def contains(self, value):
        return all(map(self._four_bits, self.positions(value)))

    def count(self, value):
        found = self.positions(value)
        return min(self._value(p) for p in found)

    def _value(self, position):
        bits = self._four_bits(position)
        return bits if bits < 15 else bits + self.overflow.number(position)


def _counting(contents):
    contents.header.require(_COUNTING, 2)
    return _Counters(contents, *_flat_fields(contents.header))


def _blocked_counting(contents):
    contents.header.require(_BLOCKED_COUNTING, 2)
    return _Counters(contents, *_blocked_fields(contents.header, 128))


class _Cuckoo:
    def __init__(self, contents):
        header = contents.header
        header.require(_CUCKOO, 3)
        self.width = header.field(2, "bits of a fingerprint", 8, 32, 2)
        self.buckets = header.field(1, "buckets", 1, (1 << 31) - 1)
        self.capacity = capacity = header.field(0, "capacity", 1, 4 * self.buckets)
        header.require_plan_for(capacity)
        self.bytes = self.width // 2  # of a bucket of four fingerprints
        self.cells = contents.take(_BUCKETS, (self.buckets * self.bytes + 7) // 8)
        if any(self.cells[self.buckets * self.bytes :]):
            raise contents.fault("what follows the last bucket is not zero")
        total, distinct = self._counted(contents)
        self.stash = _SortedKeys(contents.take(_STASH, most=capacity), 8)
        for key in self._keys(contents, self.stash.content, 8):
            bucket, fingerprint = key >> 32, key & _M32
            if self._copies(bucket, fingerprint):
                raise contents.fault("fingerprint %d stands in its buckets too" % fingerprint)
        total += len(self.stash)
        if distinct + len(self.stash) > capacity:
            raise contents.fault("there are more distinct fingerprints than %d" % capacity)
        pairs = contents.take(_COPIES, most=2 * capacity, multiple=2)
        self.extra_copies = _SortedKeys(pairs, 16)
        for index, key in enumerate(self._keys(contents, pairs, 16)):
            copies = _word(pairs, 16 * index + 8)[0]
            if not self._copies(key >> 32, key & _M32) and key not in self.stash:
                raise contents.fault("copies of a fingerprint that is not held", 16 * index)
            if not 1 <= copies <= _MAX_COPIES - total:
                raise contents.fault("%d copies of a fingerprint" % copies, 16 * index + 8)
            total += copies
        header.require_count(total, total)

    def _bucket(self, index):
        """Returns the four fingerprints of a bucket; 0 is a free place."""
        at = index * self.bytes
        bits = int.from_bytes(self.cells[at : at + self.bytes], "little")
        width = self.width
        mask = (1 << width) - 1
        return bits & mask, bits >> width & mask, bits >> 2 * width & mask, bits >> 3 * width

    def _other(self, bucket, fingerprint):
        x = fingerprint * 0x9E3779B97F4A7C15 & _M64
        y = (x ^ x >> 32) * 0x9E3779B97F4A7C15 & _M64
        return (_place(y, self.buckets) - bucket) % self.buckets

    def _copies(self, bucket, fingerprint):
        other = self._other(bucket, fingerprint)
        copies = self._bucket(bucket).count(fingerprint)
        return copies if other == bucket else copies + self._bucket(other).count(fingerprint)

    def _counted(self, contents):
        """Returns the numbers of all and of distinct fingerprints in the buckets."""
        total = twice = 0
        for bucket in range(self.buckets):
            for fingerprint in self._bucket(bucket):
                if fingerprint:
                    copies = self._copies(bucket, fingerprint)
                    if copies > 2:
                        raise contents.fault("fingerprint %d has %d copies" % (fingerprint, copies))
                    total += 1
                    twice += 2 // copies
        return total, twice // 2

    def _keys(self, contents, content, step):
        last = -1
        for at in range(0, len(content), step):
            key = _word(content, at)[0]
            bucket, fingerprint = key >> 32, key & _M32
            if (
                key <= last
                or bucket >= self.buckets
                or not 0 < fingerprint < 1 << self.width
                or bucket > self._other(bucket, fingerprint)
            ):
                raise contents.fault("%#x is no key, or not above the one before" % key, at)
            yield key
            last = key

    def _found(self, value):
        bucket = _place(value, self.buckets)
        fingerprint = ((value & _M32) * ((1 << self.width) - 1) >> 32) + 1
        other = self._other(bucket, fingerprint)
        return fingerprint, bucket, other, min(bucket, other) << 32 | fingerprint

    def contains(self, value):
        fingerprint, bucket, other, key = self._found(value)
        return (
            fingerprint in self._bucket(bucket)
            or fingerprint in self._bucket(other)
            or key in self.stash
        )

    def count(self, value):
        fingerprint, bucket, _, key = self._found(value)
        return self._copies(bucket, fingerprint) + (key in self.stash) + self.extra_copies.number(key)


def _fingerprint_space(header, least, most):
    places = header.field(1, "fingerprints", least, most)
    if places % (1 << max(0, places.bit_length() - 14)):
        raise FormatError(_FIXED_BYTES + 8, "fingerprints is %d" % places)
    return places


class _DynamicCuckoo:
    def __init__(self, contents):
        header = contents.header
        header.require(_DYNAMIC_CUCKOO, 2)
        elements = header.field(0, "elements planned", 1, _MAX_NUMBER)
        self.places = _fingerprint_space(header, elements, _MAX_NUMBER)
        header.require_plan_for(elements)
        self.held = contents.take(_FINGERPRINTS, most=self.places)
        if len(self.held) and self.held[-1] >= self.places:
            raise contents.fault("%d is no fingerprint" % self.held[-1])
        self.extra_copies = []
        total = len(self.held)
        bits = len(header.sections) - 1
        for bit in range(bits):
            numbers = contents.take(_EXTRA_COPIES, most=total)
            if bit == bits - 1 and not len(numbers):
                raise contents.fault("the last section of copies is empty")
            if bit >= 62 or len(numbers) > _MAX_COPIES - total >> bit:
                raise contents.fault("more than 2^62 copies in all")
            at = 0
            for number in numbers:
                at = bisect_left(self.held, number, at)
                if at == len(self.held) or self.held[at] != number:
                    raise contents.fault("copies of %d, which is not held" % number)
            self.extra_copies.append(numbers)
            total += len(numbers) << bit
        header.require_count(total, total)

    def contains(self, value):
        return _is_in(self.held, _place(value, self.places))

    def count(self, value):
        number = _place(value, self.places)
        extra = sum(_is_in(s, number) << bit for bit, s in enumerate(self.extra_copies))
        return 1 + extra if _is_in(self.held, number) else 0


class _ExpiringCuckoo:
    count = None

    def __init__(self, contents, clock):
        header = contents.header
        header.require(_EXPIRING_CUCKOO, 6)
        elements = header.field(0, "elements planned", 1, 1 << 55)
        window = header.field(2, "window", 1, _MAX_NUMBER)
        self.length = -(-window // 15)  # of an epoch
        longest = self.length * (-(-window // self.length) + 1)
        self.places = _fingerprint_space(header, -(-elements * longest // window), 1 << 56)
        header.field(3, "bits of an expiry", 4, 4)
        header.require_plan_for(elements)
        header.require_count(-1, -1)
        self.is_by_time = header.field(5, "unit", 0, 1) == 0
        most = 1 << 61
        if self.is_by_time:
            self.written = header.field(4, "epoch", -most // self.length, most // self.length)
        else:
            self.written = header.field(4, "insertions", 0, most) // self.length
        self.latest = self.written
        self.clock = clock
        self.held = contents.take(_FINGERPRINTS, most=self.places)
        last = -1
        for number in self.held:
            if not last < number >> 4 < self.places:
                raise contents.fault("fingerprint %d twice or too large" % (number >> 4))
            last = number >> 4

    def contains(self, value):
        if self.is_by_time:
            self.latest = max(self.latest, self.clock() // self.length)  # never goes back
        fingerprint = _place(value, self.places)
        at = bisect_left(self.held, fingerprint << 4)
        if at == len(self.held) or self.held[at] >> 4 != fingerprint:
            return False
        return self.written + (self.held[at] - self.written - 1 & 15) + 1 > self.latest


def _is_in(numbers, number):
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number


class _Layers:
    """A filter that grows."""

    count = None

    def __init__(self, contents):
        header = contents.header
        header.require(_SCALABLE, 6)
        header.require_no_plan()
        header.field(0, "kind of layers", _CLASSIC, _CLASSIC)
        self.first = header.field(1, "elements of the first layer", 1, (1 << 63) - 1)
        self.fpp = header.fraction(2, "error")
        self.growth = header.fraction(3, "growth factor", 100)
        self.ratio = header.fraction(4, "tightening ratio")
        self.at_once = header.field(5, "additions at once", 1, 0xFFFF)
        table = contents.take(_TABLE, most=8 * 1024, multiple=8)
        if not table:
            raise contents.fault("there is no layer")
        rows = [struct.unpack_from("<8Q", table, at) for at in range(0, len(table), 64)]
        shapes = []
        for index, row in enumerate(rows):
            fault = self._fault(index, row)
            if fault:
                raise contents.fault("row %d of the table: %s" % (index, fault), 64 * index)
            shapes.append(_flat_positions(row[2], row[3]))
        self.layers = []
        least = 0
        for index, row in enumerate(rows):
            layer = _BitArray(contents, shapes[index], row[2], row[3])
            self._require_fill(contents, index, row, layer, index == len(rows) - 1)
            least += layer.least_elements
            self.layers.append(layer)
        header.require_count(least, None if least else 0)

    def _error(self, index):
        return self.fpp * (1 - self.ratio) * self.ratio**index

    def _fault(self, index, row):
        number, at_once, positions, hashes, _, _, _, capacity = row
        if number != index or any(row[4:7]) or not 1 <= at_once <= self.at_once:
            return "index %d, %d additions at once" % (number, at_once)
        if not 1 <= positions <= _MAX_POSITIONS or not 1 <= hashes <= 64:
            return "%d positions, %d hashes" % (positions, hashes)
        least, most = self._wanted(index)
        is_cut = index and capacity < least and positions > (1 << 36) - (1 << 20)
        if not 1 <= capacity <= 64 * positions or not (least <= capacity <= most or is_cut):
            return "a capacity of %d" % capacity
        if self._error(index) < capacity * 3 * 2.0**-63:
            return "64-bit hashes do not allow an error of %r" % self._error(index)
        if self._limit(index, row) < 0:
            return "no room within an error of %r" % self._error(index)
        return None

    def _wanted(self, index):
        """Returns the least and the most elements, since Java may round a power otherwise."""
        if index == 0:
            return self.first, self.first
        try:
            wanted = self.first * self.growth**index
            return math.ceil(wanted * (1 - 1e-14)), math.ceil(wanted * (1 + 1e-14))
        except OverflowError:
            return math.inf, math.inf

    def _limit(self, index, row):
        """Returns the largest fill that takes an element."""
        _, at_once, positions, hashes, *_ = row
        error = self._error(index)
        bits = math.floor(positions * error ** (1 / hashes))
        while bits < positions and ((bits + 1) / positions) ** hashes <= error:
            bits += 1
        while (bits / positions) ** hashes > error:
            bits -= 1
        return bits - at_once * hashes

    def _require_fill(self, contents, index, row, layer, is_newest):
        _, at_once, _, hashes, *_ = row
        fill = layer.set_bits
        limit = self._limit(index, row)
        least = limit - (self.at_once - at_once) * hashes + 1
        most = limit + at_once * hashes
        if not is_newest and fill < least or self.at_once == 1 and fill > most:
            raise contents.fault("layer %d has a fill of %d" % (index, fill))

    def contains(self, value):
        return any(layer.contains(value) for layer in reversed(self.layers))


class _Guava:
    count = None

    def __init__(self, contents):
        header = contents.header
        header.require(_GUAVA, 3)
        header.require_no_plan()
        self.positions = header.field(0, "positions", 64, _MAX_POSITIONS, 64)
        self.hashes = header.field(1, "hashes", 1, 255)
        self.is_old = header.field(2, "strategy of Guava", 0, 1) == 0
        header.require_count(-1, -1)
        self.cells = contents.take(_WORDS, self.positions // 64)

    def contains(self, halves):
        cells = self.cells
        low, high = halves
        for i in range(self.hashes):
            if self.is_old:
                number = low + (i + 1) * (low >> 32) & _M32
                number = number if number < 1 << 31 else _M32 - number
            else:
                number = low + i * high & _M64 >> 1
            p = number % self.positions
            if not cells[p >> 3] >> (p & 7) & 1:
                return False
        return True


_KINDS = {
    _CLASSIC: _classic,
    _BLOCKED: _blocked,
    _COUNTING: _counting,
    _BLOCKED_COUNTING: _blocked_counting,
    _CUCKOO: _Cuckoo,
    _SCALABLE: _Layers,
    _GUAVA: _Guava,
    _DYNAMIC_CUCKOO: _DynamicCuckoo,
}


def _now():
    return time.time_ns() // 1_000_000


class Filter:
    """A read-only filter, returned by open_filter and read."""

    def __init__(self, contents, key, clock, probes):
        header = contents.header
        if header.variant == _DELTA:
            raise FormatError(10, "this is a delta and not a filter: see apply_delta")
        self.kind = header.name
        self.strategy = header.strategy
        self.fingerprint = header.fingerprint
        self.element_count = header.element_count if header.element_count >= 0 else None
        self.fields = list(header.fields)
        self.plan = header.plan
        self._strategy = _strategy(header, key, probes)
        self._has_key = key is not None
        if header.variant == _EXPIRING_CUCKOO:
            self._contents = _ExpiringCuckoo(contents, clock)
        else:
            self._contents = _KINDS[header.variant](contents)
        contents.finish()
        self.counting = self._contents.count is not None
        if key is not None and not _is_keyed(self.strategy):
            raise ValueError("the strategy %s takes no key" % self.strategy)
        if probes and not _FIELD.fullmatch(self.strategy):
            raise ValueError("the strategy %s takes no probes" % self.strategy)

    def __contains__(self, element):
        return self.might_contain(element)

    def might_contain(self, element):
        """Returns False if the element is certainly absent, else True."""
        return self._contents.contains(self._hash(element))

    def count(self, element):
        """Returns the count of an element in a filter that counts: at least its true count."""
        self._require_counting()
        return self._contents.count(self._hash(element))

    def hash(self, element):
        """Returns the 64-bit hash of an element."""
        self._require_words()
        return self._hash(element)

    def _hash(self, element):
        if self._strategy is None:
            raise TypeError(_refusal(self, "" if self._has_key else "key=", "probes="))
        return self._strategy.hash(element)

    def might_contain_hash(self, value):
        """Returns might_contain of the element with this 64-bit hash."""
        self._require_words()
        return self._contents.contains(value & _M64)

    def count_hash(self, value):
        """Returns count of the element with this 64-bit hash."""
        self._require_counting()
        return self._contents.count(value & _M64)

    def _require_words(self):
        if isinstance(self._contents, _Guava):
            raise TypeError("a filter of Guava has no 64-bit hashes: query elements")

    def _require_counting(self):
        if not self.counting:
            raise TypeError("a %s does not count" % self.kind)

    def __repr__(self):
        return "%s(fields=%s, strategy=%s, net_insertions=%s)" % (
            self.kind,
            self.fields,
            self.strategy,
            self.element_count,
        )


def read(data, key=None, clock=_now, probes=()):
    """Returns the filter in a byte string that holds nothing else.

    key: the sixteen bytes of the key, if the strategy has one.
    probes: the field of each probe, if the strategy is on(field=...) and was made with probes.
    clock: returns the time in milliseconds since 1970, for filters whose elements expire by time.
    """
    if isinstance(data, str):
        raise TypeError("data must be bytes; open_filter reads the file of a path")
    return _read(bytes(data), key, clock, probes)


def _read(data, key, clock, probes=()):
    if key is not None and len(key) != 16:
        raise ValueError("the key must have 16 bytes, got %d" % len(key))
    return Filter(_Contents(memoryview(data)), key, clock, probes)


def open_filter(path, key=None, clock=_now, probes=()):
    """Returns the filter in a file, as read does. Reads at most a byte beyond the filter."""
    if os.path.isdir(path):
        raise IsADirectoryError("%s is a folder: see open_folder" % path)
    with open(path, "rb") as file:
        data = bytearray()
        _receive(file, data, _FIXED_BYTES)
        if data.startswith(_MARK) and len(data) == _FIXED_BYTES:
            _receive(file, data, _Header.length_in(data))
            _receive(file, data, _Header(data).end + 1)
    return _read(data, key, clock, probes)


def _receive(file, data, length):
    """Reads up to a length in parts, since a forged length may be far beyond the end."""
    while len(data) < length:
        part = file.read(min(_PART_BYTES, length - len(data)))
        if not part:
            return
        data += part


# Folders of durable filters

_FOLDER_MARK, _LOG_MARK = b"\x89BlmDir\n", b"\x89BlmLog\n"
_HEADER_BYTES, _FRAME_BYTES = 40, 32
_MAX_UPDATES = 1 << 15
_ADDITIONS, _REMOVALS, _MIXED, _CLEARED = b"ADDS", b"REMS", b"MIXD", b"CLRD"
_MARKED, _ENDED = b"MARK", b"ENDS"
_FRAMES = (_ADDITIONS, _REMOVALS, _MIXED, _CLEARED, _MARKED, _ENDED)
_any_frame = re.compile(b"|".join(_FRAMES)).finditer
_frame = struct.Struct("<II4sIqQ").unpack_from


def _folder_header(data, mark, what):
    """Returns the id of the folder and the number of the segment."""
    if len(data) < _HEADER_BYTES or data[:8] != mark:
        raise FormatError(0, "this is no %s" % what)
    version, zero, folder, number, checksum, end = struct.unpack_from("<IIQQII", data, 8)
    if version > 1:
        raise FormatError(8, "version %d; this reader knows version 1" % version)
    if checksum != crc32c(data[:32]) or version != 1 or zero or end:
        raise FormatError(32, "the checksum of the header is wrong")
    return folder, number


def _frame_end(data, at):
    """Returns the end of a frame by its length, or None if it is incomplete or invalid."""
    if at + _FRAME_BYTES > len(data):
        return None
    _, _, kind, count, _, _ = _frame(data, at)
    if kind not in _FRAMES or count > _MAX_UPDATES:
        return None
    end = at + _FRAME_BYTES + 8 * count + (8 * ((count + 63) // 64) if kind == _MIXED else 0)
    return end if end <= len(data) else None


def _is_intact(data, at, end):
    return _half(data, at)[0] == crc32c(data[at + 4 : end])


def _frames(data, previous):
    """Yields (type, hashes, which are removals, epoch) of each frame after one with a checksum; then
    (None, end, whether the log goes on, the last checksum)."""
    at, kind = _HEADER_BYTES, None
    while at < len(data) and kind != _ENDED:
        end = _frame_end(data, at)
        if end is None or not _is_intact(data, at, end):
            break
        if _half(data, at + 4)[0] != previous:
            if at == _HEADER_BYTES:
                raise FormatError(at + 4, "the segment does not follow the one before, or the snapshot")
            break
        previous, _, kind, count, epoch, _ = _frame(data, at)
        hashes = struct.unpack_from("<%dQ" % count, data, at + _FRAME_BYTES)
        bits = int.from_bytes(data[at + _FRAME_BYTES + 8 * count : end], "little")
        if kind == _REMOVALS:
            bits = (1 << count) - 1
        yield kind, hashes, bits, epoch
        at = end
    yield None, at, kind == _ENDED, previous


def _was_forced(data, at):
    """Returns whether a later frame says that the damaged one was on the disk, or some overlap."""
    unchecked = len(data) - at
    mask, limit = _half(data, 32)[0] << 32, max(len(data), _M32)
    for found in _any_frame(data, at + 9):
        later = found.start() - 8
        end = _frame_end(data, later)
        if end is not None and at < _frame(data, later)[5] ^ mask <= limit:
            unchecked -= end - later
            if unchecked < 0 or _is_intact(data, later, end):
                return True
    return False


def _is_followed(path, checksum):
    """Returns whether a segment has no end, or one with a checksum."""
    with open(path, "rb") as file:
        start = max(_HEADER_BYTES, os.path.getsize(path) - _FRAME_BYTES)
        file.seek(start)
        end = file.read(_FRAME_BYTES)
    is_end = len(end) == _FRAME_BYTES and end[8:12] == _ENDED and _is_intact(end, 0, _FRAME_BYTES)
    return not is_end or _half(end, 0)[0] == checksum


class Folder:
    """A durable filter, returned by open_folder: its snapshot, and the log of later updates.

    snapshot: the Filter in the newest snapshot. is_cleared: whether the log removes its elements.
    updates: a list of (hash, is_removal, epoch), only those after the last clear.
    bytes_cut: the bytes of an incomplete write at the end of the log, which a crash left behind.
    """

    def __init__(self, path, key, clock, probes):
        lock = os.path.join(path, "lock")
        if fcntl is None or not os.path.exists(lock):
            self._load(path, key, clock, probes)
            return
        with open(lock, "rb") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                raise ValueError("another process has this folder open") from error
            self._load(path, key, clock, probes)

    def _load(self, path, key, clock, probes):
        names = os.listdir(path)
        if "identity" not in names:
            raise ValueError("this folder has no durable filter: the file identity is missing")
        with open(os.path.join(path, "identity"), "rb") as file:
            identity = file.read(_HEADER_BYTES + 1)
        self._id, _ = _folder_header(identity, _FOLDER_MARK, "identity")
        if len(identity) > _HEADER_BYTES:
            raise FormatError(_HEADER_BYTES, "there must be no bytes after the identity")
        snapshots = [n for n in names if re.fullmatch(r"snapshot-[0-9]{10}-[0-9a-f]{8}\.bloom", n)]
        if not snapshots:
            raise ValueError("the snapshot of this folder is missing: restore it from a backup")
        newest = max(snapshots)
        if sum(n[:19] == newest[:19] for n in snapshots) > 1:
            raise ValueError("one folder has no two snapshots with the same number")
        first, self._checksum = int(newest[9:19]), int(newest[20:28], 16)
        logs = {int(n[4:]) for n in names if re.fullmatch(r"log-[0-9]{10}", n)}
        last = max(logs, default=first)
        for number in range(first, last + 1):
            if number not in logs:
                raise FormatError(0, "log-%010d is missing" % number)
        before = os.path.join(path, "log-%010d" % (first - 1))
        if first - 1 in logs and not _is_followed(before, self._checksum):
            raise FormatError(0, "the newest snapshot does not follow the segment before it")
        self.snapshot = open_filter(os.path.join(path, newest), key, clock, probes)
        self.updates = []
        self.is_cleared = False
        self.bytes_cut = 0
        is_unused = os.path.getsize(os.path.join(path, "log-%010d" % last)) <= _HEADER_BYTES
        for number in range(first, last + 1):
            may_end = number == last or number == last - 1 and is_unused
            if not self._read(os.path.join(path, "log-%010d" % number), number, may_end):
                break
        else:
            raise FormatError(0, "log-%010d is missing" % (last + 1))
        self._net = {}
        for value, is_removal, _ in self.updates:
            self._net[value] = self._net.get(value, 0) + (-1 if is_removal else 1)

    def _read(self, path, number, may_end):
        with open(path, "rb") as file:
            data = file.read()
        if _folder_header(data, _LOG_MARK, "segment of a log") != (self._id, number):
            raise FormatError(16, "%s is a segment of another folder or number" % path)
        if number == 1 and _half(data, 32)[0] != self._checksum:
            raise FormatError(32, "the segment does not follow the snapshot")
        for kind, hashes, removals, epoch in _frames(data, self._checksum):
            if kind is None:
                end, has_ended, self._checksum = hashes, removals, epoch
                self.bytes_cut = len(data) - end
                if self.bytes_cut and (has_ended or not may_end or _was_forced(data, end)):
                    raise FormatError(end, "%s: the frame is damaged" % path)
                if not has_ended and not may_end:
                    raise FormatError(end, "%s is incomplete" % path)
                return has_ended
            if kind == _CLEARED:
                self.is_cleared = True
                self.updates.clear()
            for i, value in enumerate(hashes):
                self.updates.append((value, removals >> i & 1 == 1, epoch))

    def __contains__(self, element):
        return self.might_contain(element)

    def might_contain(self, element):
        """Returns False if the element is certainly absent, else True."""
        return self.might_contain_hash(self.snapshot.hash(element))

    def might_contain_hash(self, value):
        """Returns might_contain of the element with this 64-bit hash."""
        if self.snapshot.counting:
            return self.count_hash(value) > 0
        if isinstance(self.snapshot._contents, _ExpiringCuckoo) and self.updates:
            raise TypeError("elements of the log expire: call compact() in Java, or copy the filter to a"
                            " file by bloom add FOLDER -o FILE < /dev/null")
        is_added = self._net.get(value & _M64, 0) > 0
        return is_added or not self.is_cleared and self.snapshot.might_contain_hash(value)

    def count(self, element):
        """Returns the count of an element in a filter that counts: at least its true count."""
        return self.count_hash(self.snapshot.hash(element))

    def count_hash(self, value):
        """Returns count of the element with this 64-bit hash."""
        before = 0 if self.is_cleared else self.snapshot.count_hash(value)
        return max(0, before + self._net.get(value & _M64, 0))

    def __repr__(self):
        return "Folder(%r, %d updates in the log, %d bytes cut off)" % (
            self.snapshot,
            len(self.updates),
            self.bytes_cut,
        )


def open_folder(path, key=None, clock=_now, probes=()):
    """Returns the durable filter in a folder, unless a program has it open; not seen on Windows."""
    return Folder(path, key, clock, probes)


# Deltas


class _Change:
    """A row of the table of a delta."""

    __slots__ = (
        *("role", "words", "unit_log", "units", "is_inverted", "parameter", "count"),
        *("code_begin", "code_words"),
    )

    def __init__(self, row, index, code_begin, fault):
        bits, self.words, self.count, self.code_words = row
        self.code_begin = code_begin
        self.role = bits & 0xFFFF
        self.unit_log = bits >> 16 & 0x7F
        self.is_inverted = bool(bits >> 23 & 1)
        self.parameter = bits >> 24
        ascending = _is_ascending(self.role)
        if self.words <= _MAX_WORDS and self.unit_log <= 6:
            self.units = _MAX_NUMBER if ascending else self.words << 6 - self.unit_log
        else:
            self.units = -1
        if (
            not _WORDS <= self.role <= _EXTRA_COPIES
            or self.role == _CHANGES
            or self.count > self.units
            or self.unit_log > (0 if ascending else 6)
            or self.parameter > (60 if ascending else 40)
            or self.code_words > _MAX_WORDS
        ):
            raise fault("row %d of the table is not one of a section" % index)

    def changes(self, code, offset):
        """Yields the units that change and, if a unit has several bits, their changes."""
        bits = _Bits(code, offset)
        width = 1 << self.unit_log if self.unit_log else 0
        unit = -1
        for _ in range(self.count):
            unit += bits.gap(self.parameter) + 1
            value = bits.number(width) if width else 1
            if unit >= self.units or not value:
                raise FormatError(offset + bits.taken(), "a change of no unit, or to no value")
            yield unit, value
        if bits.require_zeros() >= 64:
            raise FormatError(offset + bits.taken(), "words follow the code of the changes")


class Delta:
    """A delta from one version of a filter to another."""

    def __init__(self, data):
        contents = _Contents(memoryview(bytes(data)))
        self._header = header = contents.header
        header.require(_DELTA, 4)
        self.variant = header.field(0, "variant", 1, 0xFFFF)
        if self.variant == _DELTA:
            raise FormatError(_FIXED_BYTES, "a delta cannot lead to a delta")
        self.strategy = header.strategy
        self.base_fingerprint = header.fields[1] & _M64
        self.result_fingerprint = header.fields[2] & _M64
        table = contents.take(_TABLE, most=1 + 64 + 4 * 0xFFFF)
        count = _word(table, 0)[0] if table else -1
        left = len(table) - 8 - 8 * count
        if not 0 <= count <= 64 or left < 0 or left % 32:
            raise contents.fault("the table does not hold %d fields and rows of 4 words" % count)
        self._fields = struct.unpack_from("<%dq" % count, table, 8)
        self._rows = []
        code_words = 0
        for index, at in enumerate(range(8 + 8 * count, len(table), 32)):
            row = struct.unpack_from("<4Q", table, at)
            self._rows.append(_Change(row, index, code_words, contents.fault))
            code_words += row[3]
        self._code = contents.take(_CHANGES, code_words)
        contents.finish()
        self._code_offset = header.sections[1].offset
        for row in self._rows:
            for _ in self._changes(row):
                pass
        sampled = sum(row.count for row in self._rows if not row.is_inverted)
        if sampled < 64 and (header.fields[3] & _M64) >> sampled:
            raise FormatError(_FIXED_BYTES + 24, "samples of more than %d changes" % sampled)

    def _changes(self, row):
        begin = 8 * row.code_begin
        code = memoryview(self._code)[begin : begin + 8 * row.code_words]
        return row.changes(code, self._code_offset + begin)

    def apply(self, data):
        """Returns the file of the next version, byte for byte as Java writes it.

        data: the file of the version that this delta applies to. Any other is a ValueError.
        """
        base = _Contents(memoryview(bytes(data)))
        header = base.header
        identity = (header.variant, header.strategy, header.fingerprint)
        if identity != (self.variant, self._header.strategy, self._header.fingerprint):
            raise self._misfit("a %s of strategy %s" % (header.name, header.strategy))
        fingerprint = base.fingerprint()
        if fingerprint == self.result_fingerprint != self.base_fingerprint:
            raise self._misfit("that newer version already: the delta was applied before")
        if fingerprint != self.base_fingerprint:
            raise self._misfit("%016x, another version or another filter" % fingerprint)
        before = [(section.role, section.words) for section in header.sections]
        pairs = self._pairs(before)
        base_words = sum(words for _, words in before)
        words = sum(row.words for row in self._rows)
        most = 16 * (8 * base_words + len(self._code)) + _PART_BYTES
        if not self._fits(before, pairs) or 8 * words > most:
            raise FormatError(self._code_offset, "the delta leads to a filter of another size")
        sections = []
        for row, pair in zip(self._rows, pairs):
            old = base.decoded[pair] if pair is not None else b""
            change = self._numbers if _is_ascending(row.role) else self._words
            sections.append((row.role, change(row, old)))
        result = _fingerprint_of(self._header, self._fields, self.variant, sections)
        if result != self.result_fingerprint:
            raise FormatError(_FIXED_BYTES + 16, "the delta leads to another version than it says")
        file = _written(self._header, self.variant, self._fields, sections)
        _read(file, None, _now)
        return file

    def _misfit(self, base):
        return ValueError(
            "the delta leads from version %016x to %016x, but the base is %s"
            % (self.base_fingerprint, self.result_fingerprint, base)
        )

    def _pairs(self, before):
        """Returns, for each section after, the index of the one before, or None."""
        places = {}
        for index, kind in enumerate(before):
            places.setdefault(kind, []).append(index)
        pairs = []
        begin = 0
        for row in self._rows:
            pair = None
            if _has_fixed_size(row.role):
                alike = places.get((row.role, row.words), [])
                at = bisect_left(alike, begin)
                pair = alike[at] if at < len(alike) else None
            elif begin < len(before) and before[begin][0] == row.role:
                pair = begin
            pairs.append(pair)
            begin = begin if pair is None else pair + 1
        return pairs

    def _fits(self, before, pairs):
        rows = self._rows
        if before and rows and before[0][0] == rows[0].role == _TABLE:
            kept = [row for row, pair in zip(rows, pairs) if pair is not None]
            if any(_has_fixed_size(row.role) for row in kept):
                return True
        return all(
            role == row.role and (not _has_fixed_size(role) or words == row.words)
            for (role, words), row in zip(before, rows)
        )

    def _words(self, row, old):
        words = bytearray(8 * row.words)
        kept = min(len(old), len(words))
        words[:kept] = old[:kept]
        if row.is_inverted:
            words = words.translate(_INVERTED)
        for unit, value in self._changes(row):
            at = unit << row.unit_log
            if row.unit_log < 3:
                words[at >> 3] ^= value << (at & 7)
            else:
                for byte in value.to_bytes(1 << row.unit_log - 3, "little"):
                    words[at >> 3] ^= byte
                    at += 8
        return words

    def _numbers(self, row, old):
        numbers = array("Q", [0]) * row.words
        count = at = 0
        held = b"" if row.is_inverted else old
        for unit in self._units(row):
            while at < len(held) and (unit is None or held[at] < unit):
                count = self._put(numbers, count, held[at])
                at += 1
            if at < len(held) and held[at] == unit:
                at += 1
            elif unit is not None:
                count = self._put(numbers, count, unit)
        if count != len(numbers):
            raise self._wrong_count()
        return numbers

    def _units(self, row):
        """Yields the numbers that change, and None."""
        for unit, _ in self._changes(row):
            yield unit
        yield None

    def _put(self, numbers, count, number):
        if count == len(numbers):
            raise self._wrong_count()
        numbers[count] = number
        return count + 1

    def _wrong_count(self):
        return FormatError(self._code_offset, "the delta leads to another count of numbers")

    def __repr__(self):
        return "Delta(%s, from=%016x, to=%016x, strategy=%s)" % (
            _NAMES.get(self.variant, "variant %d" % self.variant),
            self.base_fingerprint,
            self.result_fingerprint,
            self.strategy,
        )


_INVERTED = bytes(255 - byte for byte in range(256))


def apply_delta(data, delta):
    """Returns the file that a delta makes of the file of a filter; see Delta.apply."""
    return Delta(delta).apply(data)


def _set_positions(content):
    for index, byte in enumerate(content):
        while byte:
            yield 8 * index + (byte & -byte).bit_length() - 1
            byte &= byte - 1


def _gaps(positions, end=None):
    """Yields the gaps before positions, and the one before the end if there is one."""
    following = 0
    for position in positions:
        yield position - following
        following = position + 1
    if end is not None:
        yield end - following


def _parameter(bits, set_bits):
    gaps = set_bits + 1
    zeros = bits - set_bits
    x = 77 * (2 * zeros + gaps) // (160 * gaps)
    if zeros >= ((1 << 63) - 1) // 77 // 2 - gaps:
        x = 77 * ((2 * zeros + gaps) // 160 // gaps)
    return max(1, x).bit_length() - 1


def _coded(gaps, parameter, length):
    code = bytearray()
    window = size = 0
    low = (1 << parameter) - 1
    for gap in gaps:
        ones = gap >> parameter
        window |= ((1 << ones) - 1 | (gap & low) << ones + 1) << size
        size += ones + 1 + parameter
        if size >= 512:
            taken = size & ~7
            code += (window & (1 << taken) - 1).to_bytes(taken // 8, "little")
            window >>= taken
            size -= taken
    code += window.to_bytes((size + 7) // 8, "little")
    return code + bytes(length - len(code))


def _stored(role, content):
    """Returns the coding, its parameter and the bytes of a section, as Java chooses them."""
    words = _word_count(content)
    least = _least_stored(words)
    if _is_ascending(role):
        parameter = _parameter(content[-1] + 1, words) if words else 0
        bits = sum((gap >> parameter) + 1 + parameter for gap in _gaps(content))
        return _ASCENDING, parameter, _coded(_gaps(content), parameter, max((bits + 7) // 8, least))
    most = words * 2 * 3  # three quarters
    if _has_fixed_size(role):
        set_bits = _bit_count(content)
        parameter = _parameter(64 * words, set_bits)
        if 2 * set_bits <= 8 * most:
            gaps = _gaps(_set_positions(content), 64 * words)
            bits = sum((gap >> parameter) + 1 + parameter for gap in gaps)
            length = max((bits + 7) // 8, least)
            if length <= most:
                gaps = _gaps(_set_positions(content), 64 * words)
                return _GAPS, parameter, _coded(gaps, parameter, length)
    return _RAW, 0, content


def _written(header, variant, fields, sections):
    """Returns a file, with strategy, element count and plan of another header."""
    identity = header.strategy.encode("ascii")
    plan = struct.pack("<Qd", *header.plan) if header.plan else b""
    length = 52 + 8 * len(fields) + len(plan) + _ENTRY_BYTES * len(sections) + len(identity)
    file = bytearray(
        struct.pack(
            "<8sHHIIHHH6xQq%dq" % len(fields),
            *(_MARK, 1, variant, length, len(plan) // 16, len(fields), len(sections)),
            *(len(identity), header.fingerprint, header.element_count),
            *fields
        )
    )
    file += plan
    stored = [_stored(role, content) for role, content in sections]
    for (role, content), (coding, parameter, code) in zip(sections, stored):
        words = _word_count(content)
        file += struct.pack("<HBBIQQ", role, coding, parameter, 0, words, len(code))
    file += identity
    file += struct.pack("<I", crc32c(file))
    for _, _, code in stored:
        file += bytes(-len(file) % 64)
        file += code
        file += struct.pack("<I", crc32c(code))
    return bytes(file)


def _key_in(path):
    with open(path, "rb") as file:
        digits = file.read(1000).strip()
    if not re.fullmatch(b"[0-9a-fA-F]{32}", digits):
        raise ValueError("must contain a key of 32 hexadecimal digits")
    return bytes.fromhex(digits.decode("ascii"))


def main(arguments):
    """Describes a filter, or queries it for elements or for the lines of standard input."""
    parser = argparse.ArgumentParser(prog="bloomkit.py", description=main.__doc__)
    parser.add_argument("--key-file", help="file with the key of siphash24, 32 hexadecimal digits")
    parser.add_argument("--probe", action="append", help="the field of a probe of on(field=...)")
    parser.add_argument("file", metavar="FILE", help="the filter")
    what = "what to query; - for lines; -- before one that begins with -"
    parser.add_argument("elements", metavar="ELEMENT", nargs="*", help=what)
    options = parser.parse_intermixed_args(arguments)
    path = options.key_file
    try:
        key = _key_in(path) if path else None
        path = options.file
        opener = open_folder if os.path.isdir(path) else open_filter
        probes = [os.fsencode(probe) for probe in options.probe or ()]
        opened = opener(path, key, probes=probes)
        found = opened.snapshot if opener is open_folder else opened
    except (OSError, ValueError) as fault:
        print("%s: %s" % (path, fault), file=sys.stderr)
        return 1
    if not options.elements:
        return _quietly(lambda: print(opened, flush=True))
    if found._strategy is None:
        print(
            "%s: %s" % (path, _refusal(found, "" if key else "--key-file", "--probe")),
            file=sys.stderr,
        )
        return 1
    if options.elements != ["-"]:
        lines, unit = [os.fsencode(element) for element in options.elements], "argument"
    elif sys.stdin is None:
        print("standard input is closed", file=sys.stderr)
        return 1
    else:
        lines, unit = sys.stdin.buffer, "standard input: line"
    try:
        return _quietly(lambda: _answer(opened, found, lines, unit, sys.stdout.buffer))
    except (TypeError, ValueError) as fault:
        print(fault, file=sys.stderr)
        return 1


def _quietly(action):
    """Prints until the reader has seen enough, as head has. Returns the exit code."""
    try:
        action()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0


def _answer(opened, found, lines, unit, out):
    if opened is found:
        answer = found._contents.count if found.counting else found._contents.contains
    else:
        answer = opened.count_hash if found.counting else opened.might_contain_hash
    for number, line in enumerate(lines, 1):
        line = line[:-1] if line.endswith(b"\n") else line
        try:
            value = found._strategy.hash_line(line)
        except ValueError as fault:
            raise ValueError("%s %d is %s" % (unit, number, fault)) from None
        out.write(line + b"\t%d\n" % answer(value))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

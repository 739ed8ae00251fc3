#!/usr/bin/env python3
"""Reads Bloomkit filters without Java: one file, standard library only, Python 3.8 or newer.

    import bloomkit

    seen = bloomkit.open_filter("seen.bloom")
    if "alice" in seen: ...         # strategy utf8(xxh3)
    seen.might_contain(b"alice")    # strategy xxh3
    counted.count("alice")          # counting filters

Written from docs/format.md. It opens files of ClassicBloomFilter, BlockedBloomFilter,
CountingBloomFilter and BlockedCountingBloomFilter, gap-coded or not, and verifies the checksums of
the header and of every section. It supports three strategies: bytes ("xxh3"), texts ("utf8(xxh3)")
and signed 64-bit integers ("longs(rrmxmx)"). With any other strategy, pass the 64-bit hash of an
element to might_contain_hash or count_hash.

FormatError is raised for malformed bytes; it names the offset. A query takes 10 to 30 microseconds.
Opening takes a few seconds per 10 megabytes, mostly for the checksums.

Command line: "bloomkit.py FILE" describes a filter. "bloomkit.py FILE -" reads lines of bytes from
standard input and prints each with a tab and the answer: 0 or 1, or the count in a counting filter.
"""

import os
import struct
import sys

_M64 = (1 << 64) - 1
_M32 = (1 << 32) - 1


class FormatError(ValueError):
    """The bytes are damaged, not a filter, or a kind of filter that this reader does not support."""

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
_STRIPES_OF_BLOCK = 16
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


def _xxh3_long(data):
    length = len(data)
    sums = [_P32_3, _P64_1, _P64_2, _P64_3, _P64_4, _P32_2, _P64_5, _P32_1]
    stripes = (length - 1) // _STRIPE_BYTES
    for stripe in range(stripes):
        in_block = stripe % _STRIPES_OF_BLOCK
        _accumulate(sums, data, stripe * _STRIPE_BYTES, 8 * in_block)
        if in_block == _STRIPES_OF_BLOCK - 1:
            for i in range(8):
                value = sums[i] ^ sums[i] >> 47 ^ _SECRET_WORDS[128 + 8 * i]
                sums[i] = value * _P32_1 & _M64
    _accumulate(sums, data, length - _STRIPE_BYTES, 128 - 7)
    value = length * _P64_1
    for i in range(4):
        value += _fold(
            sums[2 * i] ^ _SECRET_WORDS[11 + 16 * i],
            sums[2 * i + 1] ^ _SECRET_WORDS[19 + 16 * i],
        )
    return _avalanche(value & _M64)


def _accumulate(sums, data, at, secret):
    for i in range(8):
        word = _word(data, at + 8 * i)[0]
        key = word ^ _SECRET_WORDS[secret + 8 * i]
        sums[i ^ 1] = sums[i ^ 1] + word & _M64
        sums[i] = sums[i] + (key & _M32) * (key >> 32) & _M64


# Strategies


def _hash_of_bytes(element):
    if not isinstance(element, (bytes, bytearray, memoryview)):
        raise TypeError("the strategy of this filter takes bytes, got " + type(element).__name__)
    return xxh3(bytes(element))


def _hash_of_text(element):
    if not isinstance(element, str):
        raise TypeError("the strategy of this filter takes str, got " + type(element).__name__)
    return xxh3(element.encode("utf-8", "replace"))


def _hash_of_number(element):
    if not isinstance(element, int) or not -(1 << 63) <= element < 1 << 63:
        raise TypeError("the strategy of this filter takes int of 64 bits, got %r" % (element,))
    value = element & _M64
    value ^= _rotated(value, 15) ^ _rotated(value, 40)  # to the right by 49 and 24
    value = value * _MIXER & _M64
    value ^= value >> 28
    value = value * _MIXER & _M64
    return value ^ value >> 28


_STRATEGIES = {
    ("xxh3", 0xAB5CD8D32EC439AE): _hash_of_bytes,
    ("utf8(xxh3)", 0x736C49625C35AE6D): _hash_of_text,
    ("longs(rrmxmx)", 0x0BFAAAA750AE9789): _hash_of_number,
}

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
_MOST_POSITIONS = 1 << 37
_MOST_WORDS = 1 << 34
_WORDS, _OVERFLOW = 1, 2
_CLASSIC, _BLOCKED, _COUNTING, _BLOCKED_COUNTING = 1, 2, 3, 4
_NAMES = {
    _CLASSIC: "ClassicBloomFilter",
    _BLOCKED: "BlockedBloomFilter",
    _COUNTING: "CountingBloomFilter",
    _BLOCKED_COUNTING: "BlockedCountingBloomFilter",
}
_FIELDS = {_CLASSIC: 2, _BLOCKED: 3, _COUNTING: 2, _BLOCKED_COUNTING: 2}


class Filter:
    """A read-only filter, returned by open_filter and read."""

    def __init__(self, data):
        header = _Header(data)
        self.kind = _NAMES[header.variant]
        self.strategy = header.strategy
        self.fingerprint = header.fingerprint
        self.element_count = header.element_count if header.element_count >= 0 else None
        self.fields = header.fields
        self.plan = header.plan
        self.counting = header.variant in (_COUNTING, _BLOCKED_COUNTING)
        self._hash = _STRATEGIES.get((header.strategy, header.fingerprint))
        self._positions, cells, self._hashes = _shape(header)
        width = 4 if self.counting else 1
        words = (cells * width + 63) // 64
        if len(header.sections) != (2 if self.counting else 1):
            raise FormatError(22, "%s has %d sections" % (self.kind, len(header.sections)))
        self._cells = _section(data, header.sections[0], _WORDS, words)
        self._overflow = {}
        if self.counting:
            self._overflow = _overflow(data, header.sections[1], self._cells, cells)
        last = header.sections[-1].end
        if last != len(data):
            raise FormatError(last, "the filter ends here, but more bytes follow")
        self._check_counts(cells, header.sections[0])

    def _check_counts(self, cells, section):
        unused = len(self._cells) * 8 - cells * (4 if self.counting else 1)
        if unused and int.from_bytes(self._cells[-8:], "little") >> 64 - unused:
            raise FormatError(section.offset, "positions beyond the last are set")
        count = self.element_count
        if count is None:
            return
        if self.counting:
            total = sum(_COUNTERS_OF_BYTE[byte] for byte in self._cells)
            possible = total + sum(self._overflow.values()) == count * self._hashes
        else:
            total = sum(_BITS_OF_BYTE[byte] for byte in self._cells)
            possible = total <= count * self._hashes and (total > 0 or count == 0)
        if not possible:
            raise FormatError(40, "the element count %d is impossible for the contents" % count)

    def __contains__(self, element):
        return self.might_contain(element)

    def might_contain(self, element):
        """Returns False if the element is certainly absent, else True."""
        return self.might_contain_hash(self.hash(element))

    def count(self, element):
        """Returns the count of an element in a counting filter: at least its true count."""
        return self.count_hash(self.hash(element))

    def hash(self, element):
        """Returns the 64-bit hash of an element."""
        if self._hash is None:
            raise TypeError(
                "the strategy %s#%x is not supported: pass hashes" % (self.strategy, self.fingerprint)
            )
        return self._hash(element)

    def might_contain_hash(self, value):
        """Returns might_contain of the element with this 64-bit hash."""
        cells = self._cells
        if self.counting:
            return all(
                cells[p >> 1] >> ((p & 1) << 2) & 15 for p in self._positions(value & _M64)
            )
        return all(cells[p >> 3] >> (p & 7) & 1 for p in self._positions(value & _M64))

    def count_hash(self, value):
        """Returns count of the element with this 64-bit hash."""
        if not self.counting:
            raise TypeError("a %s does not count" % self.kind)
        cells = self._cells
        found = self._positions(value & _M64)
        return min(
            (cells[p >> 1] >> ((p & 1) << 2) & 15) + self._overflow.get(p, 0)
            for p in found
        )

    def __repr__(self):
        return "%s(fields=%s, strategy=%s, elements=%s)" % (
            self.kind,
            self.fields,
            self.strategy,
            self.element_count,
        )


_COUNTERS_OF_BYTE = [(byte & 15) + (byte >> 4) for byte in range(256)]
_BITS_OF_BYTE = [bin(byte).count("1") for byte in range(256)]


class _Section:
    def __init__(self, entry, at, offset):
        self.at = at
        self.role, self.coding, self.parameter, reserved, self.words, self.stored = entry
        self.offset = offset
        self.end = offset + self.stored + 4
        if reserved:
            raise FormatError(at + 4, "reserved bytes must be 0")
        if self.coding > 1 or self.parameter > (40 if self.coding else 0):
            raise FormatError(at + 2, "coding %d with parameter %d" % (self.coding, self.parameter))
        if self.words > _MOST_WORDS:
            raise FormatError(at + 8, "a section of %d words" % self.words)
        least = (8 * self.words + 13) // 14 if self.coding else 8 * self.words
        if not least <= self.stored <= 8 * self.words:
            raise FormatError(at + 16, "%d bytes for %d words" % (self.stored, self.words))


class _Header:
    def __init__(self, data):
        if data[:8] != _MARK[: len(data)] or not data:
            raise FormatError(0, "this is no filter of Bloomkit")
        if len(data) < _FIXED_BYTES:
            raise FormatError(len(data), "the filter ends within its header")
        version, self.variant, length, flags, fields, sections, id_length = struct.unpack_from(
            "<HHIIHHH", data, 8
        )
        if version != 1:
            raise FormatError(8, "version %d of the format; only 1 is known" % version)
        planned = flags & 1
        if length != 52 + 8 * fields + 16 * planned + 24 * sections + id_length:
            raise FormatError(12, "a header of %d bytes" % length)
        if len(data) < length:
            raise FormatError(len(data), "the filter ends within its header")
        if crc32c(data[: length - 4]) != _half(data, length - 4)[0]:
            raise FormatError(length - 4, "the header is damaged: its checksum is another")
        if flags & ~1 or any(data[26:32]):
            raise FormatError(16, "reserved bytes must be 0")
        if self.variant not in _NAMES:
            raise FormatError(10, "variant %d is not read here" % self.variant)
        if fields != _FIELDS[self.variant] or not 1 <= id_length <= 1000:
            raise FormatError(20, "%d fields, an id of %d characters" % (fields, id_length))
        self.fingerprint, self.element_count = struct.unpack_from("<Qq", data, 32)
        if self.element_count < -1:
            raise FormatError(40, "an element count of %d" % self.element_count)
        self.fields = list(struct.unpack_from("<%dq" % fields, data, _FIXED_BYTES))
        at = _FIXED_BYTES + 8 * fields
        self.plan = None
        if planned:
            elements, fpp = struct.unpack_from("<Qd", data, at)
            if not 1 <= elements <= 1 << 60 or not 0 < fpp < 1:
                raise FormatError(at, "a plan for %d elements at %r" % (elements, fpp))
            self.plan = (elements, fpp)
            at += 16
        end = length
        self.sections = []
        for i in range(sections):
            entry = struct.unpack_from("<HBBIQQ", data, at)
            offset = end + 63 & -64
            section = _Section(entry, at, offset)
            if len(data) < section.end:
                raise FormatError(len(data), "the filter ends within section %d" % i)
            if any(data[end:offset]):
                raise FormatError(end, "padding must be 0")
            self.sections.append(section)
            end = section.end
            at += 24
        identity = data[at : at + id_length]
        if any(not 0x20 <= character <= 0x7E for character in identity):
            raise FormatError(at, "the id of the strategy has other than printable ASCII characters")
        self.strategy = identity.decode("ascii")


def _shape(header):
    """Returns the function from a hash to its positions, the number of positions, and k."""

    def field(index, name, least, most, step=1):
        value = header.fields[index]
        if not least <= value <= most or value % step:
            raise FormatError(_FIXED_BYTES + 8 * index, "%s is %d" % (name, value))
        return value

    if header.variant in (_CLASSIC, _COUNTING):
        positions = field(0, "positions", 1, _MOST_POSITIONS)
        hashes = field(1, "hashes", 1, 64)
        return _flat_positions(positions, hashes), positions, hashes
    blocks = field(0, "blocks", 2, 1 << 29, 2)
    per_block = 128
    if header.variant == _BLOCKED:
        per_block = field(1, "positions of a block", 128, 512, 128)
        if per_block not in (128, 512):
            raise FormatError(_FIXED_BYTES + 8, "positions of a block is %d" % per_block)
    hashes = field(len(header.fields) - 1, "hashes", 2, 16, 2)
    return _blocked_positions(blocks, per_block, hashes), blocks * per_block, hashes


def _section(data, section, role, words):
    """Verifies the checksum of a section and returns its decoded bytes."""
    if section.role != role:
        raise FormatError(section.at, "the section has the role %d" % section.role)
    if words is not None and section.words != words:
        raise FormatError(section.at + 8, "the section has %d words" % section.words)
    stored = data[section.offset : section.end - 4]
    if crc32c(stored) != _half(data, section.end - 4)[0]:
        raise FormatError(section.end - 4, "a section is damaged: its checksum is another")
    if section.coding == 0:
        return stored
    if role != _WORDS:
        raise FormatError(section.at + 2, "a section of role %d must not be gap-coded" % role)
    return _decoded(stored, section)


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

    def require_zeros(self):
        if self.window or any(self.data[self.at :]):
            raise FormatError(self.offset + len(self.data) - 1, "bits follow the gap code")

    def taken(self):
        """Returns the number of bytes that the code used."""
        return self.at - self.left // 8


def _decoded(stored, section):
    size = 64 * section.words
    decoded = bytearray(8 * section.words)
    bits = _Bits(stored, section.offset)
    position = -1
    while True:
        gap = (bits.ones() << section.parameter) + bits.number(section.parameter)
        position += gap + 1
        if position >= size:
            break
        decoded[position >> 3] |= 1 << (position & 7)
    if position > size:
        raise FormatError(section.offset, "the gap code has a position beyond the last")
    bits.require_zeros()
    if section.stored != max(bits.taken(), (8 * section.words + 13) // 14):
        raise FormatError(section.at + 16, "the gap code is followed by bytes")
    return decoded


def _overflow(data, section, cells, counters):
    """Returns a dictionary from the index of a counter to its overflow above fifteen."""
    stored = _section(data, section, _OVERFLOW, None)
    if section.words % 2:
        raise FormatError(section.at + 8, "the overflow must be pairs of words")
    overflow = {}
    last = -1
    for at in range(0, len(stored), 16):
        index, value = struct.unpack_from("<QQ", stored, at)
        if not last < index < counters or not 1 <= value <= 3 << 61:
            raise FormatError(section.offset + at, "an overflow of %d for %d" % (value, index))
        if cells[index >> 1] >> ((index & 1) << 2) & 15 != 15:
            raise FormatError(section.offset + at, "counter %d is below fifteen" % index)
        overflow[index] = value
        last = index
    return overflow


def read(data):
    """Returns the filter in a byte string that holds nothing else."""
    return Filter(bytes(data))


def open_filter(path):
    """Returns the filter in a file."""
    with open(path, "rb") as file:
        return read(file.read())


def main(arguments):
    """Describes a filter, or queries it for the lines of standard input."""
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["-"]):
        print("usage: bloomkit.py FILE [-]", file=sys.stderr)
        return 2
    try:
        found = open_filter(arguments[0])
    except (OSError, FormatError) as fault:
        print("%s: %s" % (arguments[0], fault), file=sys.stderr)
        return 1
    if len(arguments) == 1:
        return _quietly(lambda: print(found, flush=True))
    if found._hash is None:
        print(
            "%s: the strategy %s#%x is not supported; query it with hashes, from Python"
            % (arguments[0], found.strategy, found.fingerprint),
            file=sys.stderr,
        )
        return 1
    if sys.stdin is None:
        print("standard input is closed", file=sys.stderr)
        return 1
    try:
        return _quietly(lambda: _answer(found, sys.stdin.buffer, sys.stdout.buffer))
    except ValueError as fault:
        print("standard input: %s" % fault, file=sys.stderr)
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


def _answer(found, lines, out):
    for number, line in enumerate(lines, 1):
        line = line[:-1] if line.endswith(b"\n") else line
        if found._hash is _hash_of_number:
            try:
                value = found.hash(int(line))
            except (TypeError, ValueError):
                raise ValueError(
                    "line %d is no 64-bit integer: %r" % (number, line[:40])
                ) from None
        else:
            value = xxh3(line)  # a text is hashed as its bytes of UTF-8
        answer = found.count_hash(value) if found.counting else found.might_contain_hash(value)
        out.write(line + b"\t%d\n" % answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

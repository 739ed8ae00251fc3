/**
 * Reads Bloomkit filters in JavaScript: one ES module without dependencies, for Node 18 or newer
 * and browsers of 2021 or newer.
 *
 *     import { open, describe, applyDelta } from "./bloomkit.mjs";
 *
 *     const seen = open(bytes);               // Uint8Array or ArrayBuffer
 *     seen.mightContain("alice");             // strategy utf8(xxh3)
 *     seen.count("alice");                    // dynamic cuckoo filters
 *     open(bytes, { key: sixteenBytes });     // strategies with siphash24
 *     open(bytes, { probes: ["alice@example.org"] }); // on(email=utf8(xxh3)): the emails of its probes
 *     seen.fill();                            // the fill ratio
 *     describe(bytes).plan;                   // the header of a filter of any kind, or of a delta
 *     const updated = applyDelta(bytes, delta); // the file of the next version, a Uint8Array
 *
 * Written from docs/format.md. Reads ClassicBloomFilter, BlockedBloomFilter and
 * DynamicCuckooFilter; contrib/bloomkit.py reads every kind.
 *
 * Strategies, with the type of an element: xxh3 (Uint8Array), utf8(...) (string), longs(...) (an
 * integer as a number, or a bigint of 64 bits) and uuids(...) (a string such as
 * "123e4567-e89b-12d3-a456-426614174000"), where the bytes hash is xxh3 or siphash24; siphash24
 * (Uint8Array); longs(rrmxmx); and on(field=...) of these, with the type of the field. Any other
 * strategy, such as composite(...), is a function in Java. A TypeError names it when an element is
 * queried: pass the 64-bit hash of the element, a bigint, to mightContainHash or countHash, or fill
 * the filter in Java by a strategy of these.
 *
 * FormatError is thrown for malformed bytes and for a wrong key; its offset is that of the fault.
 * Opening allocates at most 64 KiB plus 16 times the bytes given. Applying a delta allocates at
 * most 4 times the decoded size of base and result, and refuses a result of more than 64 KiB plus
 * 16 times that of base and delta.
 *
 * A query of a text of 20 characters takes about 1 microsecond in a classic or blocked filter of
 * 10 million bits, and 3 in a dynamic cuckoo filter of a million elements (Node 20, a 2-core virtual
 * machine). Opening takes 10 milliseconds per megabyte of bits, and 150 per million fingerprints.
 */

/** The bytes are damaged, forged or not a filter, or the key is not that of the filter. */
export class FormatError extends Error {
  constructor(offset, fault) {
    super(`at byte ${offset}: ${fault}`);
    this.name = "FormatError";
    this.offset = offset;
  }
}

// Arithmetic of 64 bits, in halves of 32. The functions leave their results in word: lo is word[0],
// the lower half, and hi is word[1].

const TWO_32 = 0x100000000;
const TWO_60 = 1n << 60n;

const word = new Uint32Array(2); // hi and lo, in an array so that no number is boxed

function multiply32(a, b) {
  const middle = a * (b >>> 16) + Math.floor((a * (b & 0xffff)) / 0x10000);
  word[1] = Math.floor(middle / 0x10000);
  word[0] = Math.imul(a, b) >>> 0;
}

/** The product modulo 2^64. */
function multiply(ah, al, bh, bl) {
  const crossed = Math.imul(ah, bl) + Math.imul(al, bh);
  multiply32(al, bl);
  word[1] = (word[1] + crossed) >>> 0;
}

/** The upper half of the product of 128 bits. If folded, XORed with the lower half. */
function multiplyHigh(ah, al, bh, bl, folded) {
  multiply32(al, bl);
  const low = word[0];
  let middle = word[1];
  multiply32(ah, bl);
  middle += word[0];
  let high = word[1];
  multiply32(al, bh);
  middle += word[0];
  high += word[1];
  multiply32(ah, bh);
  high += word[0] + Math.floor(middle / TWO_32);
  word[1] = (word[1] + Math.floor(high / TWO_32)) >>> 0;
  word[0] = high >>> 0;
  if (folded) {
    word[1] = (word[1] ^ middle) >>> 0;
    word[0] = (word[0] ^ low) >>> 0;
  }
}

function add(ah, al, bh, bl) {
  const low = al + bl;
  word[0] = low >>> 0;
  word[1] = (ah + bh + (low >= TWO_32 ? 1 : 0)) >>> 0;
}

/** Shifts hi and lo to the right by less than 64 and XORs the result with them. */
function xorShift(distance) {
  if (distance >= 32) {
    word[0] = (word[0] ^ (word[1] >>> (distance - 32))) >>> 0;
  } else {
    word[0] = (word[0] ^ ((word[0] >>> distance) | (word[1] << (32 - distance)))) >>> 0;
    word[1] = (word[1] ^ (word[1] >>> distance)) >>> 0;
  }
}

/** Returns a bigint of 64 bits as a number if a number holds it. */
function small(value) {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    ? Number(value)
    : value;
}

/** Adds integers, each a number, or a bigint where a number does not hold it. */
function plus(a, b) {
  if (typeof a === "number" && typeof b === "number" && a + b <= Number.MAX_SAFE_INTEGER) {
    return a + b;
  }
  return BigInt(a) + BigInt(b);
}

function setHalves(value) {
  if (typeof value === "bigint") {
    word[0] = Number(BigInt.asUintN(32, value));
    word[1] = Number(BigInt.asUintN(32, value >> 32n));
  } else {
    word[0] = value >>> 0;
    word[1] = Math.floor(value / TWO_32) >>> 0;
  }
}

function joined() {
  return (BigInt(word[1]) << 32n) | BigInt(word[0]);
}

function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16));
}

function hex(value) {
  return value.toString(16);
}

// CRC32C (RFC 3720, appendix B.4)

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let i = 0; i < 8; i++) {
    value = (value >>> 1) ^ (value & 1 ? 0x82f63b78 : 0);
  }
  return value;
});

function crc32c(bytes) {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) {
    crc = (crc >>> 8) ^ CRC[(crc ^ bytes[i]) & 255];
  }
  return ~crc >>> 0;
}

// XXH3 with 64 bits and seed 0 (the published specification of xxHash)

const SECRET = viewOf(
  fromHex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f" +
      "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
      "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
      "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
      "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e" +
      "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e",
  ),
);
const PRIME_32_1 = 0x9e3779b1;
const STRIPE = 64;
const BLOCK = 1024;

function avalanche() {
  xorShift(37);
  multiply(word[1], word[0], 0x16566791, 0x9e3779f9);
  xorShift(32);
}

function oldAvalanche() {
  xorShift(33);
  multiply(word[1], word[0], 0xc2b2ae3d, 0x27d4eb4f);
  xorShift(29);
  multiply(word[1], word[0], 0x165667b1, 0x9e3779f9);
  xorShift(32);
}

function u32(view, at) {
  return view.getUint32(at, true);
}

function swapped32(value) {
  return (
    ((value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0
  );
}

function hash1To3(view, length) {
  const value =
    (view.getUint8(0) << 16) |
    (view.getUint8(length >> 1) << 24) |
    view.getUint8(length - 1) |
    (length << 8);
  word[1] = 0;
  word[0] = (value ^ u32(SECRET, 0) ^ u32(SECRET, 4)) >>> 0;
  oldAvalanche();
}

function hash4To8(view, length) {
  const low = (u32(view, length - 4) ^ u32(SECRET, 8) ^ u32(SECRET, 16)) >>> 0;
  const high = (u32(view, 0) ^ u32(SECRET, 12) ^ u32(SECRET, 20)) >>> 0;
  // rotated to the left by 49 and by 24
  word[0] = (low ^ ((high << 17) | (low >>> 15)) ^ ((low << 24) | (high >>> 8))) >>> 0;
  word[1] = (high ^ ((low << 17) | (high >>> 15)) ^ ((high << 24) | (low >>> 8))) >>> 0;
  multiply(word[1], word[0], 0x9fb21c65, 0x1e98df25);
  const shifted = (word[1] >>> 3) + length;
  word[0] = (word[0] ^ shifted) >>> 0;
  multiply(word[1], word[0], 0x9fb21c65, 0x1e98df25);
  xorShift(28);
}

function hash9To16(view, length) {
  const ll = (u32(view, 0) ^ u32(SECRET, 24) ^ u32(SECRET, 32)) >>> 0;
  const lh = (u32(view, 4) ^ u32(SECRET, 28) ^ u32(SECRET, 36)) >>> 0;
  const hl = (u32(view, length - 8) ^ u32(SECRET, 40) ^ u32(SECRET, 48)) >>> 0;
  const hh = (u32(view, length - 4) ^ u32(SECRET, 44) ^ u32(SECRET, 52)) >>> 0;
  multiplyHigh(lh, ll, hh, hl, true);
  add(word[1], word[0], hh, hl);
  add(word[1], word[0], swapped32(ll), swapped32(lh));
  add(word[1], word[0], 0, length);
  avalanche();
}

/** Adds the hash of 16 bytes to hi and lo. */
function addMixed16(view, at, secret) {
  const sumHi = word[1];
  const sumLo = word[0];
  multiplyHigh(
    (u32(view, at + 4) ^ u32(SECRET, secret + 4)) >>> 0,
    (u32(view, at) ^ u32(SECRET, secret)) >>> 0,
    (u32(view, at + 12) ^ u32(SECRET, secret + 12)) >>> 0,
    (u32(view, at + 8) ^ u32(SECRET, secret + 8)) >>> 0,
    true,
  );
  add(word[1], word[0], sumHi, sumLo);
}

function beginWithLength(length) {
  setHalves(length);
  multiply(word[1], word[0], 0x9e3779b1, 0x85ebca87);
}

function hash17To240(view, length) {
  beginWithLength(length);
  if (length <= 128) {
    for (let i = 0; i <= (length - 1) >> 5; i++) {
      addMixed16(view, 16 * i, 32 * i);
      addMixed16(view, length - 16 * (i + 1), 32 * i + 16);
    }
  } else {
    for (let i = 0; i < 8; i++) {
      addMixed16(view, 16 * i, 16 * i);
    }
    avalanche();
    for (let i = 8; i < length >> 4; i++) {
      addMixed16(view, 16 * i, 16 * (i - 8) + 3);
    }
    addMixed16(view, length - 16, 136 - 17);
  }
  avalanche();
}

/** XXH3 of more than 240 bytes, which come in parts. */
class XxhStream {
  constructor() {
    this.buffer = new Uint8Array(STRIPE + BLOCK); // begins with the stripe before
    this.view = viewOf(this.buffer);
    this.pending = 0;
    this.length = 0;
    // eight sums, each the lower half first
    this.sums = Uint32Array.of(
      ...[0xc2b2ae3d, 0, 0x85ebca87, 0x9e3779b1, 0x27d4eb4f, 0xc2b2ae3d, 0x9e3779f9, 0x165667b1],
      ...[0xc2b2ae63, 0x85ebca77, 0x85ebca77, 0, 0x165667c5, 0x27d4eb2f, 0x9e3779b1, 0],
    );
  }

  put(bytes) {
    for (let at = 0; at < bytes.length; ) {
      if (this.pending === BLOCK) {
        this.block();
      }
      const part = bytes.subarray(at, at + BLOCK - this.pending);
      this.buffer.set(part, STRIPE + this.pending);
      this.pending += part.length;
      at += part.length;
    }
    this.length += bytes.length;
  }

  put64(value) {
    setHalves(value);
    const bytes = new Uint8Array(8);
    viewOf(bytes).setUint32(0, word[0], true);
    viewOf(bytes).setUint32(4, word[1], true);
    this.put(bytes);
  }

  block() {
    for (let stripe = 0; stripe < 16; stripe++) {
      this.accumulate(this.sums, STRIPE * (stripe + 1), 8 * stripe);
    }
    for (let i = 0; i < 16; i += 2) {
      word[0] = this.sums[i];
      word[1] = this.sums[i + 1];
      xorShift(47);
      word[0] = (word[0] ^ u32(SECRET, 128 + 4 * i)) >>> 0;
      word[1] = (word[1] ^ u32(SECRET, 132 + 4 * i)) >>> 0;
      multiply(word[1], word[0], 0, PRIME_32_1);
      this.sums[i] = word[0];
      this.sums[i + 1] = word[1];
    }
    this.buffer.copyWithin(0, BLOCK, BLOCK + STRIPE);
    this.pending = 0;
  }

  accumulate(sums, at, secret) {
    const view = this.view;
    for (let i = 0; i < 8; i++) {
      const low = u32(view, at + 8 * i);
      const high = u32(view, at + 8 * i + 4);
      const other = 2 * (i ^ 1);
      add(sums[other + 1], sums[other], high, low);
      sums[other] = word[0];
      sums[other + 1] = word[1];
      multiply32(
        (low ^ u32(SECRET, secret + 8 * i)) >>> 0,
        (high ^ u32(SECRET, secret + 8 * i + 4)) >>> 0,
      );
      add(sums[2 * i + 1], sums[2 * i], word[1], word[0]);
      sums[2 * i] = word[0];
      sums[2 * i + 1] = word[1];
    }
  }

  /** Sets hi and lo to the hash. */
  hash() {
    if (this.length <= 240) {
      xxh3(this.buffer.subarray(STRIPE, STRIPE + this.pending));
      return;
    }
    const sums = this.sums.slice();
    for (let stripe = 0; stripe < (this.pending - 1) >> 6; stripe++) {
      this.accumulate(sums, STRIPE * (stripe + 1), 8 * stripe);
    }
    this.accumulate(sums, this.pending, 128 - 7);
    beginWithLength(this.length);
    for (let i = 0; i < 4; i++) {
      const sumHi = word[1];
      const sumLo = word[0];
      const secret = 11 + 16 * i;
      multiplyHigh(
        (sums[4 * i + 1] ^ u32(SECRET, secret + 4)) >>> 0,
        (sums[4 * i] ^ u32(SECRET, secret)) >>> 0,
        (sums[4 * i + 3] ^ u32(SECRET, secret + 12)) >>> 0,
        (sums[4 * i + 2] ^ u32(SECRET, secret + 8)) >>> 0,
        true,
      );
      add(word[1], word[0], sumHi, sumLo);
    }
    avalanche();
  }
}

/** Sets hi and lo to the XXH3 hash of bytes. */
function xxh3(bytes) {
  const length = bytes.length;
  if (length > 240) {
    const stream = new XxhStream();
    stream.put(bytes);
    stream.hash();
    return;
  }
  const view = viewOf(bytes);
  if (length > 16) {
    hash17To240(view, length);
  } else if (length > 8) {
    hash9To16(view, length);
  } else if (length >= 4) {
    hash4To8(view, length);
  } else if (length > 0) {
    hash1To3(view, length);
  } else {
    word[0] = (u32(SECRET, 56) ^ u32(SECRET, 64)) >>> 0;
    word[1] = (u32(SECRET, 60) ^ u32(SECRET, 68)) >>> 0;
    oldAvalanche();
  }
}

// SipHash-2-4 (J.-P. Aumasson, D. Bernstein, 2012)

const SIP = new Uint32Array(8); // four words, each the lower half first

function sipAdd(to, from) {
  add(SIP[to + 1], SIP[to], SIP[from + 1], SIP[from]);
  SIP[to] = word[0];
  SIP[to + 1] = word[1];
}

/** Rotates a word to the left and XORs another word with it. */
function sipRotate(at, distance, other) {
  const low = SIP[at];
  const high = SIP[at + 1];
  SIP[at] = ((low << distance) | (high >>> (32 - distance))) ^ SIP[other];
  SIP[at + 1] = ((high << distance) | (low >>> (32 - distance))) ^ SIP[other + 1];
}

function sipSwap(at) {
  const low = SIP[at];
  SIP[at] = SIP[at + 1];
  SIP[at + 1] = low;
}

function sipRounds(rounds) {
  for (let i = 0; i < rounds; i++) {
    sipAdd(0, 2);
    sipAdd(4, 6);
    sipRotate(2, 13, 0);
    sipRotate(6, 16, 4);
    sipSwap(0);
    sipAdd(4, 2);
    sipAdd(0, 6);
    sipRotate(2, 17, 4);
    sipRotate(6, 21, 0);
    sipSwap(4);
  }
}

function sipWord(low, high) {
  SIP[6] ^= low;
  SIP[7] ^= high;
  sipRounds(2);
  SIP[0] ^= low;
  SIP[1] ^= high;
}

/** Returns the function that sets hi and lo to the hash of bytes under a key. */
function sipHash24(key) {
  const start = new Uint32Array(8);
  const initial = [0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261];
  initial.push(0x6e657261, 0x6c796765, 0x79746573, 0x74656462);
  const view = viewOf(key);
  for (let i = 0; i < 8; i++) {
    start[i] = initial[i] ^ u32(view, (4 * i) % 16);
  }
  return (bytes) => {
    SIP.set(start);
    const data = viewOf(bytes);
    const tail = bytes.length & ~7;
    for (let at = 0; at < tail; at += 8) {
      sipWord(u32(data, at), u32(data, at + 4));
    }
    const last = [0, bytes.length << 24];
    for (let at = tail; at < bytes.length; at++) {
      last[(at - tail) >> 2] |= bytes[at] << (8 * (at & 3));
    }
    sipWord(last[0], last[1]);
    SIP[4] ^= 0xff;
    sipRounds(4);
    word[0] = (SIP[0] ^ SIP[2] ^ SIP[4] ^ SIP[6]) >>> 0;
    word[1] = (SIP[1] ^ SIP[3] ^ SIP[5] ^ SIP[7]) >>> 0;
  };
}

// Strategies

let scratch = new Uint8Array(256);

function wrongElement(wanted, element) {
  const got = typeof element === "string" ? JSON.stringify(element) : String(element);
  return new TypeError(`the strategy of this filter takes ${wanted}, got ${got}`);
}

function ofBytes(element) {
  if (!(element instanceof Uint8Array)) {
    throw wrongElement("a Uint8Array, of a text that of TextEncoder", element);
  }
  return element;
}

/** Returns UTF-8 in an array that the next call reuses, a question mark for lone surrogates. */
function ofText(element) {
  if (typeof element !== "string") {
    throw wrongElement("a string", element);
  }
  if (3 * element.length > scratch.length) {
    scratch = new Uint8Array(6 * element.length);
  }
  const bytes = scratch;
  let end = 0;
  for (let i = 0; i < element.length; i++) {
    const c = element.charCodeAt(i);
    if (c < 0x80) {
      bytes[end++] = c;
    } else if (c < 0x800) {
      bytes[end++] = 0xc0 | (c >> 6);
      bytes[end++] = 0x80 | (c & 0x3f);
    } else if (c < 0xd800 || c > 0xdfff) {
      bytes[end++] = 0xe0 | (c >> 12);
      bytes[end++] = 0x80 | ((c >> 6) & 0x3f);
      bytes[end++] = 0x80 | (c & 0x3f);
    } else {
      const point = element.codePointAt(i);
      if (point < 0x10000) {
        bytes[end++] = 0x3f;
      } else {
        i++;
        bytes[end++] = 0xf0 | (point >> 18);
        bytes[end++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[end++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[end++] = 0x80 | (point & 0x3f);
      }
    }
  }
  return bytes.subarray(0, end);
}

/** Sets hi and lo to the bits of an integer. */
function takeLong(element) {
  const isLong =
    typeof element === "bigint"
      ? BigInt.asIntN(64, element) === element
      : Number.isSafeInteger(element);
  if (!isLong) {
    throw wrongElement("an integer, as a number or a bigint of 64 bits", element);
  }
  setHalves(element);
}

const EIGHT_BYTES = new Uint8Array(8);
const EIGHT = viewOf(EIGHT_BYTES);

function ofLong(element) {
  takeLong(element);
  EIGHT.setUint32(0, word[0], true);
  EIGHT.setUint32(4, word[1], true);
  return EIGHT_BYTES;
}

function ofUuid(element) {
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  if (typeof element !== "string" || !shape.test(element)) {
    throw wrongElement("a UUID as a string", element);
  }
  const bytes = fromHex(element.replace(/-/g, ""));
  bytes.subarray(0, 8).reverse();
  bytes.subarray(8).reverse();
  return bytes;
}

function hashLong(element) {
  takeLong(element);
  const low = word[0];
  const high = word[1];
  // rotated to the right by 49 and by 24
  word[0] = (low ^ ((low << 15) | (high >>> 17)) ^ ((high << 8) | (low >>> 24))) >>> 0;
  word[1] = (high ^ ((high << 15) | (low >>> 17)) ^ ((low << 8) | (high >>> 24))) >>> 0;
  multiply(word[1], word[0], 0x9fb21c65, 0x1e98df25);
  xorShift(28);
  multiply(word[1], word[0], 0x9fb21c65, 0x1e98df25);
  xorShift(28);
}

// By the first part of an id: what turns an element into bytes, and the elements whose hashes the
// fingerprint of a strategy combines.
const TEXTS = ["", "a", "Bloom \u0416\u20ac\ud834\udd1e", "-".repeat(300)];
const ENCODINGS = new Map([
  ["", [ofBytes, TEXTS.map((text) => ofText(text).slice())]],
  ["utf8", [ofText, TEXTS]],
  ["longs", [ofLong, [0n, 1n, -1n, 0x0123456789abcdefn]]],
  [
    "uuids",
    [
      ofUuid,
      ["00000000-0000-0000-0000-000000000000", "01234567-89ab-cdef-0000-000000000001"],
    ],
  ],
]);
const ID = /^(?:(utf8|longs|uuids)\((xxh3|siphash24|rrmxmx)\)|(xxh3|siphash24))$/;

const FIELD = /^on\([A-Za-z0-9_.-]+=(.*)\)$/;

/** Returns the id of the strategy that hashes the field, or the id itself. */
function fieldIdOf(id) {
  return FIELD.exec(id)?.[1] ?? id;
}

function isKeyed(id) {
  const parts = ID.exec(fieldIdOf(id));
  return parts !== null && (parts[2] ?? parts[3]) === "siphash24";
}

/** Returns the fingerprint of a strategy, as a bigint, of the hashes that functions set. */
function fingerprintOf(id, hashes) {
  const chars = new Uint8Array(2 * id.length);
  for (let i = 0; i < id.length; i++) {
    chars[2 * i] = id.charCodeAt(i);
  }
  xxh3(chars);
  for (const setHash of hashes) {
    const pair = new Uint8Array(16);
    const view = viewOf(pair);
    view.setUint32(0, word[0], true);
    view.setUint32(4, word[1], true);
    setHash();
    view.setUint32(8, word[0], true);
    view.setUint32(12, word[1], true);
    xxh3(pair);
  }
  return joined();
}

/**
 * Returns what sets hi and lo to the hash of an element; null if it is unknown or its key or probes
 * were not given.
 */
function strategyOf(header, key, probes) {
  const id = fieldIdOf(header.strategy);
  const parts = ID.exec(id);
  const name = parts && (parts[2] ?? parts[3]);
  if (!parts || (name === "rrmxmx" && parts[1] !== "longs")) {
    return null;
  }
  if (name === "siphash24" && key === undefined) {
    return null;
  }
  const [encode, elements] = ENCODINGS.get(parts[1] ?? "");
  const hashBytes = name === "siphash24" ? sipHash24(key) : xxh3;
  const hash = name === "rrmxmx" ? hashLong : (element) => hashBytes(encode(element));
  const hashesOf = (all) => all.map((element) => () => hash(element));
  let fingerprint = fingerprintOf(id, hashesOf(elements));
  if (id !== header.strategy) {
    const inner = fingerprint;
    fingerprint = fingerprintOf(header.strategy, [() => setHalves(inner), ...hashesOf(probes)]);
  }
  if (fingerprint === header.fingerprint) {
    return hash;
  }
  if (name === "siphash24" && id === header.strategy) {
    throw new FormatError(32, `the filter was filled with another key of ${header.strategy}`);
  }
  return null;
}

// The file

const MARK = [0x89, 0x42, 0x6c, 0x6f, 0x6f, 0x6d, 0x0d, 0x0a];
const FIXED_BYTES = 48;
const ENTRY_BYTES = 24;
const MAX_WORDS = 2 ** 34;
const WORDS = 1;
const BUCKETS = 3;
const TABLE = 6;
const CHANGES = 7;
const FINGERPRINTS = 8;
const EXTRA_COPIES = 9;
const RAW = 0;
const GAPS = 1;
const ASCENDING = 2;
const CLASSIC = 1;
const BLOCKED = 2;
const DYNAMIC_CUCKOO = 10;
const DELTA = 256;
const NAMES = new Map([
  [CLASSIC, "ClassicBloomFilter"],
  [BLOCKED, "BlockedBloomFilter"],
  [DYNAMIC_CUCKOO, "DynamicCuckooFilter"],
  [DELTA, "Delta"],
]);
const NAMES_NOT_READ = new Map([
  [3, "CountingBloomFilter"],
  [4, "BlockedCountingBloomFilter"],
  [5, "CuckooFilter"],
  [6, "ScalableBloomFilter"],
  [9, "GuavaBloomFilter"],
  [11, "ExpiringCuckooFilter"],
]);
const CONVERTED = new Map([
  [3, "classic"],
  [4, "blocked"],
]);

const isAscending = (role) => role === FINGERPRINTS || role === EXTRA_COPIES;
const hasFixedSize = (role) => role === WORDS || role === BUCKETS;
const leastStored = (words) => Math.ceil((8 * words) / 14);
const align = (offset) => Math.ceil(offset / 64) * 64;

/** Returns an unsigned word as a number, which is rounded if it is large. */
function roughU64(view, at) {
  return u32(view, at + 4) * TWO_32 + u32(view, at);
}

function exactU64(view, at) {
  return small(view.getBigUint64(at, true));
}

function allocate(Type, length, offset) {
  try {
    return new Type(length);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FormatError(offset, `a section of ${length} numbers is more than an array holds`);
    }
    throw error;
  }
}

function isZero(bytes) {
  return bytes.every((byte) => byte === 0);
}

function parseSection(view, at, previousEnd) {
  const section = {
    at,
    role: view.getUint16(at, true),
    coding: view.getUint8(at + 2),
    parameter: view.getUint8(at + 3),
    words: roughU64(view, at + 8),
    stored: roughU64(view, at + 16),
    offset: align(previousEnd),
  };
  const { role, coding, parameter, words, stored } = section;
  if (role < WORDS || role > EXTRA_COPIES) {
    throw new FormatError(at, `there is no section of role ${role}`);
  }
  const isAllowed = isAscending(role)
    ? coding === ASCENDING
    : coding === RAW || (coding === GAPS && hasFixedSize(role));
  if (!isAllowed) {
    throw new FormatError(at + 2, `a section of role ${role}, coding ${coding}`);
  }
  if (parameter > [0, 40, 60][coding]) {
    throw new FormatError(at + 3, `coding ${coding}, parameter ${parameter}`);
  }
  if (u32(view, at + 4) !== 0) {
    throw new FormatError(at + 4, "reserved bytes must be 0");
  }
  if (words > MAX_WORDS) {
    throw new FormatError(at + 8, `a section of ${words} words`);
  }
  if (stored > 8 * words || stored < (coding === RAW ? 8 * words : leastStored(words))) {
    throw new FormatError(at + 16, `${stored} bytes for ${words} words`);
  }
  section.end = section.offset + stored + 4;
  return section;
}

function parsePlan(view, at) {
  const elements = view.getBigUint64(at, true);
  const fpp = view.getFloat64(at + 8, true);
  if (elements < 1n || elements > TWO_60 || !(fpp > 0 && fpp < 1)) {
    throw new FormatError(at, `a plan for ${elements} elements at ${fpp}`);
  }
  return { elements: small(elements), fpp };
}

/** Parses a header; of a kind that is not read here only if anyKind is set. */
function parseHeader(bytes, anyKind = false) {
  if (bytes.length === 0 || MARK.some((byte, i) => i < bytes.length && bytes[i] !== byte)) {
    throw new FormatError(0, "this is no filter of Bloomkit; bloom inspect names other formats");
  }
  if (bytes.length < FIXED_BYTES) {
    throw new FormatError(bytes.length, "the filter ends within its header");
  }
  const view = viewOf(bytes);
  const version = view.getUint16(8, true);
  if (version !== 1) {
    throw new FormatError(8, `version ${version} of the format; only 1 is known`);
  }
  const flags = u32(view, 16);
  const fieldCount = view.getUint16(20, true);
  const sectionCount = view.getUint16(22, true);
  const idLength = view.getUint16(24, true);
  if (idLength < 1 || idLength > 1000) {
    throw new FormatError(24, `an id of ${idLength} characters`);
  }
  if (fieldCount > 64) {
    throw new FormatError(20, `${fieldCount} fields`);
  }
  const length = u32(view, 12);
  const planBytes = flags & 1 ? 16 : 0;
  if (length !== 52 + 8 * fieldCount + planBytes + ENTRY_BYTES * sectionCount + idLength) {
    throw new FormatError(12, `a header of ${length} bytes`);
  }
  if (bytes.length < length) {
    throw new FormatError(bytes.length, "the filter ends within its header");
  }
  if (crc32c(bytes.subarray(0, length - 4)) !== u32(view, length - 4)) {
    throw new FormatError(length - 4, "the header is damaged: its checksum is another");
  }
  if (flags > 1) {
    throw new FormatError(16, "reserved bits must be 0");
  }
  if (!isZero(bytes.subarray(26, 32))) {
    throw new FormatError(26, "reserved bytes must be 0");
  }
  const variant = view.getUint16(10, true);
  const name = NAMES_NOT_READ.get(variant);
  if (!NAMES.has(variant) && !(anyKind && name)) {
    throw new FormatError(
      10,
      name
        ? `${name} is not read here; bloomkit.py and Java read it` +
          (CONVERTED.has(variant)
            ? `, and "bloom convert --to ${CONVERTED.get(variant)}" makes a filter that is`
            : "")
        : `variant ${variant} is not read here`,
    );
  }
  const elementCount = view.getBigInt64(40, true);
  if (elementCount < -1n) {
    throw new FormatError(40, `an element count of ${elementCount}`);
  }
  const fields = [];
  let at = FIXED_BYTES;
  for (; at < FIXED_BYTES + 8 * fieldCount; at += 8) {
    fields.push(view.getBigInt64(at, true));
  }
  const planAt = at;
  const plan = planBytes ? parsePlan(view, at) : null;
  at += planBytes;
  const sections = [];
  let end = length;
  for (let i = 0; i < sectionCount; i++, at += ENTRY_BYTES) {
    sections.push(parseSection(view, at, end));
    end = sections[i].end;
  }
  const id = bytes.subarray(at, at + idLength);
  if (id.some((character) => character < 0x20 || character > 0x7e)) {
    throw new FormatError(at, "the id of the strategy has other than printable ASCII");
  }
  return {
    variant,
    name: NAMES.get(variant) ?? name,
    strategy: String.fromCharCode(...id),
    fingerprint: view.getBigUint64(32, true),
    elementCount,
    fields,
    plan,
    planAt,
    sections,
    headerEnd: length,
    end,
  };
}

/** The bits of a byte string, the lowest bit of each byte first. */
class Bits {
  constructor(data, offset) {
    this.data = data;
    this.offset = offset;
    this.at = 0;
    this.window = 0;
    this.left = 0;
  }

  fill() {
    if (this.at === this.data.length) {
      throw new FormatError(this.offset + this.at, "the gap code ends too early");
    }
    this.window = this.data[this.at++];
    this.left = 8;
    while (this.left < 24 && this.at < this.data.length) {
      this.window |= this.data[this.at++] << this.left;
      this.left += 8;
    }
  }

  /** Reads ones and the zero that ends them. Returns the number of ones. */
  ones() {
    let count = 0;
    for (;;) {
      if (this.left === 0) {
        this.fill();
      }
      const inverted = ~this.window & ((1 << this.left) - 1);
      if (inverted !== 0) {
        const run = 31 - Math.clz32(inverted & -inverted);
        this.window >>>= run + 1;
        this.left -= run + 1;
        return count + run;
      }
      count += this.left;
      this.left = 0;
    }
  }

  /** Reads a number of at most 30 bits. */
  number(width) {
    let value = 0;
    for (let have = 0; have < width; ) {
      if (this.left === 0) {
        this.fill();
      }
      const take = Math.min(width - have, this.left);
      value |= (this.window & ((1 << take) - 1)) << have;
      this.window >>>= take;
      this.left -= take;
      have += take;
    }
    return value;
  }

  /** Reads a gap: a number, or a bigint if a number does not hold it. */
  gap(parameter) {
    const ones = this.ones();
    const low = this.number(Math.min(parameter, 30));
    const high = parameter > 30 ? this.number(parameter - 30) : 0;
    const gap = ones * 2 ** parameter + high * 2 ** 30 + low;
    return gap <= Number.MAX_SAFE_INTEGER
      ? gap
      : (BigInt(ones) << BigInt(parameter)) + (BigInt(high) << 30n) + BigInt(low);
  }

  /** Checks that zeros follow. Returns their number. */
  requireZeros() {
    if (this.window !== 0 || !isZero(this.data.subarray(this.at))) {
      throw new FormatError(this.offset + this.data.length - 1, "bits follow the gap code");
    }
    return this.left + 8 * (this.data.length - this.at);
  }

  /** Returns the number of bytes that the code used. */
  taken() {
    return this.at - (this.left >> 3);
  }
}

/** Ascending numbers: a Float64Array, or a BigUint64Array if that does not hold them. */
class Numbers {
  constructor(length, offset) {
    this.values = allocate(Float64Array, length, offset);
    this.count = 0;
  }

  put(number) {
    if (typeof number === "bigint" && this.values instanceof Float64Array) {
      const wide = new BigUint64Array(this.values.buffer); // in place, which takes no memory
      for (let i = 0; i < this.count; i++) {
        wide[i] = BigInt(this.values[i]);
      }
      this.values = wide;
    }
    this.values[this.count++] = this.values instanceof Float64Array ? number : BigInt(number);
  }
}

function finishCode(bits, section) {
  bits.requireZeros();
  if (section.stored !== Math.max(bits.taken(), leastStored(section.words))) {
    throw new FormatError(section.at + 16, "the gap code is followed by bytes");
  }
}

function decodedBits(stored, section) {
  const size = 64 * section.words;
  const decoded = allocate(Uint8Array, 8 * section.words, section.at + 8);
  const bits = new Bits(stored, section.offset);
  let position = -1;
  while (position < size && size > 0) {
    position = plus(position, plus(bits.gap(section.parameter), 1));
    if (position < size) {
      decoded[Math.floor(position / 8)] |= 1 << (position & 7);
    }
  }
  if (position > size) {
    throw new FormatError(section.offset, "the gap code has a position beyond the last");
  }
  finishCode(bits, section);
  return decoded;
}

function decodedNumbers(stored, section) {
  const numbers = new Numbers(section.words, section.at + 8);
  const bits = new Bits(stored, section.offset);
  let number = -1;
  for (let i = 0; i < section.words; i++) {
    number = plus(number, plus(bits.gap(section.parameter), 1));
    if (number >= TWO_60) {
      throw new FormatError(section.offset + bits.taken(), "a number is 2^60 or more");
    }
    numbers.put(number);
  }
  finishCode(bits, section);
  return numbers.values;
}

/** Checks the checksums and the padding of all sections, and returns the stored bytes of each. */
function storedSections(bytes, { sections, headerEnd, end }) {
  let begin = headerEnd;
  const all = sections.map((section, index) => {
    if (bytes.length < section.end) {
      throw new FormatError(bytes.length, `the filter ends within section ${index}`);
    }
    if (!isZero(bytes.subarray(begin, section.offset))) {
      throw new FormatError(begin, "padding must be 0");
    }
    begin = section.end;
    const stored = bytes.subarray(section.offset, section.end - 4);
    if (crc32c(stored) !== u32(viewOf(bytes), section.end - 4)) {
      throw new FormatError(section.end - 4, "a section is damaged: its checksum is another");
    }
    return stored;
  });
  if (end !== bytes.length) {
    throw new FormatError(end, "the filter ends here, but more bytes follow");
  }
  return all;
}

/** A header and the decoded sections, of which a kind of filter takes one after another. */
class Contents {
  constructor(bytes) {
    this.header = parseHeader(bytes);
    this.next = 0;
    const { sections } = this.header;
    this.decoded = storedSections(bytes, this.header).map((stored, index) =>
      Contents.decode(stored, sections[index]),
    );
  }

  static decode(stored, section) {
    if (section.coding === RAW) {
      return stored.slice();
    }
    return section.coding === GAPS
      ? decodedBits(stored, section)
      : decodedNumbers(stored, section);
  }

  require(variant, fields) {
    const { name, fields: found } = this.header;
    if (this.header.variant !== variant) {
      throw new FormatError(10, `this is a ${name} and not a ${NAMES.get(variant)}`);
    }
    if (found.length !== fields) {
      throw new FormatError(20, `a ${name} with ${found.length} fields`);
    }
  }

  /** Returns a field: a number, or a bigint if a number does not hold it. */
  field(index, name, least, most, step = 1) {
    const value = this.header.fields[index];
    if (value < least || value > most || value % BigInt(step) !== 0n) {
      throw new FormatError(FIXED_BYTES + 8 * index, `${name} is ${value}`);
    }
    return small(value);
  }

  /** Returns the next section, which has as many words, or at most as many if they vary. */
  take(role, words, varies = false) {
    const { name, sections } = this.header;
    if (this.next === sections.length) {
      throw new FormatError(22, `a ${name} with ${this.next} sections`);
    }
    const section = sections[this.next];
    if (section.role !== role) {
      throw new FormatError(section.at, `the section has the role ${section.role}`);
    }
    if (varies ? section.words > words : section.words !== words) {
      throw new FormatError(section.at + 8, `the section has ${section.words} words`);
    }
    return this.decoded[this.next++];
  }

  finish() {
    if (this.next !== this.decoded.length) {
      throw new FormatError(22, `a ${this.header.name} with ${this.decoded.length} sections`);
    }
  }

  /** Returns an error in the section that was taken last. */
  fault(fault, at = 0) {
    return new FormatError(this.header.sections[this.next - 1].offset + at, fault);
  }

  requireCount(least, most) {
    const count = this.header.elementCount;
    if (count !== -1n && (count < least || count > most)) {
      throw new FormatError(40, `the element count ${count} is impossible for the contents`);
    }
  }
}

// Kinds of filters

const STEP_HI = 0xf1357aea;
const STEP_LO = 0x2e62a9c5;
const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0;
  for (let left = byte; left !== 0; left &= left - 1) {
    bits++;
  }
  return bits;
});

function bitCount(bytes) {
  let bits = 0;
  for (let i = 0; i < bytes.length; i++) {
    bits += BITS_OF_BYTE[bytes[i]];
  }
  return bits;
}

function takeBits(contents, positions, hashes) {
  const cells = contents.take(WORDS, Math.ceil(positions / 64));
  const bits = bitCount(cells);
  for (let p = positions; p < 8 * cells.length; p++) {
    if ((cells[Math.floor(p / 8)] >> (p & 7)) & 1) {
      throw contents.fault("positions beyond the last are set", cells.length - 8);
    }
  }
  contents.requireCount(Math.ceil(bits / hashes), bits === 0 ? 0 : Infinity);
  return cells;
}

class Classic {
  constructor(contents) {
    contents.require(CLASSIC, 2);
    this.positions = contents.field(0, "positions", 1, 2 ** 37);
    this.hashes = contents.field(1, "hashes", 1, 64);
    this.cells = takeBits(contents, this.positions, this.hashes);
  }

  used() {
    return bitCount(this.cells);
  }

  available() {
    return this.positions;
  }

  /** Returns whether the bits of the hash in hi and lo are set. */
  contains() {
    const high = Math.floor(this.positions / TWO_32);
    const low = this.positions >>> 0;
    let stateHi = word[1];
    let stateLo = (word[0] | 1) >>> 0;
    for (let i = 0; i < this.hashes; i++) {
      multiplyHigh(stateHi, stateLo - 1, high, low, false);
      const index = word[1] * 0x20000000 + (word[0] >>> 3);
      if (((this.cells[index] >> (word[0] & 7)) & 1) === 0) {
        return false;
      }
      multiply(stateHi, stateLo, STEP_HI, STEP_LO);
      stateHi = word[1];
      stateLo = word[0];
    }
    return true;
  }
}

const BASE_MASKS_OF_64 = [
  "80000000000 80000000000000 2 100000000000 40 200 80000000000000 40000000000000",
  "10080000000000 280000000000000 200000000000002 100001000000 200000040 100000200 " +
    "80000000000020 240000000000000",
  "480000000004 82000000200000 1002000000000002 100020000008 2000000000000240 " +
    "800000000001200 80000000008200 40400200000000",
  "8000a4000000000 80000040040004 24000008002 4100080001000 8000008000000042 " +
    "1101200 480000010000001 2050000100000000",
  "90280000000040 80001011008000 85008000000002 8000110808000000 4000810000010040 " +
    "18000080008200 490000001004000 41000200c00000",
  "2880000048010 290041000002000 20040000050402 300100080000088 4000800220000240 " +
    "8028040000000220 1080088100020000 40010020200041",
  "211080001030000 40800a0000042080 80401060000a 2080700200200000 420010202000440 " +
    "4000800202000290 4089000000210400 48001140060000",
  "810080009002201 481042850000000 2042100503 2108100011014 104a000090044 " +
    "d040044000000202 88800020240050 9400a0800000082",
];
const BASE_MASKS_OF_16 = [
  "800 80 2 1000 40 200 80 40",
  "2800 84 12 1010 2040 280 480 440",
  "c08 1c0 83 1021 9040 4220 282 450",
  "3880 8c80 116 1281 4940 8680 b8 1064",
  "2930 7280 1446 142c 2341 13a0 4d4 8154",
  "f12 8e9 229a 3b20 2c64 6219 7490 74c0",
  "5b14 ada0 e0c6 3057 65e 1f48 51b2 33c1",
  "9987 25ba 1d0f d88e 146f 7ae 74b2 7354",
];

/** Returns the positions of each of the 256 masks of a number of positions. */
function masksOf(perWord, count) {
  const bases = (perWord === 64 ? BASE_MASKS_OF_64 : BASE_MASKS_OF_16)[count - 1]
    .split(" ")
    .map((base) => BigInt("0x" + base));
  return Array.from({ length: 256 }, (_, e) => {
    const mask = [];
    for (let i = 0; i < perWord; i++) {
      if ((bases[e % 8] >> BigInt(i)) & 1n) {
        mask.push((i * (2 * (e >> 3) + 1)) % perWord);
      }
    }
    return Uint8Array.from(mask);
  });
}

class Blocked {
  constructor(contents) {
    contents.require(BLOCKED, 3);
    const blocks = contents.field(0, "blocks", 2, 2 ** 29, 2);
    const perBlock = contents.field(1, "positions of a block", 128, 512, 128);
    if (perBlock !== 128 && perBlock !== 512) {
      throw new FormatError(FIXED_BYTES + 8, `positions of a block is ${perBlock}`);
    }
    const hashes = contents.field(2, "hashes", 2, 16, 2);
    this.words = 8 * blocks;
    this.perWord = perBlock / 8;
    this.half = hashes / 2;
    this.masks = masksOf(this.perWord, this.half);
    this.cells = takeBits(contents, blocks * perBlock, hashes);
  }

  used() {
    return bitCount(this.cells);
  }

  available() {
    return this.words * this.perWord;
  }

  usedOfWords() {
    const bytes = this.perWord / 8;
    const used = new Uint8Array(this.words);
    for (let i = 0; i < this.cells.length; i++) {
      used[Math.floor(i / bytes)] += BITS_OF_BYTE[this.cells[i]];
    }
    return used;
  }

  /** Returns whether the bits of the hash in hi and lo are set. */
  contains() {
    const high = word[1];
    const low = word[0];
    const unread = this.perWord === 64 ? 0 : 2;
    multiplyHigh((high ^ 0x80000000) >>> 0, low, this.words >= TWO_32 ? 1 : 0, this.words >>> 0);
    const first = word[0];
    const second = (first ^ (1 + ((7 * (low >>> 26)) >> 6))) >>> 0;
    const mask = (low >>> 18) & 255;
    let other = mask ^ 1;
    if (this.half > 3) {
      multiply(high, low, STEP_HI, STEP_LO);
      other = word[1] >>> 24;
    }
    const turn = low & 63;
    const otherTurn = this.perWord === 64 && this.half <= 3 ? turn : (low >>> 6) & 63;
    return (
      this.holds(first, this.masks[mask], turn >> unread) &&
      this.holds(second, this.masks[other], otherTurn >> unread)
    );
  }

  holds(first, mask, turn) {
    const begin = (first * this.perWord) / 8;
    for (let i = 0; i < mask.length; i++) {
      const p = (mask[i] + turn) & (this.perWord - 1);
      if (((this.cells[begin + (p >> 3)] >> (p & 7)) & 1) === 0) {
        return false;
      }
    }
    return true;
  }
}

function indexIn(numbers, number) {
  let begin = 0;
  let end = numbers.length;
  while (begin < end) {
    const middle = begin + ((end - begin) >>> 1);
    if (numbers[middle] < number) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  // A number and a bigint may be equal.
  return begin < numbers.length && numbers[begin] == number ? begin : -1;
}

class DynamicCuckoo {
  constructor(contents) {
    contents.require(DYNAMIC_CUCKOO, 2);
    const elements = contents.field(0, "elements planned", 1, TWO_60);
    const places = contents.field(1, "fingerprints", elements, TWO_60);
    const significant = BigInt(places).toString(2).length;
    if (BigInt(places) % (1n << BigInt(Math.max(0, significant - 14))) !== 0n) {
      throw new FormatError(FIXED_BYTES + 8, `fingerprints is ${places}`);
    }
    const { plan, planAt, sections } = contents.header;
    if (plan && plan.elements !== elements) {
      throw new FormatError(planAt, `the plan is for ${plan.elements} elements`);
    }
    this.planned = Number(elements);
    setHalves(places);
    this.placesHi = word[1];
    this.placesLo = word[0];
    this.isWide = typeof places === "bigint";
    this.held = contents.take(FINGERPRINTS, places, true);
    const count = this.held.length;
    if (count > 0 && this.held[count - 1] >= places) {
      throw contents.fault(`${this.held[count - 1]} is no fingerprint`);
    }
    this.extraCopies = [];
    let total = BigInt(count);
    for (let bit = 0; bit < sections.length - 1; bit++) {
      const numbers = contents.take(EXTRA_COPIES, count, true);
      if (bit === sections.length - 2 && numbers.length === 0) {
        throw contents.fault("the last section of copies is empty");
      }
      total += BigInt(numbers.length) << BigInt(bit);
      if (bit >= 62 || total > 1n << 62n) {
        throw contents.fault("more than 2^62 copies in all");
      }
      for (const number of numbers) {
        if (indexIn(this.held, number) < 0) {
          throw contents.fault(`copies of ${number}, which is not held`);
        }
      }
      this.extraCopies.push(numbers);
    }
    contents.requireCount(total, total);
  }

  used() {
    return this.held.length;
  }

  available() {
    return this.planned;
  }

  /** Returns the fingerprint of the hash in hi and lo. */
  fingerprint() {
    multiplyHigh(word[1], (word[0] & ~1) >>> 0, this.placesHi, this.placesLo, false);
    return this.isWide ? joined() : word[1] * TWO_32 + word[0];
  }

  contains() {
    return indexIn(this.held, this.fingerprint()) >= 0;
  }

  count() {
    const fingerprint = this.fingerprint();
    if (indexIn(this.held, fingerprint) < 0) {
      return 0;
    }
    let count = 1n;
    for (const [bit, numbers] of this.extraCopies.entries()) {
      count += indexIn(numbers, fingerprint) >= 0 ? 1n << BigInt(bit) : 0n;
    }
    return small(count);
  }
}

const KINDS = new Map([
  [CLASSIC, Classic],
  [BLOCKED, Blocked],
  [DYNAMIC_CUCKOO, DynamicCuckoo],
]);

/** A read-only filter, returned by open. */
export class Filter {
  #kind;
  #hash;
  #hasKey;

  constructor(bytes, key, probes) {
    const contents = new Contents(bytes);
    const { header } = contents;
    if (header.variant === DELTA) {
      throw new FormatError(10, "this is a delta and not a filter: see applyDelta");
    }
    this.kind = header.name;
    this.strategy = header.strategy;
    this.fingerprint = header.fingerprint;
    this.elementCount = header.elementCount < 0n ? null : small(header.elementCount);
    this.fields = header.fields.map(small);
    this.plan = header.plan;
    this.#hash = strategyOf(header, key, probes);
    this.#hasKey = key !== undefined;
    this.#kind = new (KINDS.get(header.variant))(contents);
    this.counting = header.variant === DYNAMIC_CUCKOO;
    contents.finish();
    if (key !== undefined && !isKeyed(this.strategy)) {
      throw new TypeError(`the strategy ${this.strategy} takes no key`);
    }
    if (probes.length > 0 && !FIELD.test(this.strategy)) {
      throw new TypeError(`the strategy ${this.strategy} takes no probes`);
    }
  }

  /** Returns the number of set bits, or of different fingerprints. Cost: a pass over the bits. */
  used() {
    return this.#kind.used();
  }

  /** Returns the number of set bits of each word, an eighth of a block; null if not blocked. */
  usedOfWords() {
    return this.#kind.usedOfWords?.() ?? null;
  }

  /**
   * Returns the fill ratio: the share of set bits, or the number of different fingerprints divided
   * by the planned elements, which exceeds 1 in an overfull filter. Cost: a pass over the bits.
   */
  fill() {
    return this.#kind.used() / this.#kind.available();
  }

  /** Returns false if the element is certainly absent, else true. */
  mightContain(element) {
    this.#take(element);
    return this.#kind.contains();
  }

  /** Returns the count of an element: at least its true count. A bigint if above 2^53. */
  count(element) {
    this.#requireCounting();
    this.#take(element);
    return this.#kind.count();
  }

  /** Returns the 64-bit hash of an element, a bigint. */
  hash(element) {
    this.#take(element);
    return joined();
  }

  /** Returns mightContain of the element with this 64-bit hash, a bigint. */
  mightContainHash(hash) {
    setHalves(BigInt(hash));
    return this.#kind.contains();
  }

  /** Returns count of the element with this 64-bit hash, a bigint. */
  countHash(hash) {
    this.#requireCounting();
    setHalves(BigInt(hash));
    return this.#kind.count();
  }

  #take(element) {
    if (this.#hash === null) {
      const name = `the strategy ${this.strategy}#${hex(this.fingerprint)}`;
      if (isKeyed(this.strategy) && !this.#hasKey) {
        throw new TypeError(`${name} has a secret key: pass { key }`);
      }
      const id = fieldIdOf(this.strategy);
      throw new TypeError(
        id !== this.strategy && ID.test(id)
          ? `${name} was made with other probes or a key than were given: pass { probes }, the field` +
            " of each probe in Java"
          : `${name} is a function in Java, which is not supported: pass hashes, or fill the filter` +
            " in Java by bytes(), utf8(), longs() or uuids()",
      );
    }
    this.#hash(element);
  }

  #requireCounting() {
    if (!this.counting) {
      throw new TypeError(`a ${this.kind} does not count`);
    }
  }
}

function bytesOf(data, name) {
  if (data instanceof ArrayBuffer) {
    return new Uint8Array(data);
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  throw new TypeError(`${name} must be a Uint8Array or an ArrayBuffer, as that of a file's bytes`);
}

/**
 * Returns the filter in bytes that hold nothing else. key: sixteen bytes, if it has one. probes: the
 * field of each probe, if the strategy is on(field=...) and was made with probes.
 */
export function open(data, { key, probes = [] } = {}) {
  const keyBytes = key === undefined ? undefined : bytesOf(key, "key").slice();
  if (keyBytes && keyBytes.length !== 16) {
    throw new TypeError(`the key must have 16 bytes, got ${keyBytes.length}`);
  }
  return new Filter(bytesOf(data, "data"), keyBytes, probes);
}

/**
 * Returns the header of a filter of any kind, or of a delta, in bytes that hold nothing else, after
 * checking all checksums: kind, strategy, fingerprint, elementCount (null if unknown), fields,
 * plan (null if none), and isRead, whether open takes it.
 */
export function describe(data) {
  const bytes = bytesOf(data, "data");
  const header = parseHeader(bytes, true);
  storedSections(bytes, header);
  return {
    kind: header.name,
    strategy: header.strategy,
    fingerprint: header.fingerprint,
    elementCount: header.elementCount < 0n ? null : small(header.elementCount),
    fields: header.fields.map(small),
    plan: header.plan,
    isRead: KINDS.has(header.variant),
  };
}

// Deltas

function parseChange(view, at, index, codeBegin, contents) {
  const change = {
    role: view.getUint16(at, true),
    unitLog: view.getUint8(at + 2) & 0x7f,
    isInverted: view.getUint8(at + 2) >= 0x80,
    parameter: exactU64(view, at),
    words: roughU64(view, at + 8),
    count: exactU64(view, at + 16),
    codeBegin,
    codeWords: roughU64(view, at + 24),
  };
  const { role, unitLog, words, count, codeWords } = change;
  change.parameter = Number(BigInt(change.parameter) >> 24n);
  change.units = isAscending(role) ? TWO_60 : words * 2 ** (6 - unitLog);
  if (
    role < WORDS ||
    role > EXTRA_COPIES ||
    role === CHANGES ||
    words > MAX_WORDS ||
    unitLog > (isAscending(role) ? 0 : 6) ||
    change.parameter > (isAscending(role) ? 60 : 40) ||
    count > change.units ||
    codeWords > MAX_WORDS
  ) {
    throw contents.fault(`row ${index} of the table is not one of a section`, at);
  }
  return change;
}

/** Reads the value of a unit: a number of up to 4 bits, or bytes. */
function readUnit(bits, unitLog) {
  if (unitLog < 3) {
    return unitLog === 0 ? 1 : bits.number(1 << unitLog);
  }
  const bytes = new Uint8Array(1 << (unitLog - 3));
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = bits.number(8);
  }
  return bytes;
}

/** Yields the units that change, each with what it changes by. */
function* changesOf(change, code, codeOffset) {
  const begin = 8 * change.codeBegin;
  const offset = codeOffset + begin;
  const bits = new Bits(code.subarray(begin, begin + 8 * change.codeWords), offset);
  let unit = -1;
  for (let i = 0; i < change.count; i++) {
    unit = plus(unit, plus(bits.gap(change.parameter), 1));
    const value = readUnit(bits, change.unitLog);
    if (unit >= change.units || value === 0 || (typeof value === "object" && isZero(value))) {
      throw new FormatError(offset + bits.taken(), "a change of no unit, or to no value");
    }
    yield [unit, value];
  }
  if (bits.requireZeros() >= 64) {
    throw new FormatError(offset + bits.taken(), "words follow the code of the changes");
  }
}

/** Returns the fingerprint of contents, a bigint. */
function contentsFingerprint({ strategy, fingerprint }, variant, fields, sections) {
  const stream = new XxhStream();
  stream.put64(variant);
  stream.put64(fingerprint);
  stream.put64(strategy.length);
  stream.put(Uint8Array.from(strategy, (character) => character.charCodeAt(0)));
  stream.put64(fields.length);
  fields.forEach((field) => stream.put64(field));
  stream.put64(sections.length);
  for (const [role, content] of sections) {
    stream.put64(role);
    stream.put64(wordCount(content));
    if (isAscending(role)) {
      content.forEach((number) => stream.put64(number));
    } else {
      stream.put(content);
    }
  }
  stream.hash();
  return joined();
}

function wordCount(content) {
  return content instanceof Uint8Array ? content.length / 8 : content.length;
}

function parseDelta(bytes) {
  const contents = new Contents(bytes);
  contents.require(DELTA, 4);
  const { header } = contents;
  const variant = contents.field(0, "variant", 1, 0xffff);
  if (variant === DELTA) {
    throw new FormatError(FIXED_BYTES, "a delta cannot lead to a delta");
  }
  const table = contents.take(TABLE, 1 + 64 + 4 * 0xffff, true);
  const view = viewOf(table);
  const fieldCount = table.length ? roughU64(view, 0) : Infinity;
  const left = table.length - 8 - 8 * fieldCount;
  if (fieldCount > 64 || left < 0 || left % 32 !== 0) {
    throw contents.fault(`the table does not hold ${fieldCount} fields and rows of 4 words`);
  }
  const fields = [];
  for (let i = 1; i <= fieldCount; i++) {
    fields.push(view.getBigInt64(8 * i, true));
  }
  const changes = [];
  let codeWords = 0;
  for (let at = 8 + 8 * fieldCount; at < table.length; at += 32) {
    changes.push(parseChange(view, at, changes.length, codeWords, contents));
    codeWords += changes[changes.length - 1].codeWords;
  }
  const code = contents.take(CHANGES, codeWords);
  contents.finish();
  const codeOffset = header.sections[1].offset;
  let sampled = 0;
  for (const change of changes) {
    for (const _ of changesOf(change, code, codeOffset)); // checks the code
    sampled += change.isInverted ? 0 : Number(change.count);
  }
  const sample = BigInt.asUintN(64, header.fields[3]);
  if (sampled < 64 && sample >> BigInt(sampled) !== 0n) {
    throw new FormatError(FIXED_BYTES + 24, `samples of more than ${sampled} changes`);
  }
  return {
    header,
    variant,
    fields,
    changes,
    code,
    codeOffset,
    before: BigInt.asUintN(64, header.fields[1]),
    after: BigInt.asUintN(64, header.fields[2]),
  };
}

function fitsTogether(before, changes) {
  // No kind that is read here has sections that come or go, but for those of copies at the end.
  return changes.every(
    ({ role, words }, i) =>
      i >= before.length ||
      (role === before[i].role && (!hasFixedSize(role) || words === before[i].words)),
  );
}

function changedWords(delta, change, old) {
  const words = allocate(Uint8Array, 8 * change.words, delta.codeOffset);
  words.set(old.subarray(0, words.length));
  if (change.isInverted) {
    for (let i = 0; i < words.length; i++) {
      words[i] ^= 255;
    }
  }
  for (const [unit, value] of changesOf(change, delta.code, delta.codeOffset)) {
    const at = unit * 2 ** change.unitLog;
    const index = Math.floor(at / 8);
    if (change.unitLog < 3) {
      words[index] ^= value << (at & 7);
    } else {
      value.forEach((byte, i) => {
        words[index + i] ^= byte;
      });
    }
  }
  return words;
}

function changedNumbers(delta, change, old) {
  const numbers = new Numbers(change.words, delta.codeOffset);
  const put = (number) => {
    if (numbers.count === change.words) {
      throw new FormatError(delta.codeOffset, "the delta leads to another count of numbers");
    }
    numbers.put(number);
  };
  const held = change.isInverted ? [] : old;
  let at = 0;
  for (const [unit] of changesOf(change, delta.code, delta.codeOffset)) {
    while (at < held.length && held[at] < unit) {
      put(small(held[at++]));
    }
    if (at < held.length && held[at] == unit) {
      at++;
    } else {
      put(unit);
    }
  }
  while (at < held.length) {
    put(small(held[at++]));
  }
  if (numbers.count !== change.words) {
    throw new FormatError(delta.codeOffset, "the delta leads to another count of numbers");
  }
  return numbers.values;
}

/**
 * Returns the file that a delta makes of the file of a filter, byte for byte as Java writes it.
 * Throws an Error, and no FormatError, if the file is not of the version that the delta is for.
 */
export function applyDelta(data, deltaData) {
  const delta = parseDelta(bytesOf(deltaData, "delta"));
  const base = new Contents(bytesOf(data, "data"));
  const { header } = base;
  const versions = `from version ${hex(delta.before)} to ${hex(delta.after)}`;
  const misfit = (found) => new Error(`the delta leads ${versions}, but the base is ${found}`);
  if (
    header.variant !== delta.variant ||
    header.strategy !== delta.header.strategy ||
    header.fingerprint !== delta.header.fingerprint
  ) {
    throw misfit(`a ${header.name} of strategy ${header.strategy}`);
  }
  const sections = header.sections.map(({ role }, i) => [role, base.decoded[i]]);
  const fingerprint = contentsFingerprint(header, header.variant, header.fields, sections);
  if (fingerprint !== delta.before) {
    throw misfit(
      fingerprint === delta.after
        ? "that newer version already: the delta was applied before"
        : `${hex(fingerprint)}, another version or another filter`,
    );
  }
  const total = (list) => list.reduce((sum, { words }) => sum + words, 0);
  const most = 16 * (8 * total(header.sections) + delta.code.length) + 65536;
  if (!fitsTogether(header.sections, delta.changes) || 8 * total(delta.changes) > most) {
    throw new FormatError(delta.codeOffset, "the delta leads to a filter of another size");
  }
  const changed = delta.changes.map((change, i) => {
    const ascending = isAscending(change.role);
    const old = base.decoded[i] ?? new Uint8Array(0); // of the same index, as they fit together
    return [change.role, (ascending ? changedNumbers : changedWords)(delta, change, old)];
  });
  const result = contentsFingerprint(delta.header, delta.variant, delta.fields, changed);
  if (result !== delta.after) {
    throw new FormatError(FIXED_BYTES + 16, "the delta leads to another version than it says");
  }
  const file = written(delta.header, delta.variant, delta.fields, changed);
  open(file);
  return file;
}

// Writing

/** Calls a function with the gaps before set bits, and the one before the end. */
function forEachGap(bytes, action) {
  let following = 0;
  for (let i = 0; i < bytes.length; i++) {
    for (let left = bytes[i]; left !== 0; left &= left - 1) {
      const position = 8 * i + 31 - Math.clz32(left & -left);
      action(position - following);
      following = position + 1;
    }
  }
  action(8 * bytes.length - following);
}

/** Calls a function with the gaps before ascending numbers. */
function forEachGapOfNumbers(numbers, action) {
  let following = 0;
  for (const number of numbers) {
    if (typeof number === "bigint") {
      action(small(number - BigInt(following)));
      following = number + 1n;
    } else {
      action(number - following);
      following = number + 1;
    }
  }
}

function riceParameter(bits, setBits) {
  const gaps = BigInt(setBits) + 1n;
  const zeros = BigInt(bits) - BigInt(setBits);
  const twice = 2n * zeros + gaps;
  const fits = zeros < ((1n << 63n) - 1n) / 77n / 2n - gaps;
  const x = fits ? (77n * twice) / (160n * gaps) : 77n * (twice / 160n / gaps);
  return x <= 1n ? 0 : x.toString(2).length - 1;
}

function quotientOf(gap, parameter) {
  return typeof gap === "bigint"
    ? Number(gap >> BigInt(parameter))
    : Math.floor(gap / 2 ** parameter);
}

class BitWriter {
  constructor(length) {
    this.bytes = new Uint8Array(length);
    this.at = 0;
  }

  put(value, width) {
    for (let i = 0; i < width; ) {
      const bit = this.at & 7;
      const take = Math.min(8 - bit, width - i);
      this.bytes[Math.floor(this.at / 8)] |= ((value >>> i) & ((1 << take) - 1)) << bit;
      this.at += take;
      i += take;
    }
  }

  putGap(gap, parameter) {
    for (let ones = quotientOf(gap, parameter); ones > 0; ones -= 16) {
      this.put(0xffff, Math.min(16, ones));
    }
    this.put(0, 1);
    const low = BigInt.asUintN(parameter, BigInt(gap));
    this.put(Number(low & 0x3fffffffn), Math.min(parameter, 30));
    this.put(Number(low >> 30n), Math.max(0, parameter - 30));
  }
}

function gapCoded(content, forEach, parameter, most) {
  let bits = 0;
  forEach(content, (gap) => {
    bits += quotientOf(gap, parameter) + 1 + parameter;
  });
  const length = Math.max(Math.ceil(bits / 8), leastStored(wordCount(content)));
  if (length > most) {
    return null;
  }
  const writer = new BitWriter(length);
  forEach(content, (gap) => writer.putGap(gap, parameter));
  return writer.bytes;
}

/** Returns the coding, its parameter and the bytes of a section, as Java chooses them. */
function storedSection(role, content) {
  const words = wordCount(content);
  if (isAscending(role)) {
    const last = words === 0 ? 0 : plus(small(content[words - 1]), 1);
    const parameter = words === 0 ? 0 : riceParameter(last, words);
    return [ASCENDING, parameter, gapCoded(content, forEachGapOfNumbers, parameter, Infinity)];
  }
  if (hasFixedSize(role)) {
    const most = 6 * words; // three quarters
    const setBits = bitCount(content);
    const parameter = riceParameter(64 * words, setBits);
    const code =
      2 * setBits <= 8 * most ? gapCoded(content, forEachGap, parameter, most) : null;
    if (code) {
      return [GAPS, parameter, code];
    }
  }
  return [RAW, 0, content];
}

/** Returns a file, with strategy, element count and plan of another header. */
function written({ strategy, fingerprint, elementCount, plan }, variant, fields, sections) {
  const stored = sections.map(([role, content]) => storedSection(role, content));
  const planBytes = plan ? 16 : 0;
  const idAt = FIXED_BYTES + 8 * fields.length + planBytes + ENTRY_BYTES * sections.length;
  const length = idAt + strategy.length + 4;
  const total = stored.reduce((end, [, , bytes]) => align(end) + bytes.length + 4, length);
  const file = new Uint8Array(total);
  const view = viewOf(file);
  file.set(MARK);
  view.setUint16(8, 1, true);
  view.setUint16(10, variant, true);
  view.setUint32(12, length, true);
  view.setUint32(16, plan ? 1 : 0, true);
  view.setUint16(20, fields.length, true);
  view.setUint16(22, sections.length, true);
  view.setUint16(24, strategy.length, true);
  view.setBigUint64(32, fingerprint, true);
  view.setBigInt64(40, elementCount, true);
  fields.forEach((field, i) => view.setBigInt64(FIXED_BYTES + 8 * i, field, true));
  let at = FIXED_BYTES + 8 * fields.length;
  if (plan) {
    view.setBigUint64(at, BigInt(plan.elements), true);
    view.setFloat64(at + 8, plan.fpp, true);
    at += planBytes;
  }
  let end = length;
  stored.forEach(([coding, parameter, bytes], i) => {
    const [role, content] = sections[i];
    view.setUint16(at, role, true);
    view.setUint8(at + 2, coding);
    view.setUint8(at + 3, parameter);
    view.setBigUint64(at + 8, BigInt(wordCount(content)), true);
    view.setBigUint64(at + 16, BigInt(bytes.length), true);
    at += ENTRY_BYTES;
    file.set(bytes, align(end));
    end = align(end) + bytes.length + 4;
    view.setUint32(end - 4, crc32c(bytes), true);
  });
  for (let i = 0; i < strategy.length; i++) {
    file[idAt + i] = strategy.charCodeAt(i);
  }
  view.setUint32(length - 4, crc32c(file.subarray(0, length - 4)), true);
  return file;
}

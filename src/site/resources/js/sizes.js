/**
 * Sizes Bloomkit's filters as `bloom size` does: a script without dependencies, for the pages of
 * the site and for Node.
 *
 *     BloomkitSizes.KINDS;                                   // the names of all kinds
 *     const plan = BloomkitSizes.plan("classic", 1e6, 0.01); // the members of `bloom size --json`
 *     plan.fppAt(500000);                                    // the rate with as many elements
 *     BloomkitSizes.reason("cuckoo", 1e12, 0.01);            // why there is no such filter, or null
 *
 * The formulas are those of the Java classes named beside them, which explain them and name their
 * sources. Sums that cancel are computed in integers of many digits.
 */
globalThis.BloomkitSizes = (() => {
  "use strict";

  const MAX_POSITIONS = 2 ** 37;
  const MAX_ARRAY = 2 ** 31 - 1 - 8;
  const TOLERANCE = 1.01; // FilterPlan.TOLERANCE
  const LN_2 = Math.log(2);
  const MAX_ITEMS = Number.MAX_SAFE_INTEGER;

  /** There is no such filter. */
  class Refusal extends Error {}

  function refuse(reason) {
    throw new Refusal(reason);
  }

  // Fractions of many digits: an integer, and the number of binary digits after the point

  /** Returns the nearest number, also of a fraction with more digits than a number has. */
  function toNumber(fraction, bits) {
    const length = fraction.toString(16).length * 4;
    const surplus = Math.max(0, length - 128);
    return Number(fraction >> BigInt(surplus)) * 2 ** (surplus - bits);
  }

  function power(fraction, exponent, bits) {
    const shift = BigInt(bits);
    let square = fraction;
    let result = 1n << shift;
    for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) {
        result = (result * square) >> shift;
      }
      square = (square * square) >> shift;
    }
    return result;
  }

  function choose(n, k) {
    let result = k > n ? 0n : 1n;
    for (let i = 0; i < k && k <= n; i++) {
      result = (result * BigInt(n - i)) / BigInt(i + 1);
    }
    return result;
  }

  // Flat filters: BloomFormulas, ExactFpp, OccupancyDistribution

  const positionsPerElement = (fpp) => -Math.log(fpp) / (LN_2 * LN_2);
  const optimalPositions = (items, fpp) => Math.ceil(items * positionsPerElement(fpp));
  const hashFloor = (items) => (items * 3) / 2 ** 63;

  function meanFill(totalHashes, positions) {
    return totalHashes === 0 ? 0 : -Math.expm1(totalHashes * Math.log1p(-1 / positions));
  }

  function classicFpp(items, positions, hashes) {
    return Math.pow(meanFill(items * hashes, positions), hashes);
  }

  /** E[(X/m)^k] from the distribution of X, the number of occupied cells. */
  function momentOfOccupied(cells, balls, exponent) {
    const probability = new Float64Array(Math.min(cells, balls) + 1);
    const last = probability.length - 1;
    const isSaturated = () =>
      last === cells && probability[last] > 0 && probability[last - 1] <= 1e-18 * probability[last];
    probability[0] = 1;
    for (let thrown = 1; thrown <= balls && !isSaturated(); thrown++) {
      for (let x = Math.min(thrown, last); x >= 1; x--) {
        probability[x] = (probability[x] * x + probability[x - 1] * (cells - x + 1)) / cells;
      }
      probability[0] = 0;
    }
    let sum = 0;
    for (let x = 1; x <= last; x++) {
      sum += probability[x] * Math.pow(x / cells, exponent);
    }
    return sum;
  }

  /** Returns S(k, 0) to S(k, k), the Stirling numbers of the second kind. */
  function stirlingNumbers(k) {
    const row = new Array(k + 1).fill(0n);
    row[0] = 1n;
    for (let i = 1; i <= k; i++) {
      for (let d = i; d >= 1; d--) {
        row[d] = row[d] * BigInt(d) + row[d - 1];
      }
      row[0] = 0n;
    }
    return row;
  }

  /** (1 − j/m)^exponent */
  function missProbability(j, m, exponent, bits) {
    return power((BigInt(m - j) << BigInt(bits)) / BigInt(m), exponent, bits);
  }

  function sumOfExactFpp(totalHashes, m, k) {
    const fill = meanFill(totalHashes, m);
    const bits = Math.ceil(k * (1 - Math.log2(fill)) + Math.log2(totalHashes)) + 96;
    const most = Math.min(k, m);
    const allMiss = [];
    for (let j = 0; j <= most; j++) {
      allMiss.push(missProbability(j, m, totalHashes, bits));
    }
    const stirling = stirlingNumbers(k);
    let falling = 1n;
    let sum = 0n;
    for (let d = 1; d <= most; d++) {
      falling *= BigInt(m - d + 1);
      let allHit = 0n;
      for (let j = 0; j <= d; j++) {
        const summand = choose(d, j) * allMiss[j];
        allHit += j % 2 === 0 ? summand : -summand;
      }
      sum += stirling[d] * falling * allHit;
    }
    return toNumber(sum / BigInt(m) ** BigInt(k), bits);
  }

  function exactFpp(items, positions, hashes) {
    if (items === 0) {
      return 0;
    }
    const totalHashes = items * hashes;
    return Math.min(positions, totalHashes) <= Math.floor(20000 / totalHashes)
      ? momentOfOccupied(positions, totalHashes, hashes)
      : sumOfExactFpp(totalHashes, positions, hashes);
  }

  function sizingFpp(items, positions, hashes) {
    return hashes * hashes * 10000 < positions
      ? classicFpp(items, positions, hashes)
      : exactFpp(items, positions, hashes);
  }

  function bestHashes(items, positions) {
    let best = Math.max(1, Math.min(64, Math.ceil((LN_2 * positions) / items)));
    let rate = sizingFpp(items, positions, best);
    while (best > 1) {
      const rateOfOneLess = sizingFpp(items, positions, best - 1);
      if (rateOfOneLess > rate) {
        break;
      }
      best--;
      rate = rateOfOneLess;
    }
    return best;
  }

  function probesOfAbsent(items, positions, hashes) {
    const fill = meanFill(items * hashes, positions);
    let probes = 0;
    for (let i = 0; i < hashes; i++) {
      probes = 1 + fill * probes;
    }
    return probes;
  }

  function requirePossible(positions, items, fpp) {
    if (positions > MAX_POSITIONS) {
      refuse("it would take more than 16 GiB of bits: plan fewer elements or a higher rate");
    }
    if (fpp < hashFloor(items)) {
      refuse("hashes of 64 bits allow no rate as low for as many elements");
    }
  }

  /** Shape.of */
  function flatShape(items, fpp) {
    let sufficient = optimalPositions(items, fpp);
    requirePossible(sufficient, items, fpp);
    const rateOf = (m) => exactFpp(items, m, bestHashes(items, m));
    const max = TOLERANCE * fpp;
    let insufficient = sufficient - 1;
    let rate = rateOf(sufficient);
    while (rate > max) {
      insufficient = sufficient;
      sufficient += Math.max(1, Math.floor(items * positionsPerElement(max / rate)));
      requirePossible(sufficient, items, fpp);
      rate = rateOf(sufficient);
    }
    while (sufficient - insufficient > 1) {
      const middle = Math.floor((insufficient + sufficient) / 2);
      if (rateOf(middle) <= max) {
        sufficient = middle;
      } else {
        insufficient = middle;
      }
    }
    return { positions: sufficient, hashes: bestHashes(items, sufficient) };
  }

  function requireArray(positions, most) {
    if (positions > most) {
      refuse("it would not fit into one array of 16 GiB: plan fewer elements or a higher rate");
    }
  }

  function flat(items, fpp, bitsPerPosition) {
    const { positions, hashes } = flatShape(items, fpp);
    const perWord = 64 / bitsPerPosition;
    requireArray(positions, MAX_ARRAY * perWord);
    return {
      positions,
      hashes,
      bytes: 8 * Math.ceil(positions / perWord),
      fppAt: (elements) => exactFpp(elements, positions, hashes),
      lines: {
        add: hashes,
        addAtMost: hashes,
        query: hashes,
        absent: probesOfAbsent(items, positions, hashes),
        remove: hashes,
      },
    };
  }

  // Blocked filters: BlockedShape, SplitLayout, MaskMissProbabilities, BlockMasks

  const WORDS_PER_BLOCK = 8;
  const FRACTION_BITS = 320;
  const ONE = 1n << BigInt(FRACTION_BITS);
  const BASE_MASKS = {
    64: [
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
    ],
    16: [
      "800 80 2 1000 40 200 80 40",
      "2800 84 12 1010 2040 280 480 440",
      "c08 1c0 83 1021 9040 4220 282 450",
      "3880 8c80 116 1281 4940 8680 b8 1064",
      "2930 7280 1446 142c 2341 13a0 4d4 8154",
      "f12 8e9 229a 3b20 2c64 6219 7490 74c0",
      "5b14 ada0 e0c6 3057 65e 1f48 51b2 33c1",
      "9987 25ba 1d0f d88e 146f 7ae 74b2 7354",
    ],
  };

  /** Returns the positions of each of the 256 masks of r positions. */
  function masksOf(perWord, r) {
    const bases = BASE_MASKS[perWord][r - 1].split(" ").map((base) => BigInt("0x" + base));
    return Array.from({ length: 256 }, (_, e) => {
      const mask = [];
      for (let i = 0; i < perWord; i++) {
        if ((bases[e % 8] >> BigInt(i)) & 1n) {
          mask.push((i * (2 * (e >> 3) + 1)) % perWord);
        }
      }
      return mask;
    });
  }

  /** Returns the number of common positions of two masks, for each rotation of the second. */
  function commonByRotation(mask, other, perWord) {
    const common = new Uint8Array(perWord);
    for (const p of mask) {
      for (const o of other) {
        common[(p - o + perWord) % perWord]++;
      }
    }
    return common;
  }

  function histogram(values, r) {
    const counts = new Array(r + 1).fill(0);
    for (const value of values) {
      counts[value]++;
    }
    return counts;
  }

  const square = (r, value) => Array.from({ length: r + 1 }, () => new Array(r + 1).fill(value));

  /** Returns u(i, j), the probability that the masks of an element miss i and j positions. */
  function missesOfMasks(perWord, r) {
    const masks = masksOf(perWord, r);
    const arePartners = r <= 3;
    const areRotatedAlike = perWord === 64 && arePartners;
    const times = square(r, 0);
    for (let q = 0; q < 8; q++) {
      for (let o = 0; o < 256; o++) {
        const first = commonByRotation(masks[q], masks[o], perWord);
        const second = commonByRotation(masks[q ^ 1], masks[o ^ 1], perWord);
        if (areRotatedAlike) {
          first.forEach((a, rotation) => times[a][second[rotation]]++);
        } else {
          const ofSecond = histogram(second, r);
          histogram(first, r).forEach((count, a) =>
            ofSecond.forEach((other, b) => (times[a][b] += count * other)),
          );
        }
      }
    }
    let all = 0n;
    const misses = square(r, 0n);
    for (let a = 0; a <= r; a++) {
      for (let b = 0; b <= r; b++) {
        all += BigInt(times[a][b]);
        for (let i = 0; i <= r; i++) {
          for (let j = 0; j <= r; j++) {
            misses[i][j] += BigInt(times[a][b]) * choose(r - a, i) * choose(r - b, j);
          }
        }
      }
    }
    const both = misses.map((row, i) =>
      row.map((count, j) => (count * ONE) / (all * choose(r, i) * choose(r, j))),
    );
    return arePartners
      ? both
      : both.map(([one]) => both.map(([other]) => (one * other) >> BigInt(FRACTION_BITS)));
  }

  const masksByWord = new Map();

  function missesOf(perWord, r) {
    const key = 16 * perWord + r;
    if (!masksByWord.has(key)) {
      masksByWord.set(key, missesOfMasks(perWord, r));
    }
    return masksByWord.get(key);
  }

  /** Returns u(i, j) for random masks: each set of r positions is equally likely. */
  function missesOfRandomMasks(perWord, r) {
    const one = Array.from(
      { length: r + 1 },
      (_, i) => (choose(perWord - i, r) * ONE) / choose(perWord, r),
    );
    return one.map((a) => one.map((b) => (a * b) >> BigInt(FRACTION_BITS)));
  }

  /** BlockedFormulas.splitBlockedFpp */
  function blockedFpp(items, blocks, positionsPerBlock, hashes) {
    const misses = missesOf(positionsPerBlock / WORDS_PER_BLOCK, hashes / 2);
    return splitFpp(misses, items, blocks, hashes / 2);
  }

  /**
   * BlockedStateFpp: the rate of a filter in its present state.
   *
   * @param used the number of set positions of each word
   */
  function blockedStateFpp(used, positionsPerBlock, hashes) {
    const r = hashes / 2;
    const perWord = positionsPerBlock / WORDS_PER_BLOCK;
    const blocks = used.length / WORDS_PER_BLOCK;
    const hit = Array.from(
      { length: perWord + 1 },
      (_, x) => Number(choose(x, r)) / Number(choose(perWord, r)),
    );
    let sum = 0;
    let set = 0;
    for (let begin = 0; begin < used.length; begin += WORDS_PER_BLOCK) {
      let all = 0;
      let squares = 0;
      let atDistanceOne = 0;
      for (let i = 0; i < WORDS_PER_BLOCK; i++) {
        const share = hit[used[begin + i]];
        set += used[begin + i];
        all += share;
        squares += share * share;
        atDistanceOne += share * hit[used[begin + (i ^ 1)]];
      }
      sum += (9 * (all * all - squares) + atDistanceOne) / (64 * WORDS_PER_BLOCK);
    }
    if (sum === 0) {
      return 0;
    }
    const estimate =
      Math.log1p(-set / (used.length * perWord)) /
      Math.log1p(-hashes / positionsPerBlock / blocks);
    const elements = Math.max(1, Math.round(Math.min(estimate, blocks * 1e6)));
    const shared =
      splitFpp(missesOf(perWord, r), elements, blocks, r) -
      splitFpp(missesOfRandomMasks(perWord, r), elements, blocks, r);
    return Math.max(0, Math.min(1, sum / blocks + shared));
  }

  function splitFpp(misses, items, blocks, r) {
    let sum = 0n;
    for (const [weight, total] of [
      [10n, 10n],
      [9n, 54n],
    ]) {
      for (let i = 0; i <= r; i++) {
        for (let j = 0; j <= i; j++) {
          const byOne = 2n * ONE - misses[i][0] - misses[j][0];
          const hit = (ONE - misses[i][j]) * weight + byOne * (64n - weight);
          const miss = ONE - hit / (BigInt(blocks) * 256n);
          const factor = choose(r, i) * choose(r, j) * (i === j ? total : 2n * total);
          const term = factor * power(miss, items, FRACTION_BITS);
          sum += (i + j) % 2 === 0 ? term : -term;
        }
      }
    }
    return sum < 0n ? 0 : toNumber(sum, FRACTION_BITS) / 64;
  }

  /** The smallest number of pairs of blocks, or Infinity if above the limit. */
  function minPairs(items, maxFpp, limit, positionsPerBlock, hashes) {
    const fppOf = (pairs) => blockedFpp(items, 2 * pairs, positionsPerBlock, hashes);
    let fppOfSufficient = limit < 1 ? 1 : fppOf(limit);
    if (limit < 1 || fppOfSufficient > maxFpp) {
      return Infinity;
    }
    let insufficient = 0;
    let sufficient = limit;
    let fppOfInsufficient = 1;
    const attainable = Math.min(maxFpp, 1 - 2 ** -53);
    let middle = optimalPositions(items, attainable) / positionsPerBlock;
    for (let step = 0; sufficient - insufficient > 1; step++) {
      const pairs = Math.max(insufficient + 1, Math.min(sufficient - 1, Math.round(middle)));
      const fpp = fppOf(pairs);
      if (fpp <= maxFpp) {
        sufficient = pairs;
        fppOfSufficient = fpp;
      } else {
        insufficient = pairs;
        fppOfInsufficient = fpp;
      }
      const share =
        step % 2 === 0
          ? Math.log(fppOfInsufficient / maxFpp) / Math.log(fppOfInsufficient / fppOfSufficient)
          : 0.5;
      middle = Math.pow(Math.max(insufficient, 0.5), 1 - share) * Math.pow(sufficient, share);
    }
    return sufficient;
  }

  function blockedShape(items, fpp, positionsPerBlock) {
    requirePossible(optimalPositions(items, fpp), items, fpp);
    const maxBlocks = Math.min(MAX_POSITIONS / positionsPerBlock, 2 ** 29);
    const pairs = [];
    let best = Infinity;
    for (let hashes = 2; hashes <= 16; hashes += 2) {
      const limit = Math.min(maxBlocks / 2, best - 1);
      pairs[hashes] = minPairs(items, TOLERANCE * fpp, limit, positionsPerBlock, hashes);
      best = Math.min(best, pairs[hashes]);
    }
    if (best === Infinity) {
      refuse("it would take too many blocks: plan fewer elements or a higher rate");
    }
    let hashes = 2;
    while (pairs[hashes] - best > Math.floor(best / 100)) {
      hashes += 2;
    }
    return { blocks: 2 * pairs[hashes], hashes };
  }

  function blocked(items, fpp, positionsPerBlock) {
    const { blocks, hashes } = blockedShape(items, fpp, positionsPerBlock);
    const positions = blocks * positionsPerBlock;
    const flatPositions = optimalPositions(items, fpp);
    // BlockedLimit
    if (positions > 2 ** 16 && Math.floor(positions / 8) >= flatPositions) {
      refuse("it would take more than 8 times the memory of a filter without blocks");
    }
    requireArray(positions, ((MAX_ARRAY - 6) * positionsPerBlock) / WORDS_PER_BLOCK);
    const bytes = 8 * (6 + blocks * WORDS_PER_BLOCK);
    return {
      positions,
      hashes,
      bytes,
      fppAt: (elements) => blockedFpp(elements, blocks, positionsPerBlock, hashes),
      lines: { add: 1, addAtMost: 1, query: 1, absent: 1, remove: 1 },
    };
  }

  // Cuckoo filters of fixed size: CuckooShape

  function cuckoo(items, fpp) {
    const buckets = Math.ceil(items / (0.95 * 4)) + 4;
    const fppOf = (elements, bits) =>
      -Math.expm1(elements * Math.log1p(-2 / (buckets * (2 ** bits - 1))));
    let bits = 8;
    while (bits < 32 && fppOf(items, bits) > fpp) {
      bits += 2;
    }
    if (fppOf(items, bits) > fpp) {
      refuse("fingerprints of 32 bits allow no rate as low");
    }
    if (buckets > Math.floor((MAX_ARRAY - 8) / (bits / 2))) {
      refuse("it would not fit into one array of 2 GiB: plan fewer elements or a higher rate");
    }
    return {
      buckets,
      fingerprintBits: bits,
      bytes: buckets * (bits / 2) + 8,
      capacity: items,
      fppAt: (elements) => (elements > items ? NaN : fppOf(elements, bits)),
      lines: { add: 2.9, addAtMost: 502, query: 2, absent: 2, remove: 2 },
    };
  }

  // Dynamic and expiring cuckoo filters: DynamicCuckooShape, ExpiringSize, TableSizes

  const MIN_SLOTS = 4;
  const MAX_SLOTS = 6;
  const LOADS = [0.955, 0.965, 0.972];

  /** FingerprintSpace.ofAtLeast */
  function spaceOf(least) {
    const depth = Math.max(0, least.toString(2).length - 1 - 13);
    const factor = ((least - 1n) >> BigInt(depth)) + 1n;
    return { maxDepth: depth, all: factor << BigInt(depth) };
  }

  /** Quotients.remainderBits */
  function remainderBits(fingerprints, buckets) {
    const divisor = 2n ** 63n / fingerprints;
    const least = (2n ** 63n + divisor - 1n) / divisor;
    let bits = 1;
    while (BigInt(buckets) << BigInt(bits) < least) {
      bits++;
    }
    return bits;
  }

  function tableSizes(space, maxElements, stampBits) {
    let plannedDepth = 0;
    while (plannedDepth < space.maxDepth && Math.floor(maxElements / 2 ** plannedDepth) > 11000) {
      plannedDepth++;
    }
    const isPlain = stampBits === 0;
    const each = maxElements / 2 ** plannedDepth;
    const most = plannedDepth === 0 ? each : each + (isPlain ? 2 : 1) * Math.sqrt(each);
    let min = 8;
    while (remainderBits(space.all, min) >= 57) {
      min++;
    }
    const sizeOf = (slots) => ({
      buckets: Math.max(min, Math.ceil(most / (slots * LOADS[slots - MIN_SLOTS]))),
      slots,
    });
    const possible = space.all >> BigInt(plannedDepth);
    let planned = sizeOf(MIN_SLOTS);
    for (let slots = MIN_SLOTS + 1; slots <= MAX_SLOTS; slots++) {
      const size = sizeOf(slots);
      if (bytesOfTable(size, possible, stampBits) < bytesOfTable(planned, possible, stampBits)) {
        planned = size;
      }
    }
    const all = [];
    let maxSlots = isPlain ? MAX_SLOTS : planned.slots;
    let next = planned.buckets;
    let before;
    do {
      for (let slots = maxSlots; slots >= MIN_SLOTS; slots--) {
        all.unshift({ buckets: Math.ceil(next), slots });
      }
      maxSlots = MAX_SLOTS;
      before = next;
      next = Math.max(min, next / 2);
    } while (MAX_SLOTS * next < MIN_SLOTS * before);
    const lastRegular = all.length - 1;
    let last = planned.buckets;
    const end = isPlain ? 0 : last * 1.2;
    while (last < end) {
      last *= 1.03;
      all.push({ buckets: Math.ceil(last) + 1, slots: planned.slots });
    }
    const lastFine = all.length - 1;
    const { slots } = all[lastFine];
    for (let i = 0; i < 40 && last < (2 ** 31 - 1) / 1.26 / slots; i++) {
      last *= 1.26;
      all.push({ buckets: Math.ceil(last) + 2, slots });
    }
    return { space, plannedDepth, all, lastRegular, lastFine, stampBits };
  }

  function bytesOfTable({ buckets, slots }, fingerprints, stampBits) {
    const width = remainderBits(fingerprints, buckets) + 1 + stampBits;
    return Math.ceil((buckets * slots * width) / 8) + 8;
  }

  function markBytes(fingerprints) {
    let words = 1;
    while (words < fingerprints / 12 && words < 16) {
      words *= 2;
    }
    return 16 + 8 * words;
  }

  /** TableSizes.memoryBytes */
  function bytesOfTables(sizes, elements) {
    const { space, plannedDepth, all: tables, lastRegular, lastFine, stampBits } = sizes;
    const limit = (index) => {
      const { buckets, slots } = tables[index];
      return Math.floor(LOADS[slots - MIN_SLOTS] * slots * buckets);
    };
    const last = (depth) => (depth < plannedDepth ? lastRegular : lastFine);
    const known = new Map();
    const tableBytes = (depth, fingerprints) => {
      let index = 0;
      while (index < tables.length - 1 && limit(index) < fingerprints) {
        index++;
      }
      const key = depth * 1000 + index;
      if (!known.has(key)) {
        known.set(key, bytesOfTable(tables[index], space.all >> BigInt(depth), stampBits));
      }
      return known.get(key);
    };

    const all = Number(space.all);
    const each = elements / all;
    const distinct = -all * Math.expm1(-each);
    const atLeastTwo =
      each < 1e-4 ? (each * each) / 2 : -Math.expm1(-each) - each * Math.exp(-each);
    const shared = elements > 0 && stampBits === 0 ? (all * atLeastTwo) / distinct : 0;
    const chunkBytes = (depth, fingerprints) => {
      const second = fingerprints * shared;
      return (
        60 +
        tableBytes(depth, fingerprints) -
        Math.expm1(-second) * (60 + markBytes(second) + tableBytes(depth, second))
      );
    };
    const meanAt = (depth) => distinct / 2 ** depth;
    const fewest = (depth) =>
      depth === 0 ? meanAt(0) : meanAt(depth) - 4 * Math.sqrt(meanAt(depth));
    let depth = 0;
    while (depth < space.maxDepth && fewest(depth) > limit(last(depth))) {
      depth++;
    }
    const mean = meanAt(depth);
    let bytes = 0;
    let weights = 0;
    for (let z = -4; z <= 4; z += 1 / 16) {
      const weight = Math.exp((-z * z) / 2);
      const count = depth === 0 ? mean : Math.max(0, mean + z * Math.sqrt(mean));
      const isDivided = depth < space.maxDepth && count > limit(last(depth));
      bytes +=
        weight *
        (isDivided ? 2 * chunkBytes(depth + 1, count / 2) : chunkBytes(depth, count));
      weights += weight;
    }
    return Math.round((bytes / weights) * 2 ** depth);
  }

  function ofTables(space, sizes, items) {
    return {
      bytes: bytesOfTables(sizes, items),
      bytesAt: (elements) => bytesOfTables(sizes, elements),
      fppAt: (elements) =>
        space.all === 1n
          ? Math.min(elements, 1)
          : -Math.expm1(elements * Math.log1p(-1 / Number(space.all))),
      lines: { add: 7, addAtMost: 754, query: 4, absent: 4, remove: 4 },
    };
  }

  function dynamicCuckoo(items, fpp) {
    const least = Math.ceil(items / fpp);
    if (least > 2 ** 60) {
      refuse("hashes of 64 bits allow no rate as low for as many elements");
    }
    const space = spaceOf(BigInt(least));
    return ofTables(space, tableSizes(space, items, 0), items);
  }

  const WINDOW = 3600000; // that of `bloom size`, milliseconds

  function expiringCuckoo(items, fpp) {
    if (items / fpp > 2 ** 55) {
      refuse("hashes of 64 bits allow no rate as low for as many elements");
    }
    const epoch = Math.floor((WINDOW - 1) / 15) + 1;
    const longest = (Math.floor((WINDOW - 1) / epoch) + 2) * epoch;
    const maxLive = Number((BigInt(items) * BigInt(longest) - 1n) / BigInt(WINDOW) + 1n);
    const space = spaceOf(BigInt(Math.ceil(maxLive / fpp)));
    return ofTables(space, tableSizes(space, maxLive, 4), items);
  }

  // Growing filters: GrowthPlan, LayerPlan

  function fillLimit(positions, hashes, fpp) {
    const fppAtFill = (set) => Math.pow(set / positions, hashes);
    let set = Math.floor(positions * Math.pow(fpp, 1 / hashes));
    while (set < positions && fppAtFill(set + 1) <= fpp) {
      set++;
    }
    while (fppAtFill(set) > fpp) {
      set--;
    }
    return set - hashes;
  }

  function varianceOfSet(items, positions, hashes) {
    const totalHashes = items * hashes;
    if (positions === 1 || totalHashes <= 1) {
      return 0;
    }
    const bits = 480;
    const m = BigInt(positions);
    const unset = m * missProbability(1, positions, totalHashes, bits);
    const pairs = m * (m - 1n) * missProbability(2, positions, totalHashes, bits);
    const variance = unset + pairs - ((unset * unset) >> BigInt(bits));
    return variance < 0n ? 0 : toNumber(variance, bits);
  }

  function layerOf(items, fpp, index) {
    const layerFpp = fpp * (1 - 0.85) * Math.pow(0.85, index);
    const most = (MAX_POSITIONS - 2 ** 20) / (1.1 * positionsPerElement(layerFpp));
    const wanted = Math.ceil(items * Math.pow(2, index));
    const capacity = index === 0 ? items : Math.floor(Math.min(wanted, most));
    let { positions, hashes } = flatShape(capacity, layerFpp);
    const isTooSmall = () =>
      fillLimit(positions, hashes, layerFpp) <
      positions * meanFill(capacity * hashes, positions) +
        4 * Math.sqrt(varianceOfSet(capacity, positions, hashes));
    while (isTooSmall()) {
      positions += Math.floor(positions / 128) + 1;
    }
    requireArray(positions, MAX_ARRAY * 64);
    return { capacity, positions, hashes, fpp: layerFpp };
  }

  function scalable(items, fpp) {
    const layers = [layerOf(items, fpp, 0)];
    const { positions, hashes } = layers[0];
    return {
      positions,
      hashes,
      bytes: 8 * Math.ceil(positions / 64),
      /** The rate of a filter that grows: that of all layers together. */
      fppAt: (elements) => {
        let logOfNone = 0;
        let rest = elements;
        for (let i = 0; rest > 0; i++) {
          layers[i] ??= layerOf(items, fpp, i);
          const held = Math.min(rest, layers[i].capacity);
          const rate = exactFpp(held, layers[i].positions, layers[i].hashes);
          logOfNone += Math.log1p(-rate);
          rest -= held;
          if (i === 0 && rest === 0) {
            return rate;
          }
        }
        return Math.abs(Math.expm1(logOfNone));
      },
      lines: {
        add: hashes,
        addAtMost: hashes,
        query: hashes,
        absent: probesOfAbsent(items, positions, hashes),
        remove: null,
      },
    };
  }

  const KINDS = new Map([
    ["classic", { of: (n, p) => flat(n, p, 1), concurrent: true }],
    ["blocked", { of: (n, p) => blocked(n, p, 512), concurrent: true }],
    ["counting", { of: (n, p) => flat(n, p, 4), concurrent: true, deletable: true }],
    ["blocked-counting", { of: (n, p) => blocked(n, p, 128), concurrent: true, deletable: true }],
    ["cuckoo", { of: cuckoo, concurrent: false, deletable: true }],
    ["scalable", { of: scalable, concurrent: true }],
    ["dynamic-cuckoo", { of: dynamicCuckoo, concurrent: true, deletable: true }],
    ["expiring-cuckoo", { of: expiringCuckoo, concurrent: true, deletable: true }],
  ]);

  function checkPlan(items, fpp) {
    if (!(Number.isInteger(items) && items >= 1 && items <= MAX_ITEMS)) {
      throw new RangeError(`the number must be whole and from 1 to 2^53 - 1, got ${items}`);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new RangeError(`the rate must be between 0 and 1, got ${fpp}`);
    }
  }

  /** Returns the filter of a kind, with the members of `bloom size --json` and fppAt. */
  function plan(name, items, fpp) {
    const kind = KINDS.get(name);
    if (kind === undefined) {
      throw new RangeError(`there is no kind ${name}`);
    }
    checkPlan(items, fpp);
    const layout = kind.of(items, fpp);
    const deletable = kind.deletable === true;
    return {
      kind: name,
      positions: layout.positions ?? null,
      hashes: layout.hashes ?? null,
      buckets: layout.buckets ?? null,
      fingerprintBits: layout.fingerprintBits ?? null,
      bytes: layout.bytes,
      bitsPerElement: (8 * layout.bytes) / items,
      expectedFpp: layout.fppAt(items),
      linesAdd: layout.lines.add,
      linesAddAtMost: layout.lines.addAtMost,
      linesQuery: layout.lines.query,
      linesQueryAbsent: layout.lines.absent,
      linesRemove: deletable ? layout.lines.remove : null,
      concurrent: kind.concurrent,
      deletable,
      fppAt: layout.fppAt,
    };
  }

  /** Returns why there is no such filter of a kind, or null. */
  function reason(name, items, fpp) {
    try {
      plan(name, items, fpp);
      return null;
    } catch (error) {
      if (error instanceof Refusal) {
        return error.message;
      }
      throw error;
    }
  }

  return { KINDS: [...KINDS.keys()], MAX_ITEMS, Refusal, plan, reason, blockedStateFpp };
})();

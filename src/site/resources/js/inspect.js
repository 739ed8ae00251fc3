/** The page that reads a filter's file by bloomkit.mjs, which its functions are given. */
globalThis.BloomkitInspect = (() => {
  "use strict";

  const { blockedStateFpp } = globalThis.BloomkitSizes;

  /** The page answers at once; of more elements, it shows the first. */
  const MAX_ANSWERS = 1000;

  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  const percent = (rate) => `${Number((100 * rate).toPrecision(4))} %`;

  /** Returns the false-positive rate of a filter that was read, as it is now. */
  function rateOf(filter) {
    const fields = filter.fields.map(Number);
    if (filter.kind === "ClassicBloomFilter") {
      return Math.pow(filter.fill(), fields[1]);
    }
    if (filter.kind === "BlockedBloomFilter") {
      return blockedStateFpp(filter.usedOfWords(), fields[1], fields[2]);
    }
    return filter.used() / fields[1];
  }

  /** Returns the distinct elements that a filter of this fill holds on average. */
  function elementsOf(filter) {
    const fields = filter.fields.map(Number);
    const used = filter.used();
    if (filter.kind === "ClassicBloomFilter") {
      return Math.log1p(-used / fields[0]) / (fields[1] * Math.log1p(-1 / fields[0]));
    }
    if (filter.kind === "BlockedBloomFilter") {
      const [blocks, positionsPerBlock, hashes] = fields;
      return (
        Math.log1p(-used / (blocks * positionsPerBlock)) /
        Math.log1p(-hashes / positionsPerBlock / blocks)
      );
    }
    return Math.log1p(-used / fields[1]) / Math.log1p(-1 / fields[1]);
  }

  /** Returns pairs of a name and a text. */
  function factsOf(header, filter, byteCount) {
    const facts = [
      ["Checksum", "right"],
      ["File", `${grouped(byteCount)} bytes`],
      ["Strategy", header.strategy],
      ["Fingerprint", header.fingerprint.toString(16).padStart(16, "0")],
      ["Net insertions", header.elementCount === null ? "unknown" : grouped(header.elementCount)],
    ];
    if (filter !== null) {
      const elements = elementsOf(filter);
      const isFull = !Number.isFinite(elements);
      facts.push(
        ["Distinct elements", isFull ? "unknown: the filter is full" : `about ${grouped(Math.round(elements))}`],
        ["Fill", percent(filter.fill())],
        ["False-positive rate now", percent(rateOf(filter))],
      );
    }
    if (header.plan === null) {
      facts.push(["Plan", "none"]);
    } else {
      facts.push(["Plan", `${grouped(header.plan.elements)} elements at ${percent(header.plan.fpp)}`]);
    }
    if (filter !== null) {
      const fields = header.fields.map(grouped);
      const sizes = {
        ClassicBloomFilter: () => `${fields[0]} positions, ${fields[1]} hashes`,
        BlockedBloomFilter: () => `${fields[0]} blocks of ${fields[1]} positions, ${fields[2]} hashes`,
        DynamicCuckooFilter: () => `${fields[1]} possible fingerprints, ${grouped(filter.used())} stored`,
      };
      facts.push(["Size", sizes[header.kind]()]);
    }
    return facts;
  }

  /** Returns the strategy of the field if elements are queried by one of their fields. */
  const ofField = (strategy) => strategy.replace(/^on\([^=]+=(.*)\)$/, "$1");

  /** Returns the element that a line stands for. Throws a TypeError if it stands for none. */
  function elementOf(strategy, line) {
    if (strategy.startsWith("longs")) {
      const digits = line.trim().replace(/(\d)[_,\s](?=\d{3}(?!\d))/g, "$1");
      if (!/^-?\d{1,19}$/.test(digits) || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits)) {
        throw new TypeError("not an integer of 64 bits");
      }
      return BigInt(digits);
    }
    return /^(xxh3|siphash24)$/.test(strategy) ? bytesOf(line) : line;
  }

  /** Returns the bytes of a text in UTF-8. */
  function bytesOf(text) {
    const escaped = encodeURIComponent(text).match(/%..|./g) ?? [];
    return Uint8Array.from(escaped, (part) =>
      part.length === 3 ? parseInt(part.slice(1), 16) : part.charCodeAt(0),
    );
  }

  /** Returns the answer for a line, and whether it is positive. */
  function answerOf(filter, line) {
    try {
      const element = elementOf(ofField(filter.strategy), line);
      if (!filter.mightContain(element)) {
        return { isPositive: false, text: "not in the set" };
      }
      const count = filter.counting ? filter.count(element) : 1;
      return {
        isPositive: true,
        text: filter.counting ? `probably in the set, ${grouped(count)} ×` : "probably in the set",
      };
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError || error instanceof URIError) {
        const text = error.message
          .replace("pass { key }", "enter it above")
          .replace(/: pass \{ probes \}.*/, ": query it by contrib/bloomkit.py --probe");
        return { isPositive: false, text };
      }
      throw error;
    }
  }

  /** Returns sixteen bytes of 32 hexadecimal digits, or undefined. */
  function keyOf(text) {
    const digits = text.replace(/\s/g, "");
    return /^[0-9a-f]{32}$/i.test(digits)
      ? Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16))
      : undefined;
  }

  const isKeyed = (strategy) => /siphash24/.test(strategy);

  /** Returns what a file holds: its header, and the filter, which is null if it is not read here. */
  function read(bloomkit, bytes, key) {
    const header = bloomkit.describe(bytes);
    const options = isKeyed(header.strategy) && key !== undefined ? { key } : {};
    return { header, filter: header.isRead ? bloomkit.open(bytes, options) : null };
  }

  function messageOf(error) {
    return /^at byte/.test(error.message)
      ? `The file cannot be read: ${error.message}.`
      : error.message;
  }

  /** Returns what to do with a file that is not queried here. */
  function remedyFor(kind) {
    return kind === "Delta"
      ? "This is a delta: the command bloom apply makes the next version of a filter by it."
      : `This page queries classic, blocked and dynamic cuckoo filters, not a ${kind}:` +
          " use the command bloom check, or contrib/bloomkit.py.";
  }

  // The page

  const ELEMENTS = [
    [/^longs/, "Elements, one integer per line"],
    [/^uuids/, "Elements, one UUID per line"],
    [/./, "Elements, one per line, as UTF-8"],
  ];

  function start(document, bloomkit) {
    const $ = (id) => document.getElementById(id);
    let bytes = null;
    let filter = null;

    function node(name, text, className) {
      const created = document.createElement(name);
      created.textContent = text;
      if (className) {
        created.className = className;
      }
      return created;
    }

    function say(text) {
      $("error").textContent = text;
      $("error").hidden = text === "";
    }

    async function take(file) {
      say("");
      $("found").hidden = true;
      $("query").hidden = true;
      filter = null;
      try {
        bytes = new Uint8Array(await file.arrayBuffer());
        show(file.name);
      } catch (error) {
        say(messageOf(error));
      }
    }

    function show(name) {
      const result = read(bloomkit, bytes, undefined);
      filter = result.filter;
      $("kind").textContent = `${result.header.kind} in ${name}`;
      $("facts").replaceChildren(
        ...factsOf(result.header, filter, bytes.length).flatMap(([fact, text]) => [
          node("dt", fact),
          node("dd", text, text === "right" ? "good" : ""),
        ]),
      );
      $("found").hidden = false;
      $("query").hidden = filter === null;
      if (filter === null) {
        say(remedyFor(result.header.kind));
        return;
      }
      $("key-field").hidden = !isKeyed(filter.strategy);
      $("elements-label").textContent = ELEMENTS.find(([id]) => id.test(ofField(filter.strategy)))[1];
      answer();
    }

    function takeKey() {
      const key = keyOf($("key").value);
      $("key").setAttribute("aria-invalid", String($("key").value !== "" && key === undefined));
      say("");
      if (key !== undefined) {
        try {
          filter = read(bloomkit, bytes, key).filter;
        } catch (error) {
          say(messageOf(error));
        }
      }
      answer();
    }

    function answer() {
      const lines = $("elements")
        .value.split(/\r?\n/)
        .filter((line) => line !== "")
        .slice(0, MAX_ANSWERS);
      $("answers").replaceChildren(
        ...lines.map((line) => {
          const { isPositive, text } = answerOf(filter, line);
          const item = document.createElement("li");
          item.append(node("code", line), node("span", text, isPositive ? "good" : "quiet"));
          return item;
        }),
      );
    }

    $("file").disabled = false;
    $("file").addEventListener("change", () => $("file").files[0] && take($("file").files[0]));
    $("elements").addEventListener("input", answer);
    $("key").addEventListener("input", takeKey);
    for (const name of ["dragenter", "dragover"]) {
      document.addEventListener(name, (event) => {
        event.preventDefault();
        $("drop").classList.add("over");
      });
    }
    document.addEventListener("dragleave", () => $("drop").classList.remove("over"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      $("drop").classList.remove("over");
      if (event.dataTransfer.files[0]) {
        take(event.dataTransfer.files[0]);
      }
    });
  }

  /** Says why there is no reader: browsers load no module from a folder. */
  function fail(document) {
    const message = document.getElementById("error");
    message.textContent =
      "The reader did not load. Browsers load it only from a web server: run" +
      " python3 -m http.server in the folder of the site or of the repository, and open this page there.";
    message.hidden = false;
  }

  return { read, factsOf, rateOf, elementsOf, answerOf, keyOf, remedyFor, start, fail };
})();

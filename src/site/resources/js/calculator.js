/** The calculator: chooses a filter by needs, and shows its figures as computed by sizes.js. */
globalThis.BloomkitCalculator = (() => {
  "use strict";

  const { KINDS, MAX_ITEMS, Refusal, plan } = globalThis.BloomkitSizes;

  const NEEDS = {
    remove: "remove elements",
    count: "count additions",
    expire: "forget after a time",
    grow: "grow",
    merge: "merge",
    threads: "serve several threads",
  };

  /** The filters. always: threads need no concurrent(). */
  const FILTERS = {
    classic: {
      type: "ClassicBloomFilter",
      package: "io.bloomkit.classic",
      module: "bloom-classic",
      can: ["merge", "threads"],
      why: "The smallest filter for a known number of elements without removals.",
    },
    blocked: {
      type: "BlockedBloomFilter",
      package: "io.bloomkit.classic",
      module: "bloom-classic",
      can: ["merge", "threads"],
      why: "The fastest filter: one cache line per operation, for rates down to 0.1 %.",
    },
    counting: {
      type: "CountingBloomFilter",
      package: "io.bloomkit.counting",
      module: "bloom-counting",
      can: ["remove", "count", "merge", "threads"],
      why: "Counters for frequent updates with few duplicates.",
    },
    "blocked-counting": {
      type: "BlockedCountingBloomFilter",
      package: "io.bloomkit.counting",
      module: "bloom-counting",
      can: ["remove", "count", "merge", "threads"],
      why: "Counters in one cache line, where speed matters more than memory.",
    },
    cuckoo: {
      type: "CuckooFilter",
      package: "io.bloomkit.cuckoo",
      module: "bloom-counting",
      can: ["remove", "count"],
      why: "Few cache lines per query, for one thread and a known number; it refuses insertions when full.",
    },
    scalable: {
      type: "ScalableBloomFilter",
      package: "io.bloomkit.scalable",
      module: "bloom-scalable",
      can: ["grow", "threads"],
      why: "Grows by layers, far beyond its first one; a query reads every layer.",
    },
    "dynamic-cuckoo": {
      type: "DynamicCuckooFilter",
      package: "io.bloomkit.cuckoo",
      module: "bloom-counting",
      can: ["remove", "count", "grow", "merge", "threads"],
      always: true,
      why: "Its memory follows its elements; additions, removals and repeats, from all threads.",
    },
    "expiring-cuckoo": {
      type: "ExpiringCuckooFilter",
      package: "io.bloomkit.cuckoo",
      module: "bloom-counting",
      can: ["remove", "expire", "grow", "merge", "threads"],
      always: true,
      why: "Forgets each element after its time to live, and its memory follows the traffic.",
    },
  };

  /** Returns the needs that a filter does not meet; an expiring filter forgets unasked. */
  function unmet(kind, needs) {
    const missing = needs.filter((need) => !FILTERS[kind].can.includes(need));
    return kind === "expiring-cuckoo" && !needs.includes("expire")
      ? [...missing, "keep its elements"]
      : missing;
  }

  /** Returns the kinds that meet all needs, the recommended one first. */
  function fitting(needs, fpp) {
    const byRate = fpp >= 0.001 ? ["blocked", "classic"] : ["classic", "blocked"];
    const order = [...byRate, "dynamic-cuckoo", "cuckoo", "counting", "blocked-counting"];
    return [...order, "scalable", "expiring-cuckoo"].filter(
      (kind) => unmet(kind, needs).length === 0,
    );
  }

  // What is entered and shown

  const UNITS = { "": 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9, t: 1e12 };

  /** Parses a number such as 10M, 1e7 or 10,000,000; NaN if it is none. */
  function parseItems(text) {
    const grouping = /(\d)[\s_,'](?=\d{3}(?!\d))/g; // a comma elsewhere may be a decimal one
    const digits = text.trim().toLowerCase().replace(grouping, "$1");
    const parts = /^(\d+(?:\.\d+)?(?:e\+?\d+)?)\s*([kmgbt]?)$/.exec(digits);
    const value = parts ? Number(parts[1]) * UNITS[parts[2]] : NaN;
    const whole = Math.round(value);
    return Math.abs(value - whole) < 1e-6 && whole >= 1 && whole <= MAX_ITEMS ? whole : NaN;
  }

  /** Parses a rate such as 1 %, 0.01 or 1/100; NaN if it is none. */
  function parseRate(text) {
    const compact = text.replace(/\s/g, "");
    const fraction = /^(\d+)(?:\/|in)(\d+)$/.exec(compact);
    const number = /^(\d*\.?\d+(?:e-?\d+)?)(%?)$/i.exec(compact);
    let rate = NaN;
    if (fraction) {
      rate = Number(fraction[1]) / Number(fraction[2]);
    } else if (number) {
      // Of 0.1 %, Number("0.1e-2") is nearer to 0.001 than a division.
      rate = number[2] && !/e/i.test(number[1]) ? Number(number[1] + "e-2") : Number(number[1]);
      rate = number[2] && /e/i.test(number[1]) ? rate / 100 : rate;
    }
    return rate > 0 && rate < 1 ? rate : NaN;
  }

  function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  }

  function bytesText(bytes) {
    const units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let unit = 0;
    let value = bytes;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
  }

  function percent(rate) {
    if (rate === 0) {
      return "0 %";
    }
    const value = rate * 100;
    if (value < 0.001) {
      const [digits, exponent] = value.toExponential(2).split("e");
      return `${digits}·10${superscript(Number(exponent))} %`;
    }
    return `${Number(value.toPrecision(4))} %`;
  }

  function superscript(number) {
    return String(number).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));
  }

  const lines = (number) => (number === null ? "–" : String(Number(number.toFixed(1))));

  /** Returns Java's literal of a number of elements. */
  function literal(items) {
    const text = String(items).replace(/\B(?=(\d{3})+$)/g, "_");
    return items > 2 ** 31 - 1 ? `${text}L` : text;
  }

  /** Returns the lines of Java that make a filter of texts. */
  function javaOf(kind, items, fpp, needs) {
    const { type, package: name, can, always } = FILTERS[kind];
    const isExpiring = kind === "expiring-cuckoo";
    const plan = `${literal(items)}, ${fpp}`;
    const isConcurrent = needs.includes("threads") && can.includes("threads") && !always;
    const imports = [
      `import ${name}.${type};`,
      "import io.bloomkit.hash.HashStrategies;",
      ...(isExpiring ? ["import java.time.Duration;"] : []),
    ];
    const creation = isConcurrent
      ? `${type}.builder(HashStrategies.utf8())\n        .expecting(${plan}).concurrent().build();`
      : `${type}.create(\n        HashStrategies.utf8(), ${plan}${isExpiring ? ", Duration.ofHours(1)" : ""});`;
    return `${imports.join("\n")}\n\n${type}<String> filter =\n    ${creation}`;
  }

  /** Returns the command that fills such a filter with the lines of a file. */
  function bloomOf(kind, items, fpp) {
    const window = kind === "expiring-cuckoo" ? " --window 1h" : "";
    return `bloom build --kind ${kind} --items ${items} --fpp ${fpp}${window} \\\n    --output filter.bloom lines.txt`;
  }

  // The curve

  const STEP = 5;
  const END = 200;

  /** Returns the rates by fill, in percent of the planned number; fewer if the filter is full. */
  function curveOf(filter, items) {
    const points = [];
    for (let fill = STEP; fill <= END; fill += STEP) {
      const elements = Math.max(1, Math.round((items * fill) / 100));
      const rate = filter.fppAt(elements);
      if (!Number.isNaN(rate)) {
        points.push({ fill, elements, rate });
      }
    }
    return points;
  }

  function curveSvg(points, fpp, width) {
    const [height, left, right, top, bottom] = [250, 74, 12, 12, 34];
    const rates = points.map((point) => point.rate).filter((rate) => rate > 0);
    const highest = Math.min(0, Math.ceil(Math.log10(Math.max(fpp, ...rates))));
    const deepest = Math.floor(Math.log10(Math.min(fpp / 10, ...rates)));
    const lowest = Math.max(deepest, Math.floor(Math.log10(fpp)) - 4);
    const x = (fill) => left + ((width - left - right) * fill) / END;
    const y = (rate) => {
      const share = (highest - Math.max(lowest, Math.log10(rate))) / (highest - lowest);
      return top + (height - top - bottom) * share;
    };
    const parts = [];
    for (let decade = lowest; decade <= highest; decade++) {
      const at = y(10 ** decade);
      parts.push(`<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/>`);
      parts.push(`<text x="${left - 8}" y="${at + 4}" text-anchor="end">${axis(decade)}</text>`);
    }
    for (let fill = 0; fill <= END; fill += width < 400 ? 100 : 50) {
      const label = `${fill} %`;
      parts.push(
        `<text x="${x(fill)}" y="${height - 12}" text-anchor="${fill === END ? "end" : "middle"}">${label}</text>`,
      );
    }
    parts.push(
      `<line class="planned" x1="${left}" x2="${width - right}" y1="${y(fpp)}" y2="${y(fpp)}"/>`,
      `<line class="planned" x1="${x(100)}" x2="${x(100)}" y1="${top}" y2="${height - bottom}"/>`,
    );
    const visible = points.filter(({ rate }) => rate >= 10 ** lowest);
    const path = visible.map(({ fill, rate }) => `${x(fill).toFixed(1)},${y(rate).toFixed(1)}`);
    parts.push(`<polyline class="line" points="${path.join(" ")}"/>`);
    parts.push('<circle id="mark" r="5"/>');
    return {
      svg: `<svg class="curve" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="curve-title at">${parts.join("")}</svg>`,
      at: ({ fill, rate }) => ({ x: x(fill), y: y(rate) }),
    };
  }

  function axis(decade) {
    return decade >= -4 ? `${Number((10 ** (decade + 2)).toPrecision(1))} %` : `10${superscript(decade + 2)} %`;
  }

  // The page

  function start(document) {
    const $ = (id) => document.getElementById(id);
    let picked = null;
    let shown = null;

    function needs() {
      return [...document.querySelectorAll("#needs input:checked")].map((box) => box.value);
    }

    function setInvalid(id, isInvalid) {
      $(id).setAttribute("aria-invalid", String(isInvalid));
    }

    function planned(items, fpp) {
      return KINDS.map((kind) => {
        try {
          return { kind, filter: plan(kind, items, fpp), reason: null };
        } catch (error) {
          if (error instanceof Refusal) {
            return { kind, filter: null, reason: error.message };
          }
          throw error;
        }
      });
    }

    function show() {
      const items = parseItems($("items").value);
      const fpp = parseRate($("fpp").value);
      setInvalid("items", Number.isNaN(items));
      setInvalid("fpp", Number.isNaN(fpp));
      const problem = Number.isNaN(items)
        ? "The number must be whole, from 1 to 9·10¹⁵, such as 10M, 1e7 or 10,000,000."
        : Number.isNaN(fpp)
          ? "The rate must be above 0 and below 1, such as 1 %, 0.01 or 1/100."
          : "";
      $("error").textContent = problem;
      $("error").hidden = problem === "";
      if (problem !== "") {
        return;
      }
      const wanted = needs();
      const rows = planned(items, fpp);
      const byKind = new Map(rows.map((row) => [row.kind, row]));
      const fits = fitting(wanted, fpp).filter((kind) => byKind.get(kind).filter !== null);
      const isPicked = picked !== null && byKind.get(picked).filter !== null;
      const kind = isPicked ? picked : fits[0];
      remember(items, fpp, wanted);
      showRows(rows, fits, kind, wanted);
      showFilter(kind, byKind, items, fpp, wanted, fits);
    }

    function remember(items, fpp, wanted) {
      const state = `#items=${items}&fpp=${fpp}${wanted.length ? `&needs=${wanted.join(",")}` : ""}`;
      try {
        document.defaultView.history.replaceState(null, "", state);
      } catch {
        // A page opened from some archives has no history.
      }
    }

    function recall() {
      const state = new URLSearchParams(document.location.hash.slice(1));
      if (state.has("items")) {
        $("items").value = grouped(state.get("items"));
      }
      if (state.has("fpp")) {
        $("fpp").value = state.get("fpp");
      }
      const wanted = (state.get("needs") ?? "").split(",");
      for (const box of document.querySelectorAll("#needs input")) {
        box.checked = wanted.includes(box.value);
      }
    }

    function element(name, text, className) {
      const node = document.createElement(name);
      node.textContent = text;
      if (className) {
        node.className = className;
      }
      return node;
    }

    function showRows(rows, fits, chosen, wanted) {
      const focused = document.activeElement?.name === "kind" ? document.activeElement.value : null;
      $("rows").replaceChildren(
        ...rows.map(({ kind, filter, reason }) => {
          const row = document.createElement("tr");
          const head = document.createElement("th");
          const label = element("label", "", "pick");
          const radio = document.createElement("input");
          Object.assign(radio, { type: "radio", name: "kind", value: kind });
          radio.checked = kind === chosen;
          radio.disabled = filter === null;
          radio.addEventListener("change", () => {
            picked = kind;
            show();
          });
          label.append(radio, FILTERS[kind].type);
          head.scope = "row";
          head.append(label);
          row.append(head);
          const missing = unmet(kind, wanted).map((need) => NEEDS[need] ?? need);
          if (filter === null) {
            const cell = element("td", `None: ${reason}.`, "words");
            cell.colSpan = 5;
            row.append(cell);
          } else {
            const { linesAdd, linesQuery, linesQueryAbsent, linesRemove } = filter;
            row.append(
              element("td", bytesText(filter.bytes)),
              element("td", filter.bitsPerElement.toFixed(2)),
              element("td", percent(filter.expectedFpp)),
              element("td", [linesAdd, linesQuery, linesQueryAbsent, linesRemove].map(lines).join(" / ")),
              element("td", missing.length === 0 ? "met" : `does not ${missing.join(", ")}`, "words"),
            );
          }
          row.className = `${kind === chosen ? "chosen" : ""} ${fits.includes(kind) ? "" : "unfit"}`.trim();
          return row;
        }),
      );
      if (focused !== null) {
        document.querySelector(`#rows input[value="${focused}"]`)?.focus();
      }
    }

    function showFilter(kind, byKind, items, fpp, wanted, fits) {
      $("result").hidden = kind === undefined;
      if (kind === undefined) {
        $("error").textContent =
          wanted.includes("count") && wanted.includes("expire")
            ? "No filter both counts additions and forgets after a time. Leave one of them out, or pick a filter below."
            : "No filter of this size meets all needs. Pick one below, or plan fewer elements or a higher rate.";
        $("error").hidden = false;
        return;
      }
      const { filter } = byKind.get(kind);
      const { type, why, module } = FILTERS[kind];
      const missing = unmet(kind, wanted).map((need) => NEEDS[need] ?? need);
      $("name").textContent = type;
      $("why").textContent = missing.length === 0 ? why : `${why} It does not ${missing.join(", ")}.`;
      $("why").className = fits.includes(kind) ? "" : "bad";
      const figures = [
        ["Memory", bytesText(filter.bytes)],
        ["Bits per element", filter.bitsPerElement.toFixed(2)],
        ["Rate when full", percent(filter.expectedFpp)],
        ["Lines of an addition", lines(filter.linesAdd)],
        ["Lines of a query", `${lines(filter.linesQuery)}; absent ${lines(filter.linesQueryAbsent)}`],
        ...(filter.linesRemove === null ? [] : [["Lines of a removal", lines(filter.linesRemove)]]),
        ...(filter.hashes === null ? [] : [["Hashes k", String(filter.hashes)]]),
        ...(filter.positions === null ? [] : [["Positions m", grouped(filter.positions)]]),
        ...(filter.fingerprintBits === null
          ? []
          : [["Fingerprints", `${filter.fingerprintBits} bits, ${grouped(filter.buckets)} buckets`]]),
        ["Module", module],
      ];
      $("figures").replaceChildren(
        ...figures.map(([name, value]) => {
          const pair = document.createElement("div");
          pair.append(element("dt", name), element("dd", value));
          return pair;
        }),
      );
      $("java").textContent = javaOf(kind, items, fpp, wanted);
      $("bloom").textContent = bloomOf(kind, items, fpp);
      $("copied").textContent = "";
      const points = curveOf(filter, items);
      shown = { points, fpp, drawn: null };
      $("fill").max = String(points[points.length - 1].fill);
      draw();
    }

    function draw() {
      const width = Math.max(260, Math.min(760, $("curve").clientWidth));
      shown.drawn = curveSvg(shown.points, shown.fpp, width);
      $("curve").innerHTML = shown.drawn.svg;
      showPoint();
    }

    function showPoint() {
      const fill = Math.min(Number($("fill").value), Number($("fill").max));
      const point = shown.points.find((candidate) => candidate.fill === fill);
      const { x, y } = shown.drawn.at(point);
      $("mark").setAttribute("cx", x);
      $("mark").setAttribute("cy", y);
      const refuses = Number($("fill").max) < END ? "; it then refuses more" : "";
      $("at").textContent =
        `${fill} %, ${grouped(point.elements)} elements: ${percent(point.rate)}` +
        (fill === 100 ? refuses : "");
    }

    async function copy(id) {
      try {
        await document.defaultView.navigator.clipboard.writeText($(id).textContent);
        $("copied").textContent = "Copied.";
      } catch {
        document.defaultView.getSelection().selectAllChildren($(id));
        $("copied").textContent = "Selected: copy it with your keyboard.";
      }
    }

    recall();
    $("form").addEventListener("input", () => {
      picked = null;
      show();
    });
    $("form").addEventListener("submit", (event) => event.preventDefault());
    $("fill").addEventListener("input", showPoint);
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => copy(button.dataset.copy));
    }
    document.defaultView.addEventListener("resize", () => shown && draw());
    document.defaultView.addEventListener("hashchange", () => {
      recall();
      picked = null;
      show();
    });
    show();
  }

  if (globalThis.document) {
    start(globalThis.document);
  }

  return {
    FILTERS,
    NEEDS,
    unmet,
    fitting,
    parseItems,
    parseRate,
    bytesText,
    percent,
    javaOf,
    bloomOf,
    curveOf,
  };
})();

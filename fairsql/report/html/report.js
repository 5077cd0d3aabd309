"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; };
  const value = (cell) => cell.dataset.v ?? cell.textContent;
  const isNumeric = (cell) => cell.matches("td:not(.r)");

  // Sorting: numbers by size, texts by the reader's alphabet, and what is not there last.
  const order = (cell) => {
    const text = value(cell);
    const number = text === "" ? NaN : Number(text.replaceAll(",", ""));
    return { text, number, isNumber: isNumeric(cell) };
  };
  const compare = (first, second, sign) => {
    if (!first.isNumber) return sign * first.text.localeCompare(second.text, undefined, { numeric: true });
    const [lost, other] = [Number.isNaN(first.number), Number.isNaN(second.number)];
    return lost || other ? lost - other : sign * (first.number - second.number);
  };
  const sort = (head, table) => {
    const place = [...head.parentNode.children].indexOf(head);
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    all("th", head.parentNode).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: order(row.children[place]) }));
    rows.sort((first, second) => compare(first.key, second.key, sign));
    body.append(...rows.map(({ row }) => row));
  };
  all("table").forEach((table) => all("thead th", table).forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, table));
  }));

  // The download: every number in full. Text that a spreadsheet would run as a formula gets a quote,
  // by the rule of the run's own CSV.
  const isFormula = (text) => /^[=+\-@\t\r]/.test(text) && !/^[+-]?[0-9.]+$/.test(text);
  const field = (text, isText) => {
    const safe = isText && isFormula(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  const csv = (table) => {
    const heads = all("thead th", table).map((head) => head.dataset.name);
    const lines = [[...heads, ...table.dataset.flags.split(" ")].map((text) => field(text, true))];
    for (const row of table.tBodies[0].rows) {
      const cells = [...row.children].map((cell) => {
        const isNumber = isNumeric(cell);
        return field(isNumber ? value(cell).replaceAll(",", "") : value(cell), !isNumber);
      });
      lines.push([...cells, ...[...row.dataset.flags].map((flag) => (flag === "1" ? "true" : "false"))]);
    }
    return lines.map((line) => line.join(",") + "\r\n").join("");
  };
  const fileName = (name) => (name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "groups") + ".csv";
  all("button.download").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      // The next table: a test of several parts has one for each.
      const table = all("table", button.closest("section"))
        .find((one) => button.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
      link.href = URL.createObjectURL(new Blob(["\ufeff", csv(table)], { type: "text/csv;charset=utf-8" }));
      link.download = fileName(button.dataset.name);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  });

  // Copying SQL.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  all("details.sql").forEach((details) => details.addEventListener("toggle", () => {
    const pre = details.querySelector("pre");
    if (!details.open || details.querySelector(".copy") || "partial" in pre.dataset) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await copy((pre.dataset.copy ?? pre.textContent) + "\n");
      say(done ? "Copied" : "The browser did not let it copy");
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    pre.before(button);
  }));

  // A link to something that is folded opens it.
  const named = (hash) => {
    try {
      return decodeURIComponent(hash.slice(1));
    } catch {
      return "";  // not of this page: half an escape
    }
  };
  const open = () => {
    const target = document.getElementById(named(location.hash));
    for (let details = target?.closest("details"); details; details = details.parentElement.closest("details")) details.open = true;
  };
  addEventListener("hashchange", open);
  open();

  // On paper the evidence is unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details[data-print]:not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));
})();

// The page of a fleet: follows one list for each machine, and ranks and filters them here.
// Names come from strangers: every text is set as text.
"use strict";
(() => {
  const element = (id) => document.getElementById(id);

  // ---- The lists. For each log a revision and its sections, as the gateway's relay has them.

  const lists = new Map(); // from a log's name to {epoch, number, sections}
  let machines = []; // what the gateway says of each log: its name, since when it is gone, what is wrong
  let trouble = null;
  const taken = { patch: 0, snapshot: 0 };

  // Answers whether the message could be taken; if not, everything of this log has to be asked for anew.
  function take(name, message) {
    const list = lists.get(name);
    taken[message.kind] += 1;
    const isKnown = list !== undefined && list.epoch === message.epoch;
    if (isKnown && message.to <= list.number) return true;
    if (message.kind === "snapshot") {
      lists.set(name, { epoch: message.epoch, number: message.to, sections: message.sections });
      return true;
    }
    if (!isKnown || message.from !== list.number) return false;
    for (const stage of message.stages) carryOut(stage, list.sections);
    list.number = message.to;
    return true;
  }

  // Deletes and `from` mean the list before the stage, `at` and `to` the list after it.
  function carryOut(stage, sections) {
    const of = (key) => stage[key] ?? [];
    const old = sections.slice();
    const down = (a, b) => b.path[0] - a.path[0] || b.path[1] - a.path[1];
    const up = (a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1];
    const items = of("itemInserts").map(({ at, value }) => ({ at, item: value }));
    const leaving = [
      ...of("itemDeletes").map((path) => ({ path })),
      ...of("itemMoves").map(({ from, to }) => ({ path: from, to })),
    ].sort(down);
    for (const { path, to } of leaving) {
      const [item] = old[path[0]].items.splice(path[1], 1);
      if (to) items.push({ at: to, item });
    }
    const coming = of("sectionInserts").map(({ at, value }) => ({ at, section: value }));
    const going = [...of("sectionDeletes").map((from) => ({ from })), ...of("sectionMoves")];
    for (const { from, to } of going.sort((a, b) => b.from - a.from)) {
      const [section] = sections.splice(from, 1);
      if (to !== undefined) coming.push({ at: to, section });
    }
    for (const { at, section } of coming.sort((a, b) => a.at - b.at)) sections.splice(at, 0, section);
    for (const { at, item } of items.sort(up)) sections[at[0]].items.splice(at[1], 0, item);
    for (const { at, value } of of("itemUpdates")) sections[at[0]].items[at[1]] = value;
    for (const { at, value } of of("sectionUpdates")) sections[at].content = value;
  }

  // ---- What is shown: cards and rows by their keys, each with its element.

  const wish = { by: "cpu", filter: "", isOne: false, open: new Set() };
  const short = 8, long = 60;
  const cards = new Map();
  const rows = new Map();

  function make(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  const setText = (target, text) => {
    if (target.textContent !== text) target.textContent = text;
  };

  function known(map, key, build) {
    if (!map.has(key)) map.set(key, build());
    return map.get(key);
  }

  const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);

  function newCard(name) {
    const card = {
      name: make("bdi", ""), state: make("span", "sign"), cpu: make("b", ""), memory: make("b", ""),
      load: make("b", ""), count: make("b", ""), trouble: make("p", "trouble"), rows: make("div", "rows"),
      more: make("button", "more"), area: svg("path"), line: svg("path"), memoryBar: make("i", ""),
    };
    const chart = svg("svg");
    chart.setAttribute("viewBox", "0 0 59 100");
    chart.setAttribute("preserveAspectRatio", "none");
    chart.setAttribute("aria-hidden", "true");
    card.area.setAttribute("class", "area");
    card.line.setAttribute("class", "stroke");
    chart.append(card.area, card.line);
    const figure = (className, label, value) => make("span", className, label, " ", value);
    card.figures = make(
      "p", "figures", figure("cpu", "CPU", card.cpu), figure("memory", "Memory", card.memory),
      figure("load", "Load", card.load), figure("", "Processes", card.count));
    card.more.type = "button";
    card.more.addEventListener("click", () => {
      if (!wish.open.delete(name)) wish.open.add(name);
      soon();
    });
    card.head = make("header", "", make("h2", "", card.name), card.state, card.figures);
    card.element = make(
      "section", "card", card.head, make("div", "chart", chart), card.trouble, card.rows, card.more);
    card.element.dataset.machine = name;
    return card;
  }

  function newRow() {
    const row = {
      machine: make("span", "machine"), number: make("span", "number"), name: make("bdi", "name"),
      command: make("bdi", "command"), cpu: make("span", "value cpu"), memory: make("span", "value memory"),
      cpuBar: make("i", ""),
    };
    row.element = make(
      "div", "row", row.number, make("span", "label", row.machine, row.name, row.command),
      make("span", "meter", row.cpuBar), row.cpu, row.memory);
    return row;
  }

  const size = (mebibytes) =>
    mebibytes < 1000 ? `${mebibytes} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;

  function drawRow(machine, item) {
    const row = known(rows, `${machine}/${item.id}`, newRow);
    if (row.item !== item) {
      row.item = item;
      row.element.dataset.id = item.id;
      row.element.title = item.command;
      setText(row.machine, machine);
      setText(row.number, item.id.split(".")[0]);
      setText(row.name, item.name);
      setText(row.command, item.user);
      setText(row.cpu, `${item.cpu} %`);
      setText(row.memory, size(item.memory));
      row.cpuBar.style.setProperty("--part", Math.min(item.cpu / 100, 1));
    }
    return row.element;
  }

  function clock(seconds) {
    return new Date(seconds * 1000).toLocaleTimeString([], { hour12: false });
  }

  function drawCard(machine, vitals, count, found) {
    const card = known(cards, machine.name, () => newCard(machine.name));
    setText(card.name, machine.name);
    card.element.classList.toggle("gone", machine.gone !== undefined);
    setText(card.state, machine.gone === undefined ? "live" : `gone · last sign ${clock(machine.gone)}`);
    card.trouble.hidden = !machine.trouble;
    setText(card.trouble, machine.trouble ?? "");
    if (vitals && card.vitals !== vitals) {
      card.vitals = vitals;
      card.element.dataset.reading = vitals.reading;
      setText(card.cpu, `${vitals.cpu.at(-1) ?? 0} %`);
      setText(card.memory, `${(vitals.memoryUsed / 1024).toFixed(1)} of ${(vitals.memoryTotal / 1024).toFixed(0)} GiB`);
      setText(card.load, (vitals.load / 100).toFixed(2));
      setText(card.count, String(vitals.processes));
      const start = 60 - vitals.cpu.length;
      const line = vitals.cpu.map((part, at) => `${at ? "L" : "M"}${start + at} ${100 - part}`).join("");
      card.line.setAttribute("d", line);
      card.area.setAttribute("d", line && `${line}V100H${start}Z`);
    }
    card.more.hidden = wish.isOne || found <= short;
    setText(card.more, wish.open.has(machine.name) ? "Fewer" : `${found - count} more`);
    return card;
  }

  function place(parent, children) {
    let next = null;
    for (const child of children.toReversed()) {
      if (child.parentNode !== parent || child.nextSibling !== next) {
        if (child.isConnected && parent.isConnected && parent.moveBefore) parent.moveBefore(child, next);
        else parent.insertBefore(child, next);
      }
      next = child;
    }
    while (parent.childElementCount > children.length) parent.firstElementChild.remove();
  }

  const ranks = {
    cpu: (a, b) => b.cpu - a.cpu || b.memory - a.memory,
    memory: (a, b) => b.memory - a.memory || b.cpu - a.cpu,
  };

  const one = { element: make("section", "card one", make("div", "rows")) };

  function draw() {
    isSoon = false;
    const filter = wish.filter.toLowerCase();
    const matches = (machine, item) =>
      !filter || [item.name, item.user, item.command, machine].some((text) => text.toLowerCase().includes(filter))
      || item.id.split(".")[0] === filter;
    const rank = ranks[wish.by];
    const drawn = new Set();
    const all = [];
    let found = 0, processes = 0;
    const shown = machines.map((machine) => {
      const section = lists.get(machine.name)?.sections[0];
      const items = section?.items ?? [];
      const chosen = items.filter((item) => matches(machine.name, item));
      processes += items.length;
      found += chosen.length;
      chosen.sort(rank);
      if (wish.isOne) {
        for (const item of chosen.slice(0, long)) all.push({ machine: machine.name, item });
        return drawCard(machine, section?.content, 0, 0).element;
      }
      const some = chosen.slice(0, wish.open.has(machine.name) ? undefined : short);
      const card = drawCard(machine, section?.content, some.length, chosen.length);
      place(card.rows, some.map((item) => {
        drawn.add(`${machine.name}/${item.id}`);
        return drawRow(machine.name, item);
      }));
      return card.element;
    });
    if (wish.isOne) {
      all.sort((a, b) => rank(a.item, b.item));
      const body = one.element.firstChild;
      for (const card of cards.values()) card.rows.replaceChildren();
      place(body, all.slice(0, long).map(({ machine, item }) => {
        drawn.add(`${machine}/${item.id}`);
        return drawRow(machine, item);
      }));
      shown.push(one.element);
    }
    element("machines").classList.toggle("one", wish.isOne);
    place(element("machines"), shown);
    for (const key of rows.keys()) if (!drawn.has(key)) rows.delete(key);
    const gone = machines.filter((machine) => machine.gone !== undefined).length;
    setText(element("count"), machines.length === 0 ? "" :
      `${machines.length} ${machines.length === 1 ? "machine" : "machines"}${gone ? `, ${gone} gone` : ""} · ${processes} processes`);
    setText(element("matches"), filter ? `${found} found` : "");
    element("empty").hidden = machines.length > 0 && (found > 0 || !filter);
    setText(element("empty"), machines.length ? `No process matches “${wish.filter}”.` : "No machine has published anything yet.");
    drawState();
  }

  // A page that nobody sees takes what comes, and draws it when it is seen.
  let isSoon = false;
  function soon() {
    if (!isSoon) requestAnimationFrame(draw);
    isSoon = true;
  }

  // ---- What the user wants.

  function press(group, by) {
    for (const button of element(group).children) {
      button.setAttribute("aria-pressed", String(button.dataset.by === by));
    }
    if (group === "ranking") wish.by = by;
    else wish.isOne = by === "none";
    soon();
  }

  for (const group of ["ranking", "grouping"]) {
    element(group).addEventListener("click", (event) => {
      if (event.target.dataset.by) press(group, event.target.dataset.by);
    });
  }
  element("filter").addEventListener("input", (event) => {
    wish.filter = event.target.value;
    soon();
  });
  document.addEventListener("keydown", (event) => {
    const filter = element("filter");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      wish.filter = filter.value = "";
      filter.blur();
      return soon();
    }
    if (event.target === filter) return;
    const actions = {
      "/": () => filter.select(), c: () => press("ranking", "cpu"), m: () => press("ranking", "memory"),
      a: () => press("grouping", wish.isOne ? "machine" : "none"),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // ---- The way to a gateway: whichever answers, it is told what is here.

  let events = null;
  let isLost = false;
  let heard = performance.now();

  const revisions = () =>
    [...lists].map(([name, list]) => `${name}=${list.epoch}-${list.number}`).join(",");

  function connect() {
    events?.close();
    events = new EventSource(`/events?since=${encodeURIComponent(revisions())}`);
    events.addEventListener("open", isBack);
    events.addEventListener("beat", () => (heard = performance.now()));
    events.addEventListener("fleet", (event) => received(JSON.parse(event.data)));
    events.addEventListener("error", () => {
      isGone();
      // It tries again by itself, unless a gateway has refused.
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
    });
  }

  function received(event) {
    heard = performance.now();
    if (event.machines) {
      trouble = event.trouble ?? null;
      // A gateway that has never reached the logs knows of no machine.
      if (!trouble || event.machines.length) machines = event.machines;
    }
    if (event.log) {
      let isTaken = false;
      try {
        isTaken = take(event.log, event.message);
      } catch (error) {
        console.error(error);
      }
      if (!isTaken) {
        lists.delete(event.log);
        connect();
      }
    }
    soon();
  }

  function isGone() {
    isLost = true;
    soon();
  }

  function isBack() {
    heard = performance.now();
    isLost = false;
    soon();
  }

  function drawState() {
    const state = isLost || trouble ? "lost" : machines.length === 0 ? "wait" : "live";
    element("state").dataset.state = state;
    setText(element("state"), state === "wait" ? "connecting" : state);
    element("line").hidden = state !== "lost";
    setText(element("line"), isLost ? "Connection lost. Trying again …" : (trouble ?? ""));
  }

  setInterval(() => {
    if (performance.now() - heard < 30_000) return;
    heard = performance.now();
    isGone();
    connect();
  }, 1000);

  // What a check reads.
  window.fleet = { lists, taken };
  connect();
})();

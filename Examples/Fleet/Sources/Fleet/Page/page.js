// The page of Fleet follows one list for each machine, and ranks and filters the lists itself. Names can contain anything, so
// every text is inserted as text, never as HTML.
"use strict";
(() => {
  // ---- The lists. Each list has a revision and sections, as in the gateway's relay.

  const all = "*"; // the gateway's own list, of machines
  const lists = new Map(); // from a name to {epoch, number, sections, shown}
  let machines = []; // the rows of the gateway's own list: {name, gone, trouble}
  let trouble = null;
  const taken = { patch: 0, snapshot: 0 };

  // Applies a message, and returns whether it fits. If it does not fit, the page must request the whole list again.
  function take(name, message) {
    const list = lists.get(name);
    if (name !== all) taken[message.kind] += 1;
    const isKnown = list !== undefined && list.epoch === message.epoch;
    if (isKnown && message.to <= list.number) return true;
    if (message.kind === "snapshot") {
      lists.set(name, { epoch: message.epoch, number: message.to, sections: message.sections, shown: null });
      return true;
    }
    if (!isKnown || message.from !== list.number) return false;
    for (const stage of message.stages) carryOut(stage, list.sections);
    list.number = message.to;
    list.shown = null;
    return true;
  }

  const wish = { by: "cpu", filter: "", order: "name", isOne: false, open: new Set() };
  const short = 8, long = 60;

  // ---- The cards by machine name, and the rows by machine and process id. Each has its DOM element in `element`.

  const cards = new Map();
  const rows = new Map();

  function known(map, key, build) {
    if (!map.has(key)) map.set(key, build());
    return map.get(key);
  }

  const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);

  function newCard(name) {
    const card = {
      name: make("bdi", ""), state: make("span", "heartbeat"), cpu: make("b", ""), memory: make("b", ""),
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
    setText(card.state, machine.gone === undefined ? "live" : `gone · last seen ${clock(machine.gone)}`);
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

  // Makes the given elements the only children of `parent`, in their order.
  function fill(parent, children) {
    arrange(parent, children);
    while (parent.childElementCount > children.length) parent.firstElementChild.remove();
  }

  const ranks = {
    cpu: (a, b) => b.cpu - a.cpu || b.memory - a.memory,
    memory: (a, b) => b.memory - a.memory || b.cpu - a.cpu,
  };

  const none = { sections: [], shown: null };
  const listOf = (machine) => lists.get(machine.name) ?? none;
  const loadOf = (machine) => listOf(machine).sections[0]?.content.load ?? -1;

  // Returns the rows of a list that match the filter. They are computed again only if the list or the filter has changed.
  function chosen(machine, filter) {
    const list = listOf(machine);
    if (list.shown?.filter !== filter) {
      const items = list.sections[0]?.items ?? [];
      const isWhole = !filter || machine.name.toLowerCase().includes(filter);
      list.shown = { filter, rank: null, items: isWhole ? items.slice() : items.filter((item) => {
        item.text ??= `${item.name}\n${item.user}\n${item.command}`.toLowerCase();
        return item.text.includes(filter) || item.id.split(".")[0] === filter;
      }) };
    }
    return list.shown.items;
  }

  function ranked(machine, filter) {
    const items = chosen(machine, filter);
    const { shown } = listOf(machine);
    if (shown && shown.rank !== wish.by) {
      items.sort(ranks[wish.by]);
      shown.rank = wish.by;
    }
    return items;
  }

  // The order by load changes constantly, so it is updated only every two seconds to stay readable.
  let sorted = { time: -Infinity, order: "", places: new Map() };
  function inOrder(machines) {
    if (wish.order === "name") return machines;
    if (performance.now() - sorted.time > 2000 || sorted.order !== wish.order) {
      const byLoad = lists.has(all) ? [...listOf({ name: all }).sections[0].items] : [];
      byLoad.sort((a, b) => loadOf(b) - loadOf(a));
      sorted = {
        time: performance.now(), order: wish.order, places: new Map(byLoad.map(({ name }, place) => [name, place])),
      };
    }
    const place = ({ name }) => sorted.places.get(name) ?? Infinity;
    return machines.slice().sort((a, b) => place(a) - place(b));
  }

  // ---- The slots, one for each machine. Only slots that are visible, or nearly visible, have a card.

  const slots = [];
  const inSight = new Set();
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) isIntersecting ? inSight.add(target) : inSight.delete(target);
    soon();
    askSoon();
  }, { rootMargin: "600px 0px" });

  function makeSlots(count) {
    while (slots.length < count) {
      const slot = make("div", "slot");
      slots.push(slot);
      sight.observe(slot);
    }
    for (const slot of slots.splice(count)) {
      sight.unobserve(slot);
      inSight.delete(slot);
    }
    fill(element("machines"), wish.isOne ? [one.element, ...slots] : slots);
  }

  // A slot keeps the height of its card, so that the page does not jump when the card is removed.
  function leave(slot) {
    if (!slot.firstChild) return;
    slot.style.minHeight = `${slot.offsetHeight}px`;
    slot.replaceChildren();
  }

  const one = { element: make("section", "card one", make("div", "rows")) };
  let order = [];

  function draw() {
    isSoon = false;
    const filter = wish.filter.trim().toLowerCase();
    let found = 0, processes = 0;
    const wanted = machines.filter((machine) => {
      const count = chosen(machine, filter).length;
      processes += listOf(machine).sections[0]?.items.length ?? 0;
      found += count;
      return !filter || count > 0 || machine.name.toLowerCase().includes(filter);
    });
    order = inOrder(wanted);
    makeSlots(order.length);
    const drawn = new Set(), near = new Set();
    slots.forEach((slot, at) => {
      if (!inSight.has(slot)) return leave(slot);
      const machine = order[at];
      near.add(machine.name);
      const items = wish.isOne ? [] : ranked(machine, filter);
      const some = items.slice(0, wish.open.has(machine.name) ? undefined : short);
      const card = drawCard(machine, listOf(machine).sections[0]?.content, some.length, items.length);
      fill(card.rows, some.map((item) => {
        drawn.add(`${machine.name}/${item.id}`);
        return drawRow(machine.name, item);
      }));
      fill(slot, [card.element]);
      slot.style.minHeight = "0";
    });
    if (wish.isOne) {
      // Only the first processes of each machine can be among the first processes of all machines.
      const best = wanted.flatMap((machine) =>
        ranked(machine, filter).slice(0, long).map((item) => ({ machine: machine.name, item })));
      best.sort((a, b) => ranks[wish.by](a.item, b.item));
      fill(one.element.firstChild, best.slice(0, long).map(({ machine, item }) => {
        drawn.add(`${machine}/${item.id}`);
        return drawRow(machine, item);
      }));
    }
    element("machines").classList.toggle("one", wish.isOne);
    for (const key of rows.keys()) if (!drawn.has(key)) rows.delete(key);
    for (const name of cards.keys()) if (!near.has(name)) cards.delete(name);
    const gone = machines.filter((machine) => machine.gone !== undefined).length;
    const number = (count) => count.toLocaleString("en");
    setText(element("count"), machines.length === 0 ? "" :
      `${number(machines.length)} ${machines.length === 1 ? "machine" : "machines"}${gone ? `, ${number(gone)} gone` : ""} · ${number(processes)} processes`);
    setText(element("matches"), filter ? `${number(found)} found` : "");
    element("empty").hidden = order.length > 0;
    setText(element("empty"), machines.length ? `No process matches “${wish.filter}”.` : "No machine has published anything yet.");
    drawState();
  }

  // A hidden page applies messages, but draws them only when it becomes visible.
  let isSoon = false;
  function soon() {
    if (!isSoon) requestAnimationFrame(draw);
    isSoon = true;
  }

  // ---- The user's input.

  function press(group, by) {
    for (const button of element(group).children) {
      button.setAttribute("aria-pressed", String(button.dataset.by === by));
    }
    if (group === "ranking") wish.by = by;
    else if (group === "sorting") wish.order = by;
    else {
      wish.isOne = by === "none";
      for (const slot of slots) slot.style.minHeight = "";
    }
    soon();
    askSoon();
  }

  for (const group of ["ranking", "sorting", "grouping"]) {
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
      a: () => press("grouping", wish.isOne ? "machine" : "none"), n: () => press("sorting", "name"),
      l: () => press("sorting", "load"),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // ---- The connection to a gateway. The page can use any gateway, because it sends its revisions.

  let attempt = null;
  let isLost = false;
  let heard = performance.now();

  const revisions = () =>
    [...lists].map(([name, list]) => `${name}=${list.epoch}-${list.number}`).join(",");

  // Returns the names of at most 64 machines whose slots are in sight and whose lists are missing, except machines with a
  // problem. The gateway sends these lists first.
  function lacking() {
    const names = [];
    slots.forEach((slot, at) => {
      const machine = order[at];
      if (inSight.has(slot) && machine && !machine.trouble && !lists.has(machine.name)) names.push(machine.name);
    });
    return names.slice(0, 64);
  }

  async function connect() {
    attempt?.abort();
    const mine = (attempt = new AbortController());
    try {
      const answer = await fetch(`/events?order=${wish.order}&first=${lacking().join(",")}`, {
        method: "POST", body: revisions(), signal: mine.signal });
      if (!answer.ok) throw new Error(`refused: ${answer.status}`);
      isBack();
      let text = "";
      for (const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        const events = (text + value).split("\n\n");
        text = events.pop();
        for (const event of events) if (attempt === mine) hear(event);
      }
    } catch (error) {
      if (!mine.signal.aborted) console.info(error.message);
    }
    if (attempt !== mine) return;
    isGone();
    setTimeout(() => attempt === mine && connect(), 500);
  }

  function hear(event) {
    heard = performance.now();
    if (!event.startsWith("event: list\ndata: ")) return;
    const { log, message } = JSON.parse(event.slice(event.indexOf("data: ") + 6));
    let isTaken = false;
    try {
      isTaken = take(log, message);
    } catch (error) {
      console.error(error);
    }
    if (!isTaken) {
      lists.delete(log);
      connect();
    } else if (log === all) {
      const [{ content, items }] = lists.get(all).sections;
      trouble = content.trouble ?? null;
      // A gateway that has never reached the logs does not know any machines yet.
      if (!trouble || items.length) forget(items);
    }
    soon();
  }

  // Stores the list of machines, and drops the lists of machines that are not in it.
  function forget(items) {
    machines = items;
    const names = new Set([all, ...items.map((machine) => machine.name)]);
    for (const name of lists.keys()) if (!names.has(name)) lists.delete(name);
  }

  // If the user scrolls to machines whose lists are missing, the page reconnects, so that the gateway sends these lists first.
  let asking = null;
  function askSoon() {
    clearTimeout(asking);
    asking = setTimeout(() => {
      if (!isLost && lists.has(all) && lacking().length > 0 && lists.size > 1) connect();
    }, 300);
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
    setText(element("line"), isLost ? "Connection lost. Reconnecting …" : (trouble ?? ""));
  }

  setInterval(() => {
    if (performance.now() - heard < 30_000) return;
    heard = performance.now();
    isGone();
    connect();
  }, 1000);

  // check.py uses this object.
  window.fleet = { lists, taken };
  connect();
})();

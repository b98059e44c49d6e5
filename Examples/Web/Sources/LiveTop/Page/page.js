// The page of LiveTop draws the server's messages, confirms them, and sends the user's commands. Names can contain anything, so
// every text is inserted as text, never as HTML.
"use strict";
(() => {
  const list = element("list");

  // ---- The shown state. A part has an id, content and rows. The part of a user also has an element.

  let parts = [];
  let revision = null; // {epoch, number}
  let view = null; // the tab's settings, as the server knows them
  let machine = null;

  const name = (at) => `${at.epoch}-${at.number}`;

  // Applies a message, and returns whether it fits. If it does not fit, the page must connect again.
  function take(message) {
    const at = { epoch: message.epoch, number: message.to };
    const isKnown = revision !== null && revision.epoch === at.epoch;
    if (isKnown && at.number <= revision.number) return true;
    if (message.kind === "snapshot") {
      drawAll(message.sections);
    } else {
      if (!isKnown || message.from !== revision.number) return false;
      for (const stage of message.stages) carryOut(stage, parts, drawing);
    }
    revision = at;
    return true;
  }

  // Parts and rows with a known id keep their elements.
  function drawAll(sections) {
    const oldParts = new Map(parts.map((part) => [part.id, part]));
    const oldRows = new Map(parts.flatMap((part) => part.items).map((row) => [row.id, row]));
    const kept = new Set();
    parts = sections.map((section) => {
      const part = oldParts.get(section.diffIdentifier) ?? newPart(section.diffIdentifier);
      kept.add(part);
      setContent(part, section.content);
      part.items = section.items.map((item) => {
        const row = oldRows.get(item.id) ?? newRow(item.id);
        kept.add(row);
        setItem(row, item);
        return row;
      });
      return part;
    });
    for (const old of [...oldParts.values(), ...oldRows.values()]) {
      if (!kept.has(old)) old.element?.remove();
    }
    arrange(list, elements(parts.filter((part) => part.element)));
    for (const part of parts) if (part.element) arrange(part.body, elements(part.items));
  }

  const drawing = {
    newItem(value) {
      const row = newRow(value.id);
      setItem(row, value);
      return row;
    },
    newSection({ diffIdentifier, content, items }) {
      const part = newPart(diffIdentifier);
      setContent(part, content);
      part.items = items.map(drawing.newItem);
      if (part.element) arrange(part.body, elements(part.items));
      return part;
    },
    removeItem: (row) => row.element.remove(),
    removeSection: (part) => part.element?.remove(),
    placeItem: (row, part, next) => place(row.element, part.body, next?.element ?? null),
    placeSection(part, behind) {
      const next = behind.find((part) => part.element);
      if (part.element) place(part.element, list, next?.element ?? null);
    },
    setItem,
    setContent,
  };

  const elements = (members) => members.map((member) => member.element);

  // ---- Elements.

  function newPart(id) {
    const part = { id, content: null, items: [], element: null };
    if (!id.startsWith("user:")) return part;
    part.label = make("bdi", "");
    part.tally = make("span", "tally");
    part.cpu = make("span", "value");
    part.memory = make("span", "value");
    part.title = make(
      "div", "title columns", make("span", "fold", "▾"),
      make("span", "label", part.label, part.tally), make("span", "figure", part.cpu),
      make("span", "figure", part.memory));
    part.title.id = `part-${++lastNumber}`;
    part.title.setAttribute("role", "treeitem");
    part.title.setAttribute("aria-level", "1");
    part.body = make("div", "rows");
    part.body.setAttribute("role", "group");
    part.element = make("section", "user", part.title, part.body);
    members.set(part.title, part);
    return part;
  }

  function newRow(id) {
    const row = { id, item: null };
    row.number = make("span", "number");
    row.name = make("bdi", "name");
    row.command = make("bdi", "command");
    row.cpu = make("span", "value");
    row.memory = make("span", "value");
    row.cpuBar = make("i", "");
    row.memoryBar = make("i", "");
    row.element = make(
      "div", "row columns", row.number, make("span", "label", row.name, row.command),
      make("span", "figure cpu", make("span", "meter", row.cpuBar), row.cpu),
      make("span", "figure memory", make("span", "meter", row.memoryBar), row.memory));
    row.element.id = `row-${id}`;
    row.element.dataset.id = id;
    row.element.setAttribute("role", "treeitem");
    row.element.setAttribute("aria-level", "2");
    members.set(row.element, row);
    return row;
  }

  let lastNumber = 0;
  const members = new WeakMap(); // from an element to its part or row

  const percent = (tenths) => (tenths / 10).toFixed(1);
  function size(tenths) {
    const mebibytes = tenths / 10;
    return mebibytes < 1000 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(2)} GiB`;
  }

  function setItem(row, item) {
    row.item = item;
    setText(row.number, item.id.split(".")[0]);
    setText(row.name, item.name);
    setText(row.command, item.command);
    setText(row.cpu, percent(item.cpu));
    setText(row.memory, size(item.memory));
    row.cpu.classList.toggle("idle", item.cpu === 0);
    row.cpuBar.style.setProperty("--part", Math.min(item.cpu / 1000, 1));
    const share = machine ? (item.memory * 104857.6) / machine.memoryTotal : 0;
    row.memoryBar.style.setProperty("--part", Math.min(Math.sqrt(share), 1).toFixed(3));
    row.element.setAttribute("aria-selected", String(view?.selection?.id === item.id));
  }

  function setContent(part, content) {
    part.content = content;
    if (content.machine) drawMachine(content.machine);
    if (content.view) drawView(content.view);
    if (!content.user) return;
    const user = content.user;
    setText(part.label, user.name);
    setText(part.tally, String(user.count));
    setText(part.cpu, percent(user.cpu));
    setText(part.memory, size(user.memory));
    part.title.setAttribute("aria-expanded", String(!user.isFolded));
  }

  function drawMachine(content) {
    machine = content;
    setText(element("count"), `${content.processes} processes`);
    setText(element("cpu-now"), `${percent(content.cpu)} %`);
    setText(element("cpu-of"), `of ${content.cores} ${content.cores === 1 ? "core" : "cores"}`);
    const gibibytes = (bytes) => (bytes / 2 ** 30).toFixed(1);
    setText(element("memory-now"), `${gibibytes(content.memoryUsed)} GiB`);
    setText(element("memory-of"), `of ${gibibytes(content.memoryTotal)}`);
    setText(element("load-now"), (content.load / 100).toFixed(2));
    setText(element("load-of"), "last minute");
    for (const kind of ["cpu", "memory", "load"]) {
      const { line, start } = content[`${kind}Chart`];
      const chart = document.querySelector(`#charts .${kind}`);
      chart.querySelector(".stroke").setAttribute("d", line);
      chart.querySelector(".area").setAttribute("d", line && `${line}V100H${start}Z`);
    }
  }

  function drawView(content) {
    const before = view?.selection?.id;
    view = content;
    for (const button of element("ranking").children) {
      button.setAttribute("aria-pressed", String(button.dataset.by === content.options.ranking));
    }
    element("pause").setAttribute("aria-pressed", String(content.isPaused));
    setText(element("pause"), content.isPaused ? "Resume" : "Pause");
    const filter = element("filter");
    if (document.activeElement !== filter) filter.value = content.options.filter;
    setText(element("matches"), content.options.filter ? `${content.matches} found` : "");
    element("empty").hidden = content.matches > 0;
    setText(element("empty"), `No process matches “${content.options.filter}”.`);
    const chosen = content.selection?.id;
    if (before !== chosen) {
      for (const id of [before, chosen]) {
        const row = id && document.getElementById(`row-${id}`);
        row?.setAttribute("aria-selected", String(id === chosen));
      }
    }
    drawDetail(content.selection);
    drawState();
  }

  function drawDetail(selection) {
    element("detail").hidden = !selection;
    if (!selection) return;
    const detail = selection.detail;
    const facts = [["PID", selection.id.split(".")[0]]];
    if (detail) {
      setText(element("detail-name"), detail.name);
      setText(element("detail-command").firstChild, detail.command);
      facts.push(
        ["User", detail.user], ["CPU", `${percent(detail.cpu)} %`], ["Memory", size(detail.memory)],
        ["CPU time", `${(detail.processorTime / 100).toFixed(2)} s`]);
    } else {
      facts.push(["", "The process has ended."]);
    }
    element("detail-facts").replaceChildren(
      ...facts.map(([key, value]) => make("div", "", make("dt", "", key), make("dd", "", value))));
  }

  // ---- Animation: an element that has moved glides from its old position to its new one.

  const stillness = matchMedia("(prefers-reduced-motion: reduce)");

  function gliding(change) {
    const height = innerHeight;
    const places = new Map();
    const isSeen = (box) => box.bottom > 0 && box.top < height;
    const users = () => parts.filter((part) => part.element);
    if (stillness.matches || document.hidden) return change();
    for (const part of users()) {
      const box = part.element.getBoundingClientRect();
      places.set(part.element, box.top);
      if (!isSeen(box)) continue;
      for (const row of part.items) {
        const box = row.element.getBoundingClientRect();
        if (isSeen(box)) places.set(row.element, box.top);
      }
    }
    const known = new Set(parts.flatMap((part) => part.items));
    change();
    for (const [moved] of places) moved.glide?.cancel();
    const ends = new Map();
    const fresh = [];
    for (const part of users()) {
      const box = part.element.getBoundingClientRect();
      ends.set(part.element, box.top);
      if (!isSeen(box)) continue;
      for (const row of part.items) {
        const top = row.element.getBoundingClientRect().top;
        if (places.has(row.element)) ends.set(row.element, top);
        else if (!known.has(row)) fresh.push(row.element);
      }
    }
    for (const part of users()) {
      const shift = glide(part.element, places.get(part.element) - ends.get(part.element));
      for (const row of part.items) {
        if (!ends.has(row.element)) continue;
        glide(row.element, places.get(row.element) - ends.get(row.element) - shift);
      }
    }
    for (const row of fresh) row.animate([{ opacity: 0 }, { opacity: 1 }], 250);
  }

  function glide(moved, distance) {
    if (!(Math.abs(distance) >= 1)) return 0;
    const far = Math.max(-innerHeight, Math.min(innerHeight, distance));
    moved.glide = moved.animate(
      [{ transform: `translateY(${far}px)` }, { transform: "none" }],
      { duration: 280, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    return far;
  }

  // ---- The cursor, which is on a row or on the title of a user. The list itself has the focus, so removing a row does not lose
  // the focus.

  let cursor = null; // {id, place}

  const stops = () =>
    parts.filter((part) => part.element)
      .flatMap((part) => [part.title, ...part.items.map((row) => row.element)]);

  function drawCursor() {
    const all = stops();
    let at = all.findIndex((stop) => stop.id === cursor?.id);
    // If the element under the cursor was removed, use the element that is now at its position.
    if (at < 0 && cursor) at = Math.min(cursor.place, all.length - 1);
    for (const old of list.querySelectorAll(".at")) if (old !== all[at]) old.classList.remove("at");
    cursor = at < 0 ? null : { id: all[at].id, place: at };
    if (!cursor) return list.removeAttribute("aria-activedescendant");
    all[at].classList.add("at");
    list.setAttribute("aria-activedescendant", all[at].id);
  }

  function go(to) {
    const all = stops();
    if (!all.length) return;
    const place = Math.max(0, Math.min(all.length - 1, to));
    cursor = { id: all[place].id, place };
    drawCursor();
    // Until a glide ends, the element is not at its final position.
    for (let moved = all[place]; moved !== list; moved = moved.parentElement) moved.glide?.finish();
    all[place].scrollIntoView({ block: "nearest" });
  }

  // ---- The user's input.

  const choose = (id) => command({ do: "select", process: id });
  const fold = (part, on) => command({ do: "fold", user: part.content.user.name, on });

  function activate(stop) {
    const member = members.get(stop);
    if (!member) return;
    if (member.content) fold(member, !member.content.user.isFolded);
    else choose(view?.selection?.id === member.id ? null : member.id);
  }

  list.addEventListener("click", (event) => {
    const stop = event.target.closest("[role=treeitem]");
    if (!stop) return;
    go(stops().indexOf(stop));
    activate(stop);
  });

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor?.place ?? -1;
    const stop = cursor && document.getElementById(cursor.id);
    const member = stop && members.get(stop);
    const part = member && (member.content ? member : members.get(stop.closest(".user").firstChild));
    const page = Math.max(1, Math.floor(innerHeight / 32) - 6);
    const actions = {
      ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), PageDown: () => go(at + page),
      PageUp: () => go(at - page), Home: () => go(0), End: () => go(Infinity),
      Enter: () => stop && activate(stop), " ": () => stop && activate(stop),
      ArrowRight: () => part?.content.user.isFolded && fold(part, false),
      ArrowLeft: () => {
        if (!part) return;
        if (stop === part.title) fold(part, true);
        else go(stops().indexOf(part.title));
      },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  list.addEventListener("focus", () => cursor || go(0));

  document.addEventListener("keydown", (event) => {
    const filter = element("filter");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (view?.selection) choose(null);
      else if (filter.value) setFilter((filter.value = ""));
      list.focus({ preventScroll: true });
    } else if (event.target === filter) {
      if (event.key === "Enter" || event.key === "ArrowDown") {
        event.preventDefault();
        list.focus({ preventScroll: true });
        go(0);
      }
    } else {
      const actions = {
        "/": () => filter.select(), c: () => rank("cpu"), m: () => rank("memory"), p: pause,
      };
      if (!actions[event.key.toLowerCase()]) return;
      event.preventDefault();
      actions[event.key.toLowerCase()]();
    }
  });

  const rank = (by) => command({ do: "rank", by });
  const pause = () => command({ do: "pause", on: !view?.isPaused });
  const setFilter = (text) => command({ do: "filter", text });
  element("filter").addEventListener("input", (event) => setFilter(event.target.value));
  element("ranking").addEventListener("click", (event) => {
    if (event.target.dataset.by) rank(event.target.dataset.by);
  });
  element("pause").addEventListener("click", pause);
  element("detail-close").addEventListener("click", () => choose(null));

  // ---- The connection to the server.

  const tab = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0")).join("");
  let events = null;
  let isLost = false;
  let heard = performance.now();
  let waiting = []; // commands in order; the first is being sent

  function post(path, body) {
    return fetch(`${path}?tab=${tab}`, { method: "POST", body }).catch(() => null);
  }

  // Sends commands one after another, so that they arrive in order.
  function command(what) {
    const last = waiting.at(-1);
    if (waiting.length > 1 && last.do === what.do && what.do === "filter") waiting.pop();
    waiting.push(what);
    if (waiting.length === 1) send();
  }

  async function send() {
    while (waiting.length) {
      await post("/command", JSON.stringify(waiting[0]));
      waiting.shift();
    }
  }

  function connect(since) {
    events?.close();
    events = new EventSource(`/events?tab=${tab}${since ? `&since=${name(since)}` : ""}`);
    events.addEventListener("open", () => isBack());
    events.addEventListener("rows", (event) => received(JSON.parse(event.data)));
    events.addEventListener("beat", () => (heard = performance.now()));
    events.addEventListener("error", () => {
      // The browser reconnects by itself, unless the server has refused the connection.
      if (events.readyState !== EventSource.CLOSED) return isGone();
      isRefused();
      setTimeout(() => connect(revision), 2000);
    });
  }

  // A message is drawn with the next frame of the browser, so a hidden page confirms later and then gets one larger change.
  let next = null;
  function received(message) {
    heard = performance.now();
    if (next === null) requestAnimationFrame(draw);
    next = message;
  }

  function draw() {
    const message = next;
    const [wish, wasIn] = [view, revision?.epoch];
    next = null;
    let isTaken = false;
    try {
      gliding(() => (isTaken = take(message)));
    } catch (error) {
      console.error(error);
      revision = null;
    }
    if (!isTaken) return connect(revision);
    drawCursor();
    post("/drawn", name(revision));
    if (wasIn !== undefined && wasIn !== revision.epoch) restore(wish);
  }

  // After a restart, the server has a new epoch and does not know this page's settings.
  function restore(wish) {
    command({ do: "restore", options: wish.options });
    if (wish.selection) choose(wish.selection.id);
  }

  function isGone(why = "Connection lost. Reconnecting …") {
    isLost = true;
    showLine(why, "lost");
    drawState();
  }

  // A page cannot read the reason for a refusal, but it can read the server's status.
  async function isRefused() {
    const refused = events;
    const status = await fetch("/status").then((answer) => answer.json()).catch(() => null);
    // The page may have connected in the meantime.
    if (events === refused || events.readyState !== EventSource.OPEN) {
      if (status === null || status.connected < status.limit) isGone();
      else isGone(`LiveTop is full: ${status.limit} pages are open. Waiting until a page is closed …`);
    }
  }

  let hiding = 0;
  function isBack() {
    heard = performance.now();
    if (isLost) {
      showLine("Connected again.", "back");
      hiding = setTimeout(() => (element("line").hidden = true), 3000);
    }
    isLost = false;
    drawState();
  }

  function showLine(text, kind) {
    clearTimeout(hiding);
    const line = element("line");
    setText(line, text);
    line.dataset.kind = kind;
    line.hidden = false;
  }

  function drawState() {
    const state = isLost ? "lost" : view === null ? "wait" : view.isPaused ? "paused" : "live";
    element("state").dataset.state = state;
    setText(element("state"), state === "wait" ? "connecting" : state);
  }

  // A browser opens only a few connections to one server, so a hidden page closes its connection for other pages.
  let resting = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(resting);
    if (document.hidden) resting = setTimeout(() => events.close(), 20_000);
    else if (events.readyState === EventSource.CLOSED) connect(revision);
  });
  setInterval(() => {
    if (document.hidden || performance.now() - heard < 30_000) return;
    heard = performance.now();
    isGone();
    connect(revision);
  }, 1000);

  connect(null);
})();

extension Page {
  static let script = #"""

    "use strict";
    const find = (id) => document.getElementById(id);
    const make = (tag, name, ...content) => {
      const node = document.createElement(tag);
      node.className = name;
      node.append(...content);
      return node;
    };
    const at = (left, node, width) => {
      Object.assign(node.style, { left: `${left}px`, width: `${width}px` });
      return node;
    };
    const { holders, events, dropped } = JSON.parse(find("run").textContent);
    const kinds = {
      watched: ["is watched"], sent: ["is sent"], waiting: ["waits"], started: ["starts"],
      retrying: ["is retried"], timedOut: ["times out"], changed: ["changes the state", "change"],
      carriedOut: ["is carried out", "done"], failed: ["fails", "fail"],
      superseded: ["is superseded", "off"], dropped: ["is dropped", "off"], callerCancelled: ["loses its caller", "off"],
      joined: ["joins another request", "join"], fresh: ["reuses a fresh response", "join"],
      deadlock: ["would wait for itself", "fail"] };
    const color = (event) => kinds[event?.kind]?.[1] ?? "open";
    const isChange = (event) => event.parts.length > 0;
    const title = (event) => `${event.name || holders[event.holder].name} ${
      !event.name && event.kind === "changed" ? "has changed" : kinds[event.kind]?.[0] ?? event.kind}`;
    const seconds = (time) => time < 6e7 ? `${(time / 1e6).toFixed(3)} s`
      : `${Math.floor(time / 6e7)} min ${((time % 6e7) / 1e6).toFixed(3)} s`;
    const request = (event, message) => `${event.holder}/${message}`;
    const requests = Map.groupBy(
      events.filter((event) => event.message), (event) => request(event, event.message));
    const opened = new Set();
    let shown = [], places = [], place = 0;

    // Time is to scale within limits: each event has its own position, and a long pause is shortened.
    const layOut = () => {
      const steps = shown.map((event, index) => event.time - shown[Math.max(0, index - 1)].time);
      const usual = steps.toSorted((one, two) => one - two)[Math.floor(steps.length * 0.8)] || 1000;
      const [scene, axis] = [find("lanes").firstChild, make("div", "axis")];
      let [x, free] = [16, 0];
      scene.replaceChildren(axis);
      places = steps.map((step, index) => {
        x += index ? Math.min(80, Math.max(6, (32 * step) / usual)) : 0;
        if (step > 8 * usual) scene.append(at(x - 40, make("div", "gap")));
        if (x > free) axis.append(at(x, make("span", "", seconds(shown[index].time))));
        if (x > free) free = x + 110;
        return x;
      });
      const xs = new Map(shown.map((event, index) => [event, places[index]]));
      for (const holder of holders.filter((holder) => !holder.isHidden)) {
        const own = shown.filter((event) => holders[event.holder] === holder);
        const ticks = own.filter(isChange).map((event) => at(xs.get(event), make("div", "tick")));
        scene.append(make("div", "row", make("b", "", holder.name)), make("div", "row", ...ticks));
        const lanes = [];
        for (const own of requests.values()) {
          if (holders[own[0].holder] !== holder) continue;
          const start = own.find((event) => event.kind === "started");
          const end = own.find((event) => color(event) !== "open" && event.kind !== "changed");
          const [from, to] = [xs.get(own[0]), end ? xs.get(end) : x + 24];
          const left = start ? xs.get(start) : Math.max(from, to - 8);
          const lane = lanes.find((lane) => lane.end < from) ?? { row: make("div", "row") };
          if (!lane.end) scene.append(lanes[lanes.push(lane) - 1].row);
          lane.end = Math.max(to, left + 12) + 3;
          const bar = at(left, make("div", `bar ${color(end)}`, own[0].name), to - left);
          Object.assign(bar, { title: own[0].name, events: own });
          lane.row.append(at(from, make("div", `wait ${color(end)}`), left - from), bar);
        }
      }
      scene.append(Object.assign(make("div", ""), { id: "line" }));
      scene.style.width = `${x + 140}px`;
    };

    const showStates = (current) => find("states").replaceChildren(...holders.map((holder, number) => {
      const state = new Map(holder.state), isCurrent = holders[current.holder] === holder;
      for (const event of events.slice(0, events.indexOf(current) + 1))
        if (event.holder === number) for (const [name, value] of event.parts) state.set(name, value);
      const changes = new Map(isCurrent ? current.parts.map(([name, , lines]) => [name, lines]) : []);
      const rows = [...state].filter(([, value]) => value !== null).map(([name, value]) => {
        const lines = make("ul", "", ...(changes.get(name) ?? []).map((line) => make("li", "", line)));
        const cell = make("dd", "", value, ...(changes.has(name) ? [lines] : []));
        return make("div", changes.has(name) ? "changed" : "", make("dt", "", name || "state"), cell);
      });
      const summary = make("summary", "", `${holder.name} `, make("small", "", `${rows.length}`));
      const details = make("details", "", summary, make("dl", "", ...rows));
      summary.onclick = () => opened[details.open ? "delete" : "add"](holder);
      details.open = isCurrent || opened.has(holder);
      details.hidden = holder.isHidden;
      return details;
    }));

    const causeOf = (event) => {
      const cause = event.cause || requests.get(request(event, event.message))?.[0].cause;
      if (!cause) return undefined;
      const own = requests.get(request(event, cause)) ?? events.filter((event) => event.message === cause);
      return own.find((event) => shown.includes(event));
    };
    const targets = {
      back: () => place - 1, forward: () => place + 1,
      change: () => shown.findIndex((event, index) => index > place && isChange(event)),
      changeBack: () => shown.findLastIndex((event, index) => index < place && isChange(event)),
      cause: () => shown.indexOf(causeOf(shown[place])) };
    const go = (to) => {
      if (!shown[to]) return;
      place = to;
      const event = shown[place], cause = causeOf(event);
      const where = `Event ${place + 1} of ${shown.length}, at ${seconds(event.time)}`;
      find("where").textContent = where;
      find("moment").value = place;
      find("moment").setAttribute("aria-valuetext", `${where}: ${title(event)}`);
      find("now").className = color(event);
      find("what").textContent = title(event);
      find("text").textContent = event.text === event.name ? "" : event.text;
      find("about").textContent =
        event.message ? `request ${event.message} of ${holders[event.holder].name}` : "";
      find("cause").hidden = !cause;
      find("cause").textContent = `caused by ${cause?.name}, request ${cause?.message}`;
      for (const name in targets) find(name).disabled = !shown[targets[name]()];
      showStates(event);
      at(places[place], find("line"));
      find("lanes").scrollLeft = places[place] - find("lanes").clientWidth / 2;
      for (const bar of document.querySelectorAll(".bar"))
        bar.classList.toggle("here", bar.events.includes(event));
      const list = find("events"), button = list.children[place].firstChild;
      list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
      list.scrollTop = button.offsetTop - list.clientHeight / 2;
    };
    const filter = () => {
      const current = events.indexOf(shown[place]);
      shown = events.filter((event) => !holders[event.holder].isHidden);
      Object.assign(find("moment"), { max: shown.length - 1, disabled: !shown.length });
      document.querySelector("main").hidden = !shown.length;
      find("where").textContent = events.length ? "No holder is selected" : "Nothing was recorded";
      for (const name in targets) find(name).disabled = true;
      layOut();
      find("events").replaceChildren(...shown.map((event, index) => {
        const name = make("small", "", ` ${holders[event.holder].name}`);
        const [time, text] = [make("time", "", seconds(event.time)), make("span", "", title(event), name)];
        const button = make("button", "", time, text);
        button.onclick = () => go(index);
        return make("li", "", button);
      }));
      const later = shown.findIndex((event) => events.indexOf(event) >= current);
      go(current < 0 || later < 0 ? shown.length - 1 : later);
    };

    holders.forEach((holder, number) => {
      const box = Object.assign(make("input", ""), { type: "checkbox", checked: true });
      const count = events.filter((event) => event.holder === number).length;
      box.onchange = () => { holder.isHidden = !box.checked; filter(); };
      find("holders").append(make("label", "", box, holder.name, make("small", "", `${count}`)));
    });
    for (const name in targets) find(name).onclick = () => go(targets[name]());
    find("moment").oninput = () => go(+find("moment").value);
    find("lanes").onclick = ({ clientX, target }) => {
      const x = clientX - find("lanes").firstChild.getBoundingClientRect().left;
      const near = [...shown.keys()].filter((index) => target.events?.includes(shown[index]) ?? true);
      go(near.sort((one, two) => Math.abs(places[one] - x) - Math.abs(places[two] - x))[0]);
    };
    document.onkeydown = (event) => {
      const names = { ArrowLeft: ["back", "changeBack"], ArrowRight: ["forward", "change"] }[event.key];
      if (!names || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(targets[names[+event.shiftKey]]());
    };
    const length = seconds(events.length ? events.at(-1).time - events[0].time : 0);
    const older = dropped ? `; older events that were dropped: ${dropped}` : "";
    const noun = events.length === 1 ? "event" : "events";
    find("summary").textContent = `${events.length} ${noun} in ${length}${older}`;
    filter();

    """#
}

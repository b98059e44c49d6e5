// The functions that all pages share. They are loaded before a page's own script.
"use strict";

const element = (id) => document.getElementById(id);

function make(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const setText = (target, text) => {
  if (target.textContent !== text) target.textContent = text;
};

// Moves an element, which keeps its focus and its animations if the browser has `moveBefore`.
function place(child, parent, next) {
  if (child.parentNode === parent && child.nextSibling === next) return;
  if (child.isConnected && parent.isConnected && parent.moveBefore) parent.moveBefore(child, next);
  else parent.insertBefore(child, next);
}

// Puts elements into a parent, in the given order.
function arrange(parent, children) {
  let next = null;
  for (const child of children.toReversed()) {
    place(child, parent, next);
    next = child;
  }
}

// Applies one stage of a patch to sections with `items`. Deletes and `from` are positions before the stage, and `at` and `to` are
// positions after it. `draw` contains functions for a page that draws each step. Without `draw`, the items are the values of the
// patch.
function carryOut(stage, sections, draw = {}) {
  const of = (key) => stage[key] ?? [];
  const old = sections.slice();
  const items = of("itemInserts").map(({ at, value }) => ({ at, item: draw.newItem?.(value) ?? value }));
  const leaving = [
    ...of("itemDeletes").map((path) => ({ path })),
    ...of("itemMoves").map(({ from, to }) => ({ path: from, to })),
  ].sort((a, b) => b.path[0] - a.path[0] || b.path[1] - a.path[1]);
  for (const { path, to } of leaving) {
    const [item] = old[path[0]].items.splice(path[1], 1);
    if (to) items.push({ at: to, item });
    else draw.removeItem?.(item);
  }
  const coming = of("sectionInserts").map(({ at, value }) => ({ at, section: draw.newSection?.(value) ?? value }));
  const going = [...of("sectionDeletes").map((from) => ({ from })), ...of("sectionMoves")].sort((a, b) => b.from - a.from);
  for (const { from, to } of going) {
    const [section] = sections.splice(from, 1);
    if (to !== undefined) coming.push({ at: to, section });
    else draw.removeSection?.(section);
  }
  for (const { at, section } of coming.sort((a, b) => a.at - b.at)) {
    draw.placeSection?.(section, sections.slice(at));
    sections.splice(at, 0, section);
  }
  items.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  for (const { at: [section, index], item } of items) {
    draw.placeItem?.(item, sections[section], sections[section].items[index]);
    sections[section].items.splice(index, 0, item);
  }
  for (const { at: [section, index], value } of of("itemUpdates")) {
    if (draw.setItem) draw.setItem(sections[section].items[index], value);
    else sections[section].items[index] = value;
  }
  for (const { at, value } of of("sectionUpdates")) {
    if (draw.setContent) draw.setContent(sections[at], value);
    else sections[at].content = value;
  }
}

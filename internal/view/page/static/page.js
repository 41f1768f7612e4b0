// The page works without this. With it search answers while one types, what happens appears
// without a reload, and addresses can be copied.
"use strict";

const main = () => document.getElementById("main");
const input = document.getElementById("q");

// fetchPage returns a page of this server as a document that is not shown.
async function fetchPage(address, signal) {
  const answer = await fetch(address, { signal, credentials: "same-origin", redirect: "error" });
  if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) throw new Error("no page");
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// ready prepares what only a script can do.
function ready() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  for (const place of document.querySelectorAll("[data-later]")) later(place);
}

// later puts a part in its place that takes a while to find.
async function later(place) {
  const address = place.dataset.later;
  delete place.dataset.later;
  try {
    const part = (await fetchPage(address)).querySelector("." + place.className);
    if (part) place.replaceWith(part);
  } catch { /* the link that stands there leads to it */ }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = button.dataset.copy; // to be copied by hand
    return;
  }
  setTimeout(() => { button.textContent = before; }, 1500);
});

// Folders: what one holds is a page of its own, and takes its place in the list.

const opened = new Map(); // whether a folder is open, if somebody has opened or closed it
const loaded = new Set(); // the addresses of what was put in its place

// load puts what isn't listed yet in its place.
async function load(link) {
  const address = link.getAttribute("href");
  const place = link.closest(".rest");
  try {
    const list = (await fetchPage(address)).querySelector(".folder");
    if (!list || !place.parentNode) return;
    loaded.add(address);
    await fill(list);
    const had = document.activeElement === link;
    const first = list.querySelector("a, summary");
    place.replaceWith(...list.children);
    if (had && first) first.focus({ preventScroll: true });
  } catch { /* the link leads there */ }
}

// fill opens in another list what is open in this one.
async function fill(list) {
  for (const folder of list.querySelectorAll("[data-folder]")) {
    if (opened.has(folder.dataset.folder)) folder.open = opened.get(folder.dataset.folder);
  }
  await Promise.all([...list.querySelectorAll(".rest a")].filter((a) => loaded.has(a.getAttribute("href"))).map(load));
}

document.addEventListener("toggle", (event) => {
  const folder = event.target.closest("[data-folder]");
  if (folder !== event.target) return;
  opened.set(folder.dataset.folder, folder.open);
  const rest = folder.querySelector(":scope > ul > .rest:first-child a");
  if (folder.open && rest) load(rest);
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest(".rest a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(link);
});

// Search: the results take the place of the content.

let asking = null;
let waiting = 0;

async function search() {
  const query = input.value.trim();
  if (asking) asking.abort();
  if (!query) return;
  asking = new AbortController();
  const match = location.pathname === "/search" && new URLSearchParams(location.search).get("match");
  const address = "/search?q=" + encodeURIComponent(query) + (match ? "&match=" + encodeURIComponent(match) : "");
  try {
    const page = await fetchPage(address, asking.signal);
    const found = page.getElementById("main");
    if (!found || input.value.trim() !== query) return;
    if (location.pathname === "/search") history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    show(page);
  } catch { /* the next letter asks again, and the key Enter without a script */ }
}

// show puts another page of this server in the place of this one, but for the search.
function show(page) {
  const old = document.getElementById("outline");
  const side = page.getElementById("outline");
  document.title = page.title;
  document.body.className = page.body.className;
  document.body.dataset.live = page.body.dataset.live;
  main().replaceWith(page.getElementById("main"));
  if (old) old.remove();
  if (side) main().after(side);
  ready();
  listen();
  window.scrollTo(0, 0);
}

if (input) {
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    const first = document.querySelector(".hits a");
    if (first) { event.preventDefault(); first.focus(); }
  });
}

window.addEventListener("popstate", async () => {
  try {
    const page = await fetchPage(location.href);
    await fill(page);
    show(page);
    if (location.pathname !== "/search") input.value = "";
  } catch { location.reload(); }
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
    input.select();
  }
  const hit = event.target.closest && event.target.closest(".hits a");
  if (hit && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const all = [...document.querySelectorAll(".hits a")];
    const next = all[all.indexOf(hit) + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    (next || input).focus();
  }
});

// Events: the page asks for itself anew, and takes over the parts that differ.

let stream = null;
let pending = false;
let busy = false;

function listen() {
  if (stream) stream.close();
  stream = null;
  const state = document.querySelector(".live");
  const address = document.body.dataset.live;
  state.hidden = !address;
  if (!address || document.hidden) return;
  stream = new EventSource(address);
  stream.addEventListener("begin", () => { state.dataset.state = "on"; refresh(); }); // something may have happened since the page was made
  stream.addEventListener("change", refresh);
  stream.addEventListener("error", () => { state.dataset.state = "off"; });
}

async function refresh() {
  if (busy) { pending = true; return; }
  busy = true;
  try {
    const page = await fetchPage(location.href);
    if (page.body.dataset.live === document.body.dataset.live) {
      await fill(page);
      takeOver(page);
    }
  } catch { /* the next event asks again */ } finally {
    busy = false;
    if (pending) { pending = false; refresh(); }
  }
}

// nameOf returns what a link or the line of a folder is known by in another list.
const nameOf = (e) => e.getAttribute("href") || (e.parentNode.dataset && e.parentNode.dataset.folder);

// takeOver replaces the parts that differ, and keeps what is open, and where one is.
function takeOver(page) {
  for (const part of document.querySelectorAll("[data-part]")) {
    const now = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!now || now.innerHTML === part.innerHTML) continue;
    if (part.contains(document.activeElement) && document.activeElement.tagName === "INPUT") continue;
    const open = new Map([...part.querySelectorAll("details:not([data-folder])")].map((d, i) => [i, d.open]));
    const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    const scroll = part.scrollTop;
    now.querySelectorAll("details:not([data-folder])").forEach((d, i) => { if (open.has(i)) d.open = open.get(i); });
    if (part.tagName === "DETAILS" && now.tagName === "DETAILS") now.open = part.open;
    part.replaceWith(now);
    now.scrollTop = scroll;
    now.classList.add("fresh");
    if (focused) {
      const again = [...now.querySelectorAll("a, summary")].find((e) => nameOf(e) === focused);
      if (again) again.focus({ preventScroll: true });
    }
  }
  ready();
}

document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden) refresh();
});

// The outline shows the section that one reads.
function reveal() {
  const side = document.getElementById("outline");
  const current = side && side.querySelector("[aria-current]");
  if (!current || getComputedStyle(side).position !== "sticky") return;
  const top = current.offsetTop - side.clientHeight / 2;
  if (top > 0) side.scrollTop = top;
}

ready();
reveal();
listen();

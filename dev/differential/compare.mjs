// Compares our block trees, which dev/differential/main.go prints to standard
// input, with those of reference parsers. See run for how to use it.
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { commonmarkTree, mdastTree, cmarkTree } from './references.mjs'

const examples = Number(process.env.EXAMPLES ?? 3)
const known = JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8'))
const has = (program) => spawnSync(program, ['--version']).status === 0

// Each reference says which of our trees it is compared with, and which of our
// blocks it doesn't show.
const references = {
  'commonmark.js': { mode: 'commonmark', tree: (s) => commonmarkTree(s), without: ['link_definition'] },
  cmark: { mode: 'commonmark', tree: (s) => cmarkTree('cmark', [], s), without: ['link_definition'], program: 'cmark' },
  micromark: { mode: 'commonmark', tree: (s) => mdastTree(s, 'commonmark'), without: [] },
  'cmark-gfm': {
    mode: 'tables', tree: (s) => cmarkTree('cmark-gfm', ['-e', 'table', '-e', 'tasklist'], s),
    without: ['link_definition'], program: 'cmark-gfm',
  },
  'mdast (tables)': { mode: 'tables', tree: (s) => mdastTree(s, 'tables'), without: [] },
  mdast: { mode: 'all', tree: (s) => mdastTree(s, 'all'), without: [] },
}
for (const [name, r] of Object.entries(references)) {
  if (r.program && !has(r.program)) {
    console.log(`${name}: not installed, left out`)
    delete references[name]
  }
}

const code = { fenced_code: 'code', indented_code: 'code' } // mdast and cmark have one kind

// ourTree returns our tree as a reference might have it.
function ourTree(blocks, without) {
  const out = []
  let moved = false // a definition was left out just before
  for (const [kind, depth, fact, first, last, start, end, tight] of blocks) {
    if (without.includes(kind)) {
      moved = true
      continue
    }
    out.push({ kind: code[kind] ?? kind, depth, fact, first, last, start, end, tight, moved })
    moved = false
  }
  return out
}

// topLevel groups blocks by the block at the top level that they stand in.
function topLevel(blocks) {
  const groups = []
  for (const b of blocks) {
    if (b.depth === 0) groups.push([])
    groups.at(-1).push(b)
  }
  return groups
}

const shape = (b) => ' '.repeat(b.depth) + b.kind + (b.fact === null ? '' : ` ${b.fact}`)
const shapes = (blocks) => blocks.map(shape).join('\n')
const told = (a, b) => a !== null && b !== null && a !== b

// Empty cells mean nothing: some references make up those that a row lacks, others
// leave out those that are there.
const withoutEmptyCells = (blocks) => blocks.filter((b) => b.kind !== 'table_cell' || b.start === null || b.start !== b.end)

// differences yields where the trees of a file part, each a run of blocks at the
// top level. level is "shape" if kinds, depth or facts differ, else "lines",
// "tight" or "bytes".
function* differences(ours, theirs) {
  const a = topLevel(ours)
  const b = topLevel(theirs)
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const level = i < a.length && j < b.length ? differ(a[i], b[j]) : 'shape'
    if (level !== 'shape') {
      if (level) yield { level, ours: a[i], theirs: b[j] }
      i++
      j++
      continue
    }
    const [m, n] = meet(a, i, b, j)
    yield { level, ours: a.slice(i, m).flat(), theirs: b.slice(j, n).flat() }
    i = m
    j = n
  }
}

// differ says at which level two blocks at the top level differ.
function differ(a, b) {
  if (a.length !== b.length || a.some((x, i) => shape(x) !== shape(b[i]))) return 'shape'
  if (a.some((x, i) => (!x.moved && told(x.first, b[i].first)) || told(x.last, b[i].last))) return 'lines'
  if (a.some((x, i) => told(x.tight, b[i].tight))) return 'tight'
  if (a.some((x, i) => told(x.start, b[i].start) || told(x.end, b[i].end))) return 'bytes'
  return null
}

// meet returns where the trees go on alike behind a difference.
function meet(a, i, b, j) {
  const lines = new Map()
  for (let n = j; n < b.length; n++) lines.set(b[n][0].first, n)
  for (let m = i + 1; m < a.length; m++) {
    const n = lines.get(a[m][0].first)
    if (n > j && shape(a[m][0]) === shape(b[n][0])) return [m, n]
  }
  return [a.length, b.length]
}

// classify returns the class of a difference in the data file, or null.
function classify(d) {
  return known.find((k) =>
    k.references.includes(d.reference) && k.level === d.level &&
    (!k.source || new RegExp(k.source, 'm').test(d.source)) &&
    (!k.ours || new RegExp(k.ours, 'm').test(shapes(d.ours))) &&
    (!k.theirs || new RegExp(k.theirs, 'm').test(shapes(d.theirs))) &&
    (!k.pairs || pairs(d).every((p) => new RegExp(k.pairs).test(p))))?.class ?? null
}

// pairs returns what differs block by block: at level "shape" the first two
// shapes that do, else the sides that are elsewhere, as in "list last 1".
function pairs(d) {
  const out = []
  for (let i = 0; i < Math.max(d.ours.length, d.theirs.length); i++) {
    const [a, b] = [d.ours[i], d.theirs[i]]
    if (d.level === 'shape') {
      const [x, y] = [a, b].map((n) => (n ? shape(n) : ''))
      if (x !== y) return [`${x} | ${y}`]
      continue
    }
    if (d.level === 'tight') {
      if (told(a.tight, b.tight)) out.push(b.tight ? 'tight' : 'loose')
      continue
    }
    for (const side of d.level === 'lines' ? ['first', 'last'] : ['start', 'end']) {
      if ((side === 'first' && a.moved) || !told(a[side], b[side])) continue
      out.push(`${a.kind} ${side} ${b[side] - a[side]}`)
    }
  }
  return out
}

// sourceOf returns the lines that the blocks of a difference are on.
function sourceOf(lines, d) {
  const all = [...d.ours, ...d.theirs].filter((b) => b.first)
  const first = Math.min(...all.map((b) => b.first))
  const last = Math.max(...all.map((b) => b.last ?? b.first))
  // Some lines before it, for what is open there matters.
  return lines.slice(Math.max(0, first - 4), last).join('\n')
}

const show = (b) => `${shape(b)}${b.tight === false ? ' loose' : ''}  ${b.first}-${b.last ?? ''} ${b.start ?? ''}:${b.end ?? ''}`
const firstLine = (d) => d.ours[0]?.first ?? d.theirs[0]?.first

function print(d) {
  const at = d.ours.findIndex((b, i) => !d.theirs[i] || differ([b], [d.theirs[i]]) !== null)
  const from = Math.max(0, at - 2)
  console.log(`  ${d.reference}, ${d.level}, ${d.file}:${firstLine(d)} (${pairs(d).slice(0, 3).join('; ')})`)
  console.log(d.source.split('\n').slice(0, 16).map((l) => `    | ${JSON.stringify(l)}`).join('\n'))
  for (let i = from; i < Math.min(from + 8, Math.max(d.ours.length, d.theirs.length)); i++) {
    const [o, t] = [d.ours[i], d.theirs[i]].map((b) => (b ? show(b) : ''))
    const mark = d.ours[i] && d.theirs[i] && differ([d.ours[i]], [d.theirs[i]]) === null ? ' ' : '!'
    console.log(`    ${o.padEnd(44)} ${mark} ${t}`)
  }
}

// sectionsOf derives sections from the headings of a tree, the plain way.
function sectionsOf(blocks, latin1, lineStarts) {
  const headings = blocks.filter((b) => b.kind === 'heading' && b.depth === 0)
  return headings.map((h, i) => {
    const next = headings.slice(i + 1).find((n) => n.fact <= h.fact)
    const last = next ? next.first - 1 : lineStarts.length
    const start = h.first === 1 && latin1.startsWith('\u00EF\u00BB\u00BF') ? 3 : lineStarts[h.first - 1]
    return [h.fact, h.first, last, start, next ? lineStarts[next.first - 1] : latin1.length]
  })
}

const total = { files: 0, blocks: 0, sections: 0 }
const found = []
let sectionsDiffer = 0
for await (const line of createInterface({ input: process.stdin })) {
  const ours = JSON.parse(line)
  const latin1 = ours.source
  const lines = latin1.split(/\r\n|\n|\r/)
  const starts = [0]
  for (const m of latin1.matchAll(/\r\n|\n|\r/g)) starts.push(m.index + m[0].length)
  if (starts.at(-1) === latin1.length) starts.pop()
  total.files++
  total.blocks += ours.trees.all.length
  total.sections += ours.sections.length
  const ofFile = []
  for (const [reference, r] of Object.entries(references)) {
    const theirs = r.tree(latin1)
    for (const d of differences(withoutEmptyCells(ourTree(ours.trees[r.mode], r.without)), withoutEmptyCells(theirs))) {
      ofFile.push({ ...d, reference, mode: r.mode, file: ours.file, source: sourceOf(lines, d) })
    }
    if (reference === 'mdast' && JSON.stringify(sectionsOf(theirs, latin1, starts)) !== JSON.stringify(ours.sections)) {
      sectionsDiffer++
      if (!ofFile.some((d) => d.reference === 'mdast' && d.level === 'shape')) {
        ofFile.push({ level: 'sections', ours: [], theirs: [], reference, mode: r.mode, file: ours.file, source: '' })
      }
    }
  }
  // Two references that say the same at the same place are two against us.
  for (const d of ofFile) {
    d.class = classify(d)
    d.against = ofFile.filter((o) => o.mode === d.mode && firstLine(o) === firstLine(d) && sayTheSame(o, d)).length
  }
  found.push(...ofFile)
}

// sayTheSame reports whether two references have the same tree where we differ.
function sayTheSame(a, b) {
  return a.level === b.level && differ(a.theirs, b.theirs) === null
}

const counts = new Map()
for (const d of found) {
  const key = `${d.class ?? 'NO CLASS'} (${d.reference}, ${d.level}${d.against > 1 ? ', two references' : ''})`
  counts.set(key, [...(counts.get(key) ?? []), d])
}
console.log(`${total.files} files, ${total.blocks} blocks, ${total.sections} sections (differing in ${sectionsDiffer} files)`)
for (const [name] of Object.entries(references)) {
  const n = found.filter((d) => d.reference === name)
  console.log(`${name}: ${n.length} differences in ${new Set(n.map((d) => d.file)).size} files`)
}
for (const [key, list] of [...counts].sort()) {
  console.log(`${String(list.length).padStart(6)}  ${key}`)
}
for (const [key, list] of [...counts].sort()) {
  if (!list[0].class || process.env.ALL) {
    console.log(`\n${key}`)
    list.slice(0, examples).forEach(print)
  }
}
const unexplained = found.filter((d) => !d.class && d.against > 1)
const alone = found.filter((d) => !d.class && d.against <= 1)
console.log(`unexplained: ${unexplained.length} with two references against us, ${alone.length} with one`)
process.exitCode = unexplained.length > 0 ? 1 : 0

// Reference parsers. Each function returns a tree in the form of ours: a list of
// blocks in source order, {kind, depth, fact, first, last, start, end, tight}, with
// null where the parser doesn't tell or is known to tell something else. What differs
// by convention alone is translated here, and only here.
import { execFileSync } from 'node:child_process'
import * as commonmark from 'commonmark'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatter } from 'micromark-extension-frontmatter'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFootnote } from 'micromark-extension-gfm-footnote'
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'

const bom = '\u00EF\u00BB\u00BF' // in Latin-1

// commonmark.js: kinds and lines. Its columns count characters, and it takes
// definitions off a paragraph without moving the paragraph's first line.

const commonmarkKinds = {
  block_quote: 'block_quote', list: 'list', item: 'item', paragraph: 'paragraph', heading: 'heading',
  thematic_break: 'thematic_break', code_block: 'code', html_block: 'html_block',
}
const commonmarkParser = new commonmark.Parser()
commonmarkParser.processInlines = () => {}

export function commonmarkTree(latin1) {
  const source = Buffer.from(withoutBOM(latin1), 'latin1').toString('utf8')
  const blocks = []
  const visit = (parent, depth) => {
    for (let node = parent.firstChild; node; node = node.next) {
      const [[first], [last]] = node.sourcepos
      let fact = null
      if (node.type === 'heading') fact = node.level
      if (node.type === 'list' && node.listType === 'ordered') fact = node.listStart
      const tight = node.type === 'list' ? node.listTight : null
      blocks.push({ kind: commonmarkKinds[node.type], depth, fact, first, last, start: null, end: null, tight })
      visit(node, depth + 1)
    }
  }
  visit(commonmarkParser.parse(source), 0)
  return blocks
}

// mdast, by way of micromark: kinds, lines and bytes. Inline constructs are
// switched off, for they take most of its time and say nothing about blocks.

const mdastKinds = {
  blockquote: 'block_quote', list: 'list', listItem: 'item', footnoteDefinition: 'footnote_definition',
  paragraph: 'paragraph', heading: 'heading', thematicBreak: 'thematic_break', definition: 'link_definition',
  table: 'table', tableRow: 'table_row', tableCell: 'table_cell', code: 'code', html: 'html_block',
  yaml: 'front_matter', toml: 'front_matter',
}
const noInlines = {
  disable: {
    null: ['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'hardBreakEscape',
      'hardBreakTrailing', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink', 'gfmFootnoteCall'],
  },
}
const mdastExtensions = {
  commonmark: [[noInlines], []],
  tables: [[noInlines, gfmTable(), gfmTaskListItem()], [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()]],
  all: [
    [noInlines, gfmTable(), gfmTaskListItem(), gfmFootnote(), frontmatter(['yaml', 'toml'])],
    [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown(), gfmFootnoteFromMarkdown(), frontmatterFromMarkdown(['yaml', 'toml'])],
  ],
}

export function mdastTree(latin1, mode) {
  const [extensions, mdastOptions] = mdastExtensions[mode]
  const source = withoutBOM(latin1)
  const shift = latin1.length - source.length
  const blocks = []
  const visit = (parent, depth, columns) => {
    // A row's cells beyond those of the head are ignored, says GFM; mdast keeps them.
    const children = parent.children ?? []
    for (const node of parent.type === 'tableRow' ? children.slice(0, columns) : children) {
      const kind = mdastKinds[node.type]
      if (!kind) continue // inline
      const { start, end } = node.position
      let fact = null
      if (kind === 'heading') fact = node.depth
      if (kind === 'list' && node.ordered) fact = node.start
      if (kind === 'item' && typeof node.checked === 'boolean') fact = node.checked ? 'done' : 'task'
      const span = kind === 'table_cell' ? cellSpan(source, start.offset, end.offset) : [start.offset, end.offset]
      blocks.push({
        kind, depth, fact, first: start.line, last: end.line, start: span[0] + shift, end: span[1] + shift, tight: null,
      })
      // It takes the checkbox off the paragraph.
      if (parent.type === 'listItem' && typeof parent.checked === 'boolean' && node === parent.children[0]) {
        blocks.at(-1).start = null
      }
      visit(node, depth + 1, kind === 'table' ? node.children[0].children.length : columns)
    }
  }
  visit(fromMarkdown(source, { extensions, mdastExtensions: mdastOptions }), 0)
  return blocks
}

// cellSpan cuts a cell of mdast, which holds the pipes beside it and the blanks,
// down to its text.
export function cellSpan(source, start, end) {
  const blank = (i) => source[i] === ' ' || source[i] === '\t'
  const trimEnd = () => {
    while (end > start && blank(end - 1)) end--
  }
  if (source[start] === '|') start++
  trimEnd()
  if (end > start && source[end - 1] === '|' && source[end - 2] !== '\\') end--
  trimEnd()
  while (start < end && blank(start)) start++
  return [start, end]
}

// cmark and cmark-gfm: kinds, and the lines at which blocks begin. Their last
// lines are wrong in most real documents.

const cmarkKinds = {
  ...commonmarkKinds,
  table: 'table', table_header: 'table_row', table_row: 'table_row', table_cell: 'table_cell', tasklist: 'item',
}

export function cmarkTree(program, args, latin1) {
  const input = Buffer.from(latin1, 'latin1')
  const xml = execFileSync(program, ['-t', 'xml', '--sourcepos', ...args], { input, maxBuffer: 1 << 30 }).toString('latin1')
  const blocks = []
  let depth = -1 // the document is outside
  for (const [, closing, name, attributes, empty] of xml.matchAll(/<(\/?)([a-z_]+)((?: [a-z:]+="[^"]*")*) ?(\/?)>/g)) {
    if (closing) {
      depth--
      continue
    }
    const attribute = Object.fromEntries([...attributes.matchAll(/ ([a-z:]+)="([^"]*)"/g)].map((m) => [m[1], m[2]]))
    if (cmarkKinds[name]) {
      let fact = null
      if (name === 'heading') fact = Number(attribute.level)
      if (name === 'list' && attribute.type === 'ordered') fact = Number(attribute.start)
      if (name === 'tasklist') fact = attribute.completed === 'true' ? 'done' : 'task'
      const first = attribute.sourcepos ? Number(attribute.sourcepos.split(':')[0]) : null
      const tight = name === 'list' ? attribute.tight === 'true' : null
      // A cell that is empty has an empty range, the others have an unknown one.
      const start = name === 'table_cell' && empty ? 0 : null
      blocks.push({ kind: cmarkKinds[name], depth, fact, first, last: null, start, end: start, tight })
    }
    if (!empty) depth++
  }
  return blocks
}

function withoutBOM(latin1) {
  return latin1.startsWith(bom) ? latin1.slice(bom.length) : latin1
}

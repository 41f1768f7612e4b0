// Reads Markdown as remark does, with remark-gfm's extension for tables: for each line of
// standard input, a document as JSON, it prints {tables, rest}. A table has the alignments of
// its columns and the texts of its cells row by row, as they are written; rest is what the
// document has beside tables. A test of internal/parts asks.
import { createInterface } from 'node:readline'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { cellSpan } from './references.mjs'

const options = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }

// read takes the tables out of a node and what is below it, and returns the rest.
function read(node, source, tables) {
  const { position, children, ...own } = node
  if (node.type !== 'table') return children ? [own, children.map((c) => read(c, source, tables))] : own
  tables.push({
    align: node.align.map((a) => a ?? 'none'),
    rows: children.map((row) => row.children.map(({ position: { start, end } }) => source.slice(...cellSpan(source, start.offset, end.offset)))),
  })
  return 'table'
}

for await (const line of createInterface({ input: process.stdin })) {
  const source = JSON.parse(line)
  const tables = []
  const rest = JSON.stringify(read(fromMarkdown(source, options), source, tables))
  process.stdout.write(JSON.stringify({ tables, rest }) + '\n')
}

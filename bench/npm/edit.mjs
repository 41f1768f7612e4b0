// Edits files with markdown-patch or remark, a request of JSON a line:
//
//   {"tool", "file", "title", "path", "operation": "replace" | "append", "content"}
//
// Each is answered by a line: {} if the tool did not complain, {"error"} if it did.

import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import markdownPatch from 'markdown-patch'
import { headingRange } from 'mdast-util-heading-range'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

const processor = unified().use(remarkParse).use(remarkStringify).use(remarkGfm).use(remarkFrontmatter, ['yaml', 'toml'])

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const tools = {
  // The target is the headings from the uppermost down.
  'markdown-patch'(source, { path, operation, content }) {
    const target = { targetType: 'heading', target: path, operation }
    if (operation === 'append') {
      return markdownPatch.applyPatch(source, { ...target, content: `\n\n${content}\n\n`, trimTargetWhitespace: true })
    }
    return markdownPatch.applyPatch(source, { ...target, content })
  },

  // The heading is found by the tool that remark has for it.
  remark(source, { title, operation, content }) {
    const tree = processor.parse(source)
    const added = processor.parse(content).children
    headingRange(tree, escaped(title), (start, nodes, end) =>
      operation === 'append' ? [start, ...nodes, ...added, end] : [start, ...added, end])
    return processor.stringify(tree)
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer = {}
  try {
    writeFileSync(request.file, tools[request.tool](readFileSync(request.file, 'utf8'), request))
  } catch (error) {
    answer = { error: error.reason ?? error.message ?? String(error) }
    if (answer.error === '') answer.error = error.name
  }
  console.log(JSON.stringify(answer))
}

// Edits files with markdown-patch or remark, a request of JSON a line:
//
//   {"tool", "file", "title", "line", "path", "operation": "replace" | "append", "content"}
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

const tools = {
  // The target is the headings from the uppermost down.
  // What is put in has the line endings of the file, as far as those are of one kind.
  'markdown-patch'(source, { path, operation, content }) {
    const target = { targetType: 'heading', target: path, operation }
    const crlf = source.includes('\r\n') && !/(?<!\r)\n/.test(source)
    const native = (text) => (crlf ? text.replaceAll('\n', '\r\n') : text)
    if (operation === 'append') {
      return markdownPatch.applyPatch(source, { ...target, content: native(`\n\n${content}\n\n`), trimTargetWhitespace: true })
    }
    return markdownPatch.applyPatch(source, { ...target, content: native(content) })
  },

  // The heading is found by the tool that remark has for it, by its title and line.
  remark(source, { title, line, operation, content }) {
    const tree = processor.parse(source)
    const added = processor.parse(content).children
    const meant = (text, heading) => text === title && heading.position.start.line === line
    let found = false // headingRange itself does not tell
    headingRange(tree, meant, (start, nodes, end) => {
      found = true
      return operation === 'append' ? [start, ...nodes, ...added, end] : [start, ...added, end]
    })
    if (!found) throw new Error('the heading is not there')
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

// Loaded by mocha beside the tests of vscode-markdown-languageservice: it writes down each
// question that they ask the service, with the documents that there are and the answer, a
// line of JSON each, for compare.mjs to ask sectile the same. SERVICE is the folder of the
// service's sources, built, and CASES the file that is written.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = (file) => import(pathToFileURL(join(process.env.SERVICE, 'out', file)))
const { InMemoryWorkspace } = await load('test/inMemoryWorkspace.js')
const { URI } = await load('util/vscodeUri.js')

writeFileSync(process.env.CASES, '')
let workspace // of which the service has asked something
for (const method of ['getAllMarkdownDocuments', 'openMarkdownDocument', 'stat']) {
  const original = InMemoryWorkspace.prototype[method]
  InMemoryWorkspace.prototype[method] = function (...args) {
    workspace = this
    return original.apply(this, args)
  }
}

let title = ''
export const mochaHooks = {
  beforeEach() {
    title = this.currentTest.fullTitle()
    workspace = undefined
  },
}

const pathOf = (uri) => (typeof uri === 'string' ? URI.parse(uri) : URI.from(uri)).path

// filesBelow returns the paths of all files of the workspace.
async function filesBelow(folder) {
  const found = []
  for (const [name, { isDirectory }] of await workspace.readDirectory(URI.file(folder))) {
    const path = join(folder, name)
    found.push(...(isDirectory ? await filesBelow(path) : [path]))
  }
  return found
}

// snapshot returns the documents of the workspace, or the one document that is asked about.
async function snapshot(doc) {
  if (!workspace) return { documents: { [pathOf(doc.uri)]: doc.getText() }, files: [], roots: ['/workspace'] }
  const documents = {}
  for (const d of workspace.values()) documents[pathOf(d.uri)] = d.getText()
  if (doc?.uri) documents[pathOf(doc.uri)] = doc.getText()
  const files = (await filesBelow('/')).filter((path) => !(path in documents))
  return { documents, files, roots: workspace.workspaceFolders.map(pathOf) }
}

const place = ({ uri, range }) => ({ path: pathOf(uri), line: range.start.line + 1, range })

// changes returns a change of the workspace as edits and renames of files, in order.
const changes = (edit) =>
  (edit?.documentChanges ?? []).map((change) =>
    change.kind === 'rename'
      ? { from: pathOf(change.oldUri), to: pathOf(change.newUri) }
      : { path: pathOf(change.textDocument.uri), edits: change.edits })

const calls = [
  ['rename.js', 'MdRenameProvider', 'provideRenameEdits', (doc, position, name) => ({ call: 'rename', path: pathOf(doc.uri), position, name }), changes],
  ['fileRename.js', 'MdFileRenameProvider', 'getRenameFilesInWorkspaceEdit',
    (edits) => ({ call: 'file rename', renames: [...edits].map((e) => ({ from: pathOf(e.oldUri), to: pathOf(e.newUri) })) }), (result) => changes(result?.edit)],
  ['references.js', 'MdReferencesProvider', 'provideReferences', (doc, position) => ({ call: 'references', path: pathOf(doc.uri), position }), (all) => all.map(place)],
  ['references.js', 'MdReferencesProvider', 'getReferencesToFileInWorkspace', (uri) => ({ call: 'file references', path: pathOf(uri) }),
    (all) => all.map((r) => place(r.location))],
  ['definitions.js', 'MdDefinitionProvider', 'provideDefinition', (doc, position) => ({ call: 'definition', path: pathOf(doc.uri), position }),
    (found) => [found ?? []].flat().map(place)],
  ['diagnostics.js', 'DiagnosticComputer', 'compute', (doc, options) => ({ call: 'diagnostics', path: pathOf(doc.uri), options }),
    (result) => result.diagnostics.map((d) => ({ code: d.code, line: d.range.start.line + 1 }))],
  ['documentLinks.js', 'MdLinkComputer', 'getAllLinks', (doc) => ({ call: 'links', path: pathOf(doc.uri) }),
    (all) => [...all].map((l) => ({ line: l.source.range.start.line + 1, text: l.source.hrefText, href: l.href.kind, kind: l.kind }))],
  ['updatePastedLinks.js', 'MdUpdatePastedLinksProvider', 'provideDocumentPasteEdits', (doc) => ({ call: 'paste', path: pathOf(doc.uri) }), () => []],
]

let asking = 0 // questions that others ask on the way are theirs
for (const [file, name, method, question, answer] of calls) {
  const type = (await load('languageFeatures/' + file))[name]
  const original = type.prototype[method]
  if (!original) throw new Error(`${name} has no ${method} any more`)
  type.prototype[method] = async function (...args) {
    if (asking > 0) return original.apply(this, args)
    const write = async (answered) =>
      appendFileSync(process.env.CASES, JSON.stringify({ test: title, ...question(...args), ...(await snapshot(args[0])), ...answered }) + '\n')
    asking++
    try {
      const result = await original.apply(this, args)
      await write({ answer: answer(result) })
      return result
    } catch (error) {
      await write({ error: String(error.message ?? error) })
      throw error
    } finally {
      asking--
    }
  }
}

// Asks vscode-markdown-languageservice, which VS Code's own support of Markdown is made of:
//
//   node vscode.mjs broken FOLDER             a destination a line that leads nowhere
//   node vscode.mjs heading FOLDER FILE LINE TITLE
//   node vscode.mjs document FOLDER FROM TO
//
// The last two change the files below the folder as the editor would.

import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import MarkdownIt from 'markdown-it'
import { TextDocument } from 'vscode-languageserver-textdocument'
import * as service from 'vscode-markdown-languageservice'
import { URI } from 'vscode-uri'

const [question, given, ...rest] = process.argv.slice(2)
const folder = resolve(given)
const uri = (path) => URI.parse(pathToFileURL(path).toString())
const never = () => ({ dispose() {} })
const token = { isCancellationRequested: false, onCancellationRequested: never }

// The documents of the folder as the service wants them, without one that is open in an editor.
class Workspace {
  documents = new Map()
  workspaceFolders = [uri(folder)]
  onDidChangeMarkdownDocument = never
  onDidCreateMarkdownDocument = never
  onDidDeleteMarkdownDocument = never

  constructor(below) {
    for (const name of readdirSync(below, { recursive: true })) {
      if (name.endsWith('.md')) this.add(join(below, name))
    }
  }

  add(path) {
    const at = uri(path)
    const document = TextDocument.create(at.toString(), 'markdown', 1, readFileSync(path, 'utf8'))
    this.documents.set(at.toString(), { ...shape(document), $uri: at })
  }

  getAllMarkdownDocuments() { return this.documents.values() }
  hasMarkdownDocument(at) { return this.documents.has(at.toString()) }
  async openMarkdownDocument(at) { return this.documents.get(at.toString()) }
  stat(at) { return existsSync(at.fsPath) ? { isDirectory: statSync(at.fsPath).isDirectory() } : undefined }
  readDirectory(at) { return readdirSync(at.fsPath, { withFileTypes: true }).map((entry) => [entry.name, { isDirectory: entry.isDirectory() }]) }
}

// The members of a document, which its class has on its prototype.
function shape(document) {
  return {
    uri: document.uri, version: 1, lineCount: document.lineCount,
    getText: (range) => document.getText(range),
    positionAt: (offset) => document.positionAt(offset),
    offsetAt: (position) => document.offsetAt(position),
  }
}

const engine = new MarkdownIt({ html: true })
const workspace = new Workspace(folder)
const asked = service.createLanguageService({
  workspace, logger: { level: 0, log() {} },
  parser: { slugifier: service.githubSlugifier, tokenize: async (document) => engine.parse(document.getText(), {}) },
})

// Writes an edit of the workspace.
function write(edit) {
  const changes = (edit.documentChanges ?? []).filter((one) => one.edits).map((one) => [one.textDocument.uri, one.edits])
  for (const [at, edits] of [...changes, ...Object.entries(edit.changes ?? {})]) {
    const path = URI.parse(at).fsPath
    writeFileSync(path, TextDocument.applyEdits(TextDocument.create(at, 'markdown', 1, readFileSync(path, 'utf8')), edits))
  }
}

if (question === 'broken') {
  const level = service.DiagnosticLevel.error
  // A label without a definition is text, and no link.
  const options = { validateReferences: service.DiagnosticLevel.ignore, validateFragmentLinks: level, validateFileLinks: level, validateMarkdownFileLinkFragments: level, ignoreLinks: [] }
  for (const document of workspace.documents.values()) {
    for (const found of await asked.computeDiagnostics(document, options, token)) console.log(document.getText(found.range))
  }
} else if (question === 'heading') {
  const [file, line, title] = rest
  const document = workspace.documents.get(uri(join(folder, file)).toString())
  write(await asked.getRenameEdit(document, { line: line - 1, character: 4 }, title, token))
} else {
  const [from, to] = rest.map((path) => join(folder, path))
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  // The editor tells the service of the file before it asks.
  workspace.documents.delete(uri(from).toString())
  workspace.add(to)
  const answer = await asked.getRenameFilesInWorkspaceEdit([{ oldUri: uri(from), newUri: uri(to) }], token)
  if (answer) write(answer.edit)
}

// Asks sectile what the tests of vscode-markdown-languageservice have asked the service, as
// record.mjs has written it down, and compares the answers:
//
//   node compare.mjs SECTILE CASES
//
// It prints a table, and each difference that known.json doesn't explain. The exit code is 1
// if there is one, or if an explanation is no longer needed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const [sectile, casesFile] = process.argv.slice(2)
const known = JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8'))
const cases = readFileSync(casesFile, 'utf8').trim().split('\n').map((line) => JSON.parse(line))

// A question that sectile has no verb for: what the question is about.
class NotAsked extends Error {}

// The workspace of a case as files in a folder, of which paths begin with '/'.
class Workspace {
  constructor(asked) {
    this.folder = mkdtempSync(join(tmpdir(), 'languageservice-'))
    for (const [path, text] of Object.entries(asked.documents)) this.write(path, text)
    for (const path of asked.files) this.write(path, '')
    const about = asked.path ?? asked.renames[0].from
    this.root = asked.roots.filter((root) => about.startsWith(root + '/')).sort().at(-1) ?? asked.roots[0]
    this.write(join(this.root, '.sectile.yaml'), 'links: {root: .}\n')
    mkdirSync(join(this.folder, this.root, '.git'))
  }

  write(path, text) {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  // run runs sectile at the root of the workspace.
  run(...args) {
    const done = spawnSync(sectile, args, { cwd: join(this.folder, this.root), encoding: 'utf8' })
    return { code: done.status, out: done.stdout, error: done.stderr }
  }

  // objects returns what a command prints as JSON, an object a line.
  objects(...args) {
    const { out, error } = this.run(...args, '--json')
    const all = out.trim().split('\n').filter(Boolean).map((line) => JSON.parse(line))
    const wrong = all.find((object) => object.error)
    if (wrong) throw new Error(`sectile ${args.join(' ')}: ${JSON.stringify(wrong)} ${error}`)
    return all
  }

  // back gives what an editor has renamed its old name again.
  back(from, to) {
    const [is, was] = [join(this.folder, to), join(this.folder, from)]
    if (existsSync(was) || !existsSync(is)) {
      if (!existsSync(was)) this.write(from, '')
      return
    }
    mkdirSync(dirname(was), { recursive: true })
    renameSync(is, was)
  }

  in(path) { return relative(this.root, path) }
  out(path) { return join(this.root, path) }

  // texts returns the documents that there are now.
  texts(folder = '/') {
    const found = {}
    for (const name of readdirSync(join(this.folder, folder))) {
      const path = join(folder, name)
      if (name.startsWith('.')) continue
      if (statSync(join(this.folder, path)).isDirectory()) Object.assign(found, this.texts(path))
      else found[path] = readFileSync(join(this.folder, path), 'utf8')
    }
    return found
  }

  // headings returns the first lines of a document's headings.
  headings(path) {
    return this.objects('sections', this.in(path)).flatMap((page) => page.sections ?? page).map((s) => s.start_line)
  }

  // links returns all links of the workspace, with paths as the service has them.
  links(...args) {
    const all = this.objects('links', ...args).map((l) => ({ ...l, path: this.out(l.file_path), target: l.target && this.out(l.target) }))
    return all
  }

  remove() { rmSync(this.folder, { recursive: true }) }
}

// edited returns the documents after changes, edits of lines and characters from 0.
function edited(documents, changes) {
  const texts = { ...documents }
  for (const change of changes) {
    if (change.from) {
      if (change.from in texts) texts[change.to] = texts[change.from]
      delete texts[change.from]
      continue
    }
    const text = texts[change.path]
    const starts = [0]
    for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1)
    const offset = ({ line, character }) => starts[line] + character
    let result = text
    for (const { range, newText } of [...change.edits].sort((a, b) => offset(b.range.start) - offset(a.range.start)))
      result = result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end))
    texts[change.path] = result
  }
  return texts
}

// headingOf returns the one place among those of an answer that is a heading.
function headingOf(workspace, places) {
  const found = places.filter((p) => workspace.headings(p.path).includes(p.line))
  const distinct = new Set(found.map((p) => `${p.path}:${p.line}`))
  return distinct.size === 1 ? found[0] : undefined
}

// linkAt returns the link of the document that is asked about on which the position stands.
function linkAt(workspace, asked) {
  const text = asked.documents[asked.path].split('\n')[asked.position.line]
  for (const flags of [[], ['--external']])
    for (const l of workspace.links(workspace.in(asked.path), ...flags)) {
      const at = text.indexOf(l.destination)
      if (l.line === asked.position.line + 1 && at >= 0 && at <= asked.position.character && asked.position.character <= at + l.destination.length) return l
    }
}

const shown = (list) => [...new Set(list)].sort()
const placesOf = (list) => shown(list.map((p) => `${p.path}:${p.line}`))

// Each asks sectile, and returns its answer and the service's in one form.
const questions = {
  rename(workspace, asked) {
    const edits = asked.answer.flatMap((c) => (c.edits ?? []).map((e) => ({ path: c.path, line: e.range.start.line + 1 })))
    if (asked.answer.some((c) => c.from)) throw new NotAsked('a file, from a link to it')
    const heading = headingOf(workspace, edits)
    if (!heading) throw new NotAsked('a label, an address or an id in HTML')
    const read = workspace.objects('read', workspace.in(heading.path), `L${heading.line}`)[0].passages[0]
    const done = workspace.run('rename', workspace.in(heading.path), `L${heading.line}`, asked.name, '--expected-hash', read.hash, '--links', 'update')
    const want = edited(asked.documents, asked.answer)
    if (done.error.includes('links_would_break')) {
      const elsewhere = edits.filter((e) => e.path !== heading.path).length
      const told = Number(/(\d+) links? of them in other documents/.exec(done.error)?.[1] ?? 0)
      return { refused: true, ours: `refused: ${told} links in other documents`, theirs: elsewhere === told ? undefined : `${elsewhere} links in other documents` }
    }
    if (done.code !== 0) return { ours: done.error, theirs: want }
    const now = workspace.texts()
    return { ours: Object.fromEntries(Object.keys(want).map((path) => [path, now[path]])), theirs: want }
  },

  'file rename'(workspace, asked) {
    if (asked.renames.some(({ from }) => !from.endsWith('.md'))) throw new NotAsked('a folder, or a file that is no document')
    // Definitions stand apart, so that they are some (see known.json).
    const apart = (text) => text.replace(/(?<=[^\n])\n(?=\[[^\]]+\]: )/g, '\n\n')
    for (const [path, text] of Object.entries(asked.documents)) workspace.write(path, apart(text))
    const want = Object.fromEntries(Object.entries(edited(asked.documents, asked.answer)).map(([path, text]) => [path, apart(text)]))
    // The service is asked when the editor has renamed some, or all; sectile renames itself.
    const done = []
    for (const { from, to } of asked.renames) {
      workspace.back(from, to)
      const { code, error } = workspace.run('mv', workspace.in(from), workspace.in(to), '--links', 'update')
      if (code !== 0) done.push(error)
    }
    const now = workspace.texts()
    const moved = (path) => asked.renames.reduce((p, r) => (p === r.from || p.startsWith(r.from + '/') ? r.to + p.slice(r.from.length) : p), path)
    const theirs = Object.fromEntries(Object.entries(want).map(([path, text]) => [moved(path), text]))
    return { ours: { ...Object.fromEntries(Object.keys(theirs).map((path) => [path, now[path]])), ...(done.length ? { done } : {}) }, theirs }
  },
  paste() { throw new NotAsked('text that is pasted from another document') },

  references(workspace, asked) {
    const heading = headingOf(workspace, asked.answer)
    if (heading) {
      const to = `${workspace.in(heading.path)}:${heading.line}`
      return { ours: placesOf(workspace.links('--to', to)), theirs: placesOf(asked.answer.filter((p) => p !== heading)) }
    }
    const link = linkAt(workspace, asked)
    if (!link) {
      if (asked.answer.length === 0) return { ours: [], theirs: [] } // no link, and no reference
      throw new NotAsked('a label or an id in HTML')
    }
    if (link.status === 'external')
      return { ours: placesOf(workspace.links('--external').filter((l) => l.destination === link.destination)), theirs: placesOf(asked.answer) }
    if (link.reason === 'no_file')
      return { ours: placesOf(workspace.links('--broken').filter((l) => l.target === link.target)), theirs: placesOf(asked.answer) }
    const to = link.target_line ? `${workspace.in(link.target)}:${link.target_line}` : workspace.in(link.target)
    const declared = asked.answer.filter((p) => p.path === link.target && p.line === link.target_line)
    return { ours: placesOf(workspace.links('--to', to)), theirs: placesOf(asked.answer.filter((p) => !declared.includes(p))) }
  },

  'file references'(workspace, asked) {
    return { ours: placesOf(workspace.links('--to', workspace.in(asked.path))), theirs: placesOf(asked.answer) }
  },

  definition(workspace, asked) {
    const link = linkAt(workspace, asked)
    if (link && link.status === 'ok' && link.target_line) return { ours: [`${link.target}:${link.target_line}`], theirs: placesOf(asked.answer) }
    if (!link && asked.answer.length === 0) return { ours: [], theirs: [] }
    throw new NotAsked('the definition of a label')
  },

  diagnostics(workspace, asked) {
    const files = asked.answer.filter((d) => /^link\.no-such-(file|header)/.test(d.code))
    return { ours: placesOf(workspace.links('--broken', workspace.in(asked.path))), theirs: placesOf(files.map((d) => ({ ...d, path: asked.path }))) }
  },

  links(workspace, asked) {
    const ours = [...workspace.links(workspace.in(asked.path)), ...workspace.links(workspace.in(asked.path), '--external')]
    const plain = (s) => s.replace(/\\([!-/:-@[-`{-~])/g, '$1')
    return {
      ours: shown(ours.map((l) => `${l.line} ${l.destination}`)),
      theirs: shown(asked.answer.filter((l) => l.href !== 2).map((l) => `${l.line} ${plain(l.text)}`)), // 2: a reference, whose definition is listed
    }
  },
}

const tally = {}
const used = new Set()
let failed = false
for (const [i, asked] of cases.entries()) {
  const row = (tally[asked.call] ??= { asked: 0, same: 0, refused: 0, explained: 0, without: {} })
  if (asked.error) continue // a test of an error of the service's own
  row.asked++
  const workspace = new Workspace(asked)
  try {
    const { ours, theirs, refused } = questions[asked.call](workspace, asked)
    if (refused && theirs === undefined) {
      row.refused++
      continue
    }
    if (JSON.stringify(ours) === JSON.stringify(theirs)) {
      row.same++
      continue
    }
    const why = known.find((k) => k.call === asked.call && k.tests.includes(asked.test))
    if (why) {
      row.explained++
      used.add(`${why.class} ${asked.test}`)
      if (!process.env.ALL) continue
    } else failed = true
    console.log(`${why ? 'explained: ' + why.class : 'DIFFERENT'}: ${asked.call}, case ${i + 1}: ${asked.test}`)
    for (const [path, text] of Object.entries(asked.documents)) console.log(`--- ${path}\n${text}`)
    console.log('ours  ', JSON.stringify(ours), '\ntheirs', JSON.stringify(theirs), '\n')
  } catch (error) {
    if (!(error instanceof NotAsked)) throw new Error(`case ${i + 1}, ${asked.test}: ${error.message}`, { cause: error })
    row.without[error.message] = (row.without[error.message] ?? 0) + 1
  } finally {
    workspace.remove()
  }
}
for (const k of known)
  for (const test of k.tests)
    if (!used.has(`${k.class} ${test}`)) {
      console.log(`no longer different: ${k.class}: ${test}`)
      failed = true
    }

console.log('| question | asked | same | refused, as many told | different, explained | no verb for it |')
console.log('| --- | --: | --: | --: | --: | --- |')
for (const [call, row] of Object.entries(tally)) {
  const without = Object.entries(row.without).map(([what, n]) => `${n}: ${what}`).join('; ')
  console.log(`| ${call} | ${row.asked} | ${row.same} | ${row.refused} | ${row.explained} | ${without} |`)
}
process.exitCode = failed ? 1 : 0

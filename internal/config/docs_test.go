package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/sectile/sectile/internal/yamltree"
)

// docs/config.md is made from the table of keys. go test -update writes it anew.

var update = flag.Bool("update", false, "write docs/config.md anew")

// limits tells of the limits that the code has.
var limits = message.NewPrinter(language.English).Sprintf(
	"A file has at most %d MiB, %d lines of at most %d KiB, %d keys, %d values with the keys, and %d levels. A list of patterns, entries or presets has at most %d items.",
	yamltree.MaxSize>>20, yamltree.MaxLines, yamltree.MaxLine>>10, yamltree.MaxKeys, yamltree.MaxValues, yamltree.MaxNesting, maxList)

var configPage = `# The configuration

<!-- Made by: go test ./internal/config -run ConfigPage -update -->

Which folders sectile serves as categories of guidance, how much of them, and where plans are kept. This page is made from the program's table of keys and checked by a test. ` + "`sectile guide init`" + ` writes a commented start, ` + "`sectile guide validate`" + ` says what is wrong, with line and column, and ` + "`sectile guide add`, `change` and `remove`" + ` change it.

` + "```yaml\n" + configExample + "```" + `

## Where it is

- The project's file is ` + "`.sectile.yaml`" + ` at the root of the project. The root is the nearest folder, from the first ` + "`--root`" + ` or the working directory upwards, that holds ` + "`.sectile.yaml`, `.jj` or `.git`" + `; links on the way are resolved. A ` + "`.jj`" + ` or ` + "`.git`" + ` that somebody else has left in a folder which everybody may write to, such as ` + "`/tmp`" + `, doesn't count: one of neither the user, root nor the folder's owner, unless ` + "`trust.folders`" + ` has the folder. What the folder is called doesn't matter. A link in place of the file must not leave the project.
- The user's file is ` + "`sectile/config.yaml`" + ` in ` + "`$XDG_CONFIG_HOME`" + ` if that is an absolute path, and otherwise in the usual place of the system, which is ` + "`~/.config`" + ` on Linux. It may be a link.

Both are read at every call, so that a change counts at the next one. Reading never writes. Neither has to be there.

A configuration is obeyed if it is the user's own: the project's file and the folder that holds it must belong to the user who runs sectile, as with git's ` + "`safe.directory`" + `. Root obeys also whoever called ` + "`sudo`" + `. What belongs to others is an error that says so, until the user's file names the folder below ` + "`trust.folders`" + `. The user's file must belong to the user or to root. On Windows this isn't checked. Where somebody else has left a ` + "`.sectile.yaml`" + ` in a folder such as ` + "`/tmp`" + `, this error is that of guides and plans, and for the rest it is as if the file weren't there. Documents are read and changed without a user's file that is another's, or that may not be read, as where a program runs with the home folder of somebody else. Where one that may not be read is the user's own, or lies in a folder of the user's and isn't known to be another's, it may say something of the journal: nothing is kept of changes then, and nothing cleared away. Any other user's file that can't be used is not passed over where ` + "`headings`, `journal` or `links.dialect`" + ` may stand in it.

The user's file is for what the project's doesn't say: each category, each collection, each preset of plans and each setting below ` + "`guide` and `plan`" + ` is taken from the project's file if it is there, whole, and otherwise from the user's. A collection of one file may name what is in the other; one of the user's file that names what only other projects have can't be asked for, and all else can. A category and a collection must not have the same name, be it in one file or in both.

## What a project may say

Anybody may have written the file of a project, so it can't widen what a server serves or writes:

- A category's folder lies in the project and, for a server, in one of its roots, wherever links lead. If the project is above the roots, what its file names beside them is refused: start the server with ` + "`--root`" + ` for that folder too, or name it in the user's file. On the command line, which is the user's own, all of the project counts.
- The file of a plan lies there too. It is Markdown, or in ` + "`.sectile`" + `, by its own name and by the one that links lead to.
- Whoever's file says it, [what is protected](protected.md) is neither served nor written.
- Only the user's file has ` + "`headings`, `search`, `journal` and `trust`" + `. A server reads that file and never writes it, by whatever name it lies below a root.

## How it is written

The files are YAML, of which a part is enough: mappings, lists and single values, as blocks or in brackets, in quotes or not. Anchors, aliases, tags, merge keys, ` + "`? `" + ` keys, directives and several documents are refused with the line and column. Unknown keys and keys that are there twice are refused too.

- **Put patterns in quotes.** In YAML ` + "`*`" + ` begins an alias, ` + "`[` and `{`" + ` a list or mapping, ` + "`!`" + ` a tag: write ` + "`\"*.md\"`" + `, not ` + "`*.md`" + `.
- What is meant as a text is taken as it is written: ` + "`dir: 2024`" + ` is the folder 2024, and ` + "`yes`" + ` can be a name. Only the values of ` + "`vars`" + ` and of presets are numbers or truth values if they look like it.
- Names of categories and collections have letters, digits, ` + "`-` and `_`" + `, letters of any script, 1 to 64 characters. Case counts.
- ` + limits + ` The file is UTF-8 and may begin with a byte order mark. Line endings are LF or CRLF.

## What a change keeps

` + "`sectile guide add`, `change` and `remove`" + ` replace only the bytes that the change is about; comments, blank lines, the order of keys, quotes and line endings stay. What is added follows what is there: its indentation, its blank lines, brackets or blocks. Comments above something that is taken out stay, also an item of a list; those inside, and behind it on its lines, go with it. Renaming a category or collection renames it in the collections of the same file; what a collection names can't be removed.

The new text is read before it is written, and must say what was asked for and nothing else. If a file is written in such a way that this can't be done, it is left alone, and the message names the place that is to be changed by hand. A file is replaced as a whole, under a lock: two programs that change it at once lose nothing.

## Keys
`

const configExample = `categories:
  docs:
    dir: docs
    patterns: ["*.md", "guides/**"]
    description: What users read
  rules:
    dir: .config/rules
    patterns:
      - "**/*.md"
    vars:
      team: Platform

collections:
  start: [docs, "rules/go/*.md"]
  all:
    description: All that there is
    entries:
      - start
      - rules

guide:
  max_files: 50

plan:
  preset: short
  presets:
    short: {base: CONVENTIONAL, max_title: 72}
`

func TestConfigPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(configPage)
	for _, k := range keys {
		writeKey(&b, &k)
	}
	page := filepath.Join("..", "..", "docs", "config.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/config.md is stale (-page +program), go test ./internal/config -run ConfigPage -update writes it anew:\n%s", diff)
	}
}

// writeKey writes what the page says of a key.
func writeKey(b *strings.Builder, k *Key) {
	fmt.Fprintf(b, "\n### %s\n\n", k.Path)
	what := string(k.Type)
	if k.Required {
		what += ", required"
	}
	if k.Type == NumberValue {
		what += fmt.Sprintf(", %d to %d %s", k.Min, k.Max, k.Unit)
		if k.ProjectMax > 0 {
			what += fmt.Sprintf(", in a project's file to %d", k.ProjectMax)
		}
	} else if k.Max > 0 {
		what += fmt.Sprintf(", at most %d %s", k.Max, k.Unit)
		if k.Type == PatternsValue || k.Type == FoldersValue {
			what += " each"
		}
	}
	if k.UserOnly {
		what += ", in the user's file alone"
	}
	if k.Default != "" {
		what += ", default " + k.Default
	}
	fmt.Fprintf(b, "%s%s. %s\n", strings.ToUpper(what[:1]), what[1:], k.Meaning)
	if k.Example != "" {
		fmt.Fprintf(b, "\n```yaml\n%s: %s\n```\n", k.Name(), k.Example)
	}
}

// TestKeys sees that the table is true: its defaults are those in force, its limits
// are checked, its examples are valid, and reading knows each key.
func TestKeys(t *testing.T) {
	settings := merge(nil, nil).config.Guide
	inForce := map[string]int64{
		"guide.max_depth": int64(settings.MaxDepth), "guide.max_files": int64(settings.MaxFiles),
		"guide.max_file_bytes": settings.MaxFileBytes, "guide.max_reply_bytes": settings.MaxReplyBytes,
	}
	inForce["journal.days"], inForce["journal.bytes"] = int64(defaultJournal.Days), defaultJournal.Bytes
	seen := map[string]bool{"": true}
	for _, k := range keys {
		above, _, _ := cutLast(k.Path)
		if !seen[above] || k.Meaning == "" || !strings.HasSuffix(k.Meaning, ".") {
			t.Errorf("%s has no key above it, or no meaning", k.Path)
		}
		seen[k.Path] = true
		if k.Type == NumberValue {
			if k.Default != fmt.Sprint(inForce[k.Path]) {
				t.Errorf("the default of %s is %d", k.Path, inForce[k.Path])
			}
			project := k.Max
			if k.ProjectMax > 0 {
				project = k.ProjectMax
			}
			for scope, most := range map[Scope]int64{User: k.Max, Project: project} {
				if k.UserOnly && scope == Project {
					continue
				}
				for value, right := range map[int64]bool{k.Min - 1: false, k.Min: true, most: true, most + 1: false} {
					f := parse(fmt.Appendf(nil, "%s: {%s: %d}", above, k.Name(), value), scope, nil)
					if right != (len(f.problems) == 0) || right && f.settings[k.Name()] != value {
						t.Errorf("%s: %d: %v", k.Path, value, f.problems)
					}
				}
			}
		}
		if k.Example == "" {
			continue
		}
		scope := Project
		if k.UserOnly {
			scope = User
			if problems := problemsIn(withKey(k), Project); len(problems) != 1 || !strings.Contains(problems[0], "only the user's own file") {
				t.Errorf("%s in a project: %v", k.Path, problems)
			}
		}
		if problems := problemsIn(withKey(k), scope); problems != nil {
			t.Errorf("%s: %v", k.Path, problems)
		}
		if k.Name() == "NAME" { // its name is any
			continue
		}
		other := regexp.MustCompile(`[{,] *`+k.Name()+`: `).ReplaceAllStringFunc(withKey(k), func(s string) string { return s[:1] + "unknown_key: " })
		if reflect.DeepEqual(inForceOf(withKey(k), scope), inForceOf(other, scope)) {
			t.Errorf("%s changes nothing", k.Path)
		}
	}
	if problems := problemsIn(configExample, Project); problems != nil {
		t.Error(problems)
	}
}

// inForceOf returns what a configuration comes to, whatever is wrong with it.
func inForceOf(text string, scope Scope) (in struct {
	Config

	Trust   Trust
	Search  Search
	Journal Journal

	Headings []string
},
) {
	f := parse([]byte(text), scope, nil)
	if scope == User {
		in.Config, in.Trust, in.Search, in.Journal, in.Headings = merge(nil, f).config, f.trust(), f.search(), f.journal(), f.headings
	} else {
		in.Config = merge(f, nil).config
	}
	return in
}

// withKey returns a configuration in which a key has the value of its example.
func withKey(k Key) string {
	text := "docs: {dir: docs}, rules: {dir: rules}"
	collections := ""
	switch above, name, _ := cutLast(k.Path); above {
	case "":
		return "{" + k.Path + ": " + k.Example + "}\n"
	case "categories":
		text += ", x: " + k.Example
	case "categories.NAME":
		if name == "dir" {
			text += ", x: {dir: " + k.Example + "}"
		} else {
			text += ", x: {dir: x, " + name + ": " + k.Example + "}"
		}
	case "collections":
		collections = "collections: {x: " + k.Example + "}\n"
	case "collections.NAME":
		collections = "collections: {x: {entries: [docs], description: a}}\n"
		collections = regexp.MustCompile(name+`: [^,}]*`).ReplaceAllLiteralString(collections, name+": "+k.Example)
	case "search":
		return "search: {" + name + ": " + k.Example + "}\n"
	case "search.roots":
		return "search: {roots: {x: " + k.Example + "}}\n"
	case "trust", "journal":
		return above + ": {" + name + ": " + k.Example + "}\n"
	case "plan":
		collections = "plan: {" + name + ": " + k.Example + "}\n"
	case "links":
		collections = "links: {" + name + ": " + k.Example + "}\n"
	case "plan.workflow":
		collections = "plan: {workflow: {x: " + k.Example + ", y: {}}}\n"
	case "plan.workflow.NAME":
		stage := "until: [header]"
		if name != "until" {
			stage += ", " + name + ": " + strconv.Quote(k.Example)
		} else {
			stage = "until: " + k.Example
		}
		if k.Type == WordsValue {
			stage = strings.ReplaceAll(stage, strconv.Quote(k.Example), k.Example)
		}
		collections = "plan: {workflow: {x: {" + stage + "}, y: {}}}\n"
	case "plan.presets":
		collections = "plan: {presets: {x: " + k.Example + "}}\n"
	default:
		collections = "guide: {" + name + ": " + k.Example + "}\n"
	}
	return "categories: {" + text + "}\n" + collections
}

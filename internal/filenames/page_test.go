package filenames

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/protected.md is made from the table. go test -update writes it anew.

var updatePages = flag.Bool("update", false, "write docs/protected.md anew")

const protectedPage = `# What is never served

<!-- Made by: go test ./internal/filenames -run ProtectedPage -update -->

A server neither reads nor writes files and folders of these names, in any folder below its roots or in a category, whatever a configuration says, the user's included, and whatever a call asks for. They are in no list and no suggestion either. Links that lead there are refused, and so are the names by which some file system takes one for another: in any case, with dots and blanks at the end, as a stream (` + "`.env::$DATA`" + `), by a short name (` + "`GIT~1`, `GI7EBA~1`" + `), with characters that can't be seen, and copies and templates (` + "`k.pem.bak`, `.npmrc~`, `.env.mustache`" + `).

It is a second wall. The first is that a server reads Markdown below its roots alone, unless it is told otherwise, and that what a project's file names is confined to them ([config.md](config.md#what-a-project-may-say)). The names are those that are usual: a key that is called ` + "`notes.md`" + ` is read as any other document, and files of a bare repository that is called ` + "`srv`" + ` are files like any others.

What somebody names on the command line is read (` + "`sectile read .env.md`" + `), but not what a folder or pattern holds beside it, and written no more than by a server, whatever command it is: the names below the repository that the working directory is in count (by its ` + "`.git`" + `, or by a ` + "`.jj`" + ` that no repository of git is around), and for a file that is not in it, all of its path; for a plan those below the repository that its project is in. A ` + "`.sectile.yaml`" + `, which a clone may have in any folder, changes nothing of that. A root that is given to a server may itself have one of the names but those of version control: names below it count, and with its own those that have two parts, so that below a root ` + "`.config`" + ` nothing in ` + "`gh`" + ` is read.

The user's own configuration, which says what a server may open, is never written by a server either, whatever it is called below a root and whatever links lead there. It is read as any other file.
`

// protectedHeads are what the kinds are called on the page, in its order, and what is said
// of them.
var protectedHeads = []struct {
	*Protection
	head, text string
}{
	{history, "Version control", "Whoever writes there changes history, or hooks that run."},
	{credentials, "Keys and passwords", "What programs log in with."},
	{commands, "What other programs run or obey", "Shells, editors and debuggers run these when they start or when a folder is opened, build tools when they are called there, hosts when something is pushed."},
	{Journal, "The journal of changes", "It has the texts of documents from anywhere, and what its records say is done when a change is undone. Under another name it is known by being the folder that `sectile log` reads."},
	{Agents, "Folders of coding agents", "In these, Markdown is read (`.md`, `.markdown`, `.mdx`; in categories of guides also `.mdc` and templates, as `a.md.mustache`), for rules stand there that are meant to be read. Settings and hooks aren't, and nothing is written: a command or skill in Markdown names programs that an agent then runs. What stands beside them, such as `AGENTS.md`, `.github/copilot-instructions.md` or `.cursorrules`, is a document like any other."},
}

func TestProtectedPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(protectedPage)
	rows, _ := tableRows()
	told := 0
	for _, kind := range protectedHeads {
		var names []string
		for _, r := range rows {
			if r.Protection == kind.Protection {
				names = append(names, "`"+strings.TrimPrefix(r.above+"/"+r.name, "/")+"`")
			}
		}
		told += len(names)
		slices.Sort(names)
		if kind.Protection == credentials {
			names = append(names, "`"+strings.Join(secretPrefixes[:], "*`, `")+"*`", "`*"+strings.Join(secretSuffixes[:], "`, `*")+"`")
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s\n", kind.head, kind.text, strings.Join(names, ", "))
	}
	if told != len(rows) {
		t.Errorf("%d names of %d are told", told, len(rows))
	}
	page := filepath.Join("..", "..", "docs", "protected.md")
	if *updatePages {
		if err := os.WriteFile(page, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/protected.md is stale (-page +program), go test ./internal/filenames -run ProtectedPage -update writes it anew:\n%s", diff)
	}
}

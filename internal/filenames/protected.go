package filenames

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Some files are never served and never written, whatever a configuration or a call
// names: they hold secrets, or programs run what they say, so that a text in them is a
// command. Which names these are stands in the one table below; whatever opens files
// below a root or in a category asks it at each name of the path, and at each that links
// lead to.
//
// It is a second wall. The first is that a server reads Markdown below its roots, and
// that a project keeps its plan in Markdown. The table has the names that are usual, and
// no list of such is ever complete.

// Protection says why names are protected, and how far.
type Protection struct {
	Reason string // why nothing is read
	Hint   string // what to do, or empty
	// Documents says that Markdown in the folder is read all the same: agents keep rules
	// there that are meant to be read. Nothing in it is written, for commands and skills
	// in Markdown name programs that an agent then runs.
	Documents bool
}

var (
	history     = &Protection{Reason: ReasonHistory}
	credentials = &Protection{Reason: "keys and passwords (.env, id_rsa, *.pem and the like) are never read or written", Hint: "name another file"}
	commands    = &Protection{Reason: "what other programs run or obey (.vscode, .github/workflows, .bashrc and the like) is never read or written", Hint: "name another file"}

	// Journal is that of the user's journal of changes.
	Journal = &Protection{
		Reason: "the journal of changes (sectile/journal) is never read or written", Hint: "list_changes tells of changes, and so does: sectile log",
	}

	// Agents is that of the folders of coding agents.
	Agents = &Protection{Reason: "of the folders of coding agents (.claude, .cursor and the like) Markdown alone is read", Documents: true}
)

// ReasonHistory says why version control's data is not read.
const ReasonHistory = "the data of version control (.git, .jj) is never read"

// ReasonAgents says why nothing is written into the folders of agents, HintAgents what to do.
const (
	ReasonAgents = "nothing is written into the folders of coding agents (.claude, .cursor and the like), for they run what stands there"
	HintAgents   = "name a file outside of them"
)

// protectedNames are the names of files and folders, in lower case. Behind a slash a
// name counts in that folder alone.
var protectedNames = map[*Protection]string{ //nolint:gosec // names of files, no secrets
	// Whoever writes here changes history, or hooks that run. A bare repository of git is
	// called NAME.git or .bare, and the first may have working trees in it.
	history: `.git .jj .hg .svn .bzr .sl .pijul _darcs .bare
		*.git/commondir *.git/config *.git/config.worktree *.git/head *.git/hooks *.git/index *.git/info *.git/logs
		*.git/modules *.git/objects *.git/packed-refs *.git/refs *.git/reftable *.git/shallow *.git/worktrees`,

	// Where programs keep what they log in with, by their usual names.
	credentials: `.env .envrc .direnv .netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .gem .pgpass .my.cnf .mylogin.cnf
		.htpasswd .git-credentials .gitconfig .dockercfg .s3cfg .boto .terraformrc .terraform.d .vault-token .vault_pass
		.ssh .gnupg .aws .azure .kube .docker .password-store .mozilla .config/gcloud .config/gh .config/git .config/op .config/rclone
		.bash_history .zsh_history .python_history .psql_history .mysql_history`,

	// Shells, editors and debuggers run these when they start or a folder is opened,
	// build tools when they are called there, hosts when something is pushed.
	commands: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
		.vimrc .exrc .nvimrc .nvim.lua .emacs .emacs.d .dir-locals.el .gdbinit .lldbinit .tmux.conf
		.config/autostart .config/systemd .config/fish .config/nvim .local/bin
		.vscode .idea .fleet .zed .devcontainer .devcontainer.json .mcp.json
		.husky .githooks .lefthook .lefthook.yml .lefthook.yaml .pre-commit-config.yaml .pre-commit-hooks.yaml .gitmodules
		.cargo .rustup .mvn .gradle .yarn .pnpmfile.cjs .pnp.cjs .bundle .mise .mise.toml .asdf .tool-versions
		.github/workflows .github/actions .github/hooks .gitea/workflows .forgejo/workflows .gitlab/ci .gitlab-ci.yml .gitlab-ci.yaml
		.circleci .buildkite .woodpecker .woodpecker.yml .woodpecker.yaml .drone.yml .travis.yml .appveyor.yml .cirrus.yml .azure-pipelines`,

	// It has the texts of documents from anywhere, and what it says is done when it is undone.
	Journal: `sectile/journal`,

	Agents: `.agents .claude .cursor .codex .gemini .windsurf .clinerules .continue .kiro .roo .junie .opencode .amazonq
		.github/agents .github/prompts .github/chatmodes .github/skills .github/instructions`,
}

// Names that are told by how they begin or end, in lower case: files of variables, and
// keys.
var (
	secretPrefixes = [...]string{".env.", ".env-", ".env_", ".envrc.", ".envrc-", ".envrc_", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"}
	secretSuffixes = [...]string{
		".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".ovpn", ".mobileprovision",
	}
)

// row is a name of the table.
type row struct {
	above string // the folder that it counts in; empty for any; behind a star its ending
	name  string
	*Protection
}

// tableRows returns the names of the table, and those without a folder also by name. They
// are made when the first is asked for: nothing is done at start.
var tableRows = sync.OnceValues(func() (list []row, byName map[string]*Protection) {
	byName = map[string]*Protection{}
	for kind, names := range protectedNames {
		for name := range strings.FieldsSeq(names) {
			above, last, nested := strings.Cut(name, "/")
			if !nested {
				above, last = "", name
				byName[name] = kind
			}
			list = append(list, row{above, last, kind})
		}
	}
	slices.SortFunc(list, func(a, b row) int { return cmp.Or(strings.Compare(a.above, b.above), strings.Compare(a.name, b.name)) })
	return list, byName
})

// protected returns how the name of a file or folder is protected, nil if it isn't.
// Above is the name of the folder that it is in.
func protected(above, name string) *Protection {
	if isPlain(name) && isPlain(above) {
		return nil
	}
	if strings.Contains(name, `\`) { // one name on Unix, and a path on Windows
		closed, ofAgents := ProtectedIn([]string{above}, PathNames(name))
		if closed == nil && ofAgents {
			return Agents
		}
		return closed
	}
	if p := tabled(above, foldName(above), foldName(name)); p != nil || !strings.Contains(above+name, ":") {
		return p
	}
	return tabled(above, foldWhole(above), foldWhole(name)) // on Unix a colon is a letter like others
}

// tabled returns the protection that the table has for a name in a folder, nil for none.
func tabled(above string, in, is foldedName) *Protection {
	rows, byName := tableRows()
	if p := byName[is.folded]; p != nil {
		return p
	}
	for _, prefix := range secretPrefixes {
		name := strings.TrimRight(prefix, ".-_")
		if strings.HasPrefix(is.folded, prefix) || is.means(name) || is.document != "" && (foldedName{short: is.document, hashed: is.hashed}).means(name) {
			return credentials
		}
	}
	for _, suffix := range secretSuffixes {
		if strings.HasSuffix(is.folded, suffix) || is.short != "" && is.ext == suffix[:min(len(suffix), shortExt)] {
			return credentials
		}
	}
	if is.short == "" && isPlain(above) {
		return nil
	}
	for i := range rows {
		if r := &rows[i]; is.means(r.name) && in.isOf(r.above) {
			return r.Protection
		}
	}
	return nil
}

// Protected is protected in a folder that has several names. Where they differ, what
// is closed counts. Without any nobody knows them.
func Protected(above []string, name string) (found *Protection) {
	if len(above) == 0 {
		return protected("", name)
	}
	for _, folder := range above {
		switch p := protected(folder, name); {
		case p != nil && !p.Documents:
			return p
		case p != nil:
			found = p
		}
	}
	return found
}

// IsHistory reports whether a path with slashes has the name of a folder or file of version control
// in it, those of a bare repository among them.
func IsHistory(path string) bool {
	above := ""
	for name := range strings.SplitSeq(path, "/") {
		if protected(above, name) == history {
			return true
		}
		above = name
	}
	return false
}

// isPlain reports whether a name is told at once to be none of the table, nor the
// folder of any.
func isPlain(name string) bool {
	if name == "" {
		return true
	}
	switch name[0] {
	case '.', '_', '#':
		return false
	case 'i', 'I':
		if len(name) > 2 && name[2] == '_' {
			return false
		}
	case 'j', 'J', 's', 'S':
		if strings.EqualFold(name, "journal") || strings.EqualFold(name, "sectile") {
			return false
		}
	}
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c == '~' || c == ':' || c == '\\' {
			return false
		}
	}
	switch last := name[len(name)-1]; last {
	case '.', ' ', '#':
		return false
	}
	ext := path.Ext(name)
	if ext == "" || ext == ".md" {
		return true
	}
	isExt := func(s string) bool { return strings.EqualFold(s, ext) }
	return !isExt(".git") && !slices.ContainsFunc(secretSuffixes[:], isExt) && !slices.ContainsFunc(copySuffixes[:], isExt)
}

// foldedName is a name as file systems compare names.
type foldedName struct {
	folded string // in lower case, without what some of them leave out
	short  string // what a short name is made from; empty if it is none
	ext    string // of a short name, with its dot
	// document is short of a Markdown file, whose name may have been given by a person as well: it counts
	// for what is secret by its beginning alone.
	document string
	// hashed says that a short name may be one of two letters and a number in hexadecimal digits, which
	// NTFS makes of the whole name, and Linux of the time on FAT, where those of six letters are taken.
	hashed bool
}

// foldName returns a name as it is for all file systems that might take it for
// another: in any case, with dots and blanks at the end or a stream (NTFS), by a short
// name (FAT, NTFS), with characters that don't count (HFS+, ext4, f2fs). The name of a template or
// of a copy is that of its file.
func foldName(name string) foldedName {
	name, _, _ = strings.Cut(name, ":")
	return foldWhole(name)
}

// foldWhole is foldName for a name that has no stream.
func foldWhole(name string) foldedName {
	name = strings.Map(FoldRune, foldWide.Replace(name))
	f := foldedName{folded: originalName(strings.TrimRight(name, ". "))}
	if stem, rest, ok := strings.Cut(f.folded, "~"); ok {
		number, ext, _ := strings.Cut(rest, ".")
		if !isNumber(number) {
			return f
		}
		f.hashed = len(stem) > hashedLetters && len(stem+"~"+number) == shortBase && strings.Trim(stem[hashedLetters:], "0123456789abcdef") == ""
		if IsMarkdown(name) {
			f.document = stem
		} else {
			f.short, f.ext = stem, "."+ext
		}
	}
	return f
}

// templateSuffix is what a template has after the name that it is served by.
const templateSuffix = ".mustache"

// copySuffixes are what editors and people put after the name of a file for a copy of
// it, and that of templates. Emacs puts a # on both sides of the name too.
var copySuffixes = [...]string{templateSuffix, "~", ".bak", ".backup", ".old", ".orig", ".save", ".swp", ".tmp"}

// originalName returns the name, in lower case, of the file that a copy or a template is
// made of; the name itself if it is neither.
func originalName(name string) string {
	for {
		original := strings.TrimSuffix(strings.TrimPrefix(name, "#"), "#")
		for _, suffix := range copySuffixes {
			original = strings.TrimSuffix(original, suffix)
		}
		if original == name {
			return name
		}
		name = original
	}
}

// foldWide are characters that stand for several letters when case doesn't count, as
// Unicode folds it, of those that names of the table have.
var foldWide = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// FoldRune returns the character in lower case, or a negative number for one that can't be
// seen: HFS+ leaves out some of these when it compares names, and ext4 and f2fs leave out
// all of them where case doesn't count.
func FoldRune(c rune) rune {
	if c >= utf8.RuneSelf && unicode.In(c, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return unicode.ToLower(unicode.ToUpper(c)) // the long s is one only in upper case
}

// Characters of a short name: how many there are before its dot, and how many of them are those of the
// name, usually, and in a name with a number in hexadecimal digits.
const (
	shortBase     = 8
	shortStem     = 6
	hashedLetters = 2
	shortExt      = len(".ext")
)

// isOf reports whether the name is one of a folder of the table.
func (f foldedName) isOf(above string) bool {
	if ending, ok := strings.CutPrefix(above, "*"); ok {
		return strings.HasSuffix(f.folded, ending)
	}
	return above == "" || f.means(above)
}

// means reports whether the name stands for a name of the table.
func (f foldedName) means(name string) bool {
	if f.folded == name {
		return true
	}
	if f.short == "" {
		return false
	}
	stem := strings.TrimLeft(name, ".")
	if i := strings.LastIndexByte(stem, '.'); i >= 0 {
		stem = stem[:i]
	}
	stem = strings.ReplaceAll(stem, ".", "")
	return f.short == stem[:min(len(stem), shortStem)] || f.hashed && strings.HasPrefix(stem, f.short[:hashedLetters])
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsDocument reports whether a file in a folder of agents may be read: Markdown, a rule
// in the form of it, or a template of either.
func IsDocument(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), templateSuffix)
	return IsMarkdown(name) || path.Ext(name) == ".mdc"
}

// ProtectedIn returns the protection of the first name of a path that is not read, and
// whether it leads into a folder of agents. Above are the names of the folder that the path
// begins in: of a root, its own (root.called).
func ProtectedIn(above, names []string) (closed *Protection, ofAgents bool) {
	for i, name := range names {
		switch p := Protected(above, name); {
		case p == nil:
		case p.Documents:
			ofAgents = true
		default:
			return p, ofAgents
		}
		above = names[i : i+1]
	}
	return nil, ofAgents
}

// FolderProtection says why nothing in the folder at a path, one of the host or relative
// to a root, is ever read; empty if something may be.
func FolderProtection(name string) string {
	if closed, _ := ProtectedIn(nil, PathNames(name)); closed != nil {
		return closed.Reason
	}
	return ""
}

// FileProtection says why the file at a path is never read; empty if it may be.
func FileProtection(name string) string { return FileProtectionBelow(nil, name) }

// FileProtectionBelow is FileProtection below a folder of these names.
func FileProtectionBelow(above []string, name string) string {
	names := PathNames(name)
	if len(names) == 0 {
		return ""
	}
	last := len(names) - 1
	if _, ofAgents := ProtectedIn(above, names[:last]); ofAgents && !IsDocument(names[last]) {
		return Agents.Reason
	}
	if closed, _ := ProtectedIn(above, names); closed != nil {
		return closed.Reason
	}
	return ""
}

// WriteProtection says why nothing at a path is ever written; empty if it may be.
func WriteProtection(name string) string { return WriteProtectionBelow(nil, name) }

// WriteProtectionBelow is WriteProtection below a folder of these names.
func WriteProtectionBelow(above []string, name string) string {
	closed, ofAgents := ProtectedIn(above, PathNames(name))
	switch {
	case closed != nil:
		return closed.Reason
	case ofAgents:
		return ReasonAgents
	}
	return ""
}

// PathNames returns the names of a path, with slashes of either kind between them.
func PathNames(name string) []string {
	return strings.FieldsFunc(filepath.ToSlash(name), func(c rune) bool { return c == '/' || c == '\\' })
}

// IsPlaceOfProtected reports whether names are protected in a folder of this name that elsewhere
// aren't.
func IsPlaceOfProtected(folder string) bool {
	rows, _ := tableRows()
	return slices.ContainsFunc(rows, func(r row) bool {
		return r.above != "" && (foldName(folder).isOf(r.above) || foldWhole(folder).isOf(r.above))
	})
}

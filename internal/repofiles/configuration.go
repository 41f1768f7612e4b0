package repofiles

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
)

const (
	maxConfiguration = 1 << 20 // bytes that are looked at of a file of git's configuration
	maxIncludes      = 10      // files of it that name one another, as in git
	maxNamed         = 200     // files that are named in all
)

// ConfigurationOfUser returns the files and folders in which git and Jujutsu find the user's and
// the system's configuration, and the files that this names in turn: by links, by include.path,
// and as a file of ignored names, say. Not all of them need be there.
func ConfigurationOfUser() []string {
	home, _ := fileinfo.HomeDir() // without one these are none of ours
	var c configuration
	for _, of := range [...]struct{ variable, usual string }{
		{"GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig")}, {"GIT_CONFIG_SYSTEM", "/etc/gitconfig"},
	} {
		file, set := os.LookupEnv(of.variable)
		if !set {
			file = of.usual
		}
		c.git(file, home, true, maxIncludes)
	}
	places := []string{os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")}
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, dir)
	}
	slices.Sort(places)
	for _, place := range slices.Compact(places) {
		if filepath.IsAbs(place) {
			c.files = append(c.files, filepath.Join(place, "git", "ignore"), filepath.Join(place, "git", "attributes"))
			c.git(filepath.Join(place, "git", "config"), home, true, maxIncludes)
			c.folder(filepath.Join(place, "jj"))
			c.folder(filepath.Join(place, "jj", "conf.d"))
		}
	}
	c.files = append(c.files, filepath.Join(home, ".jjconfig.toml"))
	for _, path := range filepath.SplitList(os.Getenv("JJ_CONFIG")) {
		c.folder(path)
	}
	return c.files
}

// GitConfiguration is what folders of git's own data say of themselves by their configuration.
type GitConfiguration struct {
	// Files are those that they are configured by, and that these include, as far as they are files or
	// links to some: a repository may name anything.
	Files []string
	// Ignored are the files that core.excludesFile names; relative paths lead from where a program works.
	Ignored []string
	// Moves says that a setting may have the repository's files be those of another folder
	// (core.worktree), and Bare that each one says that it has none (core.bare).
	Moves, Bare bool
	// Odd says that a setting may have libraries read refs otherwise than git does (gitoxide), or that
	// not all of the configuration was looked at.
	Odd bool

	said, denied bool // by settings of core.bare
}

// ConfigurationOfGit returns how folders of git's own data are configured.
func ConfigurationOfGit(dirs ...string) GitConfiguration {
	home, _ := fileinfo.HomeDir()
	var of GitConfiguration
	c := configuration{of: &of}
	for _, dir := range slices.Compact(dirs) {
		c.files = append(c.files, filepath.Join(dir, "info", "exclude"))
		for _, name := range [...]string{"config", "config.worktree"} {
			c.git(filepath.Join(dir, name), home, false, maxIncludes)
		}
	}
	of.Odd = of.Odd || len(c.files) >= maxNamed
	of.Files = slices.DeleteFunc(c.files, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	return of
}

// configuration collects paths.
type configuration struct {
	files []string
	read  []fs.FileInfo     // of git's configuration
	of    *GitConfiguration // what a repository's own says; nil for the user's
}

// folder adds a folder, or a file, and the links in the folder.
func (c *configuration) folder(path string) {
	c.files = append(c.files, path)
	entries, _ := os.ReadDir(path) // it may be a file
	for _, entry := range entries {
		if entry.Type()&os.ModeSymlink != 0 {
			c.files = append(c.files, filepath.Join(path, entry.Name()))
		}
	}
}

// git adds a file of git's configuration and the files that it includes, and that it names where it
// is one of the user.
func (c *configuration) git(path, home string, ofUser bool, more int) {
	if len(c.files) >= maxNamed {
		return
	}
	c.files = append(c.files, path)
	text, whole := c.text(path)
	if c.of != nil {
		c.of.notice(text, whole)
	}
	for name, value := range settings(text) {
		includes, ignored := name == "include.path" || name == "includeif.path", name == "core.excludesfile"
		if value == "" || !includes && !ignored && (!ofUser || !slices.Contains(namedFiles[:], name)) {
			continue
		}
		value = expanded(value, home)
		if ignored && c.of != nil {
			if len(c.of.Ignored) < maxNamed {
				c.of.Ignored = append(c.of.Ignored, value)
			}
			continue
		}
		if !filepath.IsAbs(value) {
			value = filepath.Join(filepath.Dir(path), value)
		}
		switch {
		case includes && more > 0:
			c.git(value, home, ofUser, more-1)
		case includes && c.of != nil:
			c.of.Odd = true
		case includes:
		case len(c.files) < maxNamed:
			c.files = append(c.files, value)
		}
	}
}

// text returns a file of git's configuration, "" for one that was read already, and whether that is
// all of it. A device is not opened, for that alone can do something.
func (c *configuration) text(path string) (text string, whole bool) {
	info, err := os.Stat(path) //nolint:gosec // nothing that it holds is shown
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", errors.Is(err, fs.ErrNotExist)
	case slices.ContainsFunc(c.read, func(was fs.FileInfo) bool { return os.SameFile(was, info) }):
		return "", true
	}
	c.read = append(c.read, info)
	file, err := os.OpenFile(path, fileinfo.OpenFlags, 0) //nolint:gosec // as above
	if err != nil {
		return "", false
	}
	defer file.Close() //nolint:errcheck // it was read alone
	read, err := io.ReadAll(io.LimitReader(file, maxConfiguration+1))
	return string(read), err == nil && len(read) <= maxConfiguration
}

// notice takes down what a text of a repository's configuration may say: by its words, for each
// program has a parser of its own.
func (of *GitConfiguration) notice(text string, whole bool) {
	words := strings.ToLower(text)
	of.Odd = of.Odd || !whole || strings.Contains(words, "gitoxide")
	of.Moves = of.Moves || strings.Count(words, "worktree") > strings.Count(words, "worktreeconfig")
	for name, value := range settings(text) {
		if name == "core.bare" {
			of.said = true
			if !strings.EqualFold(value, "true") {
				of.denied = true
			}
		}
	}
	of.Bare = of.said && !of.denied
}

// expanded returns a path of git's configuration with the home folder that it begins with: the user's
// for "~/", another one's for "~NAME/".
func expanded(path, home string) string {
	name, below, ok := strings.Cut(path, "/")
	if !ok || !strings.HasPrefix(name, "~") {
		return path
	}
	if name = name[1:]; name != "" {
		of, err := user.Lookup(name)
		if err != nil {
			return path
		}
		home = of.HomeDir
	}
	return filepath.Join(home, below)
}

// blanks may stand around the settings of git's configuration.
const blanks = " \t\r"

// settings returns the settings of a text of git's configuration: their names in lower case, as
// "includeif.path" without what a section is about, and their values.
func settings(text string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		rest := strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
		section := ""
		for {
			rest = strings.TrimLeft(rest, blanks+"\n")
			switch {
			case rest == "":
				return
			case rest[0] == '[':
				section, rest = cutHead(rest[1:])
				continue
			case rest[0] == '#' || rest[0] == ';': // a backslash joins no line to a comment
				_, rest, _ = strings.Cut(rest, "\n")
				continue
			}
			end := strings.IndexAny(rest, "=\n")
			if end < 0 {
				return
			}
			name, hasValue := section+"."+strings.ToLower(strings.Trim(rest[:end], blanks)), rest[end] == '='
			value := ""
			if rest = rest[end+1:]; hasValue {
				value, rest = cutValue(rest)
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// cutHead returns the name of a section in lower case, from the text behind its bracket, and the
// text behind the head.
func cutHead(text string) (section, rest string) {
	in, end := false, len(text)
	for i := 0; i < len(text) && end == len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			in = !in
		case c == '\\' && in:
			i++
		case c == ']' && !in || c == '\n':
			end = i
		}
	}
	section = text[:end]
	if about := strings.IndexAny(section, blanks+"\"."); about >= 0 {
		section = section[:about]
	}
	return strings.ToLower(section), text[min(end+1, len(text)):]
}

// escapes are what letters behind a backslash mean in a value.
var escapes = strings.NewReplacer("n", "\n", "t", "\t", "b", "\b")

// cutValue returns a value of git's configuration as it is meant, without quotes, escapes, a comment
// behind it, and blanks around it, and the text behind its last line.
func cutValue(text string) (value, rest string) {
	var b strings.Builder
	end := 0 // without the blanks after it
	in := false
	i := 0
	for ; i < len(text) && text[i] != '\n'; i++ {
		c := text[i]
		switch {
		case !in && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:end], rest
		case !in && strings.IndexByte(blanks, c) >= 0:
			if b.Len() > 0 {
				b.WriteByte(c)
			}
			continue
		case c == '"':
			in = !in
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				b.WriteString(escapes.Replace(text[i : i+1]))
			}
		default:
			b.WriteByte(c)
		}
		end = b.Len()
	}
	return b.String()[:end], text[min(i+1, len(text)):]
}

// namedFiles are the keys of git's configuration that name a file which is read.
var namedFiles = [...]string{"core.excludesfile", "core.attributesfile", "diff.orderfile", "mailmap.file", "blame.ignorerevsfile"}

package repofiles

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/sectile/sectile/internal/fileinfo"
)

const (
	maxConfiguration = 4 << 20 // bytes of git's configuration that are looked at in all
	maxIncludes      = 10      // files of it that name one another, as in git
	maxNamed         = 1000    // files that are named in all, and paths by which it includes some
)

// ConfigurationOfUser returns the files and folders in which git and Jujutsu find the user's and
// the system's configuration, and the files that this names in turn: by links, by include.path,
// and as a file of ignored names, say. Not all of them need be there.
func ConfigurationOfUser() []string {
	home, _ := fileinfo.HomeDir() // without one these are none of ours
	c := configuration{home: home}
	c.git(ofEnvironment("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig")), maxIncludes)
	c.git(ofEnvironment("GIT_CONFIG_SYSTEM", "/etc/gitconfig"), maxIncludes)
	places := []string{os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")}
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, dir)
	}
	slices.Sort(places)
	for _, place := range slices.Compact(places) {
		if filepath.IsAbs(place) {
			c.files = append(c.files, filepath.Join(place, "git", "ignore"), filepath.Join(place, "git", "attributes"))
			c.git(filepath.Join(place, "git", "config"), maxIncludes)
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

// ofEnvironment returns what a variable names, or the usual.
func ofEnvironment(variable, usual string) string {
	if file, set := os.LookupEnv(variable); set {
		return file
	}
	return usual
}

// GitConfiguration is what folders of git's own data say of themselves by their configuration.
type GitConfiguration struct {
	// Files are those that they are configured by, and that these include, as far as they are files or
	// links to some: a repository may name anything.
	Files []string
	// Ignored are the files that core.excludesFile names.
	Ignored []Named
	// Moves says that a setting may have the repository's files be those of another folder
	// (core.worktree), and Bare that each one says that it has none (core.bare).
	Moves, Bare bool
	// Untold says why programs may read more there than the other fields say, or something else, and
	// so whatever they like; it is "" where that can't be. UntoldAt is where.
	Untold   Untold
	UntoldAt Place

	said, denied bool // by settings of core.bare
}

// Named is a file that a configuration names.
type Named struct {
	Path string // a relative one leads from where a program works
	At   Place
}

// Place is where a repository's own configuration says something. What lies in a file that it
// includes, which may be any of the user's, is at the line that includes that.
type Place struct {
	File     string // `config` or `config.worktree` of the repository, with its path
	Line     int    // from 1; 0 for none
	Includes bool   // it may be what the line includes
}

// String tells the place, by the name that the file shall have.
func (p Place) String(name string) string {
	text := "`" + name + "`"
	if p.Line > 0 {
		text = "line " + strconv.Itoa(p.Line) + " of " + text
	}
	if p.Includes {
		text += ", or what it includes"
	}
	return text
}

// Untold is why it can't be told what a configuration says, in words that follow on its name.
type Untold string

// The reasons.
const (
	OddForm   Untold = "has a line that programs read in different ways, for its characters or its form"
	OddPath   Untold = "names a file by a path that programs read in different ways"
	TooMuch   Untold = "is larger, or names more files, than is looked at"
	Unread    Untold = "includes what is no file that can be read"
	OfLibrary Untold = "has settings for libraries that have git read otherwise (`gitoxide`)"
)

// ConfigurationOfGit returns how folders of git's own data are configured. Its error is the one that
// ended returns, which is asked all the while, once nobody waits for it any longer.
func ConfigurationOfGit(ended func() error, dirs ...string) (GitConfiguration, error) {
	home, _ := fileinfo.HomeDir()
	var of GitConfiguration
	c := configuration{home: home, of: &of, ended: ended}
	for _, dir := range slices.Compact(dirs) {
		c.files = append(c.files, filepath.Join(dir, "info", "exclude"))
		for _, name := range [...]string{"config", "config.worktree"} {
			c.at = Place{File: filepath.Join(dir, name)}
			c.git(c.at.File, maxIncludes)
		}
	}
	of.Files = slices.DeleteFunc(c.files, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	return of, ended()
}

// configuration collects paths.
type configuration struct {
	home  string
	files []string
	read  map[string]bool   // files of git's configuration, by their folders without links and their names
	named map[inFolder]bool // what these include
	size  int64             // of these in bytes
	of    *GitConfiguration // what a repository's own says; nil for the user's
	at    Place             // of that
	ended func() error      // as for ConfigurationOfGit; nil for the user's
}

// inFolder is a path as a file in a folder has it.
type inFolder struct{ folder, path string }

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

// untold takes down why it can't be told what the configuration says.
func (c *configuration) untold(why Untold) {
	if c.of != nil && c.of.Untold == "" {
		c.of.Untold, c.of.UntoldAt = why, c.at
	}
}

// line takes down which line of a file is looked at, unless an included one is.
func (c *configuration) line(number int) {
	if !c.at.Includes {
		c.at.Line = number
	}
}

// git adds a file of git's configuration and the files that it includes, and that it names where it
// is one of the user.
func (c *configuration) git(path string, more int) {
	if !c.isNew(path) {
		return
	}
	if len(c.files) >= maxNamed {
		c.untold(TooMuch)
		return
	}
	c.files = append(c.files, path)
	text, why := c.text(path)
	c.untold(why)
	if line := oddLine(text); line > 0 && c.of != nil {
		c.line(line)
		c.untold(OddForm)
	}
	for s := range settings(text) {
		if c.ended != nil && c.ended() != nil {
			return
		}
		name, value := s.name, s.value
		c.line(s.line)
		if c.of != nil {
			c.notice(name, value)
		}
		switch {
		case name == "include.path" || name == "includeif.path":
			c.include(filepath.Dir(path), value, more)
		case value == "":
		case name == "core.excludesfile" && c.of != nil:
			c.ignored(value)
		case c.of == nil && slices.Contains(namedFiles[:], name) && len(c.files) < maxNamed:
			c.files = append(c.files, filepath.Clean(fileinfo.From(filepath.Dir(path), expanded(value, c.home))))
		}
	}
}

// include adds a file that one in a folder includes. To follow a path takes as long as thousands of
// other lines: one that is named again isn't followed again.
func (c *configuration) include(folder, value string, more int) {
	one := inFolder{folder, value}
	switch {
	case more == 0:
		c.untold(TooMuch)
		return
	case c.named[one]:
		return
	case len(c.named) >= maxNamed:
		c.untold(TooMuch)
		return
	case c.named == nil:
		c.named = map[inFolder]bool{}
	}
	c.named[one] = true
	path := fileinfo.From(folder, expanded(value, c.home))
	if c.of != nil {
		_, err := fileinfo.OneWay(path)
		if !c.isPlainPath(value) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.untold(OddPath)
			return
		}
	}
	if value != "" {
		at := c.at
		c.at.Includes = true
		c.git(filepath.Clean(path), more-1)
		c.at = at
	}
}

// ignored takes down a file of ignored names.
func (c *configuration) ignored(value string) {
	if len(c.of.Ignored) >= maxNamed {
		c.untold(TooMuch)
		return
	}
	if !c.isPlainPath(value) {
		c.untold(OddPath)
	}
	c.of.Ignored = append(c.of.Ignored, Named{expanded(value, c.home), c.at})
}

// isPlainPath reports whether a path of a repository's configuration means the same to all: newer
// versions of git have words before it, others cut off blanks, and not all look for users.
func (c *configuration) isPlainPath(path string) bool {
	return path != "" && strings.TrimSpace(path) == path && !strings.ContainsFunc(path, unicode.IsControl) && path[0] != ':' && !strings.HasPrefix(path, "%(") &&
		(path[0] != '~' || strings.HasPrefix(path, "~/") && c.home != "")
}

// isNew reports whether a file wasn't read by this name in this folder, from which the paths lead
// that it includes: one file may have many names.
func (c *configuration) isNew(path string) bool {
	if folder, err := fileinfo.Resolved(filepath.Dir(path)); err == nil && filepath.IsAbs(path) {
		path = filepath.Join(folder, filepath.Base(path))
	}
	if c.read[path] {
		return false
	}
	if c.read == nil {
		c.read = map[string]bool{}
	}
	c.read[path] = true
	return true
}

// text returns a file of git's configuration, and why that may not be all of it. A device is not
// opened, for that alone can do something.
func (c *configuration) text(path string) (text string, why Untold) {
	info, err := os.Stat(path) //nolint:gosec // nothing that it holds is shown
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", ""
	case err != nil || !info.Mode().IsRegular():
		return "", Unread
	}
	file, err := os.OpenFile(path, fileinfo.OpenFlags, 0) //nolint:gosec // as above
	if err != nil {
		return "", Unread
	}
	defer file.Close() //nolint:errcheck // it was read alone
	read, err := io.ReadAll(io.LimitReader(file, maxConfiguration-c.size+1))
	switch c.size += int64(len(read)); {
	case err != nil:
		why = Unread
	case c.size > maxConfiguration:
		c.size, why = maxConfiguration, TooMuch
	}
	return string(read), why
}

// notice takes down what a setting of a repository's configuration says. Where it has another form
// than git writes, each program has a reading of its own, and it can't be told.
func (c *configuration) notice(name, value string) {
	of := c.of
	switch {
	case name == "":
		c.untold(OddForm)
	case strings.HasPrefix(name, "gitoxide."):
		c.untold(OfLibrary)
	case name == "core.worktree":
		of.Moves = true
	case name == "core.bare":
		of.said = true
		of.denied = of.denied || !strings.EqualFold(value, "true")
		of.Bare = !of.denied
	}
}

// oddLine returns the number of the first line of a text with other characters than git writes, which
// parsers don't all take for the same: some cut them off at the end of a line, or at its beginning.
// It is 0 if there is none.
func oddLine(text string) int {
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, byteOrderMark)) {
		number++
		line, isCRLF := strings.CutSuffix(line, "\r\n")
		line = strings.TrimSuffix(line, "\n")
		if isCRLF && strings.HasSuffix(line, "\\") || strings.Contains(line, byteOrderMark) ||
			strings.ContainsFunc(line, func(c rune) bool { return c != '\t' && unicode.IsControl(c) }) {
			return number
		}
	}
	return 0
}

// OfHome returns a path of the user's own configuration of git with the home folder that it begins
// with.
func OfHome(path string) string {
	home, _ := fileinfo.HomeDir() // without one it is none of ours
	return expanded(path, home)
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

const byteOrderMark = "\uFEFF"

// What git writes: the head of a section, and the name of a setting.
var (
	plainHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9-]+(?:\.[A-Za-z0-9.-]+|[ \t]+"(?:[^"\\]|\\.)*")?$`)
	})
	plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`) })
)

// setting is one of git's configuration: its name in lower case, as "includeif.path" without what the
// section is about, its value, and the line, from 1, that it begins in.
type setting struct {
	name, value string
	line        int
}

// settings returns the settings of a text of git's configuration. A name of "" stands for what
// git wouldn't write, before what that may mean.
func settings(text string) iter.Seq[setting] {
	return func(yieldAt func(setting) bool) {
		rest := strings.ReplaceAll(strings.TrimPrefix(text, byteOrderMark), "\r\n", "\n")
		section := ""
		line, counted := 1, rest // up to there
		yield := func(name, value string) bool { return yieldAt(setting{name, value, line}) }
		for {
			rest = strings.TrimLeft(rest, blanks+"\n")
			line += strings.Count(counted[:len(counted)-len(rest)], "\n")
			counted = rest
			switch {
			case rest == "":
				return
			case rest[0] == '[':
				var isPlain bool
				section, rest, isPlain = cutHead(rest[1:])
				if !isPlain && !yield("", "") {
					return
				}
				continue
			case rest[0] == '#' || rest[0] == ';': // a backslash joins no line to a comment
				_, rest, _ = strings.Cut(rest, "\n")
				continue
			}
			end := strings.IndexAny(rest, "=\n")
			if end < 0 {
				yield("", "")
				return
			}
			name, hasValue, isPlain := strings.Trim(rest[:end], blanks), rest[end] == '=', true
			value := ""
			if rest = rest[end+1:]; hasValue {
				value, rest, isPlain = cutValue(rest)
			}
			if (!isPlain || section == "" || !plainName().MatchString(name)) && !yield("", "") {
				return
			}
			if !yield(section+"."+strings.ToLower(name), value) {
				return
			}
		}
	}
}

// cutHead returns the name of a section in lower case, from the text behind its bracket, the text
// behind the head, and whether that is one as git writes it.
func cutHead(text string) (section, rest string, isPlain bool) {
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
	isPlain = end < len(text) && text[end] == ']' && plainHead().MatchString(section)
	if about := strings.IndexAny(section, blanks+"\"."); about >= 0 {
		section = section[:about]
	}
	return strings.ToLower(section), text[min(end+1, len(text)):], isPlain
}

// escapes are what letters behind a backslash mean in a value.
var escapes = strings.NewReplacer("n", "\n", "t", "\t", "b", "\b")

// cutValue returns a value of git's configuration as it is meant, without quotes, escapes, a comment
// behind it, and blanks around it, the text behind its last line, and whether git would write it.
func cutValue(text string) (value, rest string, isPlain bool) {
	var b strings.Builder
	end := 0 // without the blanks after it
	in := false
	isPlain = true
	i := 0
	for ; i < len(text) && text[i] != '\n'; i++ {
		c := text[i]
		switch {
		case !in && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:end], rest, isPlain
		case !in && strings.IndexByte(blanks, c) >= 0:
			if b.Len() > 0 {
				b.WriteByte(c)
			}
			continue
		case c == '"':
			in = !in
		case c == '\\' && i+1 < len(text):
			i++
			isPlain = isPlain && strings.IndexByte("nt\"\\\n", text[i]) >= 0 // \b takes a character away, to some
			if text[i] != '\n' {
				b.WriteString(escapes.Replace(text[i : i+1]))
			}
		default:
			isPlain = isPlain && c != '\\'
			b.WriteByte(c)
		}
		end = b.Len()
	}
	return b.String()[:end], text[min(i+1, len(text)):], isPlain && !in
}

// namedFiles are the keys of git's configuration that name a file which is read.
var namedFiles = [...]string{"core.excludesfile", "core.attributesfile", "diff.orderfile", "mailmap.file", "blame.ignorerevsfile"}

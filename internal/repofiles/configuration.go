package repofiles

import (
	"io"
	"io/fs"
	"os"
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

// ConfigurationOfGit returns the files that a folder of git's own data is configured by, and those
// that they include, or name for names that are left out, as far as they are files or links to
// some: a repository may name anything.
func ConfigurationOfGit(dir string) []string {
	home, _ := fileinfo.HomeDir()
	c := configuration{files: []string{filepath.Join(dir, "info", "exclude")}}
	for _, name := range [...]string{"config", "config.worktree"} {
		c.git(filepath.Join(dir, name), home, false, maxIncludes)
	}
	return slices.DeleteFunc(c.files, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
}

// configuration collects paths.
type configuration struct {
	files []string
	read  []fs.FileInfo // of git's configuration
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

// git adds a file of git's configuration and the files that it names: all of them for one of the
// user, else those that it includes, and core.excludesFile.
func (c *configuration) git(path, home string, ofUser bool, more int) {
	if len(c.files) >= maxNamed {
		return
	}
	c.files = append(c.files, path)
	file, err := os.OpenFile(path, fileinfo.OpenFlags, 0) //nolint:gosec // nothing that it holds is shown
	if err != nil {
		return
	}
	defer file.Close() //nolint:errcheck // it was read alone
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || slices.ContainsFunc(c.read, func(was fs.FileInfo) bool { return os.SameFile(was, info) }) {
		return
	}
	c.read = append(c.read, info)
	text, _ := io.ReadAll(io.LimitReader(file, maxConfiguration))
	section := ""
	for line := range strings.Lines(strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\\\n", "")) {
		line = strings.TrimSpace(line)
		if head, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(head, "[") {
			section = strings.ToLower(strings.TrimSpace(head[1:]))
			if end := strings.IndexAny(section, " \t\"."); end >= 0 { // before the name of a part of it
				section = section[:end]
			}
			line = rest
		}
		key, value, _ := strings.Cut(line, "=")
		name := section + "." + strings.ToLower(strings.TrimSpace(key))
		includes := name == "include.path" || name == "includeif.path"
		if !includes && name != "core.excludesfile" && (!ofUser || !slices.Contains(namedFiles[:], name)) {
			continue
		}
		if value = unquoted(value); value == "" {
			continue
		}
		if below, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, below)
		} else if !filepath.IsAbs(value) {
			value = filepath.Join(filepath.Dir(path), value)
		}
		switch {
		case !includes && len(c.files) < maxNamed:
			c.files = append(c.files, value)
		case includes && more > 0:
			c.git(value, home, ofUser, more-1)
		}
	}
}

// unquoted returns a value of git's configuration as it is meant: without quotes, escapes, a comment
// after it, and blanks around it.
func unquoted(value string) string {
	var b strings.Builder
	end := 0 // of what isn't a blank outside of quotes
	in := false
	value = strings.TrimLeft(value, " \t")
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '"':
			in = !in
			continue
		case c == '\\' && i+1 < len(value):
			i++
			c = strings.NewReplacer("n", "\n", "t", "\t", "b", "\b").Replace(value[i : i+1])[0]
		case !in && (c == '#' || c == ';'):
			return b.String()[:end]
		}
		b.WriteByte(c)
		if in || c != ' ' && c != '\t' {
			end = b.Len()
		}
	}
	return b.String()[:end]
}

// namedFiles are the keys of git's configuration that name a file which is read.
var namedFiles = [...]string{"core.excludesfile", "core.attributesfile", "diff.orderfile", "mailmap.file", "blame.ignorerevsfile"}

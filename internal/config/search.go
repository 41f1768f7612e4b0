package config

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/yamltree"
)

// Where text of documents is sent to, and whose, is the user's to say.

// Search says which engine is searched, and which folders it is fed with.
type Search struct {
	Backend     string // the address of its index; empty for none
	Credentials string // the path of the file that holds them; empty for none
	// Roots are the folders that it has, in the order of their names.
	Roots []SearchRoot
}

// SearchRoot is a folder that an engine has, by its name there.
type SearchRoot struct {
	Name string
	Dir  string // absolute; empty if its files are on other machines
}

// elsewhere stands for the folder of a root whose files are on other machines.
const elsewhere = "elsewhere"

// maxAddress is the length of the address of an engine, in bytes.
const maxAddress = 2000

// readSearch reads which engine is searched.
func (f *file) readSearch(n *yamltree.Node) {
	if n == nil {
		return
	}
	fields := f.fields(n, "search", "search")
	if v := fields["backend"]; v != nil && f.judge(v, "search.backend", checkAddress(v.Text)) {
		f.searched.Backend = v.Text
	}
	if v := fields["credentials"]; v != nil && f.judge(v, "search.credentials", checkPlace("file", v.Text)) {
		f.searched.Credentials = v.Text
	}
	for _, it := range f.named(fields["roots"], "search.roots") {
		here := field("search.roots", it.Key.Text)
		if it.Value.Kind != yamltree.Scalar {
			f.problem(it.Start, here, fmt.Sprintf("it is %s and must be a text: a folder, absolute or beginning with ~/, or %s", it.Value.Describe(), elsewhere))
			continue
		}
		dir := it.Value.Text
		if dir == elsewhere {
			dir = ""
		} else if !f.judge(it.Value, here, checkPlace("folder", dir)) {
			continue
		}
		f.searched.Roots = append(f.searched.Roots, SearchRoot{it.Key.Text, dir})
	}
	slices.SortFunc(f.searched.Roots, func(a, b SearchRoot) int { return strings.Compare(a.Name, b.Name) })
}

// checkAddress tells what is wrong with the address of an engine, as far as that can be told
// without asking it.
func checkAddress(address string) string {
	switch {
	case !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://"):
		return "it is no address of an engine; write https://HOST:PORT/INDEX"
	case len(address) > maxAddress:
		return fmt.Sprintf("the address has more than %d bytes", maxAddress)
	case !utf8.ValidString(address) || strings.ContainsFunc(address, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) }):
		return "the address has a blank or a control character; take it out"
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		return "the address has a user or password; take them out, and put them into the file that search.credentials names"
	}
	return ""
}

// search returns what a user's file, or nil, says, with absolute paths. Roots below a home folder
// that nobody knows are left out.
func (f *file) search() Search {
	if f == nil {
		return Search{}
	}
	s := Search{Backend: f.searched.Backend}
	if f.searched.Credentials != "" {
		s.Credentials = resolvedFolder(f.searched.Credentials)
	}
	for _, r := range f.searched.Roots {
		if r.Dir != "" {
			if r.Dir = resolvedFolder(r.Dir); r.Dir == "" {
				continue
			}
		}
		s.Roots = append(s.Roots, r)
	}
	return s
}

// LoadSearch reads what the user's file says of search, and nothing of a project's: empty if
// there is no such file. The error is that of Load.
func (l *Loader) LoadSearch(ctx context.Context) (Search, error) {
	place := l.UserFile()
	if err := ctx.Err(); err != nil {
		return Search{}, err
	}
	if _, err := os.Lstat(place); place == "" || os.IsNotExist(err) {
		return Search{}, nil
	}
	user, err := l.readUser(place)
	if err != nil {
		return Search{}, err
	}
	if err := problemsOf(user); err != nil {
		return Search{}, err
	}
	return user.search(), nil
}

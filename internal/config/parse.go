package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/yamltree"
)

// file is what a configuration file says.
type file struct {
	*yamltree.Text
	name  string // as it is shown
	scope Scope
	check func(string) string // of patterns; nil if all are right
	root  *yamltree.Node      // nil if the file holds nothing

	categories  []Category
	collections []Collection
	settings    map[string]int64 // of guide, those that are set
	planned     planSettings
	linked      Links          // what is set
	headings    []string       // markers of them
	trusted     Trust          // as it is written
	searched    Search         // the same
	places      map[string]int // offsets by the paths of keys
	found       []finding      // until the file is read
	problems    []Problem      // the first maxProblems of them, and how many more there are
}

// finding is a problem of which it is not known yet whether it is told: places and
// near names take time.
type finding struct {
	offset         int // -1 for the file as a whole
	field, message string
	keys           []string      // see Problem
	late           func() string // the message, if it takes time; nil if there is one
}

// maxProblems is how many problems of a file are told.
const maxProblems = yamltree.MaxTold

// UserName is the name of the user's file in messages.
const UserName = "config.yaml of the user"

// displayName returns the name of a file in messages.
func displayName(scope Scope) string {
	if scope == User {
		return UserName
	}
	return Name
}

// parse reads a file. What is wrong with it is in its problems.
func parse(source []byte, scope Scope, check func(string) string) *file {
	f := &file{
		Text: yamltree.New(string(source), isKeyName), name: displayName(scope), scope: scope, check: check,
		settings: map[string]int64{}, places: map[string]int{},
	}
	root, faults := f.Parse()
	for _, fault := range faults {
		f.problem(fault.Offset, "", fault.Message)
	}
	if len(faults) == 0 && root != nil {
		f.read(root)
	}
	f.tell()
	return f
}

// tell makes problems of the first findings.
func (f *file) tell() {
	slices.SortStableFunc(f.found, func(a, b finding) int { return cmp.Compare(a.offset, b.offset) })
	for _, found := range f.found[:min(len(f.found), maxProblems)] {
		p := Problem{File: f.name, Field: found.field, Message: found.message, keys: found.keys}
		if found.late != nil {
			p.Message = found.late()
		}
		if found.offset >= 0 {
			p.Line, p.Column = f.Position(found.offset)
		}
		f.problems = append(f.problems, p)
	}
	if n := len(f.found); n > maxProblems {
		f.problems = append(f.problems, Problem{File: f.name, Message: fmt.Sprintf("and %d more; correct these first", n-maxProblems)})
	}
	f.found = nil
}

// problem adds a problem at an offset, or of the whole file if that is negative.
func (f *file) problem(offset int, field, message string) {
	f.found = append(f.found, finding{offset: offset, field: field, message: message})
}

// problemAt returns a problem at the place of a key, if that has one.
func (f *file) problemAt(key, message string) Problem {
	p := Problem{File: f.name, Field: key, Message: message}
	if offset, ok := f.places[key]; ok {
		p.Line, p.Column = f.Position(offset)
	}
	return p
}

// read reads the file's value.
func (f *file) read(root *yamltree.Node) {
	if root.Kind != yamltree.Mapping {
		f.problem(root.Start, "", "the file must be a mapping; write KEY: VALUE, such as categories:")
		return
	}
	f.root = root
	fields := f.fields(root, "", "")
	for _, it := range f.named(fields["categories"], "categories") {
		f.category(&it)
	}
	for _, it := range f.named(fields["collections"], "collections") {
		f.collection(&it)
	}
	f.numbers("guide", fields["guide"])
	f.numbers("journal", fields["journal"])
	f.readLinks(fields["links"])
	f.readHeadings(fields["headings"])
	f.plan(fields["plan"])
	f.readSearch(fields["search"])
	f.readTrust(fields["trust"])
}

// field returns the path of a key as it is shown: a name that is none is in
// quotes.
func field(above, name string) string {
	if checkName(name) != "" {
		name = quoted(name)
	}
	if above == "" {
		return name
	}
	return above + "." + name
}

// keysIn returns the keys in a value, and in all that it holds.
func keysIn(n *yamltree.Node) (all []string) {
	for i := range n.Items {
		if it := &n.Items[i]; it.Key != nil {
			all = append(all, it.Key.Text)
		}
		if n.Items[i].Value != nil {
			all = append(all, keysIn(n.Items[i].Value)...)
		}
	}
	return all
}

// fields returns the values of a mapping by their keys, those of the right type:
// path is the mapping's in the table, and at where it stands in the file.
func (f *file) fields(n *yamltree.Node, path, at string) map[string]*yamltree.Node {
	found := map[string]*yamltree.Node{}
	names := keyNames(path, f.scope)
	seen := map[string]bool{}
	for i := range n.Items {
		it := &n.Items[i]
		name := it.Key.Text
		here := field(at, name)
		switch {
		case seen[name]:
			f.problem(it.Start, here, "the key is there twice; take one of the two out")
			continue
		case f.isUsers(path, name):
			what := "what is trusted, for a project can't vouch for itself"
			switch name {
			case "journal":
				what = "what is kept of changes, for they are the user's"
			case "headings":
				what = "which lines are headings, for sections are found and changed by it"
			case "search":
				what = "which engine is searched, and what it is fed with"
			}
			f.problem(it.Start, here, "only the user's own file, sectile/config.yaml, may say "+what+"; take it out here")
			continue
		case !slices.Contains(names, name):
			f.found = append(f.found, finding{offset: it.Start, field: here, keys: append([]string{name}, keysIn(it.Value)...), late: func() string {
				return strings.TrimSpace("unknown key; "+misplaced(it, path, names, f.scope)) + " allowed: " + strings.Join(names, ", ")
			}})
			continue
		}
		seen[name] = true
		f.places[here] = it.Start
		full := name
		if path != "" {
			full = path + "." + name
		}
		t := keyAt(full).Type
		if it.Value.IsMissing() || it.Value.Kind == yamltree.Null && t != TextValue && t != NumberValue {
			continue // nothing is there, and that is meant
		}
		if f.typed(it.Value, here, t) {
			found[name] = it.Value
		}
	}
	return found
}

// isUsers reports whether a key below a path is one that only the user's file has, and
// this is a project's.
func (f *file) isUsers(path, name string) bool {
	if path != "" {
		name = path + "." + name
	}
	key := keyAt(name)
	return key != nil && key.UserOnly && f.scope != User
}

// typed reports whether a value can be of a type, and adds a problem if not.
func (f *file) typed(n *yamltree.Node, here string, t Type) bool {
	var want string
	ok := true
	switch t {
	case MappingValue, VarsValue:
		ok, want = n.Kind == yamltree.Mapping, "a mapping; write KEY: VALUE below it"
	case PatternsValue, EntriesValue, FoldersValue, WordsValue:
		ok, want = n.Kind == yamltree.List, "a list; write [ONE, ANOTHER], with quotes around what has * in it"
	case CollectionValue:
		ok, want = n.Kind == yamltree.List || n.Kind == yamltree.Mapping, "a list of entries, or a mapping with description and entries"
	case TextValue, NumberValue:
		ok, want = n.Kind == yamltree.Scalar, "a "+string(t)+"; write it behind the key, null in quotes"
		if n.Kind != yamltree.Null {
			want = "a " + string(t) + "; write it behind the key"
		}
	}
	if ok {
		return true
	}
	if advice := f.ColonAdvice(n.Text); n.Kind == yamltree.Scalar && advice != "" {
		f.problem(n.Start, here, advice)
		return false
	}
	switch {
	case n.Kind == yamltree.List && here == "categories":
		want = "a mapping; write NAME: without a dash, and dir: FOLDER below it"
	case n.Kind == yamltree.List && here == "collections":
		want = "a mapping; write NAME: [CATEGORY, CATEGORY/PATTERN], without a dash"
	case n.Kind == yamltree.Scalar && (t == PatternsValue || t == FoldersValue):
		want = "a list; write [" + yamltree.InMessage(n.Text) + "]"
	}
	f.problem(n.Start, here, fmt.Sprintf("it is %s and must be %s", n.Describe(), want))
	return false
}

// named returns the items of categories or collections whose names are right, each
// name once.
func (f *file) named(n *yamltree.Node, at string) []yamltree.Item {
	var found []yamltree.Item
	seen := map[string]bool{}
	if n == nil {
		return nil
	}
	for _, it := range n.Items {
		name := it.Key.Text
		here := field(at, name)
		message := checkName(name)
		if seen[name] {
			message = "the name is there twice; rename one, or take it out"
		}
		if message != "" {
			f.problem(it.Start, here, message)
			continue
		}
		seen[name] = true
		f.places[here] = it.Start
		found = append(found, it)
	}
	return found
}

// category reads a category.
func (f *file) category(it *yamltree.Item) {
	c := Category{Name: it.Key.Text, Scope: f.scope}
	here := field("categories", c.Name)
	var fields map[string]*yamltree.Node
	if it.Value.Kind != yamltree.Null {
		if !f.typed(it.Value, here, MappingValue) {
			return
		}
		fields = f.fields(it.Value, "categories.NAME", here)
	}
	if dir := it.Value.Get("dir"); dir == nil || dir.Value.IsMissing() {
		where := "relative to the project's root"
		if f.scope == User {
			where = "absolute, or beginning with ~/"
		}
		f.problem(it.Start, here, "dir is missing; write dir: FOLDER, "+where)
	}
	if n := fields["dir"]; n != nil {
		c.Dir = n.Text
		f.judge(n, here+".dir", checkDir(c.Dir, f.scope))
	}
	c.Patterns = f.texts(fields["patterns"], here+".patterns", func(p string) string { return checkPattern(p, f.check) })
	c.Description = f.prose(fields["description"], here+".description", checkDescription)
	if n := fields["vars"]; n != nil {
		c.Vars = f.vars(n, here+".vars")
	}
	f.categories = append(f.categories, c)
}

// judge adds a problem if there is a message, and reports whether there is none.
func (f *file) judge(n *yamltree.Node, here, message string) bool {
	if message != "" {
		f.problem(n.Start, here, message)
	}
	return message == ""
}

// prose reads a text of several lines, nothing where there is none.
func (f *file) prose(n *yamltree.Node, here string, check func(string) string) string {
	if n == nil {
		return ""
	}
	text := trimDescription(n.Text)
	f.judge(n, here, check(text))
	return text
}

// texts reads the texts of a list with which nothing is wrong.
func (f *file) texts(n *yamltree.Node, here string, check func(string) string) []string {
	var texts []string
	for i, item := range f.listItems(n, here) {
		place := fmt.Sprintf("%s[%d]", here, i)
		if f.isText(item.Value, place) && f.judge(item.Value, place, check(item.Value.Text)) {
			texts = append(texts, item.Value.Text)
		}
	}
	return texts
}

// listItems returns the items of a list, none if there are too many.
func (f *file) listItems(n *yamltree.Node, here string) []yamltree.Item {
	if n == nil {
		return nil
	}
	if len(n.Items) > maxList {
		f.problem(n.Start, here, fmt.Sprintf("it has more than %d items; make the list shorter", maxList))
		return nil
	}
	return n.Items
}

// collection reads a collection, in either form.
func (f *file) collection(it *yamltree.Item) {
	c := Collection{Name: it.Key.Text, Scope: f.scope}
	here := field("collections", c.Name)
	entries, at := it.Value, here
	switch {
	case it.Value.Kind == yamltree.Null:
		entries = nil
	case !f.typed(it.Value, here, CollectionValue):
		return
	case it.Value.Kind == yamltree.Mapping:
		fields := f.fields(it.Value, "collections.NAME", here)
		c.Description = f.prose(fields["description"], here+".description", checkDescription)
		entries, at = fields["entries"], here+".entries"
		if item := it.Value.Get("entries"); item != nil && entries == nil && item.Value.Kind != yamltree.Null {
			return // it is something else, and that was told
		}
	}
	if entries == nil || len(entries.Items) == 0 {
		f.problem(it.Start, here, "it has no entries; write [CATEGORY, CATEGORY/PATTERN], or take the collection out")
		return
	}
	for i, item := range f.listItems(entries, at) {
		n, place := item.Value, fmt.Sprintf("%s[%d]", at, i)
		if !f.isText(n, place) {
			continue
		}
		e, message := parseEntry(n.Text)
		if message == "" {
			message = checkEntry(e, f.check)
		}
		if f.judge(n, place, message) {
			f.places[place] = n.Start
			c.Entries = append(c.Entries, e)
		}
	}
	f.collections = append(f.collections, c)
}

// isText reports whether an item of a list is a text, and adds a problem if not.
func (f *file) isText(n *yamltree.Node, here string) bool {
	switch {
	case n.Kind == yamltree.Scalar:
		return true
	case n.IsMissing():
		f.problem(n.Start, here, "the item is empty; write something, or take it out")
	default:
		f.problem(n.Start, here, fmt.Sprintf("it is %s and must be a text; %s", n.Describe(), yamltree.QuoteAdvice(oneLine(f.Source[n.Start:n.End]))))
	}
	return false
}

// numbers reads the numbers of a mapping.
func (f *file) numbers(of string, n *yamltree.Node) {
	if n == nil {
		return
	}
	for name, value := range f.fields(n, of, of) {
		here := of + "." + name
		key := keyAt(here)
		number, err := strconv.ParseInt(value.Text, 10, 64)
		if err != nil || value.Plain != "!!int" || strconv.FormatInt(number, 10) != strings.TrimPrefix(value.Text, "+") || number < key.Min || number > key.Max {
			f.problem(value.Start, here, fmt.Sprintf("it is %s and must be a whole number of %s from %d to %d, written without quotes or other signs, such as %s",
				runes.Clip(oneLine(f.Source[value.Start:value.End]), maxQuoted), key.Unit, key.Min, key.Max, key.Example))
			continue
		}
		if most := key.ProjectMax; most > 0 && number > most && f.scope != User {
			f.problem(value.Start, here, fmt.Sprintf("it is %d, and a project's file may ask for %d %s at most; lower it, or set it in the user's own file, sectile/config.yaml",
				number, most, key.Unit))
			continue
		}
		f.settings[name] = number
	}
}

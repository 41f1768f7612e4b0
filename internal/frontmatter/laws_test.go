package frontmatter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	burnt "github.com/BurntSushi/toml"
	"github.com/goccy/go-yaml"

	"github.com/sectile/sectile/internal/testkit"
)

// The law: what other readers read after a change is what they read before, and the change;
// every comment is still there, and every line that the change has nothing to do with.

// generator writes random front matter.
type generator struct {
	r *rand.Rand
	b strings.Builder
}

func (g *generator) pick(of ...string) string { return of[g.r.IntN(len(of))] }

var someTexts = []string{
	"a", "two words", "no", "08", "1e3", "2024-01-01", "it's", `say "x"`, "x: y", "# c", "é", "- a", "{{ t }}", "", " x ", "tab\there", "line\nbreak",
	"~", "null", "0x1F", "1:30", "true", "[x]", "*a", "&a", "!t", "%x", "@x", "`x`", "a #b", "end:", "\\", "=", "<<", "2024-01-01 10:00:00", "💚", "\u00a0",
}

func (g *generator) text() string { return g.pick(someTexts...) }

// yamlScalar writes a value of one line.
func (g *generator) yamlScalar(flow bool) string {
	s := g.text()
	switch g.r.IntN(6) {
	case 0:
		return strconv.Itoa(g.r.IntN(100))
	case 1:
		return g.pick("true", "false", "null", "1.5")
	case 2:
		if isSingle(s) {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}
	case 3:
		return doubleQuoted(s, YAML)
	}
	return YAMLText(s, flow)
}

// yamlMap writes a mapping in lines.
func (g *generator) yamlMap(indent, depth int, prefix string) {
	pad := strings.Repeat(" ", indent)
	for i := range 1 + g.r.IntN(4) {
		if i > 0 || prefix == "" {
			if g.r.IntN(6) == 0 {
				g.b.WriteString(g.pick("", pad+"# about it") + "\n")
			}
			prefix = pad
		}
		g.b.WriteString(prefix + fmt.Sprintf(g.pick("k%d", "key%d", "'q k%d'", "two words%d"), i) + ":")
		prefix = ""
		switch kind := g.r.IntN(9); {
		case kind < 2 && depth < 3:
			g.b.WriteString(g.pick("", " # c") + "\n")
			g.yamlMap(indent+2+2*g.r.IntN(2), depth+1, "")
		case kind == 2:
			g.b.WriteString("\n")
			inner := indent + 2*g.r.IntN(2)
			for range 1 + g.r.IntN(3) {
				g.b.WriteString(strings.Repeat(" ", inner) + "- ")
				if depth < 3 && g.r.IntN(4) == 0 {
					g.yamlMap(inner+2, depth+1, "\x00")
					continue
				}
				g.b.WriteString(g.yamlScalar(false) + g.pick("", " # item") + "\n")
			}
		case kind == 3:
			g.b.WriteString(" " + g.pick("[", "[ ") + g.yamlScalar(true) + ", " + g.yamlScalar(true) + g.pick("]", ", ]") + "\n")
		case kind == 4:
			g.b.WriteString(" {x: " + g.yamlScalar(true) + ", y: [" + g.yamlScalar(true) + "]}\n")
		case kind == 5:
			g.b.WriteString(" " + g.pick("|", ">", "|-", "|+") + "\n" + pad + "  some\n\n" + pad + "  lines\n" + g.pick("", "\n"))
		case kind == 6:
			g.b.WriteString(g.pick("", " # nothing") + "\n")
		default:
			g.b.WriteString(" " + g.yamlScalar(false) + g.pick("", " # why") + "\n")
		}
	}
}

func (g *generator) yaml() string {
	g.b.Reset()
	g.yamlMap(0, 0, "")
	return strings.ReplaceAll(g.b.String(), "\x00", "")
}

// toml writes a text of TOML.
func (g *generator) toml() string {
	g.b.Reset()
	value := func() string {
		return g.pick("1", "true", "1.5", "2024-01-01", "[1, 2]", "[\n  1, # one\n  2\n]", "{ x = 1, y.z = 2 }", "'''\na\nb'''", "[]", "{}", `["a", "b",]`,
			doubleQuoted(g.text(), TOML))
	}
	line := func(i int) {
		g.b.WriteString(g.pick("", "", "# about it\n") + fmt.Sprintf(g.pick("k%d", "\"q k%d\"", "'l k%d'"), i) + g.pick(" = ", "=") + value() + g.pick("", " # why") + "\n")
	}
	for i := range g.r.IntN(4) {
		line(i)
	}
	if g.r.IntN(3) == 0 {
		g.b.WriteString("dot.ted.a = 1\ndot.ted.b = 'x'\n")
	}
	for t := range g.r.IntN(3) {
		g.b.WriteString("\n" + g.pick("[t%d]", "[t%d] # head", "[out.t%d]", "[[l%d]]"))
		text := strings.ReplaceAll(g.b.String(), "%d", strconv.Itoa(t))
		g.b.Reset()
		g.b.WriteString(text + "\n")
		for i := range g.r.IntN(3) {
			line(i)
		}
	}
	return g.b.String()
}

// change makes a random change of a text, of a path that leads somewhere or not.
func (g *generator) change(t *Text) (Change, any) {
	var paths []Path
	var walk func(n *Node, p Path)
	walk = func(n *Node, p Path) {
		for i, name := range n.names() {
			inner := append(slices.Clone(p), name)
			paths = append(paths, inner)
			walk(n.Items[i].Value, inner)
		}
	}
	walk(t.root, Path{})
	c := Change{Action: Action(g.r.IntN(4)), Path: Path{"fresh"}, Unless: g.r.IntN(2) == 0}
	if len(paths) > 0 && g.r.IntN(8) > 0 {
		c.Path = paths[g.r.IntN(len(paths))]
	}
	if g.r.IntN(4) == 0 {
		c.Path = append(slices.Clone(c.Path), g.pick("fresh", "a.b", "x y"))
	}
	values := []any{g.text(), g.text(), g.text(), float64(g.r.IntN(50)), 2.5, true, []any{g.text(), 1.0}, map[string]any{"in": g.text()}, []any{}, map[string]any{}}
	if t.format == YAML {
		values = append(values, nil)
	}
	v := values[g.r.IntN(len(values))]
	raw, _ := json.Marshal(v)
	c.Value, _ = ParseValue(string(raw))
	c.Name = g.pick("fresh", "a.b", "no", "x y")
	return c, v
}

// judged returns what a change makes of what another reader has read; ok is false if it can't
// be made.
func judged(root any, c Change, v any) (after any, ok bool) {
	if len(c.Path) == 0 {
		switch list := root.(type) {
		case []any:
			if c.Unless && slices.ContainsFunc(list, func(o any) bool { return reflect.DeepEqual(o, plain(v)) }) {
				return root, true
			}
			return append(slices.Clone(list), plain(v)), true
		case nil:
			return []any{plain(v)}, true
		}
		return nil, false
	}
	name := c.Path[0]
	inner := c
	inner.Path = c.Path[1:]
	last := len(inner.Path) == 0
	switch n := root.(type) {
	case nil:
		return judged(map[string]any{}, c, v)
	case map[string]any:
		made := map[string]any{}
		maps.Copy(made, n)
		old, there := n[name]
		switch {
		case last && c.Action == Set:
			made[name] = plain(v)
		case last && c.Action == Remove:
			delete(made, name)
		case last && c.Action == Rename:
			delete(made, name)
			made[c.Name] = old
		default:
			made[name], ok = judged(old, inner, v)
			return made, ok
		}
		return made, there || c.Action == Set
	case []any:
		i := index(name)
		if i < 0 || i >= len(n) {
			return nil, false
		}
		made := slices.Clone(n)
		switch {
		case last && c.Action == Set:
			made[i] = plain(v)
		case last && c.Action == Remove:
			made = slices.Delete(made, i, i+1)
		default:
			made[i], ok = judged(n[i], inner, v)
			return made, ok
		}
		return made, true
	}
	return nil, false
}

// plain returns a value in one form, whoever has read it.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		made := map[string]any{}
		for k, o := range v {
			made[k] = plain(o)
		}
		return made
	case []map[string]any:
		made := make([]any, len(v))
		for i := range v {
			made[i] = plain(v[i])
		}
		return made
	case []any:
		made := make([]any, len(v))
		for i := range v {
			made[i] = plain(v[i])
		}
		return made
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	case nil, bool, string, float64:
		return v
	}
	return fmt.Sprintf("%T %v", v, v)
}

// readBy reads a text with the judge.
func readBy(source string, f Format) (any, error) {
	var v map[string]any
	var err error
	if f == TOML {
		err = burnt.Unmarshal([]byte(source), &v)
	} else {
		err = yaml.Unmarshal([]byte(source), &v)
	}
	if v == nil {
		v = map[string]any{}
	}
	return plain(v), err
}

// comments returns the comments of a text that the generator writes.
func comments(s string) []string {
	var all []string
	for line := range strings.SplitSeq(s, "\n") {
		for _, c := range []string{"# about it", "# why", "# item", "# nothing", "# head", "# one", "# c"} {
			if strings.HasSuffix(line, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// judge says what is wrong with what became of a text, in which another reader has read before.
func judge(before any, source, now string, f Format, c Change, v any) string {
	after, err := readBy(now, f)
	want, ok := judged(before, c, v)
	if f == TOML && c.Action == Remove {
		want, after = withoutEmpty(want), withoutEmpty(after)
	}
	switch {
	case err != nil:
		return fmt.Sprintf("it can't be read: %v", err)
	case !ok:
		return "it can't be made"
	case !reflect.DeepEqual(after, want):
		return fmt.Sprintf("read as %v\nwant    %v", after, want)
	}
	if c.Action == Append || c.Action == Rename {
		if a, b := comments(source), comments(now); !slices.Equal(a, b) {
			return fmt.Sprintf("the comments %q are %q", a, b)
		}
	}
	return ""
}

// TestJudge gives the judge texts that break the law, of YAML and of TOML.
func TestJudge(t *testing.T) {
	yes, _ := ParseValue("true")
	set := Change{Action: Set, Path: Path{"k"}, Value: yes}
	add := Change{Action: Append, Path: Path{"l"}, Value: yes}
	name := Change{Action: Rename, Path: Path{"k"}, Name: "n"}
	for _, tt := range []struct {
		name       string
		change     Change
		yaml, toml string
		isRight    bool
	}{
		{name: "set", change: set, yaml: "k: true # why\nl: [a]\n", toml: "k = true # why\nl = ['a']\n", isRight: true},
		{name: "nothing", change: set, yaml: "k: a # why\nl: [a]\n", toml: "k = 'a' # why\nl = ['a']\n"},
		{name: "a text", change: set, yaml: "k: 'true' # why\nl: [a]\n", toml: "k = 'true' # why\nl = ['a']\n"},
		{name: "another key", change: set, yaml: "k: true # why\nl: [b]\n", toml: "k = true # why\nl = ['b']\n"},
		{name: "a key gone", change: set, yaml: "k: true # why\n", toml: "k = true # why\n"},
		{name: "a key more", change: set, yaml: "k: true # why\nl: [a]\nm: 1\n", toml: "k = true # why\nl = ['a']\nm = 1\n"},
		{name: "torn", change: set, yaml: "k: true # why\nl: [a\n", toml: "k = true # why\nl = ['a'\n"},
		{name: "add", change: add, yaml: "k: a # why\nl: [a, true]\n", toml: "k = 'a' # why\nl = ['a', true]\n", isRight: true},
		{name: "another order", change: add, yaml: "k: a # why\nl: [true, a]\n", toml: "k = 'a' # why\nl = [true, 'a']\n"},
		{name: "a comment gone", change: add, yaml: "k: a\nl: [a, true]\n", toml: "k = 'a'\nl = ['a', true]\n"},
		{name: "rename", change: name, yaml: "n: a # why\nl: [a]\n", toml: "n = 'a' # why\nl = ['a']\n", isRight: true},
		{name: "a copy", change: name, yaml: "k: a # why\nn: a\nl: [a]\n", toml: "k = 'a' # why\nn = 'a'\nl = ['a']\n"},
	} {
		for f, source := range map[Format]string{YAML: "k: a # why\nl: [a]\n", TOML: "k = 'a' # why\nl = ['a']\n"} {
			before, err := readBy(source, f)
			if err != nil {
				t.Fatal(err)
			}
			now := tt.yaml
			if f == TOML {
				now = tt.toml
			}
			if wrong := judge(before, source, now, f, tt.change, true); (wrong == "") != tt.isRight {
				t.Errorf("%s, %s: %q", tt.name, f, wrong)
			}
		}
	}
}

func TestLaws(t *testing.T) {
	rounds := 800
	if testkit.Long() {
		rounds = 1_000_000
	}
	g := &generator{r: rand.New(rand.NewPCG(23, 23))}
	made := map[Format]int{}
	for round := range rounds {
		f := Format(round % 2)
		source := g.yaml()
		if f == TOML {
			source = g.toml()
		}
		text, err := Read(source, f)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		before, err := readBy(source, f)
		if err != nil {
			continue // the judge reads it otherwise, or not at all
		}
		c, v := g.change(text)
		splices, err := text.Apply(c)
		if fresh, _ := read(source, f); !reflect.DeepEqual(text, fresh) {
			t.Fatalf("round %d: what was read is another text after %+v\n%s", round, c, source)
		}
		if err != nil {
			continue
		}
		made[f]++
		now, _ := Splices(splices).in(source)
		if wrong := judge(before, source, now, f, c, v); wrong != "" {
			t.Fatalf("round %d, %s: %+v %v: %s\nfrom\n%s\nto\n%s", round, f, c, v, wrong, source, now)
		}
		if again, err := Read(now, f); err != nil || again.root == nil {
			t.Fatal(err)
		}
	}
	for f, n := range made {
		if n < rounds/5 {
			t.Errorf("%s: of %d changes %d were made, which prove little", f, rounds/2, n)
		}
	}
}

// TestCommentsOfItems sets lists and mappings in lines to others: each comment stays behind or above
// the item that it belongs to, or goes with it, and those of the items that stay in front and at the
// end stay. A comment above the first one is that of the whole.
func TestCommentsOfItems(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	items := func() []string {
		var some []string
		for _, s := range []string{"a", "b", "c", "d", "e"} {
			if r.IntN(3) > 0 {
				some = append(some, s)
			}
		}
		return append(some, "f")[r.IntN(2):]
	}
	for range testkit.Some(5000, 10) {
		old, wanted := items(), items()
		if len(old) == 0 || len(wanted) == 0 || slices.Equal(old, wanted) {
			continue
		}
		ending, pad, isMap := []string{"\n", "\r\n"}[r.IntN(2)], strings.Repeat(" ", 1+r.IntN(3)), r.IntN(2) == 0
		written := func(s string) string {
			if isMap {
				return pad + s + ": " + s
			}
			return pad + "- " + s
		}
		source, value := "l:"+ending, ""
		about := map[string]string{} // the comments above items
		for _, s := range old {
			if r.IntN(2) == 0 {
				about[s] = pad + "# about " + s + ending
			}
			source += about[s] + written(s) + " # of " + s + ending
		}
		for _, s := range wanted {
			if isMap {
				s += `": "` + s
			}
			value += `, "` + s + `"`
		}
		value = "[" + value[2:] + "]"
		if isMap {
			value = "{" + value[1:len(value)-1] + "}"
		}
		after := "m: 1 # of m" + ending
		got := applied(t, source+after, YAML, change(t, "set .l "+value))
		front, back := 0, 0
		for front < min(len(old), len(wanted)) && old[front] == wanted[front] {
			front++
		}
		for back < min(len(old), len(wanted))-front && old[len(old)-1-back] == wanted[len(wanted)-1-back] {
			back++
		}
		want := "l:" + ending + about[old[0]]
		delete(about, old[0])
		for i, s := range wanted {
			if i < front || i >= len(wanted)-back {
				want += about[s] + written(s) + " # of " + s + ending
			} else {
				want += written(s) + ending
			}
		}
		if got != want+after {
			t.Fatalf("set to %s in\n%s\ngot\n%s\nwant\n%s", value, source, got, want+after)
		}
	}
}

// withoutEmpty returns a value without tables and lists that hold nothing: those that lines
// make go with the last of them.
func withoutEmpty(v any) any {
	n, ok := v.(map[string]any)
	if !ok {
		return v
	}
	made := map[string]any{}
	for k, o := range n {
		o = withoutEmpty(o)
		m, isMap := o.(map[string]any)
		l, isList := o.([]any)
		if isMap && len(m) == 0 || isList && len(l) == 0 {
			continue
		}
		made[k] = o
	}
	return made
}

// TestPsych: no text is written without quotes that Ruby's reader of YAML, which Jekyll has, takes
// for a number or a time. The expressions are those of its ScalarScanner.
func TestPsych(t *testing.T) {
	numbers := regexp.MustCompile(`^(?:` + strings.Join([]string{
		`[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?`,
		`[-+]?0b[0-1_,]+`, `[-+]?0[0-7_,]+`, `[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)`, `[-+]?0x[0-9a-fA-F_,]+`,
		`[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}(\.[0-9_]*)?`,
		`-?\d{4}-\d{1,2}-\d{1,2}((?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?)?`,
	}, "|") + `)$`)
	r := rand.New(rand.NewPCG(3, 1))
	texts := []string{"1,000", "1,5", "1,2,3", "1,000.50", "0x,", "0,", "1,.5"}
	for range testkit.Some(100_000, 10) {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteByte("00112789abefx.,:_+-"[r.IntN(19)])
		}
		texts = append(texts, b.String())
	}
	judged := 0
	for _, s := range texts {
		if !numbers.MatchString(s) {
			continue
		}
		judged++
		if got := YAMLText(s, false); got == s && s != "." { // which is a text for it
			t.Errorf("%q is written without quotes", s)
		}
	}
	if judged < len(texts)/100 {
		t.Errorf("%d texts are numbers of %d, which prove little", judged, len(texts))
	}
}

// What is written means the same in YAML 1.1, as PyYAML reads it.
func TestPyYAML(t *testing.T) {
	if exec.Command("python3", "-c", "import yaml").Run() != nil {
		testkit.Missing(t, "python3 with PyYAML is not installed")
	}
	var docs []string
	var want []any
	for _, s := range append(slices.Clone(someTexts), strings.Split("y Y on 0o7 1_0 .5 +1 -1 1. 12:30:45 0b1 =x << .nan a:b a,b [ ] , ? - : | >", " ")...) {
		for _, source := range []string{"", "k: 'a'\n", "k: [1]\n", "k:\n- a\n"} {
			text, err := Read(source, YAML)
			if err != nil {
				t.Fatal(err)
			}
			action := Set
			if strings.ContainsAny(source, "[-") {
				action = Append
			}
			raw, _ := json.Marshal(s)
			v, _ := ParseValue(string(raw))
			splices, err := text.Apply(Change{Action: action, Path: Path{"k"}, Value: v})
			if err != nil {
				if s == "{{ t }}" || s == "a" {
					continue
				}
				t.Fatalf("%q into %q: %v", s, source, err)
			}
			now, _ := Splices(splices).in(source)
			docs, want = append(docs, now), append(want, s)
		}
	}
	in, _ := json.Marshal(docs)
	cmd := exec.Command("python3", "-c", `import json, sys, yaml
out = []
for d in json.load(sys.stdin):
    v = yaml.safe_load(d)["k"]
    out.append(v[-1] if isinstance(v, list) else v if isinstance(v, str) else repr(v))
json.dump([v if isinstance(v, str) else repr(v) for v in out], sys.stdout)`)
	cmd.Stdin = bytes.NewReader(in)
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q is read as %q in %q", want[i], got[i], docs[i])
		}
	}
}

// Any text is read or refused, and what a change makes of it can be read again.
func FuzzApply(f *testing.F) {
	f.Add("a: &x [1, {b: 2}]\nc: |\n  d\n", "a.1.b", "x", uint8(0), false)
	f.Add("a = 1\n[b.c]\nd = [\"e\"]\n", "b.c.d", "[1]", uint8(1), true)
	f.Add("? a\n: - b\n<<: *y\n", "a", "null", uint8(2), false)
	f.Fuzz(func(t *testing.T, source, where, value string, action uint8, isTOML bool) {
		format := YAML
		if isTOML {
			format = TOML
		}
		text, err := Read(source, format)
		if err != nil {
			return
		}
		path, ok := ParsePath("." + where)
		if !ok {
			return
		}
		if again, ok := ParsePath(path.String()); !ok || !slices.Equal(again, path) {
			t.Fatalf("%q is %q again", path, again)
		}
		v, err := ParseValue(value)
		if err != nil || strings.ContainsFunc(source, unicode.IsControl) && strings.Contains(source, "\x00") {
			return
		}
		splices, err := text.Apply(Change{Action: Action(action % 4), Path: path, Value: v, Name: value})
		if err != nil {
			return
		}
		now, ok := Splices(splices).in(source)
		if !ok {
			t.Fatal("splices overlap")
		}
		if _, err := Read(now, format); err != nil {
			t.Fatalf("%q became %q: %v", source, now, err)
		}
	})
}

package toolargs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// everyKind declares an argument of every kind, none of which must be there.
func everyKind() []Argument {
	return []Argument{
		{Name: "file_path", Aliases: []string{"path"}},
		{Name: "section_name", Aliases: []string{"section_heading", "section_query"}},
		{Name: "format", Options: []string{"json", "ASCII"}},
		{Name: "max_depth", Kind: Integer, Max: 6},
		{Name: "occurrence", Kind: Integer, Min: 1},
		{Name: "number", Kind: Integer, Min: math.MinInt},
		{Name: "raw", Kind: Boolean},
		{Name: "headings", Kind: Texts},
		{Name: "levels", Kind: Texts, Options: []string{"H1", "H2"}},
		{Name: "goal", Kind: Object, Fields: []Argument{
			{Name: "type", Required: true, Help: "kind of change"},
			{Name: "breaking", Kind: Boolean},
		}},
		{Name: "edits", Kind: Objects, Fields: []Argument{
			{Name: "action", Required: true, Options: []string{"replace", "remove"}},
			{Name: "content"},
			{Name: "tags", Kind: Texts},
			{Name: "at", Kind: Integer, Min: 1, Max: 9},
		}},
		{Name: "plan", Kind: Anything, Shape: `"type":"array"`, Sample: `[{"text": "…"}]`},
	}
}

func (a Values) text(name string) string {
	s, _ := a.values[name].(string)
	return s
}

func (a Values) texts(name string) []string {
	list, _ := a.values[name].([]string)
	return list
}

func (a Values) integer(name string) int {
	n, _ := a.values[name].(int)
	return n
}

func (a Values) boolean(name string, absent bool) bool {
	if b, given := a.values[name].(bool); given {
		return b
	}
	return absent
}

func (a Values) objects(name string) []Values {
	list, _ := a.values[name].([]Values)
	return list
}

func (a Values) anything(name string) any { return a.values[name] }

func (a Values) has(name string) bool { return a.values[name] != nil }

// encode returns the arguments as a client would send them.
func encode(t testing.TB, a Values) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plainly(a)); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(buf.String())
}

// plainly returns the arguments as encoding/json takes them.
func plainly(a Values) map[string]any {
	object := map[string]any{}
	for i := range a.declared {
		arg := &a.declared[i]
		if !a.has(arg.Name) {
			continue
		}
		switch arg.Kind {
		case Text:
			object[arg.Name] = a.text(arg.Name)
		case Integer:
			object[arg.Name] = a.integer(arg.Name)
		case Boolean:
			object[arg.Name] = a.boolean(arg.Name, false)
		case Texts:
			object[arg.Name] = a.texts(arg.Name)
		case Object:
			object[arg.Name] = plainly(a.objects(arg.Name)[0])
		case Objects:
			list := []any{}
			for _, o := range a.objects(arg.Name) {
				list = append(list, plainly(o))
			}
			object[arg.Name] = list
		case Anything:
			object[arg.Name] = a.anything(arg.Name)
		}
	}
	return object
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"absent", ``, `{}`},
		{"null", ` null `, `{}`},
		{"empty", "{ }\n", `{}`},
		{"white space", "{\n\t\"raw\" : true ,\r\n \"headings\" : [ \"a\" , \"b\" ] }", `{"headings":["a","b"],"raw":true}`},
		{"encoded twice", `"{\"file_path\": \"a \\\" b\"}"`, `{"file_path":"a \" b"}`},
		{"encoded twice, with space", `" {\"raw\":true}\n"`, `{"raw":true}`},

		{"integer", `{"max_depth":2}`, `{"max_depth":2}`},
		{"integer, zero", `{"max_depth":0}`, `{"max_depth":0}`},
		{"integer, largest", `{"max_depth":6}`, `{"max_depth":6}`},
		{"integer, smallest", `{"occurrence":1}`, `{"occurrence":1}`},
		{"integer with fraction", `{"max_depth":2.0}`, `{"max_depth":2}`},
		{"integer, scientific", `{"number":1.5e3}`, `{"number":1500}`},
		{"integer, negative exponent", `{"number":-20E-1}`, `{"number":-2}`},
		{"integer as text", `{"max_depth":"2"}`, `{"max_depth":2}`},
		{"integer as text with space", `{"max_depth":" 2 "}`, `{"max_depth":2}`},
		{"integer as text with fraction", `{"max_depth":"2.0"}`, `{"max_depth":2}`},
		{"integer with zeros in front", `{"number":"010"}`, `{"number":10}`},
		{"integer with plus", `{"number":"+7"}`, `{"number":7}`},
		{"integer above 2^53", `{"number":9007199254740993}`, `{"number":9007199254740993}`},
		{"integer above 2^53 as text", `{"number":"9007199254740993.0"}`, `{"number":9007199254740993}`},
		{"largest integer", `{"number":9223372036854775807}`, `{"number":9223372036854775807}`},
		{"integer, negative", `{"number":-9223372036854775808}`, `{"number":-9223372036854775808}`},
		{"blank for integer", `{"max_depth":" "}`, `{}`},

		{"true", `{"raw":true}`, `{"raw":true}`},
		{"false", `{"raw":false}`, `{"raw":false}`},
		{"text for true", `{"raw":"true"}`, `{"raw":true}`},
		{"True of Python", `{"raw":"True"}`, `{"raw":true}`},
		{"FALSE with space", `{"raw":" FALSE "}`, `{"raw":false}`},
		{"yes", `{"raw":"yes"}`, `{"raw":true}`},
		{"No", `{"raw":"No"}`, `{"raw":false}`},
		{"one", `{"raw":1}`, `{"raw":true}`},
		{"zero", `{"raw":0}`, `{"raw":false}`},
		{"text of one", `{"raw":"1"}`, `{"raw":true}`},
		{"text of zero", `{"raw":"0"}`, `{"raw":false}`},
		{"blank for truth", `{"raw":""}`, `{}`},

		{"empty text", `{"section_name":""}`, `{"section_name":""}`},
		{"blank text", `{"section_name":" "}`, `{"section_name":" "}`},
		{"number for text", `{"section_name":2024}`, `{"section_name":"2024"}`},
		{"number as it is written", `{"section_name":1.50}`, `{"section_name":"1.50"}`},
		{"truth for text", `{"section_name":true}`, `{"section_name":"true"}`},
		{"text that looks like JSON", `{"section_name":"[\"a\"]"}`, `{"section_name":"[\"a\"]"}`},
		{"option", `{"format":"json"}`, `{"format":"json"}`},
		{"option in another case", `{"format":" Ascii "}`, `{"format":"ASCII"}`},
		{"blank for option", `{"format":""}`, `{}`},

		{"texts", `{"headings":["a","b"]}`, `{"headings":["a","b"]}`},
		{"no texts", `{"headings":[]}`, `{"headings":[]}`},
		{"numbers for texts", `{"headings":["a",2024,true,""]}`, `{"headings":["a","2024","true",""]}`},
		{"string with an array", `{"headings":"[\"a\", \"b,]\"]"}`, `{"headings":["a","b,]"]}`},
		{"string with an empty array", `{"headings":" [] "}`, `{"headings":[]}`},
		{"one text", `{"headings":"## a"}`, `{"headings":["## a"]}`},
		{"one number", `{"headings":2024}`, `{"headings":["2024"]}`},
		{"text in brackets", `{"headings":"[Unreleased]"}`, `{"headings":["[Unreleased]"]}`},
		{"number in brackets", `{"headings":"[2024]"}`, `{"headings":["[2024]"]}`},
		{"open bracket", `{"headings":"[\"a\""}`, `{"headings":["[\"a\""]}`},
		{"text in braces", `{"headings":"{}"}`, `{"headings":["{}"]}`},
		{"blank for texts", `{"headings":""}`, `{}`},
		{"options among texts", `{"levels":["h1","H2"]}`, `{"levels":["H1","H2"]}`},
		{"one option", `{"levels":"h2"}`, `{"levels":["H2"]}`},

		{"object", `{"goal":{"type":"feat","breaking":"no"}}`, `{"goal":{"breaking":false,"type":"feat"}}`},
		{"string with an object", `{"goal":"{\"type\":\"feat\"}"}`, `{"goal":{"type":"feat"}}`},
		{"blank for object", `{"goal":""}`, `{}`},
		{
			"objects", `{"edits":[{"action":"Remove","at":"3"},{"action":"replace","tags":"x"}]}`,
			`{"edits":[{"action":"remove","at":3},{"action":"replace","tags":["x"]}]}`,
		},
		{"no objects", `{"edits":[]}`, `{"edits":[]}`},
		{"string with objects", `{"edits":"[{\"action\":\"remove\"}]"}`, `{"edits":[{"action":"remove"}]}`},
		{"one object for several", `{"edits":{"action":"remove"}}`, `{"edits":[{"action":"remove"}]}`},
		{"string with one object", `{"edits":"{\"action\":\"remove\"}"}`, `{"edits":[{"action":"remove"}]}`},
		{"strings with objects", `{"edits":["{\"action\":\"remove\"}"]}`, `{"edits":[{"action":"remove"}]}`},

		{"anything", `{"plan":[[false,"a <b>",[9007199254740993,null]],{"x":1.50}]}`, `{"plan":[[false,"a <b>",[9007199254740993,null]],{"x":1.50}]}`},
		{"string with anything", `{"plan":" [{\"text\": \"a\"}] "}`, `{"plan":[{"text":"a"}]}`},
		{"text for anything", `{"plan":"- [ ] a\n"}`, `{"plan":"- [ ] a\n"}`},
		{"blank for anything", `{"plan":" "}`, `{}`},
		{"nothing in anything", `{"plan":[]}`, `{"plan":[]}`},

		{"null for each", `{"plan":null,"section_name":null,"max_depth":null,"raw":null,"headings":null,"goal":null,"edits":null}`, `{}`},
		{"null in an object", `{"goal":{"type":"fix","breaking":null}}`, `{"goal":{"type":"fix"}}`},

		{"alias", `{"section_query":"a","path":"b"}`, `{"file_path":"b","section_name":"a"}`},
		{"another case", `{"File_Path":"b"}`, `{"file_path":"b"}`},
		{"humps", `{"filePath":"b","maxDepth":1}`, `{"file_path":"b","max_depth":1}`},
		{"hyphen", `{"file-path":"b","MAX-DEPTH":1}`, `{"file_path":"b","max_depth":1}`},
		{"alias with humps", `{"sectionHeading":"a"}`, `{"section_name":"a"}`},
		{"escapes in a name", `{"\u0066ile_path":"b"}`, `{"file_path":"b"}`},
		{"names in an object", `{"goal":{"Type":"fix"}}`, `{"goal":{"type":"fix"}}`},
		{"twice and equal", `{"file_path":"b","path":"b"}`, `{"file_path":"b"}`},
		{"twice and equal at last", `{"max_depth":2,"maxDepth":"2"}`, `{"max_depth":2}`},
		{"equal objects", `{"edits":[{"action":"remove"}],"Edits":{"action":"REMOVE"}}`, `{"edits":[{"action":"remove"}]}`},
		{"twice, once null", `{"path":null,"file_path":"b","filePath":null}`, `{"file_path":"b"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Decode(everyKind(), json.RawMessage(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			if got := encode(t, a); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestDecodeVerbatim sends texts that are easily changed on the way.
func TestDecodeVerbatim(t *testing.T) {
	testkit.OneGoroutine(t)
	for raw, want := range map[string]string{
		`"a\r\n\tb  \n"`:                       "a\r\n\tb  \n",
		`"<&>\u003c\u2028"`:                    "<&><\u2028",
		`"\ufeffa\u0000b\u202e"`:               "\ufeffa\x00b\u202e",
		`"\ud83d\ude00 \uD83D\uDE00"`:          "😀 😀",
		`"\\ud800 \\\\ud800 \\"`:               `\ud800 \\ud800 \`,
		`"\ufffd` + "\uFFFD" + `"`:             "\uFFFD\uFFFD",
		"\"e\u0301 \u00e9 \u2028\"":            "e\u0301 \u00e9 \u2028",
		`"\"\/\b\f"`:                           "\"/\b\f",
		`"` + strings.Repeat("é", 1<<20) + `"`: strings.Repeat("é", 1<<20),
	} {
		for _, place := range []string{`{"section_name":%s}`, `{"headings":[%s]}`, `{"edits":[{"action":"remove","content":%s}]}`} {
			a, err := Decode(everyKind(), fmt.Appendf(nil, place, raw))
			if err != nil {
				t.Errorf("%.60s: %v", raw, err)
				continue
			}
			got := a.text("section_name")
			if a.has("headings") {
				got = a.texts("headings")[0]
			} else if a.has("edits") {
				got = a.objects("edits")[0].text("content")
			}
			if got != want {
				t.Errorf("%s of %.60s: got %.60q, want %.60q", place, raw, got, want)
			}
		}
	}
}

// TestDecodeRefusesBrokenTexts sends what no Go string can hold and encoding/json
// replaces.
func TestDecodeRefusesBrokenTexts(t *testing.T) {
	for _, raw := range []string{
		`"\ud800"`, `"\udc00"`, `"a\ud83dz"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\ud83d\n"`, `"\ud83d\\ude00"`, `"\uD83D"`,
		`"\ud83d\u0041"`, "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"",
	} {
		for place, where := range map[string]string{
			`{"section_name":%s}`:                          "section_name: ",
			`{"headings":%s}`:                              "headings: ",
			`{"headings":["a",%s]}`:                        "headings[1]: ",
			`{"edits":[{"action":"remove","content":%s}]}`: "edits[0].content: ",
			`{"goal":{"type":%s}}`:                         "goal.type: ",
			`{"plan":[[true,%s]]}`:                         "plan: ",
		} {
			_, err := Decode(everyKind(), fmt.Appendf(nil, place, raw))
			e := refused(t, err)
			if e.Code != replies.CodeInvalidArgument || !strings.HasPrefix(e.Message.String(), where+"it has half a surrogate pair") {
				t.Errorf("%s of %+q: %v", place, raw, e)
			}
		}
	}
}

// All elements of a list that are wrong are told, up to a number; and a text that is
// no option is none of the decoder's business if that is said.
func TestDecodeTellsAllElements(t *testing.T) {
	args := []Argument{{Name: "edits", Kind: Objects, Fields: []Argument{
		{Name: "action", Kind: Text, Options: []string{"append", "remove"}, Lenient: true},
		{Name: "occurrence", Kind: Integer},
	}}}
	_, err := Decode(args, []byte(`{"edits":[{"occurrence":"x"},{"action":"fly"},7,{"act":1,"b":2},{"action":[]}]}`))
	e := refused(t, err)
	want := []string{
		`invalid_argument: edits[2]: an object such as {} is wanted, not 7`,
		`unknown_argument: edits[3]: unknown arguments "act" (did you mean action?), "b"; allowed: action, occurrence`,
		`invalid_argument: edits[4].action: a text is wanted, not []`,
	}
	if diff := cmp.Diff(want, e.Details); diff != "" || !strings.HasPrefix(e.Message.String(), "edits[0].occurrence: a whole number ") {
		t.Errorf("%v\n%s", e, diff)
	}
	_, err = Decode(args, []byte(`{"edits":[`+strings.Repeat("{},7,", 5000)[:5000*5-1]+`]}`))
	if e := refused(t, err); len(e.Details) != maxToldErrors+1 || e.Details[maxToldErrors] != fmt.Sprintf("and %d more", 4999-maxToldErrors) {
		t.Errorf("%v %q", e, e.Details)
	}
	a, err := Decode(args, []byte(`{"edits":[{"action":"Remove"},{"action":" fly"},{"action":" "}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, item := range a.objects("edits") {
		got = append(got, item.text("action"))
	}
	if diff := cmp.Diff([]string{"remove", " fly", ""}, got); diff != "" {
		t.Error(diff)
	}
}

// refused returns the error of decode, whose form it checks.
// An error knows the argument that it is about, whatever it says.
func TestErrorsNameTheArgument(t *testing.T) {
	args := []Argument{{Name: "goal", Kind: Object, Fields: []Argument{{Name: "title", Kind: Text, Required: true}}}, {Name: "plan", Kind: Texts}}
	for raw, want := range map[string]string{
		`{"goal":{}}`:            "goal.title",
		`{"goal":{"title":{}}}`:  "goal.title",
		`{"goal":7}`:             "goal",
		`{"plan":["a",{}]}`:      "plan[1]",
		`{"pla\n":[]}`:           `pla\n`,
		`{"goal":{"name":"x"}}`:  "goal.name",
		`{"goal":{"a":1,"b":2}}`: "goal",
		`{"name":1,"more":2}`:    "",
		`[]`:                     "",
	} {
		_, err := Decode(args, json.RawMessage(raw))
		if e := refused(t, err); e.Argument != want {
			t.Errorf("%s: %q, want %q: %v", raw, e.Argument, want, e)
		}
	}
}

func refused(t testing.TB, err error) *replies.Error {
	t.Helper()
	var e *replies.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *replies.Error", err)
	}
	if e.Code != replies.CodeInvalidArgument && e.Code != replies.CodeUnknownArgument {
		t.Errorf("the code is %s", e.Code)
	}
	if n := utf8.RuneCountInString(e.Error()); n >= 600 {
		t.Errorf("%d characters: %v", n, e)
	}
	if e.Message.String() == "" || e.Error() != e.Code+": "+e.Message.String() {
		t.Errorf("not safe as it is: %+q", e.Message.String())
	}
	for _, r := range e.Message.String() {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) && r != '\u200c' && r != '\u200d' {
			t.Errorf("%U in %+q", r, e.Message.String())
		}
	}
	return e
}

func TestDecodeErrors(t *testing.T) {
	lie := "\u202e" + strings.Repeat("é", 70)
	for _, tt := range []struct{ name, raw, code, want string }{
		{"no JSON", `{"a":`, "", `the arguments are no valid JSON; send an object such as {}`},
		{"more than one value", `{} {}`, "", `the arguments are no valid JSON; send an object such as {}`},
		{"array", `["a"]`, "", `an object such as {} is wanted, not ["a"]`},
		{"number", `7`, "", `an object such as {} is wanted, not 7`},
		{"string", `"file.md"`, "", `an object such as {} is wanted, not "file.md"`},
		{"empty string", `""`, "", `an object such as {} is wanted, not ""`},
		{"string with an array", `"[]"`, "", `an object such as {} is wanted, not "[]"`},
		{"encoded three times", `"\"{}\""`, "", `an object such as {} is wanted, not "\"{}\""`},

		{"fraction", `{"max_depth":2.5}`, "", `max_depth: a whole number from 0 to 6 is wanted, not 2.5`},
		{"word", `{"max_depth":"two"}`, "", `max_depth: a whole number from 0 to 6 is wanted, not "two"`},
		{"no number", `{"max_depth":"NaN"}`, "", `max_depth: a whole number from 0 to 6 is wanted, not "NaN"`},
		{"infinite", `{"max_depth":"Infinity"}`, "", `max_depth: a whole number from 0 to 6 is wanted, not "Infinity"`},
		{"one too large for an int", `{"number":9223372036854775808}`, "", `number: a whole number of at least -9223372036854775808 is wanted, not 9223372036854775808`},
		{"enormous", `{"number":1e99}`, "", `number: a whole number of at least -9223372036854775808 is wanted, not 1e99`},
		{"beyond all", `{"occurrence":1e999999999}`, "", `occurrence: a whole number of at least 1 is wanted, not 1e999999999`},
		{"nearly nothing", `{"max_depth":1e-999999999}`, "", `max_depth: a whole number from 0 to 6 is wanted, not 1e-999999999`},
		{"long", `{"occurrence":` + strings.Repeat("1", 1e6) + `}`, "", `occurrence: a whole number of at least 1 is wanted, not ` + strings.Repeat("1", 59) + "…"},
		{"fraction of Go", `{"occurrence":"4/2"}`, "", `occurrence: a whole number of at least 1 is wanted, not "4/2"`},
		{"hexadecimal", `{"occurrence":"0x10"}`, "", `occurrence: a whole number of at least 1 is wanted, not "0x10"`},
		{"underscore", `{"occurrence":"1_0"}`, "", `occurrence: a whole number of at least 1 is wanted, not "1_0"`},
		{"sign alone", `{"number":"-"}`, "", `number: a whole number of at least -9223372036854775808 is wanted, not "-"`},
		{"exponent alone", `{"occurrence":"1e"}`, "", `occurrence: a whole number of at least 1 is wanted, not "1e"`},
		{"too large", `{"max_depth":7}`, "", `max_depth: a whole number from 0 to 6 is wanted, not 7`},
		{"negative", `{"max_depth":-1}`, "", `max_depth: a whole number from 0 to 6 is wanted, not -1`},
		{"too small", `{"occurrence":0}`, "", `occurrence: a whole number of at least 1 is wanted, not 0`},
		{"truth for integer", `{"max_depth":true}`, "", `max_depth: a whole number from 0 to 6 is wanted, not true`},
		{"array for integer", `{"max_depth":[1]}`, "", `max_depth: a whole number from 0 to 6 is wanted, not [1]`},

		{"maybe", `{"raw":"maybe"}`, "", `raw: true or false is wanted, not "maybe"`},
		{"two for truth", `{"raw":2}`, "", `raw: true or false is wanted, not 2`},
		{"object for truth", `{"raw":{}}`, "", `raw: true or false is wanted, not {}`},

		{"array for text", `{"file_path":["a.md"]}`, "", `file_path: a text is wanted, not ["a.md"]`},
		{"object for text", `{"file_path":{"a":` + "\n" + `1}}`, "", `file_path: a text is wanted, not {"a": 1}`},
		{"name of the declaration", `{"path":[]}`, "", `file_path: a text is wanted, not []`},
		{"no option", `{"format":"xml"}`, "", `format: one of json, ASCII is wanted, not "xml"`},
		{"number for option", `{"format":1}`, "", `format: one of json, ASCII is wanted, not 1`},

		{"object for texts", `{"headings":{"a":1}}`, "", `headings: a list of texts is wanted, not {"a":1}`},
		{"null among texts", `{"headings":["a",null]}`, "", `headings[1]: a text is wanted, not null`},
		{"array among texts", `{"headings":[["a"]]}`, "", `headings[0]: a text is wanted, not ["a"]`},
		{"no option among texts", `{"levels":["H1","H9"]}`, "", `levels[1]: one of H1, H2 is wanted, not "H9"`},

		{"text for object", `{"goal":"feat"}`, "", `goal: an object such as {"type": "…"} is wanted, not "feat"`},
		{"array for object", `{"goal":[]}`, "", `goal: an object such as {"type": "…"} is wanted, not []`},
		{"text for objects", `{"edits":"remove"}`, "", `edits: a list of objects such as [{"action": "replace"}] is wanted, not "remove"`},
		{"number for objects", `{"edits":1}`, "", `edits: a list of objects such as [{"action": "replace"}] is wanted, not 1`},
		{"text among objects", `{"edits":[{"action":"remove"},"x"]}`, "", `edits[1]: an object such as {"action": "replace"} is wanted, not "x"`},
		{"null among objects", `{"edits":[null]}`, "", `edits[0]: an object such as {"action": "replace"} is wanted, not null`},
		{"wrong in an object", `{"edits":[{"action":"remove"},{"action":"remove"},{"action":"foo"}]}`, "", `edits[2].action: one of replace, remove is wanted, not "foo"`},
		{"wrong in one object", `{"edits":{"action":"remove","at":10}}`, "", `edits.at: a whole number from 1 to 9 is wanted, not 10`},
		{"wrong in a list in an object", `{"edits":[{"action":"remove","tags":["a",{}]}]}`, "", `edits[0].tags[1]: a text is wanted, not {}`},
		{"missing in an object", `{"goal":{"breaking":true}}`, "", `goal: missing: type (kind of change)`},
		{
			"unknown in an object", `{"edits":[{"acton":"remove"}]}`, "unknown_argument",
			`edits[0]: unknown argument "acton"; did you mean action? allowed: action, content, tags, at`,
		},

		{"key twice", `{"file_path":"a","file_path":"a"}`, "", `"file_path" is given twice; give it once`},
		{"key twice, escaped", `{"file_path":"a","file\u005fpath":"a"}`, "", `"file_path" is given twice; give it once`},
		{"key twice in an object", `{"goal":{"type":"a","type":"b"}}`, "", `goal: "type" is given twice; give it once`},
		{"two values", `{"file_path":"a","path":"b"}`, "", `file_path and path mean the same argument and have different values; give file_path alone`},
		{"two values of aliases", `{"sectionHeading":"a","section_query":"b"}`, "", `sectionHeading and section_query mean the same argument and have different values; give section_name alone`},
		{"two lists", `{"headings":["a"],"Headings":[]}`, "", `headings and Headings mean the same argument and have different values; give headings alone`},

		{"long value", `{"raw":"` + lie + `"}`, "", `raw: true or false is wanted, not "\u202e` + strings.Repeat("é", 53) + `…"`},
		{"long list", `{"raw":["` + strings.Repeat("é", 70) + `"]}`, "", `raw: true or false is wanted, not ["` + strings.Repeat("é", 57) + `…`},
		{"long list of wide characters", `{"raw":["` + strings.Repeat("😀", 70) + `"]}`, "", `raw: true or false is wanted, not ["` + strings.Repeat("😀", 57) + `…`},
		{"long names", `{"file` + strings.Repeat("_", 1e4) + `path":"a","path":"b"}`, "", `file` + strings.Repeat("_", 55) + `… and path mean the same argument and have different values; give file_path alone`},
		{"unseen characters", `{"raw":["` + "\u202e\U000e0041" + `"]}`, "", "raw: true or false is wanted, not [\"\uFFFD\uFFFD\"]"},
		{"tags", `{"raw":"` + strings.Repeat("\U000e0041", 90) + `"}`, "", `raw: true or false is wanted, not "` + strings.Repeat(`\U000e0041`, 5) + `\U000e004…"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(everyKind(), json.RawMessage(tt.raw))
			e := refused(t, err)
			code := tt.code
			if code == "" {
				code = replies.CodeInvalidArgument
			}
			if e.Code != code {
				t.Errorf("code %s, want %s", e.Code, code)
			}
			if diff := cmp.Diff(tt.want, e.Message.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDecodeMissing asks for arguments that must be there.
func TestDecodeMissing(t *testing.T) {
	args := []Argument{
		{Name: "file_path", Required: true, Aliases: []string{"path"}},
		{Name: "section_name", Required: true, Help: "heading text or selector"},
		{Name: "occurrence", Kind: Integer},
		{Name: "headings", Kind: Texts, Required: true},
		{Name: "content", Required: true, Empty: true},
		{Name: "count", Kind: Integer, Required: true, Min: 3},
	}
	const all = "missing: file_path, section_name (heading text or selector), headings, content, count"
	for _, tt := range []struct{ raw, want string }{
		{``, all},
		{`null`, all},
		{`{}`, all},
		{`"{}"`, all},
		{`{"path":null,"count":" ","headings":""}`, all},
		{`{"path":"a","headings":["a"],"count":3}`, "missing: section_name (heading text or selector), content"},
		{`{"path":"a","headings":[],"count":3,"content":""}`, "missing: section_name (heading text or selector)"},
		{`{"path":"","section_name":" ","headings":[],"content":" "}`, "missing or empty: file_path, count"},
		{`{"path":"a","headings":[""],"count":3,"content":"","section_name":" "}`, ""},
		{`[]`, `an object such as {"file_path": "…", "section_name": "…", "headings": ["…"], "content": "…", "count": 3} is wanted, not []`},
	} {
		a, err := Decode(args, json.RawMessage(tt.raw))
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.raw, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: got %s, want an error", tt.raw, encode(t, a))
			continue
		}
		if diff := cmp.Diff(tt.want, refused(t, err).Message.String()); diff != "" {
			t.Errorf("%s: %s", tt.raw, diff)
		}
	}

	// Names are worth more than what is said about them.
	long := []Argument{
		{Name: "one", Required: true, Help: strings.Repeat("x", 300)},
		{Name: "two", Required: true, Help: strings.Repeat("x", 300)},
	}
	_, err := Decode(long, nil)
	help := strings.Repeat("x", 119) + "…"
	if got, want := refused(t, err).Message.String(), "missing: one ("+help+"), two ("+help+")"; got != want {
		t.Errorf("got %s", got)
	}
	for i := range 5 {
		long = append(long, Argument{Name: fmt.Sprintf("more%d", i), Required: true, Help: strings.Repeat("x", 300)})
	}
	_, err = Decode(long, nil)
	if got, want := refused(t, err).Message.String(), "missing: one, two, more0, more1, more2, more3, more4"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestDecodeUnknown(t *testing.T) {
	args := []Argument{
		{Name: "file_path", Aliases: []string{"path"}, Required: true},
		{Name: "section_name", Aliases: []string{"section_heading"}},
		{Name: "max_depth", Kind: Integer},
		{Name: "raw", Kind: Boolean},
	}
	const allowed = "allowed: file_path, section_name, max_depth, raw"
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprintf(`"x%d%s":1`, i, strings.Repeat("y", 100)))
	}
	for _, tt := range []struct{ raw, want string }{
		{`{"secton_name":"a"}`, `unknown argument "secton_name"; did you mean section_name? ` + allowed},
		{`{"sectionNmae":"a"}`, `unknown argument "sectionNmae"; did you mean section_name? ` + allowed},
		{`{"section_headings":"a"}`, `unknown argument "section_headings"; did you mean section_name? ` + allowed},
		{`{"section":"a"}`, `unknown argument "section"; did you mean section_name? ` + allowed},
		{`{"target_file_path":"a"}`, `unknown argument "target_file_path"; did you mean file_path? ` + allowed},
		{`{"pth":null}`, `unknown argument "pth"; did you mean file_path? ` + allowed},
		{`{"Depth":1}`, `unknown argument "Depth"; did you mean max_depth? ` + allowed},
		{`{"rw":1}`, `unknown argument "rw"; did you mean raw? ` + allowed},
		{`{"limit":1,"path":[]}`, `unknown argument "limit"; ` + allowed},
		{`{"":1}`, `unknown argument ""; ` + allowed},
		{`{"a":1}`, `unknown argument "a"; ` + allowed},
		{
			`{"fil_path":"a","limit":1,"\u202e\n":2,"RAWW":1}`,
			`unknown arguments "fil_path" (did you mean file_path?), "limit", "\u202e\n", "RAWW" (did you mean raw?); ` + allowed,
		},
		{
			`{` + strings.Join(many, ",") + `}`,
			`unknown arguments "x0` + strings.Repeat("y", 57) + `…", "x1` + strings.Repeat("y", 57) + `…", "x2` +
				strings.Repeat("y", 57) + `…", "x3` + strings.Repeat("y", 57) + `…", and 496 more; ` + allowed,
		},
		{`{"` + strings.Repeat("é", 1e5) + `":1}`, `unknown argument "` + strings.Repeat("é", 59) + `…"; ` + allowed},
	} {
		_, err := Decode(args, json.RawMessage(tt.raw))
		e := refused(t, err)
		if diff := cmp.Diff(tt.want, e.Message.String()); diff != "" || e.Code != replies.CodeUnknownArgument {
			t.Errorf("%.100s: %s %s", tt.raw, e.Code, diff)
		}
	}
	_, err := Decode(nil, json.RawMessage(`{"verbose":true}`))
	if got, want := refused(t, err).Message.String(), `unknown argument "verbose"; no arguments are taken here`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := Decode(nil, json.RawMessage(`{}`)); err != nil {
		t.Error(err)
	}
}

// TestNamesBeforeSpellings declares names that others could be taken for.
func TestNamesBeforeSpellings(t *testing.T) {
	args := []Argument{
		{Name: "files", Kind: Texts, Aliases: []string{"path", "Heading"}},
		{Name: "heading"},
		{Name: "heading_", Aliases: []string{"PATH"}},
	}
	a, err := Decode(args, json.RawMessage(`{"path":"a","PATH":"b","heading":"c","Heading":"a","HEADING":"c","heading_":"b"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := encode(t, a), `{"files":["a"],"heading":"c","heading_":"b"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDecodeLimits sends more than any call needs.
func TestDecodeLimits(t *testing.T) {
	list := func(element string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
	}
	names := make([]string, maxElements+1)
	for i := range names {
		names[i] = fmt.Sprintf(`"n%d":1`, i)
	}
	for _, tt := range []struct{ name, raw, want string }{
		{"texts", `{"headings":` + list(`"a"`, maxElements+1) + `}`, "headings: it has more than 10000 elements; send fewer"},
		{"texts in a string", `{"headings":` + text(list(`"a"`, maxElements+1)) + `}`, "headings: it has more than 10000 elements; send fewer"},
		{"objects", `{"edits":` + list(`{"action":"remove"}`, maxElements+1) + `}`, "edits: it has more than 10000 elements; send fewer"},
		{"as many texts as may be", `{"headings":` + list(`"a"`, maxElements) + `}`, ""},
		{"names", `{` + strings.Join(names, ",") + `}`, "more than 10000 names are given"},
		{"names in an object", `{"goal":{` + strings.Join(names, ",") + `}}`, "goal: more than 10000 names are given"},
		{
			"deep array", `{"headings":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
			"headings[0]: a text is wanted, not " + strings.Repeat("[", 59) + "…",
		},
		{
			"deep object", `{"goal":` + strings.Repeat(`{"type":`, 9000) + "1" + strings.Repeat("}", 9000) + `}`,
			"goal.type: a text is wanted, not " + strings.Repeat(`{"type":`, 8)[:59] + "…",
		},
		{
			"too deep for JSON", strings.Repeat(`{"goal":`, 1e6) + "1" + strings.Repeat("}", 1e6),
			"the arguments are no valid JSON; send an object such as {}",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Decode(everyKind(), json.RawMessage(tt.raw))
			if tt.want == "" {
				if err != nil || len(a.texts("headings")) != maxElements {
					t.Errorf("%d elements, %v", len(a.texts("headings")), err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, refused(t, err).Message.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// text returns s as a JSON string.
func text(s string) string { return string(appendText(nil, s)) }

func TestAbsent(t *testing.T) {
	a, err := Decode(everyKind(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.text("file_path") != "" || a.integer("max_depth") != 0 || a.texts("headings") != nil ||
		a.objects("edits") != nil || a.objects("goal") != nil {
		t.Error("an absent argument has a value")
	}
	if !a.boolean("raw", true) || a.boolean("raw", false) {
		t.Error("an absent truth value is not what the caller says")
	}
	for i := range a.declared {
		if a.has(a.declared[i].Name) {
			t.Errorf("has %s", a.declared[i].Name)
		}
	}
	a, err = Decode(everyKind(), json.RawMessage(`{"raw":false,"max_depth":0,"file_path":"","headings":[],"edits":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	if a.boolean("raw", true) {
		t.Error("false is taken for absent")
	}
	for _, name := range []string{"raw", "max_depth", "file_path", "headings", "edits"} {
		if !a.has(name) {
			t.Errorf("%s is taken for absent", name)
		}
	}
	if a.texts("headings") == nil || a.objects("edits") == nil {
		t.Error("an empty list is taken for absent")
	}
}

// TestParts compares what an array or object is taken apart into with what
// encoding/json finds in it.
func TestParts(t *testing.T) {
	for _, raw := range []string{
		`[]`, `[ ]`, `{}`, "{\n}", `[1]`, ` [1]`[1:], `[1,2 , 3]`, `["a,b","]","\"","\\",[1,[2,{"c":[3]}]],{"d":{}}]`,
		`{"a":1}`, `{ "a" : {"b":[1,2]} , "c\"}":"{[" }`, `[[],{},"",null,true,-1.5e+3]`,
	} {
		checkParts(t, json.RawMessage(raw))
	}
}

func checkParts(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var got, want []string
	for part := range rawjson.Parts(raw) {
		got = append(got, string(part))
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		if raw[0] == '{' {
			if _, err := dec.Token(); err != nil {
				t.Fatal(err)
			}
			// A name as it is written is not to be had; both are in order.
			want = append(want, got[min(len(want), len(got)-1)])
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		want = append(want, string(v))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%.200s: %s", raw, diff)
	}
}

// FuzzArguments decodes any bytes, and what well-formed values are encoded to.
func FuzzArguments(f *testing.F) {
	for _, raw := range []string{
		``, `null`, `{}`, `[]`, `"{\"raw\":1}"`, `{"file_path":"a","path":"b"}`, `{"max_depth":"2.0"}`, `{"number":1e18}`,
		`{"headings":"[\"a\"]","goal":"{\"type\":1}","edits":[{"action":"remove","at":1.0,"tags":["\ud83d\ude00"]}]}`,
		`{"edits":"[\"{\\\"action\\\":\\\"remove\\\"}\"]"}`, `{"Format":"ascii","secton":1}`, "{\"section_name\":\"\xff\"}",
	} {
		f.Add([]byte(raw), "text\u202e", 1<<60, true)
	}
	args := everyKind()
	f.Fuzz(func(t *testing.T, raw []byte, s string, n int, b bool) {
		before := slices.Clone(raw)
		if a, err := Decode(args, raw); err != nil {
			_ = refused(t, err) // its form is what counts
		} else {
			same(t, a, args)
		}
		if !bytes.Equal(raw, before) {
			t.Errorf("the bytes of the call have changed")
		}
		if raw = bytes.TrimSpace(raw); json.Valid(raw) && (raw[0] == '{' || raw[0] == '[') {
			checkParts(t, raw)
		}
		if !utf8.ValidString(s) {
			return
		}
		values := map[string]any{
			"section_name": s, "number": n, "raw": b, "headings": []string{s, "", s + s},
			"goal": Values{}, "edits": nil, "format": "ASCII", "levels": []string{"H2"},
		}
		values["goal"] = []Values{{declared: args[9].Fields, values: map[string]any{"type": s + "x", "breaking": b}}}
		values["edits"] = []Values{
			{declared: args[10].Fields, values: map[string]any{"action": "remove", "content": s, "tags": []string{}}},
			{declared: args[10].Fields, values: map[string]any{"action": "replace", "at": 1 + int(uint(n)%9)}},
		}
		same(t, Values{declared: args, values: values}, args)
	})
}

// same checks that what arguments are encoded to is decoded to the same, encoded
// once and twice.
func same(t *testing.T, a Values, args []Argument) {
	t.Helper()
	once := encode(t, a)
	for _, raw := range []string{once, text(once)} {
		again, err := Decode(args, json.RawMessage(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(plainly(a), plainly(again)); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
		if got, want := slices.Sorted(maps.Keys(again.values)), slices.Sorted(maps.Keys(a.values)); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	args := everyKind()
	for name, raw := range map[string]string{
		"small": `{"file_path":"docs/guide.md","sectionName":"Install","max_depth":"2"}`,
		"1MB":   `{"file_path":"docs/guide.md","edits":[{"action":"replace","content":"` + strings.Repeat(`a line\n`, 1<<17) + `"}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(args, json.RawMessage(raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

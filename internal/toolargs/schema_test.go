package toolargs

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/rawjson"
)

func TestSchema(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []Argument
		want string
	}{
		{"no arguments", nil, `{"type":"object","properties":{}}`},
		{
			"text",
			[]Argument{{Name: "file_path", Required: true}},
			`{"type":"object","properties":{"file_path":{"type":"string"}},"required":["file_path"]}`,
		},
		{
			"help",
			[]Argument{{Name: "heading", Help: "'## Text' or \"A > B\" & <more>", Aliases: []string{"section"}}},
			`{"type":"object","properties":{"heading":{"description":"'## Text' or \"A > B\" & <more>","type":"string"}}}`,
		},
		{
			"options",
			[]Argument{{Name: "format", Options: []string{"json", "ascii"}, Default: `"json"`}},
			`{"type":"object","properties":{"format":{"default":"json","type":"string","enum":["json","ascii"]}}}`,
		},
		{"integers", []Argument{
			{Name: "a", Kind: Integer},
			{Name: "b", Kind: Integer, Max: 6, Default: "0"},
			{Name: "c", Kind: Integer, Min: 1, Help: "from 1"},
			{Name: "d", Kind: Integer, Min: -5, Max: 40000},
			{Name: "e", Kind: Integer, Min: 1, Max: 9, Help: "as told beside", Again: true},
		}, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"default":0,"type":"integer","maximum":6},` +
			`"c":{"description":"from 1","type":"integer","minimum":1},"d":{"type":"integer","minimum":-5,"maximum":40000},"e":{"type":"integer"}}}`},
		{
			"boolean",
			[]Argument{{Name: "raw", Kind: Boolean, Default: "true"}},
			`{"type":"object","properties":{"raw":{"default":true,"type":"boolean"}}}`,
		},
		{"texts", []Argument{
			{Name: "headings", Kind: Texts, Help: "each"},
			{Name: "levels", Kind: Texts, Options: []string{"H1"}},
		}, `{"type":"object","properties":{"headings":{"description":"each","type":"array","items":{"type":"string"}},` +
			`"levels":{"type":"array","items":{"type":"string","enum":["H1"]}}}}`},
		{"object", []Argument{{Name: "goal", Kind: Object, Required: true, Help: "what for", Fields: []Argument{
			{Name: "type", Required: true}, {Name: "breaking", Kind: Boolean},
		}}}, `{"type":"object","properties":{"goal":{"description":"what for","type":"object","properties":` +
			`{"type":{"type":"string"},"breaking":{"type":"boolean"}},"required":["type"]}},"required":["goal"]}`},
		{"objects", []Argument{{Name: "edits", Kind: Objects, Help: "in order", Fields: []Argument{
			{Name: "old_string", Required: true}, {Name: "new_string", Required: true, Empty: true}, {Name: "n", Kind: Integer, Min: 1},
		}}}, `{"type":"object","properties":{"edits":{"description":"in order","type":"array","items":{"type":"object","properties":` +
			`{"old_string":{"type":"string"},"new_string":{"type":"string"},"n":{"type":"integer","minimum":1}},` +
			`"required":["old_string","new_string"]}}}}`},
		{
			"order",
			[]Argument{{Name: "z", Required: true}, {Name: "a"}, {Name: "m", Required: true}},
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"},"m":{"type":"string"}},"required":["z","m"]}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(Schema(tt.args))); diff != "" {
				t.Error(diff)
			}
			checkSchema(t, tt.args)
		})
	}
	checkSchema(t, everyKind())
}

// checkSchema checks what holds for every schema.
func checkSchema(t *testing.T, args []Argument) {
	t.Helper()
	raw := Schema(args)
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if !bytes.Equal(compact.Bytes(), raw) {
		t.Errorf("it could be shorter: %s", raw)
	}
	for _, never := range []string{`"type":[`, "additionalProperties", "$schema", "null"} {
		if strings.Contains(string(raw), never) {
			t.Errorf("%s in %s", never, raw)
		}
	}
	var properties json.RawMessage
	name := ""
	i := 0
	for part := range rawjson.Parts(raw) {
		if i++; i%2 == 1 {
			name = string(part)
		} else if name == `"properties"` {
			properties = part
		}
	}
	var got, want []string
	i = 0
	for part := range rawjson.Parts(properties) {
		if i++; i%2 == 1 {
			got = append(got, string(part))
		}
	}
	for i := range args {
		want = append(want, text(args[i].Name))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the properties are %v, declared %v", got, want)
	}
}

// TestExample decodes examples by the declaration that they were made from.
func TestExample(t *testing.T) {
	args := everyKind()
	for i := range args {
		args[i].Required = true
	}
	const want = `{"file_path": "…", "section_name": "…", "format": "json", "max_depth": 0, "occurrence": 1, ` +
		`"number": -9223372036854775808, "raw": true, "headings": ["…"], "levels": ["H1"], "goal": {"type": "…"}, ` +
		`"edits": [{"action": "replace"}], "plan": [{"text": "…"}]}`
	got := example(args)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Decode(args, json.RawMessage(got)); err != nil {
		t.Error(err)
	}
}

func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{
		"":                        `""`,
		"a\n\"b\"\t":              `"a\n\"b\"\t"`,
		"日本　é 😀":                  `"日本　é 😀"`,
		"\u202e\u200b\u2066":      `"\u202e\u200b\u2066"`,
		"\xff\U000e0041":          `"\xff\U000e0041"`,
		strings.Repeat("a", 60):   `"` + strings.Repeat("a", 60) + `"`,
		strings.Repeat("a", 61):   `"` + strings.Repeat("a", 59) + `…"`,
		strings.Repeat("é", 1000): `"` + strings.Repeat("é", 59) + `…"`,
	} {
		if got := quoted(s); got != want {
			t.Errorf("%+q: got %s, want %s", s, got, want)
		}
	}
}

func TestMeant(t *testing.T) {
	args := []Argument{{Name: "file_path", Aliases: []string{"größe"}}, {Name: "raw"}, {Name: "row"}}
	for name, want := range map[string]string{
		"":                                     "",
		"filepath":                             "file_path",
		"flepth":                               "file_path", // two of eight
		"fleptx":                               "",          // three of eight
		"grösse":                               "file_path", // two of six characters
		"grosse":                               "",
		"gr\xff\xfee":                          "file_path",
		"g\xff\xff\xfee":                       "",
		"gr\xffße":                             "file_path",
		"rw":                                   "raw", // the first of equals
		"rov":                                  "row",
		"pa":                                   "",
		"pat":                                  "file_path",
		"path":                                 "file_path",
		"filePth":                              "file_path",
		strings.Repeat("x", 50) + "_file_path": "file_path",
		strings.Repeat("x", 60) + "_file_path": "", // after what is compared
		strings.Repeat("größe", 200_000) + "!": "",
	} {
		if got := meant(args, name); got != want {
			t.Errorf("%.80q: got %q, want %q", name, got, want)
		}
	}
}

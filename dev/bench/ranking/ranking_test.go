package ranking

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func silence(string, ...any) {}

// fake is an engine that answers from a table, and gets better with its knobs.
type fake struct{ answers [][]Place }

func (f *fake) Name() string                                   { return "fake" }
func (f *fake) Load(context.Context, string, []Document) error { return nil }
func (f *fake) Knobs() []Knob {
	return []Knob{{"one", 0, []float64{0, 1, 2}, 1}, {"two", 0, []float64{0, 1}, 1}}
}

// Answers has the right section first only if the first knob is 1 and the second 1.
func (f *fake) Answers(_ context.Context, texts []string, settings []float64) ([][]Place, error) {
	if f.answers != nil {
		return f.answers, nil
	}
	wrong := 2 - int(settings[0])%2 - int(settings[1])
	all := make([][]Place, len(texts))
	for i := range all {
		for n := range wrong {
			all[i] = append(all[i], Place{Path: string(rune('a' + n))})
		}
		all[i] = append(all[i], Place{Path: "right.md"})
	}
	return all, nil
}

// TestJudge counts ranks without what is excluded.
func TestJudge(t *testing.T) {
	right, link, other := Place{"r.md", "R", ""}, Place{"l.md", "L", ""}, Place{"o.md", "O", "R"}
	var ten []Place
	for i := range 10 {
		ten = append(ten, Place{Path: string(rune('a' + i))})
	}
	for name, test := range map[string]struct {
		answers []Place
		want    float64
	}{
		"first":                  {[]Place{right, other}, 1},
		"second":                 {[]Place{other, right}, 0.5},
		"behind what is dropped": {[]Place{link, other, link, right}, 0.5},
		"tenth":                  {append(ten[:9:9], right), 0.1},
		"eleventh":               {append(ten[:10:10], right), 0},
		"missing":                {[]Place{other}, 0},
		"nothing":                {nil, 0},
		"a namesake":             {[]Place{{"r.md", "R", "Above"}}, 0},
	} {
		queries := []Query{{Text: "q", Answer: right, Exclude: []Place{link}}}
		r, err := Judge(t.Context(), &fake{answers: [][]Place{test.answers}}, queries, nil)
		if err != nil || r.MRR != test.want || (r.First == 1) != (test.want == 1) || (r.Ten == 1) != (test.want > 0) {
			t.Errorf("%s: %+v, %v, want %v", name, r, err, test.want)
		}
	}
	if _, err := Judge(t.Context(), &fake{answers: [][]Place{nil, nil}}, []Query{{}}, nil); err == nil {
		t.Error("answers to other queries are no error")
	}
}

// TestTune finds the best values, which are those that each knob has alone.
func TestTune(t *testing.T) {
	best, reached, err := Tune(t.Context(), &fake{}, []Query{{Answer: Place{Path: "right.md"}}}, silence)
	if err != nil || reached.MRR != 1 || !cmp.Equal(best, []float64{1, 1}) {
		t.Errorf("%v, %+v, %v", best, reached, err)
	}
}

func TestReadQueries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.jsonl")
	text := `{"query":"a","answer":{"path":"p","title":"T","breadcrumb":"A > B"},"exclude":[{"path":"x"}]}` + "\n" + `{"query":"b"}` + "\n" + `{"query":"c"}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tune, judge, err := ReadQueries(file)
	want := []Query{{Text: "a", Answer: Place{"p", "T", "A > B"}, Exclude: []Place{{Path: "x"}}}, {Text: "c"}}
	if diff := cmp.Diff(want, tune); diff != "" || err != nil || len(judge) != 1 || judge[0].Text != "b" {
		t.Errorf("%v, %v\n%s", judge, err, diff)
	}
	if err := os.WriteFile(file, []byte("{}\nno\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadQueries(file); err == nil {
		t.Error("a line that is no query is no error")
	}
}

// TestEngines has every engine find sections by their titles, their text and other forms of
// their words, with the settings that it begins with, those that it has, and with every
// value of every knob.
func TestEngines(t *testing.T) {
	docs := []Document{
		{"guide/install.md", []byte("# Installing the kettle\n\nUnpack it.\n\n## Behind a proxy\n\nIt's said: \"set http_proxy\", or 'nothing' comes.\n")},
		{"guide/use.md", []byte("Boil water daily.\n\n# Use\n\nPour it.\n")},
	}
	queries := []Query{
		{Text: "install", Answer: Place{"guide/install.md", "Installing the kettle", ""}},
		{Text: "\"proxy\" it's OR (", Answer: Place{"guide/install.md", "Behind a proxy", "Installing the kettle"}},
		{Text: "boiled water", Answer: Place{"guide/use.md", "", ""}},
	}
	engines := []Engine{Sectile(), Bleve()}
	if e, err := FTS5(t.Context()); err == nil {
		engines = append(engines, e)
	} else {
		t.Logf("without SQLite FTS5: %v", err)
	}
	for _, e := range engines {
		if err := e.Load(t.Context(), t.TempDir(), docs); err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		tried := [][]float64{Tuned(e), settings(e, func(k Knob) float64 { return k.Plain })}
		for i, k := range e.Knobs() {
			for _, v := range k.Values {
				with := append([]float64(nil), tried[1]...)
				with[i] = v
				tried = append(tried, with)
			}
		}
		for i, with := range tried {
			r, err := Judge(t.Context(), e, queries, with)
			if err != nil || r.Ten != len(queries) || r.First < 2 && i < 2 {
				t.Errorf("%s: %v: %+v, %v", e.Name(), with, r, err)
			}
		}
	}
}

package mcpserver

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type word string

func (word) declare(a *argument) { a.options, a.aliases = []string{"one", "two"}, []string{"w"} }

type shaped struct{ anything }

func (*shaped) declare(a *argument) { a.shape = `"type":"array"` }

type embedded struct {
	Size int `arg:"size" min:"1" max:"9" default:"3"`
}

type every struct {
	Text   string `arg:"text,required,empty" doc:"a \"text\""`
	Word   *word  `arg:"word,lenient"`
	Number *int   `arg:"number" default:"5"`
	embedded
	Yes   bool     `arg:"yes" default:"true" guard:"a word"`
	Texts []string `arg:"texts" alias:"a,b"`
	One   struct {
		Name string `arg:"name"`
	} `arg:"one"`
	Many []struct {
		Word word `arg:"word"`
	} `arg:"many"`
	Any shaped `arg:"any"`
}

// TestTaking declares a field of every kind, and has calls with and without them.
func TestTaking(t *testing.T) {
	var got *every
	h := taking(func(_ context.Context, _ *call, args *every) (*reply, error) {
		got = args
		return &reply{}, nil
	})
	named := argument{name: "word", kind: textArg, options: []string{"one", "two"}, aliases: []string{"w"}}
	lenient := named
	lenient.lenient = true
	want := []argument{
		{name: "text", kind: textArg, required: true, empty: true, help: `a "text"`},
		lenient,
		{name: "number", kind: integerArg, def: "5"},
		{name: "size", kind: integerArg, min: 1, max: 9, def: "3"},
		{name: "yes", kind: booleanArg, def: "true", guard: "a word"},
		{name: "texts", kind: textsArg, aliases: []string{"a", "b"}},
		{name: "one", kind: objectArg, fields: []argument{{name: "name", kind: textArg}}},
		{name: "many", kind: objectsArg, fields: []argument{named}},
		{name: "any", kind: anyArg, shape: `"type":"array"`},
	}
	if diff := cmp.Diff(want, h.args, cmp.AllowUnexported(argument{})); diff != "" {
		t.Error(diff)
	}
	bound := func(sent string) *every {
		t.Helper()
		args, err := decode(h.args, []byte(sent))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.run(t.Context(), &call{arguments: args}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	absent := bound(`{"text":""}`)
	if !reflect.DeepEqual(*absent, every{embedded: embedded{Size: 3}, Yes: true}) {
		t.Errorf("%+v", absent)
	}
	given := bound(`{"text":"x","w":"ONE","number":0,"size":2,"yes":false,"a":[],"one":{"name":"n"},"many":[{"word":"two"},{}],"any":[1]}`)
	if given.Text != "x" || *given.Word != "one" || *given.Number != 0 || given.Size != 2 || given.Yes || given.Texts == nil || given.One.Name != "n" ||
		len(given.Many) != 2 || given.Many[0].Word != "two" || given.Many[1].Word != "" || len(given.Any.value.([]any)) != 1 {
		t.Errorf("%+v", given)
	}
	for _, of := range []reflect.Type{
		reflect.TypeFor[struct {
			Far float64 `arg:"far"`
		}](),
		reflect.TypeFor[struct {
			Size int `arg:"size" min:"few"`
		}](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is declared", of)
				}
			}()
			declared(of)
		}()
	}
}

// TestDeclaredNames has every argument of every tool have a name, and each name once.
func TestDeclaredNames(t *testing.T) {
	var check func(place string, args []argument)
	check = func(place string, args []argument) {
		seen := map[string]bool{}
		for i := range args {
			for _, name := range append([]string{args[i].name}, args[i].aliases...) {
				if name == "" || seen[name] {
					t.Errorf("%s: %q is missing or there twice", place, name)
				}
				seen[name] = true
			}
			check(place+"."+args[i].name, args[i].fields)
		}
	}
	for _, tool := range allTools() {
		check(tool.name, tool.args)
	}
}

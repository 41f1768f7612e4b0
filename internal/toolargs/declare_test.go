package toolargs

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type word string

func (word) Declare(a *Argument) { a.Options, a.Aliases = []string{"one", "two"}, []string{"w"} }

type shaped struct{ JSON }

func (*shaped) Declare(a *Argument) { a.Shape = `"type":"array"` }

type embedded struct {
	Size int `arg:"size" min:"1" max:"9" default:"3"`
}

type every struct {
	Text   string `arg:"text,required,empty,again" doc:"a \"text\""`
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

// TestFields declares a field of every kind, and has calls with and without them.
func TestFields(t *testing.T) {
	args := Of[every]()
	named := Argument{Name: "word", Kind: Text, Options: []string{"one", "two"}, Aliases: []string{"w"}}
	lenient := named
	lenient.Lenient = true
	want := []Argument{
		{Name: "text", Kind: Text, Required: true, Empty: true, Again: true, Help: `a "text"`},
		lenient,
		{Name: "number", Kind: Integer, Default: "5"},
		{Name: "size", Kind: Integer, Min: 1, Max: 9, Default: "3"},
		{Name: "yes", Kind: Boolean, Default: "true", Guard: "a word"},
		{Name: "texts", Kind: Texts, Aliases: []string{"a", "b"}},
		{Name: "one", Kind: Object, Fields: []Argument{{Name: "name", Kind: Text}}},
		{Name: "many", Kind: Objects, Fields: []Argument{named}},
		{Name: "any", Kind: Anything, Shape: `"type":"array"`},
	}
	if diff := cmp.Diff(want, args); diff != "" {
		t.Error(diff)
	}
	bound := func(sent string) *every {
		t.Helper()
		values, err := Decode(args, []byte(sent))
		if err != nil {
			t.Fatal(err)
		}
		got := new(every)
		Bind(got, &values)
		return got
	}
	absent := bound(`{"text":""}`)
	if !reflect.DeepEqual(*absent, every{embedded: embedded{Size: 3}, Yes: true}) {
		t.Errorf("%+v", absent)
	}
	given := bound(`{"text":"x","w":"ONE","number":0,"size":2,"yes":false,"a":[],"one":{"name":"n"},"many":[{"word":"two"},{}],"any":[1]}`)
	if given.Text != "x" || *given.Word != "one" || *given.Number != 0 || given.Size != 2 || given.Yes || given.Texts == nil || given.One.Name != "n" ||
		len(given.Many) != 2 || given.Many[0].Word != "two" || given.Many[1].Word != "" || len(given.Any.Value.([]any)) != 1 {
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

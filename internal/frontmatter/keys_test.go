package frontmatter

import "testing"

// TestKeysThatAreNoTexts changes keys of YAML that are numbers, truth values or null: each is found
// as it is written and by what it says, and no second one is put beside it.
func TestKeysThatAreNoTexts(t *testing.T) {
	for _, c := range []struct{ source, line, want string }{
		{"1.10: a\n", `set ["1.10"] Z`, "1.10: Z\n"},
		{"1.10: a\n", `set ["1.1"] Z`, "1.10: Z\n"},
		{"0x10: a\n", `set .0x10 Z`, "0x10: Z\n"},
		{"0x10: a\n", `set .16 Z`, "0x10: Z\n"},
		{"1_000: a\n", `set ["1_000"] Z`, "1_000: Z\n"},
		{"True: a\n", `set .True Z`, "True: Z\n"},
		{"True: a\n", `set .true Z`, "True: Z\n"},
		{"null: a\n", `set .null Z`, "null: Z\n"},
		{"~: a\n", `set ["~"] Z`, "~: Z\n"},
		{"~: a\n", `set .null Z`, "~: Z\n"},
		{"null: a\n", `set [""] Z`, "null: a\n\"\": Z\n"},
		{"1.10: a\nb: c\n", `rename .b 1.1`, `error: there is a key "1.1" beside it already; take it out first, or choose another name`},
		{"1.10: a\n", `rename ["1.1"] b`, "b: a\n"},
		{"m: {1.10: a}\n", `set .m["1.10"] Z`, "m: {1.10: Z}\n"},
		{"1.10: a\n", `remove ["1.10"]`, ""},
		{"1.10: a\n\"1.10\": b\n", `set .a Z`, `unreadable: the front matter has the key "1.10" twice, on line 2 of it again; take one of them out`},
		{"\"1.1\": a\n1.10: b\n", `set .a Z`, `unreadable: the front matter has the key "1.10" twice, on line 2 of it again; take one of them out`},
	} {
		if got := applied(t, c.source, YAML, change(t, c.line)); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.source, c.line, got, c.want)
		}
	}
	text, err := Read("1.10: a\n", YAML)
	if err != nil {
		t.Fatal(err)
	}
	value, err := text.Find(Path{"1.1"})
	if err != nil {
		t.Fatal(err)
	}
	if path, ok := text.PathOf(value.Span); !ok || path.String() != `["1.10"]` {
		t.Errorf("it is called %s", path)
	}
}

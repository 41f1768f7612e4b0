package nearest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct{ sought, names, want string }{
		{"dri", "dir docs description", "dir"}, // neighbours that have changed their places
		{"dosc", "dir docs description", "docs"},
		{"xyz", "dir docs description", ""},
		{"DIR", "docs dir", "dir"},
		{"", "dir docs", ""},
		{"rw", "raw row x", "raw row"}, // in the order of the list
		{"a", "b c", ""},               // nothing of it is the same
		{"pa", "file_path", ""},
		{"pat", "file_path", "file_path"}, // a part
		{"the_file_path", "file_path", "file_path"},
		{"docks", "docks-2 dock socks x docs", "docks-2 dock docs"}, // its words, then the fewest changes, then what begins alike
		{"raed", "edit read tree rename", "read"},
		{"apend", "replace prepend append remove", "append"},
		{"patern", "path pattern raw", "pattern"},
		{"grösse", "größe", "größe"},
		{"grosse", "größe", ""},
		{"gr\xff\xdfe", "größe", "größe"},
		{"x\xff\xfee", "größe", ""},
		{strings.Repeat("x", 54) + "_file_path", "file_path", "file_path"},
		{strings.Repeat("x", 60) + "_file_path", "file_path", ""}, // after what is compared
		{"move", "replace remove", ""},                            // no word of it
		{"max_file", "max_depth max_files max_file_bytes", "max_files max_file_bytes"},
		{strings.Repeat("ab", 500_000), strings.Repeat("ab", 500_000), strings.Repeat("ab", 500_000)},
	} {
		if got := strings.Join(Names(tt.sought, strings.Fields(tt.names), 3), " "); got != tt.want {
			t.Errorf("Names(%.80q, %.80q) = %.80q, want %.80q", tt.sought, tt.names, got, tt.want)
		}
	}
}

func TestQuestion(t *testing.T) {
	for _, tt := range []struct{ sign, sought, want string }{
		{"", "raed", "did you mean read? "},
		{"--", "reda", "did you mean --read? "},
		{"--", "zzz", ""},
	} {
		if got := Question(tt.sign, tt.sought, []string{"tree", "read"}); got != tt.want {
			t.Errorf("Question(%q, %q) = %q, want %q", tt.sign, tt.sought, got, tt.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"a", "", 0},
		{"abc", "abc", 1},
		{"h2.9", "h2.0", 0.75},
		{"d00x", "d002", 0.75},
		{"äöüß", "äo", 0.25},
		{"kitten!!", "sitting!", 0.625},
		{"\xff\xfea\xc3", "\xfeb\xffa", 0.5}, // bytes that are no characters are all the same
		{strings.Repeat("é", 64) + "a", strings.Repeat("é", 64) + "b", 1},
		{strings.Repeat("ab", 500_000), strings.Repeat("b", 1_000_000), 0.5},
	} {
		if got := Ratio(tt.a, tt.b); got != tt.want || Ratio(tt.b, tt.a) != got {
			t.Errorf("Ratio(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestTitles ranks titles, as somebody sees them who looks for one.
func TestTitles(t *testing.T) {
	plan := "Overview|Appendix|Unit Tests|Task 1.1: Read the code|Task 2.1: Write the parser and its many tests|Task 2.3: Make it fast|Task 2.5: Tell|Phase 1: Begin|Phase 2: Build|Phase 3: End"
	for _, tt := range []struct{ sought, names, want string }{
		{"Task 2.4", plan, "Task 2.1: Write the parser and its many tests|Task 2.3: Make it fast|Task 2.5: Tell|Task 1.1: Read the code"},
		{"Phase 4", plan, "Phase 1: Begin|Phase 2: Build|Phase 3: End"},
		{"task 2.3", plan, "Task 2.3: Make it fast|Task 2.1: Write the parser and its many tests|Task 2.5: Tell|Task 1.1: Read the code"},
		{"Troubleshooting", "Handbook, API, FAQ|Shooting|Advanced troubleshooting|Troubleshooting network problems|Troubleshooter", "Troubleshooting network problems|Advanced troubleshooting|Troubleshooter"},
		{"Porblem case 3", "Problem|Case studies|Problem Case 1: A server|Problem Case 3: A long road to nowhere|Case 3", "Problem Case 3: A long road to nowhere|Problem Case 1: A server|Case 3"},
		{"install linux", "Linux|Installing on Linux|Installing", "Installing on Linux|Installing|Linux"},
		{"wie man größe misst", "GRÖSSE|Wie man die Größe misst|Maße", "Wie man die Größe misst"},
		{"", "a|b", ""},
		{"#!", "a|#?", "#?"},
	} {
		if got := strings.Join(Names(tt.sought, strings.Split(tt.names, "|"), 4), "|"); got != tt.want {
			t.Errorf("%q: %s\nwant %s", tt.sought, got, tt.want)
		}
	}
}

// TestDistance compares distances with those of the table that is filled cell by cell.
func TestDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var texts [2][]byte
		for i := range texts {
			for range random.IntN(80) {
				texts[i] = utf8.AppendRune(texts[i], []rune("ABCäß日")[random.IntN(6)])
			}
		}
		a, b := []rune(string(texts[0])), []rune(string(texts[1]))
		a, b = a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)]
		row := make([]int, len(b)+1)
		for j := range row {
			row[j] = j
		}
		for i := range a {
			before := row[0]
			row[0] = i + 1
			for j := range b {
				above, cost := row[j+1], before
				if a[i] != b[j] {
					cost++
				}
				before, row[j+1] = above, min(cost, above+1, row[j]+1)
			}
		}
		if got := NewDistance(texts[0]).To(texts[1]); got != row[len(b)] {
			t.Fatalf("%q and %q: %d, want %d", texts[0], texts[1], got, row[len(b)])
		}
	}
}

// FuzzRank ranks any name for any other, without a panic; each is the nearest to itself.
func FuzzRank(f *testing.F) {
	f.Add("Task 2.4", "Task 2.3: x")
	f.Add("\u00e4\u0308PI keys", "the keys of an API")
	f.Add("\xff\xfe", "a\xff")
	f.Fuzz(func(t *testing.T, sought, name string) {
		q := NewQuery(sought)
		r := q.Rank(name)
		if own := q.Rank(sought); sought != "" && own.Compare(r) > 0 || q.Rank(name) != r {
			t.Errorf("%+v, and %+v of itself", r, own)
		}
	})
}

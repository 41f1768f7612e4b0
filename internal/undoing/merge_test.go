package undoing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestMergedBelow has another program put a section below one that a change has moved, added or renamed: where the
// change is taken back, that stands below the same section, or nothing is taken back.
func TestMergedBelow(t *testing.T) {
	const usage, setup, end, below = "## Usage\n\nu\n\n", "## Setup\n\ns\n\n", "## End\n\ne\n\n", "### Windows\n\nw\n\n"
	for name, tt := range map[string]struct{ before, after, now, want string }{
		"moved before it":            {usage + setup + end, setup + usage + end, setup + usage + below + end, ""},
		"moved behind it":            {setup + usage + end, usage + setup + end, usage + below + setup + end, setup + usage + below + end},
		"moved at the end":           {usage + setup, setup + usage, setup + usage + below, ""},
		"moved, one below another":   {usage + setup + end, setup + usage + end, setup + usage + end + below, usage + setup + end + below},
		"added":                      {setup + end, setup + usage + end, setup + usage + below + end, ""},
		"renamed":                    {strings.Replace(usage, "Usage", "Use", 1) + end, usage + end, usage + below + end, strings.Replace(usage, "Usage", "Use", 1) + below + end},
		"removed, one below it":      {setup + usage + end, setup + end, setup + below + end, ""},
		"removed, one below others":  {setup + usage + end, setup + end, setup + end + below, setup + usage + end + below},
		"removed, above all others":  {setup + "# Old\n\no\n\n" + end, setup + end, setup + end + usage, ""},
		"to another level":           {setup + "#" + usage + end, setup + usage + end, setup + usage + "#" + below + end, setup + "#" + usage + "#" + below + end},
		"one in its place":           {setup + "#" + usage, setup + "### Notes\n\nn\n\n", setup + "### Notes\n\nn\n\n#" + below, ""},
		"two with new headings":      {"# A\n\na\n\n# B\n\nb\n\n", "# B 2\n\nb\n\n# A 2\n\na\n\n", "# B 2\n\nb\n\n# A 2\n\na\n\n" + usage, ""},
		"from below, put there":      {usage + setup + end, usage + "#" + setup + end, usage + "#" + setup + "#" + end, ""},
		"taken along by another one": {"# A\n\na\n\n" + usage + below, "# A\n\na\n\n#" + usage + "#" + below, "# A\n\na\n\n" + end + "#" + usage + "#" + below, ""},
		"from below another":         {usage + "#" + setup, usage + setup, usage + end + setup, ""},
		"to a level below":           {"#" + usage + end, usage + end, usage + below + end, ""},
	} {
		text, ok, err := merged(t.Context(), &documents.Set{}, []byte(tt.before), []byte(tt.after), []byte(tt.now))
		if err != nil || ok != (tt.want != "") || ok && string(text) != tt.want {
			t.Errorf("%s: %v %v\n%s", name, ok, err, text)
		}
	}
}

// TestMerged takes back a change of a document that has changed since.
func TestMerged(t *testing.T) {
	const after = "T\n=\n\nintro\n\n## A\n\na\n\n## B\n\nb\n\n### C\n\nc\n"
	back := strings.Replace(after, "a\n\n", "old a\n\n", 1)
	gap := strings.Replace(after, "a\n\n", "a\n\n\n\n", 1)
	replace := strings.NewReplacer
	for name, tt := range map[string]struct{ before, now, want string }{
		"another section":             {back, replace("b\n\n", "new b\n\n").Replace(after), replace("b\n\n", "new b\n\n", "a\n\n## B", "old a\n\n## B").Replace(after)},
		"the same section":            {back, replace("a\n\n## B", "new a\n\n## B").Replace(after), ""},
		"text behind it":              {back, replace("\n## B", "\nmore\n\n## B").Replace(after), ""},
		"text before it":              {back, replace("## A", "more\n\n## A").Replace(after), replace("## A", "more\n\n## A", "a\n\n## B", "old a\n\n## B").Replace(after)},
		"a section behind it":         {back, replace("## B", "## New\n\nn\n\n## B").Replace(after), replace("a\n\n## B", "old a\n\n## New\n\nn\n\n## B").Replace(after)},
		"its heading":                 {back, replace("## A", "## Z").Replace(after), ""},
		"removed":                     {back, replace("## A\n\na\n\n", "").Replace(after), ""},
		"moved":                       {back, replace("## A\n\na\n\n", "").Replace(after) + "\n## A\n\na\n", ""},
		"one that it removed":         {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("c\n", "new c\n").Replace(after), replace("## B", "## Gone\n\ng\n\n## B", "c\n", "new c\n").Replace(after)},
		"one that it added":           {replace("## A\n\na\n\n", "").Replace(after), replace("c\n", "new c\n").Replace(after), replace("## A\n\na\n\n", "", "c\n", "new c\n").Replace(after)},
		"one beside that it removed":  {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("b\n\n", "new b\n\n", "a\n\n## B", "new a\n\n## B").Replace(after), replace("b\n\n", "new b\n\n", "a\n\n## B", "new a\n\n## Gone\n\ng\n\n## B").Replace(after)},
		"one beside, renamed":         {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("## A", "## Z").Replace(after), replace("## A", "## Z", "## B", "## Gone\n\ng\n\n## B").Replace(after)},
		"one beside, underlined":      {replace("## A", "## Gone\n\ng\n\n## A").Replace(after), replace("T\n=", "Title\n=====").Replace(after), replace("T\n=", "Title\n=====", "## A", "## Gone\n\ng\n\n## A").Replace(after)},
		"one beside, another one":     {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("## A\n\na\n", "## Z\n\nz\n").Replace(after), ""},
		"one behind, another one":     {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("## B\n\nb\n", "## Z\n\nz\n").Replace(after), ""},
		"one in its place":            {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("## B", "## New\n\nn\n\n## B").Replace(after), ""},
		"one beside, removed":         {replace("## B", "## Gone\n\ng\n\n## B").Replace(after), replace("## A\n\na\n\n", "").Replace(after), ""},
		"text that it removed":        {replace("a\n\n", "a\n\ntail\n\n").Replace(after), replace("c\n", "new c\n").Replace(after), replace("a\n\n## B", "a\n\ntail\n\n## B", "c\n", "new c\n").Replace(after)},
		"text that it removed, there": {replace("## B", "tail\n\n## B").Replace(after), replace("## A", "## Z").Replace(after), ""},
		"blank lines":                 {gap, replace("b\n\n", "new b\n\n").Replace(after), replace("b\n\n", "new b\n\n", "a\n\n", "a\n\n\n\n").Replace(after)},
		"blank lines, text before":    {gap, replace("a\n\n## B", "new a\n\n## B").Replace(after), ""},
		"blank lines, others since":   {gap, replace("a\n\n## B", "a\n\n\n## B", "c\n", "new c\n").Replace(after), ""},
		"blank lines, as they were":   {replace("b\n\n", "old b\n\n").Replace(gap), replace("c\n", "new c\n", "a\n\n", "a\n\n\n\n").Replace(after), replace("c\n", "new c\n", "a\n\n", "a\n\n\n\n", "b\n\n", "old b\n\n").Replace(after)},
		"blank lines, a section new":  {gap, replace("## B", "## New\n\nn\n\n## B").Replace(after), replace("## B", "## New\n\nn\n\n## B", "a\n\n", "a\n\n\n\n").Replace(after)},
		"blank lines and text":        {replace("a\n\n## B", "old a\n\n\n## B").Replace(after), replace("c\n", "new c\n").Replace(after), replace("c\n", "new c\n", "a\n\n## B", "old a\n\n\n## B").Replace(after)},
		"the end of the file":         {strings.TrimSuffix(after, "\n"), replace("b\n\n", "new b\n\n").Replace(after), strings.TrimSuffix(replace("b\n\n", "new b\n\n").Replace(after), "\n")},
		"the end of the file, more":   {strings.TrimSuffix(after, "\n"), after + "\n## New\n", ""},
		"the end of the file, both":   {strings.TrimSuffix(after, "c\n") + "old c", after + "\n## New\n", strings.TrimSuffix(after, "c\n") + "old c\n\n## New\n"},
		"added at the end, more":      {strings.TrimSuffix(after, "\n### C\n\nc\n"), after + "\n## New\n", strings.TrimSuffix(after, "### C\n\nc\n") + "## New\n"},
		"added, the end before":       {strings.TrimSuffix(after, "\n\n### C\n\nc\n") + "\n", replace("intro", "other").Replace(after), strings.TrimSuffix(replace("intro", "other").Replace(after), "\n\n### C\n\nc\n") + "\n"},
		"added, the end, changed":     {strings.TrimSuffix(after, "\n\n### C\n\nc\n") + "\n", replace("b\n\n", "new b\n\n").Replace(after), strings.TrimSuffix(replace("b\n\n", "new b\n\n").Replace(after), "\n\n### C\n\nc\n") + "\n"},
		"removed, a tight end":        {replace("b\n\n", "b\n## Gone\n\ng\n\n").Replace(after), replace("c\n", "new c\n").Replace(after), replace("b\n\n", "b\n## Gone\n\ng\n\n", "c\n", "new c\n").Replace(after)},
		"removed, a new end":          {strings.TrimSuffix(after, "\n") + "\n\n## Gone\n\ng\n", replace("b\n\n", "new b\n\n").Replace(after), replace("b\n\n", "new b\n\n").Replace(after) + "\n## Gone\n\ng\n"},
		"two for one, a tight end":    {replace("## A\n\na\n\n## B\n\nb\n\n", "## Gone\n\ng\n").Replace(after), replace("c\n", "new c\n").Replace(after), replace("## A\n\na\n\n## B\n\nb\n\n", "## Gone\n\ng\n", "c\n", "new c\n").Replace(after)},
		"an open fence":               {replace("a\n\n## B", "```\n\n## B").Replace(after), replace("c\n", "new c\n").Replace(after), ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, ok, err := merged(t.Context(), &documents.Set{}, []byte(tt.before), []byte(after), []byte(tt.now))
			if err != nil || ok != (tt.want != "") || ok && cmp.Diff(tt.want, string(text)) != "" {
				t.Errorf("%v, %v (-want +got):\n%s", ok, err, cmp.Diff(tt.want, string(text)))
			}
		})
	}
}

// TestMergedLaws changes random sections of random documents, and others of them since: where
// none is both, the result has each as it was changed last; where one is, it is refused.
func TestMergedLaws(t *testing.T) {
	rounds := 300
	if testkit.Long() {
		rounds = 100_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	merges := 0
	for range rounds {
		n := 2 + r.IntN(8)
		states := make([][]string, 4) // before, after, now, and what is wanted
		clash := false
		since, place := r.IntN(3*n), r.IntN(3*n) // where a section is new since, and where the change removed or added one
		added := r.IntN(2) == 0
		stays := added && since == place // whether another section than before follows the one before place
		for i := n - 1; i >= 0; i-- {
			mark := strings.Repeat("#", 1+r.IntN(3))
			text := func(version string) string {
				return fmt.Sprintf("%s Section %d\n\nSame text.\n\n%s %d\n\n", mark, i, version, r.IntN(1000))
			}
			old := text("after")
			before, now := old, old
			if r.IntN(3) == 0 {
				before = text("before")
			}
			other := false // whether another section is in its place
			if r.IntN(3) == 0 {
				now = text("now")
				if other = r.IntN(4) == 0; other {
					now = fmt.Sprintf("%s Other %d\n\nOther text.\n\n", mark, i)
					clash = clash || !added && (i == place || i+1 == place)
				}
			}
			stays = stays || added && i == place && other
			want := now
			if before != old {
				want = before
				clash = clash || now != old
			}
			if r.IntN(6) == 0 { // blank lines at its end too, or alone
				before += "\n"
				if i+1 != place {
					clash = clash || now != old
				}
				if i+1 != place || !stays && !other {
					want += "\n"
				}
			}
			for j, text := range []string{before, old, now, want} {
				states[j] = slices.Insert(states[j], 0, text)
			}
		}
		for i := n; i >= 0; i-- {
			if i == since {
				for _, j := range []int{2, 3} {
					states[j] = slices.Insert(states[j], i, "# New\n\nsince\n\n")
				}
			}
			if i == place && added {
				for _, j := range []int{1, 2} {
					states[j] = slices.Insert(states[j], i, "# Added\n\nafter\n\n")
				}
			}
			if i == place && !added {
				for _, j := range []int{0, 3} {
					states[j] = slices.Insert(states[j], i, "# Gone\n\nbefore\n\n")
				}
				clash = clash || since == place
			}
		}
		clash = clash || !stayBelow(states, false)
		join := func(i int) []byte { return []byte(strings.Join(states[i], "")) }
		text, ok, err := merged(t.Context(), &documents.Set{}, join(0), join(1), join(2))
		if err != nil {
			t.Fatal(err)
		}
		if ok == clash {
			t.Fatalf("merged: %v, both have changed: %v\n--- before\n%s--- after\n%s--- now\n%s", ok, clash, join(0), join(1), join(2))
		}
		if ok {
			merges++
			if diff := cmp.Diff(string(join(3)), string(text)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
	}
	if merges < rounds/10 {
		t.Errorf("%d of %d were merged", merges, rounds)
	}
}

// stayBelow reports whether each section of the wanted state stands below the one that it stands below now; or stood
// below before, if it has not moved since or was taken away. One that is another one since by its text and place may
// do either if it is moved. The states are before, after, now, and what is wanted.
func stayBelow(states [][]string, moved bool) bool {
	var all [4]map[string]string
	for i, state := range states {
		all[i] = map[string]string{}
		var around []string // the headings around a section, "" for a level that none has
		for _, text := range state {
			marks, name, _ := strings.Cut(strings.SplitN(text, "\n", 2)[0], " ")
			for len(around) < len(marks) {
				around = append(around, "")
			}
			around = append(around[:len(marks)-1], name)
			all[i][name] = ""
			for _, above := range slices.Backward(around[:len(marks)-1]) {
				if above != "" {
					all[i][name] = above
					break
				}
			}
		}
	}
	for name, is := range all[3] {
		before, old := all[0][name]
		now, there := all[2][name]
		if after, known := all[1][name]; old && (!there || known && after == now && (!moved || is != now)) {
			now = before
		}
		if is != now {
			return false
		}
	}
	return true
}

// TestMergedBelowLaws changes levels, texts, places and which sections there are, before and since: what is put back
// stands below the right ones, or nothing is.
func TestMergedBelowLaws(t *testing.T) {
	rounds := 3000
	if testkit.Long() {
		rounds = 1_000_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	merges := 0
	for range rounds {
		after := make([]string, 2+r.IntN(6))
		for i := range after {
			after[i] = fmt.Sprintf("%s S%d\n\ntext %d\n\n", strings.Repeat("#", 1+r.IntN(3)), i, i)
		}
		changed := func(version string) []string {
			list := slices.Clone(after)
			for range 1 + r.IntN(3) {
				i := r.IntN(len(list) + 1)
				if r.IntN(6) == 0 {
					list = slices.Insert(list, i, fmt.Sprintf("%s %s%d\n\nnew\n\n", strings.Repeat("#", 1+r.IntN(3)), version, r.IntN(1000)))
				}
				if i = r.IntN(len(list) + 1); i == len(list) {
					continue
				}
				marks, rest, _ := strings.Cut(list[i], " ")
				switch r.IntN(5) {
				case 0:
					list[i] = strings.Repeat("#", 1+r.IntN(3)) + " " + rest
				case 1:
					list[i] = marks + " " + strings.SplitN(rest, "\n", 2)[0] + "\n\n" + version + "\n\n"
				case 2:
					list = slices.Delete(list, i, i+1)
				case 3:
					one := list[i]
					list = slices.Delete(list, i, i+1)
					list = slices.Insert(list, r.IntN(len(list)+1), one)
				default:
					for j := i; j < len(list) && j < i+2; j++ { // as what takes its subsections along
						list[j] = "#" + list[j]
					}
				}
			}
			return list
		}
		states := [][]string{changed("before"), after, changed("since")}
		join := func(i int) []byte { return []byte(strings.Join(states[i], "")) }
		text, ok, err := merged(t.Context(), &documents.Set{}, join(0), join(1), join(2))
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		merges++
		var result []string
		for i, part := range strings.Split("\n"+string(text), "\n#") {
			if i > 0 {
				result = append(result, "#"+part)
			}
		}
		if !stayBelow(append(states, result), true) {
			t.Fatalf("--- before\n%s--- after\n%s--- now\n%s--- result\n%s", join(0), join(1), join(2), text)
		}
	}
	if merges < rounds/10 {
		t.Errorf("%d of %d were merged", merges, rounds)
	}
}

package headings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/markdown"
)

func Example() {
	own, _ := headings.Compile(`2:\*\*(?<title>[^*]+)\*\*`, `1:@chapter (?<title>.+)`)
	parser := markdown.Parser{Options: markdown.Options{Headings: own}}
	doc, _ := parser.Parse([]byte("@chapter Guide\n\n**Install**\n\nIt is **easy**.\n"))
	for i, s := range doc.Sections {
		fmt.Println(s.Level, doc.SectionTitle(i))
	}
	// Output:
	// 1 Guide
	// 2 Install
}

func TestMatch(t *testing.T) {
	own, err := headings.Compile(`2:\*\*(?<title>[^*]+)\*\*`, `3:== (?<title>.*) ==`, `1:[A-Z ]+`, `4:@(?<title>x)?.*`, `5:a|(?<title>ab)`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line  string
		level uint8
		title string
	}{
		{"**Title**", 2, "Title"},
		{"  **Title**  ", 2, "Title"},
		{"** Title **", 2, "Title"},
		{"**  **", 0, ""}, // no title is empty
		{"**A** b", 0, ""},
		{"a **B**", 0, ""}, // the whole line has to match
		{"== A = B ==", 3, "A = B"},
		{"==  ==", 0, ""},
		{"ALL OF IT ", 1, "ALL OF IT"}, // without a group the title is the line
		{"@xy", 4, "x"},
		{"@y", 0, ""}, // the group is no part of what matched
		{"ab", 5, "ab"},
		{"a", 0, ""},
		{"", 0, ""},
		{" \t", 0, ""},
		{"**\xff**", 2, "\xff"},
		{"**" + strings.Repeat("a", headings.MaxLine-4) + "**", 2, strings.Repeat("a", headings.MaxLine-4)},
		{"**" + strings.Repeat("a", headings.MaxLine-3) + "**", 0, ""},
	} {
		level, start, end := own.Match([]byte(c.line))
		if level != c.level || c.line[start:end] != c.title {
			t.Errorf("%.40q: level %d %.40q, want %d %.40q", c.line, level, c.line[start:end], c.level, c.title)
		}
	}
	if level, _, _ := (*headings.Set)(nil).Match([]byte("A")); level != 0 {
		t.Error("nil has a pattern")
	}
}

// An error names the pattern, and the way out.
func TestCompileErrors(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"", "`` doesn't begin with a level from 1 to 6 and a colon; write LEVEL:PATTERN, such as 2:"},
		{"x", "`x` doesn't begin with a level"},
		{"0:x", "`0:x` doesn't begin with a level from 1 to 6"},
		{"7:x", "`7:x` doesn't begin with a level"},
		{"12:x", "`12:x` doesn't begin with a level"},
		{"2:", "`2:` has a level and no pattern; write one"},
		{"2:(", "`2:(` is no pattern in the syntax of RE2: missing closing ) at `(`; correct it"},
		{"2:)|(", "`2:)|(` is no pattern in the syntax of RE2: unexpected )"},
		{`2:\Qa`, `is no pattern in the syntax of RE2: missing closing )`},
		{"2:(?=a)", "invalid or unsupported Perl syntax"},
		{"2:a{2000}", "invalid repeat count"},
		{"2:(.{300}){3}(.{300}){3}(.{300}){3}", "is too large a pattern"},
		{"2:(?<title>a)|(?<title>b)", "has two groups named title; keep one"},
		{"2:" + strings.Repeat("a", headings.MaxPattern), "has 502 bytes; shorten it to 500"},
		{"2:\xff", "not UTF-8"},
	} {
		_, err := headings.Compile("1:fine", c.pattern)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.pattern, err, c.want)
		}
	}
	if _, err := headings.Compile(strings.Split(strings.Repeat("1:a ", headings.MaxPatterns)+"1:a", " ")...); err == nil || !strings.Contains(err.Error(), "there are 17 patterns of headings and at most 16") {
		t.Error(err)
	}
	if s, err := headings.Compile(); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
}

// TestTimeIsLinear: the dearest patterns on the longest lines take a time that doesn't grow
// faster than the text does.
func TestTimeIsLinear(t *testing.T) {
	var patterns []string
	for range headings.MaxPatterns {
		patterns = append(patterns, "2:(a?){100}(a*)*b")
	}
	own, err := headings.Compile(patterns...)
	if err != nil {
		t.Fatal(err)
	}
	parser := markdown.Parser{Options: markdown.Options{Headings: own}}
	took := func(lines int) time.Duration {
		src := []byte(strings.Repeat(strings.Repeat("a", headings.MaxLine)+"\n\n", lines))
		best := time.Hour
		for range 3 {
			begin := time.Now()
			if _, err := parser.Parse(src); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(begin))
		}
		return best
	}
	if once, eight := took(2), took(16); eight > 24*once+time.Second {
		t.Errorf("%v for 2 lines, %v for 16", once, eight)
	}
}

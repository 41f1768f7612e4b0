package syntax

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// The grammars are the same for everybody who reads them, so that each is tested by what it
// takes of a text: what stands before '|' in want; "" for nothing.

func TestAutolinkEnd(t *testing.T) {
	for src, want := range map[string]string{
		"https://a.b/c?d#e>f": "https://a.b/c?d#e>", "x-y+z.1:>": "x-y+z.1:>", "a:b>": "", "1a:b>": "", "ab:c d>": "", "ab:c<d>": "",
		strings.Repeat("a", 32) + ":>": strings.Repeat("a", 32) + ":>", strings.Repeat("a", 33) + ":>": "",
		"m@a.b>": "m@a.b>", "m+x_y@a-b.c>": "m+x_y@a-b.c>", "m@-a.b>": "", "m@a-.b>": "", "m@a.b ": "", "@a.b>": "", "m@>": "", "": "", "ab:c": "", " ab:c>": "",
	} {
		end, email := AutolinkEnd([]byte(src), 0)
		if src[:end] != want || email != (want != "" && strings.Contains(want, "@") && !strings.Contains(want, ":")) {
			t.Errorf("%q: %q, email %v, want %q", src, src[:end], email, want)
		}
	}
}

func TestEmailRange(t *testing.T) {
	for src, want := range map[string]string{
		"a@b.c": "a@b.c", "x a.b-c_d+e@f.g.": "a.b-c_d+e@f.g", "a@b": "", "@b.c": "", "a@b.c-": "", "a@b.c_": "", "a@b.1": "", "a@b.c@d": "",
		"mailto:a@b.c": "mailto:a@b.c", "xmpp:a@b.c/d@e.": "xmpp:a@b.c/d@e", "xmpp:a@b.c/": "xmpp:a@b.c", "mailto:a@b.c/d": "mailto:a@b.c", "smailto:a@b.c": "a@b.c",
	} {
		start, end := EmailRange([]byte(src), 0, strings.IndexByte(src, '@'))
		if got := src[start:end]; got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestHTML(t *testing.T) {
	for src, want := range map[string]string{
		"<a>": "<a>", "<a b c='d' e=\"f\" g=h/>x": "<a b c='d' e=\"f\" g=h/>", "<a\nb\n=\n'c\nd'>": "<a\nb\n=\n'c\nd'>", "<a b='c>": "", "<a b=>": "", "<a b=c\"d>": "",
		"<a 'b'>": "", "<1>": "", "< a>": "", "<a": "", "<a/ >": "", "<a b='c'd>": "", "</a >": "</a >", "</a b>": "", "</1>": "", "</a": "",
		"<!-- a -- b -->": "<!-- a -- b -->", "<!-->": "<!-->", "<!--->": "<!--->", "<!-- a": "", "<?a?>": "<?a?>", "<?a": "", "<!A b>": "<!A b>", "<!A": "", "<!1>": "",
		"<![CDATA[a]]>": "<![CDATA[a]]>", "<![CDATA[a]>": "", "<": "",
	} {
		var r HTMLReader
		if end := r.End([]byte(src), 1); src[:end] != want {
			t.Errorf("%q: %q, want %q", src, src[:end], want)
		}
	}
}

func TestNextAttribute(t *testing.T) {
	for src, want := range map[string]string{
		" a=b c = 'd e' f=\"g\">": "a=b c=d e f=g|>", " a b=c>": "b=c|>", "/ a=/b/>": "a=/b/|>", " a='b": "|", " a=": "|", " a": "|", ">": "|>", " =a=b>": "=a=b|>",
	} {
		var got []string
		at := 0
		for {
			a, next, ok := NextAttribute([]byte(src), at)
			at = next
			if !ok {
				break
			}
			got = append(got, src[a.NameStart:a.NameEnd]+"="+src[a.ValueStart:a.ValueEnd])
		}
		if text := strings.Join(got, " ") + "|" + src[at:]; text != want {
			t.Errorf("%q: %q, want %q", src, text, want)
		}
	}
}

func TestLinkLabel(t *testing.T) {
	for src, want := range map[string]string{
		"[a]b": "a", "[a\\]b]": "a\\]b", "[a\nb]": "a\nb", "[a[b]": "", "[]": "", "[ \n]": "", "[a": "", "a]": "", "": "",
		"[" + strings.Repeat("é", MaxLabel) + "]": strings.Repeat("é", MaxLabel), "[" + strings.Repeat("é", MaxLabel+1) + "]": "",
	} {
		label, end := LinkLabel([]byte(src), 0)
		if string(label) != want || want != "" && end != len(want)+2 || want == "" && end != 0 {
			t.Errorf("%.20q: %.20q, %d", src, label, end)
		}
	}
}

func TestAppendLabel(t *testing.T) {
	for label, want := range map[string]string{
		"ẞ": "ss", "ﬁ": "fi", "ΑΣ": "ας", "İ": "i\u0307", "\\a": "\\a", "": "",
	} {
		got, folded := string(AppendLabel(nil, []byte(label))), string(AppendLabel(nil, []byte(want)))
		if got != folded {
			t.Errorf("%q: %q, want as of %q: %q", label, got, want, folded)
		}
	}
}

func TestInlineTarget(t *testing.T) {
	for src, want := range map[string]string{
		"(a)": "a|", "(a 'b')c": "a|b", "( <a b> \"c\\\"d\" )": "a b|c\\\"d", "()": "|", "(<>)": "|", "(a(b)c)": "a(b)c|", "(a\n(t))": "a|t", "(a\\)b)": "a\\)b|",
		"(a b)": "-", "(a": "-", "a": "-", "": "-", "(<a)": "-", "(<a\nb>)": "-", "(a 'b)": "-", "(a'b')": "a'b'|", "(a(b)": "-", "(a 'b'c)": "-", "(a\x01)": "-",
	} {
		target, ok := InlineTarget([]byte(src), 0)
		got := "-"
		if ok {
			got = src[target.DestinationStart:target.DestinationEnd] + "|" + src[target.TitleStart:target.TitleEnd]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestAppendUnescaped(t *testing.T) {
	for src, want := range map[string][2]string{
		"a\\*b\\c": {"a*b\\c", "a\\*b\\c"}, "&amp;&#65;&#x42;&AMP;": {"&AB&", "&AB&"}, "&copy;&ngE;": {"©≧̸", "©≧̸"}, "&copy &none; &#; &#x; &": {"&copy &none; &#; &#x; &", "&copy &none; &#; &#x; &"},
		"&#0;&#99999999;": {"\ufffd&#99999999;", "\ufffd&#99999999;"}, "\\&amp;": {"&amp;", "\\&"}, "&#xD800;": {"\ufffd", "\ufffd"},
	} {
		for i, isHTML := range []bool{false, true} {
			if got := string(AppendUnescaped(nil, []byte(src), isHTML)); got != want[i] {
				t.Errorf("%q, of HTML %v: %q, want %q", src, isHTML, got, want[i])
			}
		}
	}
}

func TestFlanks(t *testing.T) {
	for text, want := range map[string]flank{
		"a": flankText, "é": flankText, " ": flankSpace, "\n": flankSpace, "\f": flankSpace, "\u00a0": flankSpace, "*": flankPunctuation, "„": flankPunctuation, "€": flankPunctuation,
		"\x00": flankPunctuation, "\xff": flankPunctuation, "": flankSpace,
	} {
		if before, after := flankBefore([]byte(text), 0, len(text)), flankAfter([]byte(text), 0); before != want || after != want {
			t.Errorf("%q: %d before, %d after, want %d", text, before, after, want)
		}
	}
}

func TestURLReader(t *testing.T) {
	for src, want := range map[string]string{
		"x https://a.b/c.": "https://a.b/c", "http://localhost": "http://localhost", "(ftp://a.b/(c))": "ftp://a.b/(c)", "HTTPS://a.b": "HTTPS://a.b", "xhttp://a.b": "",
		"gopher://a.b": "", "a:b": "", "http://": "", "www.a.b?": "www.a.b", "xwww.a": "", "(www.a_b.c.d)": "www.a_b.c.d", "www.a.b_c": "", "www.a.b_c.d": "",
		"http://a.b&amp;": "http://a.b", "http://a.b/&c;d;": "http://a.b/&c;d", "http://a.b/c<d": "http://a.b/c", "http://a.b/'\"*_~": "http://a.b/", "http://é.b": "http://é.b",
	} {
		var r URLReader
		got := ""
		for i := 0; i < len(src) && got == ""; i++ {
			if src[i] == ':' || src[i] == 'w' {
				if start, end := r.Range([]byte(src), 0, i); end > 0 {
					got = src[start:end]
				}
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// TestLabelsOfSpaces: white space around a label is no part of it, and that inside is a space.
func TestLabelsOfSpaces(t *testing.T) {
	if got := string(AppendLabel([]byte("x"), []byte(" A \n b\t"))); got != "xa b" {
		t.Errorf("%q", got)
	}
}

// TestLabelsFold: the full folding, by examples of each kind of Unicode's CaseFolding.txt.
func TestLabelsFold(t *testing.T) {
	for label, want := range map[string]string{
		"ß": "ss", "ŉ": "ʼn", "ǰ": "ǰ", "և": "եւ", "ẖ": "ẖ", "ẚ": "aʾ", "ﬀ": "ff", "ﬃ": "ffi", "ﬅ": "st", "ﬓ": "մն",
		"ΐ": "ΐ", "ὐ": "ὐ", "ᾀ": "ἀι", "ᾈ": "ἀι", "ᾳ": "αι", "ᾶ": "ᾶ", "ᾷ": "ᾶι", "ῼ": "ωι", "ῒ": "ῒ", "ῤ": "ῤ", "ῷ": "ῶι",
	} {
		if got := string(AppendLabel(nil, []byte(label))); got == label || norm.NFD.String(got) != norm.NFD.String(want) {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

func TestCodeReader(t *testing.T) {
	for src, want := range map[string]string{
		"`a`": "a", "``a`b``c": "a`b", "` `` `": " `` ", "`a": "", "``a`": "", "```": "", "`": "", "`a``b`": "a``b", "`\n`": "\n",
	} {
		var r CodeReader
		for range 2 { // the second search knows what the first has found
			start, end := r.Range([]byte(src), 0)
			got := ""
			if end > 0 {
				got = src[start:end]
			}
			if ticks := len(src) - len(strings.TrimLeft(src, "`")); got != want || start != ticks {
				t.Errorf("%q: %q behind %d, want %q", src, got, start, want)
			}
		}
	}
}

func TestWikiLink(t *testing.T) {
	for src, want := range map[string]string{
		"[[a]]": "a|a", "[[a#b|c d]] e": "a#b|c d", "[[a\\|b]]": "a|b", "[[|b]]": "|b", "[[a|]]": "a|", "[[]]": "-", "[[a]": "-", "[[a": "-", "[[a]](b)": "-", "[[a]][b]": "-",
		"[[a\nb]]": "-", "[[a[b]]]": "-", "[[": "-",
	} {
		got := "-"
		if l, ok := ReadWikiLink([]byte(src), 0); ok {
			got = src[l.DestinationStart:l.DestinationEnd] + "|" + src[l.TextStart:l.TextEnd]
			if !strings.HasSuffix(src[:l.End], "]]") {
				t.Errorf("%q ends at %d", src, l.End)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestNextTag(t *testing.T) {
	for src, want := range map[string]string{
		"a <b c='>'> <D>": "<b c='>'>,<D>", "</a><!-- <b> --><c>": "<c>", "<!--><a>": "<a>", "<!-- <a>": "", "<script><b></script><i>": "<script>,<i>", "<style>x<b>": "<style>",
		"< a><1><a": "<a", "<textarea><a></TEXTAREA ><b/>": "<textarea>,<b/>", "": "",
		"<?a '<b>' ?><c>": "<c>", "<?>?><a>": "<a>", "<?a <b>": "", "<?a 'b'><c>": "<c>", "<?a": "", "<![CDATA[ <b> ]]><c>": "<c>", "<![CDATA[<b><c>": "<c>", "<!A '<b>' <c>": "<c>", "<!1><a>": "<a>", "<!--->-><a>": "<a>",
	} {
		var tags []string
		var r HTMLReader
		for i := 0; ; {
			tag, next, ok := r.NextTag([]byte(src), i)
			if !ok {
				break
			}
			tags = append(tags, src[tag:endOfTag([]byte(src), tag+1+TagNameLen([]byte(src[tag+1:])))])
			i = next
		}
		if got := strings.Join(tags, ","); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// TestEmphasisReader writes matches as they face each other: '<' for each byte that opens, '>'
// for one that closes.
func TestEmphasisReader(t *testing.T) {
	for src, want := range map[string]string{
		"*a*": "<a>", "**a**": "<<a>>", "***a***": "<<<a>>>", "*a**": "<a>*", "**a*": "*<a>", "* a *": "* a *", "_a_b_": "<a_b>", "a_b_c": "a_b_c", "~a~": "<a>", "~~~a~~~": "~~~a~~~",
		"~a~~": "~a~~", "*a _b* c_": "<a _b> c_", "*a*b*": "<a>b*", "\"*a*\"": "\"<a>\"", "*": "*", "*foo**bar*": "<foo**bar>",
	} {
		var e EmphasisReader
		e.Reset()
		at := map[int]int32{}
		ends := map[int]int{}
		for i := 0; i < len(src); {
			if !strings.ContainsRune("*_~", rune(src[i])) {
				i++
				continue
			}
			end, n := e.Read([]byte(src), 0, i)
			if n >= 0 {
				at[i], ends[i] = n, end
			}
			i = end
		}
		e.Settle(0)
		got := ""
		for i := 0; i < len(src); i++ {
			end := ends[i]
			if end == 0 {
				got += src[i : i+1]
				continue
			}
			closes, left, opens := e.Settled(at[i])
			marks := func(m int32, mark string) {
				for ; m != 0; m = e.Match(m).Next {
					got += strings.Repeat(mark, int(e.Match(m).Length))
				}
			}
			marks(closes, ">")
			got += strings.Repeat(src[i:i+1], int(left))
			marks(opens, "<")
			i = end - 1
		}
		if got != want || e.Open() != 0 {
			t.Errorf("%q: %q, %d open, want %q", src, got, e.Open(), want)
		}
	}
}

func TestLabelSet(t *testing.T) {
	labels := []string{"a", "B c", "A", "ẞ", " b\n C ", ""}
	s := NewLabelSet(len(labels), func(n int) []byte { return []byte(labels[n]) })
	var memory LabelMemory
	for n := range labels {
		s.Add(n, &memory)
	}
	for label, want := range map[string]int{"a": 0, "A ": 0, "b  c": 1, "SS": 3, "d": -1, "": -1, " ": -1} {
		if got := s.Find([]byte(label), &memory); got != want {
			t.Errorf("%q: %d, want %d", label, got, want)
		}
	}
	if none := NewLabelSet(0, nil); !none.IsEmpty() || s.IsEmpty() || none.Find([]byte("a"), &memory) >= 0 {
		t.Error("a label is in an empty set")
	}
}

package markdown_test

import (
	"fmt"

	"github.com/sectile/sectile/markdown"
)

const guide = "---\ntitle: Guide\n---\n# Guide\n\nRead on.\n\n## Install\n\n1. Fetch\n2. Run `make`\n\n```sh\nmake\n```\n"

// The table of contents, with lines for people and bytes for programs.
func ExampleParse() {
	doc, err := markdown.Parse([]byte(guide))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, s := range doc.Sections {
		lines, span := doc.SectionLines(i), doc.SectionSpan(i)
		fmt.Printf("level %d %q: lines %d-%d, bytes %d-%d\n", s.Level, doc.SectionTitle(i), lines.First, lines.Last, span.Start, span.End)
	}
	// Output:
	// level 1 "Guide": lines 4-15, bytes 21-91
	// level 2 "Install": lines 8-15, bytes 40-91
}

// Blocks are a flat slice in source order; those inside of others know their parent.
func ExampleDocument_Children() {
	doc, _ := markdown.Parse([]byte(guide))
	for b := range doc.Blocks {
		block := &doc.Blocks[b]
		if block.Kind != markdown.List {
			continue
		}
		for item := range doc.Children(b) {
			fmt.Printf("%s %q\n", doc.Blocks[item].Kind, doc.Text(doc.Blocks[item].Span()))
		}
	}
	// Output:
	// item "1. Fetch"
	// item "2. Run `make`"
}

// What a block holds, without its own marks.
func ExampleDocument_Content() {
	doc, _ := markdown.Parse([]byte(guide))
	for b := range doc.Blocks {
		if doc.Blocks[b].Kind == markdown.FencedCode {
			fmt.Printf("%s: %q\n", doc.Info(b), doc.Text(doc.Content(b)))
		}
	}
	// Output:
	// sh: "make\n"
}

// Another dialect: in CommonMark, front matter is a thematic break and a heading.
func ExampleParser() {
	p := markdown.Parser{Options: markdown.CommonMark()}
	doc, err := p.Parse([]byte(guide))
	if err != nil {
		fmt.Println(err)
		return
	}
	for b := range doc.Children(-1) {
		fmt.Println(doc.Blocks[b].Kind)
		if b == 1 {
			break
		}
	}
	// Output:
	// thematic_break
	// heading
}

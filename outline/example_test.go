package outline_test

import (
	"fmt"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

const manual = `# Manual

## Installation

### Linux

### Windows

## Use
`

func ExampleNewTree() {
	doc, err := markdown.Parse([]byte(manual))
	if err != nil {
		fmt.Println(err)
		return
	}
	tree := outline.NewTree(doc, outline.TreeOptions{Pattern: "linux"})
	fmt.Printf("%s", tree.AppendASCII(nil, "manual.md"))
	fmt.Printf("%s\n", tree.AppendJSON(nil, "manual.md"))
	// Output:
	// manual.md
	//
	// └ Manual H1:1:9
	//   └ Installation H2:3:8
	//     └ Linux H3:5:6
	// {"name":"manual.md","level":"H0","start_line":0,"end_line":0,"children":[{"name":"Manual","level":"H1","start_line":1,"end_line":9,"children":[{"name":"Installation","level":"H2","start_line":3,"end_line":8,"children":[{"name":"Linux","level":"H3","start_line":5,"end_line":6,"children":[]}]}]}]}
}

func ExampleList() {
	doc, err := markdown.Parse([]byte(manual))
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := outline.List(doc, outline.ListOptions{Level: 2, Max: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", page.AppendJSON(nil))
	// Output:
	// {"sections":[{"name":"Installation","start_line":3,"end_line":8,"level":"H2"}],"count":2,"next_cursor":"1"}
}

package links_test

import (
	"fmt"

	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

func Example() {
	set := links.NewSet(links.Options{Look: func(string) links.Entry { return links.Nothing }})
	for name, src := range map[string]string{
		"README.md":  "[guide](docs/a.md#install) [gone](docs/b.md) [mail](mailto:a@b.example)\n",
		"docs/a.md":  "# Guide\n\n## Install\n",
		"docs/c.mdx": "# Other\n",
	} {
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			panic(err)
		}
		set.Add(links.NewPage(name, doc))
	}
	page := set.Page("README.md")
	for i := range page.Links {
		target := set.Resolve(page, &page.Links[i])
		fmt.Printf("%s is %s\n", page.Links[i].Destination, target.Status)
	}
	// Output:
	// docs/a.md#install is ok
	// docs/b.md is broken
	// mailto:a@b.example is external
}

package address_test

import (
	"errors"
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

const guide = "# Guide\n\n## Install\n\nRun it.\n\n# Reference\n\n## Install\n\n```sh\nmake\n```\n"

func ExampleResolve() {
	doc, _ := markdown.Parse([]byte(guide))
	for _, addr := range []string{"guide > install", "h2.1/code.0", "L9", "Install", "# Refer to it"} {
		r, err := address.Resolve(doc, addr)
		if e, ok := errors.AsType[*address.Error](err); ok {
			fmt.Printf("%s: %s\n", addr, e.Code)
			for _, c := range e.Candidates {
				fmt.Printf("  %s\n", c.Address)
			}
			continue
		}
		fmt.Printf("%s: %s, %v, tier %v, in %q\n", addr, r.Selector, r.Lines(doc), r.Tier, r.Breadcrumb)
	}
	// Output:
	// guide > install: h2.0, {3 6}, tier stripped, in ["Guide"]
	// h2.1/code.0: h2.1/code.0, {11 13}, tier none, in ["Reference" "Install"]
	// L9: h2.1, {9 13}, tier none, in ["Reference"]
	// Install: ambiguous_heading
	//   Guide > Install
	//   Reference > Install
	// # Refer to it: heading_not_found
	//   # Reference
	//   Guide > Install
	//   Reference > Install
	//   # Guide
}

// The way back: what a part is called, so that others find it.
func ExampleAddressOf() {
	doc, _ := markdown.Parse([]byte(guide))
	anchors := address.Anchors(doc)
	for i := range doc.Sections {
		n := address.NodeOfSection(i)
		fmt.Printf("%s, %s, %s\n", address.AddressOf(doc, n), address.SelectorOf(doc, n), anchors[i])
	}
	// Output:
	// # Guide, h1.0, #guide
	// Guide > Install, h2.0, #install
	// # Reference, h1.1, #reference
	// Reference > Install, h2.1, #install-1
}

func ExampleSelect() {
	doc, _ := markdown.Parse([]byte(guide))
	s, err := address.ParseSelector("h1.0-1/h2")
	if err != nil {
		fmt.Println(err)
		return
	}
	matches, err := address.Select(doc, s)
	if err != nil {
		fmt.Println(err, address.Suggest(doc, s))
		return
	}
	for _, m := range matches {
		fmt.Println(m.Selector, m.Lines(doc))
	}
	// Output:
	// h1.0/h2.0 {3 6}
	// h1.1/h2.0 {9 13}
}

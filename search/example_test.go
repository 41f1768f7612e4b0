package search_test

import (
	"fmt"
	"log"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

func Example() {
	sources := []string{
		"# Guide\n\n## Install\n\nRun the installer.\n\n## Proxy\n\nBehind a proxy, set its name before you install.\n",
		"# News\n\nThe installer has a new face.\n",
	}
	query, err := search.Parse("install proxy")
	if err != nil {
		log.Fatal(err)
	}
	scanner := query.Scanner()
	for i, src := range sources {
		if err := scanner.Scan(i, "", []byte(src), markdown.Parse); err != nil {
			log.Fatal(err)
		}
	}
	ranking := query.Rank(0, 2, scanner)
	fmt.Printf("%d sections in %d of %d documents; the best %d:\n", ranking.Sections, ranking.Matching, ranking.Scanned, len(ranking.Hits))
	for _, hit := range ranking.Hits {
		doc, err := markdown.Parse([]byte(sources[hit.Document]))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(doc.SectionTitle(hit.Section))
	}
	// Output:
	// 3 sections in 2 of 2 documents; the best 2:
	// Proxy
	// Install
}

func ExampleParseLines() {
	doc, err := markdown.Parse([]byte("# Ports\n\nIt listens on port 80.\n\n## Other\n\nPort 443 is for TLS.\n"))
	if err != nil {
		log.Fatal(err)
	}
	lines, err := search.ParseLines(`port \d+`, true, search.SmartCase)
	if err != nil {
		log.Fatal(err)
	}
	for section, line := range lines.Sections(doc) {
		fmt.Printf("%s:%d %s\n", doc.SectionTitle(section), doc.LineAt(line.Start), doc.Source[line.Start:line.End])
	}
	// Output:
	// Ports:3 It listens on port 80.
	// Other:7 Port 443 is for TLS.
}

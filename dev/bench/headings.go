package main

import (
	"context"
	"fmt"
	"os"
)

// heading is where a heading of a document stands: from its first line to its last
// one, which are counted from 1. A tool that knows one line gives it as both.
type heading struct{ level, start, end int }

// missed compares headings that a tool found with those that are there: how many it
// did not find, and how many it made up. A heading is found if the tool gives its
// level and one of its lines.
func missed(there, found []heading) (missing, extra int) {
	used := make([]bool, len(found))
	for _, h := range there {
		at := -1
		for i, f := range found {
			if !used[i] && f.level == h.level && f.start <= h.end && f.end >= h.start {
				at = i
				break
			}
		}
		if at < 0 {
			missing++
			continue
		}
		used[at] = true
	}
	for _, u := range used {
		if !u {
			extra++
		}
	}
	return missing, extra
}

// detection is what a tool did on the headings of many documents.
type detection struct {
	documents, wrong      int // wrong: documents with at least one mistake
	there, missing, extra int // headings
}

// detect counts a tool's mistakes over documents.
func detect(docs []document, reference, found map[string][]heading, each func(doc document, missing, extra int)) detection {
	d := detection{documents: len(docs)}
	for _, doc := range docs {
		missing, extra := missed(reference[doc.name], found[doc.name])
		d.there += len(reference[doc.name])
		d.missing += missing
		d.extra += extra
		if missing+extra > 0 {
			d.wrong++
			each(doc, missing, extra)
		}
	}
	return d
}

// measureHeadings compares the headings that each tool finds with the reference's.
func measureHeadings(ctx context.Context, b *bench) error {
	measure := "Documents whose headings differ from those of " + b.referenceName
	chart := panel{title: "Documents whose headings are wrong", unit: "%", better: fewer}
	for i := range b.tools {
		t := &b.tools[i]
		if t.headings == nil || t.name == b.referenceName {
			continue
		}
		found, err := t.headings(ctx, b.folder, b.docs)
		if err != nil {
			if err := b.fails(ctx, "Headings", t.name, err); err != nil {
				return err
			}
			continue
		}
		d := detect(b.docs, b.reference, found, func(doc document, missing, extra int) {
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%s: headings of %s: %d missing, %d made up\n", t.name, doc.name, missing, extra)
			}
		})
		b.report.add(row{
			measure: measure, tool: t.name,
			result: fmt.Sprintf("%s of %s wrong", thousands(d.wrong), thousands(d.documents)),
			detail: fmt.Sprintf("of %s headings %s missing, %s made up", thousands(d.there), thousands(d.missing), thousands(d.extra)),
		})
		chart.add(t.name, 100*float64(d.wrong)/float64(d.documents))
	}
	b.report.chart(chart)
	return nil
}

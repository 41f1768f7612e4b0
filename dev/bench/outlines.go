package main

import (
	"context"
	"fmt"
)

// measureOutlines times the outline of a folder, as a whole process.
func measureOutlines(ctx context.Context, b *bench) error {
	var all []contender
	for i := range b.tools {
		t := &b.tools[i]
		if t.outline != nil {
			all = append(all, running(ctx, t.name, t.outline(b.folder)))
		}
	}
	measure := fmt.Sprintf("Outline of a folder of %s documents, as a program", thousands(len(b.docs)))
	took := b.inTurns(measure, all)
	outlines := make([]measured, len(all))
	for i := range all {
		outlines[i] = measured{tool: all[i].name, values: took[i]}
	}
	b.report.compare(measure, "ms", outlines, &panel{title: "Outline of a folder", unit: "ms", better: fewer})
	return nil
}

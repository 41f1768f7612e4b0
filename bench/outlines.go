package main

import (
	"context"
	"fmt"
)

// measureOutlines times the outline of a folder, as a whole process.
func measureOutlines(ctx context.Context, b *bench) error {
	var all []contender
	for _, t := range b.tools {
		if t.outline != nil {
			all = append(all, running(ctx, t.name, t.outline(b.folder)))
		}
	}
	took, err := inTurns(b.rounds, all)
	if err != nil {
		return err
	}
	outlines := make([]measured, len(all))
	for i := range all {
		outlines[i] = measured{all[i].name, took[i]}
	}
	measure := fmt.Sprintf("Outline of a folder of %s documents, as a program", thousands(len(b.docs)))
	b.report.compare(measure, "ms", outlines, &panel{title: "Outline of a folder", unit: "ms", better: fewer})
	return nil
}

package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/toolargs"
)

// The toolset structure: where sections stand.

const toolMoveSection = "move_section"

func moveTools() []*tool {
	return []*tool{
		{
			name: toolMoveSection, title: "Move a section", set: setStructure, lean: true, writes: true, remembers: true,
			description: "Move a section. move: before or after the section to, or first or last in it, or to to_path (create makes it). " +
				"promote, demote: a level. dissolve: only the heading goes. reorder: by title or order.",
			handler: taking(runMoveSection),
		},
	}
}

type (
	moveAction string
	movePlace  string
)

func (moveAction) Declare(a *toolargs.Argument) { a.Options = editing.MoveActions() }
func (movePlace) Declare(a *toolargs.Argument)  { a.Options = editing.MovePlaces() }

type moveSectionArgs struct {
	pathArgs
	Heading         headingText     `arg:"heading,required"`
	Action          moveAction      `arg:"action,required,lenient"`
	To              string          `arg:"to" alias:"target,destination"`
	Where           movePlace       `arg:"where,lenient"`
	ToPath          string          `arg:"to_path" alias:"to_file"`
	Create          bool            `arg:"create"`
	LeaveLink       bool            `arg:"leave_link"`
	KeepLevels      bool            `arg:"keep_levels"`
	Order           []string        `arg:"order"`
	Occurrence      int             `arg:"occurrence"`
	ExpectedHash    expectedHash    `arg:"expected_hash"`
	ExpectedVersion expectedVersion `arg:"expected_version"`
	Links           string          `arg:"links" doc:"update or leave"`
	DryRun          dryRun          `arg:"dry_run"`
	limitedUnlistedArgs
}

func runMoveSection(ctx context.Context, c *call, args *moveSectionArgs) (*reply, error) {
	return c.named(args.Path, string(args.Heading), false, func(path, heading string) (*reply, error) {
		return c.edited(editing.MoveSection(ctx, c.documents(path), editing.MoveSectionRequest{
			Heading: heading, Action: string(args.Action), To: args.To, Where: string(args.Where), KeepLevels: args.KeepLevels, Order: args.Order,
			ToPath: args.ToPath, Create: args.Create, LeaveLink: args.LeaveLink,
			Occurrence: args.Occurrence, ExpectedHash: string(args.ExpectedHash), ExpectedVersion: string(args.ExpectedVersion),
			Links: args.Links, EditOptions: c.editOptions(false, args.DryRun, false),
		}))
	})
}

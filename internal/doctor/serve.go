package doctor

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
	"github.com/sectile/sectile/markdown"
)

// ServerOptions is what a server of tools is started with. Nothing of it changes
// while the server runs.
type ServerOptions struct {
	// Roots are the folders whose documents can be reached; none means the
	// working directory.
	Roots []string
	// AllowBroadRoot allows the root of the file system and the home folder.
	AllowBroadRoot bool
	// TextFiles allows UTF-8 files that are no Markdown, outside of dot-folders.
	TextFiles bool
	// RuleMemory is told of with MaxMemory.
	RuleMemory bool
	// ReadOnly leaves out every tool that writes.
	ReadOnly bool
	// Structured adds structured content to replies of tools.
	Structured bool
	// Shared says that the server has many clients, who can't be told apart but by
	// the session that a call names.
	Shared bool
	// Walk says what lists of documents leave out.
	Walk documents.WalkOptions
	// PlanFolders are the names of folders whose files are read complete; nil means
	// "plans".
	PlanFolders []string
	// Headings are markers of headings that are the user's own; nil means those of the user's
	// configuration.
	Headings *headings.Set
	// MaxBytes is the size beyond which a document is refused; 0 means 64 MiB.
	MaxBytes int64
	// MaxMemory is the budget of memory of the process in bytes, at least MinMaxMemory;
	// 0 means DefaultMaxMemory. RuleMemory makes the runtime keep to it, which is for a
	// process that has one server.
	MaxMemory int64

	// Preset is a named choice of tools: "" for all of them, or "lean".
	Preset string
	// Toolsets are the sets of tools that are offered; none means all.
	Toolsets []string
	// Tools are tools that are offered besides those of Toolsets, or alone if
	// there are no Toolsets and no Preset; ExcludeTools are not offered.
	Tools, ExcludeTools []string
	// Journal is the folder of the user's journal of changes; "" for none.
	Journal string

	// Concurrency is the number of calls that are worked on at once; 0 means a
	// number that suits the machine.
	Concurrency int
	// Timeout is how long a call may take; 0 means 30 seconds.
	Timeout time.Duration
	// LogLevel is "debug", "info", "warn" (the default) or "error".
	LogLevel string
	// Version is the program's.
	Version string
	// Random is what the marks of replies are drawn from; nil means the system's
	// random numbers, which nobody can guess.
	Random io.Reader
}

// rootsOrHere returns the roots, or the working directory.
func (o *ServerOptions) rootsOrHere() []string {
	if len(o.Roots) == 0 {
		return []string{"."}
	}
	return o.Roots
}

// Documents returns the options of the workspace.
func (o *ServerOptions) Documents() documents.Options {
	return documents.Options{
		Roots: o.Roots, AllowBroadRoot: o.AllowBroadRoot, TextFiles: o.TextFiles, Walk: o.Walk,
		MaxBytes: o.MaxBytes, MaxMemory: o.MaxMemory, RuleMemory: o.RuleMemory, Unwritten: project.Obeyed(project.NewLoader("", "", nil)),
	}
}

// Open opens the workspace of a server. The error is an *replies.Error.
func (o *ServerOptions) Open(ctx context.Context) (*documents.Workspace, error) {
	opened, start := o.Documents(), ""
	if len(o.Roots) > 0 {
		start = o.Roots[0]
	}
	var err error
	if opened.Dialect, err = Dialect(ctx, start); err != nil {
		return nil, err
	}
	if opened.Headings = o.Headings; o.Headings == nil {
		if opened.Headings, err = Headings(ctx, nil); err != nil {
			return nil, err
		}
	}
	return documents.OpenWorkspace(opened)
}

// HTTPOptions say where a server listens, and who may talk to it.
type HTTPOptions struct {
	// Address is HOST:PORT; port 0 stands for any that is free.
	Address string
	// AllowRemote allows an address that other machines can reach.
	AllowRemote bool
	// TokenFile is a file that holds the token which clients show; without one the
	// server makes it up.
	TokenFile string
	// ViewWrites allows undo on the page for people, and Editor is the address that opens a
	// document in the user's editor, see PageOptions.
	ViewWrites bool
	Editor     string
}

// PageOptions say what the page for people shows. Nothing of it changes while it is served.
type PageOptions struct {
	Workspace *documents.Workspace
	History   *undoing.History // nil for none
	Plans     *planning.Plans
	// Writes allows undo.
	Writes bool
	// Editor is the address that opens a document in the user's editor, with {path} for the
	// absolute path and {line} for the line; empty for no such link. The browser follows it,
	// and nothing is started here.
	Editor string
	Log    *slog.Logger
	// Ending ends when the server does: pages that wait for events are let go.
	Ending context.Context //nolint:containedctx // of the server; requests have their own
}

// Headings returns the markers of headings that are the user's own: those that are given, or
// else those of the user's configuration. The error is an *replies.Error.
func Headings(ctx context.Context, given []string) (*headings.Set, error) {
	own, err := project.Headings(ctx, given)
	switch {
	case err != nil && len(given) > 0:
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Text("--headings: " + err.Error()), Err: err}
	case err != nil:
		return nil, replies.ErrorAbout("", err)
	}
	return own, nil
}

// UsualDialect is the dialect of anchors where none is asked for.
const UsualDialect = markdown.GitHub

// Dialect returns the dialect of anchors in which documents are read: that of the project that
// start lies in, or the working directory for "". The error is an *replies.Error.
func Dialect(ctx context.Context, start string) (markdown.Dialect, error) {
	dialect, err := project.Dialect(ctx, start)
	if err != nil {
		return dialect, &replies.Error{Code: replies.CodeConfiguration, Message: replies.Text(err.Error()), Err: err}
	}
	return dialect, nil
}

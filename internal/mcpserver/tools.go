package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/toolargs"
	"github.com/sectile/sectile/internal/undoing"
)

// A tool is data: what clients are told of it, and the function that answers a
// call. Which tools a server has is decided at its start and never changes.

// The toolsets.
const (
	setFind      = "find"
	setLinks     = "links"
	setNavigate  = "navigate"
	setSelect    = "select"
	setEdit      = "edit"
	setStructure = "structure"
	setDocuments = "documents"
	setHistory   = "history"
	setGuide     = "guide"
	setPlan      = "plan"
)

// The limits on replies, in characters (code points).
const (
	defaultMaxChars = 10_000
	capMaxChars     = 40_000
	maxErrorChars   = 1_999
	// clientMaxChars is what clients show of a reply at the most.
	clientMaxChars = 500_000
)

// tool is one that a server can offer.
type tool struct {
	name        string
	title       string // for people
	description string
	set         string // the toolset
	lean        bool   // part of the preset "lean"
	core        bool   // clients that load tools when they need them have it from the start
	whole       bool   // its replies are JSON, which is never cut
	endless     bool   // a reply may be longer than any limit
	writes      bool
	remembers   bool  // what it shows, for the session of its reader
	idempotent  *bool // a repeated call does no more than the first; nil for those that don't write
	handler
	voice   voice                  // what its arguments are called; nil for as usual
	failure func(err error) *reply // what a call that failed answers; nil for a text
}

// handler is what a tool takes and does, see taking.
type handler struct {
	args []toolargs.Argument
	run  func(ctx context.Context, c *call) (*reply, error)
}

// taking returns the arguments that are the fields of T, and the function that calls run
// with their values.
func taking[T any](run func(ctx context.Context, c *call, args *T) (*reply, error)) handler {
	return handler{
		args: toolargs.Of[T](),
		run: func(ctx context.Context, c *call) (*reply, error) {
			args := new(T)
			toolargs.Bind(args, &c.values)
			return run(ctx, c, args)
		},
	}
}

// call is a call of a tool.
type call struct {
	values     toolargs.Values
	workspace  *documents.Workspace
	work       *documents.Work
	guides     *guiding.Guides
	elsewhere  *finding.Elsewhere
	history    *undoing.History
	plan       *planning.Plans
	marks      *replies.Marks
	parts      map[string]partName    // what the paths that were addresses of resources name
	session    *documents.Session     // of the client; nil for none
	reader     documents.Reader       // who the client is
	reserved   int                    // characters of the reply that stand before its text
	offers     func(tool string) bool // whether the server has a tool
	structured bool                   // the reply shall have structured content
	readOnly   bool                   // nothing at all is written
	plans      []string               // names of folders that hold plan files; nil for the usual one
	progress   func(done, total int)
}

// reply is what a tool answers.
type reply struct {
	text       []byte
	structured json.RawMessage // nil for none
	beside     int             // how many characters it may have beside those of a reply
	mark       string          // what lines of the text begin with that are ours; empty for none
	failed     bool            // the text tells of something that failed
}

// documents returns the documents that the call is about.
func (c *call) documents(paths ...string) documents.Set {
	for i, path := range paths {
		if path == documents.Stdin { // a file like any other here
			paths[i] = "./" + path
		}
	}
	return documents.Set{Paths: paths, Workspace: c.workspace, Work: c.work, Session: c.session, Reader: c.reader, Marks: c.marks, Progress: c.progress, Broken: linking.Broken}
}

// resolvePaths has all arguments of any tool that are paths be paths: where one is the address of a
// resource, it becomes that of the document. Those with `..` behind a link are refused: below the
// roots they are walked as the system does it, and in all that is done with names they are shortened.
func (c *call) resolvePaths() error {
	docs := c.documents()
	return c.values.Change(func(path string) (string, error) {
		path, err := c.addressed(path)
		if err != nil {
			return "", err
		}
		return path, docs.CheckClimb(path)
	}, "path", "file_path", "files", "paths", "to_path", "against")
}

// maxChars returns the largest number of characters of the tool's reply.
func (c *call) maxChars() int { return max(c.allowed()-c.reserved, replies.MinChars) }

// allowed returns the largest number of characters of all that is answered.
func (c *call) allowed() int {
	if n, given := c.values.Integer(maxCharsName); given {
		return n
	}
	return defaultMaxChars
}

// limitedArgs are taken by every tool whose reply may be long; maxChars reads them.
type limitedArgs struct {
	MaxChars maxCharsArg `arg:"max_chars"`
}

// limitedAgainArgs are limitedArgs of a tool beside another one of its toolset.
type limitedAgainArgs struct {
	MaxChars maxCharsArg `arg:"max_chars,again"`
}

// limitedUnlistedArgs are limitedArgs of a tool whose reply is short but for a difference: taken
// from those who know them of other tools.
type limitedUnlistedArgs struct {
	MaxChars maxCharsArg `arg:"max_chars,hidden"`
}

const maxCharsName = "max_chars"

type maxCharsArg int

func (maxCharsArg) Declare(a *toolargs.Argument) { a.Min, a.Max = replies.MinChars, capMaxChars }

// fileArgs are taken by every tool of its toolset that is about one document.
type fileArgs struct {
	FilePath string `arg:"file_path,required" alias:"path,file,filename"`
}

// allTools returns every tool that there is, sorted by toolset.
func allTools() []*tool {
	return slices.Concat(findTools(), navigateTools(), selectTools(), linksTools(), readFileTools(), editTools(), moveTools(), documentTools(), historyTools(), guideTools(), planTools())
}

// Toolsets are the names of the toolsets, in the order of a workflow.
func toolsets() []string {
	return []string{setFind, setNavigate, setSelect, setLinks, setEdit, setStructure, setDocuments, setHistory, setGuide, setPlan}
}

// chooseTools returns the tools that the options ask for. Whether there are guides
// and a place for plans matters to the preset alone. The error is an *replies.Error.
func chooseTools(o *doctor.ServerOptions, guides, plans func() bool) ([]*tool, error) {
	all := allTools()
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.name
	}
	if err := known("toolset", o.Toolsets, toolsets()); err != nil {
		return nil, err
	}
	if err := known("tool", slices.Concat(o.Tools, o.ExcludeTools), names); err != nil {
		return nil, err
	}
	if o.Preset != "" {
		if err := known("preset", []string{o.Preset}, []string{"lean"}); err != nil {
			return nil, err
		}
	}
	there := map[string]func() bool{setGuide: sync.OnceValue(guides), setPlan: sync.OnceValue(plans)}
	lean := func(t *tool) bool {
		asked, depends := there[t.set]
		return o.Preset == "lean" && t.lean && (!depends || asked())
	}
	everything := o.Preset == "" && len(o.Toolsets) == 0 && len(o.Tools) == 0
	chosen := slices.DeleteFunc(all, func(t *tool) bool {
		in := everything || lean(t) || slices.Contains(o.Toolsets, t.set) || slices.Contains(o.Tools, t.name)
		return !in || slices.Contains(o.ExcludeTools, t.name) || o.ReadOnly && t.writes
	})
	if len(chosen) == 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("no tool is left to offer; exclude fewer of them")}
	}
	return chosen, nil
}

// known refuses names that are not among those that there are.
func known(what string, names, there []string) error {
	for _, name := range names {
		if !slices.Contains(there, name) {
			return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
				"there is no %s %q; %sthere are %s", what, name, nearest.Question("", name, there), strings.Join(there, ", "))}
		}
	}
	return nil
}

// definition returns what clients are told of the tool.
func (t *tool) definition() *mcp.Tool {
	no := false
	def := &mcp.Tool{
		Name:        t.name,
		Description: t.description,
		InputSchema: toolargs.Schema(t.args),
		Annotations: &mcp.ToolAnnotations{
			// A tool that isn't read-only is destructive unless it says that it isn't.
			Title: t.title, ReadOnlyHint: !t.writes, IdempotentHint: !t.writes, OpenWorldHint: &no,
		},
	}
	if t.idempotent != nil {
		def.Annotations.IdempotentHint = *t.idempotent
	}
	meta := mcp.Meta{}
	if t.core {
		meta["anthropic/alwaysLoad"] = true
	}
	switch {
	case t.endless:
		meta["anthropic/maxResultSizeChars"] = clientMaxChars
	case t.whole:
		meta["anthropic/maxResultSizeChars"] = capMaxChars
	}
	if len(meta) > 0 {
		def.Meta = meta
	}
	return def
}

// handle answers a call of the tool as the protocol wants it. Whatever goes wrong
// is a reply with the error flag, which a model sees and can act on.
func (s *server) handle(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := toolargs.Decode(t.args, req.Params.Arguments)
		if err != nil {
			if t.writes {
				err = replies.Unwritten(err)
			}
			return s.failed(t, err), nil
		}
		work := s.workspace.Begin(ctx, leaver(ctx))
		defer work.End()
		c := &call{
			values: args, workspace: s.workspace, work: work, guides: s.guides, elsewhere: s.elsewhere, history: s.history, plan: s.plans, marks: s.marks, session: s.session, reader: s.readerOf(req), offers: s.offers,
			structured: s.options.Structured, readOnly: s.options.ReadOnly, plans: s.options.PlanFolders,
		}
		if err := c.resolvePaths(); err != nil {
			if t.writes {
				err = replies.Unwritten(err)
			}
			return s.failed(t, err), nil
		}
		shared := s.shares(t, c)
		if t.writes {
			ctx = s.history.For(ctx, c.reader, t.name, nil)
			if s.history.MayTakeBack() {
				c.reserved += undoing.MaxTakenBack
			}
		}
		begin := time.Now()
		stop := s.watch(ctx, req, c)
		defer stop()
		r, err := t.run(ctx, c)
		if err == nil && t.endless {
			err = reserve(work, r)
		}
		switch {
		case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
			return nil, err // the guard tells why
		case err != nil: // what is done is done, whether or not there was time for it
			s.log.Debug("call", "tool", t.name, "took", time.Since(begin), "code", replies.AsError(err).Code)
			return s.failed(t, err), nil
		}
		s.log.Debug("call", "tool", t.name, "took", time.Since(begin), "bytes", len(r.text), "failed", r.failed)
		r.structured = c.within(r)
		return shared.offered(t, c, r, s.result(r)), nil
	}
}

// reserve reserves memory for a reply that may have any length while it becomes an answer.
func reserve(work *documents.Work, r *reply) error {
	err := work.ReserveTexts(r.text, r.structured)
	if tooLarge, ok := errors.AsType[*documents.TooLarge](err); ok {
		return &replies.Error{Code: replies.CodeTooComplex, Message: replies.Say(
			"%s; ask for less at once, or raise the memory of the program with --max-memory", tooLarge.Error())}
	}
	return err
}

// within returns the structured content of a reply if it is no longer than the reply may be, or is, else
// nil: the text says what it has left out.
func (c *call) within(r *reply) json.RawMessage {
	if n := utf8.RuneCount(r.structured) - r.beside; n > c.maxChars() && n > utf8.RuneCount(r.text) {
		return nil
	}
	return r.structured
}

// result is a reply as the protocol wants it.
func (s *server) result(r *reply) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.text)}}, IsError: r.failed}
	if s.options.Structured && r.structured != nil {
		result.StructuredContent = r.structured
	}
	return result
}

// failed is the reply to a call of the tool that could not be answered. The tool is
// nil if there is none.
func (s *server) failed(t *tool, err error) *mcp.CallToolResult {
	if t != nil && t.writes && t.failure == nil { // else it says so itself
		err = replies.Unwritten(err)
	}
	switch {
	case t == nil:
		return failure(toolVoice, err)
	case t.failure == nil && t.voice == nil:
		return failure(toolVoice, err)
	case t.failure == nil:
		return failure(t.voice, err)
	}
	return s.result(t.failure(err))
}

// failure is the reply to a call that could not be answered, as most tools give it.
func failure(v voice, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: errorText(v, err)}}, IsError: true}
}

// errorText renders an error for a model: what failed and what to do, then what
// might have been meant.
func errorText(v voice, err error) string {
	e := replies.AsError(err).In(v)
	text := e.Marked(runes.Clip(e.Error(), maxErrorChars/2), maxErrorChars)
	if quoted := e.Quoted(); len(quoted) > 0 {
		text += "\n" + strings.TrimSuffix(string(quoted), "\n") // which clients drop
	}
	return text
}

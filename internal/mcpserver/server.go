package mcpserver

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/transport"
	"github.com/sectile/sectile/internal/undoing"
)

// server is a server of tools with what all its calls share.
type server struct {
	options   doctor.ServerOptions
	workspace *documents.Workspace
	guides    *guiding.Guides
	elsewhere *finding.Elsewhere
	history   *undoing.History
	plans     *planning.Plans
	marks     *replies.Marks
	session   *documents.Session // of the only client; nil if there are others
	name      string             // of that one's session
	sessions  *sessions          // of the clients of a shared server; nil if there is only one
	tools     []*tool
	log       *slog.Logger
	interval  time.Duration // between messages about progress
	mcp       *mcp.Server
	end       func() // tells requests that the server ends: those that only wait for others give up
}

// Serve answers requests from in on out, a line each, until in ends or the
// context does; requests in flight are answered before it returns. Messages about
// the server itself are written to log. The error is an *replies.Error if the
// options are wrong.
func Serve(ctx context.Context, o doctor.ServerOptions, in io.Reader, out, log io.Writer) error {
	return serve(ctx, o, in, out, log)
}

func serve(ctx context.Context, o doctor.ServerOptions, in io.Reader, out, log io.Writer, more ...*tool) error {
	level, err := logLevel(o.LogLevel)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	workspace, err := o.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = workspace.Close() }() // nothing was written
	s, err := newServer(o, workspace, logger, more...)
	if err != nil {
		return err
	}
	logger.Info("serving", "roots", workspace.Roots(), "tools", len(s.tools))
	err = s.run(ctx, transport.NewStdio(in, out, logger))
	logger.Info("stopped", cacheFields(workspace.CacheStats())...)
	return err
}

// run serves one client until it goes away, or until the context ends. In both
// cases calls in flight are answered first; but if the context ends, those that only wait
// for locks or other programs are answered that they were given up.
func (s *server) run(ctx context.Context, t *transport.Stdio) error {
	t.Bound(s.class)
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), t, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() {
		t.Finish()
		s.end()
	})()
	return session.Wait()
}

// Check refuses options that no server is started with, whatever its roots hold.
// The error is an *replies.Error.
func Check(o doctor.ServerOptions) error {
	if _, err := logLevel(o.LogLevel); err != nil {
		return err
	}
	there := func() bool { return true }
	_, err := chooseTools(&o, there, there)
	return err
}

// logLevel reads the name of a level.
func logLevel(name string) (slog.Level, error) {
	var level slog.Level
	if name == "" {
		return slog.LevelWarn, nil
	}
	if err := known("log level", []string{strings.ToLower(name)}, []string{"debug", "info", "warn", "error"}); err != nil {
		return level, err
	}
	err := level.UnmarshalText([]byte(name))
	return level, err
}

// newServer returns the server with its tools, resources and prompts, whatever
// it is connected to. A server for tests has more tools. The error is an
// *replies.Error.
func newServer(o doctor.ServerOptions, workspace *documents.Workspace, log *slog.Logger, more ...*tool) (*server, error) {
	start := ""
	if len(o.Roots) > 0 {
		start = o.Roots[0]
	}
	// Guides and plans are those of the project that the first root lies in, or the
	// working directory.
	guides := guiding.NewGuides(guiding.GuideOptions{Start: start, Roots: workspace.FileRoots(), Structured: o.Structured, Log: log})
	marks := replies.NewMarks(o.Random)
	plans := planning.NewPlans(planning.PlanOptions{Start: start, Roots: workspace.FileRoots(), Log: log, ReadOnly: o.ReadOnly, Marks: marks})
	tools, err := chooseTools(&o,
		func() bool { return guides.Configured(context.Background()) },
		func() bool { return plans.Configured(context.Background()) })
	if err != nil {
		return nil, err
	}
	tools = append(tools, more...)
	s := &server{
		options: o, workspace: workspace, guides: guides, elsewhere: new(finding.Elsewhere), plans: plans, marks: marks, tools: tools, log: log,
		interval: progressInterval,
		history:  undoing.Open(o.Journal, func(sentence string) { log.Warn(sentence) }),
	}
	if !o.ReadOnly {
		s.history.Follow(workspace)
	} else {
		for _, sentence := range s.history.Pending(context.Background()) {
			log.Warn(sentence)
		}
	}
	if o.Shared {
		s.share()
	} else {
		s.session, s.name = documents.NewSession(), newHandle()
	}
	capabilities := &mcp.ServerCapabilities{
		Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{},
	}
	capabilities.AddExtension(skillCapability())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "sectile", Title: "sectile", Version: o.Version}, &mcp.ServerOptions{
		Instructions:      s.instructions(),
		Logger:            log,
		Capabilities:      capabilities,
		CompletionHandler: s.complete,
		SetCacheable:      setCacheable,
	})
	for _, t := range tools {
		s.mcp.AddTool(t.definition(), s.handle(t))
	}
	s.addResources()
	s.addCache()
	s.addPrompts()
	if err := addSkill(s.mcp); err != nil {
		return nil, err
	}
	guards := newGuards(log, o.Concurrency, o.Timeout)
	guards.classOf, guards.failure = s.classOf, s.failedRequest
	guards.ending, s.end = context.WithCancel(context.Background())
	s.mcp.AddReceivingMiddleware(plainResults, s.tellTakenBack, guards.middleware, s.unknownTool)
	return s, nil
}

// readerOf returns who has sent a request, as it calls itself.
func (s *server) readerOf(req interface{ ClientInfo() *mcp.Implementation }) documents.Reader {
	r := documents.Reader{Session: s.name}
	if client := req.ClientInfo(); client != nil {
		r.Client = replies.Clip(client.Name, maxClientName)
	}
	return r
}

// maxClientName is the number of characters that are kept of what a client calls itself.
const maxClientName = 64

// listTTL is how long a client may keep a list, in milliseconds: lists don't
// change while a server runs.
const listTTL = 3_600_000

// setCacheable says what clients may keep: lists, but no document.
func setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, isRead := req.(*mcp.ReadResourceRequest); !isRead {
		c.TTLMs = listTTL
	}
}

// failedRequest is the reply to a request of a tool that the guards could not have
// answered.
func (s *server) failedRequest(req mcp.Request, err error) *mcp.CallToolResult {
	if call, ok := req.(*mcp.CallToolRequest); ok {
		return s.failed(s.tool(call.Params.Name), err)
	}
	return failure(toolVoice, err)
}

// offers reports whether the server has the tool.
func (s *server) offers(name string) bool { return s.tool(name) != nil }

// tool returns the tool of the name, nil if the server has none.
func (s *server) tool(name string) *tool {
	for _, t := range s.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

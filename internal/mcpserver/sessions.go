package mcpserver

import (
	"bytes"
	"container/list"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/toolargs"
)

// A server of one client knows what that client was shown. Over HTTP nothing tells
// clients apart, so a reply offers a handle that stands for what was shown so far, and
// who gives it with the next calls has a session.

// The limits on the sessions, and on what all of them remember together. Clients that
// take no session are offered one with every reply, so offers have a limit of their own
// and go first; of those that were taken, the one that was used least recently goes.
const (
	maxOffers       = 1_000     // sessions that were offered and never given
	maxSessions     = 1_000     // sessions that were
	maxSessionUnits = 1_000_000 // about 100 MB, see documents.Session
)

// handleLength is the number of characters of a handle. It is no secret, but nobody
// meets another's by chance.
const handleLength = 16

// sessionArgument is the argument that a session is named with, and what a reply's
// metadata calls it.
const (
	sessionArgument = "session"
	sessionMeta     = "sectile/session"
)

// sessionArg is the argument of every tool that remembers what it has shown.
func sessionArg() toolargs.Argument {
	return toolargs.Argument{Name: sessionArgument, Kind: toolargs.Text, Help: "from an earlier reply; then replies tell what you have not read", Aliases: []string{"session_id"}}
}

// sessions are those of the clients of a shared server, by handle. It is safe for
// concurrent use.
type sessions struct {
	maxOffers, maxSessions, maxUnits int

	mu      sync.Mutex
	named   map[string]*list.Element // of *namedSession
	offered list.List                // the newest first
	taken   list.List                // the most recently used first
	last    *namedSession            // the one that was used last
	units   int                      // the size of all of them
}

// namedSession is a session with its handle.
type namedSession struct {
	handle  string
	session *documents.Session
	units   int  // as it was counted last
	taken   bool // somebody has given the handle
}

func newSessions() *sessions {
	return &sessions{maxOffers: maxOffers, maxSessions: maxSessions, maxUnits: maxSessionUnits, named: map[string]*list.Element{}}
}

// share makes the server one of many clients: tools that remember what they have shown
// take a session.
func (s *server) share() {
	s.sessions = newSessions()
	for _, t := range s.tools {
		if t.remembers {
			t.args = append(t.args, sessionArg())
		}
	}
}

// get returns the session of the handle, nil if there is none.
func (s *sessions) get(handle string) *documents.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.named[handle]
	if !ok {
		return nil
	}
	n := e.Value.(*namedSession)
	if n.taken {
		s.taken.MoveToFront(e)
	} else {
		n.taken = true
		s.offered.Remove(e)
		s.named[handle] = s.taken.PushFront(n)
	}
	s.last = n
	s.trim()
	return n.session
}

// newHandle returns a handle that nothing has yet.
func newHandle() string { return strings.ToLower(rand.Text()[:handleLength]) }

// keep remembers a new session by its handle.
func (s *sessions) keep(handle string, session *documents.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := &namedSession{handle: handle, session: session, units: session.Size()}
	s.named[handle] = s.offered.PushFront(n)
	s.last = n
	s.units += n.units
	s.trim()
}

// used counts anew what the session of the handle remembers.
func (s *sessions) used(handle string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.named[handle]
	if !ok {
		return
	}
	n := e.Value.(*namedSession)
	size := n.session.Size()
	s.units += size - n.units
	n.units = size
	s.trim()
}

// trim forgets what is too much, but never the session that was used last.
func (s *sessions) trim() {
	for s.offered.Len() > s.maxOffers && s.forget(&s.offered) {
	}
	for s.taken.Len() > s.maxSessions && s.forget(&s.taken) {
	}
	for s.units > s.maxUnits && (s.forget(&s.offered) || s.forget(&s.taken)) {
	}
}

// forget forgets the last session of a list, and reports whether it may.
func (s *sessions) forget(from *list.List) bool {
	e := from.Back()
	if e == nil || e.Value.(*namedSession) == s.last {
		return false
	}
	n := from.Remove(e).(*namedSession)
	s.units -= n.units
	delete(s.named, n.handle)
	return true
}

// callSession is the session of one call of a shared server. It is nil for a server of
// one client, and for tools that remember nothing.
type callSession struct {
	of      *sessions
	session *documents.Session
	given   string // the handle that the call named; empty for none
	known   bool   // and it is known
	handle  string // of the session, whether it was given or is new
}

// shares gives the call its session: that of the server's only client, or of a shared
// server the one that the call names, or else a new one.
func (s *server) shares(t *tool, c *call) *callSession {
	c.session = s.session
	if s.sessions == nil || !t.remembers {
		return nil
	}
	given, _ := c.values.Text(sessionArgument)
	shared := &callSession{of: s.sessions, given: given, handle: given}
	if shared.given != "" {
		shared.session = s.sessions.get(shared.given)
		shared.known = shared.session != nil
	}
	if !shared.known {
		shared.session, shared.handle = documents.NewSharedSession(), newHandle()
		c.reserved = replies.MaxMark + utf8.RuneCountInString(shared.offer())
	}
	c.session, c.reader.Session = shared.session, shared.handle
	return shared
}

// offer is the line before a reply that names a new session.
func (c *callSession) offer() string {
	if c.given != "" {
		return fmt.Sprintf("session: %s (the one you gave is not known any more; give this one with further calls)\n", c.handle)
	}
	return fmt.Sprintf("session: %s (give it with further calls)\n", c.handle)
}

// offered is the result of a call with the session that it belongs to: in its metadata,
// and if it is new before the text too, where there is room.
func (c *callSession) offered(t *tool, call *call, r *reply, result *mcp.CallToolResult) *mcp.CallToolResult {
	switch {
	case c == nil:
		return result
	case c.known:
		c.of.used(c.given)
		return result
	case r.failed: // nothing was shown that is worth one
		return result
	}
	c.of.keep(c.handle, c.session)
	result.Meta = mcp.Meta{sessionMeta: c.handle}
	line := r.mark + c.offer()
	if t.set != setSelect && utf8.RuneCountInString(line)+utf8.RuneCount(r.text) <= call.allowed() {
		top := 0
		if r.mark != "" { // the first line tells of it
			top = bytes.IndexByte(r.text, '\n') + 1
		}
		text := string(r.text[:top]) + line + string(r.text[top:])
		result.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	}
	return result
}

package doctor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// DoctorRequest says what to look at.
type DoctorRequest struct {
	// Server is what a server would be started with, and Arguments are those of a
	// command line that say so, but for the roots.
	Server    ServerOptions
	Arguments []string
	// Program is the path of the program's file.
	Program string
	// Probe starts a program as a server and questions it, without a call if the arguments
	// name roots. Nil leaves that out.
	Probe func(ctx context.Context, program string, args ...string) (ProbeReport, error)

	// CommandTimeout is how long git or jj may take to tell their version; 0
	// means 5 seconds. ProbeTimeout is the same for Probe; 0 means 20 seconds.
	CommandTimeout, ProbeTimeout time.Duration
}

// DoctorReport is what was found.
type DoctorReport struct {
	Failed bool            `json:"failed"` // a check did
	Checks []replies.Check `json:"checks"`
	// Server is what the server said, nil if it was not asked or did not answer.
	Server *ProbeReport `json:"server,omitempty"`
}

// ProbeReport is what a client saw of a server of tools that it started.
type ProbeReport struct {
	// ProtocolVersion is the revision of the protocol that both agreed on.
	ProtocolVersion string
	// ServerName and ServerVersion are what the server says of itself.
	ServerName, ServerVersion string
	// Tools are the names of the tools, in the order of the list.
	Tools []string
	// ListBytes is the size of the list of tools as JSON.
	ListBytes int
	// FirstReply is the time from the start of the program to its first reply,
	// Call that of one call of a tool.
	FirstReply, Call time.Duration
	// Called is the tool that was called, CallText the text of its reply.
	Called, CallText string
	// Cache is what the cache of the server has saved when the tool was called twice; nil
	// if the server doesn't tell.
	Cache *documents.CacheStats
	// CallFailed says that the tool replied with an error, which CallText tells.
	CallFailed bool
}

// MarshalJSON renders the report without the text of the reply, times in
// milliseconds.
func (p ProbeReport) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ProtocolVersion string   `json:"protocol_version"`
		ServerName      string   `json:"server_name"`
		ServerVersion   string   `json:"server_version"`
		Tools           []string `json:"tools"`
		ListBytes       int      `json:"list_bytes"`
		FirstReply      float64  `json:"first_reply_ms"`
		Called          string   `json:"called,omitempty"`
		Call            float64  `json:"call_ms"`

		Cache *documents.CacheStats `json:"cache,omitempty"`
	}{
		p.ProtocolVersion, p.ServerName, p.ServerVersion, append([]string{}, p.Tools...),
		p.ListBytes, milliseconds(p.FirstReply), p.Called, milliseconds(p.Call), p.Cache,
	})
}

// milliseconds returns the duration in milliseconds, to a tenth.
func milliseconds(d time.Duration) float64 {
	return float64(d.Round(100*time.Microsecond)) / float64(time.Millisecond)
}

// Doctor looks at everything. The checks come in a fixed order, whatever they
// find.
func Doctor(ctx context.Context, req *DoctorRequest) DoctorReport {
	var report DoctorReport
	work := []func() []replies.Check{
		func() []replies.Check {
			return []replies.Check{checkVersion(req.Server.Version), checkPath(req.Program)}
		},
	}
	for _, root := range req.Server.rootsOrHere() {
		work = append(work, func() []replies.Check { return checkFolder(ctx, root, req.Server) })
	}
	work = append(
		work,
		func() []replies.Check { return []replies.Check{checkCommand(ctx, "git", req.CommandTimeout)} },
		func() []replies.Check { return []replies.Check{checkCommand(ctx, "jj", req.CommandTimeout)} },
		func() []replies.Check { return []replies.Check{checkJournal(ctx, req.Server.ReadOnly)} },
		func() []replies.Check {
			check, server := checkServer(ctx, req)
			report.Server = server
			return []replies.Check{check}
		},
	)
	for _, checks := range together(work) {
		for _, c := range checks {
			report.Failed = report.Failed || c.Status == replies.StatusFailed
			report.Checks = append(report.Checks, c)
		}
	}
	return report
}

package mcpserver

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressInterval is the time after which, and the interval at which, a client
// that wants to know is told how far a call is.
const progressInterval = time.Second

// watch tells the client now and then how far the call is, if it has given a token
// for that, until the function that it returns is called.
func (s *server) watch(ctx context.Context, req *mcp.CallToolRequest, c *call) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func() {}
	}
	var done, total atomic.Int64
	c.progress = func(d, t int) {
		done.Store(int64(d))
		total.Store(int64(t))
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(s.interval)
		defer ticker.Stop()
		told := 0.0
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			// It must grow with every message, even while a single document is
			// in work; a whole number is that of the documents that are done.
			p := &mcp.ProgressNotificationParams{ProgressToken: token, Message: "documents"}
			p.Progress, p.Total = max(float64(done.Load()), told+0.001), float64(total.Load())
			told = p.Progress
			if req.Session.NotifyProgress(ctx, p) != nil {
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

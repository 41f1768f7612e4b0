// The command sectile shows Markdown documents by section.
package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/mcpserver"
	"github.com/sectile/sectile/internal/view"
)

func main() {
	// The runtime opens files for its first timer, and dies if it can't: none of a change that has all
	// others open is that.
	time.AfterFunc(time.Hour, func() {}).Stop()
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	servers := cli.Servers{
		Serve: mcpserver.Serve, ServeHTTP: serveHTTP, View: view.Serve, Check: mcpserver.Check, Probe: mcpserver.Probe,
		KeepFromWriting: keepFromWriting,
	}
	os.Exit(cli.RunProgram(context.Background(), os.Args[0], os.Args[1:], streams, servers))
}

// serveHTTP serves tools over HTTP, and the page for people beside them.
func serveHTTP(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer) error {
	return mcpserver.ServeHTTP(ctx, o, h, log, view.Mount)
}

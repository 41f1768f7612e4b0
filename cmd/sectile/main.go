// The command sectile shows Markdown documents by section.
package main

import (
	"context"
	"io"
	"os"

	"github.com/sectile/sectile/internal/app"
	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/mcpserver"
)

func main() {
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	servers := cli.Servers{Serve: serve, ServeHTTP: serveHTTP, Check: mcpserver.Check, Probe: mcpserver.Probe}
	os.Exit(cli.RunProgram(context.Background(), os.Args[0], os.Args[1:], streams, servers))
}

// serve is mcpserver.Serve in a process that the system keeps from writing, if nothing
// may be written.
func serve(ctx context.Context, o app.ServerOptions, in io.Reader, out, log io.Writer) error {
	if err := restrict(&o); err != nil {
		return err
	}
	return mcpserver.Serve(ctx, o, in, out, log)
}

// serveHTTP is the same for mcpserver.ServeHTTP.
func serveHTTP(ctx context.Context, o app.ServerOptions, h app.HTTPOptions, log io.Writer) error {
	if err := restrict(&o); err != nil {
		return err
	}
	return mcpserver.ServeHTTP(ctx, o, h, log)
}

func restrict(o *app.ServerOptions) error {
	if !o.ReadOnly {
		return nil
	}
	return keepFromWriting()
}

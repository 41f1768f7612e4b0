// The command sectile shows Markdown documents by section.
package main

import (
	"context"
	"os"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/mcpserver"
)

func main() {
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	servers := cli.Servers{
		Serve: mcpserver.Serve, ServeHTTP: mcpserver.ServeHTTP, Check: mcpserver.Check, Probe: mcpserver.Probe,
		KeepFromWriting: keepFromWriting,
	}
	os.Exit(cli.RunProgram(context.Background(), os.Args[0], os.Args[1:], streams, servers))
}

// The command sectile shows Markdown documents by section.
package main

import (
	"context"
	"os"

	"github.com/sectile/sectile/internal/cli"
)

func main() {
	os.Exit(cli.RunProgram(context.Background(), os.Args[0], os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

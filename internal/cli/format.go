package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/selecting"
)

func newFormat(s Streams) *cobra.Command {
	var req selecting.FormatRequest
	cmd := &cobra.Command{
		Use:   "format [index|select]",
		Short: "Describe the output of index and select",
		Long: `Describe the output of index and select, short enough for the description of a
tool.`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"index", "select"},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				req.Command = args[0]
			}
			return printFormat(s, req)
		},
	}
	cmd.Flags().BoolVar(&req.Example, "example", false, "show an example")
	cmd.Flags().BoolVar(&req.JSON, "json", false, "print JSON")
	return cmd
}

// printFormat prints the answer to a request.
func printFormat(s Streams, req selecting.FormatRequest) error {
	req.Time = time.Now()
	return printReply(s, func() ([]byte, error) { return selecting.Format(req) })
}

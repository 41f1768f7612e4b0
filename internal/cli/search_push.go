package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// pushVoice is how errors of 'search push' call its arguments.
var pushVoice = voice{} //nolint:gochecknoglobals // a constant

func newSearchPush(s Streams) *cobra.Command {
	var (
		req    finding.PushRequest
		asJSON bool
		engine finding.Elsewhere
	)
	cmd := &cobra.Command{
		Use:   "push [ROOT...]",
		Short: "Feed the engine that is searched with what has changed in folders",
		Long: `Feed an index of OpenSearch or Elasticsearch with the sections of folders, for search where
one machine isn't enough: what has changed since the last push, and without what is gone.
When it is interrupted, the next push goes on.

Which engine that is, and which folders may be sent there by which names, stands in your own
configuration alone, sectile/config.yaml:

  search:
    backend: https://search.example.org:9200/sectile
    roots: {handbook: ~/handbook, wiki: elsewhere}

Without a ROOT, all of these folders are pushed. The first push makes the index. Whoever feeds
a root does so from one place at a time. A query that is the word push is written: sectile
search -- push`,
		Example: `  sectile search push
  sectile search push handbook
  sectile search push --remove handbook`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("shards") && (req.Shards < 1 || req.Shards > maxShards) {
				return usage("--shards must be from 1 to 1000")
			}
			req.Roots, req.Elsewhere = args, &engine
			p := terminal.NewProgress(s.Out, s.Err)
			go p.Run(cmd.Context(), func(context.Context) int { return 0 })
			req.Progress = func(_ string, looked, _ int) { p.Tell(looked, 0) }
			reply, err := finding.Push(cmd.Context(), req)
			p.Stop()
			if err != nil {
				return pushVoice.spell(err)
			}
			text := []byte(reply.Text())
			if asJSON {
				text = replies.AppendJSON(nil, reply)
			}
			if _, err := s.Out.Write(text); err != nil {
				return err
			}
			var failed []*replies.Error
			for i := range reply.Roots {
				for _, f := range reply.Roots[i].Failed {
					failed = append(failed, f.Error)
				}
			}
			return tellFailed(s, failed, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&engine.Address, "backend", "", "the address of the index, before the one of your configuration")
	flags.IntVar(&req.Shards, "shards", 1, "make the index, if there is none, of so many parts")
	flags.BoolVar(&req.Remove, "remove", false, "take the roots out of the index")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// maxShards is the largest number of parts of an index, which is that of engines.
const maxShards = 1000

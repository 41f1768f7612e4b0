package cli

import (
	"context"

	"github.com/sectile/sectile/internal/app"
)

// printParts prints the parts of a reply as they come, errors in between. It
// returns errFailed if a document failed.
func printParts(ctx context.Context, s Streams, docs app.Documents, request func(emit func(app.Part) error) error) error {
	p := newProgress(s)
	go p.run(ctx, docs)
	defer p.stop()
	failed := 0
	err := request(func(part app.Part) error {
		failed += part.Failed
		return p.print(part)
	})
	if err == nil && failed > 0 {
		return errFailed
	}
	return err
}

// printReply prints a reply that comes in one piece.
func printReply(s Streams, request func() ([]byte, error)) error {
	text, err := request()
	if len(text) > 0 {
		if _, writeErr := s.Out.Write(text); writeErr != nil {
			return writeErr
		}
	}
	return err
}

package finding

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/engine"
	"github.com/sectile/sectile/internal/replies"
)

// Elsewhere is the engine that the user has named, if there is one: what finds sections where
// there are too many documents for one machine. It is safe for concurrent use.
type Elsewhere struct {
	// Address is that of its index, before the one of the user's configuration; empty for
	// that one. Nobody but the user may give it.
	Address string
	// UserFile is the user's configuration; empty for the usual place.
	UserFile string
	// Patience is how long a push is repeated that isn't answered; 0 for some minutes.
	Patience time.Duration

	mu     sync.Mutex
	key    [2]string // address and credentials of
	client *engine.Client
}

// settled is an engine with what the user says of it.
type settled struct {
	*engine.Client

	roots []config.SearchRoot
	asked bool // the request names it, so that nothing else will do
}

// settle returns the engine as it is configured now, nil if there is none.
func (e *Elsewhere) settle(ctx context.Context) (*settled, error) {
	if e == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	said, err := config.NewLoader(config.LoadOptions{UserFile: e.UserFile}).LoadSearch(ctx)
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	address := said.Backend
	if e.Address != "" {
		address = e.Address
	}
	if address == "" {
		return nil, nil //nolint:nilnil // the same
	}
	credentials, err := engine.Credentials(said.Credentials)
	if err != nil {
		return nil, engineError(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if key := [2]string{address, credentials}; e.client == nil || e.key != key {
		client, err := engine.New(engine.Options{URL: address, Credentials: credentials, Patience: e.Patience})
		if err != nil {
			return nil, engineError(err)
		}
		e.client, e.key = client, key
	}
	for i := range said.Roots {
		if dir, err := filepath.EvalSymlinks(said.Roots[i].Dir); err == nil && said.Roots[i].Dir != "" {
			said.Roots[i].Dir = dir
		}
	}
	return &settled{e.client, said.Roots, e.Address != ""}, nil
}

// engineError returns an error of an engine as an *Error.
func engineError(err error) error {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return &replies.Error{Code: string(e.Code), Message: replies.Text(e.Message), Err: err}
	}
	return err
}

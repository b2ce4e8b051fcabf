package demo

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/telemetry"
)

// Accounts is the set of the bots' account names. Upper and lower case are the same. The zero value is empty. Its methods are
// safe for concurrent use.
type Accounts struct {
	mu    sync.Mutex
	names map[string]bool // account names in lower case
}

// replace removes oldName from the set and adds newName.
func (a *Accounts) replace(oldName, newName string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names == nil {
		a.names = map[string]bool{}
	}
	delete(a.names, strings.ToLower(oldName))
	a.names[strings.ToLower(newName)] = true
}

func (a *Accounts) has(account string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.names[strings.ToLower(account)]
}

// NewHandler wraps the log handler h. It lowers the level of info records about accounts of bots to debug, because the start
// of a demo logs dozens of them. Warnings and errors keep their level.
func NewHandler(h slog.Handler, bots *Accounts) slog.Handler { return handler{h, bots} }

type handler struct {
	slog.Handler
	bots *Accounts
}

// Handle passes a record to the wrapped handler, and first lowers the level of info records about bots to debug. It implements
// slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level == slog.LevelInfo && h.isAboutBot(r) {
		if r.Level = slog.LevelDebug; !h.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}

func (h handler) isAboutBot(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		found = a.Key == telemetry.FieldAccount && h.bots.has(a.Value.String())
		return !found
	})
	return found
}

// WithAttrs returns a handler whose wrapped handler has the attributes. It implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs), h.bots}
}

// WithGroup returns a handler whose wrapped handler has the group. It implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.bots}
}

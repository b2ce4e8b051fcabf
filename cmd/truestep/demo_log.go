package main

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/telemetry"
)

// demoBots are the accounts of bots, as the world calls them. The zero value is empty. Safe for any goroutine.
type demoBots struct {
	mu       sync.Mutex
	accounts map[string]bool // in lower case
}

// rename takes one account out and another in.
func (n *demoBots) rename(was, is string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.accounts == nil {
		n.accounts = map[string]bool{}
	}
	delete(n.accounts, strings.ToLower(was))
	n.accounts[strings.ToLower(is)] = true
}

func (n *demoBots) has(account string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.accounts[strings.ToLower(account)]
}

// demoLog is a log in which lines about accounts of bots are of the level debug: so many come at the start of a demo that
// the table would be out of sight. Warnings about them stay what they are.
type demoLog struct {
	slog.Handler
	bots *demoBots
}

func (h demoLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level == slog.LevelInfo && h.ofABot(r) {
		if r.Level = slog.LevelDebug; !h.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}

func (h demoLog) ofABot(r slog.Record) (ours bool) {
	r.Attrs(func(a slog.Attr) bool {
		ours = a.Key == telemetry.FieldAccount && h.bots.has(a.Value.String())
		return !ours
	})
	return ours
}

func (h demoLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return demoLog{h.Handler.WithAttrs(attrs), h.bots}
}

func (h demoLog) WithGroup(name string) slog.Handler {
	return demoLog{h.Handler.WithGroup(name), h.bots}
}

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/report"
)

const staleTime = 2 * time.Second // time beyond the margin of the history for which stale connections are observed

// staleConn is a connection of a client that stays open while its account logs in through another node. The node of the connection, which
// was stopped or cut off, must end the connection when it is back.
type staleConn struct {
	account, door, node string

	end  context.CancelFunc
	over chan error // result of the client
	link *link      // nil for a web client

	// The following fields are those of a web client, whose frames the watcher records.
	web        *web.Client // nil for clients of the other doors
	connection string
	tick       uint64 // newest tick that the watcher has seen; used by the watcher alone
}

// newStale returns a stale connection of a player, and calls serve, if that is not nil, which keeps the connection open until its node ends
// it, or ctx ends.
func newStale(p player, serve func(ctx context.Context) error) *staleConn {
	c := &staleConn{account: p.base().name, door: p.door(), node: p.base().node.name, link: p.base().link.Swap(nil)}
	if serve != nil {
		ctx, end := context.WithCancel(context.Background())
		c.end, c.over = end, make(chan error, 1)
		go func() { c.over <- serve(ctx) }()
	}
	return c
}

// ended reports whether the connection has ended.
func (c *staleConn) ended() bool {
	select {
	case err := <-c.over:
		c.over <- err
		return true
	default:
		return false
	}
}

// abandons reports whether the client of a player leaves its connection open: every other one of a node does.
func (p *common) abandons() bool { return p.index/nodeCount%2 == 0 }

// openOf returns those connections that have not ended.
func openOf(list []*staleConn) (open []*staleConn) {
	return slices.DeleteFunc(slices.Clone(list), (*staleConn).ended)
}

// awaitStale checks that the nodes end the stale connections, no later than the history needs to notice that they have not. Then it
// closes them. The parameter open has those that were open when their nodes came back; others have ended at the client.
func (t *test) awaitStale(name string, stale, open []*staleConn) {
	if len(stale) == 0 {
		return
	}
	began := time.Now()
	for end := began.Add(t.margin + staleTime); len(openOf(open)) > 0 && time.Now().Before(end) && t.ctx.Err() == nil; {
		wait(t.ctx, polls)
	}
	took := report.Round(time.Since(began))
	var errs []error
	for _, c := range openOf(open) {
		errs = append(errs, fmt.Errorf("the connection of %s to node %s is open %v after the node came back", c.account, c.node, took))
	}
	if len(open) == 0 {
		errs = append(errs, errors.New("no connection that clients have left open was open when the node came back"))
	}
	t.Check(name+": the node ends the connections that its clients have left open", errs...)
	doors := map[string]int{}
	for _, c := range open {
		doors[c.door]++
	}
	fmt.Printf("%s: of %d connections that clients had left open, %d were open when the node came back, by door: %v; %d of them were open %v later\n", name, len(stale), len(open), doors, len(openOf(open)), took)
	t.watcher.closeStale()
}

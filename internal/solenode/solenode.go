// Package solenode is for tests of servers that are nodes of a cluster without other nodes.
package solenode

import (
	"context"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
)

// claims is the store of the claims of a cluster whose only node is the test.
type claims struct {
	store.Sessions
	serials uint64
}

func (*claims) ClaimSession(context.Context, store.AccountID, store.SessionHolder, func(store.SessionHolder) bool) error {
	return nil
}

func (*claims) ReleaseSessions(context.Context, []store.AccountID, store.SessionHolder) error {
	return nil
}

func (n *claims) ReserveSerials(_ context.Context, _ string, number uint64) (last uint64, err error) {
	n.serials += number
	return n.serials, nil
}

// Directory returns the directory of a cluster whose only node is the test.
func Directory() session.Directory {
	self := func() store.SessionHolder { return store.SessionHolder{Node: "a", Incarnation: 1} }
	return session.NewDirectory(&claims{}, self, func(store.SessionHolder) bool { return false })
}

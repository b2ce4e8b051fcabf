package web

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/web"
)

// However often an account connects, the table holds one token of it, the newest. Tokens of other accounts are not affected.
func TestAccountHasOneResumeToken(t *testing.T) {
	var table resumeTable
	now := time.Now()
	token := func(n int) proto.ResumeToken { return proto.ResumeToken{byte(n), byte(n >> 8), 1} }
	session := func(account string) *resumable { return &resumable{who: identity{account: account}} }
	other := proto.ResumeToken{1, 2, 3, 4}
	table.add(other, session("Bob"), now)
	const connections = 1000
	for i := range connections {
		table.add(token(i), session("Ann"), now)
		table.disconnected(token(i), now)
	}
	if len(table.by) != 2 || len(table.of) != 2 {
		t.Errorf("%d sessions of %d accounts are stored, want 2 of 2", len(table.by), len(table.of))
	}
	table.end(token(connections - 2)) // of a session that has ended before: it must not end the newest one
	if r := table.take(token(connections-2), now); r != nil {
		t.Errorf("an older token resumes the session of %s", r.who.account)
	}
	for token, account := range map[proto.ResumeToken]string{token(connections - 1): "Ann", other: "Bob"} {
		if r := table.take(token, now); r == nil || r.who.account != account {
			t.Errorf("the token of %s resumes %+v", account, r)
		}
	}
	if len(table.by) != 0 || len(table.of) != 0 {
		t.Errorf("%d sessions of %d accounts remain after their tokens were used", len(table.by), len(table.of))
	}
}

// When the table is large, expired tokens are removed from it, and only those.
func TestExpiredResumeTokensAreRemovedFromLargeTable(t *testing.T) {
	var table resumeTable
	now := time.Now()
	add := func(n int, now time.Time) proto.ResumeToken {
		token := proto.ResumeToken{byte(n), byte(n >> 8), byte(n >> 16), 1}
		table.add(token, &resumable{who: identity{account: string(token[:])}}, now)
		return token
	}
	for i := range maxResumable {
		if token := add(i, now); i > 0 { // the first session keeps its connection
			table.disconnected(token, now)
		}
	}
	later := now.Add(resumeLife + time.Second)
	add(maxResumable, later)
	if len(table.by) != 2 || len(table.of) != 2 {
		t.Errorf("%d sessions of %d accounts are stored, want 2 of 2: that with a connection and the new one", len(table.by), len(table.of))
	}
}

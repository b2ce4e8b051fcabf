package web

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/web"
)

// The table holds only the newest token of an account, however often the account connects. Tokens of other accounts are not affected.
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
	table.end(token(connections - 2)) // the end of an older session must not remove the token of the newest one
	if r := table.take(token(connections-2), now); r != nil {
		t.Errorf("an older token resumes the session of %s", r.who.account)
	}
	for token, account := range map[proto.ResumeToken]string{token(connections - 1): "Ann", other: "Bob"} {
		r := table.take(token, now)
		if r == nil || r.who.account != account {
			t.Errorf("the token of %s resumes %+v", account, r)
		}
		if again := table.take(token, now); again != nil {
			t.Errorf("the token of %s was taken twice", account)
		}
		table.add(proto.ResumeToken{9, 9, byte(len(account)), account[0]}, session(account), now)
		table.giveBack(token) // has no effect, because the account has a newer token
		if r := table.take(token, now); r != nil {
			t.Errorf("a former token resumes the session of %s", account)
		}
	}
	if len(table.by) != 2 || len(table.of) != 2 {
		t.Errorf("%d sessions of %d accounts are stored after their tokens were used, want 2 of 2", len(table.by), len(table.of))
	}
}

// A token that is given back is valid until the time at which it would have expired. If the former connection is lost or
// logs out while the token is taken, that takes effect nevertheless.
func TestReturnedResumeTokenKeepsItsExpiry(t *testing.T) {
	var table resumeTable
	now := time.Now()
	token, acts := proto.ResumeToken{1}, &executedActs{}
	table.add(token, &resumable{who: identity{account: "Ann"}, acts: acts}, now)
	if table.take(token, now) == nil {
		t.Fatal("the token is not found")
	}
	if got, known := table.actsOf("Ann", token); got != acts || !known {
		t.Fatal("the requests of the token's session are not found")
	}
	table.disconnected(token, now)
	table.giveBack(token)
	if table.take(token, now.Add(resumeLife)) == nil {
		t.Error("the token that was given back is not valid")
	}
	table.giveBack(token)
	if table.take(token, now.Add(resumeLife+1)) != nil || len(table.by) != 0 {
		t.Error("the token that was given back has no expiry")
	}
	table.add(token, &resumable{who: identity{account: "Ann"}}, now)
	table.take(token, now)
	table.end(token)
	table.giveBack(token)
	if table.take(token, now) != nil {
		t.Error("the token of a player that has logged out is valid")
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

// The answers to the newest requests are stored, also after the numbers of requests have wrapped around. The results of older
// requests are unknown.
func TestAnswersOfNewestRequestsAreStored(t *testing.T) {
	var acts executedActs
	for i := range 3 * maxAnswers {
		n := uint16(65536 - 2*maxAnswers + i)
		if !acts.add(n) || acts.add(n) {
			t.Fatalf("request %d is not new once", n)
		}
		if got := acts.answer(n); got != unknownResult(n) {
			t.Errorf("request %d, which has no result yet, has the answer %+v", n, got)
		}
		acts.record(&proto.Answer{Number: n, Text: "done"})
	}
	newest := uint16(maxAnswers - 1)
	acts.record(&proto.Answer{Number: newest + 1, Text: "not executed"})
	for i := range uint16(2 * maxAnswers) {
		n := newest - i
		want := unknownResult(n)
		if i < maxAnswers {
			want = proto.Answer{Number: n, Text: "done"}
		}
		if got := acts.answer(n); got != want {
			t.Errorf("request %d has the answer %+v, want %+v", n, got, want)
		}
	}
}

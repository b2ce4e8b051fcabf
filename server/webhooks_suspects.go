package server

import (
	"cmp"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/webhook"
)

const (
	suspectTime  = 10 * time.Minute
	suspectMost  = 20   // suspicious decisions about one player in suspectTime, from which on receivers are sent that
	suspectCount = 4096 // players whose decisions are counted
)

// suspectWatch counts the suspicious decisions about each player. The zero value with a sink is ready for use. It is not safe for
// concurrent use.
type suspectWatch struct {
	sink    eventSink
	players map[string]*suspect // by account and name of the player
}

// suspect counts decisions from a time on.
type suspect struct {
	from    time.Time
	times   int
	sent    bool
	entries map[entryKind]entryCount // what of the newest entries is counted; entries are reported again when decisions are merged into them
}

type entryKind struct {
	verdict journal.Verdict
	reason  reason.Reason
}

type entryCount struct {
	id int64
	n  int32
}

// add counts the decisions of an entry that are new and not excused by a late server, and sends an event when there are many.
func (w *suspectWatch) add(e *journal.Entry) {
	if e.Reason.Weight() != reason.Suspicious {
		return
	}
	if w.players == nil {
		w.players = map[string]*suspect{}
	}
	key := e.Account + "\x00" + e.Player
	x := w.players[key]
	if x == nil {
		w.makeRoom(e.At)
		x = &suspect{from: e.At, entries: map[entryKind]entryCount{}}
		w.players[key] = x
	}
	if e.At.Sub(x.from) > suspectTime || e.At.Before(x.from) {
		x.from, x.times, x.sent = e.At, 0, false
	}
	kind, n := entryKind{e.Verdict, e.Reason}, e.Times-e.LateTimes
	was := x.entries[kind]
	x.entries[kind] = entryCount{e.ID, n}
	if was.id == e.ID {
		n -= was.n
	}
	x.times += int(n)
	if x.times < suspectMost || x.sent {
		return
	}
	x.sent = true
	name := cmp.Or(e.Player, e.Account)
	w.sink.Send(webhook.Event{Kind: webhook.Suspicious, Subject: name, Time: e.At, Text: fmt.Sprintf(
		"%d suspicious holds, corrections and refusals of %s (account %s, door %s) within %.0f minutes, the last in %s: %s; truestep why explains them",
		x.times, name, e.Account, e.Door, suspectTime.Minutes(), e.Area, e.Reason.Sentence())})
}

// makeRoom forgets players whose time is over, or all if that is not enough.
func (w *suspectWatch) makeRoom(now time.Time) {
	if len(w.players) < suspectCount {
		return
	}
	for key, x := range w.players {
		if now.Sub(x.from) > suspectTime {
			delete(w.players, key)
		}
	}
	if len(w.players) >= suspectCount {
		clear(w.players)
	}
}

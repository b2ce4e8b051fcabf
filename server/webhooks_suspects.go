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
	suspectTime  = 10 * time.Minute // period over which decisions about a player are counted
	suspectMost  = 20               // number of suspicious decisions about one player within suspectTime at which an event is sent
	suspectCount = 4096             // maximum number of players whose decisions are counted
)

// suspectWatch counts the suspicious decisions about each player and sends an event if there are many. A suspectWatch whose only
// set field is sink is ready to use. It is not safe for concurrent use.
type suspectWatch struct {
	sink    eventSink
	players map[string]*suspect // by account and player name
}

// suspect counts the suspicious decisions about one player.
type suspect struct {
	from    time.Time                // start of the counted period
	times   int                      // decisions in the period
	sent    bool                     // an event was sent in the period
	entries map[entryKind]entryCount // newest entry of each kind; when decisions are merged into an entry, it is reported again
}

// entryKind is the verdict and the reason of a journal entry. Decisions about a player are merged into one entry only if they
// have the same entryKind.
type entryKind struct {
	verdict journal.Verdict
	reason  reason.Reason
}

// entryCount says how many decisions of a journal entry have been counted so far.
type entryCount struct {
	id int64 // id of the journal entry
	n  int32 // number of decisions of the entry that have been counted
}

// add counts the new decisions of a journal entry, except those that are excused because the server was late. It sends an event
// when the player of the entry has many such decisions in a short time.
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

// makeRoom makes room for another player if there are too many. It removes the players whose counting period (suspectTime) is
// over. If there are still too many, it removes all players, and with them their counts.
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

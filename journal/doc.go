// Package journal answers "why was I pulled back?". It stores every held claim, every correction and every refusal, with
// the figures that the rule compared, and the events of that player in the five seconds before and after. It also stores
// the actions of operators (the audit).
//
//	frames --Watch--> players --queue--> writer --every 250 ms--> journal.sqlite (WAL)
//	                     |                  |                           |
//	                   Counts            OnEntry                     Reader: this process and others
//
// The server writes with a Journal. Any process on the machine reads with a Reader, also while the server runs:
//
//	r, err := journal.OpenReader("truestep-data/journal.sqlite")
//	...
//	list, err := r.Entries(ctx, journal.Query{Player: "ann", Since: time.Now().Add(-10 * time.Minute)})
//	fmt.Println(journal.Explain(list[0]))
//
// Nothing here makes an area wait: a full feed misses frames, which is recorded; a full queue loses entries, which is
// counted and logged once. One player cannot crowd out the others: each player's share of the queue is bounded (see
// Entry.Times), and when the file is full the account with the most entries loses its oldest.
//
// A Journal owns two goroutines: one reads frames, one writes the file. Close ends both. Call it after the world has
// stopped.
package journal

import "errors"

// Errors that a caller branches on. The returned errors wrap them and name the file.
var (
	ErrNotFound = errors.New("no such entry")
	ErrMissing  = errors.New("no journal file")
	ErrDamaged  = errors.New("the journal file is damaged")
	ErrForeign  = errors.New("not a Truestep journal")
	ErrVersion  = errors.New("written by another version of Truestep")
	ErrClosed   = errors.New("the journal is closed")
)

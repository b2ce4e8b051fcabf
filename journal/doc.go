// Package journal explains to players and operators why the server rejected a move or a request. It stores every rejected movement
// claim (a hold), every correction and every refusal, together with the numbers that the rule compared. It also stores what else happened
// to the player in the five seconds before and after each of these, and the actions of operators (the audit log).
//
//	frames --Watch--> players --queue--> writer --every 250 ms--> journal.sqlite (WAL)
//	                     |                  |                           |
//	               DecisionCounts        OnEntry                     Reader: this process and others
//
// The server writes with a Journal. Any process on the machine reads with a Reader, also while the server runs:
//
//	r, err := journal.OpenReader("truestep-data/journal.sqlite")
//	...
//	list, err := r.Entries(ctx, journal.Query{Player: "ann", Since: time.Now().Add(-10 * time.Minute)})
//	fmt.Println(journal.Explain(list[0]))
//
// The journal never blocks an area. When the journal's frame feed is full, the journal misses frames, and records how many.
// When the queue is full, entries are dropped, counted and logged once. One player cannot displace the entries of others: each
// player's share of the queue is bounded (see Entry.Times), and when the file is full, the oldest entries of the account with
// the most entries are deleted.
//
// A Journal owns two goroutines: one reads frames, one writes the file. Close ends both. Call it after the world has
// stopped.
package journal

import "errors"

// Errors that callers can test with errors.Is. Returned errors wrap them and name the file.
var (
	ErrNotFound = errors.New("no such journal entry")
	ErrMissing  = errors.New("the journal file does not exist")
	ErrDamaged  = errors.New("the journal file is damaged")
	ErrForeign  = errors.New("the file is not a Truestep journal")
	ErrVersion  = errors.New("the journal was written by another version of Truestep")
	ErrClosed   = errors.New("the journal is closed")
)

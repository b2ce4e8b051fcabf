// Package journal answers "why was I pulled back?": it keeps every claim that was held, every correction and every
// refusal, with the figures of the rule that spoke, and what else happened to that player in the seconds around it. It
// keeps the deeds of operators, too.
//
//	frames --Watch--> visits --queue--> writer --every 250 ms--> journal.sqlite (WAL)
//	                    |                 |                           |
//	                  Counts            Recent                      Reader: this process and others
//
// The server writes with a Journal; anybody on the machine reads with a Reader, also while the server runs:
//
//	r, err := journal.OpenReader("truestep-data/journal.sqlite")
//	...
//	list, err := r.Entries(ctx, journal.Query{Player: "ann", Since: time.Now().Add(-10 * time.Minute)})
//	fmt.Println(journal.Explain(list[0]))
//
// Nothing here makes an area wait: a feed that is full misses frames, which is noted, a queue that is full loses
// entries, which is counted and logged once. No player can crowd out the others: what he is granted of the queue is
// bounded (see Entry.Times), and what has to go when the file is full is taken from whoever has most in it.
//
// A Journal owns two goroutines, one that reads frames and one that writes the file. Close ends both and is called after
// the world has stopped.
package journal

import "errors"

// Errors that a caller branches on. Their text, as returned, names the file and says what to do.
var (
	ErrNotFound = errors.New("no such entry")
	ErrMissing  = errors.New("there is no journal")
	ErrDamaged  = errors.New("the journal is damaged")
	ErrForeign  = errors.New("not a journal of this server")
	ErrVersion  = errors.New("written by another version")
	ErrClosed   = errors.New("the journal is closed")
)

package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/sqlitefile"
)

// Person is everything that the journal stores about the player of an account.
type Person struct {
	Entries  []Entry          `json:"entries"`  // holds, corrections and refusals of the player, newest first
	Nearby   []StoredEvent    `json:"nearby"`   // other events that were stored because they happened near an entry, newest first
	HeldBack []HeldBack       `json:"heldBack"` // connections and logins of the account that were refused or displaced because of a limit, newest first
	Actions  []OperatorAction `json:"audit"`    // actions of operators that name the account or a character, newest first
}

// StoredEvent is an event of a player that was stored because it happened within NearbyWindow before or after an entry.
type StoredEvent struct {
	At   string `json:"at"`   // time as RFC 3339 in UTC
	Kind string `json:"kind"` // name of the event's kind, see NearbyEvent.Kind
	Text string `json:"text"` // sentence about the event, without a full stop
}

// maxPerson is the maximum number of rows in each list of a Person. It is chosen to be more than a journal is expected to have about
// one player.
const maxPerson = 100_000

// Person returns everything that the journal stores about an account and about characters with the given names. The
// case of ASCII letters in names is ignored.
func (r *Reader) Person(ctx context.Context, account string, characters []string) (*Person, error) {
	p := &Person{Entries: []Entry{}, Nearby: []StoredEvent{}, HeldBack: []HeldBack{}, Actions: []OperatorAction{}}
	names, err := encodeNames(account, characters)
	if err != nil {
		return nil, err
	}
	list, err := r.entries(ctx, "account = ? COLLATE NOCASE ORDER BY id DESC LIMIT ?", account, maxPerson)
	if err != nil {
		return nil, err
	}
	p.Entries = append(p.Entries, list...)
	scan := func(rows *sql.Rows, e *StoredEvent) error {
		var at int64
		err := rows.Scan(&at, &e.Kind, &e.Text)
		e.At = formatTime(time.UnixMilli(at).UTC())
		return err
	}
	nearby, err := collect(ctx, r, scan, `SELECT at_ms, kind, text FROM around WHERE account = ? COLLATE NOCASE ORDER BY id DESC LIMIT ?`, account, maxPerson)
	if err != nil {
		return nil, err
	}
	p.Nearby = append(p.Nearby, nearby...)
	if r.version >= heldBackSchema {
		heldBack, err := collect(ctx, r, scanHeldBack, selectHeldBack+`account = ? COLLATE NOCASE ORDER BY id DESC LIMIT ?`, account, maxPerson)
		if err != nil {
			return nil, err
		}
		p.HeldBack = append(p.HeldBack, heldBack...)
	}
	actions, err := collect(ctx, r, scanAction, selectActions+`account = ? COLLATE NOCASE OR player COLLATE NOCASE IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?`,
		account, names, maxPerson)
	p.Actions = append(p.Actions, actions...)
	return p, err
}

// encodeNames returns the account and character names as a JSON array for the SQL function json_each.
func encodeNames(account string, characters []string) (string, error) {
	b, err := json.Marshal(append([]string{account}, characters...))
	return string(b), err
}

// removedName replaces the name of a player whose data Forget has deleted, in the entries and events of other players.
const removedName = "(deleted)"

// forgetRequest asks the writer's goroutine to delete the data of a player.
type forgetRequest struct {
	ctx        context.Context
	account    string
	characters []string
	done       chan forgotten
}

type forgotten struct {
	changed int64 // number of deleted and changed rows
	err     error
}

// Forget deletes the entries and events of an account, and the counts of the account's logins that were refused or displaced
// (HeldBack). It also deletes the entries about the account's characters that name no account, because the journal stores such
// entries about players who are in the world through another node of a cluster. In the rows of other players it replaces the
// names of these characters by removedName. It does not change the audit log. The result is the number of deleted and changed
// rows.
func (j *Journal) Forget(ctx context.Context, account string, characters []string) (changed int64, err error) {
	r := forgetRequest{ctx, account, characters, make(chan forgotten, 1)}
	select {
	case j.forgets <- r:
	case <-j.stopping:
		return 0, ErrClosed
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	select {
	case f := <-r.done:
		return f.changed, j.wrapError(f.err)
	case <-j.writerDone:
		return 0, ErrClosed
	}
}

// forget first writes all queued rows, so that no entry of the player is written afterwards. Then it deletes the player's
// data.
func (w *writer) forget(r *forgetRequest) (f forgotten) {
	for {
		if f.err = w.writeAndPrune(r.ctx, false); f.err != nil {
			return f
		}
		if w.queuedRows() == 0 {
			break
		}
	}
	rows, nameless, hits, err := forget(r.ctx, w.db, r.account, r.characters)
	if err == nil {
		for _, s := range w.rowCounts() {
			s.Add(r.account, -s.Of(r.account))
		}
		w.entries.Add("", -int(nameless))
		w.hits.Add("", -int(hits))
	}
	return forgotten{rows + nameless + hits, err}
}

// forget deletes the rows of an account and replaces the names of its characters in other rows. It also deletes the entries
// about its characters that name no account. The result hits is the number of those entries that are about hits, and nameless
// the number of the others. The result rows is the number of all other rows that were deleted or changed.
func forget(ctx context.Context, db *sql.DB, account string, characters []string) (rows, nameless, hits int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	defer tx.Rollback() // does nothing after Commit
	for _, query := range []string{
		`DELETE FROM entries WHERE account = ? COLLATE NOCASE`,
		`DELETE FROM around WHERE account = ? COLLATE NOCASE`,
		`DELETE FROM held_back WHERE account = ? COLLATE NOCASE`,
	} {
		n, err := sqlitefile.ExecCount(ctx, tx, query, account)
		if err != nil {
			return 0, 0, 0, err
		}
		rows += n
	}
	for _, name := range characters {
		if strings.TrimSpace(name) == "" {
			continue
		}
		n, err := sqlitefile.ExecCount(ctx, tx, `DELETE FROM entries WHERE account = '' AND player = ? COLLATE NOCASE AND verdict <> 'hit'`, name)
		if err != nil {
			return 0, 0, 0, err
		}
		nameless += n
		n, err = sqlitefile.ExecCount(ctx, tx, `DELETE FROM entries WHERE account = '' AND player = ? COLLATE NOCASE`, name) // entries about hits
		if err != nil {
			return 0, 0, 0, err
		}
		hits += n
		n, err = sqlitefile.ExecCount(ctx, tx, `UPDATE entries SET other = ? WHERE other = ? COLLATE NOCASE`, removedName, name)
		if err != nil {
			return 0, 0, 0, err
		}
		rows += n
		n, err = sqlitefile.ExecCount(ctx, tx, `UPDATE around SET text = replace(text, ?, ?) WHERE instr(text, ?) > 0`, name, removedName, name)
		if err != nil {
			return 0, 0, 0, err
		}
		rows += n
	}
	return rows, nameless, hits, tx.Commit()
}

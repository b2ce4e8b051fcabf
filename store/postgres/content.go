package postgres

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
)

var (
	_ store.Reader = (*Reader)(nil)
	_ store.Writer = (*Store)(nil)
)

// Reader reads the content of a database in one snapshot. It changes nothing.
type Reader struct{ conn *pgx.Conn }

// OpenReader opens the database at a URL for reading. If exclusive is true, it fails with ErrInUse while a server uses
// the database, and no server can start with the database before Close. Its other errors are those of Open.
func OpenReader(ctx context.Context, text string, exclusive bool, log *slog.Logger) (*Reader, error) {
	cfg, err := parseURL(text)
	if err != nil {
		return nil, err
	}
	s := &Store{log: log, where: describe(cfg.ConnConfig), label: labelOf(cfg.ConnConfig), minVersion: minVersion, readOnly: true}
	cfg.ConnConfig.RuntimeParams["application_name"] = programName()
	conn, err := s.openReader(ctx, cfg.ConnConfig, exclusive)
	if err != nil {
		return nil, s.startError(cfg.ConnConfig, err)
	}
	return &Reader{conn}, nil
}

func (s *Store) openReader(ctx context.Context, config *pgx.ConnConfig, exclusive bool) (*pgx.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var o *owner
	var err error
	if exclusive {
		o, err = takeOwnership(limited, s, config)
	} else {
		o = &owner{store: s, config: config}
		if err = o.connect(limited); err == nil {
			err = s.checkServer(limited, o.conn)
		}
	}
	if err != nil {
		return nil, errors.Join(err, closeConn(o))
	}
	version, err := s.checkSchema(limited, o.conn)
	newest, newestErr := newestMigration()
	switch {
	case errors.Join(err, newestErr) != nil:
		err = errors.Join(err, newestErr)
	case version == 0:
		err = fmt.Errorf("%s has no tables of truestep: check the database in the URL", s.where)
	case version < newest:
		err = fmt.Errorf("%s has the tables of an older version of truestep: start the server of this version with this database once, which upgrades it, and try again", s.where)
	default:
		// A transaction of this isolation level sees the state of the database at its first query. Make that query now.
		_, err = o.conn.Exec(limited, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM store`)
	}
	if err != nil {
		return nil, errors.Join(err, closeConn(o))
	}
	return o.conn, nil
}

func closeConn(o *owner) error {
	if o == nil || o.conn == nil {
		return nil
	}
	return o.conn.Close(context.Background())
}

// Close closes the connection.
func (r *Reader) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), watchTimeout)
	defer cancel()
	return r.conn.Close(ctx)
}

// Rows returns the number of all rows. It implements store.Reader.
func (r *Reader) Rows(ctx context.Context) (int, error) { return content{r.conn}.Rows(ctx) }

// Read calls fn with each row. It implements store.Reader.
func (r *Reader) Read(ctx context.Context, fn func(*store.Row) error) error {
	return content{r.conn}.Read(ctx, fn)
}

// content reads all rows of the tables through a connection or a transaction.
type content struct{ db querier }

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Rows returns the number of all rows. It implements store.Reader.
func (c content) Rows(ctx context.Context) (n int, err error) {
	err = c.db.QueryRow(ctx, `SELECT 1 + (SELECT count(*) FROM accounts) + (SELECT count(*) FROM characters) + (SELECT count(*) FROM known_addresses) + (SELECT count(*) FROM access_rules) + (SELECT count(*) FROM areas)`).Scan(&n)
	return n, oneLine(err)
}

// Read calls fn with each row. It implements store.Reader.
func (c content) Read(ctx context.Context, fn func(*store.Row) error) error {
	var last store.LastIDs
	err := c.db.QueryRow(ctx, `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('accounts', 'id')::regclass), 0),
		coalesce(pg_sequence_last_value(pg_get_serial_sequence('characters', 'id')::regclass), 0)`).Scan(&last.Account, &last.Character)
	if err != nil {
		return oneLine(err)
	}
	if err := fn(&store.Row{LastIDs: &last}); err != nil {
		return err
	}
	err = c.each(ctx, selectAccounts+`ORDER BY id`, func(row pgx.Rows) error {
		a, err := scanAccount(row)
		if err != nil {
			return err
		}
		return fn(&store.Row{Account: a})
	})
	if err != nil {
		return err
	}
	err = c.each(ctx, `SELECT id, account, slot, name, saved, sheet::text FROM characters ORDER BY id`, func(row pgx.Rows) error {
		r := &store.StoredCharacter{}
		var sheet string
		if err := row.Scan(&r.ID, &r.Account, &r.Slot, &r.Name, &r.Saved, &sheet); err != nil {
			return err
		}
		r.Name, r.Saved, r.Sheet = unescape(r.Name), r.Saved.UTC(), []byte(sheet)
		return fn(&store.Row{Character: r})
	})
	if err != nil {
		return err
	}
	if err := c.readKnown(ctx, fn); err != nil {
		return err
	}
	rules, err := readAccessRules(ctx, c.db)
	if err != nil {
		return oneLine(err)
	}
	for i := range rules {
		if err := fn(&store.Row{Access: &rules[i]}); err != nil {
			return err
		}
	}
	return c.each(ctx, `SELECT area, epoch FROM areas ORDER BY area`, func(row pgx.Rows) error {
		o := &store.Owner{}
		var epoch int64
		if err := row.Scan(&o.Area, &epoch); err != nil {
			return err
		}
		o.Epoch = uint64(epoch)
		return fn(&store.Row{Owner: o})
	})
}

func (c content) readKnown(ctx context.Context, fn func(*store.Row) error) error {
	var list []store.KnownAddress
	err := c.each(ctx, `SELECT account, addr, at FROM known_addresses`, func(row pgx.Rows) error {
		var k store.KnownAddress
		if err := row.Scan(&k.Account, &k.Addr, &k.At); err != nil {
			return err
		}
		k.Account, k.At = unescape(k.Account), k.At.UTC()
		list = append(list, k)
		return nil
	})
	store.SortKnown(list)
	for i := range list {
		if err == nil {
			err = fn(&store.Row{Known: &list[i]})
		}
	}
	return err
}

// each calls fn with each row of a query's result.
func (c content) each(ctx context.Context, query string, fn func(pgx.Rows) error) error {
	rows, err := c.db.Query(ctx, query)
	if err != nil {
		return oneLine(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return oneLine(rows.Err())
}

// Replace implements store.Writer: it replaces the whole content of the database by the rows that fill passes to put, if check
// accepts them. The database gets a new ID, so that it no longer matches the ledger of a data folder, which notes the last commit of
// the old content. It belongs to no cluster, until a node opens it.
func (s *Store) Replace(ctx context.Context, overwrite bool, fill func(put func(*store.Row) error) error, check func(store.Reader) error) error {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	id := hex.EncodeToString(random)
	if s.shared {
		return fmt.Errorf("replace the content: %w", ErrInUse)
	}
	s.owner.setNextID(id)
	defer s.owner.setNextID("")
	var made change // by a call of the function below, whose commit may have been made
	err := s.transact(ctx, importTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		if _, err := tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil { // fill and check read from another store
			return change{}, err
		}
		if made.newID != "" {
			replaced, err := hasRow(ctx, tx, `SELECT FROM store WHERE id = $1`, id)
			if replaced || err != nil {
				return change{newID: id}, err
			}
		}
		filled, err := hasRow(ctx, tx, `SELECT FROM accounts`)
		if err != nil {
			return change{}, err
		}
		if filled && !overwrite {
			return change{}, fmt.Errorf("%s: %w", s.where, store.ErrNotEmpty)
		}
		oldID, oldRun := s.owner.identity()
		tag, err := tx.Exec(ctx, `UPDATE store SET id = $1, run = 0, accounts = 0, characters = 0, cluster = '', nodes = '', joined = -1 WHERE id = $2 AND run = $3`, id, oldID, oldRun)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrInUse
		}
		if err != nil {
			return change{}, err
		}
		if _, err := tx.Exec(ctx, `TRUNCATE accounts, characters, known_addresses, access_rules, areas, sessions, entity_serials RESTART IDENTITY`); err != nil {
			return change{}, err
		}
		w := &contentWriter{tx: tx}
		if err := fill(func(r *store.Row) error { return w.put(ctx, r) }); err != nil {
			return change{}, err
		}
		if err := w.finish(ctx); err != nil {
			return change{}, err
		}
		if err := check(content{tx}); err != nil {
			return change{}, err
		}
		made = change{accounts: w.counts.accounts, characters: w.counts.characters, newID: id}
		return made, nil
	})
	if made.newID != "" && (errors.Is(err, store.ErrUnavailable) || errors.Is(err, ErrInUse) || err != nil && ctx.Err() != nil) {
		err = fmt.Errorf("%w: %w", store.ErrMayBeReplaced, err)
	}
	return err
}

// rowsPerInsert is the maximum number of rows that one INSERT statement inserts.
const rowsPerInsert = 500

// contentWriter inserts rows in a transaction, many with one statement.
type contentWriter struct {
	tx     pgx.Tx
	last   store.LastIDs
	counts change

	accounts   []*store.Account
	characters []*store.StoredCharacter
	known      []*store.KnownAddress
}

// put inserts a row, or buffers it for a statement that inserts many rows. The caller must put a row after the rows to
// which it refers.
func (w *contentWriter) put(ctx context.Context, r *store.Row) error {
	switch {
	case r.LastIDs != nil:
		w.last = *r.LastIDs
	case r.Account != nil:
		w.accounts = append(w.accounts, r.Account)
	case r.Character != nil:
		c := *r.Character
		c.Sheet = append([]byte(nil), c.Sheet...)
		w.characters = append(w.characters, &c)
	case r.Known != nil:
		k := *r.Known
		w.known = append(w.known, &k)
	case r.Access != nil:
		a := r.Access
		_, err := w.tx.Exec(ctx, insertAccessRule, escape(string(a.Kind)), escape(a.Account), a.NetworkText(), escape(a.Reason), escape(a.By), timeOrNull(a.Since), timeOrNull(a.Until))
		return err
	case r.Owner != nil:
		_, err := w.tx.Exec(ctx, `INSERT INTO areas (area, epoch) VALUES ($1, $2)`, int32(r.Owner.Area), int64(r.Owner.Epoch))
		return err
	}
	if len(w.accounts)+len(w.characters)+len(w.known) >= rowsPerInsert {
		return w.flush(ctx)
	}
	return nil
}

// finish inserts the rows that are still buffered. It also makes sure that new rows get IDs greater than those in w.last.
func (w *contentWriter) finish(ctx context.Context) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	for table, last := range map[string]int64{"accounts": int64(w.last.Account), "characters": int64(w.last.Character)} {
		if last == 0 {
			continue
		}
		// Set the ID that nextval returns next. Unlike setval, ALTER TABLE is rolled back with the transaction. The next
		// statement uses up that ID, so that the first new row gets a greater one.
		if _, err := w.tx.Exec(ctx, fmt.Sprintf(`ALTER TABLE %s ALTER COLUMN id RESTART WITH %d`, table, last)); err != nil {
			return err
		}
		if _, err := w.tx.Exec(ctx, `SELECT nextval(pg_get_serial_sequence($1, 'id'))`, table); err != nil {
			return err
		}
	}
	return nil
}

func (w *contentWriter) flush(ctx context.Context) error {
	if err := w.flushAccounts(ctx); err != nil {
		return err
	}
	if err := w.flushCharacters(ctx); err != nil {
		return err
	}
	if len(w.known) == 0 {
		return nil
	}
	var accounts []string
	var addrs []netip.Addr
	var times []time.Time
	for _, k := range w.known {
		accounts, addrs, times = append(accounts, escape(k.Account)), append(addrs, k.Addr), append(times, inMillis(k.At))
	}
	w.known = w.known[:0]
	_, err := w.tx.Exec(ctx, `INSERT INTO known_addresses (account, addr, at) SELECT * FROM unnest($1::text[], $2::inet[], $3::timestamptz[])`, accounts, addrs, times)
	return err
}

func (w *contentWriter) flushAccounts(ctx context.Context) error {
	if len(w.accounts) == 0 {
		return nil
	}
	var ids []int64
	var names, secrets, emails, ignores []string
	var gm, banned, frozen []bool
	var created []time.Time
	for _, a := range w.accounts {
		list, err := json.Marshal(append([]string{}, a.Ignore...))
		if err != nil {
			return err
		}
		ids, names, secrets, emails = append(ids, int64(a.ID)), append(names, escape(a.Name)), append(secrets, escape(a.Secret)), append(emails, escape(a.Email))
		gm, banned, frozen = append(gm, a.GM), append(banned, a.Banned), append(frozen, a.Frozen)
		ignores, created = append(ignores, string(list)), append(created, inMillis(a.CreatedAt))
	}
	w.counts.accounts += int64(len(ids))
	w.accounts = w.accounts[:0]
	_, err := w.tx.Exec(ctx, `INSERT INTO accounts (id, name, secret, email, gm, banned, frozen, ignores, created)
		SELECT id, name, secret, email, gm, banned, frozen, ignores::json, created
		FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::bool[], $7::bool[], $8::text[], $9::timestamptz[])
		AS u (id, name, secret, email, gm, banned, frozen, ignores, created)`, ids, names, secrets, emails, gm, banned, frozen, ignores, created)
	return err
}

func (w *contentWriter) flushCharacters(ctx context.Context) error {
	if len(w.characters) == 0 {
		return nil
	}
	var ids, accounts, versions []int64
	var slots []int16
	var names, sheets []string
	var saved []time.Time
	for _, c := range w.characters {
		version := int64(0) // a sheet that cannot be decoded is copied unchanged
		if read, err := store.DecodeSheet(c.Sheet); err == nil {
			version = versionOf(read)
		}
		ids, accounts, slots, names = append(ids, int64(c.ID)), append(accounts, int64(c.Account)), append(slots, int16(c.Slot)), append(names, escape(c.Name))
		versions, saved, sheets = append(versions, version), append(saved, inMillis(c.Saved)), append(sheets, string(c.Sheet))
	}
	w.counts.characters += int64(len(ids))
	w.characters = w.characters[:0]
	_, err := w.tx.Exec(ctx, `INSERT INTO characters (id, account, slot, name, version, saved, sheet)
		SELECT id, account, slot, name, version, saved, sheet::json
		FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::bigint[], $6::timestamptz[], $7::text[])
		AS u (id, account, slot, name, version, saved, sheet)`, ids, accounts, slots, names, versions, saved, sheets)
	return err
}

// ID returns the ID of the database, a random text that differs from that of every other database. It changes when the content is
// replaced. Errors: store.ErrUnavailable.
func (s *Store) ID(ctx context.Context) (id string, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT id FROM store`).Scan(&id)
	})
	return id, err
}

package chatlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of the result of one search.
const (
	DefaultLimit = 100     // number of lines if Query.Limit is 0
	MaxLimit     = 1000    // lines
	maxPerson    = 100_000 // maximum number of lines that Person returns (chosen to be more than one player is expected to have)
)

// Reader searches a log, also while a server writes it. It is safe for concurrent use.
type Reader struct {
	db   *sql.DB
	path string
}

// OpenReader opens the log at path read-only. An error is one line and may wrap ErrMissing, ErrDamaged, ErrForeign or ErrVersion.
func OpenReader(path string) (*Reader, error) {
	db, _, err := fileKind.OpenReader(path, 1)
	if err != nil {
		return nil, err
	}
	return &Reader{db, path}, nil
}

// Close closes the file. Closing a nil Reader does nothing.
func (r *Reader) Close() error {
	if r == nil {
		return nil
	}
	return r.db.Close()
}

func (r *Reader) wrapError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.path, fileKind.MarkDamage(err))
}

// Query selects the lines that match all its fields that are not zero. Zero fields match everything. Names must match
// completely; the case of ASCII letters is ignored.
type Query struct {
	// Words are words that the text must contain. Each word also matches the beginning of a longer word. Words in quotation marks
	// must follow each other directly.
	Words    string
	Who      string    // account or character of the speaker or the recipient
	Account  string    // account of the speaker or the recipient
	Area     string    // name of the area
	Channel  Channel   // how the line was sent
	Withheld *bool     // true selects lines that were withheld, false lines that were sent; nil selects both
	Since    time.Time // selects lines at this time or later
	Until    time.Time // selects lines before this time
	Before   int64     // selects lines with a smaller ID; pass the ID of the last line of a page to get the next page
	Limit    int       // maximum number of lines, up to MaxLimit; 0 selects DefaultLimit
}

// Search returns the lines that match q, newest first. Errors: ErrOff for a nil Log, ErrNoWord.
func (l *Log) Search(ctx context.Context, q Query) ([]Line, error) {
	if l == nil {
		return nil, ErrOff
	}
	return l.Reader.Search(ctx, q)
}

// Search returns the lines that match q, newest first. Errors: ErrNoWord.
func (r *Reader) Search(ctx context.Context, q Query) ([]Line, error) {
	var parts []string
	var args []any
	add := func(set bool, part string, values ...any) {
		if set {
			parts, args = append(parts, part), append(args, values...)
		}
	}
	if strings.TrimSpace(q.Words) != "" {
		match := matchOf(q.Words)
		if match == "" {
			return nil, ErrNoWord
		}
		add(true, "id IN (SELECT rowid FROM words WHERE words MATCH ?)", match)
	}
	add(q.Who != "", "(account = ? OR player = ? OR to_account <> '' AND to_account = ? OR to_player <> '' AND to_player = ?)", q.Who, q.Who, q.Who, q.Who)
	add(q.Account != "", "(account = ? OR to_account <> '' AND to_account = ?)", q.Account, q.Account)
	add(q.Area != "", "area = ?", q.Area)
	add(q.Channel != "", "channel = ?", string(q.Channel))
	if q.Withheld != nil {
		add(true, map[bool]string{true: "withheld <> ''", false: "withheld = ''"}[*q.Withheld])
	}
	add(!q.Since.IsZero(), "at_ms >= ?", q.Since.UnixMilli())
	add(!q.Until.IsZero(), "at_ms < ?", q.Until.UnixMilli())
	add(q.Before > 0, "id < ?", q.Before)
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	where := strings.Join(parts, " AND ")
	if where == "" {
		where = "1"
	}
	return r.lines(ctx, where, append(args, min(q.Limit, MaxLimit))...)
}

// matchOf converts search words to a query of SQLite's full-text index, or returns "" if text contains no word.
func matchOf(text string) string {
	var terms []string
	for i, part := range strings.Split(text, `"`) {
		words := strings.FieldsFunc(part, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co) })
		switch {
		case len(words) == 0:
		case i%2 == 1: // a phrase between quotation marks
			terms = append(terms, `"`+strings.Join(words, " ")+`"`)
		default:
			for _, w := range words {
				terms = append(terms, `"`+w+`"*`)
			}
		}
	}
	return strings.Join(terms, " AND ")
}

func (r *Reader) lines(ctx context.Context, where string, args ...any) ([]Line, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT id, at_ms, channel, area, pos_x, pos_y, pos_z, account, player, door, operator, to_account,
		to_player, told, text, withheld FROM lines WHERE `+where+` ORDER BY id DESC LIMIT ?`, args...)
	if err != nil {
		return nil, r.wrapError(err)
	}
	defer rows.Close()
	list := []Line{}
	for rows.Next() {
		var l Line
		var at int64
		var pos [3]sql.NullFloat64
		if err := rows.Scan(&l.ID, &at, &l.Channel, &l.Area, &pos[0], &pos[1], &pos[2], &l.Account, &l.Player, &l.Door, &l.Operator,
			&l.ToAccount, &l.ToPlayer, &l.Told, &l.Text, &l.Withheld); err != nil {
			return nil, r.wrapError(err)
		}
		l.At = time.UnixMilli(at).UTC()
		l.HasPos = pos[0].Valid && pos[1].Valid && pos[2].Valid
		l.Pos = geom.Vec{X: float32(pos[0].Float64), Y: float32(pos[1].Float64), Z: float32(pos[2].Float64)}
		list = append(list, l)
	}
	return list, r.wrapError(rows.Err())
}

// Person returns the lines that an account said and the messages that it received, newest first. A nil Log returns
// none.
func (l *Log) Person(ctx context.Context, account string) ([]Line, error) {
	if l == nil {
		return []Line{}, nil
	}
	return l.lines(ctx, "account = ? OR to_account <> '' AND to_account = ?", account, account, maxPerson)
}

// OpenExisting opens the log at path for Person and Forget. It returns nil if the file does not exist.
func OpenExisting(o Options) (*Log, error) {
	if _, err := os.Stat(o.Path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return Open(o)
}

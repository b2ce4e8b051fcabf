package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// connectTimeout is the maximum duration of one connection attempt, unless the URL has connect_timeout. A machine that
// does not answer must not delay a start or a login for long.
const connectTimeout = 5 * time.Second

// maxConns is the number of connections for the calls of a store, unless the URL has pool_max_conns. The value is not measured. It
// should suffice, because a call takes about a millisecond, and in a burst of logins the hashing of passwords, on at most 4 cores,
// limits the number of calls.
const maxConns = 8

// ErrURL means that a text is not the URL of a PostgreSQL database. Its message does not contain the text, which may
// contain a password.
var ErrURL = errors.New("not the URL of a PostgreSQL database")

// IsURL reports whether a text begins like the URL of a PostgreSQL database.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// CheckURL returns an error if text is not a valid URL of a PostgreSQL database.
func CheckURL(text string) error {
	_, err := parseURL(text)
	return err
}

// parseURL returns the connection settings for the database at a URL. Settings that the URL lacks come from the
// variables PGHOST, PGUSER, PGPASSWORD and so on, and from the password file, as in psql. Errors wrap ErrURL and
// contain no part of a password.
func parseURL(text string) (*pgxpool.Config, error) {
	if !IsURL(text) {
		return nil, fmt.Errorf("%w: write postgres://USER@HOST:PORT/DATABASE", ErrURL)
	}
	cfg, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: write postgres://USER@HOST:PORT/DATABASE, and percent-encode special characters of a password", ErrURL, whatIsWrong(text, err))
	}
	given := queryOf(text)
	if given.Get("connect_timeout") == "" && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	if given.Get("pool_max_conns") == "" {
		cfg.MaxConns = maxConns
	}
	if cfg.ConnConfig.Database == "" {
		cfg.ConnConfig.Database = cfg.ConnConfig.User // as psql does
	}
	return cfg, nil
}

// whatIsWrong returns which part of a URL is invalid. The parameter err is the parser's error, whose text may contain
// the password; the result does not contain it.
func whatIsWrong(text string, err error) string {
	u, parseErr := url.Parse(text)
	if parseErr != nil {
		return "it cannot be parsed"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "its port is not a number of 1..65535"
		}
	}
	for key := range u.Query() {
		if strings.Contains(err.Error(), key) && key != "password" {
			return "its parameter " + strconv.Quote(key) + " is wrong"
		}
	}
	return "a part of it is wrong"
}

func queryOf(text string) url.Values {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	return u.Query()
}

// Redact returns a URL without its password, for logs and messages. If the text is not a valid URL, Redact replaces all
// of it, because the password could be anywhere.
func Redact(text string) string {
	u, err := url.Parse(text)
	if err != nil || !IsURL(text) {
		return "(a text that is not a URL)"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for key := range q {
		if strings.Contains(strings.ToLower(key), "password") {
			q.Del(key)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

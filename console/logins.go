package console

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// LoginsFile is the name of the file of logins in the data folder. With it, open pages stay logged in when the server
// restarts:
//
//	{"logins": [{"sha256": "9f86...", "token": "60303a...", "operator": "ann", "role": "admin", "until": "2026-01-02T15:04:05Z"}]}
//
// The field sha256 is the hash of the cookie, and token is the hash of the operator's token. Neither the cookie nor the token
// can be recovered from the file. A further field, run, is true for a token that a server printed at its start. No other file
// contains such a token, so its name and role are read from this file.
const LoginsFile = "logins.json"

// loginsFile is the JSON content of LoginsFile.
type loginsFile struct {
	Logins []loginEntry `json:"logins"` // oldest first
}

// loginEntry is one login in LoginsFile.
type loginEntry struct {
	SHA256   string    `json:"sha256"`        // SHA-256 of the login cookie, 64 hex digits
	Token    string    `json:"token"`         // SHA-256 of the operator's token, 64 hex digits
	Operator string    `json:"operator"`      // name of the operator
	Role     string    `json:"role"`          // role of the operator at the login, such as "admin"
	Run      bool      `json:"run,omitempty"` // the server printed the token at its start; the token is in no other file
	Until    time.Time `json:"until"`         // time at which the login ends, UTC
}

const (
	maxLoginsFile = 1 << 20               // maximum size of the file in bytes; enough for maxLogins with the longest names
	saveInterval  = 50 * time.Millisecond // minimum time between two writes; chosen to limit the disk load of repeated logins
)

// parseLogins parses the file of logins. If one entry is invalid, the whole file is refused.
func parseLogins(b []byte) (map[[sha256.Size]byte]login, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var f loginsFile
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("the file of logins is not valid: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the file of logins is not valid: it has data after the JSON object")
	}
	if len(f.Logins) > maxLogins {
		return nil, fmt.Errorf("the file of logins has more than %d entries", maxLogins)
	}
	logins := make(map[[sha256.Size]byte]login, len(f.Logins))
	for i := range f.Logins {
		hash, l, err := f.Logins[i].parse()
		if err != nil {
			return nil, fmt.Errorf("parse entry %d of the file of logins: %w", i+1, err)
		}
		if _, twice := logins[hash]; twice {
			return nil, fmt.Errorf("entry %d of the file of logins has the same sha256 as an earlier entry", i+1)
		}
		logins[hash] = l
	}
	return logins, nil
}

// parse converts the entry to a login, and returns the hash of the login cookie.
func (e *loginEntry) parse() (cookie [sha256.Size]byte, l login, err error) {
	if cookie, err = parseHash("sha256", e.SHA256); err != nil {
		return cookie, l, err
	}
	l = login{name: e.Operator, runOnly: e.Run, until: e.Until.UTC()}
	if l.token, err = parseHash("token", e.Token); err == nil {
		err = checkName(e.Operator)
	}
	if err == nil {
		l.role, err = ParseRole(e.Role)
	}
	if y := l.until.Year(); err == nil && (y < 1 || y > 9999) {
		err = fmt.Errorf("the field \"until\" is in the year %d, but must be in the years 1 to 9999", y)
	}
	return cookie, l, err
}

// parseHash parses a SHA-256 in hex. The parameter what is the name of the JSON field, for errors.
func parseHash(what, text string) (hash [sha256.Size]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(hash) {
		return hash, fmt.Errorf("the field %q must be 64 hex digits", what)
	}
	return [sha256.Size]byte(b), nil
}

// writeLogins encodes logins as the JSON of LoginsFile. The login that ends first comes first.
func writeLogins(logins map[[sha256.Size]byte]login) []byte {
	f := loginsFile{Logins: make([]loginEntry, 0, len(logins))}
	for hash, l := range logins {
		f.Logins = append(f.Logins, loginEntry{
			SHA256: hex.EncodeToString(hash[:]), Token: hex.EncodeToString(l.token[:]),
			Operator: l.name, Role: l.role.String(), Run: l.runOnly, Until: l.until.UTC(),
		})
	}
	slices.SortFunc(f.Logins, func(a, b loginEntry) int {
		return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.SHA256, b.SHA256))
	})
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic(err) // cannot happen: only years above 9999 fail, and parse refuses them
	}
	return append(b, '\n')
}

// restoreLogins loads the logins of the file and enables save. A file that cannot be read is replaced, with a line in the
// log. All operators must then log in again.
func (d *authenticator) restoreLogins(path string, log *slog.Logger) {
	d.path, d.log = path, log
	b, err := readFile("logins", path, maxLoginsFile)
	var kept map[[sha256.Size]byte]login
	if err == nil && b != nil {
		if kept, err = parseLogins(b); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		log.Warn("console: the file of logins cannot be read and is replaced; all operators must log in again", telemetry.FieldErr, err)
		d.changes++
	}
	now := d.now()
	for hash, l := range kept {
		if longExpired(&l, now) || l.until.Sub(now) > loginLifetime || d.operatorChanged(&l) {
			d.changes++
			continue
		}
		d.logins[hash] = l
	}
	d.save()
}

// longExpired reports whether a login ended more than loginLifetime ago, so that it may be deleted. Until then, requests with the
// login get the error code "expired".
func longExpired(l *login, now time.Time) bool { return now.Sub(l.until) > loginLifetime }

// operatorChanged reports whether the login must end because its token was revoked or because the operator's role has changed.
func (d *authenticator) operatorChanged(l *login) bool {
	if l.runOnly {
		return false
	}
	o, ok := d.tokens.find(l.token, d.now())
	return !ok || o.Role != l.role
}

// save writes the logins to the file if they have changed since the last write. Calls during a write wait for its end; then one
// further write serves all of them.
func (d *authenticator) save() {
	if d.path == "" {
		return
	}
	d.saveMu.Lock()
	defer d.saveMu.Unlock()
	if d.changeCount() == d.savedChanges {
		return
	}
	time.Sleep(saveInterval - time.Since(d.savedAt))
	d.mu.Lock()
	changes, b := d.changes, writeLogins(d.logins)
	d.mu.Unlock()
	err := replaceFile("logins", d.path, b)
	d.savedAt = time.Now()
	switch {
	case err == nil && d.writeFailing:
		d.log.Info("console: the file of logins is written again")
	case err != nil && !d.writeFailing:
		d.log.Error("console: cannot write the file of logins; a restart of the server will lose new logins and log-outs", telemetry.FieldErr, err)
	}
	if d.writeFailing = err != nil; err == nil {
		d.savedChanges = changes
	}
}

func (d *authenticator) changeCount() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes
}

package console

import (
	"encoding/hex"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// loginHarness is the authenticator of a server that tests can restart with the same data folder. The test controls its clock.
type loginHarness struct {
	t     *testing.T
	dir   string
	clock *testClock
	log   *logbuf.Buffer

	*authenticator // authenticator of the current run
}

func newLoginHarness(t *testing.T) *loginHarness {
	t.Helper()
	l := &loginHarness{t: t, dir: t.TempDir(), clock: new(testClock), log: new(logbuf.Buffer)}
	l.clock.freeze()
	l.restart()
	return l
}

func (l *loginHarness) operators() string { return filepath.Join(l.dir, TokensFile) }
func (l *loginHarness) file() string      { return filepath.Join(l.dir, LoginsFile) }

// restart replaces the authenticator by a new one, which reads the files, as after a kill and a restart of the server.
func (l *loginHarness) restart() {
	l.t.Helper()
	tokens, err := OpenTokens(l.operators())
	if err != nil {
		l.t.Fatal(err)
	}
	l.authenticator = newAuthenticator(tokens, false, l.clock.now)
	l.restoreLogins(l.file(), slog.New(slog.NewTextHandler(l.log, nil)))
}

// add adds an operator to the file.
func (l *loginHarness) add(name string, role Role, valid time.Duration) (token string) {
	l.t.Helper()
	token, err := AddOperator(l.operators(), name, role, valid)
	if err != nil {
		l.t.Fatal(err)
	}
	l.clock.advance(recheckInterval)
	return token
}

func (l *loginHarness) revoke(name string) {
	l.t.Helper()
	if err := RevokeOperator(l.operators(), name); err != nil {
		l.t.Fatal(err)
	}
	l.clock.advance(recheckInterval)
}

// promote replaces a text in the file of operators, for example to change a role.
func (l *loginHarness) promote(from, to string) {
	l.t.Helper()
	b, err := os.ReadFile(l.operators())
	if err == nil {
		err = os.WriteFile(l.operators(), []byte(strings.ReplaceAll(string(b), from, to)), 0o600)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	l.clock.advance(recheckInterval)
}

func (l *loginHarness) login(token string) *http.Cookie {
	l.t.Helper()
	_, c, err := l.logIn(token, addrFrom([4]byte{192, 0, 2, 1}))
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

func (l *loginHarness) check(c *http.Cookie) (caller, error) {
	return l.authenticateCookie(c.Value, addrFrom([4]byte{192, 0, 2, 1}))
}

func (l *loginHarness) logOut(c *http.Cookie) {
	l.authenticator.logOut(&http.Request{Header: http.Header{"Cookie": {c.Name + "=" + c.Value}}})
}

// text returns the content of the file of logins.
func (l *loginHarness) text() string {
	l.t.Helper()
	b, err := os.ReadFile(l.file())
	if err != nil {
		l.t.Fatal(err)
	}
	return string(b)
}

func TestConsoleLoginSurvivesRestart(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	token := l.add("ann", Moderator, 0)
	c := l.login(token)
	before, err := l.check(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l.restart()
		v, err := l.check(c)
		if err != nil || v.name != "ann" || v.role != Moderator || !v.expires.Equal(before.expires) || !l.stillValid(&v) {
			t.Fatalf("%+v, %v; before %+v", v, err, before)
		}
		l.clock.advance(time.Hour)
	}
	l.clock.advance(loginLifetime - 2*time.Hour - time.Second)
	if _, err := l.check(c); err != nil {
		t.Errorf("before twelve hours are over: %v", err)
	}
	l.clock.advance(time.Second)
	if _, err := l.check(c); err != errLoginExpired {
		t.Errorf("after twelve hours and restarts: %v", err)
	}
	text := l.text()
	for _, secret := range []string{token, c.Value} {
		if strings.Contains(text, secret) {
			t.Errorf("%q can be read in %s", secret, text)
		}
	}
	if info, err := os.Stat(l.file()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the file of logins is %v, error %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(l.dir); err != nil || len(left) != 3 { // the file of operators, its lock file and the file of logins
		t.Errorf("the folder contains %v, error %v", left, err)
	}
}

// The token that a server prints at its start is valid only for that run. Logins with that token stay valid after a restart.
func TestLoginByStartupTokenSurvivesRestart(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	token := l.tokens.Issue("serve", Admin)
	c := l.login(token)
	l.restart()
	if _, _, err := l.logIn(token, addrFrom([4]byte{192, 0, 2, 1})); err != errWrongToken {
		t.Errorf("the token of another run: %v", err)
	}
	v, err := l.check(c)
	if err != nil || v.name != "serve" || v.role != Admin || !l.stillValid(&v) {
		t.Fatalf("the login is %+v, error %v", v, err)
	}
	l.clock.advance(loginLifetime)
	if _, err := l.check(c); err != errLoginExpired || l.stillValid(&v) {
		t.Errorf("after twelve hours: %v", err)
	}
	l.restart()
	if _, err := l.check(c); err != errLoginExpired {
		t.Errorf("after a restart: %v", err)
	}
	l.clock.advance(loginLifetime + time.Second)
	if l.restart(); len(l.logins) != 0 || strings.Contains(l.text(), "serve") {
		t.Errorf("a long expired login is kept: %s", l.text())
	}
}

func TestLoggedOutConsoleLoginStaysInvalidAfterRestart(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	token := l.add("ann", Viewer, 0)
	gone, stays := l.login(token), l.login(token)
	l.logOut(gone)
	l.restart()
	if _, err := l.check(gone); err != errUnknownLogin {
		t.Errorf("logged out: %v", err)
	}
	if _, err := l.check(stays); err != nil {
		t.Errorf("another page of the same operator: %v", err)
	}
}

// A login ends permanently when its token is revoked, expires or gets another role, also if that happens while no server
// runs, and even if the change is reverted later.
func TestConsoleLoginEndsWhenItsTokenOrRoleChanges(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		do, undo func(*loginHarness)
		want     error
	}{
		"revoked": {
			do:   func(l *loginHarness) { l.revoke("ann") },
			undo: func(l *loginHarness) { l.add("ann", Moderator, 0) },
			want: errUnknownLogin,
		},
		"a smaller role": {
			do:   func(l *loginHarness) { l.promote("moderator", "viewer") },
			undo: func(l *loginHarness) { l.promote("viewer", "moderator") },
			want: errUnknownLogin,
		},
		"a greater role": {
			do:   func(l *loginHarness) { l.promote("moderator", "admin") },
			undo: func(l *loginHarness) { l.promote("admin", "moderator") },
			want: errUnknownLogin,
		},
		"expired": {
			do:   func(l *loginHarness) { l.clock.advance(2 * time.Hour) }, // AddOperator computes the expiry with the real clock
			undo: func(*loginHarness) {},
			want: errTokenExpired,
		},
	} {
		for when, down := range map[string]bool{"while the server runs": false, "while no server runs": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				l := newLoginHarness(t)
				c := l.login(l.add("ann", Moderator, time.Hour))
				v, err := l.check(c)
				if err != nil || !l.stillValid(&v) {
					t.Fatal(err)
				}
				end.do(l)
				if down {
					l.restart()
				}
				if _, err := l.check(c); err != end.want || l.stillValid(&v) {
					t.Errorf("error %v, want %v", err, end.want)
				}
				end.undo(l)
				for range 2 {
					if _, err := l.check(c); err == nil {
						t.Error("the login is valid again")
					}
					l.save()
					l.restart()
				}
			})
		}
	}
}

// A syntax error in the file of operators suspends logins until it is repaired.
func TestConsoleLoginWorksAgainAfterOperatorsFileIsRepaired(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	c := l.login(l.add("ann", Moderator, 0))
	l.promote("{", "[")
	if _, err := l.check(c); err != errUnknownLogin {
		t.Errorf("with a syntax error: %v", err)
	}
	l.promote("[\n  \"operators\": [", "{\n  \"operators\": [")
	l.promote("[\n      \"name\"", "{\n      \"name\"")
	if _, err := l.check(c); err != nil {
		t.Errorf("after the fix: %v", err)
	}
}

func TestInvalidLoginsFileIsReplaced(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("ab", 32)
	entry := func(what ...string) string {
		text := `{"sha256": "` + hash + `", "token": "` + hash + `", "operator": "eve", "role": "admin", "run": true, "until": "2026-01-02T03:04:05Z"}`
		return `{"logins": [` + strings.NewReplacer(what...).Replace(text) + `]}`
	}
	for what, want := range map[string]string{
		"":                                "the file of logins is not valid",
		"\x00\x01binary":                  "the file of logins is not valid",
		`{"operators": []}`:               `unknown field \"operators\"`,
		`{"logins": []} more`:             "data after the JSON object",
		entry(hash, "abc"):                `entry 1 of the file of logins: the field \"sha256\" must be 64 hex digits`,
		entry("admin", "king"):            "must be viewer, moderator or admin",
		entry("eve", `\n`):                "not printable",
		entry("2026-01", "soon"):          "the file of logins is not valid",
		entry("eve", "eve\"}, {\"x\":\""): `unknown field \"x\"`,
		`{"logins": [` + strings.TrimSuffix(strings.Repeat("{},", maxLogins+1), ",") + `]}`: "more than 1024 entries",
		strings.Repeat(" ", maxLoginsFile+1):                                                "larger than",
	} {
		l := newLoginHarness(t)
		token := l.add("ann", Viewer, 0)
		if err := os.WriteFile(l.file(), []byte(what), 0o600); err != nil {
			t.Fatal(err)
		}
		l.restart()
		said := l.log.String()
		if strings.Count(said, "\n") != 1 || !strings.Contains(said, "operators must log in again") || !strings.Contains(said, want) || len(l.logins) != 0 {
			t.Errorf("%.80q: %d logins, and the log says %q, want %q", what, len(l.logins), said, want)
		}
		c := l.login(token) // the file of operators is not damaged, so the login succeeds
		l.restart()
		if _, err := l.check(c); err != nil || l.log.String() != said {
			t.Errorf("%.80q: the new file: %v, %s", what, err, l.log)
		}
	}
}

// Forged entries in the file of logins give neither a greater role nor a longer login.
func TestForgedEntriesOfLoginsFileAreDropped(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	c := l.login(l.add("ann", Viewer, 0))
	good := l.text()
	until := l.clock.now().UTC().Add(loginLifetime)
	for what, to := range map[string]string{
		"a greater role":                strings.Replace(good, `"viewer"`, `"admin"`, 1),
		"an unknown token":              swapToken(good),
		"an expiry beyond twelve hours": strings.Replace(good, until.Format("2006-01-02T15:04:05"), until.Add(time.Minute).Format("2006-01-02T15:04:05"), 1),
	} {
		if to == good {
			t.Fatalf("%s: nothing was changed in %s", what, good)
		}
		if err := os.WriteFile(l.file(), []byte(to), 0o600); err != nil {
			t.Fatal(err)
		}
		l.restart()
		if _, err := l.check(c); err != errUnknownLogin || l.text() != string(writeLogins(nil)) {
			t.Errorf("%s: %v, and the file is\n%s", what, err, l.text())
		}
	}
	if runtime.GOOS == "windows" {
		return // file modes have no meaning on this system
	}
	if err := os.WriteFile(l.file(), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(l.file(), 0o606); err != nil {
		t.Fatal(err)
	}
	l.restart()
	if _, err := l.check(c); err != errUnknownLogin || !strings.Contains(l.log.String(), "writable by every user of this machine") {
		t.Errorf("a file writable by everyone: %v, %s", err, l.log)
	}
	if info, err := os.Stat(l.file()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the new file: %v, %v", info.Mode(), err)
	}
}

// swapToken replaces the hash of the token in the text of a logins file with one login.
func swapToken(text string) string {
	before, rest, _ := strings.Cut(text, `"token": "`)
	return before + `"token": "` + strings.Repeat("00", 32) + rest[64:]
}

// While the file of logins cannot be written, logins still work, the error is logged once and the write is retried.
func TestLoginsFileWriteIsRetriedAfterDiskError(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	token := l.tokens.Issue("serve", Admin)
	if err := os.MkdirAll(filepath.Join(l.file(), "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := l.login(token)
	l.save()
	if _, err := l.check(c); err != nil || strings.Count(l.log.String(), "will lose new logins") != 1 {
		t.Errorf("error %v, log %s", err, l.log)
	}
	if err := os.RemoveAll(l.file()); err != nil {
		t.Fatal(err)
	}
	l.save()
	if l.restart(); !strings.Contains(l.log.String(), "the file of logins is written again") {
		t.Errorf("the log is %s", l.log)
	}
	if _, err := l.check(c); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(l.dir); err != nil || len(left) != 1 {
		t.Errorf("the folder contains %v, error %v", left, err)
	}
}

func TestLoginsFileWithMaximumEntriesFitsMaximumSize(t *testing.T) {
	t.Parallel()
	l := newLoginHarness(t)
	long := strings.Repeat("<", maxOperatorName)
	logins := map[[32]byte]login{}
	for i := range maxLogins {
		logins[[32]byte{byte(i), byte(i >> 8)}] = login{name: long, role: Moderator, runOnly: true, until: l.clock.now()}
	}
	b := writeLogins(logins)
	again, err := parseLogins(b)
	if len(b) > maxLoginsFile || err != nil || len(again) != maxLogins {
		t.Errorf("%d bytes, %d logins, %v", len(b), len(again), err)
	}
}

func FuzzLogins(f *testing.F) {
	hash := hex.EncodeToString(make([]byte, 32))
	f.Add([]byte(`{"logins": [{"sha256": "` + hash + `", "token": "` + hash + `", "operator": "ann", "role": "admin", "run": true, "until": "2026-01-02T03:04:05.5+01:00"}]}`))
	f.Add([]byte(`{"logins": []}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		logins, err := parseLogins(b)
		if err != nil {
			return
		}
		again, err := parseLogins(writeLogins(logins))
		if err != nil || !reflect.DeepEqual(again, logins) {
			t.Fatalf("%+v was written as %+v, %v", logins, again, err)
		}
	})
}

package console

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// stoppedServer is an account handler with a journal and a chat log of its own.
type stoppedServer struct {
	t       *testing.T
	dir     string
	journal *journal.Journal
	chat    *chatlog.Log
	log     *logbuf.Buffer
	handler http.Handler
}

// newStoppedServer returns an account handler whose journal has a row of the account ann, and whose chat log has two lines of ann.
func newStoppedServer(t *testing.T, st store.Store) *stoppedServer {
	t.Helper()
	s := &stoppedServer{t: t, dir: t.TempDir(), log: new(logbuf.Buffer)}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	var err error
	if s.journal, err = journal.Open(journal.Options{Path: filepath.Join(s.dir, journal.FileName), Log: log}); err != nil {
		t.Fatal(err)
	}
	if s.chat, err = chatlog.Open(chatlog.Options{Path: filepath.Join(s.dir, chatlog.FileName), Log: log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.journal.Close(context.Background()), s.chat.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	s.handler = NewAccountHandler(AccountHandlerOptions{Keeper: session.NewKeeper(st), Journal: s.journal, Chat: s.chat, Log: log, Operator: "zoe"})
	now := time.Now()
	if err := s.journal.RecordHeldBack(t.Context(), []journal.HeldBack{{At: now, Since: now, Kind: "login", Door: "rs", Account: "ann", Times: 1}}); err != nil {
		t.Fatal(err)
	}
	for _, account := range []string{"ann", "ann", "bob"} {
		s.chat.Add(chatlog.Line{At: now, Channel: chatlog.Area, Account: account, Player: account, Text: "hello"})
	}
	return s
}

// newAccounts returns a store with the accounts ann, who has the character Ada, and bob.
func newAccounts(t *testing.T) *sqlite.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), emptystore.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	id, err := st.CreateAccount(t.Context(), store.Account{Name: "ann"})
	if err == nil {
		_, err = st.CreateCharacter(t.Context(), id, &sim.Character{Name: "Ada", Door: "rs", Area: "Vale"}, store.MaxCharacters)
	}
	if err == nil {
		_, err = st.CreateAccount(t.Context(), store.Account{Name: "bob"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// expect sends a request with the context ctx and checks the status and a part of the response.
func (s *stoppedServer) expect(ctx context.Context, method, path, body string, status int, says string) {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, method, apiBase+path, strings.NewReader(body)))
	if w.Code != status || !strings.Contains(w.Body.String(), says) {
		s.t.Errorf("%s %s: %d %s; want %d with %s", method, path, w.Code, w.Body, status, says)
	}
}

// exec runs an SQL statement on a database file of the server, as another program would.
func (s *stoppedServer) exec(file, statement string, args ...any) {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, file)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = db.ExecContext(s.t.Context(), statement, args...)
	if err := errors.Join(err, db.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// expectLines checks how many lines of chat an account has.
func (s *stoppedServer) expectLines(account string, want int) {
	s.t.Helper()
	if list, err := s.chat.Person(s.t.Context(), account); err != nil || len(list) != want {
		s.t.Errorf("%s has the lines %+v, %v; want %d", account, list, err, want)
	}
}

// expectNearby checks that the journal has exactly one event of an account among the events around its entries, with the text want.
func (s *stoppedServer) expectNearby(account, want string) {
	s.t.Helper()
	if p, err := s.journal.Person(s.t.Context(), account, nil); err != nil || len(p.Nearby) != 1 || p.Nearby[0].Text != want {
		s.t.Errorf("the journal has %+v of %s, %v; want %q", p, account, err, want)
	}
}

func TestRepeatedDeletionCompletesAfterChatLogIsRepaired(t *testing.T) {
	t.Parallel()
	s := newStoppedServer(t, newAccounts(t))
	s.exec(chatlog.FileName, `ALTER TABLE lines RENAME TO away`)
	for range 2 {
		s.expect(t.Context(), "DELETE", "/accounts/ANN", "", 500, "the account is deleted, but not all of its data in the journal and the chat log: repeat the deletion")
	}
	s.expect(t.Context(), "GET", "/accounts/ann", "", 404, "there is no such account")
	if !strings.Contains(s.log.String(), "no such table") {
		t.Errorf("the log has no reason: %s", s.log)
	}
	s.exec(chatlog.FileName, `ALTER TABLE away RENAME TO lines`)
	s.expect(t.Context(), "DELETE", "/accounts/ann", "", 200, `"characters":[],"journal":0,"chat":2,"deletedBefore":true`)
	s.expectLines("ann", 0)
	s.expectLines("bob", 1)
	s.expect(t.Context(), "DELETE", "/accounts/ann", "", 404, "the journal and the chat log of this server have no data of it")
}

func TestErrorOfFailedJournalDeletionListsCharactersForRetry(t *testing.T) {
	t.Parallel()
	s := newStoppedServer(t, newAccounts(t))
	s.exec(journal.FileName, `ALTER TABLE held_back RENAME TO away`)
	s.expect(t.Context(), "DELETE", "/accounts/ann", "", 500, `repeat the deletion and give its characters, [\"Ada\"]`)
	s.exec(journal.FileName, `ALTER TABLE away RENAME TO held_back`)
	s.expect(t.Context(), "DELETE", "/accounts/ann?character=Ada", "", 200, `"characters":["Ada"],"journal":1,"chat":0,"deletedBefore":true`)
}

// disconnectingStore is a store that ends the context of the request as soon as a deletion or merge of accounts is committed.
type disconnectingStore struct {
	store.Store
	disconnect context.CancelFunc
}

func (s *disconnectingStore) DeleteAccount(ctx context.Context, by store.SessionHolder, id store.AccountID, folded string) error {
	defer s.disconnect()
	return s.Store.DeleteAccount(ctx, by, id, folded)
}

func (s *disconnectingStore) MergeAccounts(ctx context.Context, by store.SessionHolder, from, into store.AccountID) error {
	defer s.disconnect()
	return s.Store.MergeAccounts(ctx, by, from, into)
}

func TestDeletionAndMergeAreCompletedAfterClientDisconnects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path, body string
		linesOfBob         int
	}{
		{"DELETE", "/accounts/ann", "", 1},
		{"POST", "/accounts/ann/merge", `{"into":"bob"}`, 3},
	} {
		ctx, disconnect := context.WithCancel(t.Context())
		st := newAccounts(t)
		if err := st.SetAccessRule(t.Context(), store.AccessRule{Kind: store.AccessMute, Account: "ann"}); err != nil {
			t.Fatal(err)
		}
		s := newStoppedServer(t, &disconnectingStore{st, disconnect})
		s.expect(ctx, c.method, c.path, c.body, 200, `"ok":true`)
		if ctx.Err() == nil {
			t.Errorf("%s: the client did not disconnect", c.path)
		}
		s.expectLines("ann", 0)
		s.expectLines("bob", c.linesOfBob)
		if rules, err := st.AccessRules(t.Context()); err != nil || len(rules) != 0 {
			t.Errorf("%s: the access rules are %+v, %v", c.path, rules, err)
		}
	}
}

// errAway is the error of a ruleKeepingStore.
var errAway = fmt.Errorf("the database is away: %w", store.ErrUnavailable)

// ruleKeepingStore is a store whose next deletion of an access rule fails.
type ruleKeepingStore struct {
	store.Store
	failed bool
}

func (s *ruleKeepingStore) DeleteAccessRule(ctx context.Context, r store.AccessRule) error {
	if !s.failed {
		s.failed = true
		return errAway
	}
	return s.Store.DeleteAccessRule(ctx, r)
}

func TestDeletionAndMergeContinueIfAccessRulesCannotBeDeleted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path, body string
		says, repeated     string
		linesOfBob         int
	}{
		{"DELETE", "/accounts/ann", "", `the account is deleted with its characters, [\"Ada\"], but not all of its bans, mutes and its whitelist entry: repeat the deletion`,
			`"characters":[],"journal":0,"chat":0,"deletedBefore":true`, 1},
		{"POST", "/accounts/ann/merge", `{"into":"bob"}`, "bans, mutes or a whitelist entry with the name ann are left: repeat the merge", `"ok":true`, 3},
	} {
		st := newAccounts(t)
		if err := st.SetAccessRule(t.Context(), store.AccessRule{Kind: store.AccessMute, Account: "ann"}); err != nil {
			t.Fatal(err)
		}
		s := newStoppedServer(t, &ruleKeepingStore{Store: st})
		s.expect(t.Context(), c.method, c.path, c.body, 500, c.says)
		if !strings.Contains(s.log.String(), "the database is away") {
			t.Errorf("%s: the log has no reason: %s", c.path, s.log)
		}
		s.expectLines("ann", 0)
		s.expectLines("bob", c.linesOfBob)
		if p, err := s.journal.Person(t.Context(), "ann", nil); err != nil || c.method == "DELETE" && len(p.HeldBack) != 0 {
			t.Errorf("the journal has %+v of ann, %v", p, err)
		}
		s.expect(t.Context(), c.method, c.path, c.body, 200, c.repeated)
		if rules, err := st.AccessRules(t.Context()); err != nil || len(rules) != 0 {
			t.Errorf("%s: the access rules are %+v, %v", c.path, rules, err)
		}
		s.expect(t.Context(), c.method, c.path, c.body, 404, "there is no such account")
	}
}

// lostStore is a store on another machine that is lost before it answers.
type lostStore struct {
	store.Store
	away    bool // no request succeeds
	deletes bool // the deletion of an account takes effect
}

func (s *lostStore) DeleteAccount(ctx context.Context, by store.SessionHolder, id store.AccountID, folded string) error {
	if s.deletes {
		if err := s.Store.DeleteAccount(ctx, by, id, folded); err != nil {
			return err
		}
	}
	return store.ErrUnavailable
}

func (s *lostStore) Find(ctx context.Context, f store.Filter) ([]store.Found, error) {
	if s.away {
		return nil, store.ErrUnavailable
	}
	return s.Store.Find(ctx, f)
}

func TestDeletionWithoutAnswerOfDatabaseNamesCharactersForRetry(t *testing.T) {
	t.Parallel()
	st := newAccounts(t)
	lost := &lostStore{Store: st, away: true}
	s := newStoppedServer(t, lost)
	s.exec(journal.FileName, `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, 0, 1, 2, 'bob', 'hit', 'hit Ada')`, time.Now().UnixMilli())
	const says = `give its characters, [\"Ada\"]`
	s.expect(t.Context(), "GET", "/accounts", "", 503, `"code":"unavailable","message":"the database cannot be reached`)
	s.expect(t.Context(), "DELETE", "/accounts/ann", "", 503, says)
	lost.away, lost.deletes = false, true
	s.expect(t.Context(), "DELETE", "/accounts/ann", "", 503, says)
	s.expect(t.Context(), "GET", "/accounts/ann", "", 404, "there is no such account")
	s.expect(t.Context(), "DELETE", "/accounts/ann?character=Ada", "", 200, `"characters":["Ada"],"journal":2,"chat":2,"deletedBefore":true`)
	s.expectNearby("bob", "hit (deleted)")
}

func TestRepeatedDeletionRefusesNameOfExistingCharacter(t *testing.T) {
	t.Parallel()
	s := newStoppedServer(t, newAccounts(t))
	s.exec(journal.FileName, `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, 0, 1, 2, 'bob', 'hit', 'hit Ada')`, time.Now().UnixMilli())
	s.expect(t.Context(), "DELETE", "/accounts/anne?character=Ida&character=ADA", "", 409, `a character \"ADA\" exists`)
	s.expectNearby("bob", "hit Ada")
}

func TestRepeatedDeletionReplacesNamesLeftInJournal(t *testing.T) {
	t.Parallel()
	s := newStoppedServer(t, newAccounts(t))
	now := time.Now()
	s.exec(journal.FileName, `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, 0, 1, 2, 'bob', 'hit', 'hit Ida')`, now.UnixMilli())
	s.expect(t.Context(), "DELETE", "/accounts/ian?character=Ida", "", 200, `"journal":1,"chat":0,"deletedBefore":true`)
	s.expectNearby("bob", "hit (deleted)")
	s.chat.Add(chatlog.Line{At: now, Channel: chatlog.Message, Operator: "zoe", ToAccount: "ian", ToPlayer: "Ida", Text: "hello"})
	s.expect(t.Context(), "DELETE", "/accounts/ian", "", 200, `"journal":0,"chat":1,"deletedBefore":true`)
	s.expect(t.Context(), "DELETE", "/accounts/ian?character=Ida", "", 404, "have no data of it")
}

// Nodes of a cluster have one store, and each has a journal and a chat log.
func TestDeletionAndMergeChangeJournalAndChatLogOfSecondNode(t *testing.T) {
	t.Parallel()
	st := newAccounts(t)
	a, b := newStoppedServer(t, st), newStoppedServer(t, st)
	b.exec(journal.FileName, `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, 0, 1, 2, 'bob', 'hit', 'hit Ada')`, time.Now().UnixMilli())
	a.expect(t.Context(), "DELETE", "/accounts/ann?character=Ada", "", 409, `leave out \"character\"`)
	a.expect(t.Context(), "DELETE", "/accounts/ann", "", 200, `"characters":["Ada"],"journal":1,"chat":2,"deletedBefore":false`)
	b.expect(t.Context(), "DELETE", "/accounts/ann?character=", "", 400, "is missing")
	b.expect(t.Context(), "DELETE", "/accounts/ann?"+strings.Repeat("character=x&", store.MaxCharacters+1), "", 400, "occurs 11 times")
	b.expect(t.Context(), "DELETE", "/accounts/ann?character=Ada&character=Ida", "", 200, `"characters":["Ada","Ida"],"journal":2,"chat":2,"deletedBefore":true`)
	b.expectLines("ann", 0)
	b.expectNearby("bob", "hit (deleted)")
	list, err := b.journal.OperatorActions(t.Context(), 0, 1)
	if err != nil || len(list) != 1 || list[0].Detail != "the rest of an account that was deleted before" || list[0].Result != "ok" {
		t.Errorf("the audit has %+v, %v", list, err)
	}

	if _, err := st.CreateAccount(t.Context(), store.Account{Name: "Cora"}); err != nil {
		t.Fatal(err)
	}
	a.expect(t.Context(), "POST", "/accounts/bob/merge", `{"into":"Cora"}`, 200, `"ok":true`)
	b.expect(t.Context(), "POST", "/accounts/bob/merge", `{"into":"nobody"}`, 404, "there is no such account")
	b.expect(t.Context(), "POST", "/accounts/bob/merge", `{"into":"Cora"}`, 200, `"ok":true`)
	b.expectLines("Cora", 1)
	b.expect(t.Context(), "POST", "/accounts/bob/merge", `{"into":"Cora"}`, 404, "there is no such account")
}

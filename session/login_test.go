package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

func TestLoginToUnknownAccountGivesSameErrorAsWrongPassword(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.join("Ada")
		_, wrong := r.Login(r.ctx, r.peer(), "Ada", "guess")
		_, unknown := r.Login(r.ctx, r.peer(), "Bea", "guess")
		_, long := r.Login(r.ctx, r.peer(), "Ada", strings.Repeat("x", 10_000))
		if wrong != ErrDenied || unknown != ErrDenied || long != ErrDenied {
			t.Errorf("wrong: %v, unknown: %v, long: %v", wrong, unknown, long)
		}
		l, err := r.Login(r.ctx, r.peer(), "aDA", "secret")
		r.must(err)
		if l.Name != "Ada" || l.Account == 0 || l.GM || l.Door != "rcce" {
			t.Errorf("login is %+v", l)
		}
	})
}

// The duration of a failed login must not reveal whether an account exists or how old its hash is.
func TestFailedLoginComputesOneHashForAnyAccount(t *testing.T) {
	h := &hasher{cost: cheap}
	for what, stored := range map[string]string{
		"unknown": "", "known": newPHC("secret", cheap).String(), "salted": salted("secret"), "bare": md5OfRustpass,
	} {
		before := h.count.Load()
		if ok, _ := h.verify(stored, "guess"); ok || h.count.Load()-before != 1 {
			t.Errorf("%s: %v after %d hashes", what, ok, h.count.Load()-before)
		}
	}
}

func TestFiveFailedLoginsThrottleConnectionForOneMinute(t *testing.T) {
	withIdleServer(t, Options{FailuresPerAccount: 100}, func(r *testServer) {
		r.join("Ada")
		p := r.peer()
		for range 4 {
			_, err := r.Login(r.ctx, p, "Ada", "guess")
			r.mustBe(err, ErrDenied)
		}
		_, err := r.Login(r.ctx, p, "Ada", "secret")
		r.must(err) // the successful login resets the count of failures of the connection
		for range 5 {
			_, err := r.Login(r.ctx, p, "Ada", "guess")
			r.mustBe(err, ErrDenied)
		}
		_, err = r.Login(r.ctx, p, "Ada", "secret")
		r.mustBe(err, ErrThrottled)
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.must(err) // failures on another connection do not count
		time.Sleep(time.Minute)
		_, err = r.Login(r.ctx, p, "Ada", "secret")
		r.must(err)
	})
}

func TestConcurrentPasswordGuessesDoNotBypassThrottle(t *testing.T) {
	withServer(t, Options{Hashers: 1}, func(r *testServer) {
		r.join("Ada")
		p := r.peer()
		results := make(chan error, 50)
		end := r.occupyHasher() // the only hasher is busy until all of the attempts wait for it
		for range cap(results) {
			go func() {
				_, err := r.Login(r.ctx, p, "Ada", "guess")
				results <- err
			}()
		}
		synctest.Wait()
		end()
		count := map[error]int{}
		for range cap(results) {
			count[<-results]++
		}
		if count[ErrDenied] != 5 || count[ErrThrottled] != 45 {
			t.Errorf("50 guesses at once: %v", count)
		}
	})
}

func TestFailedLoginsThrottleAccountOnlyForSourceAddress(t *testing.T) {
	withIdleServer(t, Options{}, func(r *testServer) {
		for _, name := range []string{"Ada", "Bea"} {
			r.join(name)
		}
		for range 10 {
			_, err := r.Login(r.ctx, r.peer(), "aDA", "guess")
			r.mustBe(err, ErrDenied)
		}
		_, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrThrottled)
		_, err = r.Login(r.ctx, r.peer(), "Bea", "secret")
		r.must(err)
		other := r.peer()
		other.Addr = netip.MustParseAddr("192.0.2.2")
		_, err = r.Login(r.ctx, other, "Ada", "secret")
		r.must(err)
		time.Sleep(time.Minute)
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.must(err)
		held := r.Gate().Report()
		if len(held) != 1 || held[0].Budget != admission.BudgetAccount || held[0].Account != "ada" || held[0].Count != 1 {
			t.Errorf("held back: %+v", held)
		}
	})
}

// All clients of a proxy on the same machine have one loopback address, so new accounts must not lower the priority of that
// address.
func TestNewAccountsLowerLoginPriorityOfTheirAddressExceptLoopback(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		for addr, want := range map[string]admission.Rank{"192.0.2.1": admission.RankManyAccounts, "127.0.0.1": admission.RankRecent} {
			p := r.peer()
			p.Addr = netip.MustParseAddr(addr)
			for i := range manyNew {
				r.must(r.CreateAccount(r.ctx, p, fmt.Sprint("new ", i, " at ", addr), "secret", ""))
			}
			if got := r.rank(p, "Ada"); got != want {
				t.Errorf("%s: rank %d, want %d", addr, got, want)
			}
		}
	})
}

func TestVerifiedPasswordIsNotHashedAgainUntilCacheExpiresOrPasswordChanges(t *testing.T) {
	withIdleServer(t, Options{Hashers: 1}, func(r *testServer) {
		r.must(r.CreateAccount(r.ctx, r.peer(), "Ada", "secret", ""))
		end := r.occupyHasher() // any further hash waits until the context ends
		ctx, cancel := context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		l, err := r.Login(ctx, r.peer(), "Ada", "secret")
		r.must(err)
		_, err = r.Login(ctx, r.peer(), "Ada", "guess")
		r.mustBe(err, context.DeadlineExceeded)
		if hashed, proved := r.opt.Metrics.Secrets.With("argon2id").Load(), r.opt.Metrics.Secrets.With("proof").Load(); hashed != 1 || proved != 1 {
			t.Errorf("%d secrets count as hashed and %d as proved, want one of each", hashed, proved)
		}
		time.Sleep(10 * time.Minute)
		ctx, cancel = context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		_, err = r.Login(ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, context.DeadlineExceeded) // the cached secret has expired
		end()

		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.must(err)
		r.must(r.ChangeSecret(r.ctx, l, "new"))
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrDenied) // the secret has changed meanwhile
		_, err = r.Login(r.ctx, r.peer(), "Ada", "new")
		r.must(err)
		r.mustBe(r.ChangeSecret(r.ctx, l, ""), ErrInvalid)
	})
}

func TestPasswordChangesOfAccountAreLimitedPerMinute(t *testing.T) {
	withIdleServer(t, Options{}, func(r *testServer) {
		ada, bea := r.player("Ada"), r.player("Bea")
		for i := range maxChanges {
			r.must(r.ChangeSecret(r.ctx, ada, fmt.Sprint("new", i)))
		}
		r.mustBe(r.ChangeSecret(r.ctx, ada, "another"), ErrThrottled)
		r.must(r.ChangeSecret(r.ctx, bea, "new"))
		_, err := r.Login(r.ctx, r.peer(), "Ada", fmt.Sprint("new", maxChanges-1))
		r.must(err)
		time.Sleep(time.Minute)
		r.must(r.ChangeSecret(r.ctx, ada, "another"))
	})
}

func TestBanAndOnlineStateAreReportedOnlyForCorrectPassword(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		_, err := r.Login(r.ctx, r.peer(), "Ada", "guess")
		r.mustBe(err, ErrDenied)
		again, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrOnline)
		if again == nil || again.Account != l.Account {
			t.Errorf("with ErrOnline came the login %+v", again)
		}
		s.Leave()
		r.must(r.disk.SetBanned(r.ctx, l.Account, true))
		_, err = r.Login(r.ctx, r.peer(), "Ada", "guess")
		r.mustBe(err, ErrDenied)
		banned, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrBanned)
		if banned != nil {
			t.Error("a banned account has a login")
		}
	})
}

func TestAccountsWithImportedHashesLogIn(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		batch := []store.Import{
			{Account: store.Account{Name: "bare", Secret: md5OfRustpass, GM: true}},
			{Account: store.Account{Name: "salted", Secret: salted(md5OfRustpass)}},
			{Account: store.Account{Name: "none", Secret: ""}},
		}
		done, err := Import(r.ctx, r.disk, batch, cheap)
		r.must(err)
		if done.Accounts != 3 || batch[0].Account.Secret != md5OfRustpass {
			t.Fatalf("imported %+v, left %+v", done, batch[0])
		}
		if a, err := r.disk.Account(r.ctx, "bare"); err != nil || strings.Contains(a.Secret, md5OfRustpass) {
			t.Errorf("a bare MD5 was stored: %+v, %v", a, err)
		}
		for _, name := range []string{"bare", "salted"} {
			l, err := r.Login(r.ctx, r.peer(), name, md5OfRustpass)
			r.must(err)
			if l.GM != (name == "bare") {
				t.Errorf("%s: GM %v", name, l.GM)
			}
			a, err := r.disk.Account(r.ctx, name)
			r.must(err)
			if _, modern := parsePHC(a.Secret); !modern {
				t.Errorf("%s still has the hash %q", name, a.Secret)
			}
			_, err = r.Login(r.ctx, r.peer(), name, md5OfRustpass)
			r.must(err)
		}
		_, err = r.Login(r.ctx, r.peer(), "none", "")
		r.mustBe(err, ErrDenied)
		done, err = Import(r.ctx, r.disk, batch, cheap)
		r.must(err)
		if done.Accounts != 0 || len(done.Skipped) != 3 {
			t.Errorf("the second time imported %+v", done)
		}
	})
}

func TestAccountCreationIsRefusedIfWorldForbidsIt(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.must(r.CreateAccount(r.ctx, r.peer(), "Ada", "secret", "ada@example.com"))
		r.mustBe(r.CreateAccount(r.ctx, r.peer(), "ADA", "other", ""), ErrAccountExists)
		for _, bad := range [][3]string{
			{"", "s", ""}, {strings.Repeat("x", 51), "s", ""}, {"a\x00b", "s", ""}, {"Bea", "", ""},
			{"Bea", strings.Repeat("x", 257), ""}, {"Bea", "s", "a\nb"}, {"Bea", "s", strings.Repeat("x", 201)},
			{"bedrock:bea", "s", ""}, {"xbox:2535400000000000", "s", ""},
		} {
			r.mustBe(r.CreateAccount(r.ctx, r.peer(), bad[0], bad[1], bad[2]), ErrInvalid)
		}
		a, err := r.disk.Account(r.ctx, "ada")
		r.must(err)
		if a.Email != "ada@example.com" || strings.Contains(a.Secret, "secret") {
			t.Errorf("account is %+v", *a)
		}
		r.world.Def().NewCharacters.AllowAccounts = false
		r.mustBe(r.CreateAccount(r.ctx, r.peer(), "Bea", "s", ""), ErrAccountsClosed)
	})
}

func TestNewAccountsPerAddressAreLimited(t *testing.T) {
	withIdleServer(t, Options{AccountsPerAddr: 3}, func(r *testServer) {
		home := r.peer()
		home.Addr = netip.MustParseAddr("127.0.0.1")
		for _, name := range []string{"a", "b", "c", "d"} {
			r.must(r.CreateAccount(r.ctx, home, "home"+name, "s", ""))
		}
		for _, name := range []string{"a", "b", "c"} {
			r.must(r.CreateAccount(r.ctx, r.peer(), name, "s", ""))
		}
		r.mustBe(r.CreateAccount(r.ctx, r.peer(), "d", "s", ""), ErrThrottled)
		r.mustBe(r.CreateAccount(r.ctx, r.peer(), "a", "s", ""), ErrAccountExists)
		time.Sleep(time.Minute)
		r.must(r.CreateAccount(r.ctx, r.peer(), "d", "s", ""))
	})
}

func TestLoginsAreCountedAndPasswordsAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	m := telemetry.New()
	opt := Options{Metrics: m, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	withServer(t, opt, func(r *testServer) {
		l := r.player("Ada")
		r.enters(l).Leave()
		_, err := r.Login(r.ctx, r.peer(), "Ada", "guess")
		r.mustBe(err, ErrDenied)
		r.must(r.ChangeSecret(r.ctx, l, "other"))
		ticks(2)
	})
	if ok, denied := m.Logins.With(resultOK).Load(), m.Logins.With(resultDenied).Load(); ok != 1 || denied != 1 {
		t.Errorf("%d logins were counted as successful, %d as denied", ok, denied)
	}
	if m.Saves.With(resultOK).Load() == 0 {
		t.Error("no save was counted")
	}
	for _, secret := range []string{"secret", "guess", "other", "argon2"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log.String())
		}
	}
	if !strings.Contains(log.String(), "player entered") {
		t.Errorf("the log is\n%s", log.String())
	}
}

func TestEveryLoginErrorHasMetricLabel(t *testing.T) {
	for err, want := range map[error]string{
		nil: "ok", ErrDenied: "wrong_password", ErrThrottled: "throttled", ErrBanned: "banned", ErrOnline: "online",
		fmt.Errorf("login: %w", ErrOverloaded): "overload", context.DeadlineExceeded: "overload", context.Canceled: "gone",
		errors.New("disk"): "error",
	} {
		if got := resultLabel(err); got != want {
			t.Errorf("%v is counted as %q", err, got)
		}
	}
}

package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/store"
)

// hashTime is the virtual time that one password hash takes in these tests. measured: docs/benchmarks/login.md
const hashTime = 25 * time.Millisecond

// withSlowHasher runs fn with a server that computes one password hash at a time, each in hashTime.
func withSlowHasher(t *testing.T, opt Options, fn func(r *testServer)) {
	t.Helper()
	opt.Hashers = 1
	withIdleServer(t, opt, func(r *testServer) {
		r.hasher.pause = hashTime
		fn(r)
	})
}

// from returns a new connection from address n of a botnet whose addresses are all in different networks.
func (r *testServer) from(n int) Peer {
	p := r.peer()
	p.Addr = netip.AddrFrom4([4]byte{10, byte(n >> 8), byte(n), 1})
	return p
}

// repeat calls f in a loop on each of n goroutines until stop is called.
func (r *testServer) repeat(n int, f func(ctx context.Context, i int)) (stop func()) {
	ctx, cancel := context.WithCancel(r.ctx)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				f(ctx, i)
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// within fails the test if f takes longer than limit.
func (r *testServer) within(limit time.Duration, what string, f func() error) {
	r.t.Helper()
	began := time.Now()
	if err := f(); err != nil {
		r.t.Errorf("%s: %v", what, err)
	}
	if took := time.Since(began); took > limit {
		r.t.Errorf("%s took %v, want at most %v", what, took, limit)
	}
}

// Thirty honest players behind one address log in during each attack. Ten have an account, the others create one.
func TestThirtyPlayersBehindOneAddressLogInDuringAttackOnLogins(t *testing.T) {
	const house = 30
	for _, c := range []struct {
		attack  string
		clients int
		try     func(r *testServer, ctx context.Context, i int)
	}{
		{"none", 0, nil},
		{"wrong secrets from 70 addresses", 140, func(r *testServer, ctx context.Context, i int) {
			r.Login(ctx, r.from(i%70), fmt.Sprint("victim", i%7), "guess")
			time.Sleep(50 * time.Millisecond)
		}},
		{"wrong secrets for random names from 70 addresses", 140, func(r *testServer, ctx context.Context, i int) {
			r.Login(ctx, r.from(i%70), fmt.Sprint("x", time.Now().UnixNano(), i), "guess")
			time.Sleep(50 * time.Millisecond)
		}},
		{"new accounts from 70 addresses", 140, func(r *testServer, ctx context.Context, i int) {
			r.CreateAccount(ctx, r.from(i%70), fmt.Sprint("x", time.Now().UnixNano(), i), "s", "")
			time.Sleep(50 * time.Millisecond)
		}},
		{"logins that hang up", 140, func(r *testServer, ctx context.Context, i int) {
			ctx, hangUp := context.WithTimeout(ctx, 20*time.Millisecond)
			defer hangUp()
			r.CreateAccount(ctx, r.from(i%70), fmt.Sprint("gone", time.Now().UnixNano(), i), "s", "")
			time.Sleep(80 * time.Millisecond)
		}},
		{"wrong secrets from the house itself", 5, func(r *testServer, ctx context.Context, i int) {
			r.Login(ctx, r.peer(), fmt.Sprint("victim", i), "guess")
			time.Sleep(50 * time.Millisecond)
		}},
	} {
		t.Run(c.attack, func(t *testing.T) {
			withSlowHasher(t, Options{SecretCacheTime: time.Second}, func(r *testServer) {
				for i := range house {
					r.must(r.CreateAccount(r.ctx, r.peer(), fmt.Sprint("old", i), "secret", ""))
				}
				r.hasher.pause = hashTime
				stop := r.repeat(c.clients, func(ctx context.Context, i int) { c.try(r, ctx, i) })
				defer stop()
				time.Sleep(2 * time.Second)
				var all sync.WaitGroup
				for i := range house {
					name := fmt.Sprint("old", i)
					all.Go(func() {
						r.within(2*time.Second, name, func() error { _, err := r.Login(r.ctx, r.peer(), name, "secret"); return err })
					})
				}
				all.Wait()
				for i := range house / 3 { // clients log in one after the other, as people do
					name := fmt.Sprint("new", i)
					r.within(2*time.Second, name, func() error { return r.CreateAccount(r.ctx, r.peer(), name, "secret", "") })
					r.within(2*time.Second, name, func() error { _, err := r.Login(r.ctx, r.peer(), name, "secret"); return err })
				}
			})
		})
	}
}

func TestNoAccountIsCreatedForDisconnectedClient(t *testing.T) {
	withSlowHasher(t, Options{LoginsPerAddr: 5000}, func(r *testServer) {
		const clients = 300
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				ctx, hangUp := context.WithCancel(r.ctx)
				time.AfterFunc(hashTime/2, hangUp)
				if err := r.CreateAccount(ctx, r.peer(), fmt.Sprint("gone", i), "secret", ""); !errors.Is(err, context.Canceled) {
					t.Errorf("client %d: %v", i, err)
				}
			})
		}
		synctest.Wait()
		r.within(2*time.Second, "an honest player", func() error { return r.CreateAccount(r.ctx, r.peer(), "Ada", "secret", "") })
		all.Wait()
		for i := range clients {
			if _, err := r.disk.Account(r.ctx, fmt.Sprint("gone", i)); err == nil {
				t.Errorf("client %d has an account", i)
			}
		}
		if n := r.Stats().Hashes; n > 3 {
			t.Errorf("%d secrets were hashed for one player", n)
		}
		if n := r.newAccounts.Get(r.peer().network(), time.Now()); n != 1 {
			t.Errorf("%d new accounts are counted against the address", n)
		}
	})
}

// A client tries to log in while its account is still being created.
func TestLoginWaitsWhileItsAccountIsBeingCreated(t *testing.T) {
	withSlowHasher(t, Options{}, func(r *testServer) {
		end := r.occupyHasher()
		made := make(chan error, 2)
		for range 2 { // the second pass repeats the request for the same account
			go func() { made <- r.CreateAccount(r.ctx, r.peer(), "Ada", "secret", "") }()
		}
		synctest.Wait()
		tried := make(chan error, 40)
		for range cap(tried) {
			go func() { _, err := r.Login(r.ctx, r.peer(), "ada", "secret"); tried <- err }()
		}
		impatient, cancel := context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		_, err := r.Login(impatient, r.peer(), "Ada", "secret")
		r.mustBe(err, context.DeadlineExceeded)
		end()
		if a, b := <-made, <-made; !(a == nil && b == ErrAccountExists || b == nil && a == ErrAccountExists) {
			t.Errorf("the two requests got %v and %v", a, b)
		}
		for range cap(tried) {
			r.must(<-tried)
		}
		if n := r.Stats().Hashes; n != 1 {
			t.Errorf("%d hashes", n)
		}
	})
}

// A thousand players log in at the same time, scaled down to 100 players with hashes that take ten times as long. Like a
// real client, each client gives up after 10 s and retries up to three times.
func TestManyConcurrentLoginsAllSucceed(t *testing.T) {
	for _, c := range []struct {
		known     bool
		perSecond int
	}{{false, 1_000_000}, {true, 20}} {
		t.Run(fmt.Sprintf("known %v, %d/s", c.known, c.perSecond), func(t *testing.T) { testLoginStorm(t, c.known, c.perSecond) })
	}
}

func testLoginStorm(t *testing.T, known bool, perSecond int) {
	withSlowHasher(t, Options{}, func(r *testServer) {
		const players = 100
		r.hasher.pause = 10 * hashTime
		name := func(i int) string { return fmt.Sprint("player", i) }
		if known {
			hash := newPHC("secret", cheap).String()
			for i := range players {
				_, err := r.disk.CreateAccount(r.ctx, store.Account{Name: name(i), Secret: hash})
				r.must(err)
			}
		}
		began := time.Now()
		var all sync.WaitGroup
		for i := range players {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Second / time.Duration(perSecond))
				arrived := time.Now()
				for try := 1; ; try++ {
					err := r.enterOnce(i, name(i))
					if err == nil {
						break
					}
					if try == 4 || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrOverloaded) {
						t.Errorf("player %d, try %d: %v", i, try, err)
						return
					}
					time.Sleep(time.Duration(try) * 2 * time.Second)
				}
				if took := time.Since(arrived); took > 40*time.Second {
					t.Errorf("player %d waited %v", i, took)
				}
			})
		}
		all.Wait()
		if n := r.Stats().Hashes; n != players {
			t.Errorf("%d hashes for %d players", n, players)
		}
		t.Logf("all in after %v", time.Since(began))
	})
}

// enterOnce logs in as a client does: it creates the account first if the account does not exist.
func (r *testServer) enterOnce(i int, name string) error {
	ctx, cancel := context.WithTimeout(r.ctx, 10*time.Second)
	defer cancel()
	if err := r.CreateAccount(ctx, r.from(i), name, "secret", ""); err != nil && !errors.Is(err, ErrAccountExists) {
		return err
	}
	_, err := r.Login(ctx, r.from(i), name, "secret")
	return err
}

// An attacker guesses the password of one account from 600 addresses in 300 networks. The account's owner has logged in
// before from an address that 30 players share.
func TestPasswordGuessesThrottleAccountOnlyForUnknownAddresses(t *testing.T) {
	withIdleServer(t, Options{Hashers: 1, Window: 10 * time.Second, SecretCacheTime: time.Second}, func(r *testServer) {
		const house, networks = 30, 300
		for i := range house {
			r.must(r.CreateAccount(r.ctx, r.peer(), fmt.Sprint("old", i), "secret", ""))
		}
		r.hasher.pause = time.Millisecond
		before := r.Stats().Hashes
		var hashes uint64
		stop := r.repeat(2*networks, func(ctx context.Context, i int) {
			p := r.from(i % networks)
			p.Addr = netip.AddrFrom4([4]byte{10, p.Addr.As4()[1], p.Addr.As4()[2], byte(1 + i/networks)})
			if _, err := r.Login(ctx, p, "OLD7", "guess"); err == nil {
				t.Error("a guess was right")
			}
			time.Sleep(2 * time.Second)
		})
		time.Sleep(5 * time.Second)
		for i := range house { // the attacker guesses only the account of player 7
			r.within(2*time.Second, fmt.Sprint("player ", i), func() error { _, err := r.Login(r.ctx, r.peer(), fmt.Sprint("old", i), "secret"); return err })
		}
		neighbour := r.peer()
		neighbour.Addr = netip.MustParseAddr("192.0.2.77")
		for range 3 { // the account is throttled at a known address only after failures from that address
			_, err := r.Login(r.ctx, neighbour, "old7", "typo")
			r.mustBe(err, ErrDenied)
		}
		r.within(2*time.Second, "the same network", func() error { _, err := r.Login(r.ctx, neighbour, "old7", "secret"); return err })
		elsewhere := r.from(networks + 1)
		r.within(2*time.Second, "another network", func() error { _, err := r.Login(r.ctx, elsewhere, "old7", "secret"); return err })
		stranger := r.from(networks + 2)
		_, err := r.Login(r.ctx, stranger, "old7", "typo")
		r.mustBe(err, ErrDenied)
		_, err = r.Login(r.ctx, stranger, "old7", "secret")
		r.mustBe(err, ErrThrottled)
		time.Sleep(r.opt.Window)
		hashes = r.Stats().Hashes
		time.Sleep(r.opt.Window)
		if n := r.Stats().Hashes - hashes; n > 2*networks+60 {
			t.Errorf("%d guesses in %v", n, r.opt.Window)
		}
		if hashes == before {
			t.Error("nothing was guessed")
		}
		stop()
		held := r.Gate().Report()
		if i := slices.IndexFunc(held, func(h admission.Held) bool { return h.Budget == admission.BudgetGuessed && h.Account == "old7" }); i < 0 {
			t.Errorf("held back: %v", held)
		}
	})
}

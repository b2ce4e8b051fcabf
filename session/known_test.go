package session

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/store"
)

// restartWithStore replaces the hub and the world by new ones on the same store. The old hub is closed unless it was killed.
func (r *testServer) restartWithStore(killed bool) {
	r.t.Helper()
	r.must(r.world.Stop(r.ctx))
	if killed {
		r.must(r.writer.close(r.ctx)) // ends the writer's goroutines without saving
	} else {
		r.must(r.Close(r.ctx))
	}
	opt := r.opt
	r.world = area.NewWorld(r.world.Def(), area.Options{Log: opt.Log})
	r.Hub = NewHub(r.world, r.disk, opt)
	r.world.Start(r.ctx)
}

// setKnown makes the store fail with err when known addresses are saved. If err is nil, these saves succeed again.
func (m *failingStore) setKnown(err error) {
	m.mu.Lock()
	m.knownMood = err
	m.mu.Unlock()
}

func (m *failingStore) SaveKnownAddresses(ctx context.Context, list []store.KnownAddress, since time.Time) error {
	m.mu.Lock()
	err := m.knownMood
	m.mu.Unlock()
	if err != nil {
		return err
	}
	return m.Store.SaveKnownAddresses(ctx, list, since)
}

func at(addr string) Peer { return Peer{Addr: netip.MustParseAddr(addr), Door: "rcce"} }

func TestKnownAddressesSurviveRestart(t *testing.T) {
	withIdleServer(t, Options{KnownTime: 10 * time.Minute}, func(r *testServer) {
		mustBeKnown := func(p Peer, name string, addr, network bool) {
			t.Helper()
			now := time.Now()
			if got := r.known.hasAddr(p, name, now); got != addr {
				t.Errorf("%s at %s is known at the address: %v", name, p.Addr, got)
			}
			if got := r.known.hasNetwork(p, name, now); got != network {
				t.Errorf("%s at %s is known in the network: %v", name, p.Addr, got)
			}
			if first := r.rank(p, name) == admission.RankKnown; first != addr {
				t.Errorf("%s at %s goes first: %v", name, p.Addr, first)
			}
		}
		r.must(r.CreateAccount(r.ctx, at("192.0.2.1"), "Ann", "secret", ""))
		time.Sleep(3 * time.Minute)
		_, err := r.Login(r.ctx, at("2001:db8::7"), "ann", "secret")
		r.must(err)
		r.restartWithStore(false)
		mustBeKnown(at("192.0.2.1"), "ANN", true, true)
		mustBeKnown(at("192.0.2.77"), "ann", false, true)
		mustBeKnown(at("2001:db8::1"), "ann", true, true)
		mustBeKnown(at("192.0.3.1"), "ann", false, false)
		mustBeKnown(at("192.0.2.1"), "bob", false, false)

		time.Sleep(r.opt.KnownTime - 4*time.Minute)
		mustBeKnown(at("192.0.2.1"), "ann", true, true)
		r.restartWithStore(false)
		time.Sleep(2 * time.Minute)
		mustBeKnown(at("192.0.2.1"), "ann", false, false)
		mustBeKnown(at("2001:db8::1"), "ann", true, true)
		time.Sleep(3 * time.Minute)
		mustBeKnown(at("2001:db8::1"), "ann", false, false)

		r.must(r.CreateAccount(r.ctx, at("192.0.2.1"), "Bob", "secret", ""))
		time.Sleep(saveKnownEvery + time.Second)
		r.must(r.CreateAccount(r.ctx, at("192.0.2.1"), "Cid", "secret", ""))
		r.restartWithStore(true)
		mustBeKnown(at("192.0.2.1"), "bob", true, true)
		mustBeKnown(at("192.0.2.1"), "cid", false, false) // cid logged in less than saveKnownEvery before the kill
		list, err := r.disk.KnownAddresses(r.ctx, time.Time{})
		if err != nil || len(list) != 1 {
			t.Errorf("the store has %v, %v; it must forget addresses after KnownTime", list, err)
		}
	})
}

// After a restart, the owner of an account whose password is being guessed still logs in from a network where the account was
// known.
func TestAccountUnderPasswordGuessingIsNotThrottledInKnownNetworkAfterRestart(t *testing.T) {
	withIdleServer(t, Options{Window: time.Minute}, func(r *testServer) {
		r.must(r.CreateAccount(r.ctx, at("192.0.2.1"), "ann", "secret", ""))
		r.restartWithStore(false)
		for i := range 2 * r.opt.FailuresAnywhere {
			_, err := r.Login(r.ctx, r.from(i), "ann", "guess")
			r.mustBe(err, ErrDenied)
		}
		for _, p := range []Peer{at("192.0.2.1"), at("192.0.2.2")} {
			for range 3 {
				_, err := r.Login(r.ctx, p, "ann", "typo")
				r.mustBe(err, ErrDenied)
			}
			_, err := r.Login(r.ctx, p, "ann", "secret")
			r.must(err)
		}
	})
}

// While known addresses cannot be stored, logins are answered. When the disk works again, the addresses are stored.
func TestSaveOfKnownAddressesIsRetriedAfterDiskFailure(t *testing.T) {
	withIdleServer(t, Options{}, func(r *testServer) {
		r.disk.setKnown(errors.New("disk full"))
		r.must(r.CreateAccount(r.ctx, at("192.0.2.1"), "ann", "secret", ""))
		time.Sleep(saveKnownEvery + time.Second)
		if list, err := r.disk.KnownAddresses(r.ctx, time.Time{}); err != nil || len(list) != 0 {
			t.Fatalf("stored: %v, %v", list, err)
		}
		r.disk.setKnown(nil)
		time.Sleep(saveKnownEvery)
		if list, err := r.disk.KnownAddresses(r.ctx, time.Time{}); err != nil || len(list) != 1 || list[0].Account != "ann" {
			t.Errorf("stored: %v, %v", list, err)
		}
	})
}

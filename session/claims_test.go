package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// loseAnswers lets the requests of node 0 for claims and releases take effect and fail until fn returns.
func (c *testCluster) loseAnswers(fn func()) {
	set := func(node string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.loses = node
	}
	set("node0")
	fn()
	set("")
}

// awaitRelease waits until no process holds an account.
func (c *testCluster) awaitRelease(id store.AccountID) {
	for c.holder(id) != "" {
		ticks(1)
	}
}

// releaseRequests returns the number of requests for releases so far.
func (c *testCluster) releaseRequests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.releases
}

// The account is released, and its node does not learn that. If the node let the player enter without another claim, the account could
// also enter through the other node.
func TestAccountWhoseReleaseHadNoAnswerIsClaimedAgain(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, other := c.nodes[0], c.nodes[1]
		l := n.player("Ada")
		s := n.enters(l)
		ticks(20)
		s.Leave()
		c.loseAnswers(func() { c.awaitRelease(l.Account) })
		n.enters(l)
		if got := c.holder(l.Account); got != "node0" {
			t.Errorf("the account is held by %q while its player is in the world", got)
		}
		_, err := other.Enter(c.ctx, l, 0)
		other.mustBe(err, ErrOnline)
	})
}

// While a node does not know that it has released an account, the account plays through another node, which fails.
func TestActorIsFoundByNodeWhoseReleaseHadNoAnswer(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, failing := c.nodes[0], c.nodes[1]
		l := n.player("Ada")
		n.enters(l).Leave()
		var s *Session
		c.loseAnswers(func() {
			c.awaitRelease(l.Account)
			s = failing.enters(l)
			ticks(20)
			c.giveUp(1)
			ticks(3)
		})
		if again := n.enters(l); again.Entity != s.Entity || !again.Resumed() {
			t.Errorf("entered with actor %d, resumed %v; the actor in the world is %d", again.Entity, again.Resumed(), s.Entity)
		}
	})
}

func TestAccountWhoseClaimHadNoAnswerIsReleased(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, other := c.nodes[0], c.nodes[1]
		l := n.player("Ada")
		c.loseAnswers(func() {
			if _, err := n.Enter(c.ctx, l, 0); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("entered with %v", err)
			}
			if got := c.holder(l.Account); got != "node0" {
				t.Errorf("the account is held by %q", got)
			}
		})
		time.Sleep(3 * time.Second)
		other.enters(l)
	})
}

func TestRefusedClaimIsNotReleased(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, other := c.nodes[0], c.nodes[1]
		l := n.player("Ada")
		n.enters(l)
		before := c.releaseRequests()
		_, err := other.Enter(c.ctx, l, 0)
		other.mustBe(err, ErrOnline)
		time.Sleep(3 * time.Second)
		if got := c.releaseRequests() - before; got != 0 || len(other.claims.accounts) != 0 {
			t.Errorf("%d requests for releases, %d claims", got, len(other.claims.accounts))
		}
	})
}

func TestAccountsThatLeaveTogetherAreReleasedInOneRequest(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		var list []*Session
		for i := range 20 {
			list = append(list, n.enters(n.player(fmt.Sprint("P", i))))
		}
		ticks(20)
		before := c.releaseRequests()
		for _, s := range list {
			s.Leave()
		}
		time.Sleep(3 * time.Second)
		for _, s := range list {
			if got := c.holder(s.Login.Account); got != "" {
				t.Errorf("account %s is held by %q", s.Login.Name, got)
			}
		}
		if got := c.releaseRequests() - before; got != 1 {
			t.Errorf("%d requests for releases, want 1", got)
		}
	})
}

// The directory no longer has the claim of a player in the world, for example because the database was restored from a backup.
func TestActorWithClientAtOtherNodeIsNotTakenOver(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, other := c.nodes[0], c.nodes[1]
		l := n.player("Ada")
		s := n.enters(l)
		ticks(20)
		c.forgetClaims()
		for range 2 {
			_, err := other.Enter(c.ctx, l, 0)
			other.mustBe(err, ErrOnline)
			time.Sleep(3 * time.Second)
		}
		if got := c.holder(l.Account); got != "" {
			t.Errorf("after the refused logins the account is held by %q", got)
		}
		s.Leave()
		time.Sleep(3 * time.Second)
		other.enters(l)
	})
}

// lossyDirectory is the Directory of a process: a map of holders that processes share. Requests fail at random, with or without effect.
type lossyDirectory struct {
	r       *rand.Rand
	self    int
	holders map[store.AccountID]int
	lossy   *bool
}

// request carries out a request, unless it is lost. It returns an error if the request or its answer is lost.
func (d *lossyDirectory) request(do func() error) error {
	k := 9
	if *d.lossy {
		k = d.r.IntN(10)
	}
	if k < 2 {
		return store.ErrUnavailable
	}
	if err := do(); err != nil || k >= 4 {
		return err
	}
	return store.ErrUnavailable
}

func (d *lossyDirectory) Claim(_ context.Context, id store.AccountID) error {
	return d.request(func() error {
		if has := d.holders[id]; has != 0 && has != d.self {
			return ErrOnline
		}
		d.holders[id] = d.self
		return nil
	})
}

func (d *lossyDirectory) Release(_ context.Context, ids []store.AccountID) error {
	return d.request(func() error {
		for _, id := range ids {
			if d.holders[id] == d.self {
				delete(d.holders, id)
			}
		}
		return nil
	})
}

func (d *lossyDirectory) Holder() store.SessionHolder {
	return store.SessionHolder{Node: fmt.Sprint(d.self), Incarnation: 1}
}

func (d *lossyDirectory) Serials(context.Context) (first, last uint64, err error) { return 1, 1, nil }

// Whatever requests and answers are lost, an account has users in one process at most, and in the end no process holds an account
// that has no users.
func TestAccountHasUsersInOneProcessOnlyAlthoughAnswersAreLost(t *testing.T) {
	const processes, accounts = 3, 4
	entered, refused, failed := 0, 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		holders, lossy := map[store.AccountID]int{}, true
		var procs [processes]*claims
		var users [processes][accounts + 1][]*claim
		for i := range procs {
			procs[i] = &claims{dir: &lossyDirectory{r: r, self: i + 1, holders: holders, lossy: &lossy}, accounts: map[store.AccountID]*claim{}}
		}
		stored := func(sim.CharacterID) bool { return lossy && r.IntN(2) == 0 }
		for step := range 300 {
			i, id := r.IntN(processes), 1+r.IntN(accounts)
			p, mine := procs[i], &users[i][id]
			switch k := r.IntN(10); {
			case k < 4:
				c, err := p.acquire(t.Context(), store.AccountID(id))
				switch {
				case err == nil:
					entered++
					*mine = append(*mine, c)
				case errors.Is(err, ErrOnline):
					refused++
				default:
					failed++
				}
			case k < 8 && len(*mine) > 0:
				p.release((*mine)[0], sim.CharacterID(r.IntN(2)))
				*mine = (*mine)[1:]
			default:
				if p.releaseUnused(t.Context(), stored) != nil {
					failed++
				}
			}
			for i := range procs {
				for id := 1; id <= accounts; id++ {
					if n := len(users[i][id]); n > 0 && holders[store.AccountID(id)] != i+1 {
						t.Fatalf("seed %d, step %d: account %d has %d users in process %d, and is held by %d", seed, step, id, n, i+1, holders[store.AccountID(id)])
					}
				}
			}
		}
		lossy = false
		for i, p := range procs {
			for id := range users[i] {
				for _, c := range users[i][id] {
					p.release(c, 1)
				}
			}
			if err := p.releaseUnused(t.Context(), stored); err != nil || len(p.accounts) != 0 {
				t.Fatalf("seed %d: the last release: %v, %d claims", seed, err, len(p.accounts))
			}
		}
		if len(holders) != 0 {
			t.Fatalf("seed %d: without users the accounts are held by %v", seed, holders)
		}
	}
	if min(entered, refused, failed) < 1000 {
		t.Errorf("%d logins, %d refused, %d requests failed: the runs are nearly empty", entered, refused, failed)
	}
}

package session

import (
	"context"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

// countedClaims is a directory that counts the calls of Claim.
type countedClaims struct {
	Directory
	n int
}

func (d *countedClaims) Claim(ctx context.Context, id store.AccountID) error {
	d.n++
	return d.Directory.Claim(ctx, id)
}

// The player's node has failed, which the other nodes notice after a while. Until then its account cannot be claimed.
func TestPlayerOfFailedNodeEntersOnceNodeIsDeclaredDeadAfterFewClaims(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		lost, other := c.nodes[0], c.nodes[1]
		l := lost.player("Ada")
		s := lost.enters(l)
		ticks(2)
		claims := &countedClaims{Directory: other.claims.dir}
		other.claims.dir = claims
		const suspect = 3300 * time.Millisecond
		time.AfterFunc(suspect, func() { c.giveUp(0) })
		began := time.Now()
		again, err := other.EnterWhenFree(c.ctx, l, 0)
		other.must(err)
		if took := time.Since(began); !again.Resumed() || again.Entity != s.Entity || took > suspect+200*time.Millisecond {
			t.Errorf("after %v: entity %d, resumed %v", took, again.Entity, again.Resumed())
		}
		if claims.n != 5 { // at the beginning, after each second, and when the node was declared dead
			t.Errorf("%d claims", claims.n)
		}
	})
}

func TestPlayerEntersOnceItsOtherSessionHasEnded(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		for i, most := range []time.Duration{200 * time.Millisecond, 3 * time.Second} { // through the same node, and through the other one
			l := c.nodes[0].player([]string{"Ada", "Bea"}[i])
			s := c.nodes[0].enters(l)
			ticks(2)
			time.AfterFunc(5*time.Second, s.Leave)
			began := time.Now()
			again, err := c.nodes[i].EnterWhenFree(c.ctx, l, 0)
			c.nodes[i].must(err)
			if took := time.Since(began); took < 5*time.Second || took > 5*time.Second+most {
				t.Errorf("%s entered after %v", l.Name, took)
			}
			again.Leave()
			time.Sleep(3 * time.Second)
		}
	})
}

func TestLoginIsRefusedIfOtherSessionGoesOn(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		l := c.nodes[0].player("Ada")
		c.nodes[0].enters(l)
		ticks(2)
		for _, n := range c.nodes {
			ctx, cancel := context.WithTimeout(c.ctx, 12*time.Second)
			began := time.Now()
			_, err := n.EnterWhenFree(ctx, l, 0)
			n.mustBe(err, ErrOnline)
			if took := time.Since(began); took != 12*time.Second {
				t.Errorf("refused after %v", took)
			}
			cancel()
		}
	})
}

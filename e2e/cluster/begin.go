//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

// beginFault is the name of the fault in which all nodes lose their logs. The areas begin anew, so it comes after all others and after the
// check of the history.
const beginFault = "lose-logs"

// storedLimit is a time after which what a client was shown is stored: save_every of world.toml is 10 s.
const storedLimit = 14 * time.Second

// beginAnew kills all nodes, removes their logs, and starts them with --cluster-begin. Players must come back as they were last stored:
// with the experience that they were shown storedLimit before, at least, and with no item lost or doubled.
func (t *test) beginAnew(name string) error {
	least := t.experience()
	wait(t.ctx, storedLimit)
	for _, n := range t.cluster.nodes {
		n.kill()
	}
	var all sync.WaitGroup
	for _, p := range t.players {
		p.base().setPresent(false)
		all.Go(p.cut)
	}
	all.Wait()
	most := t.experience()
	errs := make([]error, nodeCount)
	for i, n := range t.cluster.nodes {
		if err := os.RemoveAll(filepath.Join(n.DataDir, "cluster")); err != nil {
			return err
		}
		all.Go(func() { errs[i] = t.startNode(n, "--cluster-begin") })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.crowd.holding.Store(true)
	defer t.crowd.holding.Store(false)
	for _, p := range t.players {
		p.base().node = p.base().first
	}
	t.Check(name+": clients are in the world again", t.joinAll(t.players, joinSpread)...)
	wait(t.ctx, settleTime)
	t.Check(name+": every node shows each player once, in the same area", t.agree()...)
	errs = errs[:0]
	for who, now := range t.experience() {
		if now < least[who] || now > most[who] {
			errs = append(errs, fmt.Errorf("%s came back with %d experience points, want at least the %d of %v before its node was killed, and at most the last %d", who, now, least[who], storedLimit, most[who]))
		}
	}
	t.Check(name+": players have the experience that was stored", errs...)
	t.Check(name+": no item is lost or doubled", t.compareItems(name))
	t.crowd.holding.Store(false)
	wait(t.ctx, t.after)
	t.awaitObservers()
	t.Check(name+": clients are in the world and nodes run", t.lost(t.players)...)
	t.crowd.holding.Store(true)
	wait(t.ctx, settleTime)
	t.Check(name+": no item is lost or doubled later", t.compareItems(name))
	total := 0
	for _, points := range most {
		total += points
	}
	fmt.Printf("%s: %d players came back from their records; RealmCrafter players had %d experience points\n", name, len(t.players), total)
	return nil
}

// experience returns the experience points that each RealmCrafter client was shown last.
func (t *test) experience() map[string]int {
	points := map[string]int{}
	for _, p := range t.players {
		if p, ok := p.(*rccePlayer); ok {
			points[p.name] = p.goods().points
		}
	}
	return points
}

// compareItems returns an error unless the world has as many pieces as at the first count. Their stacks are not compared, because what lay
// on the ground is added to the stacks of the player that had dropped it. Clients may not have received the last changes yet, so it
// repeats the comparison, for at most countLimit.
func (t *test) compareItems(label string) error {
	for end := time.Now().Add(t.patient(countLimit)); ; wait(t.ctx, polls) {
		want, is := pieces(t.first), pieces(t.census(label))
		if is == want {
			return nil
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			return fmt.Errorf("the world has %d items, want %d as at the first count", is, want)
		}
	}
}

func pieces(c checker.Census) (n int) {
	for _, s := range c.ItemStacks {
		n += s.Amount
	}
	return n
}

//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

// beginFault is the name of the fault in which all nodes lose their logs. The areas begin anew, so it comes after all others and after the
// check of the history.
const beginFault = "lose-logs"

// storedLimit is a time after which what a client was shown is stored: save_every of world.toml is 10 s.
const storedLimit = 14 * time.Second

// tradedLimit is a time after which it is stored that an item was dropped or picked up: nodes store all records that have changed once a
// second (session.Options.SaveEvery), and no tick puts that off until save_every has passed. The rest is for the last request on its way
// to the leader and the tick that grants it, 150 ms, and for the transaction of PostgreSQL beside all clients, 150 ms.
const tradedLimit = time.Second + 300*time.Millisecond

// beginAnew kills all nodes, removes their logs, and starts them with --cluster-begin. Players must come back as they were last stored:
// with the experience that they were shown storedLimit before, at least, and with the items that they had tradedLimit before, and those
// that they had dropped and that lay on the ground then.
func (t *test) beginAnew(name string) error {
	least := t.experience()
	wait(t.ctx, storedLimit-tradedLimit)
	defer t.crowd.keeping.Store(false)
	owned, late := t.keepItems()
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
	t.Check(name+": players have the items that they had, and those that they had dropped", t.compareBelongings(&owned)...)
	fmt.Printf("%s: %s\n", name, &owned)
	fmt.Printf("%s: nodes were killed %v after the players stopped trading, and %d stacks were picked up in the second before\n", name, tradedLimit, late)
	var none error
	if late == 0 {
		none = errors.New("no stack was picked up in the last second, so none had to be stored within tradedLimit")
	}
	t.Check(name+": players picked up stacks in the last second before they stopped", none)
	t.crowd.keeping.Store(false)
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

// keepItems makes RealmCrafter players drop and pick up nothing any more, and returns what they have after tradedLimit. A client must be in
// each area then, so that all stacks on the ground are known, and a player must have picked up a stack in the second before; otherwise the
// players trade again, for at most homeLimit. A stack that was dropped is no proof: the player has it again, whether that was stored or not.
// The result late is the number of stacks that were picked up in that second.
func (t *test) keepItems() (owned belongings, late int) {
	for end := time.Now().Add(t.patient(homeLimit)); ; {
		t.awaitObservers()
		before := t.picked()
		wait(t.ctx, time.Second)
		t.crowd.keeping.Store(true)
		late = t.picked() - before
		wait(t.ctx, tradedLimit)
		if owned = t.belongings(); late > 0 && len(t.unobserved()) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return owned, late
		}
		t.crowd.keeping.Store(false)
	}
}

// picked returns the number of stacks that RealmCrafter players have picked up.
func (t *test) picked() (n int) {
	for _, p := range t.players {
		if p, ok := p.(*rccePlayer); ok {
			n += p.goods().picked
		}
	}
	return n
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

// belongings are the Tokens that each RealmCrafter player must have after the areas begin anew: those in its inventory, and those that
// it has dropped and that lie on the ground.
type belongings struct {
	held, dropped map[string]int // by player name
	stacks        int            // number of stacks on the ground that belong to the player that dropped them
	unknown       []int          // sizes of the other stacks on the ground: no client was shown who dropped them, because its node failed
}

// belongings returns what RealmCrafter clients are shown in inventories and on the ground.
func (t *test) belongings() belongings {
	b := belongings{held: map[string]int{}, dropped: map[string]int{}}
	ground := map[uint32]int{}
	for _, p := range t.players {
		if p, ok := p.(*rccePlayer); ok {
			g := p.goods()
			b.held[p.name] = sum(g.slots)
			maps.Copy(ground, g.ground)
		}
	}
	for handle, amount := range ground {
		if who, ok := t.crowd.droppers.Load(handle); ok {
			b.dropped[who.(string)] += amount
			b.stacks++
		} else {
			b.unknown = append(b.unknown, amount)
		}
	}
	return b
}

func (b *belongings) String() string {
	return fmt.Sprintf("%d stacks of %d players lay on the ground and are in their inventories again, and %d of players that are not known", b.stacks, len(b.dropped), len(b.unknown))
}

// compare returns an error for each player that does not have what it must have. The parameter now has the numbers of Tokens in
// inventories. A player may have any of the stacks whose dropper is unknown.
func (b *belongings) compare(now map[string]int) (errs []error) {
	free := 0
	for _, amount := range b.unknown {
		free += amount
	}
	for _, who := range slices.Sorted(maps.Keys(b.held)) {
		least := b.held[who] + b.dropped[who]
		if is := now[who]; is < least || is > least+free {
			errs = append(errs, fmt.Errorf("%s came back with %d items, want the %d that it had, the %d that it had dropped, and at most %d whose dropper is unknown", who, is, b.held[who], b.dropped[who], free))
		}
	}
	if b.stacks == 0 {
		errs = append(errs, errors.New("no stack with a known dropper lay on the ground, so none was compared"))
	}
	return errs
}

// compareBelongings compares what RealmCrafter clients are shown with what must be there. It repeats the comparison until they agree,
// for at most countLimit.
func (t *test) compareBelongings(want *belongings) (errs []error) {
	for end := time.Now().Add(t.patient(countLimit)); ; wait(t.ctx, polls) {
		is := t.belongings()
		if errs = want.compare(is.held); len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

func sum(slots map[uint8]int) (n int) {
	for _, amount := range slots {
		n += amount
	}
	return n
}

// compareItems returns an error unless the world has as many pieces as at the first count. Their stacks are not compared, because what
// lay on the ground is added to the stacks of the player that had dropped it. Clients may not have received the last changes yet, so it
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

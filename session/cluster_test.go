package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// testCluster is a cluster of two nodes in one process: two hubs that read the frames of one world and share a database.
type testCluster struct {
	t     *testing.T
	ctx   context.Context
	world *area.World
	nodes [2]*testNode

	mu       sync.Mutex
	saved    []sim.Tick // by AreaID
	entities map[sim.CharacterID]sim.EntityID
	in       map[sim.EntityID]sim.AreaID // area of each player in the newest frames
	lingers  map[sim.EntityID]bool       // players who had no connection in the newest frames
	claims   map[store.AccountID]store.SessionHolder
	serials  map[string]uint64
	gone     sync.Map // of each store.SessionHolder that was declared dead; read with and without mu

	pause func() // called, if not nil, before the next change of stored records that a process makes as the holder of accounts

	loses    string // name of a node whose requests for claims and releases take effect and return an error; "" for none
	releases int    // number of requests for releases
}

// testNode is one node of a testCluster. It implements area.Host with the areas of the common world.
type testNode struct {
	*testServer
	area.Host
	c    *testCluster
	log  bytes.Buffer
	self store.SessionHolder

	epochs []uint64                                              // by AreaID: epoch in which this process believes that it owns the area, 0 for none
	behind sim.Tick                                              // the ticks that Barrier returns are this many ticks in the future
	find   func() (p area.RestoredPlayer, found bool, err error) // replaces the answer of Find; nil for the true answer
	lose   func(sim.Intent) bool                                 // decides which submitted intents are lost; nil for none
	before func(sim.Intent)                                      // is called with each intent before it is submitted; nil for nothing
}

func (n *testNode) Owner(a sim.AreaID) (epoch uint64, own bool) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	return n.epochs[a], n.epochs[a] > 0
}

func (n *testNode) SavedTick(a sim.AreaID) sim.Tick {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	return n.c.saved[a]
}

func (n *testNode) Saved(a sim.AreaID, tick sim.Tick) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	if n.epochs[a] == 0 {
		n.c.t.Errorf("node %s says that area %d is saved up to %d and does not own it", n.self.Node, a, tick)
	}
	n.c.saved[a] = max(n.c.saved[a], tick)
}

func (n *testNode) Barrier(context.Context) (ticks []sim.Tick, err error) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	for _, a := range n.c.world.Stats() {
		ticks = append(ticks, a.Tick+n.behind)
	}
	return ticks, nil
}

func (n *testNode) Find(_ context.Context, c sim.CharacterID) (area.RestoredPlayer, bool, error) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	if n.find != nil {
		return n.find()
	}
	who := n.c.entities[c]
	in, found := n.c.in[who]
	return area.RestoredPlayer{Entity: who, Character: c, Area: in, Arrived: true, Connected: found && !n.c.lingers[who]}, found, nil
}

func (n *testNode) Submit(a sim.AreaID, in sim.Intent) error {
	n.c.mu.Lock()
	before := n.before
	n.c.mu.Unlock()
	if before != nil {
		before(in)
	}
	if in.Kind == sim.IntentJoin {
		n.c.mu.Lock()
		n.c.entities[in.Join.Character.ID] = in.Who
		n.c.mu.Unlock()
	}
	n.c.mu.Lock()
	lost := n.lose != nil && n.lose(in)
	n.c.mu.Unlock()
	if lost {
		return nil
	}
	return n.Host.Submit(a, in)
}

// ClaimSession implements store.Sessions.
func (c *testCluster) ClaimSession(_ context.Context, id store.AccountID, by store.SessionHolder, gone func(store.SessionHolder) bool) error {
	time.Sleep(time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	if has, held := c.claims[id]; held && has != by && !gone(has) {
		return store.ErrSessionHeld
	}
	c.claims[id] = by
	return c.answer(by)
}

func (c *testCluster) ReleaseSessions(_ context.Context, ids []store.AccountID, by store.SessionHolder) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.releases++
	for _, id := range ids {
		if c.claims[id] == by {
			delete(c.claims, id)
		}
	}
	return c.answer(by)
}

// answer is the error of a request that has taken effect. The caller holds c.mu.
func (c *testCluster) answer(to store.SessionHolder) error {
	if c.loses == to.Node {
		return store.ErrUnavailable
	}
	return nil
}

func (c *testCluster) ReserveSerials(_ context.Context, node string, n uint64) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serials[node] += n
	return c.serials[node], nil
}

func (c *testCluster) HeldSessions(context.Context) ([]store.HeldSession, error) { return nil, nil }

// forgetClaims forgets all claims.
func (c *testCluster) forgetClaims() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.claims)
}

func (c *testCluster) holder(id store.AccountID) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.claims[id].Node
}

// own makes a process the owner of all areas in the given epoch. Epoch 0 ends the ownership.
func (c *testCluster) own(node int, epoch uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for a := range c.nodes[node].epochs {
		c.nodes[node].epochs[a] = epoch
	}
}

// giveUp simulates that the cluster has declared a node failed: its players are disconnected, its sessions end, and it continues
// with a new incarnation.
func (c *testCluster) giveUp(node int) {
	n := c.nodes[node]
	c.mu.Lock()
	c.gone.Store(n.self, true)
	for who, in := range c.in {
		if who.Node() == n.opt.Node {
			_ = c.world.Submit(in, sim.Intent{Kind: sim.IntentDisconnect, Who: who, AtMS: c.world.NowMS()})
		}
	}
	c.mu.Unlock()
	n.EndAll("The server was cut off.")
	c.mu.Lock()
	n.self.Incarnation++
	c.mu.Unlock()
}

// withCluster runs fn with two processes, of which the first owns all areas in epoch 1.
func withCluster(t *testing.T, def *sim.World, opt Options, fn func(c *testCluster)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		db, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		c := &testCluster{
			t: t, ctx: t.Context(), world: area.NewWorld(def, area.Options{Log: slog.New(slog.DiscardHandler)}), saved: make([]sim.Tick, len(def.Areas)),
			entities: map[sim.CharacterID]sim.EntityID{}, in: map[sim.EntityID]sim.AreaID{}, lingers: map[sim.EntityID]bool{},
			claims: map[store.AccountID]store.SessionHolder{}, serials: map[string]uint64{},
		}
		or(&opt.HashCost, cheap)
		for i := range c.nodes {
			n := &testNode{Host: c.world, c: c, self: store.SessionHolder{Node: fmt.Sprint("node", i), Incarnation: 1}, epochs: make([]uint64, len(def.Areas))}
			o := opt
			o.Node, o.Log = uint16(i), slog.New(slog.NewTextHandler(&n.log, nil))
			self := func() store.SessionHolder {
				c.mu.Lock()
				defer c.mu.Unlock()
				return n.self
			}
			o.Directory = NewDirectory(c, self, func(h store.SessionHolder) bool { _, gone := c.gone.Load(h); return gone })
			n.testServer = &testServer{t: t, ctx: t.Context(), dir: dir, disk: &failingStore{Store: &sharedStore{Store: db, c: c}}, world: c.world}
			n.testServer.Hub = NewHub(n, n.disk, o)
			c.nodes[i] = n
		}
		c.own(0, 1)
		feed := c.world.Subscribe("test", 256, area.All)
		read := make(chan struct{})
		go func() {
			defer close(read)
			for p := range feed.C() {
				c.read(p.Frame)
				p.Release()
			}
		}()
		c.world.Start(t.Context())
		fn(c)
		if err := c.world.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		<-read
		for _, n := range c.nodes {
			if err := n.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// read records which players are in the area of a frame.
func (c *testCluster) read(f *sim.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for who, in := range c.in {
		if in == f.Area && f.Find(who) == nil {
			delete(c.in, who)
		}
	}
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Is(sim.FlagPlayer) {
			c.in[a.ID], c.lingers[a.ID] = f.Area, a.Is(sim.FlagLingering)
		}
	}
}

func TestAccountEnteringThroughTwoNodesAtOnceGetsOnlyOneSession(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		l := c.nodes[0].player("Ada")
		var wg sync.WaitGroup
		var sessions [2]*Session
		var errs [2]error
		for i, n := range c.nodes {
			wg.Go(func() { sessions[i], errs[i] = n.Enter(c.ctx, l, 0) })
		}
		wg.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		if sessions[winner] == nil || !errors.Is(errs[1-winner], ErrOnline) {
			t.Fatalf("sessions %v, errors %v; want one session and ErrOnline", sessions, errs)
		}
		if got := c.holder(l.Account); got != c.nodes[winner].self.Node {
			t.Errorf("the account is held by %q", got)
		}
		ticks(3)
		if n := c.nodes[0].playersInWorld(); n != 1 {
			t.Errorf("%d players are in the world", n)
		}
		c.nodes[1-winner].mustBe(c.nodes[1-winner].deleteCharacter(l, 0), ErrOnline)
		_, err := c.nodes[1-winner].Keeper().EditCharacter(c.ctx, "Ada", "Ada", &CharacterChange{}, false)
		c.nodes[1-winner].mustBe(err, ErrOnline)
	})
}

// A player leaves, and the owner of its area cannot store the last record. Then the other node becomes the owner of the area.
func TestAccountOfDepartedPlayerIsReleasedOnceNewAreaOwnerHasStoredRecord(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		owner, other := c.nodes[0], c.nodes[1]
		l := other.player("Ada")
		s := other.enters(l)
		ticks(20)
		other.walk(s, 80)
		ticks(100)
		owner.disk.set(errors.New("disk full"))
		s.Leave()
		time.Sleep(5 * time.Second)
		if got := other.stored(l).Pos.X; got == 80 || other.disk.attempts() != 0 {
			t.Errorf("the store has %v after %d saves by a node that owns no area", got, other.disk.attempts())
		}
		if c.holder(l.Account) != "node1" || other.Stats().Unsaved != 1 || owner.Stats().Unsaved != 1 {
			t.Errorf("held by %q, unsaved are %d and %d", c.holder(l.Account), owner.Stats().Unsaved, other.Stats().Unsaved)
		}
		again := other.enters(l) // the node that has the account knows the newest record
		if again.Character.Pos.X != 80 {
			t.Errorf("entered at %v", again.Character.Pos)
		}
		again.Leave()
		ticks(20)
		c.own(0, 0)
		c.own(1, 2)
		time.Sleep(3 * time.Second)
		if got := other.stored(l).Pos.X; got != 80 || other.Stats().Unsaved != 0 {
			t.Errorf("the store has %v, %d records wait at the new owner", got, other.Stats().Unsaved)
		}
		if got := c.holder(l.Account); got != "" {
			t.Errorf("the account is held by %q", got)
		}
		before := owner.disk.attempts()
		owner.disk.set(nil)
		time.Sleep(time.Minute)
		if owner.Stats().Unsaved != 0 || owner.disk.attempts() != before || len(owner.writer.records) != 0 {
			t.Errorf("the former owner has %d unsaved records and has tried %d saves", owner.Stats().Unsaved, owner.disk.attempts()-before)
		}
		if s := owner.enters(l); s.Character.Pos.X != 80 {
			t.Errorf("entered through the other node at %v", s.Character.Pos)
		}
	})
}

// The former owner does not know yet that it has lost its areas. The store refuses its records, and the new owner stores them.
func TestFormerOwnerOfAreaStoresNoRecordsAndDoesNotRetry(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		former, owner := c.nodes[0], c.nodes[1]
		l := former.player("Ada")
		s := former.enters(l)
		ticks(20)
		c.own(1, 7)
		former.must(owner.disk.SaveCharacters(c.ctx, store.Fence{{Area: 0, Epoch: 7}, {Area: 1, Epoch: 7}}, nil))
		owner.disk.set(errors.New("disk full"))
		former.walk(s, 80)
		ticks(100)
		s.Leave()
		before := former.disk.attempts()
		time.Sleep(time.Minute)
		if got := former.stored(l).Pos.X; got == 80 || former.Stats().Unsaved != 1 {
			t.Errorf("the store has %v, %d records wait", got, former.Stats().Unsaved)
		}
		if n := former.disk.attempts() - before; n != 2 { // one attempt to save the records, and one to learn whether their area is lost
			t.Errorf("%d saves of a former owner in a minute", n)
		}
		if n := strings.Count(former.log.String(), "this node no longer does"); n != 1 || former.SaveStatus().Err != nil {
			t.Errorf("logged %d times, status %+v:\n%s", n, former.SaveStatus(), former.log.String())
		}
		owner.disk.set(nil)
		time.Sleep(time.Minute)
		if got := former.stored(l).Pos.X; got != 80 || former.Stats().Unsaved != 0 || owner.Stats().Unsaved != 0 || c.holder(l.Account) != "" {
			t.Errorf("then the store has %v, %d and %d records wait, held by %q", got, former.Stats().Unsaved, owner.Stats().Unsaved, c.holder(l.Account))
		}
		c.own(1, 0)
		c.own(0, 9) // the former owner owns the areas again
		again := former.enters(l)
		ticks(20)
		former.walk(again, 60)
		ticks(100)
		again.Leave()
		time.Sleep(3 * time.Second)
		if got := former.stored(l).Pos.X; got != 60 {
			t.Errorf("the owner of a new epoch has stored %v", got)
		}
	})
}

func TestLoginAtOtherNodeTakesOverPlayerOfFailedNode(t *testing.T) {
	for _, how := range []string{"Enter", "Resume"} {
		t.Run(how, func(t *testing.T) {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				lost, other := c.nodes[0], c.nodes[1]
				l := lost.player("Ada")
				s := lost.enters(l)
				ticks(20)
				lost.walk(s, 80)
				ticks(40)
				if s.CutOff() {
					t.Error("the session is cut off before its node is")
				}
				_, err := other.Enter(c.ctx, l, 0)
				other.mustBe(err, ErrOnline)
				c.giveUp(0)
				if !s.CutOff() || s.KickMessage() != "The server was cut off." || len(lost.Players()) != 0 {
					t.Errorf("cut off %v with %q, players %+v", s.CutOff(), s.KickMessage(), lost.Players())
				}
				lost.mustBe(s.Submit(sim.Intent{Kind: sim.IntentJump}), ErrLeft)
				s.Leave() // a gateway calls it
				ticks(3)
				var again *Session
				if how == "Enter" {
					again, err = other.Enter(c.ctx, l, 0)
				} else {
					again, err = other.Resume(c.ctx, l)
				}
				other.must(err)
				if again.Entity != s.Entity || !again.Resumed() || again.Character.Pos.X < 51 {
					t.Errorf("entity %d, resumed %v, at %v; want entity %d where it walked", again.Entity, again.Resumed(), again.Character.Pos, s.Entity)
				}
				_, err = lost.Enter(c.ctx, l, 0) // its new incarnation
				lost.mustBe(err, ErrOnline)
				time.Sleep(time.Minute)
				if list := other.Players(); len(list) != 1 || list[0].Lingering || other.playersInWorld() != 1 {
					t.Errorf("players %+v", list)
				}
				again.Leave()
				time.Sleep(3 * time.Second)
				if fresh := lost.enters(l); fresh.Entity == s.Entity || fresh.Entity.Node() != 0 || fresh.Resumed() {
					t.Errorf("entered as %d, resumed %v", fresh.Entity, fresh.Resumed())
				}
			})
		})
	}
}

func TestOtherCharacterOfLingeringAccountIsRefusedInCluster(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		lost, other := c.nodes[0], c.nodes[1]
		l := lost.player("Ada")
		lost.must(lost.CreateCharacter(c.ctx, l, NewCharacter{Name: "Bea", Template: human}))
		lost.enters(l)
		ticks(20)
		c.giveUp(0)
		ticks(3)
		_, err := other.Enter(c.ctx, l, 1)
		other.mustBe(err, ErrOnline)
		other.mustBe(other.deleteCharacter(l, 0), ErrOnline)
		if list := other.Players(); len(list) != 1 || !list[0].Lingering || list[0].Name != "Ada" {
			t.Errorf("players %+v", list)
		}
		time.Sleep(30 * time.Second) // the linger time is over
		if s, err := other.Enter(c.ctx, l, 1); err != nil || s.Character.Name != "Bea" {
			t.Errorf("entered %v, %v", s, err)
		}
	})
}

func TestEnterWaitsUntilNodeHasCaughtUpWithTicksOfOtherNodes(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[1]
		l := n.player("Ada")
		n.behind = 20
		began := time.Now()
		s := n.enters(l)
		if d := time.Since(began); d < 900*time.Millisecond || d > 1200*time.Millisecond {
			t.Errorf("entered after %v, want the second that 20 ticks take", d)
		}
		s.Leave()
		time.Sleep(3 * time.Second)
		n.behind = 1000
		_, err := n.Enter(c.ctx, l, 0)
		n.mustBe(err, ErrBusy)
		n.behind = 0
		n.enters(l).Leave()
		ticks(2)
		n.behind = 1000
		n.enters(l) // the account is not released yet, so no other node can have changed it
	})
}

// A node has missed frames whose records only other nodes have, and these nodes cannot store them at present. If a character entered
// through the first node now, it would get an older record.
func TestEnterWaitsUntilRecordsOfMissedFramesAreStored(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		owner, n := c.nodes[0], c.nodes[1]
		bea := owner.enters(owner.player("Bea"))
		l := n.player("Ada")
		ticks(20)
		owner.disk.set(errors.New("disk full"))
		bea.Leave()
		ticks(5)
		n.handleFrame(&sim.Frame{Area: 0, Tick: c.world.Stats()[0].Tick + 10}, 9)
		time.Sleep(3 * time.Second)
		_, err := n.Enter(c.ctx, l, 0)
		n.mustBe(err, ErrBusy)
		owner.disk.set(nil)
		time.Sleep(5 * time.Second)
		n.enters(l)
	})
}

// A node that was cut off steps the ticks in which its account has played through another node. If a client comes back to this node
// meanwhile, it must not be shown these ticks.
func TestTakeoverThroughOtherNodeIsNotMistakenForLocalTakeover(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		s := n.enters(l)
		ticks(20)
		s.Disconnect()
		ticks(2)
		n.answers(nil, 20)
		began := c.world.Stats()[0].Tick
		time.AfterFunc(250*time.Millisecond, func() { // the account takes over the actor through another node
			if err := c.world.Submit(0, sim.Intent{Kind: sim.IntentResume, Who: s.Entity, AtMS: c.world.NowMS(), Join: &sim.Join{Portal: -1}}); err != nil {
				t.Error(err)
			}
		})
		again := n.enters(l)
		if !again.Resumed() || again.resumedAt < began+20 {
			t.Errorf("resumed %v in tick %d, and the node has caught up in tick %d", again.Resumed(), again.resumedAt, began+20)
		}
	})
}

func TestPlayerStillEnteringIsRefusedWhenItsNodeIsDeclaredDead(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		n.behind = 20
		done := make(chan error)
		go func() {
			_, err := n.Enter(c.ctx, l, 0)
			done <- err
		}()
		ticks(5)
		c.giveUp(0)
		n.mustBe(<-done, ErrBusy)
		n.behind = 0
		time.Sleep(time.Second)
		if n := n.playersInWorld(); n != 0 {
			t.Errorf("%d players are in the world", n)
		}
		c.nodes[1].enters(l)
	})
}

func TestCharacterEditWithKickRemovesPlayerLingeringAfterNodeFailure(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		lost, other := c.nodes[0], c.nodes[1]
		l := lost.player("Ada")
		lost.enters(l)
		ticks(20)
		c.giveUp(0)
		ticks(3)
		gold := int32(1234)
		change := &CharacterChange{Gold: &gold}
		_, err := other.Keeper().EditCharacter(c.ctx, "Ada", "Ada", change, false)
		other.mustBe(err, ErrOnline)
		_, err = other.Keeper().EditCharacter(c.ctx, "Ada", "Ada", change, true)
		other.must(err)
		time.Sleep(3 * time.Second)
		if s := lost.enters(l); s.Character.Gold != gold || c.holder(l.Account) != "node0" {
			t.Errorf("entered with %d gold, held by %q", s.Character.Gold, c.holder(l.Account))
		}
	})
}

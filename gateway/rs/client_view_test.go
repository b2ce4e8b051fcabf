package rs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/race"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// serverState records the actors of all areas at the last tick of each cycle. It receives frames by a subscription of its own.
type serverState struct {
	mu    sync.Mutex
	areas []map[sim.EntityID]sim.ActorState
}

// trackServerState records frames until the world stops.
func (srv *testServer) trackServerState() *serverState {
	w := srv.world.Def()
	t := &serverState{areas: make([]map[sim.EntityID]sim.ActorState, len(w.Areas))}
	feed := srv.world.Subscribe("truth", 64, area.All)
	go func() {
		for p := range feed.C() {
			if p.Frame.Tick%w.CycleTicks() == 0 {
				t.record(p)
			}
			p.Release()
		}
	}()
	return t
}

func (t *serverState) record(p area.Published) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[sim.EntityID]sim.ActorState{}
	for _, a := range p.Frame.Actors {
		all[a.ID] = a
	}
	t.areas[p.Frame.Area] = all
}

// expectedView is the set of actors that a client must show, computed from the rows of the client's worker.
type expectedView struct {
	area     sim.AreaID
	own      sim.EntityID
	entities map[proto.Index]sim.EntityID
	current  bool // the client has received the last cycle
}

func (srv *testServer) expectedView(c *client) (m expectedView) {
	p := srv.playerNamed(c.name)
	if p == nil {
		return m
	}
	p.w.runAndWait(func() {
		if p.link == nil || p.loginPending || p.scene == nil || p.link.out.backlog() > 0 {
			return
		}
		m = expectedView{area: p.scene.id, own: p.session.Entity, entities: map[proto.Index]sim.EntityID{}, current: true}
		for k, row := range p.shownRows {
			if i := p.viewer.Index(int(row)); p.viewer.IsLocal(i) {
				m.entities[i] = p.shownIDs[k]
			}
		}
	})
	return m
}

// checkedClient is a client together with the entities that it showed in the previous cycle.
type checkedClient struct {
	*client
	previous map[proto.Index]sim.EntityID
	checked  int
	maxSeen  int
}

// checkClient compares what a client sees with the server's state. It skips a client that has not received the last
// cycle.
func (srv *testServer) checkClient(t *testing.T, state *serverState, c *checkedClient) {
	t.Helper()
	m := srv.expectedView(c.client)
	was := c.previous
	c.previous = m.entities
	if !m.current {
		return
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || c.view == nil {
		t.Errorf("%s: %v", c.name, c.err)
		return
	}
	all, def := state.areas[m.area], &srv.world.Def().Areas[m.area]
	tileOf := func(a sim.ActorState) proto.Tile {
		at := a.Tile
		if !a.Is(sim.FlagOnTiles) {
			at, _ = def.Tiles.ToTile(a.Pos)
		}
		return proto.Tile{X: at.X, Z: at.Z, Plane: def.Tiles.Plane}
	}
	locals := slices.Collect(c.view.Locals())
	if want := slices.Sorted(maps.Keys(m.entities)); !slices.Equal(locals, want) {
		t.Errorf("%s sees %v, its worker has %v", c.name, locals, want)
		return
	}
	own := tileOf(all[m.own])
	index := map[sim.EntityID]proto.Index{}
	for _, i := range locals {
		id := m.entities[i]
		index[id] = i
		a, here := all[id]
		if !here {
			continue // a dead actor is still shown for deadCycles
		}
		if got, _ := c.view.Local(i); got != tileOf(a) {
			t.Errorf("%s sees %s at %v, want %v", c.name, a.Body.Name, got, tileOf(a))
		}
		if got := c.nameOf(i); got != a.Body.Name {
			t.Errorf("%s sees %s with the name %q", c.name, a.Body.Name, got)
		}
		if d := tileDistance(own, tileOf(a)); d > 16 {
			t.Errorf("%s sees %s from %d tiles away", c.name, a.Body.Name, d)
		}
	}
	for id, a := range all {
		if index[id] == 0 && len(locals) < 250 && tileDistance(own, tileOf(a)) <= 15 {
			t.Errorf("%s does not see %s at %v from %v", c.name, a.Body.Name, tileOf(a), own)
		}
		if i := index[id]; i != 0 {
			faces, want := c.view.State(i).Target, uint16(proto.None)
			if a.Target != 0 && index[a.Target] != 0 {
				want = index[a.Target] + 32768
			}
			if known := was[i] == id && (a.Target == 0 || was[index[a.Target]] == a.Target); known && faces != want {
				t.Errorf("%s: %s faces %d, want %d", c.name, a.Body.Name, faces, want)
			}
		}
	}
	c.checked++
	c.maxSeen = max(c.maxSeen, len(locals))
}

// joinMany logs in n clients.
func (srv *testServer) joinMany(n int) []*checkedClient {
	srv.t.Helper()
	var all []*checkedClient
	for k := range n {
		all = append(all, &checkedClient{client: srv.startLogin(fmt.Sprintf("Player%d", k), "secret", false)})
	}
	srv.advanceCycles(2)
	for _, c := range all {
		if c.code != proto.ResponseOK {
			srv.t.Fatalf("%s: answered %d, %v", c.name, c.code, c.firstError())
		}
	}
	return all
}

// actRandomly makes a client send one random packet of normal play.
func (c *checkedClient) actRandomly(rng *rand.Rand) {
	if c.view == nil {
		return
	}
	at := c.ownTile()
	near := func(r int) uint16 { return uint16(rng.IntN(2*r+1) - r) }
	switch rng.IntN(10) {
	case 0, 1, 2:
		c.send(proto.MoveGameClick{X: at.X + near(8), Z: at.Z + near(8), Ctrl: rng.IntN(4) == 0})
	case 3:
		c.send(proto.MoveGameClick{X: at.X + 30, Z: at.Z + near(3)}) // walk through the portal
	case 4:
		c.send(proto.MessagePublicRequest{Text: "hello " + c.name})
	case 5:
		c.send(buttonClick(750, 1))
	case 6, 7:
		c.mu.Lock()
		locals := slices.Collect(c.view.Locals())
		c.mu.Unlock()
		c.send(proto.OpPlayer{Option: 1, Index: locals[rng.IntN(len(locals))]})
	case 8:
		c.send(proto.FaceSquare{X: at.X + near(5), Z: at.Z + near(5)})
	}
}

// disruptConnection randomly closes, pauses, resumes or reconnects a client's connection.
func (c *checkedClient) disruptConnection(rng *rand.Rand) {
	lost := c.isClosed()
	switch rng.IntN(60) {
	case 0:
		if !lost {
			c.send(proto.ClientCheat{Command: "logout"})
		}
	case 1:
		c.conn.Close()
	case 2:
		if c.paused == nil {
			c.pause()
		}
	case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17:
		switch {
		case c.paused != nil:
			c.resume()
		case lost && c.code == proto.ResponseOK || lost && c.code == proto.ResponseReconnect:
			c.redial("secret", !c.loggedOut() && rng.IntN(4) > 0)
		case lost:
			c.redial("secret", false)
		}
	}
}

// With random player actions and connection failures, each client's view matches the server after every cycle that it
// received, and no client is sent a packet that it cannot decode.
func TestClientViewsMatchServerStateEachCycle(t *testing.T) {
	w := pvpWorld()
	w.TicksPerSecond = 5
	for i := range w.Templates {
		w.Templates[i].Attr[w.Roles.Health].Value = 20
		w.Templates[i].Attr[w.Roles.Health].Max = 20
	}
	sizes := []struct{ workers, clients, cycles int }{{1, 40, 200}, {3, 20, 60}}
	if race.Enabled {
		sizes = []struct{ workers, clients, cycles int }{{3, 24, 40}}
	}
	for _, size := range sizes {
		withServer(t, w, Options{Register: true, Workers: size.workers}, func(srv *testServer) {
			srv.gateway.skipBacklog = 100 // a low limit, so that a client that does not read misses even small cycles
			state := srv.trackServerState()
			rng := rand.New(rand.NewPCG(7, uint64(size.workers)))
			srv.advance(300 * 1e6) // advance to the middle between two cycles
			all := srv.joinMany(size.clients)
			for cycle := range size.cycles {
				for _, c := range all {
					if !c.isClosed() && cycle < size.cycles-10 {
						c.actRandomly(rng)
					}
					c.disruptConnection(rng)
				}
				srv.advanceCycles(1)
				for _, c := range all {
					if c.isClosed() || c.paused != nil {
						c.previous = nil
						continue
					}
					srv.checkClient(t, state, c)
				}
				if t.Failed() {
					srv.t.Fatalf("in cycle %d", cycle)
				}
			}
			checked, most, kinds := 0, 0, map[proto.Opcode]int{}
			for _, c := range all {
				checked += c.checked
				most = max(most, c.maxSeen)
				for op, n := range c.packets {
					kinds[op] += n
				}
			}
			t.Logf("%d workers: %d views checked, at most %d in one, %d cycles missed, packets %v", size.workers, checked, most, srv.faults("missed_cycle"), kinds)
			if checked < size.clients*size.cycles/2 || most < 10 || srv.faults("missed_cycle") == 0 {
				t.Error("the run covered too few cases")
			}
			if n := srv.faults("panic"); n != 0 {
				t.Errorf("%d panics", n)
			}
		})
	}
}

package bedrock

import (
	"net/netip"
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// show is a scene whose frames are made by hand, before one client that keeps what it is sent.
type show struct {
	*cage
	t   testing.TB
	s   *scene
	f   *sim.Frame
	x   *conn
	got []proto.Packet
}

// Templates and items of a show beside those of the fields.
const (
	horse, guard, bird                   = 3, 4, 5
	itemSword, itemBow, itemCap, itemTin = 1, 2, 3, 4
)

// dressedFields are the fields with looks: wolves and horses are entities, guards people in blue, birds fly.
func dressedFields() *sim.World {
	w := twoFields()
	w.Templates[1].EntityModel = sim.EntityModel{Entity: "minecraft:wolf", Scale: 1.5}
	w.Templates = append(w.Templates,
		sim.Template{ID: horse, Race: "Horse", EntityModel: sim.EntityModel{Entity: "minecraft:horse", Height: 2}},
		sim.Template{ID: guard, Race: "Guard", EntityModel: sim.EntityModel{Shirt: sim.RGB(0, 0, 200)}},
		sim.Template{ID: bird, Race: "Bird", Radius: 1, EntityModel: sim.EntityModel{Entity: "own:bird"}})
	w.Items = []sim.Item{
		{ID: itemSword, EntityItem: "minecraft:iron_sword"}, {ID: itemBow, EntityItem: "minecraft:bow"},
		{ID: itemCap, EntityItem: "minecraft:iron_helmet"}, {ID: itemTin, EntityItem: "minecraft:iron_sword"}, {ID: 5}, {ID: 6, EntityItem: "minecraft:shield"},
	}
	w.Projectiles = []combat.Projectile{{ID: 1, EntityType: "minecraft:snowball", Speed: 50}}
	return w
}

// newShow is a show in which the client's player, entity 1, stands at block (0, 64, 0).
func newShow(t testing.TB) *show {
	c := newCage(t, 1, false)
	c.w.g.wardrobe = newWardrobe(dressedFields())
	s, f := c.crowd(t, 1)
	v := &show{cage: c, t: t, s: s, f: f, x: s.members[0]}
	v.x.sealer, v.x.packed = nil, false
	v.frames(20)
	v.take()
	return v
}

// npc puts an actor of a template beside the player, some blocks to the east.
func (v *show) npc(id sim.EntityID, template uint16, east float32) *sim.ActorState {
	v.f.Actors = append(v.f.Actors, sim.ActorState{
		ID: id, Health: 40, HealthMax: 40, Pos: v.s.def.BlockGrid.ToWorld(geom.Vec{X: east, Y: groundY}),
		Body: &sim.Body{Template: template, Name: "somebody", Equipment: [8]uint16{
			sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem,
		}},
	})
	a := &v.f.Actors[len(v.f.Actors)-1]
	a.DestX, a.DestZ = a.Pos.X, a.Pos.Z
	return a
}

// is the actor as the next frame will have it.
func (v *show) is(id sim.EntityID) *sim.ActorState { return v.f.Find(id) }

// goes puts an actor some blocks farther to the east.
func (v *show) goes(id sim.EntityID, blocks float32) {
	a := v.is(id)
	a.Pos.X += blocks * unitsPerBlock
	a.DestX = a.Pos.X
}

// leaves takes an actor out of the frames to come.
func (v *show) leaves(id sim.EntityID) {
	i := v.f.Index(id)
	v.f.Actors = append(v.f.Actors[:i], v.f.Actors[i+1:]...)
}

// frames shows n frames. What happens happens in the first.
func (v *show) frames(n int, events ...sim.Event) {
	for i := range n {
		v.f.Tick++
		v.now += 50
		if v.f.Events = nil; i == 0 {
			v.f.Events = events
		}
		v.s.Show(v.f)
		v.s.Broadcast(v.f)
		v.s.Sweep()
		v.collect()
	}
}

// collect reads what the client was sent.
func (v *show) collect() {
	v.w.server.Tick(v.now, v.w.event)
	v.w.server.Flush(v.now, v.send)
	e := v.lines[0]
	for _, b := range e.mail {
		e.host.Receive(v.now, serverAddr, b, func(ev raknet.Event) {
			if ev.Kind == raknet.Message {
				v.read(ev.Data[1:])
			}
		})
	}
	e.mail = e.mail[:0]
	e.host.Flush(v.now, func(_ netip.AddrPort, b []byte) { v.w.server.Receive(v.now, e.addr, b, v.w.event) })
}

func (v *show) read(batch []byte) {
	err := proto.EachPacket(batch, proto.MaxBatchPackets, func(b []byte) error {
		p, err := proto.Parse(append([]byte(nil), b...), proto.V2169)
		if err != nil {
			return err
		}
		switch p.(type) {
		case proto.LevelChunk, proto.NetworkChunkPublisherUpdate:
		default:
			v.got = append(v.got, p)
		}
		return nil
	})
	if err != nil {
		v.t.Errorf("a batch cannot be read: %v", err)
	}
}

// take returns what came and forgets it.
func (v *show) take() []proto.Packet {
	list := v.got
	v.got = nil
	return list
}

// of are the packets of one type.
func of[P proto.Packet](list []proto.Packet) (some []P) {
	for _, p := range list {
		if q, ok := p.(P); ok {
			some = append(some, q)
		}
	}
	return some
}

// one is the only packet of its type.
func one[P proto.Packet](t testing.TB, list []proto.Packet) (p P) {
	t.Helper()
	some := of[P](list)
	if len(some) != 1 {
		t.Fatalf("%d of %T in %v", len(some), p, kinds(list))
	}
	return some[0]
}

func kinds(list []proto.Packet) (names []string) {
	for _, p := range list {
		names = append(names, kind(p))
	}
	return names
}

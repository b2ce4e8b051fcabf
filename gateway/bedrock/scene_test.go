package bedrock

import (
	"net/netip"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// sceneTest is a scene whose frames the test creates, with one client that stores the packets that it receives.
type sceneTest struct {
	*manualWorker
	t       testing.TB
	scene   *scene
	frame   *sim.Frame
	client  *conn
	packets []proto.Packet
}

// Ids of the templates and items in the world that fieldsWithAppearances returns.
const (
	horse, guard, bird                   = 3, 4, 5
	itemSword, itemBow, itemCap, itemTin = 1, 2, 3, 4
)

// fieldsWithAppearances returns the world twoFields with appearances: entity models for wolves, horses and birds, and
// blue shirts for guards.
func fieldsWithAppearances() (*sim.World, appearance.Bedrock) {
	w, models := twoFields(), appearance.New().Bedrock
	w.Templates = append(w.Templates,
		sim.Template{ID: horse, Race: "Horse"}, sim.Template{ID: guard, Race: "Guard"}, sim.Template{ID: bird, Race: "Bird", Radius: 1})
	models.Actors[wolf] = appearance.BedrockActor{Entity: "minecraft:wolf", Scale: 1.5}
	models.Actors[horse] = appearance.BedrockActor{Entity: "minecraft:horse", Height: 2}
	models.Actors[guard] = appearance.BedrockActor{Shirt: appearance.RGB(0, 0, 200)}
	models.Actors[bird] = appearance.BedrockActor{Entity: "own:bird"}
	w.Items = []sim.Item{{ID: itemSword}, {ID: itemBow}, {ID: itemCap}, {ID: itemTin}, {ID: 5}, {ID: 6}}
	models.Items = map[uint16]string{
		itemSword: "minecraft:iron_sword", itemBow: "minecraft:bow", itemCap: "minecraft:iron_helmet", itemTin: "minecraft:iron_sword",
		6: "minecraft:shield",
	}
	w.Projectiles = []combat.Projectile{{ID: 1, Speed: 50}}
	models.Projectiles[1] = "minecraft:snowball"
	return w, models
}

// fieldAppearances returns the appearance table of the world that fieldsWithAppearances returns.
func fieldAppearances() *appearanceTable {
	w, models := fieldsWithAppearances()
	return newAppearanceTable(w, &models)
}

// newSceneTest returns a scene in which the client's player, entity 1, stands at block (0, 64, 0).
func newSceneTest(t testing.TB) *sceneTest {
	mw := newManualWorker(t, 1, false)
	mw.w.g.appearanceTable = fieldAppearances()
	s, f := mw.addCrowd(t, 1)
	st := &sceneTest{manualWorker: mw, t: t, scene: s, frame: f, client: s.clients[0]}
	st.client.sealer, st.client.compressed = nil, false
	st.showFrames(20)
	st.takePackets()
	return st
}

// addNPC adds an NPC of a template, some blocks east of the player.
func (st *sceneTest) addNPC(id sim.EntityID, template uint16, east float32) *sim.ActorState {
	st.frame.Actors = append(st.frame.Actors, sim.ActorState{
		ID: id, Health: 40, HealthMax: 40, Pos: st.scene.def.BlockGrid.ToWorld(geom.Vec{X: east, Y: groundY}),
		Body: &sim.Body{Template: template, Name: "somebody", Equipment: [8]uint16{
			sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem, sim.NoItem,
		}},
	})
	a := &st.frame.Actors[len(st.frame.Actors)-1]
	a.DestX, a.DestZ = a.Pos.X, a.Pos.Z
	return a
}

// actor returns an actor of the next frame, which the test may change.
func (st *sceneTest) actor(id sim.EntityID) *sim.ActorState { return st.frame.Find(id) }

// moveActor moves an actor some blocks to the east.
func (st *sceneTest) moveActor(id sim.EntityID, blocks float32) {
	a := st.actor(id)
	a.Pos.X += blocks * unitsPerBlock
	a.DestX = a.Pos.X
}

// removeActor removes an actor from the next frames.
func (st *sceneTest) removeActor(id sim.EntityID) {
	i := st.frame.Index(id)
	st.frame.Actors = append(st.frame.Actors[:i], st.frame.Actors[i+1:]...)
}

// showFrames passes n frames to the scene. The first of them contains the events.
func (st *sceneTest) showFrames(n int, events ...sim.Event) {
	for i := range n {
		st.frame.Tick++
		st.now += 50
		if st.frame.Events = nil; i == 0 {
			st.frame.Events = events
		}
		st.scene.Show(st.frame)
		st.scene.Broadcast(st.frame)
		st.scene.Sweep()
		st.readMail()
	}
}

// readMail makes the client process the datagrams that the worker has sent to it.
func (st *sceneTest) readMail() {
	st.w.server.Tick(st.now, st.w.event)
	st.w.server.Flush(st.now, st.send)
	p := st.served[0]
	for _, b := range p.mail {
		p.host.Receive(st.now, serverAddr, b, func(ev raknet.Event) {
			if ev.Kind == raknet.Message {
				st.readBatch(ev.Data[1:])
			}
		})
	}
	p.mail = p.mail[:0]
	p.host.Flush(st.now, func(_ netip.AddrPort, b []byte) { st.w.server.Receive(st.now, p.addr, b, st.w.event) })
}

func (st *sceneTest) readBatch(batch []byte) {
	err := proto.EachPacket(batch, proto.MaxBatchPackets, func(b []byte) error {
		p, err := proto.Parse(append([]byte(nil), b...), proto.V2169)
		if err != nil {
			return err
		}
		switch p.(type) {
		case proto.LevelChunk, proto.NetworkChunkPublisherUpdate:
		default:
			st.packets = append(st.packets, p)
		}
		return nil
	})
	if err != nil {
		st.t.Errorf("unreadable batch: %v", err)
	}
}

// takePackets returns the received packets and removes them from the test's list.
func (st *sceneTest) takePackets() []proto.Packet {
	list := st.packets
	st.packets = nil
	return list
}

// ofType returns the packets of type P in a list, in order.
func ofType[P proto.Packet](list []proto.Packet) (some []P) {
	for _, p := range list {
		if q, ok := p.(P); ok {
			some = append(some, q)
		}
	}
	return some
}

// only returns the packet of type P in the list, and fails the test unless there is exactly one.
func only[P proto.Packet](t testing.TB, list []proto.Packet) (p P) {
	t.Helper()
	some := ofType[P](list)
	if len(some) != 1 {
		t.Fatalf("%d packets of type %T in %v", len(some), p, listNames(list))
	}
	return some[0]
}

func listNames(list []proto.Packet) (names []string) {
	for _, p := range list {
		names = append(names, packetName(p))
	}
	return names
}

package web

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/web"
)

// ordered is a connection that loses nothing, so that the client sends no acknowledgements.
type ordered struct{ transport }

func (ordered) ordered() bool { return true }

// An actor has the values of the newest snapshot, however often and whenever they are read. An actor that the server no longer
// shows keeps its last values, even after its handle was given to another actor.
func TestActorKeepsValuesOfItsNewestSnapshotAfterLeaving(t *testing.T) {
	c := &Client{world: newWorld(1), t: ordered{}}
	schema := proto.BuiltinSchema()
	teller, tick := proto.NewTeller(&schema, true, 20), uint32(0)
	handle := func(m proto.Message) {
		t.Helper()
		if err := c.handle(t.Context(), proto.AppendMessage(nil, m)); err != nil {
			t.Fatal(err)
		}
	}
	show := func(handles uint16, x int32) {
		t.Helper()
		tick++
		teller.Want(handles, []int32{x, 0, 0, 0, 255, 0}, 0, 1)
		if err := c.handle(t.Context(), teller.Append(nil, proto.SnapshotHeader{Tick: tick}, proto.MaxDatagram)); err != nil {
			t.Fatal(err)
		}
	}
	enter := func(h uint16) *Actor {
		t.Helper()
		handle(&proto.Enter{Handle: h, State: make([]int32, proto.BuiltinFields)})
		teller.Enter(h, 0, make([]int32, proto.BuiltinFields))
		teller.Confirm(h)
		return c.world.Actors[h]
	}
	check := func(when string, a *Actor, x int32) {
		t.Helper()
		if got := a.State()[proto.FieldX]; got != x || a.Pos().X != float32(x)/64 {
			t.Errorf("%s: x is %d, and %v blocks; want %d", when, got, a.Pos().X, x)
		}
	}
	first := enter(0)
	check("before a snapshot", first, 0)
	show(0, 64)
	show(0, 640)
	check("after two snapshots", first, 640)
	check("at a second look", first, 640)
	show(0, 100)
	handle(&proto.Leave{Handle: 0})
	teller.Leave(0)
	check("after it has left", first, 100)
	second := enter(0)
	show(0, 7)
	check("when another has its handle", first, 100)
	check("the other", second, 7)
	show(0, 9)
	c.world.enterArea(&proto.Area{}, nil)
	check("after the area has changed", second, 9)
}

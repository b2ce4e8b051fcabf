package web

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/proto/wire"
)

var update = flag.Bool("update", false, "write the vectors that the TypeScript client is tested with")

// vectorsDir is the folder of the test vectors that the tests of the TypeScript client read.
const vectorsDir = "../../client/ts/test/vectors"

func checkVectors(t *testing.T, name string, v any) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(vectorsDir, name)
	if *update {
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != string(b)+"\n" {
		t.Errorf("%s is not what this package writes (%v): go test ./proto/web -run Vectors -update writes it", path, err)
	}
}

// streamVector records the messages that a client received, and the states that it decoded from them.
type streamVector struct {
	Name   string  `json:"name"`
	Schema *Schema `json:"schema,omitempty"` // schema of the vector; missing: the built-in schema
	Steps  []any   `json:"steps"`            // values of type enterStep or snapshotStep
}

type enterStep struct {
	Enter  uint16  `json:"enter"`
	Kind   uint8   `json:"kind"`
	Values []int32 `json:"values"`
}

type snapshotStep struct {
	Snapshot string `json:"snapshot"`
	Taken    bool   `json:"taken"`
	Ack      string `json:"ack"`    // acknowledgement after the snapshot
	States   uint32 `json:"states"` // FNV-1a hash of handle and values of each actor in the snapshot
	Told     int    `json:"told"`
}

// record runs a simulation and records the messages and decoded states of its client.
func record(name string, seed uint64, ordered bool, actors, ticks int, change func(s *simulation)) streamVector {
	v := streamVector{Name: name}
	s := newSimulation(seed, ordered, actors)
	change(s)
	enter := func(m *mover) {
		values := append([]int32(nil), m.values...)
		s.show(m, true) // shows the actor to both sides without delay
		v.Steps = append(v.Steps, enterStep{m.handle, m.kind, values})
	}
	for _, m := range s.actors[:len(s.actors)*2/3] {
		enter(m)
	}
	s.onSnapshot = v.snapshots(s)
	for tick := range ticks {
		if tick == ticks/3 {
			for _, m := range s.actors[len(s.actors)*2/3:] {
				enter(m)
			}
		}
		s.up.closed = tick > ticks/2 && tick < ticks/2+70
		if err := s.step(ordered); err != nil {
			panic(err)
		}
	}
	return v
}

// snapshots returns a function that records the snapshots of a simulation.
func (v *streamVector) snapshots(s *simulation) func(b []byte, ok bool, told int, states uint32) {
	return func(b []byte, ok bool, told int, states uint32) {
		ack := Ack{s.reader.Received()}
		v.Steps = append(v.Steps, snapshotStep{hex.EncodeToString(b), ok, hex.EncodeToString(ack.Append(nil)), states, told})
	}
}

// recordCrowd records the snapshots of actors that turn while they move. The client receives them over a connection with loss.
func recordCrowd(name string, scene crowd.Scene, members, ticks int) streamVector {
	scene.Members = members
	v := streamVector{Name: name}
	r := newSceneRun(scene, 6, 5, 0.04)
	if scene.Unit > 0 {
		schema := bodySchema()
		v.Schema = &schema
	}
	for i := range r.crowd.Members {
		valuesOf(r.values, &scene, &r.crowd.Members[i])
		v.Steps = append(v.Steps, enterStep{uint16(i), 0, slices.Clone(r.values)})
	}
	r.sim.onSnapshot = v.snapshots(r.sim)
	for range ticks {
		if err := r.step(); err != nil {
			panic(err)
		}
	}
	return v
}

// The vectors contain what Reader decodes. The tests of the TypeScript client check that its reader decodes the same values.
func TestSnapshotVectorsForTypeScriptAreUpToDate(t *testing.T) {
	checkVectors(t, "snapshots.json", []streamVector{
		record("ordered", 1, true, 9, 60, func(*simulation) {}),
		record("perfect line", 2, false, 9, 200, func(*simulation) {}),
		record("loss, delay, duplicates and reordering", 3, false, 9, 300, func(s *simulation) {
			for _, l := range [2]*line{&s.down, &s.up} {
				l.loss, l.duplicate, l.delay, l.jitter = 0.1, 0.05, 2, 3
			}
		}),
		record("little loss", 4, false, 12, 400, func(s *simulation) { s.down.loss, s.down.delay, s.up.delay = 0.006, 2, 1 }),
		record("small budget", 5, false, 30, 150, func(s *simulation) { s.budget, s.down.delay = 60, 1 }),
		recordCrowd("a crowd that turns", crowd.Scenes[1], 9, 150),
		recordCrowd("a crowd that turns up and down", crowd.Published[0], 9, 150),
		recordCrowd("bodies that turn and do not follow", crowd.Scenes[2], 9, 150),
	})
}

// digest adds the state of one actor to a hash.
func digest(sum uint32, handle uint16, values []int32) uint32 {
	h := fnv.New32a()
	b := wire.U16(wire.U32(nil, sum), handle)
	for _, v := range values {
		b = wire.I32(b, v)
	}
	_, _ = h.Write(b) // writing to a hash does not fail
	return h.Sum32()
}

// messageVector is a control message and its fields, as the TypeScript client names them.
type messageVector struct {
	Name     string `json:"name"`
	ToServer bool   `json:"toServer"`
	Hex      string `json:"hex"`
}

func TestMessageVectorsForTypeScriptAreUpToDate(t *testing.T) {
	var list []messageVector
	for _, v := range messages {
		list = append(list, messageVector{v.name, v.toServer, hex.EncodeToString(AppendMessage(nil, v.message))})
	}
	list = append(list, messageVector{"input", true, hex.EncodeToString(walking.Append(nil))})
	checkVectors(t, "messages.json", list)
}

package web

import (
	"math"
	"math/bits"
	"os"
	"testing"

	"github.com/truestep-io/truestep/internal/crowd"
)

// bodySchema returns the schema of a published benchmark: its actors have a direction in two angles, and no built-in fields.
func bodySchema() Schema {
	return Schema{Kinds: []ActorKind{{Name: "body", Fields: []SchemaField{
		{Name: "x", Derived: true, Step: 0.01}, {Name: "y", Derived: true, Step: 0.01}, {Name: "z", Derived: true, Step: 0.01},
		{Name: "yaw", Derived: true, Wrap: 4096, Step: 1. / 4096}, {Name: "pitch", Derived: true, Wrap: 4096, Step: 1. / 4096},
	}}}}
}

// valuesOf converts a member of a crowd to the field values of an actor.
func valuesOf(dst []int32, s *crowd.Scene, m *crowd.Member) {
	if s.Unit > 0 {
		dst[0], dst[1], dst[2], dst[3], dst[4] = s.Precise(m)
		return
	}
	dst[FieldX], dst[FieldY], dst[FieldZ], dst[FieldYaw], dst[FieldHealth], dst[FieldFlags] = m.Values()
}

// sceneRun sends the snapshots of a scene to one client over a simulated connection (a line) and counts their bytes.
type sceneRun struct {
	crowd  *crowd.Crowd
	sim    *simulation
	values []int32
	onTold func(t *Teller, h *SnapshotHeader)
}

func newSceneRun(s crowd.Scene, seed uint64, rttTicks int, loss float64) *sceneRun {
	r := &sceneRun{crowd: crowd.New(s, seed), sim: newSimulation(seed, false, 0), values: make([]int32, BuiltinFields)}
	if s.Unit > 0 {
		schema := bodySchema()
		r.sim.teller, r.sim.reader, r.values = NewTeller(&schema, false, 20), NewReader(&schema), make([]int32, len(schema.Kinds[0].Fields))
	}
	r.sim.down.delay, r.sim.up.delay = (rttTicks+1)/2, rttTicks/2
	r.sim.down.loss, r.sim.up.loss = loss, loss
	for i := range r.crowd.Members {
		valuesOf(r.values, &s, &r.crowd.Members[i])
		r.sim.teller.Enter(uint16(i), 0, r.values)
		r.sim.teller.Confirm(uint16(i))
		if err := r.sim.reader.Enter(uint16(i), 0, r.values); err != nil {
			panic(err)
		}
	}
	return r
}

// step runs a tick.
func (r *sceneRun) step() error {
	s := r.sim
	s.tick++
	r.crowd.Step()
	for i := range r.crowd.Members {
		m := &r.crowd.Members[i]
		valuesOf(r.values, &r.crowd.Scene, m)
		tolerance := int32(1)
		if m.Far() {
			tolerance = 4
		}
		s.teller.Want(uint16(i), r.values, tolerance, 1)
	}
	if r.onTold != nil {
		h := SnapshotHeader{Tick: s.tick, Run: s.teller.run, Refresh: s.teller.refresh, Seq: uint16(s.teller.seq + 1)}
		if s.teller.acked > 0 {
			h.Back = uint8(s.teller.seq + 1 - s.teller.acked)
		}
		s.teller.choose(h.Tick, s.budget-headerLength)
		r.onTold(s.teller, &h)
	}
	b := s.teller.Append(nil, SnapshotHeader{Tick: s.tick}, s.budget)
	s.bytes += len(b)
	s.down.send(b)
	var failed error
	s.down.receive(func(b []byte) {
		told, states := 0, uint32(0)
		_, ok, err := s.reader.Read(b, func(handle uint16, values []int32) { told, states = told+1, digest(states, handle, values) })
		if s.onSnapshot != nil {
			s.onSnapshot(b, ok, told, states)
		}
		if err != nil {
			failed = err
		} else if ok {
			ack := Ack{s.reader.Received()}
			s.up.send(ack.Append(nil))
		}
	})
	s.up.receive(func(b []byte) {
		if ack, err := ParseAck(b); err == nil {
			_ = s.teller.Ack(ack.ReceivedSnapshots)
		}
	})
	return failed
}

// counted holds how often the decision of one context was 0 and how often 1.
type counted [2]float64

// enough is the minimum number of decisions from which a context is trained. Contexts with fewer decisions start at one half.
const enough = 100

func (c *counted) prob() byte {
	if c[0]+c[1] < enough {
		return 128
	}
	p := (c[0] + 0.4) / (c[0] + c[1] + 0.8)
	return byte(min(max(math.Round(p*256), 1), 255))
}

// numberCounts counts the decisions of a number, in the order of number.each.
type numberCounts [numberContexts]counted

func (c *numberCounts) add(v int32) {
	if v == 0 {
		c[0][0]++
		return
	}
	c[0][1]++
	m := uint32(v)
	sign := 0
	if v < 0 {
		m, sign = -m, 1
	}
	c[1][sign]++
	n := bits.Len32(m)
	for i := 1; i < n; i++ {
		c[1+i][1]++
	}
	if n < maxLength {
		c[1+n][0]++
	}
	if n > 1 {
		c[34+n][m>>(n-2)&1]++
	}
}

// trainPrior returns the content of prior.bin: the measured probabilities of all contexts, over all scenes and over connections
// with several round-trip times and losses.
func trainPrior(t *testing.T) []byte {
	var more [2]counted
	var gap numberCounts
	var fields [classes][BuiltinFields]numberCounts
	for i, s := range crowd.Scenes {
		for j, l := range []struct {
			rtt  int
			loss float64
		}{{0, 0}, {1, 0}, {2, 0.05}, {4, 0.005}, {8, 0.05}, {14, 0}} {
			r := newSceneRun(s, uint64(100*i+j), l.rtt, l.loss)
			r.onTold = func(t *Teller, h *SnapshotHeader) {
				last, after := -1, 0
				for _, handle := range t.chosen {
					more[after][1]++
					gap.add(int32(int(handle) - last - 1))
					last, after = int(handle), 1
					a := &t.actors[handle]
					class := classOf(h.Back)
					if t.expect(a, handle, h) == againstLast {
						class = 0
					}
					for f := range t.layout.kinds[0].fields {
						fields[class][f].add(t.layout.kinds[0].fields[f].difference(a.want[f], t.expected[f]))
					}
				}
				more[after][0]++
			}
			for range 600 {
				r.sim.teller.crowded = false // turns off the rules of nextRefresh and learnCost: prior.bin, a part of the protocol, is older
				r.sim.teller.spent, r.sim.teller.estimated = fillTarget, 1
				if err := r.step(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	out := []byte{more[0].prob(), more[1].prob()}
	for i := range gap {
		out = append(out, gap[i].prob())
	}
	for class := range fields {
		for f := range fields[class] {
			for i := range fields[class][f] {
				out = append(out, fields[class][f][i].prob())
			}
		}
	}
	return out
}

// Training with the scenes of this file gives the content of prior.bin again.
func TestTrainingReproducesStoredInitialProbabilitiesOfRangeCoder(t *testing.T) {
	got := trainPrior(t)
	if *update {
		if err := os.WriteFile("prior.bin", got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	// The sine function may differ in the last bit between processors, so a measured probability may differ slightly too.
	differs := len(got) != len(priorBytes)
	for i := 0; i < len(got) && !differs; i++ {
		differs = max(got[i], priorBytes[i])-min(got[i], priorBytes[i]) > 1
	}
	if differs {
		t.Error("prior.bin is not what the scenes give: go test ./proto/web -run 'Prior|Vectors' -update writes it, and the vectors that depend on it; it changes the protocol")
	}
}

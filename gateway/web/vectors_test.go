package web

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

var update = flag.Bool("update", false, "write the vectors that the TypeScript client is tested with")

// vectorsDir is the folder with the test vectors that the tests of the TypeScript client read.
const vectorsDir = "../../client/ts/test/vectors"

// checkVectors compares test vectors with the content of their file. With the flag -update it writes the file.
func checkVectors(t *testing.T, name string, v any) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(vectorsDir, name)
	if *update {
		if err := os.MkdirAll(vectorsDir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != string(b)+"\n" {
		t.Errorf("%s is not what the server computes (%v): go test ./gateway/web -run Vectors -update writes it", path, err)
	}
}

// physicsVector is a run with random inputs. The TypeScript client generates the same inputs with the same generator.
type physicsVector struct {
	Name    string   `json:"name"`
	Ground  string   `json:"ground"` // ground file, base64
	Start   string   `json:"start"`  // avatar, hexadecimal
	Seed    uint32   `json:"seed"`
	Ticks   int      `json:"ticks"`
	Digests []uint32 `json:"digests"` // FNV-1a of the wire forms of the avatar, after every digestEvery ticks
	First   []string `json:"first"`   // wire form of the avatar after each of the first ticks, hexadecimal
}

const (
	digestEvery = 100
	firstTicks  = 40
)

// generator is the linear congruential generator for the inputs of the vectors.
type generator uint32

func (g *generator) next(n uint32) uint32 {
	*g = *g*1664525 + 1013904223
	return uint32(*g) >> 8 % n
}

// entry returns the next random input. It repeats the keys of the last input for some ticks.
func (g *generator) entry(last proto.InputEntry) proto.InputEntry {
	e := last
	e.Keys &= proto.KeyJumpDown | proto.KeyJumping | proto.KeySneakDown | proto.KeyWantUp | proto.KeyWantDown // other keys are requests, which last one tick
	switch g.next(12) {
	case 0:
		e.Yaw = int16(g.next(65536))
	case 1:
		e.Pitch = int8(int32(g.next(181)) - 90)
	case 2:
		e.Strafe, e.Forward = int8(int32(g.next(255))-127), int8(int32(g.next(255))-127)
	case 3:
		e.Strafe, e.Forward = 0, 127
	case 4:
		e.Keys ^= proto.KeyJumpDown | proto.KeyJumping
	case 5:
		e.Keys ^= proto.KeySneakDown
	case 6:
		e.Keys |= proto.Keys(1) << g.next(14)
	case 7:
		e.Keys |= proto.KeyStartSprint
	case 8:
		e.Keys |= proto.KeyStartSwim
	case 9:
		e.Keys ^= proto.KeyWantDown
	}
	return e
}

// vectorGround returns random blocks above flat ground.
func vectorGround(seed uint32, kinds []terrain.BlockID, density uint32) *terrain.Blocks {
	g := generator(seed)
	var ground terrain.Column
	for i := range 8 {
		ground[i] = terrain.ColumnSection{Kind: terrain.Stone} // up to y = 63
	}
	columns := map[[2]int32]*terrain.Column{}
	for x := int32(-1); x <= 1; x++ {
		for z := int32(-1); z <= 1; z++ {
			c := ground
			cells := new([terrain.SectionCells]terrain.BlockID)
			var traits terrain.Traits
			for i := range cells {
				if y := i & 15; y < 6 && g.next(100) < density {
					cells[i] = kinds[g.next(uint32(len(kinds)))]
					traits |= cells[i].Traits()
				}
			}
			c[8] = terrain.ColumnSection{Cells: cells, Traits: traits}
			columns[[2]int32{x, z}] = &c
		}
	}
	return terrain.BlocksWithGround(&ground, -1, -1, 3, 3, func(cx, cz int32) *terrain.Column { return columns[[2]int32{cx, cz}] })
}

// physicsRuns returns one vector for each combination of blocks and abilities.
func physicsRuns() []physicsVector {
	all := make([]terrain.BlockID, 0, terrain.BlockKindCount())
	var solid, wet, dry []terrain.BlockID
	for i := range terrain.BlockKindCount() {
		id := terrain.BlockID(i)
		all = append(all, id)
		if id.Kind().Solid() {
			solid = append(solid, id)
		}
		if id.Kind().Liquid == terrain.WaterLiquid {
			wet = append(wet, id)
		}
		if k := id.Kind(); k.Liquid == terrain.NoLiquid && k.Bubbles == terrain.NoBubbles {
			dry = append(dry, id)
		}
	}
	slabs := []terrain.BlockID{terrain.SmoothStoneSlab, terrain.Stone, terrain.SmoothStoneSlabTop, terrain.Ladder, terrain.LadderEast}
	var runs []physicsVector
	add := func(name string, kinds []terrain.BlockID, density, seed uint32, change func(a *move.Avatar)) {
		a := move.NewAvatar(geom.Vec{X: 3.5, Y: 70, Z: 2.5})
		change(&a)
		runs = append(runs, runVector(name, vectorGround(seed, kinds, density), a, seed))
	}
	none := func(*move.Avatar) {}
	add("flat ground", slabs, 0, 1, none)
	add("slabs, steps and ladders", slabs, 12, 2, none)
	add("dense solids", solid, 35, 3, none)
	add("all blocks", all, 25, 4, none)
	add("water", wet, 70, 5, none)
	add("water with depth strider", wet, 70, 6, func(a *move.Avatar) { a.DepthStrider = 3 })
	add("all blocks, effects", all, 20, 7, func(a *move.Avatar) { a.JumpBoost, a.Speed, a.SoulSpeed = 2, 0.14, true })
	add("levitation", all, 20, 8, func(a *move.Avatar) { a.Levitation = 1 })
	add("slow falling", slabs, 15, 9, func(a *move.Avatar) { a.SlowFalling = 1 })
	add("gliding", slabs, 4, 10, func(a *move.Avatar) {
		a.MayGlide, a.Pos.Y, a.OnGround, a.GlideBoost = true, 300, false, 60
	})
	add("using an item", all, 20, 11, func(a *move.Avatar) { a.UsingItem = true })
	add("knockback", slabs, 12, 12, func(a *move.Avatar) { a.KnockbackVel, a.HasKnockback = geom.Vec{X: 0.4, Y: 0.4, Z: -20}, true })
	add("all blocks on land", dry, 20, 13, func(a *move.Avatar) { a.JumpBoost = 1 })
	return runs
}

func runVector(name string, ground *terrain.Blocks, a move.Avatar, seed uint32) physicsVector {
	const ticks = 20_000
	start := avatarOf(&a)
	v := physicsVector{
		Name: name, Ground: base64.StdEncoding.EncodeToString(AppendGround(nil, ground)), Start: hex.EncodeToString(start.Append(nil)), Seed: seed, Ticks: ticks,
	}
	g := generator(seed)
	sum := fnv.New32a()
	var scratch move.Scratch
	var e proto.InputEntry
	for tick := range ticks {
		e = g.entry(e)
		in := toInput(uint64(tick+1), &e, 0)
		a.Step(&in, ground, &scratch)
		w := avatarOf(&a)
		b := w.Append(nil)
		if tick < firstTicks {
			v.First = append(v.First, hex.EncodeToString(b))
		}
		_, _ = sum.Write(b) // a hash does not fail
		if (tick+1)%digestEvery == 0 {
			v.Digests = append(v.Digests, sum.Sum32())
		}
		if a.Pos.Y < 0 || geom.DistXZ(a.Pos, geom.Vec{}) > 40 { // move the avatar back into the middle
			a.Pos = geom.Vec{X: 3.5, Y: 72, Z: 2.5}
		}
	}
	return v
}

// The vector file contains what the Go physics computes in 260,000 ticks. The TypeScript client's tests require results that
// are equal to the last bit.
func TestPhysicsTestVectorsForTypeScriptClientMatchGoPhysics(t *testing.T) {
	checkVectors(t, "physics.json", physicsRuns())
}

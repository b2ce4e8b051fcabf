package move

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// trajectoryRow is the state after one tick.
type trajectoryRow struct {
	Tick     uint64
	Pos, Vel [3]float32
	OnGround bool
}

// trajectoryInputs has, for each of the trajectories T-1 to T-7, the function that returns the input of a tick. Ticks begin at 1.
var trajectoryInputs = map[string]func(tick uint64) Input{
	"walk":       func(uint64) Input { return Input{Move: [2]float32{0, 1}} },
	"jump":       func(tick uint64) Input { return Input{Flags: jumpAt(tick, 1)} },
	"sprintjump": sprintAndJump,
	"knock":      func(uint64) Input { return Input{} },
	"sneak": func(tick uint64) Input {
		in := Input{Move: [2]float32{0, 1}}
		if tick == 1 {
			in.Flags = InputStartSneak
		}
		return in
	},
	"walkstop": func(tick uint64) Input {
		if tick > 6 {
			return Input{}
		}
		return Input{Move: [2]float32{0, 1}}
	},
	"diag": func(uint64) Input { return Input{Yaw: 90, Move: [2]float32{0.70710678, 0.70710678}} },
}

func sprintAndJump(tick uint64) Input {
	in := Input{Move: [2]float32{0, 1}, Flags: jumpAt(tick, 9)}
	if tick == 1 {
		in.Flags |= InputStartSprint
	}
	return in
}

func jumpAt(tick, at uint64) InputFlags {
	if tick == at {
		return InputStartJump | InputJumping
	}
	return 0
}

// readTrajectories reads testdata/trajectories.json: the tables of docs/wire/bedrock.md, movement physics, computed
// by an independent script in float32.
func readTrajectories(t *testing.T) map[string][]trajectoryRow {
	t.Helper()
	b, err := os.ReadFile("testdata/trajectories.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string][]trajectoryRow
	if err := json.Unmarshal(b, &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestWalkTrajectoriesMatchIndependentScript(t *testing.T) {
	tables := readTrajectories(t)
	if len(tables) != len(trajectoryInputs) {
		t.Fatalf("%d tables, want %d", len(tables), len(trajectoryInputs))
	}
	for name, input := range trajectoryInputs {
		t.Run(name, func(t *testing.T) {
			var s Scratch
			a := NewAvatar(geom.Vec{X: 0.5, Y: 64, Z: 0.5})
			if name == "knock" {
				a.KnockbackVel, a.HasKnockback = geom.Vec{X: 0.4, Y: 0.4}, true
			}
			for _, row := range tables[name] {
				in := input(row.Tick)
				if r := a.Step(&in, nil, &s); r.Mode != ModeWalk || r.Refused != 0 {
					t.Fatalf("tick %d: %+v", row.Tick, r)
				}
				pos := geom.Vec{X: row.Pos[0], Y: row.Pos[1], Z: row.Pos[2]}
				vel := geom.Vec{X: row.Vel[0], Y: row.Vel[1], Z: row.Vel[2]}
				if a.Pos != pos || a.Vel != vel || a.OnGround != row.OnGround {
					t.Fatalf("tick %d: %v %v %v,\nwant %v %v %v", row.Tick, a.Pos, a.Vel, a.OnGround, pos, vel, row.OnGround)
				}
			}
		})
	}
}

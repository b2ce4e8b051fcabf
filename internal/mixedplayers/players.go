// Package mixedplayers generates the intents of players of all movement authorities in one area, as their doors would submit
// them. Tests and benchmarks of areas use it as load, without clients and doors.
package mixedplayers

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Players simulates the clients of the players in one area. Of five players, two send a position claim every 200 ms, two click
// on a tile every two seconds, and one predicts its movement and sends an input every tick.
type Players struct {
	world   *sim.World
	area    sim.AreaID
	frame   *sim.Frame
	clients map[sim.EntityID]*predicting
}

// predicting is the state of a simulated client that predicts its player's movement and sends an input every tick.
type predicting struct {
	avatar  move.Avatar  // predicted state after the newest input
	tick    uint64       // tick of the newest input
	scratch move.Scratch // memory that steps reuse
}

// New returns Players for an area of the world. SetFrame must be called before Intents.
func New(w *sim.World, area sim.AreaID) *Players {
	return &Players{world: w, area: area, clients: map[sim.EntityID]*predicting{}}
}

// SetFrame sets the newest frame of the area. The frame must not be recycled before the next call of SetFrame.
func (c *Players) SetFrame(f *sim.Frame) { c.frame = f }

// Frame returns the frame that the last call of SetFrame has set.
func (c *Players) Frame() *sim.Frame { return c.frame }

// AuthorityOf returns the movement authority of the player with the given id. Of five consecutive ids, two have the claim
// authority, two path and one predict.
func AuthorityOf(id sim.EntityID) move.Authority {
	return [...]move.Authority{move.ByClaim, move.ByPath, move.ByClaim, move.ByPath, move.ByInput}[id%5]
}

// Joins returns the intents with which n players enter the area.
func (c *Players) Joins(n int) (list []sim.Intent) {
	template := sim.NoTemplate
	for i := range c.world.Templates {
		if c.world.Templates[i].Playable {
			template = c.world.Templates[i].ID
			break
		}
	}
	for id := range sim.EntityID(n) {
		id++
		list = append(list, sim.Intent{Kind: sim.IntentJoin, Who: id, Join: &sim.Join{
			Character: &sim.Character{ID: sim.CharacterID(id), Name: fmt.Sprint("Player", id), Template: template, Level: 1, Attr: c.world.Template(template).Attr},
			Portal:    -1, Pos: geom.Vec{X: float32(id%40)*14 - 280, Z: float32(id/40)*14 - 200}, Login: true, Authority: AuthorityOf(id),
		}})
	}
	return list
}

// Intents returns the intents that the players send for the tick after the frame that SetFrame has set.
func (c *Players) Intents() (list []sim.Intent) {
	tick := int64(c.frame.Tick)
	for i := range c.frame.Actors {
		a := &c.frame.Actors[i]
		if !a.Is(sim.FlagPlayer) {
			continue
		}
		in := sim.Intent{Who: a.ID, AtMS: tick*50 + int64(a.ID)%50}
		turn := float32((int64(a.ID)*7+tick/60)%8) - 3.5
		switch {
		case AuthorityOf(a.ID) == move.ByClaim && (tick+int64(a.ID))%4 == 0:
			in.Kind = sim.IntentClaim
			in.Claim = move.Claim{X: a.Pos.X, Y: a.Pos.Y, Z: a.Pos.Z, DestX: a.Pos.X + 40*turn, DestZ: a.Pos.Z + 30, Running: turn > 0}
		case AuthorityOf(a.ID) == move.ByPath && (tick+int64(a.ID))%40 == 0:
			in.Kind = sim.IntentPath
			in.Tile = a.Tile
			in.Tile.X += uint16(int32(turn * 2))
			in.Tile.Z -= uint16(int32(turn))
		case AuthorityOf(a.ID) == move.ByInput:
			p := c.client(a.ID)
			if p == nil {
				continue
			}
			in.Kind, in.Input = sim.IntentInput, p.input(c.world.Areas[c.area].Blocks, turn)
		default:
			continue
		}
		list = append(list, in)
	}
	return list
}

// client returns the state of the client of a player under predict authority. It returns nil before a frame contains the
// player's first state.
func (c *Players) client(id sim.EntityID) *predicting {
	if p := c.clients[id]; p != nil {
		return p
	}
	if s := c.frame.FindAvatar(id); s != nil {
		c.clients[id] = &predicting{avatar: s.Avatar, tick: max(100, s.Prediction.Tick)}
	}
	return c.clients[id]
}

func (p *predicting) input(blocks *terrain.Blocks, turn float32) move.Input {
	p.tick++
	p.avatar.Yaw = turn * 40
	in := move.Input{Tick: p.tick, Yaw: p.avatar.Yaw, HeadYaw: p.avatar.Yaw, Move: [2]float32{0, 1}, Flags: move.InputUp, RTT: 40}
	p.avatar.Step(&in, blocks, &p.scratch)
	in.Pos, in.Delta = p.avatar.Pos, p.avatar.Vel
	return in
}

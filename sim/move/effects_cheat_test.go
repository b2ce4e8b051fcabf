package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A client that simulates an effect which the server did not give, and ignores corrections, is corrected. On the server its
// player is never higher, and never more than MaxGain farther away, than the player of an honest client with the same keys.
func TestClientThatClaimsFalseEffectsGainsAtMostMaxGain(t *testing.T) {
	jumps := func(tick uint64) InputFlags {
		if tick%15 == 5 {
			return InputStartJump | InputJumping
		}
		return 0
	}
	for name, c := range map[string]struct {
		effect func(a *Avatar) // gives the cheater's own avatar an effect that the server does not know, before every tick
		glides bool            // both players glide, and start high in the air
	}{
		"speed":         {effect: func(a *Avatar) { a.Speed = 2 * WalkSpeed }},
		"jump boost":    {effect: func(a *Avatar) { a.JumpBoost = 5 }},
		"levitation":    {effect: func(a *Avatar) { a.Levitation = 2 }},
		"slow falling":  {effect: func(a *Avatar) { a.SlowFalling = 1 }},
		"no slowness":   {effect: func(a *Avatar) { a.Speed = 1.5 * WalkSpeed }},
		"elytra":        {effect: func(a *Avatar) { a.MayGlide, a.Gliding = true, !a.OnGround }},
		"firework":      {effect: func(a *Avatar) { a.GlideBoost = 20 }, glides: true},
		"soul speed":    {effect: func(a *Avatar) { a.SoulSpeed = true }},
		"depth strider": {effect: func(a *Avatar) { a.DepthStrider = 3 }},
	} {
		ground := blocksOf(t, fill(-2, 63, 2, 2, 63, 300, terrain.SoulSand), fill(-2, 62, 9, 2, 63, 20, terrain.Water))
		policy := DefaultPredictPolicy()
		var s Scratch
		begin := NewAvatar(geom.Vec{X: 0.5, Y: 64, Z: 0.5})
		if c.glides {
			begin.Pos.Y, begin.OnGround, begin.MayGlide, begin.Gliding, begin.Vel = 200, false, true, true, geom.Vec{Z: 0.5}
		}
		cheat, honest := PredictState{Avatar: begin}, PredictState{Avatar: begin}
		client, corrected := begin, 0
		for tick := uint64(1); tick <= 200; tick++ {
			in := Input{Tick: tick, Move: [2]float32{0, 1}, Flags: jumps(tick)}
			own := in
			predicted := honest.Avatar
			predicted.Step(&own, ground, &s)
			own.Pos, own.Delta = predicted.Pos, predicted.Vel
			if v := policy.Process(&honest, &own, ground, &s); v.Correct != reason.None {
				t.Fatalf("%s: the honest player is corrected at tick %d", name, tick)
			}
			c.effect(&client)
			client.Step(&in, ground, &s)
			in.Pos, in.Delta = client.Pos, client.Vel
			if policy.Process(&cheat, &in, ground, &s).Correct != reason.None {
				corrected++
			}
			gain, most := geom.DistXZ(cheat.Avatar.Pos, honest.Avatar.Pos), policy.MaxGain(float32(tick)/20)
			if gain > most || cheat.Avatar.Pos.Y > honest.Avatar.Pos.Y+1e-3 {
				t.Fatalf("%s, tick %d: at %v, %v from the honest player at %v, at most %v", name, tick, cheat.Avatar.Pos, gain, honest.Avatar.Pos, most)
			}
		}
		if moved := geom.Sqrt(geom.Dist2(client.Pos, honest.Avatar.Pos)); moved > 0.5 && corrected == 0 {
			t.Errorf("%s: never corrected, though the client is %v away", name, moved)
		}
	}
}

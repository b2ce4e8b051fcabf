package move

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// sample is the position of an actor at one time.
type sample struct {
	ms  int64
	pos geom.Vec
}

const (
	tickMS = 50
	lateMS = 60 // the arrival time of a claim may be up to this many ms before the server's last walk
)

// cheat returns the positions of an actor over some ticks. Its client knows the rules and always claims as much as is
// accepted, at any times. share is the actor's speed relative to the maximum.
func cheat(t *rapid.T, p *ClaimPolicy, s *ClaimState, share float32) []sample {
	pace := UnitsPerSecond(int32(share*100), 100, true, false)
	var pos geom.Vec
	track := []sample{{0, pos}}
	now := int64(0)
	destX, destZ := float32(0), float32(0)
	for range rapid.IntRange(1, 60).Draw(t, "ticks") {
		if rapid.IntRange(0, 9).Draw(t, "pause") == 0 {
			now += tickMS * rapid.Int64Range(0, 200).Draw(t, "paused ticks")
		}
		for range rapid.IntRange(0, 4).Draw(t, "claims") {
			at := now + rapid.Int64Range(-lateMS, tickMS).Draw(t, "at") // arrival times may run backward
			saved := s.Credit + float32(p.unitsPerMS(share)*float32(max(0, at-s.LastMS)))
			jump := rapid.SampledFrom([]float32{0, 1.9, saved * 0.5, saved * 0.999, saved, saved * 1.001, 2000}).Draw(t, "jump")
			to := direction(t, pos, jump)
			if rapid.Bool().Draw(t, "from the anchor") {
				to = direction(t, geom.Vec{X: s.AnchorX, Z: s.AnchorZ}, jump)
			}
			destX, destZ = to.X, to.Z
			if rapid.Bool().Draw(t, "heads far away") {
				destX = pos.X + 5000
			}
			if rapid.IntRange(0, 9).Draw(t, "reset") == 0 {
				p.Reset(s, at)
			}
			v := p.Judge(s, pos, share, Claim{X: to.X, Z: to.Z, DestX: destX, DestZ: destZ, Running: true}, at)
			pos = v.Pos
			track = append(track, sample{max(at, track[len(track)-1].ms), pos})
		}
		now += tickMS
		pos = WalkToward(pos, destX, destZ, pace*tickMS/1000, Euclidean)
		track = append(track, sample{max(now, track[len(track)-1].ms), pos})
	}
	return track
}

// direction returns a point at the distance "far" from p, in one of eight directions.
func direction(t *rapid.T, p geom.Vec, far float32) geom.Vec {
	const diagonal = 0.70710677
	d := rapid.SampledFrom([]geom.Vec{{X: 1}, {X: -1}, {Z: 1}, {Z: -1},
		{X: diagonal, Z: diagonal}, {X: -diagonal, Z: diagonal}, {X: diagonal, Z: -diagonal}, {X: -diagonal, Z: -diagonal}}).Draw(t, "direction")
	return geom.Vec{X: p.X + d.X*far, Z: p.Z + d.Z*far}
}

// Whatever an actor's client claims and whenever it claims it, the actor never moves farther than its allowance permits.
func TestClaimsNeverMoveActorFartherThanAllowanceWhateverTheirTiming(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := StrictClaimPolicy()
		share := rapid.SampledFrom([]float32{0, 0.25, 1, 2}).Draw(t, "share")
		var s ClaimState
		p.Reset(&s, 0)
		track := cheat(t, &p, &s, share)
		rate := p.unitsPerMS(share)
		lump := UnitsPerSecond(int32(share*100), 100, true, false)*tickMS/1000 + rate*lateMS + 0.05
		saved := rate * float32(p.MaxSavedMS)
		for i, from := range track {
			for _, to := range track[i+1:] {
				maximum := saved + rate*float32(to.ms-from.ms) + p.MinAllowance + lump
				if i == 0 { // the allowance is at its minimum at the start
					maximum -= saved
				}
				if got := geom.DistXZ(from.pos, to.pos); got > maximum {
					t.Fatalf("from %v to %v: %v units, want at most %v", from, to, got, maximum)
				}
			}
		}
	})
}

// network delivers claims late, in bursts, or not at all, but never an older claim after a newer one. Between two stalls
// at least one claim is delayed only by the jitter; otherwise consecutive stalls would be one longer silence.
type network struct {
	t            *rapid.T
	jitter       int64
	longest      int64 // maximum length of a stall in ms
	through      bool  // the newest claim was sent outside a stall
	stalled      int64 // time in ms at which the current stall ends
	losesPackets bool  // true: packets sent during the stall are lost; false: they are delayed
	newest       int64 // arrival time in ms of the newest packet in flight
	inFlight     []delayedClaim
}

type delayedClaim struct {
	arrives int64
	claim   Claim
}

func (n *network) send(now int64, c Claim) {
	if now >= n.stalled {
		n.through = !n.through || rapid.IntRange(0, 19).Draw(n.t, "stall") > 0
		if !n.through {
			n.stalled = now + n.longest
			if rapid.Bool().Draw(n.t, "shorter") {
				n.stalled = now + rapid.Int64Range(100, n.longest).Draw(n.t, "stall ms")
			}
			n.losesPackets = rapid.Bool().Draw(n.t, "loses packets")
		}
	}
	arrives := max(now+20+rapid.Int64Range(0, n.jitter).Draw(n.t, "delay"), n.newest)
	if now < n.stalled {
		if n.losesPackets {
			return
		}
		arrives = max(arrives, n.stalled)
	}
	n.newest = arrives
	n.inFlight = append(n.inFlight, delayedClaim{arrives, c})
}

// honest is a client that moves as the original client does: toward its player's target, at its speed, stopped by
// obstacles. It sends a claim at most every 200 ms, and only when it moved (docs/wire/rcce.md 5; NetworkMS of the
// client). Therefore the server walks the actor all the way to the target if the client is stopped by a wall or if its
// last claim is lost.
type honest struct {
	t                *rapid.T
	pos              geom.Vec
	destX, destZ     float32
	reach            float32 // maximum distance to the player's next target in world units
	retargetAt       int64   // time in ms at which the player chooses its next target
	value            int32
	running, blocked bool
	sent             geom.Vec
	next             int64
	every            int64
}

const frameMS = 10

func (h *honest) frame(now int64, n *network) {
	if now >= h.retargetAt {
		h.retargetAt = now + rapid.SampledFrom([]int64{20, 200, 1000, 5000}).Draw(h.t, "mind ms")
		if rapid.Bool().Draw(h.t, "far") {
			to := direction(h.t, h.pos, h.reach)
			h.destX, h.destZ = to.X, to.Z
		} else {
			h.destX = h.pos.X + float32(h.reach*rapid.Float32Range(-0.7, 0.7).Draw(h.t, "dx"))
			h.destZ = h.pos.Z + float32(h.reach*rapid.Float32Range(-0.7, 0.7).Draw(h.t, "dz"))
		}
		h.running = rapid.IntRange(0, 3).Draw(h.t, "walks") > 0
		h.blocked = rapid.IntRange(0, 5).Draw(h.t, "wall") == 0
	}
	if !h.blocked {
		h.pos = WalkToward(h.pos, h.destX, h.destZ, UnitsPerSecond(h.value, 100, h.running, false)*frameMS/1000, Euclidean)
	}
	if now >= h.next && h.pos != h.sent {
		h.next, h.sent = now+h.every, h.pos
		n.send(now, Claim{X: h.pos.X, Z: h.pos.Z, DestX: h.destX, DestZ: h.destZ, Running: h.running})
	}
}

// ordinary sets the reach of h and the longest stall of n to the largest values for which
// docs/decisions/0003-accumulating-allowance.md promises that no claim is rejected: during a silence the server's walk
// and the client's own movement may each use half of the saved allowance. The server's walk is as long as the distance
// to the player's target. The client moves as long as no claim arrives: the stall, the pauses between claims before and
// after it, the jitter, and one tick of the server's walk.
func ordinary(p *ClaimPolicy, h *honest, n *network) {
	share := SpeedShare(h.value, 100)
	h.reach = p.unitsPerMS(share) * float32(p.MaxSavedMS) / 2
	unheard := h.reach * 1000 / UnitsPerSecond(h.value, 100, true, false)
	n.longest = int64(unheard) - 2*h.every - n.jitter - 2*tickMS
}

// No claim of a client that moves at its own speed is rejected, whatever the network does, as long as no silence exceeds
// the limit of docs/decisions/0003-accumulating-allowance.md. TestClaimAfterSilenceIsAcceptedOnlyWithinAllowance covers
// longer silences.
func TestClaimsOfHonestClientAreNeverRejected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := StrictClaimPolicy()
		step := rapid.SampledFrom([]StepMetric{Euclidean, L1}).Draw(t, "step")
		h := honest{t: t, value: rapid.SampledFrom([]int32{10, 50, 100, 200}).Draw(t, "speed"),
			every: rapid.SampledFrom([]int64{33, 200}).Draw(t, "every")}
		n := network{t: t, through: true, jitter: rapid.SampledFrom([]int64{0, 30, 400}).Draw(t, "jitter")}
		ordinary(&p, &h, &n)
		share := SpeedShare(h.value, 100)
		var s ClaimState
		p.Reset(&s, 0)
		var pos geom.Vec
		var v ClaimVerdict
		seconds := rapid.Int64Range(1, 25).Draw(t, "seconds")
		for now := int64(0); now < seconds*1000; now += frameMS {
			h.frame(now, &n)
			if now%tickMS != 0 {
				continue
			}
			for len(n.inFlight) > 0 && n.inFlight[0].arrives <= now {
				v = p.Judge(&s, pos, share, n.inFlight[0].claim, n.inFlight[0].arrives)
				if v.Held != reason.None {
					t.Fatalf("at %d ms, %v from the server: %+v, state %+v", now, geom.DistXZ(h.pos, pos), v, s)
				}
				pos, n.inFlight = v.Pos, n.inFlight[1:]
			}
			pos = WalkToward(pos, v.DestX, v.DestZ, UnitsPerSecond(h.value, 100, v.Running, false)*tickMS/1000, step)
		}
	})
}

package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
)

// sentInput describes an input that was sent to the server.
type sentInput struct {
	tick     uint64   // tick of the input
	pos      geom.Vec // feet position that the input claims
	tampered bool     // Tamper changed this input
}

// pendingCorrection describes a correction from the server that the prediction has not applied yet.
type pendingCorrection struct {
	number        uint32 // number that registerCorrection gave to the correction
	tampered      bool   // Tamper changed the input of the corrected tick, or of an earlier tick in the history
	afterTeleport bool   // the correction is the first after a teleport
}

// samePosition is the maximum distance in blocks between two positions that count as equal. Received positions contain a rounding
// error, because packets carry the position of the eyes, from which the client computes the position of the feet.
const samePosition = 1e-3 // blocks

// rememberInput stores what was sent to the server for a tick. The cause of a correction of this tick can then be determined.
func (p *Predictor) rememberInput(tick uint64, pos geom.Vec, tampered bool) {
	p.sent[tick%uint64(len(p.sent))] = sentInput{tick, pos, tampered}
}

// tampered reports whether the test's cheat (Tamper) has changed the input of this tick or of an earlier tick that is still in the
// history. The server then corrects this tick with good reason.
func (p *Predictor) tampered(tick uint64) bool {
	for i := range p.sent {
		if s := &p.sent[i]; s.tampered && s.tick <= tick {
			return true
		}
	}
	return false
}

// registerCorrection stores a correction that has arrived and returns a new number for it. Replays apply a correction several
// times; by its number, classifyCorrection counts it only the first time.
func (p *Predictor) registerCorrection(tick uint64) (number uint32) {
	p.lastCorrection++
	landing := p.teleportTick != 0 && tick >= p.teleportTick && tick-p.teleportTick < uint64(len(p.sent))
	if landing {
		p.teleportTick = 0
	}
	if len(p.pending) < len(p.sent) { // a correct server sends at most one correction per tick, so pending never exceeds the history
		p.pending = append(p.pending, pendingCorrection{p.lastCorrection, p.tampered(tick), landing})
	}
	return p.lastCorrection
}

// classifyCorrection counts a correction in the field of MoveCounts for its cause, when the correction is applied for the first
// time. The parameter n is the correction. The parameter r is the predicted state after the corrected tick, before n changes it.
func (p *Predictor) classifyCorrection(r *rider, n *stateUpdate) {
	i := slices.IndexFunc(p.pending, func(j pendingCorrection) bool { return j.number == n.number })
	if i < 0 {
		return
	}
	j := p.pending[i]
	p.pending = slices.Delete(p.pending, i, i+1)
	at := r.Pos
	if n.kind == updateVehicle {
		at = vehiclePosition(&r.vehicle)
	}
	switch far := geom.Sqrt(geom.Dist2(at, n.pos)); {
	case j.tampered:
		p.counts.Tampered++
	case far <= samePosition:
		p.counts.NoEffect++
	case j.afterTeleport:
		p.counts.AfterTeleport++
	default:
		p.counts.Unexpected++
		p.counts.MaxUnexpected = max(p.counts.MaxUnexpected, far)
	}
}

package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
)

// sentInput describes an input that was sent to the server.
type sentInput struct {
	tick     uint64   // tick of the input
	pos      geom.Vec // feet position that the input claims
	tampered bool     // the Tamper altered this input
}

// pendingCorrection is a correction that has arrived from the server but has not been applied yet.
type pendingCorrection struct {
	number        uint32 // number that registerCorrection gave to the correction
	tampered      bool   // the Tamper altered an input of the corrected tick or an earlier one in the history
	afterTeleport bool   // the correction is the first after a teleport
}

// samePosition is the maximum distance in blocks between two positions that count as equal. Packets contain the position of
// the eyes instead of the feet, and the conversion rounds the position.
const samePosition = 1e-3 // blocks

// rememberInput records an input that is sent, so that a later correction of its tick can be classified.
func (p *Predictor) rememberInput(tick uint64, pos geom.Vec, tampered bool) {
	p.sent[tick%uint64(len(p.sent))] = sentInput{tick, pos, tampered}
}

// tampered reports whether the Tamper (the test's cheat) has altered the input of this tick or of an earlier one. The
// server then corrects this tick with good reason.
func (p *Predictor) tampered(tick uint64) bool {
	for i := range p.sent {
		if s := &p.sent[i]; s.tampered && s.tick <= tick {
			return true
		}
	}
	return false
}

// registerCorrection stores a correction that has arrived and returns a new number for it. With this number
// classifyCorrection counts the correction only once, even if the correction is replayed several times.
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

// classifyCorrection counts a correction by its cause in one of the fields of MoveCounts, when the correction is applied
// for the first time. The parameter n is the correction. The parameter r is the state after the corrected tick, with all
// earlier updates applied.
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

package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// sent is what is remembered of an input that was sent.
type sentInput struct {
	tick     uint64
	pos      geom.Vec // as it was claimed, feet
	tampered bool
}

// judging is a correction that has not taken effect yet.
type pendingCorrection struct {
	number        uint32
	tampered      bool
	afterTeleport bool // the first after a teleport
}

// sameSpot is how far apart two positions may be that are the same: the wire carries the eye's, which rounds.
const samePosition = 1e-3 // blocks

// remember notes an input that goes out.
func (p *Predictor) rememberInput(tick uint64, pos geom.Vec, tampered bool) {
	p.sent[tick%uint64(len(p.sent))] = sentInput{tick, pos, tampered}
}

// tampered reports whether an input was tampered with that could be the reason for a correction of tick.
func (p *Predictor) tampered(tick uint64) bool {
	for i := range p.sent {
		if s := &p.sent[i]; s.tampered && s.tick <= tick {
			return true
		}
	}
	return false
}

// expect numbers a correction, so that it is judged once, however often it is replayed.
func (p *Predictor) registerCorrection(tick uint64) (number uint32) {
	p.lastCorrection++
	landing := p.teleportTick != 0 && tick >= p.teleportTick && tick-p.teleportTick < uint64(len(p.sent))
	if landing {
		p.teleportTick = 0
	}
	if len(p.pending) < len(p.sent) { // more at a time than ticks are nobody's honest work
		p.pending = append(p.pending, pendingCorrection{p.lastCorrection, p.tampered(tick), landing})
	}
	return p.lastCorrection
}

// judge decides what kind of correction n is, when it first meets the state a after its tick, in which all earlier news
// has taken effect already.
func (p *Predictor) classifyCorrection(a *move.Avatar, n *stateUpdate) {
	i := slices.IndexFunc(p.pending, func(j pendingCorrection) bool { return j.number == n.number })
	if i < 0 {
		return
	}
	j := p.pending[i]
	p.pending = slices.Delete(p.pending, i, i+1)
	switch far := geom.Sqrt(geom.Dist2(a.Pos, n.pos)); {
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

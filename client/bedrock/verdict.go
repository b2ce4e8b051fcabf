package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// sent is what is remembered of an input that was sent.
type sent struct {
	tick     uint64
	pos      geom.Vec // as it was claimed, feet
	tampered bool
}

// judging is a correction that has not taken effect yet.
type judging struct {
	number   uint32
	tampered bool
	landing  bool // the first after a teleport
}

// sameSpot is how far apart two positions may be that are the same: the wire carries the eye's, which rounds.
const sameSpot = 1e-3 // blocks

// remember notes an input that goes out.
func (p *Predictor) remember(tick uint64, pos geom.Vec, tampered bool) {
	p.sent[tick%uint64(len(p.sent))] = sent{tick, pos, tampered}
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
func (p *Predictor) expect(tick uint64) (number uint32) {
	p.numbering++
	landing := p.landed != 0 && tick >= p.landed && tick-p.landed < uint64(len(p.sent))
	if landing {
		p.landed = 0
	}
	if len(p.judging) < len(p.sent) { // more at a time than ticks are nobody's honest work
		p.judging = append(p.judging, judging{p.numbering, p.tampered(tick), landing})
	}
	return p.numbering
}

// judge decides what kind of correction n is, when it first meets the state a after its tick, in which all earlier news
// has taken effect already.
func (p *Predictor) judge(a *move.Avatar, n *news) {
	i := slices.IndexFunc(p.judging, func(j judging) bool { return j.number == n.number })
	if i < 0 {
		return
	}
	j := p.judging[i]
	p.judging = slices.Delete(p.judging, i, i+1)
	switch far := geom.Sqrt(geom.Dist2(a.Pos, n.pos)); {
	case j.tampered:
		p.counts.Deserved++
	case far <= sameSpot:
		p.counts.Known++
	case j.landing:
		p.counts.Landings++
	default:
		p.counts.False++
		p.counts.Farthest = max(p.counts.Farthest, far)
	}
}

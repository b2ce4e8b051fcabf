package console

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// tapeBody is the response of GET /tape.
type tapeBody struct {
	Recording bool       `json:"recording"` // the server records a tape
	TickMS    float64    `json:"tickMs"`    // time between two ticks, ms
	From      *timestamp `json:"from"`      // start of the first span; null if nothing is recorded
	To        *timestamp `json:"to"`        // end of the last span; null if nothing is recorded
	Spans     []spanBody `json:"spans"`     // recorded stretches of time without gaps, oldest first
}

// spanBody is a stretch of time that is recorded without a gap.
type spanBody struct {
	From     timestamp `json:"from"`     // start of the stretch
	To       timestamp `json:"to"`       // end of the stretch
	Reloaded bool      `json:"reloaded"` // the stretch begins with a reload of the world file, so no tick is missing before it
}

// tape handles GET /tape. It returns the stretches of time of an area's past that are recorded.
func (k *call) tape() (any, error) {
	ask, err := k.parseQuery("area")
	if err != nil {
		return nil, err
	}
	where, err := k.findRequiredArea(ask.Get("area"))
	if err != nil {
		return nil, err
	}
	b := tapeBody{Recording: k.OpenPast != nil, TickMS: k.tickMS(), Spans: []spanBody{}}
	if !b.Recording {
		return b, nil
	}
	spans, err := k.spansOf(where)
	if err != nil {
		return nil, err
	}
	for _, s := range spans {
		b.Spans = append(b.Spans, spanBody{timestamp(s.From), timestamp(s.To), s.Reloaded})
	}
	if n := len(spans); n > 0 {
		from, to := timestamp(spans[0].From), timestamp(spans[n-1].To)
		b.From, b.To = &from, &to
	}
	return b, nil
}

// tickMS returns the time between two ticks in ms.
func (c *Console) tickMS() float64 { return 1000 / float64(c.World.Def().TicksPerSecond) }

// spansOf returns the recorded stretches of time of an area, oldest first. It opens the tape of the area at the first call and
// keeps it open.
func (k *call) spansOf(where sim.AreaID) ([]tape.Span, error) {
	p := &k.past
	p.mu.Lock()
	defer p.mu.Unlock()
	playback := p.open[where]
	if playback == nil {
		var err error
		if playback, err = k.OpenPast(where); err != nil {
			return nil, err
		}
		if p.open == nil {
			p.open = map[sim.AreaID]*tape.Playback{}
		}
		p.open[where] = playback
	}
	return playback.Spans()
}

//go:build linux

package main

import (
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
)

func TestLongestTimeBetweenFramesIsMeasuredWithinAndAcrossAreas(t *testing.T) {
	camp, ring := &truth.Area{Name: "Camp"}, &truth.Area{Name: "Ring"}
	f := newFrameTimes()
	at := func(ms int) time.Time { return time.Unix(1000, 0).Add(time.Duration(ms) * time.Millisecond) }
	see := func(ms int, connection string, area *truth.Area, tick uint64, newer bool) {
		t.Helper()
		if got := f.see("Web", frameSeen{connection, area, tick, at(ms)}); got != newer {
			t.Errorf("frame %d after %d ms is new: %v, want %v", tick, ms, got, newer)
		}
	}
	longest := func(ms int, home *truth.Area, want int) {
		t.Helper()
		if d, ok := f.longest("Web", home, at(ms)); !ok || d != time.Duration(want)*time.Millisecond {
			t.Errorf("after %d ms the longest time is %v, %v, want %d ms", ms, d, ok, want)
		}
	}
	longestIn := func(ms int, home, area *truth.Area, want int) {
		t.Helper()
		d, ok := f.longestIn("Web", home, at(ms), area)
		if ok != (want > 0) || d != time.Duration(want)*time.Millisecond {
			t.Errorf("after %d ms the longest time in %s is %v, %v, want %d ms", ms, area.Name, d, ok, want)
		}
	}
	moves := func(want ...int) {
		t.Helper()
		var list []int
		for _, d := range f.moves["Web"] {
			list = append(list, int(d/time.Millisecond))
		}
		if !slices.Equal(list, want) {
			t.Errorf("times between two areas are %v ms, want %v", list, want)
		}
	}
	if _, ok := f.longest("Web", camp, at(0)); ok {
		t.Error("a client that was shown no frame has a time")
	}
	see(0, "first", nil, 0, false)
	see(10, "first", camp, 100, true)
	see(15, "first", camp, 100, false)
	see(60, "first", camp, 101, true)
	longest(60, camp, 50)
	f.begin()
	longestIn(80, camp, camp, 20) // nothing since begin but the time since the newest frame
	longestIn(80, nil, camp, 0)
	see(460, "first", camp, 102, true)
	longest(460, nil, 400)
	longestIn(460, nil, camp, 400)
	longestIn(460, nil, ring, 0)
	longest(960, camp, 500)
	longest(960, nil, 400)
	if d := f.moving("Web", nil, at(960)); d != 500*time.Millisecond {
		t.Errorf("a client that travels has waited for %v, want 500 ms", d)
	}
	if d := f.moving("Web", camp, at(960)); d != 0 {
		t.Errorf("a client at home counts as moving for %v", d)
	}
	see(970, "first", ring, 0, false) // it is told of the next area
	see(1160, "first", ring, 90, true)
	moves(700)
	see(1210, "first", ring, 91, true)
	longest(1210, nil, 400)
	longestIn(1210, nil, camp, 400)
	longestIn(1210, nil, ring, 0) // it was in Camp at begin
	longestIn(3000, camp, camp, 400)
	f.begin()
	moves()
	see(1215, "second", nil, 0, false) // a login: the time without a connection is none between two frames
	if _, ok := f.longest("Web", nil, at(9000)); ok {
		t.Error("a new connection that was shown no frame has a time")
	}
	see(9000, "second", camp, 300, true)
	see(9050, "second", camp, 301, true)
	longest(9050, nil, 50)
	moves()
	see(12000, "third", ring, 300, true) // a login that was not seen without a frame
	longest(12000, nil, 50)
	moves()
}

func TestFrameBeforeAreaChangeOverWebTransportIsNotRecorded(t *testing.T) {
	camp, ring := &truth.Area{Name: "Camp"}, &truth.Area{Name: "Ring"}
	at := func(ms int) time.Time { return time.Unix(1000, 0).Add(time.Duration(ms) * time.Millisecond) }
	play := func(ws bool) (ticks []uint64) {
		p := &webPlayer{ws: ws}
		for i, f := range []frameSeen{{"first", camp, 20, at(0)}, {"first", camp, 21, at(50)}, {"first", camp, 33, at(300)}, {"first", ring, 33, at(350)}, {"first", ring, 33, at(390)}, {"second", ring, 40, at(420)}, {"second", ring, 0, at(900)}} {
			for _, f := range p.sure(f, i != 4 && f.tick > 0) {
				ticks = append(ticks, f.tick)
			}
		}
		return ticks
	}
	if ticks := play(false); !slices.Equal(ticks, []uint64{20, 40}) { // 21 and 33 of Camp could be of Ring; the first connection ended after 33 of Ring
		t.Errorf("over WebTransport the ticks %v are recorded", ticks)
	}
	if ticks := play(true); !slices.Equal(ticks, []uint64{20, 21, 33, 33, 40}) {
		t.Errorf("over WebSocket the ticks %v are recorded", ticks)
	}
}

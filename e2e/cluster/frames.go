//go:build linux

package main

import (
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
)

// frameTimes measures the times between the frames that each client is shown. The zero value is not usable; see newFrameTimes.
type frameTimes struct {
	last  map[string]frameSeen                     // newest frame by client name; no entry while the connection has been shown none
	began map[string]*truth.Area                   // area of the newest frame when begin was called
	gaps  map[string]map[*truth.Area]time.Duration // longest time between two frames of one area since begin, by client name
	moves map[string][]time.Duration               // times between the last frame of an area and the first one of the next area since begin
}

// frameSeen describes a frame that a client was shown.
type frameSeen struct {
	connection string // connection of the client; frames of two connections are not compared
	area       *truth.Area
	tick       uint64
	at         time.Time // when it was seen first
}

func newFrameTimes() *frameTimes {
	return &frameTimes{map[string]frameSeen{}, map[string]*truth.Area{}, map[string]map[*truth.Area]time.Duration{}, map[string][]time.Duration{}}
}

// see records the newest frame that a client is shown, and reports whether it is a new one. A frame without a tick or an area is
// none: the connection is new, or the client has just been told of another area.
func (f *frameTimes) see(client string, now frameSeen) (newer bool) {
	was, known := f.last[client]
	if now.tick == 0 || now.area == nil {
		if known && was.connection != now.connection {
			delete(f.last, client)
		}
		return false
	}
	if known && was.connection == now.connection {
		switch {
		case was.area != now.area:
			f.moves[client] = append(f.moves[client], now.at.Sub(was.at))
		case was.tick == now.tick:
			return false
		default:
			if f.gaps[client] == nil {
				f.gaps[client] = map[*truth.Area]time.Duration{}
			}
			f.gaps[client][now.area] = max(f.gaps[client][now.area], now.at.Sub(was.at))
		}
	}
	f.last[client] = now
	return true
}

// begin discards the times that were measured so far. The first time of a client after begin still starts at the last frame that
// the client was shown before begin.
func (f *frameTimes) begin() {
	clear(f.gaps)
	clear(f.moves)
	clear(f.began)
	for client, have := range f.last {
		f.began[client] = have.area
	}
}

// longest returns the longest time between two frames of one area that a client was shown since begin. The time since the newest frame
// counts if the client stays in that area, its home; a client that travels may be on the way to another area: see moving. ok is
// false if the client has been shown no frame.
func (f *frameTimes) longest(client string, home *truth.Area, now time.Time) (d time.Duration, ok bool) {
	for _, gap := range f.gaps[client] {
		d = max(d, gap)
	}
	have, ok := f.last[client]
	if ok && have.area == home {
		d = max(d, now.Sub(have.at))
	}
	return d, ok
}

// longestIn returns the same for the area in which the client was when begin was called. ok is false if that is none of the given
// areas, or if the client was shown no further frame there and is not at home.
func (f *frameTimes) longestIn(client string, home *truth.Area, now time.Time, areas ...*truth.Area) (d time.Duration, ok bool) {
	for _, a := range areas {
		if f.began[client] != a {
			continue
		}
		d, ok = f.gaps[client][a]
		if have := f.last[client]; have.area == a && a == home {
			d, ok = max(d, now.Sub(have.at)), true
		}
	}
	return d, ok
}

// moving returns the time since the newest frame of a client that is not at home, which may be on the way to another area; 0 for a client
// that is at home or has been shown no frame.
func (f *frameTimes) moving(client string, home *truth.Area, now time.Time) time.Duration {
	if have, ok := f.last[client]; ok && have.area != home {
		return now.Sub(have.at)
	}
	return 0
}

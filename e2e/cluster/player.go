//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

const password = "correct horse"

// player is a client of one door. It has one connection at a time, to one node.
type player interface {
	base() *common
	// join logs in through a node, for the first time or again, and plays until cut.
	join(ctx context.Context, n *node) error
	// cut ends the connection without a logout. Afterwards shown returns the last state that the client was shown.
	cut()
	// logout returns a function that takes the player out of the world, or nil if the client has no such request.
	logout() func()
	// shown returns the state of its own character that the client was last shown.
	shown() shown
	// playing returns nil while the client is in the world, and otherwise an error that says why it is not.
	playing() error
}

// shown is the state of its own character that a client was last shown.
type shown struct {
	area *truth.Area // nil if the client was not shown an area
	pos  geom.Vec    // in units; only X and Z count
	dead bool
}

// crowd holds what all players share.
type crowd struct {
	world   *truth.World
	seed    uint64
	history *checker.History
	holding atomic.Bool // all players stand still and request nothing
}

// common is what the clients of all doors have.
type common struct {
	crowd *crowd
	name  string
	seed  uint64
	first *node       // to which the client connects in the beginning
	node  *node       // to which the client is connected or was last
	home  *truth.Area // area in which the player stays once it is there; nil for most
	trip  play.Trip
	talk  talk
	holds atomic.Bool // the player stands still and requests nothing

	mu      sync.Mutex
	present bool // what the client is shown of its area counts
}

// setPresent says from when on, or until when, what the client is shown of its area counts.
func (p *common) setPresent(present bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.present = present; !present {
		p.crowd.history.Leave(time.Now(), p.name)
	}
}

// still reports whether the player stands still and requests nothing.
func (p *common) still() bool { return p.holds.Load() || p.crowd.holding.Load() }

func (p *common) base() *common { return p }

// listen records a line of chat in which a player has numbered itself.
func (p *common) listen(text string) {
	if m := numbered.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[2])
		p.crowd.history.Line(time.Now(), p.name, m[1], n)
	}
}

var numbered = regexp.MustCompile(`line of (\w+) number (\d+)`)

// talk makes a player say numbered lines.
type talk struct {
	next time.Time
	said int
}

const talkPause = 3 * time.Second // average time between two lines

// lineDue returns the next line, if it is time to say one.
func (p *common) lineDue(now time.Time, random *rand.Rand) (text string, ok bool) {
	t := &p.talk
	if p.still() || now.Before(t.next) {
		return "", false
	}
	first := t.next.IsZero()
	t.next = now.Add(talkPause/2 + time.Duration(random.Int64N(int64(talkPause))))
	if first {
		return "", false
	}
	t.said++
	return fmt.Sprintf("line of %s number %d", p.name, t.said), true
}

// goalIn returns the entrance to walk to, if the player is on its way to another area.
func (p *common) goalIn(area *truth.Area, now time.Time, random *rand.Rand) (goal geom.Vec, ok bool) {
	switch {
	case area == nil:
		return geom.Vec{}, false
	case p.home == nil:
		return p.trip.GoalIn(area, tripPause, now, random)
	case area == p.home:
		return geom.Vec{}, false
	}
	return area.EntranceTo(p.home)
}

const tripPause = 10 * time.Second // average time between two walks to other areas, and maximum time of one

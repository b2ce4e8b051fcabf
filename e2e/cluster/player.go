//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
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
	door() string // name of the door
	// join logs in through a node, for the first time or again, and plays until the method cut is called.
	join(ctx context.Context, n *node) error
	// cut ends the connection without a logout. Afterwards shown returns the last state that the client has received.
	cut()
	// logout returns a function that logs the player out, or nil if the door's protocol has no logout.
	logout() func()
	// shown returns the last state of the client's own player that the client has received.
	shown() shown
	// abandon ends the connection no more than the process of its node does: it stays open, and its client sends nothing more than its
	// protocol needs to keep it open. The player can log in again.
	abandon() *staleConn
	// playing returns nil while the client is in the world, and otherwise an error that says why it is not.
	playing() error
}

const webDoor = "web" // player.door of web clients

// shown is the last state of a client's own player that the client has received from the server.
type shown struct {
	area *truth.Area // nil if the client has not entered an area yet
	pos  geom.Vec    // position in units; only X and Z are compared
	dead bool
}

// crowd holds the settings, the world and the history that all players share.
type crowd struct {
	world     *truth.World
	seed      uint64
	history   *checker.History
	tripPause time.Duration // average time between two walks to other areas, and maximum duration of a walk
	talkPause time.Duration // average time between two lines of a player
	keepsAll  bool          // RealmCrafter players drop nothing
	keeping   atomic.Bool   // while set, RealmCrafter players drop nothing and pick nothing up
	holding   atomic.Bool   // while set, all players stand still and send no requests
	droppers  sync.Map      // names of the players that have dropped stacks, as their own clients were shown, by handle of the stack
}

// common holds the fields of a player that do not depend on its door.
type common struct {
	crowd *crowd
	name  string
	index int         // number of the player among those of its door, from 0
	seed  uint64      // seed of the client's random numbers
	first *node       // the node to which the client connects for its first login
	node  *node       // the node to which the client is connected, or was last
	home  *truth.Area // the player goes to this area and stays there; nil for players that travel
	trip  play.Trip
	talk  talk
	holds atomic.Bool // while set, the player stands still and sends no requests that move it

	pet   bool   // the player has a pet
	group int    // number of the group of players that are a party; -1 for none
	party string // name of the player's party in the history; "" for none

	commands    queue        // chat commands that the client has to send
	invitations atomic.Int64 // number of invitations to a party that the client was shown

	joins atomic.Int64         // number of connections; those before the present one may be stale
	link  atomic.Pointer[link] // the present connection, or the last one; nil for web clients, before the first login and for a stale one

	mu      sync.Mutex
	present bool // the client is in the world; only then does the history count the area that the client shows
}

// setPresent records whether the client is in the world. When the client leaves the world, setPresent tells the history, which
// then expects no chat lines at this client.
func (p *common) setPresent(present bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.present = present; !present {
		p.crowd.history.Leave(time.Now(), p.name)
	}
}

// isPresent reports whether the client is in the world, as setPresent has recorded it. Unlike player.playing, it may be called during a
// login.
func (p *common) isPresent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.present
}

// connects counts a connection that is about to be made. The result tells whether it is still the player's newest one: what the client of
// an older one is shown is not recorded.
func (p *common) connects() (newest func() bool) {
	number := p.joins.Add(1)
	return func() bool { return p.joins.Load() == number }
}

// connection returns a name of the present connection for the history.
func (p *common) connection() string {
	return fmt.Sprintf("connection %d, to node %s", p.joins.Load(), p.node.name)
}

// shows makes the watcher record when the client is shown the world on the present connection. The function updates counts the updates of
// the world that it was shown.
func (p *common) shows(updates func() uint64) {
	p.link.Store(&link{name: p.connection(), number: int(p.joins.Load()), updates: updates})
}

// link is a connection of a client whose protocol does not number the ticks.
type link struct {
	name    string
	number  int // connections of one player are numbered in the order in which they are made
	updates func() uint64
	seen    uint64 // result of updates when newer was called last
}

// newer reports whether the client was shown an update since the last call.
func (l *link) newer() bool {
	was := l.seen
	l.seen = l.updates()
	return l.seen != was
}

// still reports whether the player must stand still and send no requests, because states are being compared or items counted.
func (p *common) still() bool { return p.holds.Load() || p.crowd.holding.Load() }

func (p *common) base() *common { return p }

// listen records a chat line that the client was shown, if it is a numbered line of a test player (see lineDue). It accepts invitations.
func (p *common) listen(text string) {
	if strings.Contains(text, invitation) {
		p.invitations.Add(1)
		p.commands.add("/accept")
	}
	if m := numbered.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[2])
		p.crowd.history.RecordLine(time.Now(), p.name, m[1], n)
	}
}

var numbered = regexp.MustCompile(`line of (\w+) number (\d+)`)

// talk schedules the chat lines of a player. The lines are numbered, so that the history can tell which line a client has missed.
type talk struct {
	next time.Time // time of the next line; zero before the first call of lineDue
	said int       // number of the last line
}

// lineDue returns the player's next chat line. ok is false if the time of that line has not come.
func (p *common) lineDue(now time.Time, random *rand.Rand) (text string, ok bool) {
	t := &p.talk
	if p.still() || now.Before(t.next) {
		return "", false
	}
	first, pause := t.next.IsZero(), p.crowd.talkPause
	t.next = now.Add(pause/2 + time.Duration(random.Int64N(int64(pause))))
	if first {
		return "", false
	}
	t.said++
	p.crowd.history.RecordSaid(now, p.name, t.said)
	return fmt.Sprintf("line of %s number %d", p.name, t.said), true
}

// goalIn returns the position of the entrance that the player walks to. ok is false if the player is not on its way to another
// area. The parameter area is the player's area, nil if unknown.
func (p *common) goalIn(area *truth.Area, now time.Time, random *rand.Rand) (goal geom.Vec, ok bool) {
	switch {
	case area == nil:
		return geom.Vec{}, false
	case p.home == nil:
		return p.trip.GoalIn(area, p.crowd.tripPause, now, random)
	case area == p.home:
		return geom.Vec{}, false
	}
	if goal, ok = area.EntranceTo(p.home); ok {
		return goal, true
	}
	return p.trip.GoalIn(area, p.crowd.tripPause, now, random) // the home is two areas away: go through any other area
}

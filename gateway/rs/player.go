package rs

import (
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// Times of a player without a connection, or without a place.
const (
	reconnectFor = 15 * time.Second // a lost player stands in the world so long, as its client tries to come back
	arriveFor    = 15 * time.Second // an area that has not shown a player by then never will
)

// attackOption is the slot of the option "Attack" in the menu of every other player.
const attackOption = 1

// lagging is how many bytes may wait for a client before it misses a cycle. guess: some cycles of a busy area.
const lagging = 24 << 10

// player is somebody in the world who came through this door. It belongs to its worker, but for lost.
//
//	arriving -> in a place -> (arriving -> in a place)* -> gone
//
// His connection comes and goes beside that.
type player struct {
	w       *worker
	session *session.Session
	own     proto.Index
	lost    atomic.Bool // there is no connection

	link     *link
	greet    bool // link waits for the answer to its login
	since    time.Time
	arriving sim.AreaID // sim.NoArea: he is in place
	place    *place
	row      int32
	gone     bool

	viewer *proto.Viewer
	sight  interest.Sight
	shown  []int32        // rows that he was shown by the last packet
	ids    []sim.EntityID // who stood there then
	lines  []line
	record *recorder

	// What his client was told.
	centreX, centreZ uint16 // zone around which its map is
	mapped           bool
	energy           uint8
	health           int32
	runs             bool
	frozen           bool

	running bool // what he has chosen
}

// line is something to read that waits for the cycle: a packet, or the chat of somebody.
type line struct {
	packet proto.Packet
	speech *speech
}

func newPlayer(w *worker, s *session.Session, own proto.Index) *player {
	return &player{w: w, session: s, own: own, arriving: sim.NoArea, row: -1, energy: 255, health: -1, sight: w.rule.NewSight()}
}

// attach gives the player a connection, which is answered in the next cycle that shows him. One that he had is cut.
func (p *player) attach(l *link) {
	if p.gone {
		l.out.raw([]byte{uint8(proto.ResponseSession)})
		l.out.end()
		return
	}
	if p.link != nil {
		p.link.out.cut()
	}
	p.link, p.greet, p.mapped = l, true, p.mapped && !l.fresh
	p.lost.Store(false)
	p.lines = p.lines[:0]
	if _, known := p.w.players[p]; known {
		return
	}
	p.w.players[p] = struct{}{}
	p.w.g.door.Sessions.Add(1)
	p.await(p.session.Area())
}

// detach takes a connection away that has ended.
func (p *player) detach(l *link) {
	if p.link != l {
		return
	}
	p.link, p.since = nil, time.Now()
	p.lost.Store(true)
}

// await looks out for the player in the frames of an area.
func (p *player) await(id sim.AreaID) {
	p.arriving, p.since = id, time.Now()
	p.w.visit(id).awaited++
}

// arrive lets the player stand in a place whose frame shows him.
func (p *player) arrive(pl *place) {
	row := pl.w.crowd.row(p.session.Entity)
	if row < 0 {
		return // off the map, or there are too many
	}
	pl.awaited--
	p.arriving, p.place = sim.NoArea, pl
	pl.members = append(pl.members, p)
	if p.row == row {
		return
	}
	p.row = row
	pl.w.crowd.figures[row].owner = p
}

// depart follows the player to another area.
func (p *player) depart(to sim.AreaID) {
	p.session.Arrive(to)
	p.leavePlace()
	p.await(to)
}

func (p *player) leavePlace() {
	if p.arriving != sim.NoArea {
		if pl := p.w.place(p.arriving); pl != nil {
			pl.awaited--
		}
		p.arriving = sim.NoArea
	}
	if p.place == nil {
		return
	}
	m := p.place.members
	for i := range m {
		if m[i] == p {
			p.place.members = append(m[:i:i], m[i+1:]...)
			break
		}
	}
	p.place = nil
}

// expire ends a visit that nobody is behind any more, or that has ended without a frame that says so.
func (p *player) expire(now time.Time) {
	switch {
	case p.over() && p.arriving != sim.NoArea:
		p.refuse(proto.ResponseFull)
	case p.over():
		p.logOut()
	case p.link == nil && now.Sub(p.since) >= reconnectFor:
		p.end()
	case p.arriving != sim.NoArea && now.Sub(p.since) >= arriveFor:
		p.refuse(proto.ResponseIncomplete)
	}
}

// over tells whether he is out of the world.
func (p *player) over() bool {
	select {
	case <-p.session.Over():
		return true
	default:
		return false
	}
}

// refuse ends a visit that has not begun, with a code if the client still waits for one.
func (p *player) refuse(code proto.ResponseCode) {
	if p.link != nil && p.greet {
		p.link.out.raw([]byte{uint8(code)})
		p.greet = false
	}
	p.end()
}

// logOut ends the visit as the player wishes it.
func (p *player) logOut() {
	p.kick()
	p.end()
}

// kick tells the client that it is out of the game, and why if that was an operator's doing: in its chat box, since the
// packet has no room for a reason.
func (p *player) kick() {
	if p.link == nil {
		return
	}
	if why := p.session.Farewell(); why != "" && !p.greet {
		for _, l := range wrap(why) {
			p.link.out.packet(proto.MessageGame{Text: l})
		}
	}
	if p.greet {
		p.link.out.raw([]byte{uint8(proto.ResponseUpdating)})
	} else {
		p.link.out.packet(proto.LogoutFull{})
	}
	p.link.out.end()
}

// end takes the player out of the world. The account is free at once.
func (p *player) end() {
	if p.gone {
		return
	}
	p.gone = true
	if p.link != nil {
		p.link.out.end()
	}
	p.leavePlace()
	p.record.close()
	p.w.g.players.drop(p)
	delete(p.w.players, p)
	p.w.g.door.Sessions.Add(-1)
	c := p.w.crowd
	if p.row >= 0 {
		if fig := &c.figures[p.row]; fig.owner == p {
			fig.owner = nil
			if fig.place == nil {
				c.remove(p.row)
			}
		}
	}
	p.session.Leave()
}

// option is a click on another player: he is attacked, whatever stands behind the figure.
func (p *player) option(o proto.OpPlayer) {
	if p.viewer == nil || o.Option != attackOption {
		return
	}
	for i, row := range p.shown {
		if p.viewer.Index(int(row)) == o.Index && p.viewer.IsLocal(o.Index) {
			p.submit(sim.Intent{Kind: sim.IntentPursue, Target: p.ids[i]})
			return
		}
	}
	p.w.g.door.Bad.With("unknown_player").Inc()
}

// submit hands an intent to the area, from any goroutine. One beyond the session's budget is counted and lost: false.
func (p *player) submit(in sim.Intent) bool {
	err := p.session.Submit(in)
	if err != nil && !errors.Is(err, session.ErrLeft) {
		p.w.g.door.Bad.With("budget").Inc()
	}
	return err == nil
}

// run lets the player run from now on, or walk. His orb follows with the cycle.
func (p *player) run(on bool) {
	in := sim.Intent{Kind: sim.IntentGait}
	if on {
		in.Amount = 1
	}
	if p.submit(in) {
		p.running = on
	}
}

// resize notes the window of a client, and draws the game anew if it takes another interface.
func (p *player) resize(l *link, mode uint8) {
	was := l.mode
	l.mode = mode
	if p.link == l && !p.greet && topInterface(mode) != topInterface(was) {
		l.out.packet(proto.IfOpenTop{Interface: topInterface(mode)})
	}
}

// hear takes an event that is for this player alone.
func (p *player) hear(e *sim.Event) {
	switch e.Kind {
	case sim.EventMessage:
		p.tell(e.Text)
	case sim.EventXP:
		p.line(proto.MessageGame{Text: gateway.ExperienceText(e.Value)})
	case sim.EventRefused:
		if e.Reason == reason.AreaFull && p.arriving != sim.NoArea {
			p.refuse(proto.ResponseFull)
			return
		}
		if text := refusalText(e.Reason); text != "" {
			p.line(proto.MessageGame{Text: text})
		}
		if e.Reason == reason.NoPath || e.Reason == reason.OffMap || e.Reason == reason.Halted {
			p.line(proto.SetMapFlag{X: proto.NoMapFlag})
		}
	}
}

// refusalText is what a player reads when he may not. What he did not ask for by hand is not told.
func refusalText(r reason.Reason) string {
	switch r {
	case reason.TooMuch, reason.Unknown, reason.AreaFull, reason.Dead, reason.TooSoon, reason.OtherAuthority:
		return ""
	case reason.NoPath:
		return "I can't reach that!"
	}
	s := r.Sentence()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// tell lets him read a text of the server.
func (p *player) tell(text string) {
	for _, l := range wrap(text) {
		p.line(proto.MessageGame{Text: l})
	}
}

func (p *player) line(pkt proto.Packet) { p.push(line{packet: pkt}) }

// push lets a line wait for the cycle; a client that has too many waiting loses the newest.
func (p *player) push(l line) {
	if p.link == nil || len(p.lines) >= maxLines {
		return
	}
	p.lines = append(p.lines, l)
}

// log is for a line about this player.
func (p *player) log() []any {
	return []any{telemetry.FieldCharacter, p.session.Character.Name, telemetry.FieldAddr, p.link.conn.RemoteAddr()}
}

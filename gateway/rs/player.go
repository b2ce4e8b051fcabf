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
	reconnectWindow = 15 * time.Second // a lost player stands in the world so long, as its client tries to come back
	arrivalTimeout  = 15 * time.Second // an area that has not shown a player by then never will
)

// attackOption is the slot of the option "Attack" in the menu of every other player.
const attackOption = 1

// lagging is how many bytes may wait for a client before it misses a cycle. guess: some cycles of a busy area.
const skipBacklogBytes = 24 << 10

// player is somebody in the world who came through this door. It belongs to its worker, but for lost.
//
//	arriving -> in a place -> (arriving -> in a place)* -> gone
//
// His connection comes and goes beside that.
type player struct {
	w            *worker
	session      *session.Session
	index        proto.Index
	disconnected atomic.Bool // there is no connection

	link         *link
	loginPending bool // link waits for the answer to its login
	stateSince   time.Time
	arrivingIn   sim.AreaID // sim.NoArea: he is in place
	scene        *areaScene
	row          int32
	removed      bool

	viewer    *proto.Viewer
	sight     interest.Sight
	shownRows []int32        // rows that he was shown by the last packet
	shownIDs  []sim.EntityID // who stood there then
	lines     []queuedLine
	recorder  *recorder

	// What his client was told.
	centreX, centreZ uint16 // zone around which its map is
	mapSent          bool
	sentEnergy       uint8
	sentHealth       int32
	sentRunning      bool
	sentFrozen       bool

	running bool // what he has chosen
}

// line is something to read that waits for the cycle: a packet, or the chat of somebody.
type queuedLine struct {
	packet proto.Packet
	chat   *chatLine
}

func newPlayer(w *worker, s *session.Session, own proto.Index) *player {
	return &player{w: w, session: s, index: own, arrivingIn: sim.NoArea, row: -1, sentEnergy: 255, sentHealth: -1, sight: w.sightRule.NewSight()}
}

// attach gives the player a connection, which is answered in the next cycle that shows him. One that he had is cut.
func (p *player) attachLink(l *link) {
	if p.removed {
		l.out.appendRaw([]byte{uint8(proto.ResponseSession)})
		l.out.closeAfterWrite()
		return
	}
	if p.link != nil {
		p.link.out.abort()
	}
	p.link, p.loginPending, p.mapSent = l, true, p.mapSent && !l.newLogin
	p.disconnected.Store(false)
	p.lines = p.lines[:0]
	if _, known := p.w.players[p]; known {
		return
	}
	p.w.players[p] = struct{}{}
	p.w.g.door.Sessions.Add(1)
	p.expectIn(p.session.Area())
}

// detach takes a connection away that has ended.
func (p *player) detachLink(l *link) {
	if p.link != l {
		return
	}
	p.link, p.stateSince = nil, time.Now()
	p.disconnected.Store(true)
}

// await looks out for the player in the frames of an area.
func (p *player) expectIn(id sim.AreaID) {
	p.arrivingIn, p.stateSince = id, time.Now()
	p.w.openScene(id).awaitedCount++
}

// arrive lets the player stand in a place whose frame shows him.
func (p *player) enterScene(as *areaScene) {
	row := as.w.actors.rowOf(p.session.Entity)
	if row < 0 {
		return // off the map, or there are too many
	}
	as.awaitedCount--
	p.arrivingIn, p.scene = sim.NoArea, as
	as.members = append(as.members, p)
	if p.row == row {
		return
	}
	p.row = row
	as.w.actors.rowStates[row].owner = p
}

// depart follows the player to another area.
func (p *player) changeArea(to sim.AreaID) {
	p.session.Arrive(to)
	p.leaveScene()
	p.expectIn(to)
}

func (p *player) leaveScene() {
	if p.arrivingIn != sim.NoArea {
		if as := p.w.sceneOf(p.arrivingIn); as != nil {
			as.awaitedCount--
		}
		p.arrivingIn = sim.NoArea
	}
	if p.scene == nil {
		return
	}
	m := p.scene.members
	for i := range m {
		if m[i] == p {
			p.scene.members = append(m[:i:i], m[i+1:]...)
			break
		}
	}
	p.scene = nil
}

// expire ends a visit that nobody is behind any more, or that has ended without a frame that says so.
func (p *player) checkTimeouts(now time.Time) {
	switch {
	case p.isRemoved() && p.arrivingIn != sim.NoArea:
		p.refuseLogin(proto.ResponseFull)
	case p.isRemoved():
		p.logOut()
	case p.link == nil && now.Sub(p.stateSince) >= reconnectWindow:
		p.remove()
	case p.arrivingIn != sim.NoArea && now.Sub(p.stateSince) >= arrivalTimeout:
		p.refuseLogin(proto.ResponseIncomplete)
	}
}

// over tells whether he is out of the world.
func (p *player) isRemoved() bool {
	select {
	case <-p.session.Over():
		return true
	default:
		return false
	}
}

// refuse ends a visit that has not begun, with a code if the client still waits for one.
func (p *player) refuseLogin(code proto.ResponseCode) {
	if p.link != nil && p.loginPending {
		p.link.out.appendRaw([]byte{uint8(code)})
		p.loginPending = false
	}
	p.remove()
}

// logOut ends the visit as the player wishes it.
func (p *player) logOut() {
	p.sendLogout()
	p.remove()
}

// kick tells the client that it is out of the game, and why if that was an operator's doing: in its chat box, since the
// packet has no room for a reason.
func (p *player) sendLogout() {
	if p.link == nil {
		return
	}
	if why := p.session.Farewell(); why != "" && !p.loginPending {
		for _, l := range wrapLines(why) {
			p.link.out.appendPacket(proto.MessageGame{Text: l})
		}
	}
	if p.loginPending {
		p.link.out.appendRaw([]byte{uint8(proto.ResponseUpdating)})
	} else {
		p.link.out.appendPacket(proto.LogoutFull{})
	}
	p.link.out.closeAfterWrite()
}

// end takes the player out of the world. The account is free at once.
func (p *player) remove() {
	if p.removed {
		return
	}
	p.removed = true
	if p.link != nil {
		p.link.out.closeAfterWrite()
	}
	p.leaveScene()
	p.recorder.close()
	p.w.g.players.remove(p)
	delete(p.w.players, p)
	p.w.g.door.Sessions.Add(-1)
	c := p.w.actors
	if p.row >= 0 {
		if state := &c.rowStates[p.row]; state.owner == p {
			state.owner = nil
			if state.scene == nil {
				c.removeActor(p.row)
			}
		}
	}
	p.session.Leave()
}

// option is a click on another player: he is attacked, whatever stands behind the figure.
func (p *player) handleOption(o proto.OpPlayer) {
	if p.viewer == nil || o.Option != attackOption {
		return
	}
	for i, row := range p.shownRows {
		if p.viewer.Index(int(row)) == o.Index && p.viewer.IsLocal(o.Index) {
			p.submit(sim.Intent{Kind: sim.IntentPursue, Target: p.shownIDs[i]})
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
func (p *player) setRunning(on bool) {
	in := sim.Intent{Kind: sim.IntentGait}
	if on {
		in.Amount = 1
	}
	if p.submit(in) {
		p.running = on
	}
}

// resize notes the window of a client, and draws the game anew if it takes another interface.
func (p *player) setWindowMode(l *link, mode uint8) {
	was := l.windowMode
	l.windowMode = mode
	if p.link == l && !p.loginPending && topInterface(mode) != topInterface(was) {
		l.out.appendPacket(proto.IfOpenTop{Interface: topInterface(mode)})
	}
}

// hear takes an event that is for this player alone.
func (p *player) handleEvent(e *sim.Event) {
	switch e.Kind {
	case sim.EventMessage:
		p.queueText(e.Text)
	case sim.EventXP:
		p.queuePacket(proto.MessageGame{Text: gateway.ExperienceText(e.Value)})
	case sim.EventRefused:
		if e.Reason == reason.AreaFull && p.arrivingIn != sim.NoArea {
			p.refuseLogin(proto.ResponseFull)
			return
		}
		if text := refusalText(e.Reason); text != "" {
			p.queuePacket(proto.MessageGame{Text: text})
		}
		if e.Reason == reason.NoPath || e.Reason == reason.OffMap || e.Reason == reason.Halted {
			p.queuePacket(proto.SetMapFlag{X: proto.NoMapFlag})
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
func (p *player) queueText(text string) {
	for _, l := range wrapLines(text) {
		p.queuePacket(proto.MessageGame{Text: l})
	}
}

func (p *player) queuePacket(pkt proto.Packet) { p.queueLine(queuedLine{packet: pkt}) }

// push lets a line wait for the cycle; a client that has too many waiting loses the newest.
func (p *player) queueLine(l queuedLine) {
	if p.link == nil || len(p.lines) >= maxLines {
		return
	}
	p.lines = append(p.lines, l)
}

// log is for a line about this player.
func (p *player) logFields() []any {
	return []any{telemetry.FieldCharacter, p.session.Character.Name, telemetry.FieldAddr, p.link.conn.RemoteAddr()}
}

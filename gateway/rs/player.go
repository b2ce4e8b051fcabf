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

// Timeouts of a player without a connection, or without a scene.
const (
	reconnectWindow = 15 * time.Second // a player without a connection remains in the world so long, for its client to reconnect
	arrivalTimeout  = 15 * time.Second // a player that does not appear in its area's frames so long is logged out
)

// attackOption is the slot of the option "Attack" in the menu of other players.
const attackOption = 1

// skipBacklogBytes is how many bytes may be queued for a client before it misses a cycle. guess: some cycles of a busy
// area
const skipBacklogBytes = 24 << 10

// player is a player in the world through this gateway. Its worker owns it, except for the field disconnected.
//
//	arriving -> in a scene -> (arriving -> in a scene)* -> removed
//
// Its connection (link) may end and be replaced in any of these states.
type player struct {
	w            *worker
	session      *session.Session
	index        proto.Index
	disconnected atomic.Bool // it has no connection

	link         *link
	loginPending bool // link has not been answered yet
	stateSince   time.Time
	arrivingIn   sim.AreaID // area it is expected in; sim.NoArea: it is in scene
	scene        *areaScene
	row          int32
	removed      bool

	viewer    *proto.Viewer
	sight     interest.Sight
	shownRows []int32        // rows in its last player info packet
	shownIDs  []sim.EntityID // actors in those rows
	lines     []queuedLine
	recorder  *recorder

	// State last sent to the client.
	centreX, centreZ uint16 // zone at the centre of its map
	mapSent          bool
	sentEnergy       uint8
	sentHealth       int32
	sentRunning      bool
	sentFrozen       bool

	running bool // run toggle
}

// queuedLine is a text that is sent with the next cycle: a packet or a chat line.
type queuedLine struct {
	packet proto.Packet
	chat   *chatLine
}

func newPlayer(w *worker, s *session.Session, index proto.Index) *player {
	return &player{w: w, session: s, index: index, arrivingIn: sim.NoArea, row: -1, sentEnergy: 255, sentHealth: -1, sight: w.sightRule.NewSight()}
}

// attachLink gives the player a connection, which is answered in the first cycle whose frame has the player. A previous
// connection is closed.
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

// detachLink removes a connection that has ended.
func (p *player) detachLink(l *link) {
	if p.link != l {
		return
	}
	p.link, p.stateSince = nil, time.Now()
	p.disconnected.Store(true)
}

// expectIn waits for the player in the frames of an area.
func (p *player) expectIn(id sim.AreaID) {
	p.arrivingIn, p.stateSince = id, time.Now()
	p.w.openScene(id).awaitedCount++
}

// enterScene adds the player to a scene whose frame has it.
func (p *player) enterScene(as *areaScene) {
	row := as.w.actors.rowOf(p.session.Entity)
	if row < 0 {
		return // outside the map, or no row is free
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

// changeArea follows the player to another area.
func (p *player) changeArea(to sim.AreaID) {
	p.session.SetArea(to)
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

// checkTimeouts removes a player that was not reconnected or did not appear in time, or whose session has ended.
func (p *player) checkTimeouts(now time.Time) {
	switch {
	case p.sessionEnded() && p.arrivingIn != sim.NoArea:
		p.refuseLogin(proto.ResponseFull)
	case p.sessionEnded():
		p.logOut()
	case p.link == nil && now.Sub(p.stateSince) >= reconnectWindow:
		p.remove()
	case p.arrivingIn != sim.NoArea && now.Sub(p.stateSince) >= arrivalTimeout:
		p.refuseLogin(proto.ResponseIncomplete)
	}
}

// isRemoved reports whether the session has ended.
func (p *player) sessionEnded() bool {
	select {
	case <-p.session.Ended():
		return true
	default:
		return false
	}
}

// refuseLogin removes a player that has not entered yet. A client that still waits for its answer gets the code.
func (p *player) refuseLogin(code proto.ResponseCode) {
	if p.link != nil && p.loginPending {
		p.link.out.appendRaw([]byte{uint8(code)})
		p.loginPending = false
	}
	p.remove()
}

// logOut logs the player out and removes it.
func (p *player) logOut() {
	p.sendLogout()
	p.remove()
}

// sendLogout tells the client that it is logged out and closes the connection. An operator's reason goes to the chat
// box, because the packet has no text.
func (p *player) sendLogout() {
	if p.link == nil {
		return
	}
	if why := p.session.KickMessage(); why != "" && !p.loginPending {
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

// remove ends the player's session. The account may log in again at once.
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
	table := p.w.actors
	if p.row >= 0 {
		if state := &table.rowStates[p.row]; state.owner == p {
			state.owner = nil
			if state.scene == nil {
				table.removeActor(p.row)
			}
		}
	}
	p.session.Leave()
}

// handleOption processes a click on another player's menu. The only option is to attack, whatever actor is shown.
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

// submit passes an intent to the area, from any goroutine. It returns false if the intent exceeds the session's budget;
// it is then counted and dropped.
func (p *player) submit(in sim.Intent) bool {
	err := p.session.Submit(in)
	if err != nil && !errors.Is(err, session.ErrLeft) {
		p.w.g.door.Bad.With("budget").Inc()
	}
	return err == nil
}

// setRunning switches running on or off. The client's run toggle follows with the next cycle.
func (p *player) setRunning(on bool) {
	in := sim.Intent{Kind: sim.IntentGait}
	if on {
		in.Amount = 1
	}
	if p.submit(in) {
		p.running = on
	}
}

// setWindowMode records the client's window mode and sends the interface for it if that is another one.
func (p *player) setWindowMode(l *link, mode uint8) {
	oldMode := l.windowMode
	l.windowMode = mode
	if p.link == l && !p.loginPending && topInterface(mode) != topInterface(oldMode) {
		l.out.appendPacket(proto.IfOpenTop{Interface: topInterface(mode)})
	}
}

// handleEvent processes an event for this player only.
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

// refusalText is the text for a refused intent; "" if the player did not cause the intent by a click.
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

// queueText queues a text of the server.
func (p *player) queueText(text string) {
	for _, l := range wrapLines(text) {
		p.queuePacket(proto.MessageGame{Text: l})
	}
}

func (p *player) queuePacket(pkt proto.Packet) { p.queueLine(queuedLine{packet: pkt}) }

// queueLine queues a text until the next cycle. A text beyond maxLines is dropped.
func (p *player) queueLine(l queuedLine) {
	if p.link == nil || len(p.lines) >= maxLines {
		return
	}
	p.lines = append(p.lines, l)
}

// logFields are the fields of a log line about this player.
func (p *player) logFields() []any {
	return []any{telemetry.FieldCharacter, p.session.Character.Name, telemetry.FieldAddr, p.link.conn.RemoteAddr()}
}

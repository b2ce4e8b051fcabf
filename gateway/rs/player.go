package rs

import (
	"errors"
	"strings"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits of the time for which a player may be missing in the frames of its area.
const (
	searchAfter    = 2 * time.Second  // time after which the player is searched for in the frames of all areas
	arrivalTimeout = 15 * time.Second // time after which the player is logged out
)

// attackOption is the slot of the option "Attack" in the clients' menu for other players.
const attackOption = 1

// skipBacklogBytes is the number of waiting bytes above which a client is not sent the changes of a cycle. The value is an
// estimate of the bytes of a few cycles of a busy area.
const skipBacklogBytes = 24 << 10

// player is a player of this gateway in the world. Its worker owns it.
//
//	arriving -> in a scene -> (arriving -> in a scene)* -> removed
//
// If a client reconnects before the server has detected the loss of its connection, the new connection (link) replaces the old
// one. If the server has detected the loss, it has removed this player. The login then creates a new player, which resumes the
// lingering actor.
type player struct {
	w       *worker
	session *session.Session
	index   proto.Index // index of the player on its own client

	link         *link      // connection; nil after it has ended
	loginPending bool       // the login of link has not been answered yet
	stateSince   time.Time  // time since which the player is expected in arrivingIn
	arrivingIn   sim.AreaID // area in whose frames the player is expected; sim.NoArea if the player is in scene
	searched     bool       // the player is searched for in all areas: it has been expected for searchAfter, or may have gone anywhere (searchMissing)
	scene        *areaScene // scene with the player; nil while the player is expected in an area
	row          int32      // row in the actor table, -1 if none
	removed      bool       // the player's session has ended

	viewer    *proto.Viewer  // what the client has been sent about all players, including its own player; nil before the first login answer
	sight     interest.Sight // range within which the client is sent actors
	shownRows []int32        // rows in the last player info packet to the client
	shownIDs  []sim.EntityID // entity ids of the actors in shownRows
	lines     []queuedLine   // texts for the next cycle
	recorder  *recorder      // recording of the packets; nil if there is none

	// Values that the client was last sent. A value is sent again only if it has changed.
	centreX, centreZ uint16 // zone at the centre of the client's map
	mapSent          bool   // the client holds a map
	sentEnergy       uint8  // energy that the client was last sent, in percent; 255 before the first packet
	sentHealth       int32  // health that the client was last sent; -1 before the first packet
	sentHealthMax    int32
	sentRunning      bool
	sentFrozen       bool

	running bool // run mode is on: the player runs along its path
}

// queuedLine is a text that is sent with the next cycle: either a packet or a chat line.
type queuedLine struct {
	packet proto.Packet
	chat   *chatLine
}

func newPlayer(w *worker, s *session.Session, index proto.Index) *player {
	return &player{w: w, session: s, index: index, arrivingIn: sim.NoArea, row: -1, sentEnergy: 255, sentHealth: -1, sight: w.sightRule.NewSight()}
}

// attachLink sets the connection of the player and closes the previous connection, if there is one. The client's login is
// answered in the first cycle whose frame contains the player. attachLink returns false if the player has been removed.
func (p *player) attachLink(l *link) bool {
	if p.removed {
		return false
	}
	if p.link != nil {
		p.link.out.abort()
	}
	p.link, p.loginPending, p.mapSent = l, true, p.mapSent && !l.newLogin
	p.lines = p.lines[:0]
	if _, known := p.w.players[p]; known {
		return true
	}
	p.w.players[p] = struct{}{}
	p.w.g.door.Sessions.Add(1)
	p.expectIn(p.session.Area())
	return true
}

// detachLink removes a player from this gateway when its connection has ended. The player's actor stays in the world for some seconds.
func (p *player) detachLink(l *link) {
	if p.link != l {
		return
	}
	p.session.Disconnect()
	p.remove()
	p.link = nil
}

// expectIn records that the player is expected in the frames of the area id. From now on the player has arrivalTimeout to appear
// there.
func (p *player) expectIn(id sim.AreaID) {
	p.arrivingIn, p.stateSince, p.searched = id, time.Now(), false
	p.w.openScene(id).awaitedCount++
}

// enterScene adds the player to the scene of the area in which it has appeared.
func (p *player) enterScene(as *areaScene) {
	row := as.w.actors.rowOf(p.session.Entity)
	if row < 0 {
		return // the player is outside the tile map, or no row is free
	}
	as.awaitedCount--
	p.arrivingIn, p.searched, p.scene = sim.NoArea, false, as
	as.members = append(as.members, p)
	if p.row == row {
		return
	}
	p.row = row
	as.w.actors.rowStates[row].owner = p
}

// isIn reports whether the player is in the scene of an area, or expected there.
func (p *player) isIn(id sim.AreaID) bool {
	return p.arrivingIn == id || p.arrivingIn == sim.NoArea && p.scene != nil && p.scene.id == id
}

// changeArea removes the player from its scene. The player is added to the scene of the new area when a frame of that area
// contains it.
func (p *player) changeArea(to sim.AreaID) {
	p.session.SetArea(to)
	p.leaveScene()
	p.expectIn(to)
}

// leaveScene removes the player from its scene. A player that has not appeared in its area yet is removed from the players
// that are expected there.
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

// checkTimeouts removes a player that has not appeared in its area in time, or whose session has ended. Before that, it has the player
// searched for.
func (p *player) checkTimeouts(now time.Time) {
	p.searched = p.arrivingIn != sim.NoArea && (p.searched || now.Sub(p.stateSince) >= searchAfter)
	switch {
	case p.sessionEnded() && p.arrivingIn != sim.NoArea:
		p.refuseEntry(proto.ResponseFull)
	case p.sessionEnded():
		p.logOut()
	case p.arrivingIn != sim.NoArea && now.Sub(p.stateSince) >= arrivalTimeout:
		p.refuseEntry(proto.ResponseIncomplete)
	}
}

// sessionEnded reports whether the session hub has ended the player's session (see session.Session.Ended).
func (p *player) sessionEnded() bool {
	select {
	case <-p.session.Ended():
		return true
	default:
		return false
	}
}

// refuseEntry removes a player that has not appeared in its area. If its login has not been answered, the client is sent the parameter
// code as the answer, otherwise the logout.
func (p *player) refuseEntry(code proto.ResponseCode) {
	if p.link == nil || !p.loginPending {
		p.logOut()
		return
	}
	p.link.out.appendRaw([]byte{uint8(code)})
	p.loginPending = false
	p.remove()
}

// logOut sends the client the logout, if it is connected, and removes the player.
func (p *player) logOut() {
	p.sendLogout()
	p.remove()
}

// sendLogout sends the logout packet and closes the connection. The logout packet has no text, so an operator's reason is sent
// to the chat box before it.
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

// remove ends the player's session and removes the player from this gateway. The account may log in again immediately.
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

// handleOption processes a click on an option in the menu of another player. The only option is to attack; NPCs are players
// to these clients.
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

// submit passes an intent to the area and may be called from any goroutine. If the session has exceeded its rate limit,
// submit counts and drops the intent and returns false.
func (p *player) submit(in sim.Intent) bool {
	err := p.session.Submit(in)
	if err != nil && !errors.Is(err, session.ErrLeft) {
		p.w.g.door.Bad.With("budget").Inc()
	}
	return err == nil
}

// setRunning turns run mode on or off. The client's run button is updated with the next cycle.
func (p *player) setRunning(on bool) {
	in := sim.Intent{Kind: sim.IntentGait}
	if on {
		in.Amount = 1
	}
	if p.submit(in) {
		p.running = on
	}
}

// setWindowMode records the mode of the client's window and sends the interface for this mode if it differs from the current
// one.
func (p *player) setWindowMode(l *link, mode uint8) {
	oldMode := l.windowMode
	l.windowMode = mode
	if p.link == l && !p.loginPending && topInterface(mode) != topInterface(oldMode) {
		l.out.appendPacket(proto.IfOpenTop{Interface: topInterface(mode)})
	}
}

// handleEvent tells the client about an event of its own player, if clients are sent a text about events of its kind.
func (p *player) handleEvent(e *sim.Event) {
	switch e.Kind {
	case sim.EventMessage:
		text := e.Text
		if e.N == sim.ToneAnnouncement {
			text = gateway.AnnouncementMark + text
		}
		p.queueText(text)
	case sim.EventDied:
		p.queuePacket(proto.MessageGame{Text: "Oh dear, you are dead!"})
	case sim.EventXP:
		p.queuePacket(proto.MessageGame{Text: gateway.ExperienceText(e.Value)})
	case sim.EventRefused:
		if e.Reason == reason.AreaFull && p.arrivingIn != sim.NoArea {
			p.refuseEntry(proto.ResponseFull)
			return
		}
		if text := gateway.CommandRefusal(e); text != "" {
			p.queueText(text)
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

// refusalText returns the text that tells a player why an intent was refused. It returns "" for reasons that need no text, for
// example because the player sees them itself.
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

// queueText queues a text of the server for the next cycle, in lines that fit a game message.
func (p *player) queueText(text string) {
	for _, l := range wrapLines(text) {
		p.queuePacket(proto.MessageGame{Text: l})
	}
}

func (p *player) queuePacket(pkt proto.Packet) { p.queueLine(queuedLine{packet: pkt}) }

// queueLine queues a text for the next cycle. If maxLines texts are queued already, the text is dropped.
func (p *player) queueLine(l queuedLine) {
	if p.link == nil || len(p.lines) >= maxLines {
		return
	}
	p.lines = append(p.lines, l)
}

// logFields returns the fields of a log line about this player. The player must have a connection.
func (p *player) logFields() []any {
	return []any{telemetry.FieldCharacter, p.session.Character.Name, telemetry.FieldAddr, p.link.conn.RemoteAddr()}
}

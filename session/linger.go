package session

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// If the connection of a session is lost, the actor of its player stays in the world for the time of sim.LingerRules.
// The next session of the account takes over the actor:
//
//	Session.Disconnect -> the presence has no connection; the account may log in
//	Hub.Enter, Resume  -> IntentResume -> EventResumed: the presence has a new session
//	                                   -> EventLeft: the actor had left; Enter creates a new presence
//	the time is over   -> EventLeft: the presence ends as after Session.Leave

// Disconnect reports that the connection of the player was lost. The player's actor stays in the world for the time of
// sim.LingerRules, in which the account may take it over with Enter or Resume; then the actor leaves. Disconnect never
// blocks. After Leave or an earlier Disconnect it does nothing.
func (s *Session) Disconnect() {
	if !s.end() {
		return
	}
	h, v := s.hub, s.presence
	h.mu.Lock()
	here := h.presences[v.entity] == v && v.session == s && !v.leaving()
	if here {
		v.disconnected = true
	}
	in := v.area
	h.mu.Unlock()
	if here {
		h.log.Info("connection of player lost", telemetry.FieldAccount, s.Login.Name, telemetry.FieldCharacter, s.Character.Name,
			telemetry.FieldActor, s.Entity, telemetry.FieldArea, h.areaName(in))
		h.dropUndelivered(v)
		h.sendDisconnect(v, in)
	}
}

// MayShow reports whether a gateway may show a frame to the session's client. It returns false for frames from before
// the session took over a lingering actor, because in those frames the player has no connection.
func (s *Session) MayShow(f *sim.Frame) bool { return f.Area != s.resumedIn || f.Tick >= s.resumedAt }

// Resumed reports whether the session took over a lingering actor.
func (s *Session) Resumed() bool { return s.resumedAt != 0 }

// end makes the session refuse further intents. It returns false if the session had already ended.
func (s *Session) end() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.left
	s.left = true
	return !again
}

// sendDisconnect informs an area that the connection of a player was lost, so that the player's actor lingers. If the area
// is closed, nothing happens.
func (h *Hub) sendDisconnect(v *presence, in sim.AreaID) {
	intent := sim.Intent{Kind: sim.IntentDisconnect, Who: v.entity, AtMS: h.world.NowMS()}
	if v.restored {
		intent.Amount = 1
	}
	_ = h.world.Submit(in, intent)
}

// resumption is the attempt of a new session to take over a lingering actor, the actor of a player without a connection.
type resumption struct {
	join *sim.Join
	sent bool         // the request was sent to the area, so later frames can have the answer; guarded by Hub.mu
	done chan resumed // has capacity 1; receives the result
}

// resumed is the result of a resumption: the area and the tick in which the lingering actor was taken over, and the
// actor's record.
type resumed struct {
	area   sim.AreaID
	tick   sim.Tick
	record *sim.Character // nil if the actor has left the world
}

// Resume takes over the lingering actor of an account whose connection was lost. Errors: ErrNotInWorld if the account has
// no such actor, and those of Enter.
func (h *Hub) Resume(ctx context.Context, l *Login) (*Session, error) {
	v, err := h.lingering(l, 0)
	if v == nil && err == nil && h.opt.Directory != nil {
		var found bool
		if found, err = h.searchActor(ctx, l); found {
			v, err = h.lingering(l, 0)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return nil, ErrNotInWorld
	}
	s, err := h.resume(ctx, l, v)
	if errors.Is(err, errActorLeft) {
		return nil, ErrNotInWorld
	}
	return s, err
}

// errActorLeft means that a lingering actor left the world before a new session could take it over.
var errActorLeft = errors.New("the lingering player has already left the world")

// lingering returns the presence of an account whose player has no connection, and prepares it for a takeover by resume. It
// returns nil if the account has none. The parameter character is the ID of the character whose actor is taken over; 0 stands
// for any character. Errors: ErrClosed, AccessError, ErrBusy, ErrOnline if the account is online or another of its characters
// lingers.
func (h *Hub) lingering(l *Login, character sim.CharacterID) (*presence, error) {
	refused := h.checkBanned(l) // not checkAccess: a player in the world need not be on the whitelist
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.online[l.Account]
	switch {
	case h.closed:
		return nil, ErrClosed
	case refused != nil:
		return nil, refused
	case v == nil:
		return nil, nil
	case h.rosterLocked[l.Account]:
		return nil, ErrBusy
	case !v.disconnected || v.resumption != nil || character != 0 && character != v.character:
		return nil, ErrOnline
	}
	v.resumption = &resumption{join: &sim.Join{Portal: -1, Authority: l.Authority}, done: make(chan resumed, 1)}
	return v, nil
}

// resume takes over a lingering presence for a new session; the method lingering has returned the presence. In a cluster it
// first waits for a barrier: while this node was cut off, the account may have played through another node. This node must step
// those ticks first, or it would show them to the new client. Errors: errActorLeft, ErrBusy, ErrClosed, those of area.Host.
func (h *Hub) resume(ctx context.Context, l *Login, v *presence) (*Session, error) {
	r := v.resumption
	err := h.awaitBarrier(ctx)
	var got resumed
	if err == nil {
		got, err = h.askForActor(ctx, v, r)
	}
	if err == nil && got.record == nil {
		err = errActorLeft
	}
	if err != nil {
		h.mu.Lock()
		v.resumption = nil
		in := v.area
		cutOff := v.cutOff
		h.mu.Unlock()
		if !cutOff {
			h.sendDisconnect(v, in) // the area may have executed the resumption although its result did not arrive in time
		}
		return nil, err
	}
	return h.takeOver(l, v, got), nil
}

// askForActor asks the area to assign the lingering actor of a presence to a new connection, and waits for the answer. Errors:
// errActorLeft, ErrBusy, that of ctx.
func (h *Hub) askForActor(ctx context.Context, v *presence, r *resumption) (resumed, error) {
	h.joining.RLock() // EndAll has already ended the presence, or waits until the intent is submitted
	h.mu.Lock()
	r.sent = !v.isEnded
	in := v.area
	h.mu.Unlock()
	if r.sent {
		h.sendResume(v, in)
	}
	h.joining.RUnlock()
	late := time.NewTimer(h.opt.RecordTimeout)
	defer late.Stop()
	select {
	case got := <-r.done:
		return got, nil
	case <-v.ended:
		return resumed{}, errActorLeft
	case <-late.C:
		return resumed{}, ErrBusy
	case <-ctx.Done():
		return resumed{}, ctx.Err()
	}
}

// sendResume asks an area to assign the lingering actor of a player to a new connection, if askForActor has asked for that before. If
// the player is still on its way to that area, trackArea sends the intent again when the player arrives.
func (h *Hub) sendResume(v *presence, in sim.AreaID) {
	h.mu.Lock()
	r := v.resumption
	send := r != nil && r.sent
	h.mu.Unlock()
	if send {
		h.submitResume(v, r, in)
	}
}

// submitResume submits the intent of a resumption to an area. If the area is closed, nothing happens.
func (h *Hub) submitResume(v *presence, r *resumption, in sim.AreaID) {
	_ = h.world.Submit(in, sim.Intent{Kind: sim.IntentResume, Who: v.entity, AtMS: h.world.NowMS(), Join: r.join})
}

// takeOver creates the new session of a presence whose actor was taken over. The new session continues with the token
// buckets of the previous session, so that a client cannot refill them by reconnecting.
func (h *Hub) takeOver(l *Login, v *presence, got resumed) *Session {
	c := *got.record
	c.GM = l.GM
	s := &Session{Entity: v.entity, Character: &c, Login: l, hub: h, presence: v, area: got.area, resumedIn: got.area, resumedAt: got.tick}
	s.link.reset()
	h.mu.Lock()
	last := v.session
	last.mu.Lock()
	s.buckets, s.speaker, s.noticeAt = last.buckets, last.speaker, last.noticeAt
	last.mu.Unlock()
	v.session, v.disconnected, v.restored, v.missing, v.resumption = s, false, false, false, nil
	leaving := v.leaving() || v.isEnded // meanwhile an operator may have ended the presence
	h.mu.Unlock()
	if leaving {
		s.end()
	} else {
		h.leaveIfBanned(s)
	}
	h.log.Info("player reconnected", telemetry.FieldAccount, l.Name, telemetry.FieldCharacter, c.Name,
		telemetry.FieldActor, s.Entity, telemetry.FieldDoor, l.Door, telemetry.FieldArea, h.areaName(got.area))
	return s
}

// handleResumed passes the content of an EventResumed to the session that is taking over the actor, if there is one. The event also tells
// in which area the actor is.
func (h *Hub) handleResumed(e *sim.Event, f *sim.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.presences[e.Who]
	if v == nil || v.resumption == nil || !v.resumption.sent {
		return
	}
	if !h.arrivesEarly(v, f.Area) {
		v.area, v.arrived, v.crossing, v.missing = f.Area, true, false, false
	}
	v.answerResumption(resumed{f.Area, f.Tick, e.Record})
}

// answerResumption passes the result of a takeover to the session that is taking over the actor of the presence. Only the first
// result counts. The caller holds Hub.mu.
func (v *presence) answerResumption(got resumed) {
	if v.resumption != nil {
		select {
		case v.resumption.done <- got:
		default:
		}
	}
}

// lingererLeft records that the area has removed a lingering actor, because its time was over or the world is stopping. The
// account may log in again; Enter waits for the player's last record. The caller holds Hub.mu.
func (h *Hub) lingererLeft(v *presence) {
	if v.leaving() || !v.disconnected {
		return
	}
	h.startLeaving(v)
	v.answerResumption(resumed{})
}

package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Enter begins a session of a character, which then enters the world. The parameter index is the character's place in the
// account's roster. A tick or two later the area's frames contain the player; if the area is full, they contain an EventRefused
// instead, which ends the session. If a player of the account has just left the world, Enter waits for that player's last
// record, so that the character enters with its newest record.
//
// If the account's actor lingers in the world, because the connection of an earlier session was lost, the new session takes over
// that actor: Session.Entity is the actor's id, and the first frame for which Session.MayShow is true has an EventResumed.
//
// Errors: ErrNoCharacter, ErrOnline, ErrBusy, AccessError, ErrClosed, ErrNoLead, and ErrTemplate if the world no longer has the character's
// template or the template has no start area.
func (h *Hub) Enter(ctx context.Context, l *Login, index int) (*Session, error) {
	for {
		s, err := h.resumeCharacter(ctx, l, index)
		if s == nil && err == nil {
			s, err = h.enterAnew(ctx, l, index)
		}
		if !errors.Is(err, errActorLeft) && !errors.Is(err, errActorFound) {
			if errors.Is(err, ErrNoLead) {
				h.warnNoLead(time.Now())
			}
			return s, err
		}
	}
}

// warnNoLead logs, at most once a minute, that players cannot enter because an area has no leader.
func (h *Hub) warnNoLead(now time.Time) {
	h.mu.Lock()
	due := now.Sub(h.noLeadWarned) >= time.Minute
	if due {
		h.noLeadWarned = now
	}
	h.mu.Unlock()
	if due {
		h.log.Warn("players who log in are asked to try again", telemetry.FieldErr, ErrNoLead)
	}
}

// resumeCharacter takes over the lingering actor of a character. It returns nil if no lingering actor of the account is
// in the world. Errors: those of lingering and resume.
func (h *Hub) resumeCharacter(ctx context.Context, l *Login, index int) (*Session, error) {
	h.mu.Lock()
	v := h.online[l.Account]
	there := v != nil && v.disconnected
	h.mu.Unlock()
	if !there {
		return nil, nil
	}
	c, err := h.Character(ctx, l, index)
	if err != nil {
		return nil, err
	}
	if v, err = h.lingering(l, c.ID); v == nil {
		return nil, err
	}
	return h.resume(ctx, l, v)
}

// enterAnew lets a character enter the world in which it has no actor yet.
func (h *Hub) enterAnew(ctx context.Context, l *Login, index int) (*Session, error) {
	v, err := h.reserve(l)
	if err != nil {
		return nil, err
	}
	s, err := h.enter(ctx, l, index, v)
	if err != nil {
		h.mu.Lock()
		h.endLocked(v)
		h.mu.Unlock()
		return nil, err
	}
	h.proofs.enter(l)
	h.log.Info("player entered", telemetry.FieldAccount, l.Name, telemetry.FieldCharacter, s.Character.Name,
		telemetry.FieldActor, s.Entity, telemetry.FieldDoor, l.Door, telemetry.FieldArea, h.areaName(s.Area()))
	return s, nil
}

// reserve marks the account as online and returns a new presence for the player, who is not in the world yet. Errors:
// ErrClosed, AccessError, ErrOnline, ErrBusy.
func (h *Hub) reserve(l *Login) (*presence, error) {
	refused := h.checkAccess(l)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, ErrClosed
	case refused != nil:
		return nil, refused
	case h.online[l.Account] != nil:
		return nil, ErrOnline
	case h.rosterLocked[l.Account]:
		return nil, ErrBusy
	}
	v := &presence{account: l.Account, area: sim.NoArea, enteredAt: time.Now(), ended: make(chan struct{})}
	if h.opt.Directory == nil {
		v.entity = sim.PlayerID(h.opt.Node, h.serials.next())
	}
	h.online[l.Account] = v
	return v, nil
}

func (h *Hub) enter(ctx context.Context, l *Login, index int, v *presence) (*Session, error) {
	if err := h.claimAccount(ctx, v); err != nil {
		return nil, err
	}
	c, err := h.Character(ctx, l, index)
	if err != nil {
		return nil, err
	}
	entity := v.entity
	if h.opt.Directory != nil {
		if c, err = h.storeGivenBack(ctx, l, index, c); err != nil {
			return nil, err
		}
		serial, err := h.serials.nextReserved(ctx, h.opt.Directory)
		if err != nil {
			return nil, err
		}
		entity = sim.PlayerID(h.opt.Node, serial)
	}
	w := h.world.Def()
	t := w.Template(c.Template)
	if t == nil {
		return nil, ErrTemplate
	}
	at := entryPoint(w, t, c)
	if at.area == sim.NoArea {
		return nil, fmt.Errorf("%w: template %d has no start area", ErrTemplate, t.ID)
	}
	if c.GM != l.GM {
		changed := *c
		changed.GM = l.GM
		c = &changed
	}
	if err := h.readFrozen(ctx, v); err != nil {
		return nil, err
	}
	h.joining.RLock()
	defer h.joining.RUnlock()
	h.mu.Lock()
	if v.isEnded { // by EndAll
		h.mu.Unlock()
		return nil, ErrBusy
	}
	v.entity, v.character, v.area, v.unsettledAt = entity, c.ID, at.area, time.Now()
	h.presences[v.entity] = v
	frozen := v.frozen
	h.mu.Unlock()
	join := &sim.Join{
		Character: c, Portal: at.portal, Pos: at.pos, Yaw: at.yaw, Pets: c.Pets, Login: true, Frozen: frozen, Authority: l.Authority,
	}
	now := h.world.NowMS()
	if err := h.world.Submit(at.area, sim.Intent{Kind: sim.IntentJoin, Who: v.entity, AtMS: now, Join: join}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	s := &Session{Entity: v.entity, Character: c, Login: l, hub: h, presence: v, area: at.area}
	s.fillBuckets(now)
	s.link.reset()
	h.mu.Lock()
	v.session = s
	h.mu.Unlock()
	h.leaveIfBanned(s) // a ban that was stored after reserve found no session that it could end
	return s, nil
}

// leaveIfBanned ends a new session if the account or the address of its player was banned while the player was entering.
func (h *Hub) leaveIfBanned(s *Session) {
	banned := h.checkBanned(s.Login)
	if banned == nil {
		return
	}
	h.mu.Lock()
	s.presence.kickMessage = AccessText(banned, "")
	h.mu.Unlock()
	s.Leave()
}

// fillBuckets fills all token buckets of the session, so that a new session may send a full burst of each class of intents.
func (s *Session) fillBuckets(nowMS int64) {
	for i := range s.buckets {
		s.buckets[i] = bucket{milli: budgets[i].burst * 1000, atMS: nowMS}
	}
}

// Close stores every record that is not stored yet. The caller must first tell the world to stop, so that its areas emit the last
// record of each player. Close waits until the world has stopped. If ctx ends first, the error contains the number of records
// that are lost.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	began := time.Now()
	err := h.writer.close(ctx)
	h.releaseClaims(ctx)
	h.known.close(ctx, err == nil)
	h.closeAccess(ctx)
	h.closePlannedStop()
	h.proofs.expectWrite()
	h.writeProofs(time.Now())
	if err != nil {
		return err
	}
	if h.world.NowMS() > 0 { // a world that was never started has no records
		h.log.Info("all records saved", telemetry.FieldDuration, time.Since(began))
	}
	return nil
}

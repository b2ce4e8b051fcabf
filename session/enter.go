package session

import (
	"context"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Enter brings a character into the world; the frame in which it joined comes a tick or two later, and if the area was
// full an EventRefused instead, after which the session is left. The record is the newest there is: if the player has
// just left, Enter waits for that visit's last one. Errors: ErrNoCharacter, ErrOnline, ErrBusy, ErrBanned, ErrTemplate if the
// world no longer has the character's template, ErrClosed.
func (h *Hub) Enter(ctx context.Context, l *Login, index int) (*Session, error) {
	v, err := h.reserve(l)
	if err != nil {
		return nil, err
	}
	s, err := h.enter(ctx, l, index, v)
	if err != nil {
		h.mu.Lock()
		h.drop(v)
		h.mu.Unlock()
		return nil, err
	}
	h.log.Info("player entered", telemetry.FieldAccount, l.Name, telemetry.FieldCharacter, s.Character.Name,
		telemetry.FieldActor, s.Entity, telemetry.FieldDoor, l.Door, telemetry.FieldArea, h.areaName(s.Area()))
	return s, nil
}

// reserve takes the account's place in the world.
func (h *Hub) reserve(l *Login) (*visit, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, ErrClosed
	case h.banned[l.Account]:
		return nil, ErrBanned
	case h.online[l.Account] != nil:
		return nil, ErrOnline
	case h.changing[l.Account]:
		return nil, ErrBusy
	}
	v := &visit{
		entity:  sim.PlayerID(h.opt.Node, h.serial.Add(1)),
		account: l.Account, area: sim.NoArea, since: time.Now(), over: make(chan struct{}),
	}
	h.online[l.Account] = v
	return v, nil
}

func (h *Hub) enter(ctx context.Context, l *Login, index int, v *visit) (*Session, error) {
	c, err := h.Character(ctx, l, index)
	if err != nil {
		return nil, err
	}
	w := h.world.Def()
	t := w.Template(c.Template)
	if t == nil {
		return nil, ErrTemplate
	}
	at := whereabouts(w, t, c)
	if at.area == sim.NoArea {
		return nil, fmt.Errorf("%w: template %d has no start area", ErrTemplate, t.ID)
	}
	if c.GM != l.GM {
		changed := *c
		changed.GM = l.GM
		c = &changed
	}
	h.mu.Lock()
	v.character, v.area = c.ID, at.area
	h.visits[v.entity] = v
	frozen := h.frozen[l.Account]
	h.mu.Unlock()
	join := &sim.Join{
		Character: c, Portal: at.portal, Pos: at.pos, Yaw: at.yaw, Pets: c.Pets, Login: true, Frozen: frozen, Authority: l.Authority,
	}
	now := h.world.NowMS()
	if err := h.world.Submit(at.area, sim.Intent{Kind: sim.IntentJoin, Who: v.entity, AtMS: now, Join: join}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	s := &Session{Entity: v.entity, Character: c, Login: l, hub: h, visit: v, area: at.area}
	for i := range s.buckets {
		s.buckets[i] = bucket{milli: budgets[i].burst * 1000, atMS: now}
	}
	s.link.reset()
	h.mu.Lock()
	v.session = s
	banned := h.banned[l.Account] // since reserve; Ban found no session that it could end
	if banned {
		v.farewell = farewell(bannedWhy)
	}
	h.mu.Unlock()
	if banned {
		s.Leave()
	}
	return s, nil
}

// Close saves every record that is not stored yet. The world must have stopped, which makes its areas emit the last
// record of everybody; until it has, Close waits. When ctx ends first it says how many records are lost.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	began := time.Now()
	if err := h.keeper.close(ctx); err != nil {
		return err
	}
	if h.world.NowMS() > 0 { // a world that never started has no records
		h.log.Info("every record is saved", telemetry.FieldDuration, time.Since(began))
	}
	return nil
}

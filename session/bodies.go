package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// In a cluster every node steps every area, and a player enters through any node. Before it enters, the node
//
//   - claims the account in the directory (claims), so that it enters through no other node;
//   - waits until it has stepped, and its hub has read, every tick that another node may have shown the player (area.Host.Barrier):
//     the record writer then has every record of the account's characters that is not stored yet;
//   - looks for the actors of the account's characters (area.Host.Find). If the node through which a character entered has failed, its actor
//     is still in the world without a connection. The hub takes it over as it does with the players of a restored world.

// errBodyFound is the error of an entry whose account has an actor in the world. The hub has made a presence of it, which lingers.
var errBodyFound = errors.New("the account has a lingering player in the world")

// claimAccount claims the account of a presence that enters the world. If the account has an actor in the world, it becomes a lingering
// presence, and the error is errBodyFound. On a single server it does nothing. Errors: ErrOnline, ErrBusy, those of the directory and
// of area.Host.
func (h *Hub) claimAccount(ctx context.Context, v *presence) error {
	if h.opt.Directory == nil {
		return nil
	}
	if err := h.awaitRecord(ctx, v.account); err != nil { // otherwise the last player of the account on this node may still be found
		return err
	}
	c, err := h.claims.acquire(ctx, v.account)
	if err != nil {
		return err
	}
	h.mu.Lock()
	if v.isEnded { // by EndAll
		h.mu.Unlock()
		h.claims.release(c, 0)
		return ErrBusy
	}
	v.claim = c
	h.mu.Unlock()
	body, err := h.findBody(ctx, c)
	if err == nil && body != nil {
		err = errBodyFound
	}
	return err
}

// findBody waits for the barrier and looks for actors of a claimed account in the world. It returns the presence of such an actor, which then
// lingers, or nil if no character of the account is in the world. While the account stays claimed, later calls return nil: no other
// process can change the account, and this one has a presence of each of its actors.
func (h *Hub) findBody(ctx context.Context, c *claim) (*presence, error) {
	if h.claims.isKnown(c) {
		return nil, nil
	}
	if err := h.awaitBarrier(ctx); err != nil {
		return nil, err
	}
	roster, err := h.store.Characters(ctx, c.account)
	if err != nil {
		return nil, fmt.Errorf("read characters of the account: %w", err)
	}
	for i := range roster {
		p, found, err := h.world.Find(ctx, roster[i].ID)
		if err != nil {
			return nil, fmt.Errorf("look for character %d: %w", roster[i].ID, err)
		}
		if !found {
			continue
		}
		if v, err := h.adoptBody(ctx, p, c); v != nil || err != nil {
			return v, err
		}
	}
	h.claims.setKnown(c)
	return nil, nil
}

// claimStored claims an account whose stored records are about to be changed. An actor of the account in the world becomes a lingering
// presence. The result must be passed to claims.release. On a single server it does nothing. Errors: those of claimAccount, except
// errBodyFound.
func (h *Hub) claimStored(ctx context.Context, id store.AccountID) (*claim, error) {
	c, err := h.claims.acquire(ctx, id)
	if c == nil || err != nil {
		return nil, err
	}
	if _, err := h.findBody(ctx, c); err != nil {
		h.claims.release(c, 0)
		return nil, err
	}
	return c, nil
}

// adoptBody makes a lingering presence of an actor in the world that has none in this process. It returns nil if the actor has left the
// world meanwhile.
func (h *Hub) adoptBody(ctx context.Context, p area.RestoredPlayer, c *claim) (*presence, error) {
	v := newBody(p, c.account)
	v.session = h.restoredSession(ctx, v)
	h.mu.Lock()
	if h.presences[p.Entity] != nil || !h.claims.isCurrent(c) { // its last record has not arrived, or EndAll was called
		h.mu.Unlock()
		return nil, ErrBusy
	}
	entering := h.online[c.account] // nil if an operator changes the account
	v.claim = h.claims.share(c)
	h.presences[v.entity], h.online[c.account] = v, v
	h.mu.Unlock()
	// The frames are read by another goroutine: the event of a departure from before the presence was there is not seen again.
	now, found, err := h.world.Find(ctx, p.Character)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil || !found || now.Entity != p.Entity {
		if v.cutOff {
			return nil, ErrBusy
		}
		h.endLocked(v)
		if entering != nil && !entering.isEnded {
			h.online[c.account] = entering
		}
		return nil, err
	}
	h.claims.setKnown(c)
	if v.area == p.Area && v.arrived == p.Arrived {
		v.area, v.arrived = now.Area, now.Arrived
		v.session.SetArea(now.Area)
	}
	h.log.Info("player whose node is gone lingers until its client reconnects", telemetry.FieldAccount, v.session.Login.Name,
		telemetry.FieldCharacter, v.session.Character.Name, telemetry.FieldActor, v.entity, telemetry.FieldArea, h.areaName(v.area))
	return v, nil
}

// newBody returns a presence without a connection for an actor that is in the world.
func newBody(p area.RestoredPlayer, id store.AccountID) *presence {
	return &presence{
		entity: p.Entity, account: id, character: p.Character, area: p.Area, arrived: p.Arrived,
		enteredAt: time.Now(), ended: make(chan struct{}), disconnected: true,
	}
}

// barrierPoll is the interval at which a login looks whether the hub has read the ticks of a barrier.
const barrierPoll = 5 * time.Millisecond

// awaitBarrier waits until the hub has read every frame that another process may have shown before the call. Errors: ErrBusy if that
// takes longer than Options.RecordTimeout, that of ctx, and area.ErrClosed.
func (h *Hub) awaitBarrier(ctx context.Context) error {
	limited, cancel := context.WithTimeoutCause(ctx, h.opt.RecordTimeout, ErrBusy)
	defer cancel()
	ticks, err := h.world.Barrier(limited)
	for err == nil && !h.writer.hasRead(ticks) {
		timer := time.NewTimer(barrierPoll)
		select {
		case <-timer.C:
		case <-limited.Done():
			timer.Stop()
			err = limited.Err()
		}
	}
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return fmt.Errorf("%w: the nodes of the cluster do not agree in time", ErrBusy)
	}
	return err
}

// hasRead reports whether the frames up to the given ticks, by AreaID, have been read.
func (k *recordWriter) hasRead(ticks []sim.Tick) bool {
	for a, tick := range ticks {
		if sim.Tick(k.read[a].Load()) < tick {
			return false
		}
	}
	return true
}

// storeGivenBack stores the record of a character that enters a cluster with items that it had on a ground that is lost, and returns
// it. Otherwise the owners of areas would keep these items in the stored record as well: see store.Fence. c is the record with the items
// in the backpack. Errors: ErrBusy, and those of the store.
func (h *Hub) storeGivenBack(ctx context.Context, l *Login, index int, c *sim.Character) (*sim.Character, error) {
	onLostGround := func(d sim.DroppedItem) bool { return d.Handle != 0 && !h.writer.liesOnGround(d.Handle) }
	stored, err := h.store.Character(ctx, c.ID)
	if err != nil || !slices.ContainsFunc(stored.Dropped, onLostGround) {
		return c, err
	}
	if err := h.storeRecords(ctx, []*store.Account{{ID: l.Account}}); err != nil {
		return nil, err
	}
	err = h.writer.edit(ctx, c.ID, func(c *sim.Character) error {
		lying := slices.DeleteFunc(slices.Clone(c.Dropped), func(d sim.DroppedItem) bool { return d.Handle == 0 || onLostGround(d) })
		c.Dropped = slices.DeleteFunc(c.Dropped, func(d sim.DroppedItem) bool { return slices.Contains(lying, d) })
		*c = *giveBack(c, h.world.Def())
		c.Dropped = append(c.Dropped, lying...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("give dropped items back: %w", err)
	}
	return h.Character(ctx, l, index)
}

// liesOnGround reports whether an item is on the ground, or its removal from there is not stored yet.
func (k *recordWriter) liesOnGround(handle uint32) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, lies := k.ground[handle]
	return lies
}

// searchBody looks for an actor of an account that another process has left in the world. It returns true if there is one, which then
// lingers. Errors: those of reserve and claimAccount.
func (h *Hub) searchBody(ctx context.Context, l *Login) (found bool, err error) {
	v, err := h.reserve(l)
	if err != nil {
		return false, err
	}
	err = h.claimAccount(ctx, v)
	h.mu.Lock()
	h.endLocked(v)
	h.mu.Unlock()
	if errors.Is(err, errBodyFound) {
		return true, nil
	}
	return false, err
}

// releaseClaims releases the accounts whose players have left and whose records are stored. It is called by one goroutine. Errors are
// logged, the first of consecutive ones; a later call tries again.
func (h *Hub) releaseClaims(ctx context.Context) {
	err := h.claims.releaseUnused(ctx, h.writer.isUnstored)
	if err != nil && ctx.Err() == nil && !h.releaseFails {
		h.log.Warn("cannot release accounts of players that have left; they can log in through this node only, until it succeeds", telemetry.FieldErr, err)
	}
	h.releaseFails = err != nil
}

// EndAll ends the sessions of all players of this process at once, because the cluster has given up on it and has told the areas that
// the players' connections are lost. No intent is sent, and no claim is released: the actors stay in the world for the time of
// sim.LingerRules, in which the accounts take them over through any process. why is the text for the clients. When EndAll returns, no entry that began
// before it submits an intent. Players may enter again at once; Directory.Claim must then be that of a new incarnation, whose players have higher serial numbers: see ForgetSerials.
func (h *Hub) EndAll(why string) {
	h.joining.Lock()
	defer h.joining.Unlock()
	var sessions []*Session
	h.mu.Lock()
	h.claims.forget()
	end := func(v *presence) {
		v.kickMessage, v.cutOff = why, true
		if v.session != nil {
			sessions = append(sessions, v.session)
		}
		h.endLocked(v)
	}
	for _, v := range h.presences {
		end(v)
	}
	for _, v := range h.online { // those that are entering
		end(v)
	}
	h.mu.Unlock()
	for _, s := range sessions {
		s.end()
	}
	h.log.Warn("all sessions of this node have ended because the cluster has given up on it", "players", len(sessions), telemetry.FieldReason, why)
}

// ForgetSerials gives up the serial numbers of players that were reserved. It is called once the next incarnation has its number, before it
// serves players.
func (h *Hub) ForgetSerials() { h.serials.forget() }

// CutOff reports whether Hub.EndAll has ended the session. No frame says so: a gateway asks at intervals, and then disconnects the client
// with the text of KickMessage.
func (s *Session) CutOff() bool {
	select {
	case <-s.presence.ended:
	default:
		return false
	}
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.presence.cutOff
}

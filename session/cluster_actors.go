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

// In a cluster every node steps every area, and a player may enter through any node. Before a player enters, its node
// does the following:
//
//   - It claims the account in the directory (see claims), so that the account enters through no other node.
//   - It waits for a barrier (area.Host.Barrier): until it has stepped, and its hub has read, every tick that another node may
//     have shown to the player. The record writer then has all records of the account's characters that are not stored yet.
//   - It looks for actors of the account's characters in the world (area.Host.Find). If the node through which a character
//     entered has failed, the actor is still in the world without a connection. The hub takes over that actor, as it takes over
//     the players of a restored world.

// errActorFound is the error of claimAccount if the account already has an actor in the world. The hub has then created a
// lingering presence for that actor.
var errActorFound = errors.New("the account already has a player in the world, who has no connection")

// claimAccount claims the account of a player who is about to enter the world (the presence v). If the account already has
// an actor in the world, claimAccount creates a lingering presence for that actor and returns errActorFound. On a single
// server it does nothing. Errors: ErrOnline, ErrBusy, those of the directory and of area.Host.
func (h *Hub) claimAccount(ctx context.Context, v *presence) error {
	if h.opt.Directory == nil {
		return nil
	}
	// A player of the account may have just left on this node, and its last record may be missing. Until the hub has that record,
	// findActor may find the actor that is being removed.
	if err := h.awaitRecord(ctx, v.account); err != nil {
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
	found, err := h.findActor(ctx, c)
	if err == nil && found != nil {
		err = errActorFound
	}
	return err
}

// findActor looks for an actor of a claimed account in the world. First it waits until this node has read all frames that clients
// may have seen (awaitBarrier). It returns a lingering presence for the actor, or nil if there is none. While the account stays
// claimed, later calls return nil at once: no other process can change the account, and this one has a presence for each of its
// actors. Errors: ErrOnline if a client controls the actor through another process; ErrBusy; those of area.Host and of the store.
func (h *Hub) findActor(ctx context.Context, c *claim) (*presence, error) {
	if h.claims.isKnown(c) {
		return nil, nil
	}
	if err := h.awaitBarrier(ctx); err != nil {
		return nil, err
	}
	roster, err := h.store.Characters(ctx, c.account)
	if err != nil {
		return nil, fmt.Errorf("read the characters of the account: %w", err)
	}
	for i := range roster {
		p, found, err := h.world.Find(ctx, roster[i].ID)
		if err != nil {
			return nil, fmt.Errorf("look for character %d in the world: %w", roster[i].ID, err)
		}
		if !found {
			continue
		}
		if p.Connected { // the directory has lost the claim of the process through which the account plays
			return nil, fmt.Errorf("%w: a client controls character %d through another node, although the account is claimed here", ErrOnline, p.Character)
		}
		if v, err := h.adoptActor(ctx, p, c); v != nil || err != nil {
			return v, err
		}
	}
	h.claims.setKnown(c)
	return nil, nil
}

// claimStored claims an account whose stored records are about to be changed. If an actor of the account is in the world,
// the hub creates a lingering presence for that actor. The result must be passed to claims.release. On a single server
// claimStored does nothing. Errors: those of claimAccount, except errActorFound.
func (h *Hub) claimStored(ctx context.Context, id store.AccountID) (*claim, error) {
	c, err := h.claims.acquire(ctx, id)
	if c == nil || err != nil {
		return nil, err
	}
	if _, err := h.findActor(ctx, c); err != nil {
		h.claims.release(c, 0)
		return nil, err
	}
	return c, nil
}

// adoptActor creates a lingering presence (a player without a connection) for an actor in the world that has no presence in
// this process. It returns nil if the actor leaves the world during the call.
func (h *Hub) adoptActor(ctx context.Context, p area.RestoredPlayer, c *claim) (*presence, error) {
	v := newLingering(p, c.account)
	v.session = h.restoredSession(ctx, v)
	h.mu.Lock()
	// Do not take over the actor while the hub waits for the last record of an earlier presence of this actor, or if EndAll
	// has ended the claim since the call began.
	if h.presences[p.Entity] != nil || !h.claims.isCurrent(c) {
		h.mu.Unlock()
		return nil, ErrBusy
	}
	entering := h.online[c.account] // nil if an operator is changing the account
	v.claim = h.claims.share(c)
	h.presences[v.entity], h.online[c.account] = v, v
	h.mu.Unlock()
	// Look for the actor again, because it may have left its area before the presence was added above. The goroutine that reads
	// the frames then found no presence to end, so the presence is ended below.
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
	h.log.Info("the node of a player has failed; the player lingers until its client reconnects", telemetry.FieldAccount, v.session.Login.Name,
		telemetry.FieldCharacter, v.session.Character.Name, telemetry.FieldActor, v.entity, telemetry.FieldArea, h.areaName(v.area))
	return v, nil
}

// newLingering returns a presence without a connection, for an actor that is in the world.
func newLingering(p area.RestoredPlayer, id store.AccountID) *presence {
	return &presence{
		entity: p.Entity, account: id, character: p.Character, area: p.Area, arrived: p.Arrived, crossing: !p.Arrived,
		enteredAt: time.Now(), unsettledAt: time.Now(), ended: make(chan struct{}), disconnected: true,
	}
}

// barrierPoll is the interval at which awaitBarrier checks whether the hub has read the frames for which awaitBarrier waits.
const barrierPoll = 5 * time.Millisecond

// awaitBarrier waits until the hub has read every frame that another process may have shown to a client before the
// call, or, if it has missed the frame, until the records of the frame are stored. Errors: ErrBusy if that takes longer than
// Options.RecordTimeout, the error of ctx, and area.ErrClosed.
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
		return fmt.Errorf("%w: this node did not receive the latest ticks of all areas in time", ErrBusy)
	}
	return err
}

// hasRead reports whether the hub knows the records of all areas up to the given ticks, which are indexed by AreaID. It knows the
// records of a frame that it has read. Records of a frame that it has missed, or from before its start, must be in the store.
func (k *recordWriter) hasRead(ticks []sim.Tick) bool {
	for a, tick := range ticks {
		if sim.Tick(k.read[a].Load()) < tick || k.world.SavedTick(sim.AreaID(a)) < sim.Tick(k.gap[a].Load()) {
			return false
		}
	}
	return true
}

// storeGivenBack is called in a cluster before a character enters. It gives back the items that the character dropped in areas
// which have lost their state since then: it stores a record with these items in the backpack, and returns that record. The
// record must be stored before the character enters: otherwise a later save by the owner of the area would keep the items as
// dropped in the stored record (store.Fence.Merge). The parameter c is the record with the items in the backpack. Errors:
// ErrBusy, and those of the store.
func (h *Hub) storeGivenBack(ctx context.Context, l *Login, index int, c *sim.Character) (*sim.Character, error) {
	by := h.claims.holder()
	onLostGround := func(d sim.DroppedItem) bool { return d.Handle != 0 && !h.writer.liesOnGround(d.Handle) }
	stored, err := h.store.Character(ctx, c.ID)
	if err != nil || !slices.ContainsFunc(stored.Dropped, onLostGround) {
		return c, err
	}
	if err := h.storeRecords(ctx, []*store.Account{{ID: l.Account}}); err != nil {
		return nil, err
	}
	err = h.writer.edit(ctx, by, c.ID, func(c *sim.Character) error {
		lying := slices.DeleteFunc(slices.Clone(c.Dropped), func(d sim.DroppedItem) bool { return d.Handle == 0 || onLostGround(d) })
		c.Dropped = slices.DeleteFunc(c.Dropped, func(d sim.DroppedItem) bool { return slices.Contains(lying, d) })
		*c = *giveBack(c, h.world.Def())
		c.Dropped = append(c.Dropped, lying...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("return dropped items to the backpack of their owner: %w", busyUnlessHeld(err))
	}
	return h.Character(ctx, l, index)
}

// liesOnGround reports whether the item with the given handle is on the ground of an area. It also returns true for an item that
// was removed from the ground if the removal is not stored yet.
func (k *recordWriter) liesOnGround(handle uint32) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, lies := k.ground[handle]
	return lies
}

// searchActor looks for an actor of the account that is still in the world although the process through which it entered has
// failed. If there is one, the hub creates a lingering presence for the actor, and the result found is true. Errors: those
// of reserve and claimAccount.
func (h *Hub) searchActor(ctx context.Context, l *Login) (found bool, err error) {
	v, err := h.reserve(l)
	if err != nil {
		return false, err
	}
	err = h.claimAccount(ctx, v)
	h.mu.Lock()
	h.endLocked(v)
	h.mu.Unlock()
	if errors.Is(err, errActorFound) {
		return true, nil
	}
	return false, err
}

// releaseClaims ends the claims on the accounts of players who have left the world and whose records are stored, so that the
// players can log in through other nodes. Only one goroutine may call it. It logs the first of consecutive errors; a later
// call tries again.
func (h *Hub) releaseClaims(ctx context.Context) {
	err := h.claims.releaseUnused(ctx, h.writer.isUnstored)
	if err != nil && ctx.Err() == nil && !h.releaseFails {
		h.log.Warn("cannot release the accounts of players who have left; until it succeeds they can log in through this node only", telemetry.FieldErr, err)
	}
	h.releaseFails = err != nil
}

// EndAll ends the sessions of all players of this process at once. The caller has learned that the cluster has declared this
// process dead and has told the areas that the players' connections are lost. (1) EndAll sends no intent and keeps the claims
// of accounts in the Directory. The actors stay in the world for the time of sim.LingerRules, in which the accounts can take
// them over through any process. (2) A call of Enter that is still running when EndAll returns submits no intent afterwards.
// (3) The hub lets players enter again at once. Directory.Claim must then claim for a new incarnation of this process, whose
// players get higher serial numbers, so the caller must call ForgetSerials before it serves players again. The parameter why is
// the text for the clients.
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
	for _, v := range h.online { // players who are still entering are only in h.online
		end(v)
	}
	h.mu.Unlock()
	for _, s := range sessions {
		s.end()
	}
	if len(sessions) == 0 {
		h.log.Info("the cluster declared this node dead while it had no players")
		return
	}
	h.log.Error("all sessions of this node were ended because the cluster declared the node dead and took over its players", "players", len(sessions), telemetry.FieldReason, why)
}

// ForgetSerials drops the serial numbers that are reserved for new players. After the cluster has declared this process
// dead, the process calls ForgetSerials when it has a new incarnation number, before it serves players again.
func (h *Hub) ForgetSerials() { h.serials.forget() }

// CutOff reports whether Hub.EndAll has ended the session. No frame reports that, so gateways call CutOff at intervals,
// and disconnect the client with the text of KickMessage.
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

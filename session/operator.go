package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// Player describes a player in the world, for operators.
type Player struct {
	Entity    sim.EntityID    // actor of the player
	Account   string          // account name
	Name      string          // character name
	Character sim.CharacterID // character that the player plays
	Door      string          // door of the player's connection
	Addr      netip.Addr      // address of the player's client
	Since     time.Time       // time at which the player entered the world
	Area      sim.AreaID      // area in which the player is
	Frozen    bool            // an operator has frozen the player
	Lingering bool            // the player's connection is lost, and its actor is still in the world
	Link      LinkStats       // measurements of the connection
}

// Players returns the players in the world, sorted by their entity ids. Lingering players are included.
func (h *Hub) Players() []Player {
	h.mu.Lock()
	list := make([]Player, 0, len(h.online))
	for _, v := range h.online {
		if v.session != nil {
			list = append(list, h.playerInfo(v))
		}
	}
	h.mu.Unlock()
	slices.SortFunc(list, func(a, b Player) int { return int(int64(a.Entity) - int64(b.Entity)) })
	return list
}

// Player returns the player with the actor id, or false if that player is not in the world.
func (h *Hub) Player(id sim.EntityID) (Player, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.inWorld(id)
	if v == nil {
		return Player{}, false
	}
	return h.playerInfo(v), true
}

// inWorld returns the presence of the player with the actor id, or nil if that player is not in the world. The caller
// holds Hub.mu.
func (h *Hub) inWorld(id sim.EntityID) *presence {
	if v := h.presences[id]; v != nil && v.session != nil && !v.leaving() {
		return v
	}
	return nil
}

// playerInfo describes the player of a presence. The caller holds Hub.mu.
func (h *Hub) playerInfo(v *presence) Player {
	s := v.session
	return Player{
		Entity: v.entity, Account: s.Login.Name, Name: s.Character.Name, Character: v.character,
		Door: s.Login.Door, Addr: s.Login.Addr, Since: v.enteredAt, Area: v.area, Frozen: v.frozen, Lingering: v.disconnected, Link: s.link.Stats(),
	}
}

// Record returns the newest known record of a player, which is at most Rules.SaveEveryMS old. It is read-only. Errors:
// ErrNotInWorld.
func (h *Hub) Record(ctx context.Context, id sim.EntityID) (*sim.Character, error) {
	h.mu.Lock()
	v := h.inWorld(id)
	if v == nil {
		h.mu.Unlock()
		return nil, ErrNotInWorld
	}
	l := v.session.Login
	character := v.character
	h.mu.Unlock()
	roster, err := h.Roster(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, c := range roster {
		if c.ID == character {
			return c, nil
		}
	}
	return nil, ErrNotInWorld
}

// SendMessage sends an operator's message to a player. It returns when the area has accepted the message, usually a tick later.
// Errors: ErrNotInWorld, also if the player leaves the world meanwhile, ErrInvalid for a text that is empty, has control
// characters or is longer than 200 characters, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) SendMessage(id sim.EntityID, text string) error {
	if !isPrintable(text, 1, maxOperatorText) {
		return ErrInvalid
	}
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentMessage, Text: "[Operator] " + text, Amount: sim.ToneWarning})
}

// maxOperatorText is the maximum length of an operator's message in characters. It fits into a chat line of every
// protocol.
const maxOperatorText = 200

// Teleport moves a player to a position in its area or in another area. It returns when the player is there or on its way to that
// area, usually a tick later. Errors: ErrNotInWorld, also if the player leaves the world meanwhile, ErrDead because dead players
// stay where they died, ErrInvalid if there is no such area, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Teleport(id sim.EntityID, to sim.AreaID, pos geom.Vec, yaw float32) error {
	if to < 0 || int(to) >= len(h.world.Def().Areas) {
		return ErrInvalid
	}
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentTeleport, To: to, Join: &sim.Join{Portal: -1, Pos: pos, Yaw: yaw}})
}

// Give puts items into the inventory of a player, who gets a message. It returns when the items are there. Either all
// items fit, or none are added. Errors: ErrNotInWorld, ErrInvalid for an unknown item or amount 0, ErrNoRoom,
// ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Give(id sim.EntityID, item, amount uint16) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentGive, Ground: uint32(item), Amount: amount})
}

// Take removes items from the inventory of a player, who gets a message: from one slot, or from any slots if slot is
// sim.AnySlot. Amount 0 removes all items of the kind. Errors: ErrNotInWorld, ErrInvalid for an unknown item,
// ErrNotCarried, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Take(id sim.EntityID, item, amount uint16, slot uint8) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentTake, Ground: uint32(item), Amount: amount, SlotA: slot})
}

// SetAttribute sets the value and the maximum of an attribute of a player. A number of -1 leaves the value or the
// maximum as it is. Errors: ErrNotInWorld, ErrInvalid for numbers that sim.World.SetAttribute refuses, ErrDead for the
// health of a dead player, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) SetAttribute(id sim.EntityID, attribute uint8, value, maximum int32) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentAttribute, SlotA: attribute, Args: &[sim.MaxGameArgs]int32{value, maximum}})
}

// Spawn creates an NPC of a template at a position, or at a free position near it, and returns the NPC's id. The NPC
// stays until it dies or is removed, even after a restart if there is a tape. Errors: ErrInvalid for an unknown area or
// template, ErrNPCLimit, ErrAreaFull, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Spawn(in sim.AreaID, template uint16, pos geom.Vec, yaw float32) (sim.EntityID, error) {
	if in < 0 || int(in) >= len(h.world.Def().Areas) {
		return 0, ErrInvalid
	}
	return h.executeAreaOrder(in, sim.Intent{Kind: sim.IntentSpawn, Amount: template, Join: &sim.Join{Portal: -1, Pos: pos, Yaw: yaw}})
}

// RemoveNPC removes an NPC, which does not count as its death. If a spawn point of the world has created the NPC, it
// respawns after the spawn point's period. Errors: ErrNoNPC, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) RemoveNPC(id sim.EntityID) error {
	in, ok := id.AreaOfNPC()
	if !ok || int(in) >= len(h.world.Def().Areas) {
		return ErrNoNPC
	}
	_, err := h.executeAreaOrder(in, sim.Intent{Kind: sim.IntentRemove, Target: id})
	return err
}

// Freeze makes the areas refuse every intent of a player except chat, or accept them again if the parameter frozen is false.
// The state is first stored with the account, so the player stays frozen over logins and restarts until an operator ends
// that. Errors: ErrNotInWorld, area.ErrClosed, those of store.SetFrozen.
func (h *Hub) Freeze(ctx context.Context, id sim.EntityID, frozen bool) error {
	h.mu.Lock()
	v := h.inWorld(id)
	if v == nil {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	// In a cluster the account must stay with this node until the state is stored, even if the player leaves meanwhile. Otherwise the
	// player could enter through another node that has read the former state.
	c := h.claims.share(v.claim)
	h.mu.Unlock()
	defer h.claims.release(c, 0)
	select { // one call at a time, so that store, hub and area process orders in the same sequence
	case h.freezing <- struct{}{}:
		defer func() { <-h.freezing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := h.store.SetFrozen(ctx, v.account, frozen); err != nil {
		return err
	}
	return h.setFrozen(v.account, frozen)
}

// setFrozen changes whether the player of an account is frozen, if it is in the world or entering it, and sends its area the state. Errors:
// area.ErrClosed.
func (h *Hub) setFrozen(account store.AccountID, frozen bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.online[account] // another presence than that of the order if the player has left and entered again since
	if v == nil {
		return nil
	}
	v.frozen, v.knowsFrozen = frozen, true
	if v.area == sim.NoArea { // the player is entering, and its join will have the new state
		return nil
	}
	return h.submitFreeze(v, v.area)
}

// submitFreeze sends an area whether a player is frozen. The caller holds Hub.mu, so that the area gets the states in the order in which
// they were set; Submit does not wait for the area.
func (h *Hub) submitFreeze(v *presence, to sim.AreaID) error {
	in := sim.Intent{Kind: sim.IntentFreeze, Who: v.entity, AtMS: h.world.NowMS()}
	if v.frozen {
		in.Amount = 1
	}
	return h.world.Submit(to, in)
}

// readFrozen reads from the store whether the player of the presence v, who is about to enter the world, is frozen. An order of
// an operator that was given during the call is newer than the stored state that was read, so it is not replaced.
func (h *Hub) readFrozen(ctx context.Context, v *presence) error {
	a, err := h.store.AccountByID(ctx, v.account)
	if err != nil {
		return fmt.Errorf("read whether the player is frozen: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !v.knowsFrozen {
		v.frozen, v.knowsFrozen = a.Frozen, true
	}
	return nil
}

// resendFreeze sends the freeze state of a player to the area of the frame f, in which the player has just arrived or whose actor
// it has just taken over, if the player is in another state there. The order that changed the state may have gone to the previous
// area, or may have been lost with a node. After missed frames recoverMissedFrames does the same.
func (h *Hub) resendFreeze(id sim.EntityID, f *sim.Frame) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v, x := h.presences[id], f.Find(id); v != nil && x != nil && v.knowsFrozen && v.frozen != x.Is(sim.FlagFrozen) {
		_ = h.submitFreeze(v, f.Area) // a closed area refuses the intent, but has no players to freeze
	}
}

// Kick removes a player from the world. The parameter why is the reason, which is sent to the client if its protocol
// has a message for it. The player may log in again. Errors: ErrNotInWorld.
func (h *Hub) Kick(id sim.EntityID, why string) error { return h.kick(id, kickText(why)) }

// kick removes a player from the world. The parameter text is the message to the player's client.
func (h *Hub) kick(id sim.EntityID, text string) error {
	h.mu.Lock()
	v := h.inWorld(id)
	if v == nil {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	v.kickMessage = text
	s := v.session
	h.mu.Unlock()
	s.end()
	h.removePlayer(s)
	return nil
}

// kickText returns the text that is sent to the client of a kicked player.
func kickText(why string) string {
	if why == "" {
		return "You were sent away by an operator."
	}
	return "You were sent away: " + why
}

// Ban refuses further logins of an account until the ban is lifted, and kicks its player if that player is in the
// world. For a ban that expires or concerns a network, see Restrict. Errors: store.ErrNotFound.
func (h *Hub) Ban(ctx context.Context, account, why string) error {
	_, err := h.Restrict(ctx, store.AccessRule{Kind: store.AccessBan, Account: account, Reason: why})
	return err
}

// Pardon lifts the ban of an account, if it has one. Errors: store.ErrNotFound for an unknown account.
func (h *Hub) Pardon(ctx context.Context, account string) error {
	if _, err := h.store.Account(ctx, account); err != nil {
		return err
	}
	if err := h.Lift(ctx, store.AccessRule{Kind: store.AccessBan, Account: account}); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

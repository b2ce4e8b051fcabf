package session

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// Player describes a player in the world, for operators.
type Player struct {
	Entity    sim.EntityID
	Account   string
	Name      string // character name
	Character sim.CharacterID
	Door      string
	Addr      netip.Addr
	Since     time.Time // time at which the player entered the world
	Area      sim.AreaID
	Frozen    bool
	Lingering bool // the player's connection is lost, and its actor is still in the world
	Link      LinkStats
}

// Players returns the players in the world, sorted by Entity.
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

// Player returns the player with an id. It returns false if that player is not in the world.
func (h *Hub) Player(id sim.EntityID) (Player, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.inWorld(id)
	if v == nil {
		return Player{}, false
	}
	return h.playerInfo(v), true
}

// inWorld returns the presence of a player in the world, nil if no player in the world has that id. The caller holds Hub.mu.
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
		Door: s.Login.Door, Addr: s.Login.Addr, Since: v.enteredAt, Area: v.area, Frozen: h.frozen[v.account], Lingering: v.disconnected, Link: s.link.Read(),
	}
}

// Record returns the newest known record of a player, which is up to Rules.SaveEveryMS old. It is read-only. Errors:
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

// SendMessage sends an operator's message to a player. It returns when the message is on its way to the client, usually a tick
// later. Errors: ErrNotInWorld, also if the player leaves meanwhile, ErrInvalid for a text that is empty, has control
// characters or is longer than 200 characters, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) SendMessage(id sim.EntityID, text string) error {
	if !isPrintable(text, 1, maxOperatorText) {
		return ErrInvalid
	}
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentMessage, Text: "[Operator] " + text, Amount: sim.ToneWarning})
}

// maxOperatorText is the maximum length of an operator's message in characters. A chat line of every protocol has room for this
// length.
const maxOperatorText = 200

// Teleport moves a player to a position in its area or another one. It returns when the player is there or on its way to that
// area, usually a tick later. Errors: ErrNotInWorld, also if the player leaves meanwhile, ErrDead, because dead players stay
// where they fell, ErrInvalid if there is no such area, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Teleport(id sim.EntityID, to sim.AreaID, pos geom.Vec, yaw float32) error {
	if to < 0 || int(to) >= len(h.world.Def().Areas) {
		return ErrInvalid
	}
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentTeleport, To: to, Join: &sim.Join{Portal: -1, Pos: pos, Yaw: yaw}})
}

// Give puts items into the inventory of a player, who is told. It returns when they are there. Either all items fit, or none is given.
// Errors: ErrNotInWorld, ErrInvalid for an item that the world does not have or no amount, ErrNoRoom, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Give(id sim.EntityID, item, amount uint16) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentGive, Ground: uint32(item), Amount: amount})
}

// Take removes items from the inventory of a player, who is told: from a slot, or from any slots if slot is sim.AnySlot. Amount 0 means all
// of that kind. Errors: ErrNotInWorld, ErrInvalid for an item that the world does not have, ErrNotCarried, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Take(id sim.EntityID, item, amount uint16, slot uint8) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentTake, Ground: uint32(item), Amount: amount, SlotA: slot})
}

// SetAttribute gives an attribute of a player a value and a maximum; -1 leaves one as it is. Errors: ErrNotInWorld, ErrInvalid for what
// sim.World.SetAttribute refuses, ErrDead for the health of a dead player, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) SetAttribute(id sim.EntityID, attribute uint8, value, maximum int32) error {
	return h.executeOrder(id, sim.Intent{Kind: sim.IntentAttribute, SlotA: attribute, Args: &[sim.MaxGameArgs]int32{value, maximum}})
}

// Spawn creates an NPC of a template at a position, or at a free place near it, and returns its id. The NPC stays until it dies or is
// removed, also over a restart with a tape. Errors: ErrInvalid for an area or a template that the world does not have, ErrNPCLimit, ErrAreaFull,
// ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Spawn(in sim.AreaID, template uint16, pos geom.Vec, yaw float32) (sim.EntityID, error) {
	if in < 0 || int(in) >= len(h.world.Def().Areas) {
		return 0, ErrInvalid
	}
	return h.executeAreaOrder(in, sim.Intent{Kind: sim.IntentSpawn, Amount: template, Join: &sim.Join{Portal: -1, Pos: pos, Yaw: yaw}})
}

// RemoveNPC removes an NPC without a death. One of a spawn of the world comes back after the period of that spawn. Errors: ErrNoNPC,
// ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) RemoveNPC(id sim.EntityID) error {
	in, ok := id.AreaOfNPC()
	if !ok || int(in) >= len(h.world.Def().Areas) {
		return ErrNoNPC
	}
	_, err := h.executeAreaOrder(in, sim.Intent{Kind: sim.IntentRemove, Target: id})
	return err
}

// Freeze blocks every intent of a player except chat, or unblocks them if frozen is false. The state is stored with the account
// first, so it survives logins and restarts until an operator lifts it. Errors: ErrNotInWorld, area.ErrClosed, those of
// store.SetFrozen.
func (h *Hub) Freeze(ctx context.Context, id sim.EntityID, frozen bool) error {
	h.mu.Lock()
	v := h.inWorld(id)
	h.mu.Unlock()
	if v == nil {
		return ErrNotInWorld
	}
	select { // one freeze order at a time, so that store, hub and area get the orders in the same sequence
	case h.freezing <- struct{}{}:
		defer func() { <-h.freezing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := h.store.SetFrozen(ctx, v.account, frozen); err != nil {
		return err
	}
	h.mu.Lock()
	h.frozen[v.account] = frozen // set before the order is sent, so that resendFreeze can repeat the order in the next area if the player has just left this one
	to := v.area
	h.mu.Unlock()
	return h.world.Submit(to, freezeIntent(id, frozen, h.world.NowMS()))
}

// resendFreeze repeats the freeze state of a player to the area in which it has just arrived: the order may have gone to the
// previous area.
func (h *Hub) resendFreeze(id sim.EntityID, in sim.AreaID) {
	h.mu.Lock()
	v := h.presences[id]
	if v == nil {
		h.mu.Unlock()
		return
	}
	frozen, said := h.frozen[v.account]
	h.mu.Unlock()
	if said {
		_ = h.world.Submit(in, freezeIntent(id, frozen, h.world.NowMS())) // a closed area has no players to freeze
	}
}

func freezeIntent(id sim.EntityID, frozen bool, nowMS int64) sim.Intent {
	in := sim.Intent{Kind: sim.IntentFreeze, Who: id, AtMS: nowMS}
	if frozen {
		in.Amount = 1
	}
	return in
}

// Kick removes a player from the world. why is the reason, which the client is sent if its protocol has a message for it. The
// player may log in again. Errors: ErrNotInWorld.
func (h *Hub) Kick(id sim.EntityID, why string) error { return h.kick(id, kickText(why)) }

// kick removes a player from the world, whose client is sent text.
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

// kickText returns the text for the client of a kicked player.
func kickText(why string) string {
	if why == "" {
		return "You were sent away by an operator."
	}
	return "You were sent away: " + why
}

// Ban refuses further logins of an account until it is pardoned, and kicks its player if that player is in the world. For a ban that ends
// by itself or concerns a network, see Restrict. Errors: store.ErrNotFound.
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

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
	"github.com/truestep-io/truestep/telemetry"
)

// Player is one who is in the world, as an operator sees him.
type Player struct {
	Entity    sim.EntityID
	Account   string
	Name      string // of the character
	Character sim.CharacterID
	Door      string
	Addr      netip.Addr
	Since     time.Time // when he entered
	Area      sim.AreaID
	Frozen    bool
	Link      LinkStats
}

// Players are all who are in the world, sorted by Entity.
func (h *Hub) Players() []Player {
	h.mu.Lock()
	list := make([]Player, 0, len(h.online))
	for _, v := range h.online {
		if v.session != nil {
			list = append(list, h.player(v))
		}
	}
	h.mu.Unlock()
	slices.SortFunc(list, func(a, b Player) int { return int(int64(a.Entity) - int64(b.Entity)) })
	return list
}

// Player is one of them. It is false for anybody who is not in the world.
func (h *Hub) Player(id sim.EntityID) (Player, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.present(id)
	if v == nil {
		return Player{}, false
	}
	return h.player(v), true
}

// present is the visit of one who is in the world, nil if nobody of that id is. It needs the lock.
func (h *Hub) present(id sim.EntityID) *visit {
	if v := h.visits[id]; v != nil && v.session != nil && !v.leaving() {
		return v
	}
	return nil
}

// player needs the lock.
func (h *Hub) player(v *visit) Player {
	s := v.session
	return Player{
		Entity: v.entity, Account: s.Login.Name, Name: s.Character.Name, Character: v.character,
		Door: s.Login.Door, Addr: s.Login.Addr, Since: v.since, Area: v.area, Frozen: h.frozen[v.account], Link: s.link.Read(),
	}
}

// Record is the newest record of a player that is known, which is up to Rules.SaveEveryMS old. It is read-only. Errors:
// ErrNotInWorld.
func (h *Hub) Record(ctx context.Context, id sim.EntityID) (*sim.Character, error) {
	h.mu.Lock()
	v := h.present(id)
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

// SendMessage sends a player a message of an operator and returns when it is on its way to his client, usually a tick later.
// Errors: ErrNotInWorld, also if he leaves in that moment, ErrInvalid for a text that is empty, has control characters or is
// longer than 200 characters, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) SendMessage(id sim.EntityID, text string) error {
	if !printable(text, 1, maxTold) {
		return ErrInvalid
	}
	return h.order(id, sim.Intent{Kind: sim.IntentMessage, Text: "[Operator] " + text, Amount: sim.ToneWarning})
}

// maxTold is the longest text of an operator, in characters: what a line of every door's chat holds.
const maxTold = 200

// Place puts a player somewhere, in his area or another, and returns when he is there or on the way to that area, usually a
// tick later. Errors: ErrNotInWorld, also if he leaves in that moment, ErrDead, since the dead stay where they fell, ErrInvalid
// if there is no such area, ErrOrderTimeout, and area.ErrClosed.
func (h *Hub) Teleport(id sim.EntityID, to sim.AreaID, pos geom.Vec, yaw float32) error {
	if to < 0 || int(to) >= len(h.world.Def().Areas) {
		return ErrInvalid
	}
	return h.order(id, sim.Intent{Kind: sim.IntentTeleport, To: to, Join: &sim.Join{Portal: -1, Pos: pos, Yaw: yaw}})
}

// Freeze keeps a player from doing anything but talking, or ends that. It is stored with the account first, so it lasts
// until an operator lifts it, over logins and restarts. Errors: ErrNotInWorld, area.ErrClosed, those of store.SetFrozen.
func (h *Hub) Freeze(ctx context.Context, id sim.EntityID, frozen bool) error {
	h.mu.Lock()
	v := h.present(id)
	h.mu.Unlock()
	if v == nil {
		return ErrNotInWorld
	}
	select { // one order at a time, so that store, hub and area see them in the same sequence
	case h.freezing <- struct{}{}:
		defer func() { <-h.freezing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := h.store.SetFrozen(ctx, v.account, frozen); err != nil {
		return err
	}
	h.mu.Lock()
	h.frozen[v.account] = frozen // before the order: remind repeats it in the next area if the order misses the player
	to := v.area
	h.mu.Unlock()
	return h.world.Submit(to, freezing(id, frozen, h.world.NowMS()))
}

// remind tells an area again what an operator has said of a player who came in just now: the order may have gone to the
// area that he was leaving.
func (h *Hub) remind(id sim.EntityID, in sim.AreaID) {
	h.mu.Lock()
	v := h.visits[id]
	if v == nil {
		h.mu.Unlock()
		return
	}
	frozen, said := h.frozen[v.account]
	h.mu.Unlock()
	if said {
		_ = h.world.Submit(in, freezing(id, frozen, h.world.NowMS())) // an area that is closed freezes nobody
	}
}

func freezing(id sim.EntityID, frozen bool, nowMS int64) sim.Intent {
	in := sim.Intent{Kind: sim.IntentFreeze, Who: id, AtMS: nowMS}
	if frozen {
		in.Amount = 1
	}
	return in
}

// Kick takes a player out of the world. His client is told why, as far as its protocol has words for it. He may come
// again. Errors: ErrNotInWorld.
func (h *Hub) Kick(id sim.EntityID, why string) error {
	h.mu.Lock()
	v := h.present(id)
	if v == nil {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	v.farewell = farewell(why)
	s := v.session
	h.mu.Unlock()
	s.Leave()
	return nil
}

// farewell is what a client is told whom an operator sends away.
func farewell(why string) string {
	if why == "" {
		return "You were sent away by an operator."
	}
	return "You were sent away: " + why
}

// bannedWhy is why somebody is sent away who was banned without a word.
const bannedWhy = "your account is banned"

// Ban keeps an account out from now on, and takes its player out of the world if he is in it. Errors: store.ErrNotFound.
func (h *Hub) Ban(ctx context.Context, account, why string) error {
	id, err := h.setBanned(ctx, account, true)
	if err != nil {
		return err
	}
	h.mu.Lock()
	v := h.online[id]
	h.mu.Unlock()
	if v != nil {
		if why == "" {
			why = bannedWhy
		}
		if err := h.Kick(v.entity, why); err != nil && !errors.Is(err, ErrNotInWorld) {
			return err
		}
	}
	return nil
}

// Pardon lets a banned account in again. Errors: store.ErrNotFound.
func (h *Hub) Pardon(ctx context.Context, account string) error {
	_, err := h.setBanned(ctx, account, false)
	return err
}

// Banned are the accounts that are kept out, by name.
func (h *Hub) Banned(ctx context.Context) ([]store.Account, error) { return h.store.Banned(ctx) }

func (h *Hub) setBanned(ctx context.Context, account string, banned bool) (store.AccountID, error) {
	a, err := h.store.Account(ctx, account)
	if err != nil {
		return 0, err
	}
	if err := h.store.SetBanned(ctx, a.ID, banned); err != nil {
		return 0, err
	}
	h.mu.Lock()
	if banned {
		h.banned[a.ID] = true
	} else {
		delete(h.banned, a.ID)
	}
	h.mu.Unlock()
	h.log.Info("account banned or pardoned", telemetry.FieldAccount, a.Name, "banned", banned)
	return a.ID, nil
}

package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Restore creates presences for the players of a world that was restored from its tape. They have no connection, so
// they linger for the time of sim.LingerRules.RestartMS, in which their accounts can take them over. New players get
// higher entity ids. Restore must be called once, before the world starts.
func (h *Hub) Restore(ctx context.Context, players []area.RestoredPlayer) error {
	for _, p := range players {
		account, err := h.store.Owner(ctx, p.Character)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("look up the account of the player with entity id %d, restored from the tape: %w", p.Entity, err)
		}
		h.serials.skip(p.Entity.Serial())
		v := newLingering(p, account)
		v.restored = true
		v.session = h.restoredSession(ctx, v)
		h.mu.Lock()
		h.presences[v.entity] = v
		alone := account != 0 && h.online[account] == nil // account 0 means that the character was deleted
		if alone {
			h.online[account] = v
		}
		h.mu.Unlock()
		if alone {
			h.sendDisconnect(v, p.Area)
		} else {
			h.removePlayer(v.session)
		}
	}
	if len(players) > 0 {
		h.log.Info("players of the restored world linger until their clients reconnect", "players", len(players))
	}
	return nil
}

// restoredSession returns a session without a connection, for a player without a session in this process: the player was
// restored from the tape at the start, or its node has failed. The session shows operators the names of the player's account
// and character, and lets them act on the player as on any other. A name that cannot be read from the store stays empty. The
// hub does not know the presence v yet; restoredSession also sets whether v is frozen.
func (h *Hub) restoredSession(ctx context.Context, v *presence) *Session {
	c, err := h.store.Character(ctx, v.character)
	if err != nil {
		c = &sim.Character{ID: v.character}
	}
	l := &Login{Account: v.account}
	if a, err := h.store.AccountByID(ctx, v.account); err == nil {
		l.Name, l.GM = a.Name, a.GM
		v.frozen, v.knowsFrozen = a.Frozen, true
	}
	s := &Session{Entity: v.entity, Character: c, Login: l, hub: h, presence: v, area: v.area, left: true}
	s.fillBuckets(h.world.NowMS())
	s.link.reset()
	return s
}

// lastFrame says in which tick of which area a player left the world.
type lastFrame struct {
	who  sim.EntityID
	area sim.AreaID
	tick sim.Tick
}

// endWhenDurable ends the presence of a player once the tick in which the player left is durable, that is, synced to the
// tape. Until then the account cannot enter again: after a loss of power the player could otherwise be restored both in the
// area that it left and in the area that it entered.
func (h *Hub) endWhenDurable(l lastFrame) {
	h.mu.Lock()
	h.leftIn = append(h.leftIn, l)
	if v := h.presences[l.who]; v != nil {
		h.lingererLeft(v)
	}
	h.mu.Unlock()
}

// endDurable ends the presences of players who left in ticks that are now durable (synced to the tape).
func (h *Hub) endDurable() {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.leftIn[:0]
	for _, l := range h.leftIn {
		if l.tick > h.world.Durable(l.area) {
			kept = append(kept, l)
		} else if v := h.presences[l.who]; v != nil {
			h.endLocked(v)
			h.writer.saveSoon()
		}
	}
	h.leftIn = kept
}

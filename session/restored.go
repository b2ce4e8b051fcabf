package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Restore takes over the players of a world that was restored from its log. They have no connection, so they leave with the first
// ticks; their accounts can enter once their last records are known. New players get higher ids. Call it once, before the world
// starts.
func (h *Hub) Restore(ctx context.Context, players []area.RestoredPlayer) error {
	for _, p := range players {
		account, err := h.store.Owner(ctx, p.Character)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("restored player %d: %w", p.Entity, err)
		}
		h.serial.Store(max(h.serial.Load(), p.Entity.Serial()))
		now := time.Now()
		v := &presence{
			entity: p.Entity, account: account, character: p.Character, area: p.Area, arrived: p.Arrived,
			enteredAt: now, leftAt: now, ended: make(chan struct{}),
		}
		h.mu.Lock()
		h.presences[v.entity] = v
		if account != 0 { // 0: the character was deleted
			h.leavingByAccount[account] = v
		}
		h.mu.Unlock()
		h.sendLeave(v, p.Area)
	}
	if len(players) > 0 {
		h.log.Info("players of the restored world leave, because they have no connection", "players", len(players))
	}
	return nil
}

// lastFrame is the frame in which a player left the world.
type lastFrame struct {
	who  sim.EntityID
	area sim.AreaID
	tick sim.Tick
}

// endWhenDurable ends the presence of a player that has left in a frame, once that tick is durable. Until then the account does not
// enter again: after a loss of power it could be restored in the area that it left, and in the one that it entered.
func (h *Hub) endWhenDurable(l lastFrame) {
	h.mu.Lock()
	h.leftIn = append(h.leftIn, l)
	h.mu.Unlock()
}

// endDurable ends the presences of players that have left in a tick that is durable by now.
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

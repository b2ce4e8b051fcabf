package rcce

import (
	"sync"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// A client displays the experience, the gold and the inventory that it was sent in answer to FetchCharacter, before its player
// enters the world. Until then the character can change: its previous session, of another connection or another node of a
// cluster, has dropped or picked up an item in a tick that this process had not read yet. So the server remembers what it has
// sent, and sends the differences when the player enters.

const (
	maxSheets   = 4096           // maximum number of remembered sheets; further sheets are not remembered, so changes to them are not sent
	sheetTimeMS = 60 * 60 * 1000 // time in ms for which a sheet is remembered; chosen because few players view a character for longer
	shownHandle = uint32(0)      // handle of the items that correctSheet displays for a moment; no item on the ground has it
)

// sheets holds, by character, the records from which clients were sent character sheets. Clients use one connection for
// FetchCharacter and often another one for StartGame, so the records belong to the gateway, and all workers use them.
type sheets struct {
	mu   sync.Mutex
	sent map[sim.CharacterID]sentSheet
}

// sentSheet contains the record from which a client was sent a character sheet, and the time in ms at which it was sent.
type sentSheet struct {
	record *sim.Character
	at     uint32
}

// add stores the record from which a character sheet is being sent. It replaces an older record of the same character.
func (s *sheets) add(c *sim.Character, now uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.sent[c.ID]; !again && len(s.sent) >= maxSheets {
		for id, old := range s.sent {
			if now-old.at >= sheetTimeMS {
				delete(s.sent, id)
			}
		}
		if len(s.sent) >= maxSheets {
			return
		}
	}
	if s.sent == nil {
		s.sent = map[sim.CharacterID]sentSheet{}
	}
	s.sent[c.ID] = sentSheet{c, now}
}

// pop returns the remembered record of a character and forgets it. It returns nil if there is none, or if the record is older than
// sheetTimeMS.
func (s *sheets) pop(id sim.CharacterID, now uint32) *sim.Character {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.sent[id]
	delete(s.sent, id)
	if now-old.at >= sheetTimeMS {
		return nil
	}
	return old.record
}

// correctSheet sends the client what has changed in experience, gold and items since it was sent its character sheet. The parameter
// shown is the record that the client displays, current is the record at login, and self is the player's state in the frame of the
// entry. Items that the client does not display are shown as dropped at its player's position and picked up at once, as if an
// operator had given them (docs/wire/rcce.md, InventoryUpdate). Experience is taken from self, because a player whose previous
// connection was lost can gain experience after the login.
func (c *conn) correctSheet(shown, current *sim.Character, self *sim.ActorState) {
	c.sendXP(shown.Level, shown.XP, self.Body)
	switch gold := current.Gold - shown.Gold; {
	case gold > 0:
		c.send(proto.GoldChange{Sub: proto.GoldUp, Amount: gold})
	case gold < 0:
		c.send(proto.GoldChange{Sub: proto.GoldDown, Amount: -gold})
	}
	var missing []uint8 // slots of items that the client does not display
	for slot := range current.Inventory {
		have, want := shown.Inventory[slot], current.Inventory[slot]
		switch {
		case equalStacks(have, want):
			continue
		case sameItem(have, want) && want.Amount < have.Amount:
			c.send(proto.InventoryTaken{Slot: uint8(slot), Amount: have.Amount - want.Amount})
			continue
		case !have.Empty():
			c.send(proto.InventoryTaken{Slot: uint8(slot), Amount: have.Amount})
		}
		if !want.Empty() {
			missing = append(missing, uint8(slot))
		}
	}
	for _, slot := range missing { // add the missing items after all removals, so that the client never has an item twice
		c.send(droppedItem(c.w.g.world.Def(), &sim.GroundItem{Handle: shownHandle, Stack: current.Inventory[slot], Pos: self.Pos}))
		c.send(proto.InventoryReceived{Drop: shownHandle, Slot: slot})
	}
}

// sendXP sends the packets that change the level and the experience points on the client to those of its player.
func (c *conn) sendXP(level, points int32, now *sim.Body) {
	if now.Level != level || now.XP < points { // a client sets the points to 0 when its player gains a level
		c.send(proto.XPUpdate{Sub: proto.XPLevel, Value: now.Level})
		points = 0
	}
	if now.XP > points {
		c.send(proto.XPUpdate{Sub: proto.XPGained, Value: now.XP - points})
	}
}

// equalStacks reports whether two slots have the same content.
func equalStacks(a, b sim.ItemStack) bool {
	return a.Empty() && b.Empty() || a.Amount == b.Amount && sameItem(a, b)
}

// sameItem reports whether two slots have items of one kind, with the same health and attributes.
func sameItem(a, b sim.ItemStack) bool {
	return a.ID() == b.ID() && a.Health == b.Health && (a.Attr == b.Attr || a.Attr != nil && b.Attr != nil && *a.Attr == *b.Attr)
}

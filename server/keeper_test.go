package server

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// editedSlot is a backpack slot that is empty in each new character of the embedded world.
const editedSlot = sim.SlotCount - 1

func editGold(gold int32) *session.CharacterChange {
	return &session.CharacterChange{Gold: &gold, Items: []session.ItemChange{{Slot: editedSlot, Item: 9, Amount: 3}}}
}

func TestEditOfCharacterInWorldIsRefusedUnlessPlayerMayBeDisconnected(t *testing.T) {
	s := start(t, quietConfig(t))
	p := join(t, s)
	walkAway(t, s, p)
	k := s.hub.Keeper()
	if _, err := k.EditCharacter(t.Context(), "ann", "Ann", editGold(777), false); !errors.Is(err, session.ErrOnline) {
		t.Fatalf("edit of a player in the world: %v", err)
	}
	if a, err := k.Account(t.Context(), "ann"); err != nil || !a.Online || len(a.Characters) != 1 {
		t.Errorf("the account is %+v, %v", a, err)
	}
	c, err := k.EditCharacter(t.Context(), "ann", "ANN", editGold(777), true)
	if err != nil || c.Gold != 777 {
		t.Fatalf("edit that sends the player away: %+v, %v", c, err)
	}
	if got := s.hub.Players(); len(got) != 0 {
		t.Errorf("in the world are %+v", got)
	}
	q := enterAgain(t, s)
	if q.Character.Gold != 777 || q.Character.Inventory[editedSlot].Amount != 3 || q.Character.Pos.X < p.Character.Pos.X+2 {
		t.Errorf("entered with %d gold and %+v at %v; want the edit, and the place where the player was sent away", q.Character.Gold, q.Character.Inventory[editedSlot], q.Character.Pos)
	}
}

// An operator edits a character, and the server is killed immediately afterwards. The restart restores the areas from their
// tapes, which contain an older record of the character and an item that it has dropped. The edit is kept, and the item exists
// once.
func TestEditOfCharacterSurvivesKillOfServerWithoutDuplicatingItem(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	walkAway(t, s, p)
	slot, item := -1, sim.ItemStack{}
	for i := sim.SlotBackpack; i < sim.SlotCount; i++ {
		if stack := p.Character.Inventory[i]; !stack.Empty() {
			slot, item = i, stack
			break
		}
	}
	if slot < 0 {
		t.Fatal("a new character has no item to drop")
	}
	if err := p.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: uint8(slot), Amount: item.Amount}); err != nil {
		t.Fatal(err)
	}
	k := s.hub.Keeper()
	eventually(t, "the item is out of the backpack", func() bool {
		a, err := k.Account(t.Context(), "ann")
		return err == nil && a.Characters[0].Inventory[slot].Empty()
	})
	if _, err := k.EditCharacter(t.Context(), "ann", "Ann", editGold(777), true); err != nil {
		t.Fatal(err)
	}

	killed := cfg
	killed.DataDir = killedCopy(t, cfg.DataDir)
	again := start(t, killed)
	if got := again.world.Restored(); len(got) != 0 {
		t.Errorf("restored players %+v; the player was sent away before", got)
	}
	count := func(c *sim.Character) (n int) {
		for _, stack := range c.Inventory {
			if stack.Item == item.Item {
				n += int(stack.Amount)
			}
		}
		for _, d := range c.Dropped {
			if d.Stack.Item == item.Item {
				n += int(d.Stack.Amount)
			}
		}
		return n
	}
	inWorld := enterAgain(t, again)
	if c := inWorld.Character; c.Gold != 777 || c.Inventory[editedSlot].Amount != 3 || count(c) != 0 {
		t.Errorf("entered with %d gold, %+v, and %d of the dropped item; want the edit, and the item on the ground only", c.Gold, c.Inventory[editedSlot], count(c))
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	after := start(t, killed) // items on the ground are lost at a stop, so the item belongs to the character that dropped it again
	if c := enterAgain(t, after).Character; count(c) != int(item.Amount) || c.Gold != 777 {
		t.Errorf("after a stop the character has %d of the item and %d gold, want %d and 777", count(c), c.Gold, item.Amount)
	}
}

func TestTapeNeedsRecoveryAfterKillAndNotAfterCleanStop(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	walkAway(t, s, join(t, s))
	killed := killedCopy(t, cfg.DataDir)
	inPlay := func(dir string) string {
		area, err := tape.InPlay(tape.Options{Dir: filepath.Join(dir, sqlite.TapeFolder)})
		if err != nil {
			t.Fatal(err)
		}
		return area
	}
	if got := inPlay(killed); got == "" {
		t.Error("the tape of a killed server is said to have ended")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := inPlay(cfg.DataDir); got != "" {
		t.Errorf("the tape of a stopped server is said to be in play in %s", got)
	}
	if got := inPlay(t.TempDir()); got != "" {
		t.Errorf("a folder without a tape is said to be in play in %s", got)
	}
}

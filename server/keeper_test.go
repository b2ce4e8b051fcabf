package server

import (
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
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

func TestInvalidChangesOfStoredCharacterAreRefusedAndChangeNothing(t *testing.T) {
	s := start(t, quietConfig(t))
	join(t, s).Leave()
	k := s.hub.Keeper()
	str := func(s string) *string { return &s }
	num := func(n int32) *int32 { return &n }
	for _, c := range []session.CharacterChange{
		{Name: str("")}, {Name: str("<b>")}, {Area: str("Atlantis")}, {Gold: num(-1)}, {Level: num(0)},
		{Attributes: []session.AttributeChange{{Index: 40}}}, {Attributes: []session.AttributeChange{{Index: 0, Value: num(5), Max: num(4)}}},
		{Items: []session.ItemChange{{Slot: sim.SlotCount, Amount: 1}}}, {Items: []session.ItemChange{{Slot: 20, Item: 60000, Amount: 1}}},
		{Items: []session.ItemChange{{Slot: 20, Item: 3, Amount: 2}}}, {Items: []session.ItemChange{{Slot: 20, Item: 3, Amount: 1, Health: 101}}},
	} {
		_, err := k.EditCharacter(t.Context(), "ann", "Ann", &c, true)
		if _, ok := errors.AsType[*session.InvalidChange](err); !ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := k.EditCharacter(t.Context(), "ann", "Bea", editGold(1), true); !errors.Is(err, session.ErrNoCharacter) {
		t.Errorf("edit of a character of nobody: %v", err)
	}
	if _, err := k.EditCharacter(t.Context(), "bea", "Bea", editGold(1), true); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("edit of an account of nobody: %v", err)
	}
	if err := k.MoveCharacter(t.Context(), "ann", "Ann", "ANN", true); !errors.Is(err, session.ErrSameAccount) {
		t.Errorf("move to the same account: %v", err)
	}
	if a, err := k.Account(t.Context(), "ann"); err != nil || a.Characters[0].Gold != 50 {
		t.Errorf("the account is %+v, %v", a, err)
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

func TestAccountsAndPasswordsCanBeChangedWhileServerIsStopped(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	join(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(t.Context(), cfg.DataDir, sqlite.WithLog(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	k := session.NewKeeper(st)
	if _, err := st.CreateAccount(t.Context(), store.Account{Name: "bedrock:bea"}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.ResetSecret(t.Context(), "bedrock:bea", ""); !errors.Is(err, session.ErrNoSecret) {
		t.Errorf("reset of an account without a secret: %v", err)
	}
	password, err := k.ResetSecret(t.Context(), "ann", "")
	if err != nil || len(password) < 16 {
		t.Fatalf("generated password %q, %v", password, err)
	}
	if err := k.Merge(t.Context(), "ann", "bedrock:bea", false); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Account(t.Context(), "ann"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the merged account: %v", err)
	}
	names, err := k.Delete(t.Context(), "bedrock:bea", false)
	if err != nil || len(names) != 1 || names[0] != "Ann" {
		t.Errorf("deleted were the characters %q, %v", names, err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

package session

import (
	"bufio"
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

const (
	herb = 7                // id of the herb item
	bag  = sim.SlotBackpack // slot that holds the item
)

// market is a world whose players have backpacks.
func market() *sim.World {
	w := twoFields()
	w.Items = []sim.Item{{ID: herb, Name: "Herb", Kind: sim.ItemOther, Stackable: true}}
	w.Templates[1].Slots = 1 << 10 // allows the backpack
	w.Rules.MaxActors = 100
	return w
}

// batches is a store that notes what is saved together.
type batches struct {
	store.Store
	mu    sync.Mutex
	saved [][]*sim.Character
}

func (b *batches) SaveCharacters(ctx context.Context, batch []*sim.Character) error {
	b.mu.Lock()
	b.saved = append(b.saved, slices.Clone(batch))
	b.mu.Unlock()
	return b.Store.SaveCharacters(ctx, batch)
}

// A player that has an item again after a crash, and another one that has it, too, would both be right.
func TestGiverAndTakerOfItemAreStoredTogetherAndAtOnce(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, market(), Options{})
		defer r.shut()
		log := &batches{Store: r.disk.Store}
		r.disk.Store = log
		giver, taker := r.player("Ada"), r.player("Bea")
		withItem, err := r.Character(r.ctx, giver, 0)
		r.must(err)
		withItem.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
		r.must(r.disk.SaveCharacters(r.ctx, []*sim.Character{withItem}))
		ada, bea := r.enters(giver), r.enters(taker)
		for i := range maxBatch { // records of deleted characters, more than fit into one transaction
			r.writer.put(&sim.Character{ID: sim.CharacterID(1_000_000 + i)})
		}
		ticks(2)
		feed := r.world.Subscribe("test", 100, area.All)
		defer feed.Close()
		r.must(ada.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: bag, Amount: 1}))
		handle := nextEvent(feed, sim.EventDropped).Ground.Handle
		r.must(bea.Submit(sim.Intent{Kind: sim.IntentPickUp, SlotA: bag, Ground: handle}))
		nextEvent(feed, sim.EventPickedUp)
		ticks(0) // handles pending frames without advancing the time
		log.mu.Lock()
		defer log.mu.Unlock()
		has := map[sim.CharacterID]bool{}
		for _, batch := range log.saved {
			for _, c := range batch {
				has[c.ID] = c.Inventory[bag].Amount > 0
			}
			if has[ada.Character.ID] == has[bea.Character.ID] && len(has) > 2 {
				t.Fatalf("after a transaction of %d records both or none have the item", len(batch))
			}
		}
		if has[ada.Character.ID] || !has[bea.Character.ID] {
			t.Errorf("stored: giver has it %v, taker has it %v", has[ada.Character.ID], has[bea.Character.ID])
		}
	})
}

// The record without the item is saved after dropHold, or at once if the player leaves.
func TestDroppedItemStaysInStoredRecordForAWhile(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			r := newTestServer(t, dir, market(), Options{})
			defer r.shut()
			l := r.player("Ada")
			c, err := r.Character(r.ctx, l, 0)
			r.must(err)
			c.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
			r.must(r.disk.SaveCharacters(r.ctx, []*sim.Character{c}))
			ada := r.enters(l)
			ticks(2)
			r.must(ada.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: bag, Amount: 1}))
			ticks(60)
			if n := r.stored(l).Inventory[bag].Amount; n != 1 {
				t.Errorf("after 3 s %d are stored", n)
			}
			if leaves {
				ada.Leave()
			} else {
				time.Sleep(dropHold)
			}
			ticks(4)
			if n := r.stored(l).Inventory[bag].Amount; n != 0 {
				t.Errorf("afterwards (left: %v) %d are stored", leaves, n)
			}
		})
	}
}

// nextEvent returns the next event of that kind.
func nextEvent(feed *area.Feed, kind sim.EventKind) (e sim.Event) {
	for p := range feed.C() {
		i := slices.IndexFunc(p.Frame.Events, func(e sim.Event) bool { return e.Kind == kind })
		if i >= 0 {
			e = p.Frame.Events[i]
		}
		p.Release()
		if i >= 0 {
			break
		}
	}
	return e
}

// tradersDir makes the test binary a server whose players hand items to each other until it is killed.
const tradersDir = "TRUESTEP_TEST_TRADERS_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(tradersDir); dir != "" {
		fmt.Fprintln(os.Stderr, tradeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const pairs = 5

func traderName(pair, side int) string {
	return string(rune('A'+pair)) + string(rune('a'+side)) + "trader"
}

// tradeForever lets each pair hand its item to and fro, and says on standard output where the item is once that is stored.
func tradeForever(dir string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	world := area.NewWorld(market(), area.Options{})
	hub := NewHub(world, db, Options{HashCost: cheap, SaveEvery: time.Second})
	world.Start(ctx)
	ended := make(chan error)
	for pair := range pairs {
		var players [2]*Session
		for side := range players {
			name, peer := traderName(pair, side), Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: uint64(10*pair + side + 1), Door: "rcce"}
			if _, err := db.Account(ctx, name); err != nil {
				if err := hub.CreateAccount(ctx, peer, name, "secret", ""); err != nil {
					return err
				}
			}
			l, err := hub.Login(ctx, peer, name, "secret")
			if err != nil {
				return err
			}
			if roster, err := hub.Roster(ctx, l); err != nil {
				return err
			} else if len(roster) == 0 {
				if err := hub.CreateCharacter(ctx, l, NewCharacter{Name: name, Template: human}); err != nil {
					return err
				}
				if side == 0 {
					c, err := hub.Character(ctx, l, 0)
					if err != nil {
						return err
					}
					c.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
					if err := db.SaveCharacters(ctx, []*sim.Character{c}); err != nil {
						return err
					}
				}
			}
			if players[side], err = hub.Enter(ctx, l, 0); err != nil {
				return err
			}
		}
		go func() { ended <- trade(hub, world.Subscribe("trade", 500, area.All), pair, players) }()
	}
	return <-ended
}

// trade hands the item of a pair to and fro.
func trade(hub *Hub, feed *area.Feed, pair int, players [2]*Session) error {
	from := 0
	if players[1].Character.Inventory[bag].Amount > 0 {
		from = 1
	}
	for ; ; from = 1 - from {
		giver, taker := players[from], players[1-from]
		e := sim.Event{}
		for e.Who != giver.Entity {
			_ = giver.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: bag, Amount: 1}) // repeated until the player has entered
			e = nextEvent(feed, sim.EventDropped)
		}
		if err := taker.Submit(sim.Intent{Kind: sim.IntentPickUp, SlotA: bag, Ground: e.Ground.Handle}); err != nil {
			return err
		}
		for e.Who != taker.Entity {
			e = nextEvent(feed, sim.EventPickedUp)
		}
		for waiting := true; waiting; time.Sleep(time.Millisecond) {
			traders, _ := hub.writer.snapshot(time.Now(), false)
			waiting = slices.ContainsFunc(traders, func(c *sim.Character) bool { return c.ID == taker.Character.ID })
		}
		if _, err := fmt.Printf("%d %d\n", pair, 1-from); err != nil {
			return err
		}
	}
}

// TestKilledServerHasNoItemTwice kills a server while pairs hand items to each other. What lies on the ground at that time may be
// lost; no item is ever there twice.
func TestKilledServerHasNoItemTwice(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		dir := t.TempDir()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), tradersDir+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if f := strings.Fields(lines.Text()); len(f) == 2 {
				if said++; said == 4*pairs {
					cmd.Process.Kill()
				}
			}
		}
		cmd.Wait()
		if said < 4*pairs {
			t.Fatalf("the server ended by itself after %d", said)
		}
		db, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		lost := 0
		for pair := range pairs {
			n := 0
			for side := range 2 {
				a, err := db.Account(t.Context(), traderName(pair, side))
				if err != nil {
					t.Fatal(err)
				}
				roster, err := db.Characters(t.Context(), a.ID)
				if err != nil {
					t.Fatal(err)
				}
				n += int(roster[0].Inventory[bag].Amount)
			}
			if n > 1 {
				t.Errorf("the item of pair %d is there %d times", pair, n)
			}
			lost += 1 - n
		}
		t.Logf("%d of %d items lay on the ground", lost, pairs)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

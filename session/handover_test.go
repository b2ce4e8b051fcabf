package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
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

// batches is a store that remembers, for each transaction, which characters were saved in it.
type batches struct {
	store.Store
	mu    sync.Mutex
	saved [][]*sim.Character
}

func (b *batches) SaveCharacters(ctx context.Context, fence store.Fence, batch []*sim.Character) error {
	b.mu.Lock()
	b.saved = append(b.saved, slices.Clone(batch))
	b.mu.Unlock()
	return b.Store.SaveCharacters(ctx, fence, batch)
}

// If the records of giver and receiver were stored in two transactions, a crash between the two would duplicate or lose the
// item.
func TestRecordsOfGiverAndReceiverOfItemAreStoredTogetherImmediately(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, market(), Options{})
		defer r.shut()
		log := &batches{Store: r.disk.Store}
		r.disk.Store = log
		giver, taker := r.player("Ada"), r.player("Bea")
		withItem, err := r.Character(r.ctx, giver, 0)
		r.must(err)
		withItem.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
		r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{withItem}))
		ada, bea := r.enters(giver), r.enters(taker)
		for i := range maxBatch { // these records of deleted characters fill one transaction
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
				has[c.ID] = c.Inventory[bag].Amount > 0 || len(c.Dropped) > 0
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

// A dropped item stays in the stored record of the player that dropped it until the item expires or is picked up, also if the
// player leaves or the server stops. In the world the item is on the ground and not in the player's inventory.
func TestDroppedItemStaysInRecordOfDropperUntilExpiryOrPickup(t *testing.T) {
	w := market()
	w.TicksPerSecond = 2
	wait := func(d time.Duration) {
		time.Sleep(d)
		synctest.Wait()
	}
	for _, c := range []struct {
		what  string
		then  func(r *testServer, ada *Session, l *Login)
		wants int // number of items on the ground
	}{
		{"autosave", func(*testServer, *Session, *Login) { wait(time.Minute) }, 1},
		{"leave and return", func(r *testServer, ada *Session, l *Login) {
			ada.Leave()
			wait(time.Minute)
			if n := len(r.stored(l).Dropped); n != 1 {
				r.t.Errorf("after the leave %d are stored", n)
			}
			if c := r.enters(l).Character; c.Inventory[bag].Amount != 0 || len(c.Dropped) != 0 {
				r.t.Errorf("the player returned with %v and %v", c.Inventory[bag], c.Dropped)
			}
			wait(time.Minute)
		}, 1},
		{"frames missed", func(r *testServer, ada *Session, l *Login) {
			r.handleFrame(&sim.Frame{Area: ada.Area()}, 1)
			wait(time.Minute)
		}, 0},
		{"expired", func(*testServer, *Session, *Login) { wait(11 * time.Minute) }, 0},
		{"character deleted", func(r *testServer, ada *Session, l *Login) {
			ada.Leave()
			wait(time.Second)
			r.must(r.deleteCharacter(l, 0))
			r.must(r.CreateCharacter(r.ctx, l, NewCharacter{Name: "Other", Template: human}))
			wait(11 * time.Minute)
		}, 0},
	} {
		dir := emptystore.Dir(t)
		synctest.Test(t, func(t *testing.T) {
			r := newTestServer(t, dir, w, Options{})
			l := r.player("Ada")
			record, err := r.Character(r.ctx, l, 0)
			r.must(err)
			record.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
			r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{record}))
			ada := r.enters(l)
			wait(time.Second)
			r.must(ada.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: bag, Amount: 1}))
			wait(time.Second)
			c.then(r, ada, l)
			stored := r.stored(l)
			r.shut()
			if len(stored.Dropped) != c.wants || stored.Inventory[bag].Amount != 0 || len(r.writer.records) != c.wants || r.Stats().Unsaved != 0 {
				t.Errorf("%s: %v are stored, want %d; %d records are held, %d records not saved",
					c.what, stored.Dropped, c.wants, len(r.writer.records), r.Stats().Unsaved)
			}
		})
	}
}

func TestDroppedItemsThatFitAreReturnedToInventoryAtLogin(t *testing.T) {
	w := market()
	w.Items = append(w.Items, sim.Item{ID: herb + 1, Name: "Sword", Kind: sim.ItemWeapon})
	stack := func(item, amount uint16) sim.ItemStack { return sim.ItemStack{Item: item, Amount: amount, Health: 100} }
	full := sim.Inventory{}
	for slot := range full {
		full[slot] = stack(herb+1, 1)
	}
	almost := full
	almost[bag+3] = stack(herb, 65530)
	for _, c := range []struct {
		what  string
		inv   sim.Inventory
		items []sim.ItemStack
		want  map[int]sim.ItemStack // expected content of the inventory slots that change
	}{
		{"empty", sim.Inventory{}, []sim.ItemStack{stack(herb, 3), stack(herb+1, 1), stack(herb, 2)}, map[int]sim.ItemStack{bag: stack(herb, 5), bag + 1: stack(herb+1, 1)}},
		{"stack", sim.Inventory{bag + 2: stack(herb, 7)}, []sim.ItemStack{stack(herb, 3)}, map[int]sim.ItemStack{bag + 2: stack(herb, 10)}},
		{"no room", full, []sim.ItemStack{stack(herb, 3)}, nil},
		{"stack nearly full", almost, []sim.ItemStack{stack(herb, 6), stack(herb, 5)}, map[int]sim.ItemStack{bag + 3: stack(herb, 65535)}},
	} {
		in := &sim.Character{Inventory: c.inv}
		var items []droppedItem
		for i, s := range c.items {
			items = append(items, droppedItem{handle: uint32(i + 1), stack: s})
		}
		want := c.inv
		for slot, s := range c.want {
			want[slot] = s
		}
		stored := withDropped(in, items)
		got := giveBack(stored, w)
		if got.Inventory != want || in.Inventory != c.inv || in.Dropped != nil || stored.Inventory != c.inv || len(stored.Dropped) != len(items) {
			t.Errorf("%s: the inventory is %v", c.what, got.Inventory)
		}
		if rest := map[string]int{"no room": 1, "stack nearly full": 1}[c.what]; len(got.Dropped) != rest || rest > 0 && got.Dropped[0].Handle != 0 {
			t.Errorf("%s: %v do not fit", c.what, got.Dropped)
		}
	}
}

// At a login the player's dropped items return to its backpack. An item that does not fit stays in the record and returns at a
// later login when there is room for it.
func TestDroppedItemStaysInRecordWhileInventoryOfDropperIsFull(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, market(), Options{})
		defer r.shut()
		l := r.player("Ada")
		c, err := r.Character(r.ctx, l, 0)
		r.must(err)
		for slot := range c.Inventory {
			c.Inventory[slot] = sim.ItemStack{Item: 1, Amount: 1}
		}
		item := sim.ItemStack{Item: herb, Amount: 3, Health: 100}
		c.Dropped = []sim.DroppedItem{{Handle: 9, Stack: item}}
		r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{c}))
		ada := r.enters(l)
		ticks(2)
		ada.Leave()
		ticks(40)
		stored := r.stored(l)
		if len(stored.Dropped) != 1 || stored.Dropped[0] != (sim.DroppedItem{Stack: item}) {
			t.Fatalf("after a visit with a full backpack %v is stored", stored.Dropped)
		}
		stored.Inventory[bag+5] = sim.ItemStack{}
		r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{stored}))
		if c := r.enters(l).Character; len(c.Dropped) != 0 || c.Inventory[bag+5] != item {
			t.Errorf("with room the player enters with %v and %v", c.Inventory[bag+5], c.Dropped)
		}
	})
}

// nextEvent returns the next event of the given kind.
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

// tradersDir is the environment variable that makes the test binary a server whose players exchange items until it is killed.
const tradersDir = "TRUESTEP_TEST_TRADERS_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(tradersDir); dir != "" {
		fmt.Fprintln(os.Stderr, tradeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const (
	pairs     = 5
	herbBatch = 3 // number of items that each pair of players has
)

func traderName(pair, side int) string {
	return string(rune('A'+pair)) + string(rune('a'+side)) + "trader"
}

// bazaar is a market world with one kind of item for each pair of players.
func bazaar() *sim.World {
	w := market()
	for pair := range pairs {
		w.Items = append(w.Items, sim.Item{ID: uint16(100 + pair), Name: fmt.Sprint("Ware", pair), Kind: sim.ItemOther, Stackable: true})
	}
	return w
}

// tradeForever makes pairs of players exchange items. It prints the new owner of an item when a client would learn of it.
func tradeForever(dir string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	world := area.NewWorld(bazaar(), area.Options{})
	hub := NewHub(world, db, Options{HashCost: cheap, SaveEvery: 200 * time.Millisecond})
	world.Start(ctx)
	var players [pairs][2]*Session
	for pair := range players {
		for side := range players[pair] {
			if players[pair][side], err = enterTrader(ctx, hub, db, pair, side); err != nil {
				return err
			}
		}
	}
	ended := make(chan error)
	for pair := range players { // start only now that all players are in the world: the process may be killed at the first pickup
		go func() { ended <- trade(world.Subscribe("trade", 500, area.All), pair, players[pair]) }()
	}
	return <-ended
}

// enterTrader enters a player. The first start creates the player and gives the items of each pair to one of its two players.
func enterTrader(ctx context.Context, hub *Hub, db *sqlite.Store, pair, side int) (*Session, error) {
	name, peer := traderName(pair, side), Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: uint64(10*pair + side + 1), Door: "rcce"}
	_, err := db.Account(ctx, name)
	missing := err != nil
	if missing {
		if err := hub.CreateAccount(ctx, peer, name, "secret", ""); err != nil {
			return nil, err
		}
	}
	l, err := hub.Login(ctx, peer, name, "secret")
	if err != nil {
		return nil, err
	}
	if missing {
		if err := hub.CreateCharacter(ctx, l, NewCharacter{Name: name, Template: human}); err != nil {
			return nil, err
		}
		c, err := hub.Character(ctx, l, 0)
		if err != nil {
			return nil, err
		}
		if side == 0 {
			c.Inventory[bag] = sim.ItemStack{Item: uint16(100 + pair), Amount: herbBatch, Health: 100}
		}
		if err := db.SaveCharacters(ctx, nil, []*sim.Character{c}); err != nil {
			return nil, err
		}
	}
	return hub.Enter(ctx, l, 0)
}

// trade makes the two players of a pair drop and pick up the pair's items at random, one at a time.
func trade(feed *area.Feed, pair int, players [2]*Session) error {
	var ground []uint32 // handles of the items on the ground
	for {
		s := players[rand.IntN(2)]
		if len(ground) > 0 && rand.IntN(2) == 0 {
			i := rand.IntN(len(ground))
			_ = s.Submit(sim.Intent{Kind: sim.IntentPickUp, SlotA: uint8(sim.SlotBackpack + rand.IntN(4)), Ground: ground[i]})
		} else { // drop; the slot may be empty
			_ = s.Submit(sim.Intent{Kind: sim.IntentDrop, SlotA: uint8(sim.SlotBackpack + rand.IntN(4)), Amount: 1})
		}
		for range 2 { // wait for two frames
			p, ok := <-feed.C()
			if !ok {
				return errors.New("the world has stopped")
			}
			for _, e := range p.Frame.Events {
				if e.Ground.Stack.Item != uint16(100+pair) {
					continue
				}
				if e.Kind == sim.EventDropped {
					ground = append(ground, e.Ground.Handle)
				} else if e.Kind == sim.EventPickedUp {
					ground = slices.DeleteFunc(ground, func(h uint32) bool { return h == e.Ground.Handle })
					fmt.Println("picked up")
				}
			}
			p.Release()
		}
	}
}

// TestKilledServerNeitherLosesNorDuplicatesItems kills a server repeatedly while pairs of players drop items and pick them
// up. After each restart, every item that a client was told to have or that was on the ground exists once.
func TestKilledServerNeitherLosesNorDuplicatesItems(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := emptystore.Dir(t)
	for round := range 4 {
		kill := 1 + rand.IntN(30)
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
			if lines.Text() != "picked up" {
				continue
			}
			if said++; said == kill {
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
		if said < kill {
			t.Fatalf("the server ended by itself after %d", said)
		}
		db, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
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
				for _, s := range roster[0].Inventory {
					n += int(s.Amount)
				}
				for _, d := range roster[0].Dropped {
					n += int(d.Stack.Amount)
				}
			}
			if n != herbBatch {
				t.Errorf("round %d, killed after %d: pair %d has %d items, want %d", round, kill, pair, n, herbBatch)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

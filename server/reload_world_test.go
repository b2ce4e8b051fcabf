package server

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/tape"
)

// valeWith loads the world of smallTOML after replacing texts in its file. The parameter replace lists old and new texts in turn.
func valeWith(t *testing.T, replace ...string) *content.World {
	t.Helper()
	return loadWith(t, smallTOML(), replace...)
}

// loadWith is valeWith for the world file text.
func loadWith(t *testing.T, text string, replace ...string) *content.World {
	t.Helper()
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("the world file has no %q", replace[i])
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	w, _, err := content.LoadWorld("world.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// vale loads the world of smallTOML as if from a file, so that the digest of the world depends on the content of the file.
func vale(t *testing.T) *content.World { return valeWith(t) }

func TestReloadedWorldReplacesRulesWhilePlayersStayInWorld(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World, next.World = vale(t), valeWith(t, "leash = 150", "leash = 90", "gold = 50", "gold = 70")
	s := start(t, cfg)
	p := join(t, s)
	r, err := s.Reload(t.Context())
	if err != nil || len(r.Kept) > 0 || r.World == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	got := strings.Join(r.World.Changes, "; ")
	for _, want := range []string{"rules.LeashUnits: 90, was 150", "newcomers.Gold: 70, was 50"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if s.world.Def().Rules.LeashUnits != 90 {
		t.Errorf("the leash is %v", s.world.Def().Rules.LeashUnits)
	}
	walkAway(t, s, p)
	peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.2"), Conn: 2, Door: "test"}
	if err := s.hub.CreateAccount(t.Context(), peer, "bea", "secret", ""); err != nil {
		t.Fatal(err)
	}
	l, err := s.hub.Login(t.Context(), peer, "bea", "secret")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.hub.CreateCharacter(t.Context(), l, session.NewCharacter{Name: "Bea"}); err != nil {
		t.Fatal(err)
	}
	if q, err := s.hub.Enter(t.Context(), l, 0); err != nil || q.Character.Gold != 70 {
		t.Errorf("a new character has %+v, %v", q, err)
	}
	if r, err := s.Reload(t.Context()); err != nil || len(r.Kept)+len(r.Applied) > 0 || r.World != nil {
		t.Errorf("again: %+v, %v", r, err)
	}
	next.World = valeWith(t, "leash = 150", "leash = 90", "gold = 50", "gold = 70", "[newcomers]", "# for you\n[newcomers]")
	if r, err := s.Reload(t.Context()); err != nil || r.World == nil || !strings.Contains(r.World.Changes[0], "comments") {
		t.Errorf("a comment: %+v, %v", r, err)
	}
}

func TestKilledServerContinuesWithReloadedWorld(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World, next.World = vale(t), valeWith(t, "leash = 150", "leash = 90")
	s := start(t, cfg)
	p := join(t, s)
	walkAway(t, s, p)
	if r, err := s.Reload(t.Context()); err != nil || r.World == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	at := func() geom.Vec {
		feed := s.world.Subscribe("test", 1, p.Area())
		defer feed.Close()
		f := <-feed.C()
		defer f.Release()
		return f.Frame.Find(p.Entity).Pos
	}
	where := at()
	awaitTape(t, s)
	killed := cfg
	killed.DataDir, killed.World = killedCopy(t, cfg.DataDir), next.World
	again := start(t, killed)
	if got := again.world.Restored(); len(got) != 1 || got[0].Entity != p.Entity {
		t.Fatalf("restored players %+v", got)
	}
	if q := enterAgain(t, again); q.Entity != p.Entity || !q.Resumed() || q.Character.Pos.X < where.X-0.5 {
		t.Errorf("entered at %v as entity %d, want %v as entity %d", q.Character.Pos, q.Entity, where, p.Entity)
	}
	if got := again.world.Def().Rules.LeashUnits; got != 90 {
		t.Errorf("the leash is %v", got)
	}
	former := cfg
	former.DataDir = killedCopy(t, cfg.DataDir)
	if _, err := Start(t.Context(), former); err == nil || !strings.Contains(err.Error(), "another world file") {
		t.Errorf("with the former world file: %v", err)
	} else if _, refused := errors.AsType[*tape.RefusedError](err); !refused {
		t.Errorf("with the former world file: %v", err)
	}
}

func TestReloadOfWorldThatNeedsRestartReportsReasonAndKeepsOldWorld(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World, next.World = vale(t), valeWith(t, "leash = 150", "leash = 90", `name = "Truestep Vale"`, `name = "Other Vale"`)
	s := start(t, cfg)
	join(t, s)
	next.AreaChat, next.Settings["area-chat"] = 5, "5"
	r, err := s.Reload(t.Context())
	if err != nil || r.World != nil || len(r.Applied) != 1 || len(r.Kept) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Kept[0].Setting != "the world: the name of the world" || !strings.Contains(r.Kept[1].Why, "applied as a whole") || !strings.Contains(r.Kept[1].Why, "rules.LeashUnits: 90") {
		t.Errorf("kept %+v", r.Kept)
	}
	if s.world.Def().Rules.LeashUnits != 150 {
		t.Error("a rule was applied")
	}
}

func TestReloadAppliesChangedClaimPolicy(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World = vale(t)
	cfg.Settings["claim-policy"], next.Settings["claim-policy"] = "world", "seed"
	w := vale(t)
	overrideRules(w, "seed", "world")
	next.World = w
	s := start(t, cfg)
	r, err := s.Reload(t.Context())
	if err != nil || r.World == nil || len(r.Applied) != 1 || r.Applied[0].Setting != "claim-policy" || s.world.Def().Rules.Claim.Strict {
		t.Errorf("%+v, %v", r, err)
	}
}

// For the race detector: the world is reloaded while a player acts and many goroutines read the definition.
func TestPlayerStaysInWorldDuringRepeatedReloads(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World = vale(t)
	worlds := []*content.World{valeWith(t, "leash = 150", "leash = 90"), vale(t)}
	s := start(t, cfg)
	p := join(t, s)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 5 {
			next.World = worlds[i%2]
			if _, err := s.Reload(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(10 * time.Millisecond):
			_ = p.Submit(sim.Intent{Kind: sim.IntentChat, Text: "x"})
			s.Doors()
			_ = s.world.Def().AreaNamed("Truestep Vale")
		}
	}
	feed := s.world.Subscribe("test", 1, area.All)
	defer feed.Close()
	eventually(t, "the player is still in the world", func() bool {
		f := <-feed.C()
		defer f.Release()
		return f.Frame.Area != p.Area() || f.Frame.Find(p.Entity) != nil
	})
}

// appearanceDoor is a door that keeps the host from which it reads the appearance.
type appearanceDoor struct {
	endingDoor
	host *gateway.Host
}

func (d *appearanceDoor) Open(h *gateway.Host) error {
	d.host = h
	return nil
}

func TestReloadReplacesDoorAppearancesAndGreeting(t *testing.T) {
	cfg, next := reloadable(t)
	cfg.World, next.World = vale(t), valeWith(t, "Welcome to Truestep Vale.", "The mill is open.")
	tables := &next.World.Appearance
	tables.RealmCrafter.Actors = map[uint16]*appearance.RealmCrafterActor{0: {Scale: 2}}
	tables.RuneScape.Actors = map[uint16]appearance.RuneScapeActor{0: {NPC: 99}}
	door := &appearanceDoor{endingDoor: endingDoor{end: make(chan struct{})}}
	defer close(door.end)
	cfg.Doors = []gateway.Door{door}
	s := start(t, cfg)
	r, err := s.Reload(t.Context())
	if err != nil || r.World == nil || len(r.Kept) > 0 || !slices.Contains(r.World.Changes, "looks changed") {
		t.Fatalf("%+v, %+v, %v", r, r.World, err)
	}
	if got := s.world.Def().NewCharacters.Greeting; !strings.HasPrefix(got, "The mill is open.") {
		t.Errorf("the greeting is %q", got)
	}
	got := door.host.LiveAppearance()
	if a := got.RealmCrafter.Actors[0]; a == nil || a.Scale != 2 || got.RuneScape.Actors[0].NPC != 99 {
		t.Errorf("the doors read the appearance %+v and %+v", got.RealmCrafter.Actors[0], got.RuneScape.Actors[0])
	}
}

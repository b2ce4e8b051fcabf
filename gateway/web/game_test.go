package web_test

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// gameData are the fields, commands and events of testGame.
const gameData = `
[[field]]
kind = "player"
name = "mana"
range = [0, 50]
step = 0.1
default = 20
to = "self"

[[field]]
kind = "player"
name = "team"
range = ["none", "red", "blue"]

[[field]]
kind = "player"
name = "rank"
range = [0, 9]
default = 4
way = "slow"

[[field]]
kind = "player"
name = "secret"
range = [0, 9]
to = "party"
way = "slow"

[[field]]
kind = "player"
name = "plan"
range = [0, 9]
to = "nobody"

[[field]]
kind = "npc"
name = "warmth"
range = [0, 1000]
predict = "line"

[[field]]
kind = "area"
name = "score"
range = [0, 999]

[[field]]
kind = "area"
name = "seed"
range = [0, 9]
to = "nobody"

[[command]]
name = "cast"
fields = { spell = [1, 9], target = "actor" }

[[command]]
name = "join"
fields = { team = ["none", "red", "blue"] }

[[command]]
name = "shout"
fields = { words = "text" }

[[event]]
name = "burst"
fields = { target = "actor", power = { range = [0, 2], step = 0.5 } }

[[event]]
name = "hint"
to = "self"
fields = { words = "text" }
`

type testGame struct {
	mana, team, rank, secret, warmth, score sim.FieldID
}

// loadGameWorld returns the test world with the data of the test game, and without rules.
func loadGameWorld(t *testing.T) *content.World {
	t.Helper()
	w, _, err := content.LoadWorld("test.toml", []byte(testWorld+gameData))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newTestGame(s *sim.GameSchema) *testGame {
	field := func(kind sim.FieldKind, name string) sim.FieldID {
		id, err := s.Field(kind, name)
		if err != nil {
			panic(err)
		}
		return id
	}
	return &testGame{
		mana: field(sim.FieldOfPlayer, "mana"), team: field(sim.FieldOfPlayer, "team"), rank: field(sim.FieldOfPlayer, "rank"),
		secret: field(sim.FieldOfPlayer, "secret"), warmth: field(sim.FieldOfNPC, "warmth"), score: field(sim.FieldOfArea, "score"),
	}
}

func (g *testGame) Command(h *sim.Hand, who sim.EntityID, c *sim.Command) {
	switch c.ID {
	case 0: // cast
		if h.Get(who, g.mana) < 100 {
			h.Refuse("You need 10 mana.")
			return
		}
		h.Add(who, g.mana, -100)
		h.Emit(0, who, c.Actor, "", 3)
		h.Emit(1, who, 0, "well cast")
		h.Set(who, g.rank, c.Args[0])
		h.Set(who, g.secret, c.Args[0])
	case 1: // join
		h.Set(who, g.team, c.Args[0])
		h.Add(0, g.score, 7)
	case 2: // shout
		h.Announce(strings.ToUpper(c.Text))
	}
}

func (g *testGame) Tick(h *sim.Hand) {
	for id := range h.NPCs() {
		h.Add(id, g.warmth, 2)
	}
}

// withGame runs a test on a server whose world has a game, once for each connection in the variable lines.
func withGame(t *testing.T, test func(t *testing.T, r *rig, ws bool)) {
	t.Parallel()
	for name, l := range lines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := loadGameWorld(t)
			w.World.Game = newTestGame(&w.World.Schema)
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				r := open(t, w, dir, web.Options{}, l.imp)
				defer r.start()()
				test(t, r, l.ws)
			})
		})
	}
}

func stand(*webcl.World) keys.Keys { return keys.Keys{} }

// command makes the player send a command of the game, and returns the server's answer.
func (p *player) command(name string, args ...any) proto.Answer {
	p.r.t.Helper()
	var number uint16
	sent := false
	p.do(func(w *webcl.World) keys.Keys {
		if !sent {
			sent = true
			for i := range args {
				if who, ok := args[i].(string); ok && w.FindByName(who) != nil {
					args[i] = w.FindByName(who)
				}
			}
			var err error
			if number, err = w.Command(name, args...); err != nil {
				p.r.t.Errorf("%s %v: %v", name, args, err)
			}
		}
		return keys.Keys{}
	})
	var a proto.Answer
	p.until("an answer to "+name, func(w *webcl.World) (ok bool) {
		if number != 0 {
			a, ok = w.Answer(number)
		}
		return ok
	})
	return a
}

// field returns the value of a game field of an actor, or -1 if the client is not shown the actor. The parameter who is the actor's name.
func field(w *webcl.World, who, name string) float64 {
	a := w.FindByName(who)
	if a == nil {
		return -1
	}
	v, ok := w.Field(a, name)
	if !ok {
		return -1
	}
	return v
}

func TestFieldsAndEventsOfGameAreSentOnlyToTheirAudience(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann, bob := r.join("Ann", ws), r.join("Bob", ws)
		defer bob.stop()
		defer ann.stop()
		ann.until("Bob is shown", func(w *webcl.World) bool { return w.FindByName("Bob") != nil })
		bob.until("Ann is shown", func(w *webcl.World) bool { return w.FindByName("Ann") != nil })
		if a := ann.command("cast", 9, "Bob"); a.Reason != 0 {
			t.Fatalf("the command is refused: %+v", a)
		}
		if a := ann.command("join", "blue"); a.Reason != 0 {
			t.Fatalf("the command is refused: %+v", a)
		}
		for name, p := range map[string]*player{"Ann": ann, "Bob": bob} {
			own := name == "Ann"
			want := map[string]float64{"mana": 20, "team": 2, "rank": 9, "secret": 0, "plan": -1}
			if own {
				want["mana"], want["secret"] = 10, 9
			}
			for f, v := range want {
				p.until(name+" is told "+f+" of Ann", func(w *webcl.World) bool { return math.Abs(field(w, "Ann", f)-v) < 1e-9 })
			}
			p.until(name+" is told the score", func(w *webcl.World) bool { v, ok := w.AreaField("score"); return ok && v == 7 })
			p.look(func(w *webcl.World) {
				if _, ok := w.AreaField("seed"); ok {
					t.Errorf("%s knows a field that is for nobody", name)
				}
			})
		}
		// A client outside the audience of a field still has the default value after a second.
		time.Sleep(time.Second)
		bob.look(func(w *webcl.World) {
			if m, s := field(w, "Ann", "mana"), field(w, "Ann", "secret"); m != 20 || s != 0 {
				t.Errorf("Bob knows mana %v and secret %v of Ann", m, s)
			}
			if len(w.Happenings) != 1 || w.Happenings[0].Name != "burst" || w.Happenings[0].Who.Name != "Ann" || w.Happenings[0].Other.Name != "Bob" || w.Happenings[0].Args["power"] != 1.5 {
				t.Errorf("Bob is told %+v, want the burst and no hint", w.Happenings)
			}
		})
		ann.look(func(w *webcl.World) {
			if len(w.Happenings) != 2 || w.Happenings[1].Name != "hint" || w.Happenings[1].Text != "well cast" {
				t.Errorf("Ann is told %+v, want burst and hint", w.Happenings)
			}
		})
	})
}

func TestGameFieldVisibleToPartyIsSentToNewMemberAndClearedAfterLeaving(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann, bob := r.join("Ann", ws), r.join("Bob", ws)
		defer bob.stop()
		defer ann.stop()
		ann.until("Bob is shown", func(w *webcl.World) bool { return w.FindByName("Bob") != nil })
		ann.command("cast", 6, "Bob")
		bob.until("rank of Ann", func(w *webcl.World) bool { return field(w, "Ann", "rank") == 6 })
		submit := func(p *player, in sim.Intent) {
			var id sim.EntityID
			for _, x := range r.hub.Players() {
				if p == ann && x.Name == "Ann" || p == bob && x.Name == "Bob" {
					id = x.Entity
				}
			}
			in.Who = id
			if err := r.world.Submit(0, in); err != nil {
				t.Fatal(err)
			}
		}
		submit(ann, sim.Intent{Kind: sim.IntentInviteParty, Text: "Bob"})
		time.Sleep(200 * time.Millisecond)
		submit(bob, sim.Intent{Kind: sim.IntentAcceptInvite})
		bob.until("the secret of the party", func(w *webcl.World) bool { return field(w, "Ann", "secret") == 6 })
		submit(bob, sim.Intent{Kind: sim.IntentLeaveParty})
		bob.until("the secret is gone", func(w *webcl.World) bool { return field(w, "Ann", "secret") == 0 })
	})
}

func TestRefusedGameCommandIsAnsweredWithReasonAndExplanation(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann := r.join("Ann", ws)
		defer ann.stop()
		if a := ann.command("cast", 10, "Ann"); a.Reason != uint8(reason.BadArgument) || a.Asked != 10 || a.Allowed != 9 {
			t.Errorf("a spell above the range: %+v", a)
		}
		ann.command("cast", 1, "Ann")
		ann.command("cast", 1, "Ann")
		if a := ann.command("cast", 1, "Ann"); a.Reason != uint8(reason.GameRule) || a.Text != "You need 10 mana." {
			t.Errorf("a cast without mana: %+v", a)
		}
		sheep := &webcl.Actor{Handle: 9999}
		if a := ann.command("cast", 1, sheep); a.Reason != uint8(reason.TargetGone) {
			t.Errorf("a target that is not shown: %+v", a)
		}
		if a := ann.command("shout", "hello there"); a.Reason != 0 {
			t.Errorf("shout: %+v", a)
		}
		ann.until("the announcement", func(w *webcl.World) bool { return strings.Contains(strings.Join(w.Lines, "\n"), "\tHELLO THERE") })
	})
}

func TestGameCommandTypedInChatIsExecuted(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann := r.join("Ann", ws)
		defer ann.stop()
		say := func(line string) (a proto.Answer) {
			var number uint16
			ann.do(func(w *webcl.World) keys.Keys {
				if number == 0 {
					number = w.Say(line)
				}
				return keys.Keys{}
			})
			ann.until("an answer to "+line, func(w *webcl.World) (ok bool) {
				if number != 0 {
					a, ok = w.Answer(number)
				}
				return ok
			})
			return a
		}
		if a := say("/join red"); a.Reason != 0 {
			t.Errorf("/join red: %+v", a)
		}
		ann.until("her team", func(w *webcl.World) bool { return field(w, "Ann", "team") == 1 })
		if a := say("/join green"); a.Reason != uint8(reason.BadArgument) || !strings.Contains(a.Text, "/join none|red|blue") {
			t.Errorf("/join green: %+v", a)
		}
		if a := say("/dance"); a.Reason != uint8(reason.NoSuchCommand) || !strings.Contains(a.Text, "/shout WORDS") {
			t.Errorf("/dance: %+v", a)
		}
	})
}

// A field that changes at a constant rate is not sent while the client predicts it correctly, and the client's value is correct
// at any time.
func TestClientPredictsGameFieldThatChangesAtConstantRate(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann := r.join("Ann", ws)
		defer ann.stop()
		ann.until("the sheep is shown", func(w *webcl.World) bool { return field(w, "Sheep", "warmth") > 0 })
		time.Sleep(time.Second) // actors are in snapshots once their Enter message is confirmed
		worst := 0.
		for range 40 {
			time.Sleep(100 * time.Millisecond)
			ann.look(func(w *webcl.World) {
				newest := float64(w.NewestTick()) * 2
				if newest < 1000 && w.FindByName("Sheep").Sure() {
					worst = max(worst, math.Abs(field(w, "Sheep", "warmth")-newest))
				}
			})
		}
		if worst > 8 { // twice the largest tolerance with which snapshots leave out actors
			t.Errorf("the predicted field was off by %v", worst)
		}
	})
}

func TestGameFieldsOfNewAreaAreSentAfterPlayerUsesPortal(t *testing.T) {
	withGame(t, func(t *testing.T, r *rig, ws bool) {
		ann := r.join("Ann", ws)
		defer ann.stop()
		ann.command("join", "red")
		ann.until("score of the field", func(w *webcl.World) bool { v, _ := w.AreaField("score"); return v == 7 })
		ann.do(walkTo(geom.Vec{X: 30}))
		ann.until("the meadow", func(w *webcl.World) bool { return w.Area == "Meadow" })
		ann.do(stand)
		ann.until("score of the meadow, and her team", func(w *webcl.World) bool {
			v, ok := w.AreaField("score")
			return ok && v == 0 && field(w, "Ann", "team") == 1
		})
	})
}

// Malformed commands and commands with unknown numbers are refused and do not affect the server.
func TestInvalidGameCommandsAreRefused(t *testing.T) {
	w := loadGameWorld(t)
	w.World.Game = newTestGame(&w.World.Schema)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, dir, web.Options{}, netsim.Impairment{})
		defer r.start()()
		ann := r.join("Ann", true)
		defer ann.stop()
		for _, c := range []struct {
			command uint8
			args    []int32
			why     reason.Reason
		}{
			{200, nil, reason.NoSuchCommand}, {0, nil, reason.BadArgument}, {0, []int32{1, 2, 3}, reason.BadArgument},
			{1, []int32{math.MinInt32}, reason.BadArgument}, {1, []int32{math.MaxInt32}, reason.BadArgument},
		} {
			var number uint16
			ann.do(func(w *webcl.World) keys.Keys {
				if number == 0 {
					number = w.Request(proto.Act{Verb: proto.VerbCommand, Handle: proto.NoHandle, Command: c.command, Args: c.args})
				}
				return keys.Keys{}
			})
			ann.until("an answer", func(w *webcl.World) bool {
				a, ok := w.Answer(number)
				if ok && a.Reason != uint8(c.why) {
					t.Errorf("%+v: %+v", c, a)
				}
				return number != 0 && ok
			})
		}
	})
}

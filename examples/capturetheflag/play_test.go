package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway"
	bedrockdoor "github.com/truestep-io/truestep/gateway/bedrock"
	rccedoor "github.com/truestep-io/truestep/gateway/rcce"
	rsdoor "github.com/truestep-io/truestep/gateway/rs"
	webdoor "github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim/geom"
)

// lines collects what a player is told.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(text + "\n")
}

func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

// until waits for a condition, for a minute at most.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// browser is a player of the web door.
type browser struct {
	*web.Client
	mu  sync.Mutex
	act func(w *web.World) keys.Keys
}

func (b *browser) do(act func(w *web.World) keys.Keys) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.act = act
}

func (b *browser) keys(w *web.World) keys.Keys {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.act == nil {
		return keys.Keys{}
	}
	return b.act(w)
}

// command sends a command of the game once. It returns why the server refused the command, or "" if the command was carried out.
func (b *browser) command(t *testing.T, name string, args ...any) (refused string) {
	t.Helper()
	var number uint16
	b.do(func(w *web.World) keys.Keys {
		if number == 0 {
			var err error
			if number, err = w.Command(name, args...); err != nil {
				t.Error(err)
			}
		}
		return keys.Keys{}
	})
	until(t, "an answer to "+name, func() (ok bool) {
		b.Inspect(func(w *web.World) {
			a, is := w.Answer(number)
			if ok = is; ok && a.Reason != 0 {
				refused = a.Text
			}
		})
		return ok
	})
	return refused
}

// walk walks to a point in blocks.
func (b *browser) walk(t *testing.T, x, z float32) {
	t.Helper()
	to := geom.Vec{X: x, Z: z}
	b.do(func(w *web.World) keys.Keys {
		at := w.State().Pos
		return keys.Keys{Forward: 1, Yaw: float32(math.Atan2(float64(at.X-to.X), float64(to.Z-at.Z)) * 180 / math.Pi)}
	})
	until(t, "the walk", func() (there bool) {
		b.Inspect(func(w *web.World) { there = geom.DistXZ(w.State().Pos, to) < 1 })
		return there
	})
	b.do(nil)
}

// value returns a field of a player as the client shows it, or -1 if the client does not show the player or the field.
func (b *browser) value(name, field string) (v float64) {
	b.Inspect(func(w *web.World) {
		v = -1
		if a := w.FindByName(name); a != nil {
			if f, ok := w.Field(a, field); ok {
				v = f
			}
		}
	})
	return v
}

// The game is played through every door: by commands and fields from the web door, by lines of chat from the others.
func TestGameCanBePlayedOverEveryProtocol(t *testing.T) {
	dir := t.TempDir()
	r, s, b, w := rccedoor.NewDoor(), rsdoor.NewDoor(), bedrockdoor.NewDoor(), webdoor.NewDoor()
	r.Rcce, s.Rs, b.Bedrock, w.Web = "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"
	config := server.WorldConfig{World: "arena.toml", Text: arena, Game: newRules}
	world, err := config.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Default()
	cfg.World, cfg.Doors, cfg.DataDir, cfg.Console, cfg.Metrics = world.World, []gateway.Door{r, s, b, w}, dir, gateway.Off, gateway.Off
	cfg.Log = slog.New(slog.DiscardHandler)
	srv, err := server.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			if err := srv.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	defer stop()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	var playing sync.WaitGroup
	defer playing.Wait()
	defer cancel()

	var rick, bea lines
	rc, err := rcce.Dial(ctx, srv.Addr("rcce").String(), rcce.Options{User: "Rick", Password: "secret", Chat: rick.add})
	if err == nil {
		err = rc.Join(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	typed := once{line: "/join blue"}
	playing.Go(func() {
		defer rc.Close()
		_ = rc.Play(ctx, &typed)
	})

	text, err := os.ReadFile(filepath.Join(dir, "rs-public.txt"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := rs.ParsePublicKey(text)
	if err != nil {
		t.Fatal(err)
	}
	rose, err := rs.Dial(ctx, rs.Config{Addr: srv.Addr("rs").String(), Key: public, User: "Rose", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer rose.Close()
	if err := rose.Command("join red"); err != nil {
		t.Fatal(err)
	}

	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	be, err := bedrock.Dial(ctx, srv.Addr("bedrock").String(), bedrock.Options{Name: "Bea", Key: key, Chat: func(_, text string) { bea.add(text) }})
	if err != nil {
		t.Fatal(err)
	}
	playing.Go(func() { _ = be.Play(ctx, nil) })
	be.Command("/join blue")

	wc, err := web.Dial(ctx, "http://"+srv.Addr("web").String(), web.Options{Name: "Wendy"})
	if err != nil {
		t.Fatal(err)
	}
	wendy := &browser{Client: wc}
	playing.Go(func() { _ = wc.Play(ctx, wendy.keys) })
	if refused := wendy.command(t, "join", "red"); refused != "" {
		t.Fatalf("join: %s", refused)
	}
	for name, team := range map[string]float64{"Rick": blue, "Rose": red, "Bea": blue, "Wendy": red} {
		until(t, name+" is in its team", func() bool { return wendy.value(name, "team") == team })
	}
	if refused := wendy.command(t, "buy", "bread"); refused != "Go to the trader first." {
		t.Errorf("far from the trader: %q", refused)
	}
	var asked time.Time
	until(t, "Bea is told how to buy", func() bool {
		if time.Since(asked) > time.Second { // the door may drop the command, if it arrives less than 250 ms after the command before
			asked = time.Now()
			be.Command("/buy house")
		}
		return bea.has("/buy bread|sword")
	})

	for _, at := range [][2]float32{{-6, 6}, {6, 6}, {10, 0}} { // around the walls
		wendy.walk(t, at[0], at[1])
	}
	until(t, "Wendy has the flag", func() bool { return wendy.value("Wendy", "flag") == blue })
	for _, at := range [][2]float32{{6, 6}, {-6, 6}, {-10, 0}} {
		wendy.walk(t, at[0], at[1])
	}
	until(t, "the point", func() (ok bool) {
		wendy.Inspect(func(w *web.World) {
			score, _ := w.AreaField("red_score")
			ok = score == 1 && len(w.Happenings) == 2 && w.Happenings[1].Name == "captured" && w.Happenings[1].Who.Name == "Wendy"
		})
		return ok
	})
	if coins := wendy.value("Wendy", "coins"); coins != 15 {
		t.Errorf("Wendy has %v coins, want 15", coins)
	}
	const said = "Red captures the flag!"
	until(t, "the other doors announce it", func() (ok bool) {
		rose.Inspect(func(w *rs.World) {
			for _, l := range w.Lines() {
				ok = ok || l.Text == said
			}
		})
		return ok && rick.has(said) && bea.has(said)
	})

	cancel()
	playing.Wait()
	stop()
	v, _, err := server.VerifyTape(filepath.Join(dir, "tape"), config)
	if err != nil || v.Print(t.Output(), 0) != nil {
		t.Errorf("the tape of the game does not verify: %v", err)
	}
}

// once says one line.
type once struct {
	line string
	said bool
}

func (o *once) Act(p *rcce.Player) {
	if !o.said {
		o.said = true
		p.Say(o.line)
	}
}

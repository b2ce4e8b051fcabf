package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	mathrand "math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	rsclient "github.com/truestep-io/truestep/client/rs"
	gate "github.com/truestep-io/truestep/gateway/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	demoSecretFile = "demo.secret" // in the data folder: the password of the bots' accounts

	demoStagger = 300 * time.Millisecond // between two logins, each of which costs the server a hash
	demoLook    = 500 * time.Millisecond // between two looks at who is in which area
	demoJoin    = 30 * time.Second       // for a login
	demoGoodbye = 300 * time.Millisecond
	demoRetry   = 2 * time.Second  // after a visit that ended; doubled each time...
	demoRetries = time.Minute      // ...up to this
	demoGreets  = 10 * time.Minute // in which a player is greeted by mostGreets bots
	mostGreets  = 2
	mostRetries = 9 // names that turn out to be somebody else's, one after the other
)

// demo is the bots of serve --demo: clients like any other, over the server's own open doors, in the server's process.
type demo struct {
	log    *slog.Logger
	atlas  *demoAtlas
	hub    *session.Hub
	bots   *demoBots
	secret string
	rsKey  *proto.PublicKey
	chunks bedrock.ChunkCache

	stop  context.CancelFunc
	tasks sync.WaitGroup
	areas atomic.Pointer[map[string]sim.AreaID] // where the players of an account are

	mu      sync.Mutex
	greeted map[string]int
	since   time.Time
}

// checkDemo refuses what cannot be meant.
func (s *serveCmd) checkDemo(refuse func(bad bool, format string, args ...any)) {
	refuse(s.DemoBots < 1 || s.DemoBots > mostDemoBots, "demo-bots %d: must be 1..%d", s.DemoBots, mostDemoBots)
}

// startDemo lets the bots in, if there are to be any. They go with demo.sendHome.
func (s *serveCmd) startDemo(r *running) error {
	if !s.Demo {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	d := &demo{log: r.log, atlas: newDemoAtlas(r.from.def), hub: r.hub, bots: &r.bots, stop: stop, greeted: map[string]int{}}
	r.demo = d
	var err error
	if d.secret, err = demoSecret(s.DataDir); err != nil {
		return err
	}
	ways := map[string]func(bot *demoBot, ctx context.Context) error{}
	if r.rcce != nil {
		at := loopback(r.rcce.Addr())
		ways["rcce"] = func(b *demoBot, ctx context.Context) error { return b.visitRcce(ctx, at) }
	}
	if r.rs != nil {
		if d.rsKey, err = demoKey(s.DataDir); err != nil {
			return err
		}
		at := loopback(r.rs.Addr())
		ways["rs"] = func(b *demoBot, ctx context.Context) error { return b.visitRS(ctx, at) }
	}
	switch {
	case r.bedrock != nil && s.BedrockOnline:
		r.log.Info("demo: the bedrock door gets no bots, as it lets in signed logins only")
	case r.bedrock != nil:
		at := loopback(r.bedrock.Addr())
		ways["bedrock"] = func(b *demoBot, ctx context.Context) error { return b.visitBedrock(ctx, at) }
	}
	d.tasks.Go(func() { d.look(ctx) })
	n := 0
	for i := range s.DemoBots {
		for k := range demoDoors {
			door := &demoDoors[k]
			if visit := ways[door.name]; visit != nil {
				b := newDemoBot(d, door, i)
				wait := time.Duration(n) * demoStagger
				d.tasks.Go(func() { b.live(ctx, wait, visit) })
				n++
			}
		}
	}
	if n > 0 {
		d.tasks.Go(func() { d.announce(ctx, n) })
	}
	return nil
}

// announce says in one line when all bots are in, or how many are after a while. What the world logs of each of them is
// for whoever debugs: see demoLog.
func (d *demo) announce(ctx context.Context, all int) {
	in := 0
	for end := time.Now().Add(demoJoin); in < all && time.Now().Before(end); in = d.present() {
		if !pause(ctx, demoLook) {
			return
		}
	}
	if in < all {
		d.log.Info("demo: not all bots are in yet", "in", in, "of", all)
		return
	}
	d.log.Info("demo: the bots are in", "bots", all)
}

// present is how many bots are in the world.
func (d *demo) present() int {
	n := 0
	for _, p := range d.hub.Players() {
		if d.bots.has(p.Account) {
			n++
		}
	}
	return n
}

// sendHome tells the bots to go and waits a little for them, so that the server is there to answer their good-byes.
func (d *demo) sendHome() {
	if d == nil {
		return
	}
	d.stop()
	gone := make(chan struct{})
	go func() {
		d.tasks.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(demoGoodbye):
	}
}

// wait returns when the last bot is gone, a second after sendHome at most.
func (d *demo) wait() {
	if d != nil {
		d.tasks.Wait()
	}
}

// demoBots says in the table of the start who is there.
func (s *serveCmd) demoBots() string {
	return count(s.DemoBots, "bot") + " at each door"
}

func loopback(at netip.AddrPort) string { return netip.AddrPortFrom(localOf(at), at.Port()).String() }

// demoKey is the public half of the key of the rs door, which has just written it.
func demoKey(dataDir string) (*proto.PublicKey, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, gate.PublicFile))
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	return rsclient.ParsePublicKey(text)
}

// demoSecret reads the bots' password, or makes it.
func demoSecret(dataDir string) (string, error) {
	path := filepath.Join(dataDir, demoSecretFile)
	text, err := os.ReadFile(path)
	if secret := strings.TrimSpace(string(text)); err == nil && secret != "" {
		return secret, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("demo: %w; the bots' password must be readable", err)
	}
	var b [10]byte
	rand.Read(b[:]) // never fails
	secret := hex.EncodeToString(b[:])
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("demo: %w; the bots' password must be kept", err)
	}
	return secret, nil
}

// look keeps areas up to date: clients of some doors are not told the name of the area where they are.
func (d *demo) look(ctx context.Context) {
	for {
		areas := map[string]sim.AreaID{}
		for _, p := range d.hub.Players() {
			areas[strings.ToLower(p.Account)] = p.Area
		}
		d.areas.Store(&areas)
		if !pause(ctx, demoLook) {
			return
		}
	}
}

// where is the area of an account's player.
func (d *demo) where(account string) (sim.AreaID, bool) {
	areas := d.areas.Load()
	if areas == nil {
		return sim.NoArea, false
	}
	id, ok := (*areas)[strings.ToLower(account)]
	return id, ok && id >= 0 && int(id) < len(d.atlas.world.Areas)
}

// greet tells whether one more bot is to greet a player.
func (d *demo) greet(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); now.Sub(d.since) > demoGreets || len(d.greeted) >= mostKnown {
		d.since, d.greeted = now, map[string]int{}
	}
	d.greeted[name]++
	return d.greeted[name] <= mostGreets
}

// demoBot is one of them.
type demoBot struct {
	d       *demo
	door    *demoDoor
	number  int
	retry   int // names that were somebody else's
	account string
	seed    uint64
	failed  bool // the last visit never began, and that has been said
}

func newDemoBot(d *demo, door *demoDoor, number int) *demoBot {
	b := &demoBot{d: d, door: door, number: number, seed: mathrand.Uint64()}
	b.call(door.account(number, 0))
	return b
}

// call gives a bot a name in place of the one that it had.
func (b *demoBot) call(account string) {
	b.d.bots.rename(b.world(b.account), b.world(account))
	b.account = account
}

// world is how the world calls an account of the bot's door.
func (b *demoBot) world(account string) string {
	if b.door.name == "bedrock" {
		return "bedrock:" + account
	}
	return account
}

// mind is a new mind for a body that strays so far and comes so near to its goals, in world units.
func (b *demoBot) mind(stray, reach float32) *demoMind {
	return &demoMind{
		atlas: b.d.atlas, role: b.door.role(b.number), greet: b.d.greet, stray: stray, reach: reach,
		rng: mathrand.New(mathrand.NewPCG(b.seed, mathrand.Uint64())),
	}
}

// errNotOurs is a login that is refused because the name is somebody else's.
var errNotOurs = errors.New("the name is somebody else's")

// live visits the world again and again until ctx ends.
func (b *demoBot) live(ctx context.Context, wait time.Duration, visit func(*demoBot, context.Context) error) {
	for again := demoRetry; pause(ctx, wait); {
		began := time.Now()
		err := visit(b, ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > demoRetries {
			again, b.failed = demoRetry, false
		}
		if errors.Is(err, errNotOurs) && b.retry < mostRetries {
			b.retry++
			b.call(b.door.account(b.number, b.retry))
		}
		b.say(err)
		wait, again = again, min(2*again, demoRetries)
	}
}

// say logs why a visit ended, once for each row of failures.
func (b *demoBot) say(err error) {
	level := slog.LevelInfo
	if b.failed {
		level = slog.LevelDebug
	}
	b.failed = true
	b.d.log.Log(context.Background(), level, "demo: a bot is out of the world and comes back",
		telemetry.FieldAccount, b.account, telemetry.FieldDoor, b.door.name, telemetry.FieldErr, err)
}

// Package demo runs the bots of "truestep serve --demo", so that there is something to see on a server without players.
//
// Each bot is a real client (client/rcce, client/rs, client/bedrock, client/web) that connects to a door's address like any
// player. A bot walks, fights, talks and changes areas according to its role, and reconnects with growing delays when it
// loses its connection. The bots know the map from the world's definition in the Config.
//
//	bots := demo.Start(demo.Config{World: w, Log: log, Doors: []demo.Endpoint{{Protocol: "rcce", Addr: addr}}, ...})
//	defer bots.Wait()
//	defer bots.Stop()
//
// Start runs one goroutine for each bot and two more; all of them end after Stop.
package demo

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/web"
	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Times and limits for bots.
const (
	loginInterval  = 300 * time.Millisecond // time between the first logins of two bots, because each login costs the server a password hash
	locateInterval = 500 * time.Millisecond // time between two calls of Config.Locate
	joinTimeout    = 30 * time.Second       // maximum time of one login
	stopTimeout    = 300 * time.Millisecond // maximum time for the logouts of the bots
	minBackoff     = 2 * time.Second        // delay before the first reconnect; doubled after each failure
	maxBackoff     = time.Minute            // maximum delay before a reconnect; a session that lasts longer resets the delay
	greetingPeriod = 10 * time.Minute       // period in which at most maxGreetings bots greet the same player
	maxGreetings   = 2                      // maximum number of greetings that a player gets per greetingPeriod
	maxRenames     = 9                      // maximum number of further names that a bot tries if its name belongs to a player's account
)

// MaxBotsPerDoor is the maximum number of bots at one door. There are no names for more, because the number in a bot's name has
// only one digit.
const MaxBotsPerDoor = 50

// Endpoint is an open door to which bots connect.
type Endpoint struct {
	Protocol string             // protocol of the door: "rcce", "rs", "bedrock" or "web"
	Addr     string             // address of the door as HOST:PORT
	Key      *rsproto.PublicKey // RSA key of the rs door; nil for other doors
}

// Config selects the bots and the doors that they log in to. All fields are required.
type Config struct {
	World       *sim.World   // the server's world at its start, which is only read; bots do not follow a reload of the world file
	Log         *slog.Logger // receives the logins and failures of bots
	Doors       []Endpoint   // open doors of the server
	BotsPerDoor int          // number of bots at each door, 1..MaxBotsPerDoor
	Password    string       // password of the bots' accounts
	// Locate returns the area of every player, by account name in lower case. It is called about twice a second from one
	// goroutine. The returned map must not be changed afterwards.
	Locate func() map[string]sim.AreaID
	// Accounts receives the account names of the bots, so that NewHandler knows them.
	Accounts *Accounts
}

// Bots are the bots that Start has started. A nil *Bots is valid and has no bots.
type Bots struct {
	Config
	worldMap *worldMap
	chunks   bedrock.ChunkCache
	grounds  web.GroundCache
	cancel   context.CancelFunc
	tasks    sync.WaitGroup
	areas    atomic.Pointer[map[string]sim.AreaID] // result of the last call of Locate

	mu           sync.Mutex
	greeted      map[string]int // number of greetings by player name since greetedSince
	greetedSince time.Time
}

// Start starts the bots of all doors. They log in one after another, with 300 ms between two logins.
func Start(c Config) *Bots {
	ctx, cancel := context.WithCancel(context.Background())
	all := &Bots{Config: c, worldMap: newWorldMap(c.World), cancel: cancel, greeted: map[string]int{}}
	all.tasks.Go(func() { all.locatePlayers(ctx) })
	n := 0
	for i := range c.BotsPerDoor {
		for _, door := range c.Doors {
			p := protocolNamed(door.Protocol)
			if p == nil {
				continue
			}
			b := newBot(all, p, door, i)
			delay := time.Duration(n) * loginInterval
			all.tasks.Go(func() { b.run(ctx, delay) })
			n++
		}
	}
	if n > 0 {
		all.tasks.Go(func() { all.logArrival(ctx, n) })
	}
	return all
}

// Stop makes the bots log out and waits at most 300 ms for them. The server must still be running.
func (all *Bots) Stop() {
	if all == nil {
		return
	}
	all.cancel()
	done := make(chan struct{})
	go func() {
		all.tasks.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(stopTimeout):
	}
}

// Wait returns when all goroutines of the bots have ended, at most about a second after Stop.
func (all *Bots) Wait() {
	if all != nil {
		all.tasks.Wait()
	}
}

// logArrival logs one line when all bots are in the world. If some are missing after joinTimeout, the line has the number of bots
// that are in the world. Single bots are not logged at info level, because NewHandler lowers the level of these records.
func (all *Bots) logArrival(ctx context.Context, want int) {
	in := 0
	for end := time.Now().Add(joinTimeout); in < want && time.Now().Before(end); in = all.online() {
		if !sleep(ctx, locateInterval) {
			return
		}
	}
	if in < want {
		all.Log.Info("demo: not all bots have entered the world yet", "in", in, "of", want)
		return
	}
	all.Log.Info("demo: all bots have entered the world", "bots", want)
}

// online returns the number of bots that were in the world at the last call of Locate.
func (all *Bots) online() int {
	n := 0
	if areas := all.areas.Load(); areas != nil {
		for account := range *areas {
			if all.Accounts.has(account) {
				n++
			}
		}
	}
	return n
}

// locatePlayers calls Locate regularly and stores the result in areas. The rs and bedrock bots need it, because these
// protocols do not tell a client the name of its area.
func (all *Bots) locatePlayers(ctx context.Context) {
	for {
		areas := all.Locate()
		all.areas.Store(&areas)
		if !sleep(ctx, locateInterval) {
			return
		}
	}
}

// areaOf returns the area of an account's player. ok is false if the player is in no area.
func (all *Bots) areaOf(account string) (id sim.AreaID, ok bool) {
	areas := all.areas.Load()
	if areas == nil {
		return sim.NoArea, false
	}
	id, ok = (*areas)[strings.ToLower(account)]
	return id, ok && id >= 0 && int(id) < len(all.World.Areas)
}

// allowGreeting reports whether a bot may greet the player with this name now. If so, it counts the greeting. A player gets at
// most maxGreetings greetings per greetingPeriod, from all bots together.
func (all *Bots) allowGreeting(name string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if now := time.Now(); now.Sub(all.greetedSince) > greetingPeriod || len(all.greeted) >= maxKnownNames {
		all.greetedSince, all.greeted = now, map[string]int{}
	}
	all.greeted[name]++
	return all.greeted[name] <= maxGreetings
}

// bot is the state of one bot. It is not safe for concurrent use.
type bot struct {
	all      *Bots
	protocol *protocol
	door     Endpoint
	number   int // index of the bot at its door, from 0
	renames  int // number of names that the bot has tried and that belonged to players
	account  string
	seed     uint64
	logged   bool // the last failure was logged at info level, and no session has begun since then
}

func newBot(all *Bots, p *protocol, door Endpoint, number int) *bot {
	b := &bot{all: all, protocol: p, door: door, number: number, seed: rand.Uint64()}
	b.rename(p.account(number, 0))
	return b
}

// rename gives the bot another account name, with which it logs in from then on.
func (b *bot) rename(account string) {
	b.all.Accounts.replace(b.protocol.accountPrefix+b.account, b.protocol.accountPrefix+account)
	b.account = account
}

// area returns the area of the bot's player. The second result is false if the player is in no area.
func (b *bot) area() (sim.AreaID, bool) { return b.all.areaOf(b.protocol.accountPrefix + b.account) }

func (b *bot) role() role { return b.protocol.role(b.number) }

// newBehaviour returns a new behaviour for the bot. The parameters strollRadius, the maximum distance of a stroll, and
// arrival, the distance at which a goal counts as reached, are in world units.
func (b *bot) newBehaviour(strollRadius, arrival float32) *behaviour {
	return &behaviour{
		worldMap: b.all.worldMap, role: b.role(), allowGreeting: b.all.allowGreeting, strollRadius: strollRadius, arrival: arrival,
		rng: rand.New(rand.NewPCG(b.seed, rand.Uint64())),
	}
}

// errNameTaken is returned by a login that is refused because the account exists with another password.
var errNameTaken = errors.New("the account of the bot exists with another password")

// run waits for the time delay. Then it plays one session after another until ctx ends. The pause after a session grows
// while sessions are short.
func (b *bot) run(ctx context.Context, delay time.Duration) {
	for backoff := minBackoff; sleep(ctx, delay); {
		began := time.Now()
		err := b.protocol.play(ctx, b)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > maxBackoff {
			backoff, b.logged = minBackoff, false
		}
		if errors.Is(err, errNameTaken) && b.renames < maxRenames {
			b.renames++
			b.rename(b.protocol.account(b.number, b.renames))
		}
		b.logFailure(err)
		delay, backoff = backoff, min(2*backoff, maxBackoff)
	}
}

// logFailure logs why a session has ended. Of several failures in a row, it logs the first at info level and the others at
// debug level.
func (b *bot) logFailure(err error) {
	level := slog.LevelInfo
	if b.logged {
		level = slog.LevelDebug
	}
	b.logged = true
	b.all.Log.Log(context.Background(), level, "demo: a bot is out of the world and reconnects",
		telemetry.FieldAccount, b.account, telemetry.FieldDoor, b.protocol.name, telemetry.FieldErr, err)
}

// sleep waits for d. It returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

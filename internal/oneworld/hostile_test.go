package oneworld

import (
	"context"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"

	bedrockcl "github.com/truestep-io/truestep/client/bedrock"
	rccecl "github.com/truestep-io/truestep/client/rcce"
	rscl "github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/proto/raknet"
	rsproto "github.com/truestep-io/truestep/proto/rs"
)

// hostile is a player whose client violates its protocol and floods its door. The tests check only the effect on other players,
// not the server's answers to the hostile player.
type hostile struct {
	r      *rig
	door   string
	name   string
	rng    *rand.Rand
	victim []string // names of the players that the hostile player attacks
}

// newRand returns a random number generator for another goroutine.
func (v *hostile) newRand() *rand.Rand { return rand.New(rand.NewPCG(v.rng.Uint64(), 2)) }

// attackUntilEnd runs hostile sessions, one after the other, until ctx ends.
func (v *hostile) attackUntilEnd(ctx context.Context) {
	for ctx.Err() == nil {
		session, cancel := context.WithCancel(ctx)
		switch v.rng.IntN(4) {
		case 0:
			v.endSoon(session, cancel)
			v.floodConnections(session)
		default:
			v.playHostile(session, cancel)
		}
		cancel()
	}
}

// endSoon calls cancel after a random time, to end a session at a random stage.
func (v *hostile) endSoon(ctx context.Context, cancel func()) {
	end := time.AfterFunc(time.Duration(300+v.rng.IntN(1200))*time.Millisecond, cancel)
	context.AfterFunc(ctx, func() { end.Stop() })
}

// boundLogin limits the duration of a login, which corrupted messages could delay forever. The caller calls the returned
// function in after the login; in removes the limit and calls endSoon.
func (v *hostile) boundLogin(ctx context.Context, cancel func()) (in func()) {
	end := time.AfterFunc(loginFor, cancel)
	context.AfterFunc(ctx, func() { end.Stop() })
	return func() {
		end.Stop()
		v.endSoon(ctx, cancel)
	}
}

// loginFor is the maximum duration of a hostile player's login.
const loginFor = 4 * time.Second

// dial returns the Dial option of the hostile player's client: a connection as honest players have it, or one that corrupts
// sent data.
func (v *hostile) dial() func(ctx context.Context, network, addr string) (net.Conn, error) {
	home := v.r.newClientHost()
	if v.rng.IntN(2) == 0 {
		return home.Dial
	}
	s := newCorrupter(v.newRand())
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := home.Dial(ctx, network, addr)
		return &corruptingUDP{Conn: c, s: s}, err
	}
}

// playHostile logs in and floods the server with intents.
func (v *hostile) playHostile(ctx context.Context, cancel func()) {
	in := v.boundLogin(ctx, cancel)
	switch v.door {
	case rcce:
		c, err := rccecl.Dial(ctx, v.r.addr[rcce], rccecl.Options{User: v.name, Password: password, SameConnection: true, Dial: v.dial()})
		if err != nil {
			return
		}
		defer c.Close()
		if c.Join(ctx) == nil {
			in()
			_ = c.Play(ctx, v)
		}
	case rs:
		v.playHostileRs(ctx, in)
	case web:
		v.playHostileWeb(ctx, in)
	case bedrock:
		kinds := bedrockcl.CheatNames()
		tamper, _ := bedrockcl.NewCheat(kinds[v.rng.IntN(len(kinds))], v.newRand())
		c, err := bedrockcl.Dial(ctx, v.r.addr[bedrock], bedrockcl.Options{Name: v.name, Chunks: &chunks, Tamper: tamper, Dial: v.dial()})
		if err != nil {
			return
		}
		defer c.Close()
		in()
		_ = c.Play(ctx, hostilePredictor{v})
	}
}

// extremeNumber returns a number that is not a valid coordinate.
func (v *hostile) extremeNumber() float32 {
	n := [...]float32{float32(math.NaN()), float32(math.Inf(1)), -math.MaxFloat32, 1e9, 0, 99_999}
	return n[v.rng.IntN(len(n))]
}

// Act performs a tick of a hostile RealmCrafter player.
func (v *hostile) Act(p *rccecl.Player) {
	p.WalkTo(v.extremeNumber(), v.extremeNumber(), true)
	for range 20 {
		if a, ok := p.World().FindByName(v.victim[v.rng.IntN(len(v.victim))]); ok {
			p.Attack(a.RuntimeID)
		}
		p.Attack(uint16(v.rng.Uint32()))
	}
	for range 5 {
		p.Say(string(randomBytes(v.rng, v.rng.IntN(200))))
	}
}

// hostilePredictor is a hostile player with a Bedrock client.
type hostilePredictor struct{ *hostile }

// Act performs a tick of a hostile Bedrock player.
func (v hostilePredictor) Act(p *bedrockcl.Player) bedrockcl.Keys {
	for a := range p.World().Actors() {
		for range 3 {
			p.Attack(a.RuntimeID)
		}
	}
	for range 5 {
		p.Say("hail")
	}
	return bedrockcl.Keys{Yaw: v.extremeNumber(), Pitch: v.extremeNumber(), Forward: v.extremeNumber(), Jump: true, Sprint: true}
}

// playHostileRs runs a session of a hostile RuneScape player.
func (v *hostile) playHostileRs(ctx context.Context, in func()) {
	cfg := rscl.Config{Addr: v.r.addr[rs], Key: &rsKey().PublicKey, User: v.name, Password: password, Dial: v.r.newClientHost().Dial}
	if v.rng.IntN(2) == 0 {
		bad := &corruptingTCP{s: newCorrupter(v.newRand())}
		if v.rng.IntN(2) == 0 {
			bad.stuck = ctx.Done()
		}
		dial := cfg.Dial
		cfg.Dial = func(ctx context.Context, network, addr string) (c net.Conn, err error) {
			bad.Conn, err = dial(ctx, network, addr)
			return bad, err
		}
	}
	c, err := rscl.Dial(ctx, cfg)
	if err != nil {
		return
	}
	defer c.Close()
	in()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			c.Kill()
			return
		case <-c.Done():
			return
		case <-tick.C:
		}
		var near []rsproto.Index
		c.Inspect(func(w *rscl.World) {
			for i := range w.Locals() {
				near = append(near, i)
			}
		})
		for _, i := range near {
			_ = c.Attack(i)
		}
		for range 8 {
			_ = c.Walk(uint16(v.rng.Uint32()), uint16(v.rng.Uint32()), true)
			_ = c.Attack(uint16(v.rng.Uint32() % 2048))
			_ = c.Command(string(randomBytes(v.rng, 30)))
		}
		_ = c.Say("hail")
	}
}

// floodConnections opens connections without finishing the handshake, and sends random bytes.
func (v *hostile) floodConnections(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			v.openBadConnection()
		}
	}
}

func (v *hostile) openBadConnection() {
	network := "udp"
	if v.door == rs || v.door == web && v.rng.IntN(2) == 0 {
		network = "tcp"
	}
	conn, err := v.r.newClientHost().Dial(context.Background(), network, v.r.addr[v.door])
	if err != nil {
		return
	}
	defer conn.Close()
	emit := func(_ netip.AddrPort, b []byte) { _, _ = conn.Write(b) }
	at := netip.MustParseAddrPort(v.r.addr[v.door])
	switch {
	case v.rng.IntN(2) == 0:
		_, _ = conn.Write(randomBytes(v.rng, v.rng.IntN(60_000)))
	case v.door == rcce:
		h := enet.NewHost(enet.Config{MaxPeers: 1, RefuseConnect: true, SessionSeed: v.rng.Uint64()})
		if _, err := h.Connect(0, at, 0); err == nil {
			h.Flush(0, emit)
		}
	case v.door == web:
		_, _ = conn.Write([]byte("POST /play/v1/ticket HTTP/1.1\r\nHost: 127.0.0.1:8090\r\nContent-Length: 9\r\n\r\n{\"guest\":"))
		_, _ = conn.Write(randomBytes(v.rng, 3))
	case v.door == rs:
		_, _ = conn.Write([]byte{14})
		_, _ = conn.Write(randomBytes(v.rng, 3))
	default:
		c := raknet.NewClient(raknet.ClientConfig{GUID: v.rng.Uint64()})
		c.Connect(0, at)
		c.Tick(0, func(raknet.Event) {})
		c.Flush(0, emit)
	}
}

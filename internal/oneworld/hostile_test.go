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

// villain is somebody who means harm to a door. What comes of it for himself does not matter.
type villain struct {
	r      *rig
	door   string
	name   string
	luck   *rand.Rand
	victim []string // names of those whom it attacks
}

// own is luck for another goroutine.
func (v *villain) own() *rand.Rand { return rand.New(rand.NewPCG(v.luck.Uint64(), 2)) }

// rage goes on until ctx ends, from one session to the next.
func (v *villain) rage(ctx context.Context) {
	for ctx.Err() == nil {
		session, cancel := context.WithCancel(ctx)
		switch v.luck.IntN(4) {
		case 0:
			v.hurry(session, cancel)
			v.knock(session)
		default:
			v.visit(session, cancel)
		}
		cancel()
	}
}

// hurry ends a session after a while, and at the latest when its context does.
func (v *villain) hurry(ctx context.Context, cancel func()) {
	end := time.AfterFunc(time.Duration(300+v.luck.IntN(1200))*time.Millisecond, cancel)
	context.AfterFunc(ctx, func() { end.Stop() })
}

// entering bounds a login, which a bad line may make endless; called, it bounds what follows instead.
func (v *villain) entering(ctx context.Context, cancel func()) (in func()) {
	end := time.AfterFunc(loginFor, cancel)
	context.AfterFunc(ctx, func() { end.Stop() })
	return func() {
		end.Stop()
		v.hurry(ctx, cancel)
	}
}

// loginFor is how long a villain tries to get in.
const loginFor = 4 * time.Second

// dial returns how it reaches its door: over a line as of honest players, or over one that spoils what it sends.
func (v *villain) dial() func(ctx context.Context, network, addr string) (net.Conn, error) {
	home := v.r.home()
	if v.luck.IntN(2) == 0 {
		return home.Dial
	}
	s := newSpoil(v.own())
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := home.Dial(ctx, network, addr)
		return &badLine{Conn: c, s: s}, err
	}
}

// visit logs in and floods. It never says good-bye on purpose, but its client may.
func (v *villain) visit(ctx context.Context, cancel func()) {
	in := v.entering(ctx, cancel)
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
		v.visitRs(ctx, in)
	case bedrock:
		kinds := bedrockcl.Cheats()
		tamper, _ := bedrockcl.Cheat(kinds[v.luck.IntN(len(kinds))], v.own())
		c, err := bedrockcl.Dial(ctx, v.r.addr[bedrock], bedrockcl.Options{Name: v.name, Chunks: &chunks, Tamper: tamper, Dial: v.dial()})
		if err != nil {
			return
		}
		defer c.Close()
		in()
		_ = c.Play(ctx, raging{v})
	}
}

// numbers are none that a position can have.
func (v *villain) number() float32 {
	n := [...]float32{float32(math.NaN()), float32(math.Inf(1)), -math.MaxFloat32, 1e9, 0, 99_999}
	return n[v.luck.IntN(len(n))]
}

// Act is a tick of a villain who claims positions.
func (v *villain) Act(p *rccecl.Player) {
	p.WalkTo(v.number(), v.number(), true)
	for range 20 {
		if a, ok := p.World().Find(v.victim[v.luck.IntN(len(v.victim))]); ok {
			p.Attack(a.RuntimeID)
		}
		p.Attack(uint16(v.luck.Uint32()))
	}
	for range 5 {
		p.Say(string(noise(v.luck, v.luck.IntN(200))))
	}
}

// raging is a villain who predicts.
type raging struct{ *villain }

// Act is a tick of such a one.
func (v raging) Act(p *bedrockcl.Player) bedrockcl.Keys {
	for a := range p.World().Actors() {
		for range 3 {
			p.Attack(a.RuntimeID)
		}
	}
	for range 5 {
		p.Say("hail")
	}
	return bedrockcl.Keys{Yaw: v.number(), Pitch: v.number(), Forward: v.number(), Jump: true, Sprint: true}
}

// visitRs is a session of a villain on tiles.
func (v *villain) visitRs(ctx context.Context, in func()) {
	cfg := rscl.Config{Addr: v.r.addr[rs], Key: &rsKey().PublicKey, User: v.name, Password: password, Dial: v.r.home().Dial}
	if v.luck.IntN(2) == 0 {
		bad := &badConn{s: newSpoil(v.own())}
		if v.luck.IntN(2) == 0 {
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
			_ = c.Walk(uint16(v.luck.Uint32()), uint16(v.luck.Uint32()), true)
			_ = c.Attack(uint16(v.luck.Uint32() % 2048))
			_ = c.Command(string(noise(v.luck, 30)))
		}
		_ = c.Say("hail")
	}
}

// knock opens many connections half, and throws noise at the door.
func (v *villain) knock(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			v.knockOnce()
		}
	}
}

func (v *villain) knockOnce() {
	network := "udp"
	if v.door == rs {
		network = "tcp"
	}
	conn, err := v.r.home().Dial(context.Background(), network, v.r.addr[v.door])
	if err != nil {
		return
	}
	defer conn.Close()
	emit := func(_ netip.AddrPort, b []byte) { _, _ = conn.Write(b) }
	at := netip.MustParseAddrPort(v.r.addr[v.door])
	switch {
	case v.luck.IntN(2) == 0:
		_, _ = conn.Write(noise(v.luck, v.luck.IntN(60_000)))
	case v.door == rcce:
		h := enet.NewHost(enet.Config{MaxPeers: 1, RefuseConnect: true, SessionSeed: v.luck.Uint64()})
		if _, err := h.Connect(0, at, 0); err == nil {
			h.Flush(0, emit)
		}
	case v.door == rs:
		_, _ = conn.Write([]byte{14})
		_, _ = conn.Write(noise(v.luck, 3))
	default:
		c := raknet.NewClient(raknet.ClientConfig{GUID: v.luck.Uint64()})
		c.Connect(0, at)
		c.Tick(0, func(raknet.Event) {})
		c.Flush(0, emit)
	}
}

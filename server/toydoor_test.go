package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// toyDoor is a complete door: a protocol of text lines over TCP, for telnet. A client sends its name to enter the world.
// After that it sends lines "X Z" with the position that it claims, in world units. The server sends "see NAME X Z" for
// every actor in the area that has moved, including the client's player, and "gone NAME" for every actor that has left the
// area.
type toyDoor struct {
	settings struct {
		Toy string `help:"Door for telnet: HOST:PORT or off." placeholder:"ADDR" default:":2323" toml:"toy"`
	}
	host     *gateway.Host
	listener net.Listener
	serial   atomic.Uint64 // number of the last connection
}

func (d *toyDoor) Name() string         { return "toy" }
func (d *toyDoor) Settings() any        { return &d.settings }
func (d *toyDoor) Check() error         { return nil }
func (d *toyDoor) Addr() netip.AddrPort { return gateway.TCPAddr(d.listener) }

func (d *toyDoor) Bind(h *gateway.Host) (err error) {
	if d.settings.Toy != gateway.Off {
		d.listener, err = h.Sockets.Listen(d.settings.Toy)
	}
	return err
}

func (d *toyDoor) Open(h *gateway.Host) error { d.host = h; return nil }

func (d *toyDoor) Close() error {
	if d.listener == nil {
		return nil
	}
	return gateway.CloseOnce(d.listener)
}

func (d *toyDoor) Describe(*gateway.Host) gateway.Description {
	return gateway.Description{Title: "Telnet", Network: "tcp", Clients: "telnet clients", UpdateRanges: gateway.UpdateRanges{Shape: "circle", CycleMS: 50}}
}

// Run accepts clients until ctx ends or the world stops. A stop of the world closes the channel of frames.
func (d *toyDoor) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	frames := d.host.World.Subscribe("toy", 8, area.All)
	context.AfterFunc(ctx, frames.Close)
	var tasks sync.WaitGroup
	defer tasks.Wait()
	tasks.Go(func() {
		for p := range frames.C() {
			p.Release()
		}
		cancel()
		d.listener.Close()
	})
	for {
		conn, err := d.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err == nil {
			tasks.Go(func() { d.serve(ctx, conn) })
		}
	}
}

// serve reads the lines of one client; a second goroutine writes the lines that are sent to it.
func (d *toyDoor) serve(ctx context.Context, conn net.Conn) {
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	in := bufio.NewScanner(conn)
	if !in.Scan() {
		return
	}
	player, err := d.join(ctx, conn.RemoteAddr(), strings.TrimSpace(in.Text()))
	if err != nil {
		fmt.Fprintln(conn, "error", err)
		return
	}
	defer player.Leave()
	frames := d.host.World.Subscribe("toy", 8, area.All)
	var writer sync.WaitGroup
	writer.Go(func() { write(conn, player, frames) })
	defer writer.Wait()
	defer frames.Close()
	for in.Scan() {
		claim := move.Claim{Y: player.Character.Pos.Y}
		if _, err := fmt.Sscan(in.Text(), &claim.X, &claim.Z); err == nil {
			claim.DestX, claim.DestZ = claim.X, claim.Z
			_ = player.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: claim}) // claims above the rate limit are ignored
		}
	}
}

// join enters the world with the player that has the given name. It creates the account and the character if they do not exist.
func (d *toyDoor) join(ctx context.Context, from net.Addr, name string) (*session.Session, error) {
	addr := from.(*net.TCPAddr).AddrPort().Addr()
	peer := session.Peer{Addr: addr, Conn: d.serial.Add(1), Door: "toy", Authority: move.ByClaim}
	login, err := d.host.Hub.LoginWithoutSecret(ctx, peer, "toy:"+name)
	if err == nil {
		err = gateway.EnsureCharacter(ctx, d.host.Hub, d.host.World.Def(), login, name)
	}
	if err != nil {
		return nil, err
	}
	return d.host.Hub.Enter(ctx, login, 0)
}

// write sends to a client what changes in the area in which its player is.
func write(conn net.Conn, player *session.Session, frames *area.Feed) {
	told := map[sim.EntityID]string{}
	for p := range frames.C() {
		if f := p.Frame; f.Find(player.Entity) != nil {
			player.SetArea(f.Area) // the player may have gone through a portal
			for id, line := range told {
				if f.Find(id) == nil {
					fmt.Fprintln(conn, "gone", strings.Fields(line)[1])
					delete(told, id)
				}
			}
			for _, a := range f.Actors {
				if line := fmt.Sprintf("see %s %.1f %.1f", a.Body.Name, a.Pos.X, a.Pos.Z); told[a.ID] != line {
					fmt.Fprintln(conn, line)
					told[a.ID] = line
				}
			}
		}
		p.Release()
	}
	conn.Close() // the world has stopped
}

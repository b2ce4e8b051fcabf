//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// attack is a row of the matrix. Counts and rates are those of strength 1.
type attack struct {
	name  string
	what  string
	slow  bool // its clients need many logins before the attack; left out by --brief
	inNAT bool // players join from the address of the attack
	run   func(ctx context.Context, a *assault) error
}

// assault is one run of an attack.
type assault struct {
	server   *testServer
	strength int
	started  chan struct{} // closed by run when the attack is under way

	done  sync.WaitGroup
	count atomic.Int64 // units of the attack: logins, connections, datagrams
}

var attacks = []attack{
	{name: "rcce-wrong-logins", what: "50 wrong passwords a second from 70 addresses", run: wrongLogins(rcceWrongLogin)},
	{name: "rs-wrong-logins", what: "50 wrong passwords a second from 70 addresses", run: wrongLogins(rsWrongLogin)},
	{name: "rcce-nat-wrong-logins", what: "35 wrong passwords within 10 s from the address of the players", inNAT: true, run: natWrongLogins(rcceWrongLogin)},
	{name: "rs-nat-wrong-logins", what: "35 wrong passwords within 10 s from the address of the players", inNAT: true, run: natWrongLogins(rsWrongLogin)},
	{name: "rs-hang-up", what: "300 logins a second of clients that hang up", run: rsHangUp},
	{name: "rcce-idle", what: "5,300 connections from 106 addresses that never log in", run: idleENet},
	{name: "bedrock-idle", what: "5,300 connections from 106 addresses that never log in", run: idleRakNet},
	{name: "rs-silent", what: "5,200 silent TCP connections from 104 addresses", run: silentTCP(rsAddr, 5200)},
	{name: "console-silent", what: "1,100 silent TCP connections from 22 addresses", run: silentTCP(consoleAddr, 1100)},
	{name: "rcce-forged", what: "10,000 forged ENet CONNECTs a second", run: forgedConnects},
	{name: "bedrock-forged", what: "10,000 forged connection requests a second", run: forgedRequests},
	{name: "rcce-no-acks", what: "350 players who stop acknowledging", slow: true, run: stopAcknowledging},
	{name: "rcce-chat", what: "100 players who send 4 lines of 250 bytes a second", slow: true, run: chatFlood},
	{name: "metrics-foreign-host", what: "requests with the host name of another site", run: foreignHosts},
}

// natAddr is the address of the players who are in the world, and of attacks from behind the same NAT.
const natAddr = "10.200.0.1"

// attackerAddr returns the i-th address of the attackers, each in a network /24 of its own.
func attackerAddr(i int) string { return fmt.Sprintf("10.%d.%d.9", 20+i/250%100, i%250) }

// maxSockets bounds the sockets of an attack, because a process has at most 20,000 descriptors on usual systems.
const maxSockets = 15_000

// every calls fn at perSecond calls a second in goroutines until ctx ends. fn gets the number of the call.
func (a *assault) every(ctx context.Context, perSecond int, fn func(ctx context.Context, i int)) error {
	close(a.started)
	const slice = 10 * time.Millisecond
	begin := time.Now()
	tick := time.NewTicker(slice)
	defer tick.Stop()
	running := make(chan struct{}, maxSockets)
	for i := 0; ; {
		for due := int(time.Since(begin).Seconds() * float64(perSecond)); i < due; i++ {
			select {
			case running <- struct{}{}:
			default:
				continue // so many are under way that this one is left out
			}
			a.count.Add(1)
			a.done.Go(func() {
				fn(ctx, i)
				<-running
			})
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			a.done.Wait()
			return nil
		}
	}
}

// login tries to log in with a wrong password.
type login func(ctx context.Context, s *testServer, from, name string)

func rcceWrongLogin(ctx context.Context, _ *testServer, from, name string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := rcce.Dial(ctx, rcceAddr, rcce.Options{User: name, Password: rand.Text(), Dial: dialFrom(from, 0)})
	if err != nil {
		return
	}
	_, _ = c.Login(ctx)
	c.Close()
}

func rsWrongLogin(ctx context.Context, s *testServer, from, name string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := rs.Dial(ctx, rs.Config{Addr: rsAddr, Key: s.key, User: name, Password: rand.Text(), Dial: dialFrom(from, 0)})
	if err == nil {
		c.Close()
	}
}

func wrongLogins(try login) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		addresses := 70 * a.strength
		return a.every(ctx, 50*a.strength, func(ctx context.Context, i int) {
			try(ctx, a.server, attackerAddr(i%addresses), victimName)
		})
	}
}

// natWrongLogins tries at once, and then again every 10 s.
func natWrongLogins(try login) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		return a.every(ctx, 4*a.strength, func(ctx context.Context, i int) { try(ctx, a.server, natAddr, victimName) })
	}
}

// rsHangUp sends complete logins of new accounts and closes each connection at once.
func rsHangUp(ctx context.Context, a *assault) error {
	addresses := 60 * a.strength
	return a.every(ctx, 300*a.strength, func(ctx context.Context, i int) {
		conn, err := dialFrom(attackerAddr(i%addresses), 0)(ctx, "tcp", rsAddr)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		details := proto.LoginDetails{Username: fmt.Sprint("gone", i), WindowMode: proto.WindowFixed, Options: []byte{25}}
		block, err := proto.AppendLogin([]byte{proto.RequestLogin}, a.server.key, false, proto.RSABlock{Keys: proto.Keys{1, 2, 3, uint32(i)}, Password: "x"}, details)
		if err == nil {
			_, _ = conn.Write(block)
		}
	})
}

func silentTCP(addr string, n int) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		total := min(n*a.strength, maxSockets)
		dialled := make(chan struct{}, total)
		for i := range total {
			if ctx.Err() != nil {
				break
			}
			if i%100 == 99 {
				time.Sleep(5 * time.Millisecond)
			}
			a.done.Go(func() {
				defer func() { dialled <- struct{}{} }()
				for first := true; ctx.Err() == nil; first = false { // a connection that the server closes is opened again
					conn, err := dialFrom(attackerAddr(i/50), 0)(ctx, "tcp", addr)
					if first {
						dialled <- struct{}{}
					}
					if err == nil {
						a.count.Add(1)
						stop := context.AfterFunc(ctx, func() { conn.Close() })
						_, _ = conn.Read(make([]byte, 1))
						stop()
						conn.Close()
					}
					wait(ctx, time.Second)
				}
			})
		}
		for range total {
			select {
			case <-dialled:
			case <-ctx.Done():
			}
		}
		close(a.started)
		<-ctx.Done()
		a.done.Wait()
		return nil
	}
}

// wait waits for a time or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// joinMany lets n RealmCrafter players join, four at a time, and calls play with each in a goroutine of its own.
func (a *assault) joinMany(ctx context.Context, n int, prefix string, play func(ctx context.Context, c *rcce.Client, conn net.Conn)) error {
	slots := make(chan struct{}, 4)
	failed := make(chan error, n)
	var joined sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		joined.Add(1)
		a.done.Go(func() {
			var conn net.Conn
			dial := dialFrom(attackerAddr(i), 0)
			c, err := rcce.Dial(ctx, rcceAddr, rcce.Options{
				User: fmt.Sprint(prefix, i), Password: password, SameConnection: true,
				Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
					var err error
					conn, err = dial(ctx, network, addr)
					return conn, err
				},
			})
			if err == nil {
				err = c.Join(ctx)
			}
			<-slots
			joined.Done()
			if err != nil {
				failed <- err
				return
			}
			a.count.Add(1)
			play(ctx, c, conn)
		})
	}
	joined.Wait()
	close(a.started)
	select {
	case err := <-failed:
		return fmt.Errorf("an attacker does not get in: %w", err)
	default:
	}
	<-ctx.Done()
	a.done.Wait()
	return nil
}

// stopAcknowledging closes the sockets of players who are in the world, without a good-bye, while the other players talk.
func stopAcknowledging(ctx context.Context, a *assault) error {
	return a.joinMany(ctx, 350*a.strength, "deaf", func(ctx context.Context, c *rcce.Client, conn net.Conn) {
		select { // until all are in
		case <-a.started:
		case <-ctx.Done():
		}
		conn.Close()
	})
}

// flooder sends chat as fast as its rate limit allows.
type flooder struct {
	line string
	next time.Time
}

func (f *flooder) Act(p *rcce.Player) {
	if now := time.Now(); now.After(f.next) {
		f.next = now.Add(250 * time.Millisecond)
		p.Say(f.line)
	}
}

func chatFlood(ctx context.Context, a *assault) error {
	line := make([]byte, 250)
	for i := range line {
		line[i] = 'x'
	}
	return a.joinMany(ctx, 100*a.strength, "loud", func(ctx context.Context, c *rcce.Client, _ net.Conn) {
		_ = c.Play(ctx, &flooder{line: string(line)})
		c.Close()
	})
}

// foreignHosts checks that metrics and profiles on loopback refuse requests that name another site, as a page does whose name
// was bound to 127.0.0.1 (DNS rebinding).
func foreignHosts(ctx context.Context, a *assault) error {
	close(a.started)
	for _, url := range []string{"http://127.0.0.1:9180/metrics", "http://127.0.0.1:9180/debug/pprof/heap"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		req.Host = "evil.example"
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		a.count.Add(1)
		if resp.StatusCode < 400 {
			return fmt.Errorf("%s answers %s to a request for evil.example", url, resp.Status)
		}
	}
	<-ctx.Done()
	return nil
}

var _ rcce.Behaviour = (*flooder)(nil)

//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/proto/raknet"
)

// silentTCP returns an attack of n TCP connections that send nothing. A connection that the server closes is opened again a
// second later. The function addr returns the address of the attacked door; the function from returns the client address of each
// connection.
func silentTCP(addr func(*targets) string, n int, from clientAddrs) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		total := min(a.scaled(n), maxSockets)
		var first sync.WaitGroup
		for i := range total {
			if ctx.Err() != nil {
				break
			}
			if i%100 == 99 {
				wait(ctx, 5*time.Millisecond)
			}
			first.Add(1)
			opened := sync.OnceFunc(first.Done)
			a.done.Go(func() {
				defer opened()
				for ctx.Err() == nil {
					conn, err := dialFrom(from(i), 0)(ctx, "tcp", addr(&a.targets))
					opened()
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
		waitAtMost(&first, 10*time.Second)
		close(a.started)
		<-ctx.Done()
		a.done.Wait()
		return nil
	}
}

// idleENet returns an attack of n sockets with 50 ENet connections each, which acknowledge everything and never log in. A
// connection that the server ends is opened again a second later.
func idleENet(n int, from clientAddrs) func(context.Context, *assault) error {
	const perSocket = 50
	return func(ctx context.Context, a *assault) error {
		server := netip.MustParseAddrPort(a.Rcce)
		for i := range a.scaled(n) {
			sock, err := listenUDP(from(i))
			if err != nil {
				return err
			}
			a.done.Go(func() {
				defer sock.Close()
				h := enet.NewHost(enet.Config{SessionSeed: randomSeed(), RefuseConnect: true, MaxPeers: perSocket})
				begin := time.Now()
				now := func() uint32 { return uint32(time.Since(begin).Milliseconds()) }
				open := func(e enet.Event) {
					if e.Kind == enet.Connected {
						a.count.Add(1)
					}
				}
				next := time.Now()
				for buf := make([]byte, 4096); ctx.Err() == nil; {
					if time.Now().After(next) {
						for h.PeerCount() < perSocket {
							if _, err := h.Connect(now(), server, 254); err != nil {
								break
							}
						}
						next = time.Now().Add(time.Second)
					}
					h.Tick(now(), open)
					h.Flush(now(), func(to netip.AddrPort, b []byte) { _, _ = sock.WriteToUDPAddrPort(b, to) })
					_ = sock.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
					if n, from, err := sock.ReadFromUDPAddrPort(buf); err == nil {
						h.Receive(now(), from, buf[:n], open)
					}
				}
			})
		}
		wait(ctx, time.Second)
		close(a.started)
		<-ctx.Done()
		a.done.Wait()
		return nil
	}
}

// idleRakNet returns an attack of n RakNet sessions that answer everything and never log in. A session that the server ends is
// opened again a second later.
func idleRakNet(n int, from clientAddrs) func(context.Context, *assault) error {
	return func(ctx context.Context, a *assault) error {
		server := netip.MustParseAddrPort(a.Bedrock)
		begin := time.Now()
		now := func() int64 { return time.Since(begin).Milliseconds() }
		for i := range min(a.scaled(n), maxSockets) {
			sock, err := listenUDP(from(i))
			if err != nil {
				return err
			}
			a.done.Go(func() {
				defer sock.Close()
				c := raknet.NewClient(raknet.ClientConfig{GUID: randomSeed()})
				buf, emit := make([]byte, 2048), func(to netip.AddrPort, b []byte) { _, _ = sock.WriteToUDPAddrPort(b, to) }
				open, next := false, time.Now()
				handle := func(e raknet.Event) {
					switch e.Kind {
					case raknet.Connected:
						a.count.Add(1)
					case raknet.Disconnected:
						open, next = false, time.Now().Add(time.Second)
					}
				}
				wait(ctx, time.Duration(i)*time.Millisecond/8)
				for ctx.Err() == nil {
					if !open && time.Now().After(next) {
						c.Connect(now(), server)
						open = true
					}
					c.Tick(now(), handle)
					c.Flush(now(), emit)
					_ = sock.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
					if n, from, err := sock.ReadFromUDPAddrPort(buf); err == nil {
						c.Receive(now(), from, buf[:n], handle)
						c.Flush(now(), emit)
					}
				}
			})
		}
		wait(ctx, time.Second)
		close(a.started)
		<-ctx.Done()
		a.done.Wait()
		return nil
	}
}

// idleEverywhere returns an attack of n idle connections to each door, to the console and to the metrics, all from the NAT
// address of the honest players.
func idleEverywhere(n int) func(context.Context, *assault) error {
	parts := []func(context.Context, *assault) error{
		silentTCP(rsAddr, n, fromNAT), silentTCP(webAddr, n, fromNAT), silentTCP(consoleAddr, n, fromNAT), silentTCP(metricsAddr, n, fromNAT),
		idleENet(n/50, fromNAT), idleRakNet(n, fromNAT),
	}
	return func(ctx context.Context, a *assault) error {
		errs := make(chan error, len(parts))
		var under []*assault
		for _, run := range parts {
			part := &assault{targets: a.targets, strength: a.strength, started: make(chan struct{}), begin: a.begin}
			under = append(under, part)
			go func() { errs <- run(ctx, part) }()
		}
		var err error
		for _, part := range under {
			select {
			case <-part.started:
			case e := <-errs:
				err = errors.Join(err, e)
			}
		}
		if err != nil {
			return err
		}
		close(a.started)
		for range under {
			err = errors.Join(err, <-errs)
		}
		for _, part := range under {
			a.count.Add(part.count.Load())
		}
		return err
	}
}

func randomSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // Read never returns an error
	return binary.LittleEndian.Uint64(b[:])
}

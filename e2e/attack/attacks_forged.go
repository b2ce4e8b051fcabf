//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/proto/raknet"
)

// forgedConnects sends CONNECT commands of ENet with forged sender addresses.
func forgedConnects(ctx context.Context, a *assault) error {
	server := netip.MustParseAddrPort(a.Rcce)
	h := enet.NewHost(enet.Config{SessionSeed: 1, RefuseConnect: true})
	if _, err := h.Connect(0, server, 254); err != nil {
		return err
	}
	var request []byte
	h.Flush(0, func(_ netip.AddrPort, b []byte) { request = append(request, b...) })
	return a.forge(ctx, server, request)
}

// forgedRequests sends the first request of RakNet connections with forged sender addresses.
func forgedRequests(ctx context.Context, a *assault) error {
	server := netip.MustParseAddrPort(a.Bedrock)
	c := raknet.NewClient(raknet.ClientConfig{GUID: 1, MTU: 576})
	c.Connect(0, server)
	c.Tick(0, func(raknet.Event) {})
	var request []byte
	c.Flush(0, func(_ netip.AddrPort, b []byte) { request = append(request, b...) })
	return a.forge(ctx, server, request)
}

// forge sends the same datagram 10,000 times a second, each with another forged sender address. It does not read answers.
func (a *assault) forge(ctx context.Context, server netip.AddrPort, payload []byte) error {
	var socks []*net.UDPConn
	for range 16 { // ports
		sock, err := listenUDP("0.0.0.0")
		if err != nil {
			return err
		}
		defer sock.Close()
		socks = append(socks, sock)
	}
	return a.forgeEach(ctx, server, socks, func() ([]byte, error) { return payload, nil })
}

// forgeEach sends 10,000 datagrams a second to the server, each from another forged source address. It uses the sockets in turn. The
// function payload returns the next datagram. In the test's namespace all addresses are local, so a socket may use any of them as the
// source.
func (a *assault) forgeEach(ctx context.Context, server netip.AddrPort, socks []*net.UDPConn, payload func() ([]byte, error)) error {
	perSecond := float64(a.scaled(10_000))
	close(a.started)
	begin := time.Now()
	for sent := uint32(0); ctx.Err() == nil; {
		for due := uint32(time.Since(begin).Seconds() * perSecond); sent < due && ctx.Err() == nil; sent++ {
			b, err := payload()
			if err != nil {
				return err
			}
			n := sent * 2654435761 // spreads the sender addresses over four networks /16
			from := unix.PktInfo4(&unix.Inet4Pktinfo{Spec_dst: [4]byte{byte(firstOctet), 100 + byte(n>>16&3), byte(n >> 8), byte(n)}})
			if _, _, err := socks[n>>20%uint32(len(socks))].WriteMsgUDPAddrPort(b, from, server); err != nil {
				return fmt.Errorf("send a datagram with a forged sender address: %w", err)
			}
			a.count.Add(1)
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

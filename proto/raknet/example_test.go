package raknet_test

import (
	"fmt"
	"net/netip"

	"github.com/truestep-io/truestep/proto/raknet"
)

// A server that answers every message and a client exchange datagrams in memory.
func Example() {
	here, there := netip.MustParseAddrPort("192.0.2.1:19132"), netip.MustParseAddrPort("192.0.2.2:40000")
	server := raknet.NewServer(raknet.Config{GUID: 1, Secret: [32]byte{42}})
	client := raknet.NewClient(raknet.ClientConfig{GUID: 2})

	serve := func(e raknet.Event) {
		if e.Kind == raknet.Message {
			fmt.Printf("server: %q\n", e.Data[1:])
			e.Peer.SendOrdered(append([]byte{0xfe}, "welcome"...))
		}
	}
	ask := func(e raknet.Event) {
		switch e.Kind {
		case raknet.Connected:
			e.Peer.SendOrdered(append([]byte{0xfe}, "hello"...))
		case raknet.Message:
			fmt.Printf("client: %q\n", e.Data[1:])
		}
	}
	client.Connect(0, here)
	for now := int64(0); now < 200; now += 10 {
		client.Tick(now, ask)
		server.Tick(now, serve)
		client.Flush(now, func(_ netip.AddrPort, d []byte) { server.Receive(now, there, d, serve) })
		server.Flush(now, func(_ netip.AddrPort, d []byte) { client.Receive(now, here, d, ask) })
	}
	// Output:
	// server: "hello"
	// client: "welcome"
}

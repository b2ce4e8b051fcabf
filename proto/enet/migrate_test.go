package enet

import (
	"net/netip"
	"slices"
	"testing"
)

var otherPort = netip.AddrPortFrom(clientAddr.Addr(), 41000)

func TestPeerMigratesToNewPortAfterChallenge(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	w.run(1000)
	start := w.now
	w.client.addr = otherPort // the NAT mapping changed: datagrams to the old port are lost
	w.client.peer.Send(1, []byte("from the new port"))
	w.server.peer.Send(1, []byte("to the old port"))
	for w.now-start < 10000 && len(w.server.events) == 0 {
		w.now += 10
		w.tickSplit()
	}
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"r1 from the new port"}) || w.server.peer.Addr() != otherPort {
		t.Fatalf("server events %q, peer address %v", got, w.server.peer.Addr())
	}
	if took := w.now - start; took < 2000 || took > 6000 {
		t.Errorf("migration took %d ms", took)
	}
	w.run(100)
	if got := w.client.drainEvents(); !slices.Equal(got, []string{"r1 to the old port"}) {
		t.Errorf("client events %q", got)
	}
	w.run(60000)
	w.client.peer.Disconnect(0)
	w.run(5000)
	checkEmpty(t, w.server.host)
}

// tickSplit runs one step, in which the server's datagrams reach the client only at its current port.
func (w *wirePair) tickSplit() {
	w.client.host.Tick(w.now, w.client.handle)
	w.server.host.Tick(w.now, w.server.handle)
	for range 3 {
		for _, d := range collect(w.client.host, w.now) {
			w.server.host.Receive(w.now, w.client.addr, d, w.server.handle)
		}
		w.server.host.Flush(w.now, func(to netip.AddrPort, d []byte) {
			if to == w.client.addr {
				w.client.host.Receive(w.now, w.server.addr, slices.Clone(d), w.client.handle)
			}
		})
	}
}

func TestPeerThatStillSendsDoesNotMigrate(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	for range 1000 { // 1000 steps of 10 ms: 10 s
		w.run(10)
		h.Receive(w.now, otherPort, unreliableTo(p, 2, 0, 1, "spoofed"), w.server.handle)
		h.Flush(w.now, func(to netip.AddrPort, d []byte) {
			if to == otherPort {
				t.Fatalf("datagram %x sent to a port that is not the client's", d)
			}
		})
	}
	if len(w.server.events) != 0 || p.Addr() != clientAddr {
		t.Errorf("events %q, peer address %v", w.server.events, p.Addr())
	}
}

func TestMigrationCompletesOnlyAfterAnswerFromNewPort(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	answers := 0
	for ms := 0; ms < 4000; ms += 10 { // the client sends nothing while an attacker sends copies of its datagrams from another port
		w.now += 10
		h.Tick(w.now, w.server.handle)
		d := unreliableTo(p, 2, 0, 1, "spoofed")
		for _, a := range []ack{{controlChannel, p.controlSeq, p.clock(w.now)}, {controlChannel, uint16(ms), uint16(ms)}} {
			d = appendAcknowledge(d, a)
		}
		h.Receive(w.now, otherPort, d, w.server.handle)
		h.Flush(w.now, func(to netip.AddrPort, d []byte) {
			if to == otherPort {
				answers++
				if len(d) != 12 {
					t.Errorf("%d bytes sent to an unverified port", len(d))
				}
			}
		})
	}
	if len(w.server.events) != 0 || p.Addr() != clientAddr || answers == 0 || answers > 5 {
		t.Errorf("events %q, peer address %v, %d challenges", w.server.events, p.Addr(), answers)
	}
}

func TestMigrationChallengeAnsweredFromUnrelatedPortIsIgnored(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	w.now += 3000
	h.Receive(w.now, otherPort, unreliableTo(p, 2, 0, 1, "x"), w.server.handle)
	collect(h, w.now)
	answer := appendAcknowledge(dataTo(p, false), ack{controlChannel, p.challenge.seq, p.challenge.sent})
	h.Receive(w.now, netip.AddrPortFrom(clientAddr.Addr(), 42000), answer, w.server.handle)
	if p.Addr() != clientAddr {
		t.Fatal("peer migrated to the third port")
	}
	h.Receive(w.now, otherPort, answer, w.server.handle)
	if p.Addr() != otherPort || h.Stats().Migrations != 1 {
		t.Error("the answer from the new port did not migrate the peer")
	}
}

package web_test

import (
	"fmt"
	"math"
	"net"
	"sync/atomic"
	"testing"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/internal/webscene"
)

// socketCounts counts the datagrams that a UDP socket receives and sends, and their bytes.
type socketCounts struct{ packetsIn, bytesIn, packetsOut, bytesOut atomic.Int64 }

// countedConn counts the datagrams of a socket.
type countedConn struct {
	net.PacketConn
	counts *socketCounts
}

func (c countedConn) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(b)
	if err == nil {
		c.counts.packetsIn.Add(1)
		c.counts.bytesIn.Add(int64(n))
	}
	return n, from, err
}

func (c countedConn) WriteTo(b []byte, to net.Addr) (int, error) {
	c.counts.packetsOut.Add(1)
	c.counts.bytesOut.Add(int64(len(b)))
	return c.PacketConn.WriteTo(b, to)
}

// A packet from the server has on average about 24 bytes of QUIC and HTTP/3 beside the messages of the protocol, measured at the UDP
// socket of a client. A packet to the server has 28. These are the constants Headers and HeadersUp of internal/webscene, without the
// headers of IP and UDP. Two bytes more are allowed, because the order in which the goroutines of QUIC run decides which packets
// carry an acknowledgement (23.4 to 24.4 bytes measured). Both ends also send packets that only acknowledge those of the other one: the
// constants QUICPackets and QUICPacketsUp of internal/webscene. The test limits the number of those of the server, because more of them
// would cost more than the snapshots.
func TestQUICAddsAbout24BytesToPacketsFromServer(t *testing.T) {
	t.Parallel()
	for rate, mostPackets := range map[int]float64{20: 2.3, 30: 2.3, 60: 1.9} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			t.Parallel()
			withServerOf(t, fmt.Sprintf("tick_rate = %d\n%s", rate, testWorld), web.Options{}, netsim.Impairment{DelayMS: 50}, func(r *rig) {
				var c socketCounts
				o, h := r.options("Ann", false)
				listen := o.Listen
				o.Listen = func() (net.PacketConn, error) {
					conn, err := listen()
					return countedConn{conn, &c}, err
				}
				ann, err := r.dial(o, h)
				if err != nil {
					r.t.Fatal(err)
				}
				bob := r.join("Bob", false)
				ann.do(wander(1))
				bob.do(wander(2))
				counts := func() (n webcl.Counts, packetsIn, bytesIn, packetsOut, bytesOut int64) {
					ann.look(func(w *webcl.World) { n = w.Counts })
					return n, c.packetsIn.Load(), c.bytesIn.Load(), c.packetsOut.Load(), c.bytesOut.Load()
				}
				time.Sleep(5 * time.Second)
				before, packetsIn0, bytesIn0, packetsOut0, bytesOut0 := counts()
				time.Sleep(10 * time.Second)
				n, packetsIn, bytesIn, packetsOut, bytesOut := counts()
				n.Sub(&before)
				packetsIn, bytesIn, packetsOut, bytesOut = packetsIn-packetsIn0, bytesIn-bytesIn0, packetsOut-packetsOut0, bytesOut-bytesOut0
				acks := int64(n.Snapshots) * 12 // bytes of acknowledgements of snapshots; n.BytesOut counts only inputs
				down := float64(bytesIn-int64(n.BytesIn)) / float64(packetsIn)
				up := float64(bytesOut-int64(n.BytesOut)-acks) / float64(packetsOut)
				perSnapshot := float64(packetsIn) / float64(n.Snapshots)
				alone := float64(packetsIn-int64(n.Snapshots)) / float64(n.Snapshots+n.Inputs)
				aloneUp := float64(packetsOut-int64(n.Snapshots+n.Inputs)) / float64(n.Snapshots)
				input := float64(n.BytesOut) / float64(n.Inputs)
				r.t.Logf("%d snapshots, %d packets down and %d up; %.1f bytes of QUIC a packet down and %.1f up; %.2f packets a snapshot", n.Snapshots, packetsIn, packetsOut, down, up, perSnapshot)
				r.t.Logf("packets of QUIC alone: %.2f down for each packet with an acknowledgement or an input, %.2f up for each snapshot; %d inputs of %.1f bytes", alone, aloneUp, n.Inputs, input)
				if wantUp := webscene.QUICPacketsUp(float64(rate)); math.Abs(alone/webscene.QUICPackets-1) > 0.15 || math.Abs(aloneUp/wantUp-1) > 0.15 || math.Abs(input/webscene.InputSize-1) > 0.05 {
					r.t.Errorf("packets of QUIC alone: %.2f down and %.2f up, inputs of %.1f bytes; want %v, %v and %d", alone, aloneUp, input, webscene.QUICPackets, wantUp, webscene.InputSize)
				}
				if n.Snapshots < uint64(9*rate) || down > 26 || down < 15 || up > 30 || up < 15 || perSnapshot > mostPackets {
					r.t.Errorf("%d snapshots, %.1f bytes of QUIC a packet down and %.1f up, %.2f packets a snapshot", n.Snapshots, down, up, perSnapshot)
				}
				for _, p := range []*player{ann, bob} {
					if err := p.stop(); err != nil {
						r.t.Error(err)
					}
				}
			})
		})
	}
}

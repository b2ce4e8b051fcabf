package rs_test

import (
	"testing"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/proto/rs"
)

// BenchmarkApply measures decoding of one packet.
func BenchmarkApply(b *testing.B) {
	for _, c := range []rsscene.Config{
		{Scene: "crowd", Players: 2047},
		{Scene: "walkers", Players: 2000},
		{Scene: "chaos", Players: 500},
	} {
		b.Run("scene="+c.Scene, func(b *testing.B) {
			c.Profile, c.Viewers, c.Seed = rs.Profile667, 1, 1
			client, placement, packets, size := record(b, c)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n%len(packets) == 0 {
					if err := client.Reconnect(placement); err != nil {
						b.Fatal(err)
					}
				}
				if err := client.Apply(packets[n%len(packets)]); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(size)/float64(len(packets)), "bytes/packet")
		})
	}
}

// record runs a scene for 200 cycles and returns a client that has applied all packets.
func record(b *testing.B, c rsscene.Config) (client *rs.PlayerInfoDecoder, placement []byte, packets [][]byte, size int) {
	b.Helper()
	run, err := rsscene.New(c)
	if err != nil {
		b.Fatal(err)
	}
	v := run.Viewers[0]
	placement = v.Placement
	if client, err = rs.NewPlayerInfoDecoder(c.Profile, v.Self, placement); err != nil {
		b.Fatal(err)
	}
	for range 200 {
		if err := run.Step(); err != nil {
			b.Fatal(err)
		}
		if err := client.Apply(v.Packet); err != nil {
			b.Fatal(err)
		}
		packets = append(packets, v.Packet)
		size += len(v.Packet)
	}
	return client, placement, packets, size
}

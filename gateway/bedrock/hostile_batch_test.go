package bedrock

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
)

// Rule BA-3 of docs/wire/bedrock.md: a malformed batch ends the session, is counted by kind and logged once.
func TestMalformedBatchEndsSession(t *testing.T) {
	t.Parallel()
	big := make([]byte, proto.MaxPlayBatch+1)
	var d proto.Deflater
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		for name, c := range map[string]struct {
			counter string
			send    func(c *client)
		}{
			"deflate bomb":              {"batch_size", func(c *client) { c.sendSealed(d.Compress(nil, make([]byte, 64<<20), 0)) }},
			"slightly too large":        {"batch_size", func(c *client) { c.sendSealed(d.Compress(nil, big, 0)) }},
			"large and uncompressed":    {"batch_size", func(c *client) { c.sendSealed(append([]byte{proto.CompressorNone}, big...)) }},
			"snappy bomb":               {"batch_size", func(c *client) { c.sendSealed([]byte{proto.CompressorSnappy, 0xff, 0xff, 0xff, 0xff, 0x0f}) }},
			"snappy with false length":  {"batch_corrupt", func(c *client) { c.sendSealed([]byte{proto.CompressorSnappy, 0xff, 0xff, 0x0f, 1}) }},
			"not deflate data":          {"batch_corrupt", func(c *client) { c.sendSealed([]byte{proto.CompressorDeflate, 0xff, 0xff, 0xff}) }},
			"unknown compressor":        {"batch_compressor", func(c *client) { c.sendSealed([]byte{7, 1, 1}) }},
			"empty":                     {"checksum", func(c *client) { c.sendSealed(nil) }},
			"too many packets":          {"batch_count", func(c *client) { c.sendPayload(bytes.Repeat([]byte{1, 9}, proto.MaxBatchPackets+1)) }},
			"empty packet":              {"batch_empty", func(c *client) { c.sendPayload([]byte{1, 9, 0}) }},
			"length beyond the end":     {"batch_short", func(c *client) { c.sendPayload([]byte{5, 9}) }},
			"endless varint":            {"batch_range", func(c *client) { c.sendPayload(bytes.Repeat([]byte{0x80}, 9)) }},
			"wrong key":                 {"checksum", func(c *client) { c.connection.send(append([]byte{proto.BatchID}, make([]byte, 40)...)) }},
			"shorter than the checksum": {"checksum", func(c *client) { c.connection.send([]byte{proto.BatchID, 1, 2}) }},
			"second login":              {"login_again", func(c *client) { c.send(proto.Login{Protocol: c.version, Request: c.loginRequest()}) }},
		} {
			before, lines := srv.faults(c.counter), srv.logs.Count("fault="+c.counter)
			x := srv.join("mallory")
			c.send(x)
			if text := x.waitDisconnect(); text == "" {
				t.Errorf("%s: no disconnect text", name)
			}
			if srv.faults(c.counter) != before+1 || srv.logs.Count("fault="+c.counter) != lines+1 {
				t.Errorf("%s: %s is counted %d times; logged:\n%s", name, c.counter, srv.faults(c.counter)-before, srv.logs)
			}
		}
	})
}

// A replayed batch ends the session, because it does not match the key stream.
func TestReplayedBatchEndsSession(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		b := x.sealer.Seal([]byte{proto.BatchID}, append([]byte{proto.CompressorNone}, wire.VarBytes(nil, proto.AppendPacket(nil, proto.ClientCacheStatus{}, x.version))...))
		x.connection.send(b)
		srv.advance(50 * time.Millisecond)
		if x.closed {
			t.Fatal("the first batch ended the session")
		}
		x.connection.send(b)
		x.waitDisconnect()
		if srv.faults("checksum") != 1 {
			t.Errorf("counted %d faults", srv.faults("checksum"))
		}
	})
}

// Rule BA-3 of docs/wire/bedrock.md: batches that exceed the packet budget are dropped and logged once. They do not end
// the session, because the key stream still advances.
func TestBatchBeyondPacketBudgetDoesNotEndSession(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		for range 600 {
			x.send(proto.ClientCacheStatus{})
		}
		srv.advance(time.Second)
		n := srv.faults("budget")
		if n < 200 || n > 600 {
			t.Errorf("%d of 600 were beyond the budget", n)
		}
		if srv.logs.Count("fault=budget") != 1 {
			t.Errorf("logged:\n%s", srv.logs)
		}
		srv.advance(3 * time.Second)
		x.takePackets()
		x.send(proto.RequestChunkRadius{Radius: 2})
		srv.advance(100 * time.Millisecond)
		if x.closed || countOf[proto.ChunkRadiusUpdated](x) != 1 {
			t.Errorf("closed: %v; %v", x.closed, x.packets)
		}
	})
}

// RakNet owns the memory of an uncompressed batch. If the worker used that memory as its buffer, clients would
// overwrite each other's batches.
func TestWorkerDoesNotReuseMemoryOfUncompressedBatch(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		srv.onWorker(func(w *worker) {
			w.inflated = nil
			c := connOf(w, a)
			for _, x := range [][]byte{{proto.CompressorNone, 2, 129, 1}, append([]byte{proto.CompressorNone}, make([]byte, 1000)...)} {
				if _, ok := c.inflate(x); !ok || w.inflated != nil {
					t.Fatalf("the worker keeps %d bytes", cap(w.inflated))
				}
			}
		})
		before := srv.faults("malformed") + srv.faults("unknown")
		rng := rand.New(rand.NewPCG(1, 2))
		for range 50 { // small batches are uncompressed, large ones compressed
			for _, c := range []*client{a, b} {
				c.send(proto.RequestChunkRadius{Radius: rng.Int32N(3) + 2})
				c.send(proto.Animate{Action: proto.AnimateSwing, Source: proto.Some(string(bytes.Repeat([]byte("swing "), 10+rng.IntN(30))))})
			}
			srv.advance(50 * time.Millisecond)
		}
		if a.closed || b.closed || srv.faults("malformed")+srv.faults("unknown") != before {
			t.Errorf("closed: %v, %v; %d malformed", a.closed, b.closed, srv.faults("malformed"))
		}
	})
}

// Messages of unknown types are counted and dropped.
func TestRakNetMessagesOfUnknownTypeAreDropped(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		for id := 0x80; id < 0xfe; id++ {
			x.connection.send([]byte{byte(id), 1, 2, 3})
		}
		srv.advance(300 * time.Millisecond)
		if x.closed || srv.faults("message") == 0 || srv.logs.Count("fault=message") != 1 {
			t.Errorf("closed: %v; %d faults; logged:\n%s", x.closed, srv.faults("message"), srv.logs)
		}
	})
}

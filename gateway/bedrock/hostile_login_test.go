package bedrock

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/admission"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/session"
)

// withHonestPlayer runs an attack while an honest player plays, and fails the test if the attack affects the honest
// player.
func withHonestPlayer(t *testing.T, o Options, attack func(srv *testServer)) {
	t.Helper()
	withServer(t, twoFields(), o, func(srv *testServer) {
		p := srv.joinPlayer("honest")
		p.keys = walkNorth
		attack(srv)
		srv.advance(500 * time.Millisecond)
		p.assertUnaffected(t.Name())
		if n := p.Counts().Inputs; n > 10 && float64(p.position().Z) > -1-0.2*float64(n-10) {
			t.Errorf("the honest player is at %v after %d ticks", p.position(), n)
		}
	})
}

// forgeLogin returns a valid login in which parts of the identity token are replaced.
func forgeLogin(c *client, change func(header, claims map[string]any, parts []string) []string) []byte {
	c.srv.t.Helper()
	req, err := auth.ParseConnectionRequest(c.loginRequest())
	c.srv.must(err)
	var identity map[string]any
	c.srv.must(json.Unmarshal(req.Identity, &identity))
	parts := strings.Split(identity["Token"].(string), ".")
	object := func(part string) (m map[string]any) {
		b, err := base64.RawURLEncoding.DecodeString(part)
		c.srv.must(err)
		c.srv.must(json.Unmarshal(b, &m))
		return m
	}
	identity["Token"] = strings.Join(change(object(parts[0]), object(parts[1]), parts), ".")
	req.Identity, err = json.Marshal(identity)
	c.srv.must(err)
	return req.Append(nil)
}

func encodePart(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// Rules VE-1 to VE-3 of docs/wire/bedrock.md: an invalid login is refused with a text, counted and logged once, and its
// resources are released.
func TestForgedLoginsAreRefused(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 3<<20)
	logins := map[string]func(c *client) []byte{
		"request": func(c *client) []byte { return []byte("nonsense") },
		"json": func(c *client) []byte {
			return auth.ConnectionRequest{Identity: []byte("{"), ClientData: []byte("x")}.Append(nil)
		},
		"size": func(c *client) []byte {
			return auth.ConnectionRequest{Identity: []byte("{}"), ClientData: []byte(huge)}.Append(nil)
		},
		"algorithm": func(c *client) []byte { return forgeLogin(c, algNone) },
		"signature": func(c *client) []byte {
			return forgeLogin(c, func(_, claims map[string]any, parts []string) []string {
				claims["xname"] = "admin"
				return []string{parts[0], encodePart(claims), parts[2]}
			})
		},
		"expired": func(c *client) []byte {
			b, err := auth.SelfSignedLogin{Name: c.name, Key: c.key, Now: time.Now().Unix() - 2*3600}.Append(nil)
			c.srv.must(err)
			return b
		},
		"depth": func(c *client) []byte {
			return auth.ConnectionRequest{Identity: []byte(`{"Token":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}"), ClientData: []byte("x")}.Append(nil)
		},
	}
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		for name, login := range logins {
			c := srv.connect("mallory")
			c.login = login(c)
			c.manual = false
			c.sendHello()
			if text := c.waitDisconnect(); !strings.Contains(text, "not valid here") {
				t.Errorf("%s: received %q", name, text)
			}
			if srv.faults("refused_"+name) != 1 || srv.logs.Count("refused_"+name) != 1 {
				t.Errorf("%s: counted %d times; logged:\n%s", name, srv.faults("refused_"+name), srv.logs)
			}
		}
		if srv.gateway.loginBytes.Load() != 0 || srv.gateway.players.Load() != 1 || srv.gateway.verifying.Stats().Waiting != 0 {
			t.Errorf("leaked: %d bytes, %d players, %d verifications", srv.gateway.loginBytes.Load(), srv.gateway.players.Load(), srv.gateway.verifying.Stats().Waiting)
		}
	})
}

func algNone(header, _ map[string]any, parts []string) []string {
	header["alg"] = "none"
	return []string{encodePart(header), parts[1], ""}
}

// Rule BA-3 of docs/wire/bedrock.md: the decompression of a 10 MB login stops at the size limit with every compressor;
// a second large batch is refused.
func TestOversizedLoginsAreRefused(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		for name, c := range map[string]struct {
			payload []byte
			counter string
		}{
			"login":          {wire.VarBytes(nil, proto.AppendPacket(nil, proto.Login{Protocol: proto.V2169, Request: make([]byte, 10<<20)}, proto.V2169)), "batch_size"},
			"just too large": {make([]byte, proto.MaxLoginBatch+1), "batch_size"},
			"not a login":    {wire.VarBytes(nil, append([]byte{8}, make([]byte, 3<<20)...)), "batch_size"},
			"many packets":   {bytes.Repeat([]byte{1, 9}, 1<<20), "batch_count"},
		} {
			before := srv.faults(c.counter)
			x := srv.connect("mallory")
			x.sendHello()
			srv.waitFor("the network settings", func() bool { return x.packed })
			x.sendPayload(c.payload)
			x.waitDisconnect()
			if srv.faults(c.counter) != before+1 {
				t.Errorf("%s: %s counted %d times", name, c.counter, srv.faults(c.counter)-before)
			}
			srv.onWorker(func(w *worker) {
				if cap(w.inflated) > proto.MaxPlayBatch {
					t.Errorf("%s: the worker keeps %d bytes", name, cap(w.inflated))
				}
			})
		}
	})
}

// A client may send only a few batches before encryption is established.
func TestBatchesBeforeHandshakeAreLimited(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		for name, until := range map[string]func(c *client){
			"at connect":         func(c *client) {},
			"after the settings": func(c *client) { c.sendHello(); srv.waitFor("the network settings", func() bool { return c.packed }) },
			"before the handshake": func(c *client) {
				c.loginUntil("ServerToClientHandshake")
			},
		} {
			before := srv.faults("knocks")
			c := srv.connect("mallory")
			until(c)
			for range maxHandshakeBatches {
				c.sendRaw([]byte{0xff, 0x03}) // the packet type is unknown
			}
			srv.advance(50 * time.Millisecond)
			if name != "at connect" && !c.closed {
				t.Errorf("%s: more batches are accepted", name)
			}
			c.sendRaw([]byte{0xff, 0x03})
			c.waitDisconnect()
			if srv.faults("knocks") != before+1 {
				t.Errorf("%s: counted %d", name, srv.faults("knocks")-before)
			}
		}
	})
}

// Concurrent logins wait for verification slots and use bounded memory. Logins beyond the memory limit are refused
// with the advice to try again, and players in the world are not affected.
func TestConcurrentLoginsUseBoundedMemory(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{PerAddr: -1}, func(srv *testServer) {
		const many, size = 12, 128 << 10
		srv.gateway.maxLoginBytes = 5 * size
		var all []*client
		for i := range many {
			c := srv.connect(fmt.Sprint("mallory", i))
			c.sendHello()
			all = append(all, c)
		}
		srv.waitFor("all network settings", func() bool {
			for _, c := range all {
				if !c.packed {
					return false
				}
			}
			return true
		})
		slots := max(1, runtime.GOMAXPROCS(0)/2)
		for range slots { // occupy all verification slots
			srv.gateway.verifying.Acquire(t.Context(), admission.Request{})
		}
		for _, c := range all {
			c.send(proto.Login{Protocol: c.version, Request: auth.ConnectionRequest{Identity: []byte("{}"), ClientData: make([]byte, size)}.Append(nil)})
		}
		srv.advance(300 * time.Millisecond)
		if busy := srv.faults("overload"); busy != many-4 { // the memory limit allows four logins
			t.Errorf("%d of %d were told to try again", busy, many)
		}
		for range slots {
			srv.gateway.verifying.Release()
		}
		srv.waitFor("all answers", func() bool {
			for _, c := range all {
				if !c.closed {
					return false
				}
			}
			return true
		})
		refused, busy := srv.faults("refused_chain"), srv.faults("overload")
		if refused+busy != many {
			t.Errorf("%d refused and %d told to try again, of %d; logged:\n%s", refused, busy, many, srv.logs)
		}
		if srv.gateway.loginBytes.Load() != 0 {
			t.Errorf("%d bytes still counted", srv.gateway.loginBytes.Load())
		}
	})
}

// Logins from an address that has sent an invalid login, such as one with a false signature, wait until other logins
// are verified.
func TestLoginsFromAddressWithInvalidLoginAreVerifiedLast(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		g := srv.gateway
		g.verifying = admission.NewQueue(admission.QueueLimits{Slots: 1}, nil)
		served := make(chan string)
		verify := func(name, addr string) {
			waiting := g.verifying.Stats().Waiting
			go func() {
				g.verify(srv.ctx, session.Peer{Door: "bedrock", Addr: netip.MustParseAddr(addr)}, []byte("nonsense"))
				served <- name
			}()
			srv.waitFor(name, func() bool { return g.verifying.Stats().Waiting > waiting })
		}
		if _, err := g.verify(srv.ctx, session.Peer{Addr: netip.MustParseAddr("192.0.2.1")}, []byte("nonsense")); err == nil {
			t.Fatal("an invalid login was accepted")
		}
		srv.must(g.verifying.Acquire(srv.ctx, admission.Request{}))
		verify("attacker", "192.0.2.1")
		verify("newcomer", "198.51.100.1")
		g.verifying.Release()
		if first, second := <-served, <-served; first != "newcomer" || second != "attacker" {
			t.Errorf("served %s before %s", first, second)
		}
	})
}

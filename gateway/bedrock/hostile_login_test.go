package bedrock

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/wire"
)

// beside is a bubble with an honest player in it, who must not notice what the others do.
func beside(t *testing.T, o Options, attack func(r *rig)) {
	t.Helper()
	bubble(t, twoFields(), o, func(r *rig) {
		p := r.player("honest")
		p.keys = walkNorth
		attack(r)
		r.run(500 * time.Millisecond)
		p.unharmed(t.Name())
		if n := p.Counts().Inputs; n > 10 && float64(p.at().Z) > -1-0.2*float64(n-10) {
			t.Errorf("the one beside it came to %v in %d ticks", p.at(), n)
		}
	})
}

// forged makes an attacker's login: a good one in which parts of the identity's token are replaced.
func forged(c *client, change func(header, claims map[string]any, parts []string) []string) []byte {
	c.r.t.Helper()
	req, err := auth.ParseRequest(c.request())
	c.r.must(err)
	var identity map[string]any
	c.r.must(json.Unmarshal(req.Identity, &identity))
	parts := strings.Split(identity["Token"].(string), ".")
	object := func(part string) (m map[string]any) {
		b, err := base64.RawURLEncoding.DecodeString(part)
		c.r.must(err)
		c.r.must(json.Unmarshal(b, &m))
		return m
	}
	identity["Token"] = strings.Join(change(object(parts[0]), object(parts[1]), parts), ".")
	req.Identity, err = json.Marshal(identity)
	c.r.must(err)
	return req.Append(nil)
}

func part(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// VE-1..VE-3: every login that is not in order is refused with a word, counted and logged once, and holds nothing.
func TestForgedLoginsAreRefused(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 3<<20)
	logins := map[string]func(c *client) []byte{
		"request": func(c *client) []byte { return []byte("nonsense") },
		"json": func(c *client) []byte {
			return auth.Request{Identity: []byte("{"), ClientData: []byte("x")}.Append(nil)
		},
		"size": func(c *client) []byte {
			return auth.Request{Identity: []byte("{}"), ClientData: []byte(huge)}.Append(nil)
		},
		"algorithm": func(c *client) []byte { return forged(c, algNone) },
		"signature": func(c *client) []byte {
			return forged(c, func(_, claims map[string]any, parts []string) []string {
				claims["xname"] = "admin"
				return []string{parts[0], part(claims), parts[2]}
			})
		},
		"expired": func(c *client) []byte {
			b, err := auth.SelfSigned{Name: c.name, Key: c.key, Now: time.Now().Unix() - 2*3600}.Append(nil)
			c.r.must(err)
			return b
		},
		"depth": func(c *client) []byte {
			return auth.Request{Identity: []byte(`{"Token":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}"), ClientData: []byte("x")}.Append(nil)
		},
	}
	beside(t, Options{}, func(r *rig) {
		for name, login := range logins {
			c := r.stranger("mallory")
			c.login = login(c)
			c.manual = false
			c.hello()
			if text := c.sentAway(); !strings.Contains(text, "not valid here") {
				t.Errorf("%s: told %q", name, text)
			}
			if r.bad("refused_"+name) != 1 || r.logged.count("refused_"+name) != 1 {
				t.Errorf("%s: counted %d times; logged:\n%s", name, r.bad("refused_"+name), r.logged)
			}
		}
		if r.gate.checking.Load() != 0 || r.gate.players.Load() != 1 || len(r.gate.checks) != 0 {
			t.Errorf("left behind: %d bytes, %d players, %d checks", r.gate.checking.Load(), r.gate.players.Load(), len(r.gate.checks))
		}
	})
}

func algNone(header, _ map[string]any, parts []string) []string {
	header["alg"] = "none"
	return []string{part(header), parts[1], ""}
}

// BA-3: a login of 10 MB stops at the limit, whatever it inflates from; a second large batch has no room at all.
func TestLoginsOfTenMegabytesStopAtTheLimit(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		for name, c := range map[string]struct {
			payload []byte
			counter string
		}{
			"login":          {wire.VarBytes(nil, proto.AppendPacket(nil, proto.Login{Protocol: proto.V2169, Request: make([]byte, 10<<20)}, proto.V2169)), "batch_size"},
			"just too large": {make([]byte, proto.MaxLoginBatch+1), "batch_size"},
			"no login":       {wire.VarBytes(nil, append([]byte{8}, make([]byte, 3<<20)...)), "batch_size"},
			"many packets":   {bytes.Repeat([]byte{1, 9}, 1<<20), "batch_count"},
		} {
			before := r.bad(c.counter)
			x := r.stranger("mallory")
			x.hello()
			r.until("the settings", func() bool { return x.packed })
			x.payload(c.payload)
			x.sentAway()
			if r.bad(c.counter) != before+1 {
				t.Errorf("%s: %s counted %d times", name, c.counter, r.bad(c.counter)-before)
			}
			r.on(func(w *worker) {
				if cap(w.plain) > proto.MaxPlayBatch {
					t.Errorf("%s: the worker keeps %d bytes", name, cap(w.plain))
				}
			})
		}
	})
}

// Whoever is not in yet sends a few batches and no more.
func TestAStrangerSaysLittle(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		for name, until := range map[string]func(c *client){
			"at once":            func(c *client) {},
			"after the settings": func(c *client) { c.hello(); r.until("the settings", func() bool { return c.packed }) },
			"before the handshake": func(c *client) {
				c.until("ServerToClientHandshake")
			},
		} {
			before := r.bad("knocks")
			c := r.stranger("mallory")
			until(c)
			for range knocks {
				c.raw([]byte{0xff, 0x03}) // a packet that nobody knows
			}
			r.run(50 * time.Millisecond)
			if name != "at once" && !c.gone {
				t.Errorf("%s: it may say more", name)
			}
			c.raw([]byte{0xff, 0x03})
			c.sentAway()
			if r.bad("knocks") != before+1 {
				t.Errorf("%s: counted %d", name, r.bad("knocks")-before)
			}
		}
	})
}

// Many logins at once wait their turn and hold a bounded share of memory; those who would exceed it are asked to come
// again, and a player beside them walks on.
func TestAFloodOfLogins(t *testing.T) {
	t.Parallel()
	beside(t, Options{PerAddr: -1}, func(r *rig) {
		const many, size = 12, 128 << 10
		r.gate.room = 5 * size
		var all []*client
		for i := range many {
			c := r.stranger(fmt.Sprint("mallory", i))
			c.hello()
			all = append(all, c)
		}
		r.until("all settings", func() bool {
			for _, c := range all {
				if !c.packed {
					return false
				}
			}
			return true
		})
		for range cap(r.gate.checks) { // nobody's turn comes
			r.gate.checks <- struct{}{}
		}
		for _, c := range all {
			c.send(proto.Login{Protocol: c.version, Request: auth.Request{Identity: []byte("{}"), ClientData: make([]byte, size)}.Append(nil)})
		}
		r.run(300 * time.Millisecond)
		if busy := r.bad("overload"); busy != many-4 { // four and a little more fit
			t.Errorf("%d of %d were asked to come again", busy, many)
		}
		for range cap(r.gate.checks) {
			<-r.gate.checks
		}
		r.until("all answers", func() bool {
			for _, c := range all {
				if !c.gone {
					return false
				}
			}
			return true
		})
		refused, busy := r.bad("refused_chain"), r.bad("overload")
		if refused+busy != many {
			t.Errorf("%d refused and %d asked to come again, of %d; logged:\n%s", refused, busy, many, r.logged)
		}
		if r.gate.checking.Load() != 0 {
			t.Errorf("%d bytes are held", r.gate.checking.Load())
		}
	})
}

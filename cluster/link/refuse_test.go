package link

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestNodesWithDifferentConfigurationsRefuseEachOtherAndLogWhy(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *rig, c *Config) // changes the configuration c of node a; node a dials node b
		onA    string                  // line that node a logs
		onB    string                  // line that node b logs
	}{
		"cluster": {func(_ *rig, c *Config) {
			keys := *c.Keys // the same certificate authority serves two clusters here; normally each has its own
			keys.Cluster, c.Cluster, c.Keys = "other", "other", &keys
		}, `link refused by node" node=b addr=10.0.0.2:7 err="link refused by the peer: node b is of cluster "world", not "other"`, `node a is of cluster "other", not "world"`},
		"certificate authority": {func(r *rig, c *Config) {
			dir := filepath.Join(r.dir, "other")
			if _, err := CreateKeys(dir, "world", abc); err != nil {
				r.t.Fatal(err)
			}
			keys, err := LoadKeys(filepath.Join(dir, "a"))
			if err != nil {
				r.t.Fatal(err)
			}
			c.Keys = keys
		}, "TLS: the peer's certificate is of another cluster or another set of keys", "TLS: the peer refuses the certificate of this node: tls: bad certificate"},
		"node that was dialled": {func(_ *rig, c *Config) {
			c.Nodes = []Node{c.Nodes[0], {2, "b", c.Nodes[2].Addr}, c.Nodes[2]}
		}, `the peer's certificate belongs to another node than the one that was dialled: ["c"]`, ""},
		"list of nodes": {func(_ *rig, c *Config) { c.Nodes = c.Nodes[:2] },
			"node b has the list of nodes a,b,c, not a,b", "node a has the list of nodes a,b, not a,b,c"},
		"formats": {func(_ *rig, c *Config) { c.Formats, c.Program = "formats 2\x1b", "v2" }, `node b has the formats "formats 1" (version v1), not "formats 2?" (version v2)`,
			`node a has the formats "formats 2?" (version v2), not "formats 1" (version v1): all nodes of a cluster need programs of the same formats`},
		"rules": {func(_ *rig, c *Config) { c.Rules = 0xabc },
			"node b has the world of digest 0000000000000007, not 0000000000000abc", "node a has the world of digest 0000000000000abc, not 0000000000000007"},
		"game rules": {func(_ *rig, c *Config) { c.Game, c.Program = "rules 2\x1b", "v2" }, `node b has the game rules "rules 1" (version v1), not "rules 2?" (version v2)`,
			`node a has the game rules "rules 2?" (version v2), not "rules 1" (version v1): all nodes of a cluster need the same game rules, whose version is server.Config.GameVersion`},
		"database": {func(_ *rig, c *Config) { c.Database = "d2\x1b" }, `node b has the database with the ID "d1", not `,
			`node a has the database with the ID "d2?", not "d1": all nodes of a cluster need the same database, whose URL is the setting store`},
		"clock ahead": {func(_ *rig, c *Config) { c.Clock = func() time.Time { return time.Now().Add(600 * time.Millisecond) } },
			"clock of node b is -600ms ahead", "link refused by the peer: clock of node b is 600ms ahead"},
		"clock set after the start": {func(_ *rig, c *Config) { c.Clock = func() time.Time { return time.Now().Add(-2 * time.Second) } },
			"clock of node b is 2s ahead of this node's (a negative value: behind), at most 500ms either way are allowed; the clock of this machine was set by 2s after this node had started: restart this node", ""},
		"clock behind": {func(_ *rig, c *Config) { c.Clock = func() time.Time { return time.Now().Add(-time.Hour) } },
			"clock of node b is 1h0m0s ahead", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				b := r.start(2, nil)
				if name == "node that was dialled" {
					r.start(3, nil)
				}
				a := r.start(1, func(cfg *Config) { c.change(r, cfg) })
				time.Sleep(20 * time.Second)
				synctest.Wait()
				for _, e := range append(a.take(), b.take()...) {
					if e != "up 3" {
						t.Errorf("event %q", e)
					}
				}
				if s := a.Status()[0]; s.Connected || s.Links != 0 || s.Problem == "" {
					t.Errorf("status %+v", s)
				}
				if name == "clock ahead" { // here the dialling node refuses first
					c.onA, c.onB = "clock of node b is -600ms ahead of this node's", "link refused by the peer: clock of node a is 600ms ahead of this node's"
				}
				a.logged(c.onA)
				if c.onB != "" {
					b.logged(c.onB)
				}
				if lines := strings.Count(a.log.String(), "\n"); lines > 3 {
					t.Errorf("%d lines:\n%s", lines, a.log.String())
				}
			})
		})
	}
}

// The dialling node compares the clocks first, so the other node learns of the difference from its refusal.
func TestNodeWhoseClockWasSetIsToldToRestartAlsoIfPeerRefusesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, func(c *Config) { c.Clock = func() time.Time { return time.Now().Add(-2 * time.Second) } })
		r.start(1, nil)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		b.logged("link refused by the peer: clock of node a is 2s ahead of this node's (a negative value: behind), at most 500ms either way are allowed; the clock of this machine was set by 2s after this node had started: restart this node")
	})
}

// forger is a connection to a node by a program that has the keys of a node and sends a hello of its own.
type forger struct {
	*tls.Conn
	t *testing.T
}

// forge connects to node b with the keys of a node.
func (r *rig) forge(keys *Keys) *forger {
	r.t.Helper()
	raw, err := r.hosts[2].Dial(r.t.Context(), "tcp", r.nodes[1].Addr)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = raw.SetDeadline(time.Now().Add(10 * time.Second))
	r.t.Cleanup(func() { raw.Close() })
	return &forger{tls.Client(raw, keys.clientConfig("b")), r.t}
}

func (f *forger) send(kind byte, body []byte) {
	f.t.Helper()
	if _, err := f.Write(appendFrame(nil, kind, body)); err != nil {
		f.t.Fatal(err)
	}
}

// refusal reads the text of the refusal.
func (f *forger) refusal() string {
	f.t.Helper()
	kind, body, err := readFrame(f, MaxBody)
	if err != nil || kind != kindRefuse {
		f.t.Fatalf("frame of kind %d, %v, want a refusal", kind, err)
	}
	if n, err := f.Read(make([]byte, 1)); err == nil || n > 0 {
		f.t.Errorf("connection is open after a refusal")
	}
	return string(body)
}

// ended checks that the node closes the connection.
func (f *forger) ended() {
	f.t.Helper()
	if _, err := io.Copy(io.Discard, f); err != nil && errors.Is(err, net.ErrClosed) {
		f.t.Error(err)
	}
}

// greeting returns a valid hello of node a, which node b accepts.
func greeting() *hello {
	return &hello{Hello: Hello{Cluster: "world", Node: 1, Incarnation: 1, Formats: "formats 1", Program: "v1", Rules: 7, Game: "rules 1", Database: "d1"}, clock: time.Now(), nodes: abc}
}

func TestForgedHellosAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		keys   string
		change func(h *hello)
		there  string // text of the refusal
		log    string
	}{
		"another node's number":     {"a", func(h *hello) { h.Node = 3 }, "this node claims to be another one", "node a says that it is number 3 of the list of nodes, but it is number 1"},
		"node that is not listed":   {"d", func(*hello) {}, `this node, "d", is not in the list`, `node "d" is not in the list of nodes a,b,c`},
		"node that must not dial":   {"c", func(h *hello) { h.Node = 3 }, "that is the other node", "node c has opened a connection, but of two nodes the one with the smaller number must open it: that is this node"},
		"the node's own keys":       {"b", func(h *hello) { h.Node = 2 }, "the connection leads to this node itself", "a process with the keys of this node, b, has connected"},
		"another cluster, one list": {"a", func(h *hello) { h.Cluster = "x\ny" }, `node b is of cluster "world", not "x`, `node a is of cluster "x?y"`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				if _, err := CreateKeys(r.dir, "world", []string{"d"}); err != nil {
					t.Fatal(err)
				}
				b := r.start(2, nil)
				f := r.forge(r.keys(c.keys))
				h := greeting()
				c.change(h)
				f.send(kindHello, h.append(nil))
				if got := f.refusal(); !strings.Contains(got, c.there) {
					t.Errorf("refusal %q, want %q", got, c.there)
				}
				b.expect(time.Second)
				b.logged(c.log)
			})
		})
	}
}

func TestHelloOfOtherFormatVersionIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		f := r.forge(r.keys("a"))
		f.send(kindHello, append([]byte(helloMagic), 0, 9, 'x'))
		if got := f.refusal(); got != fmt.Sprintf("another version of the link format: the other node has version %d", formatVersion) {
			t.Error(got)
		}
		b.expect(time.Second)
		b.logged(fmt.Sprintf("hello: the nodes use different versions of the link format: the peer has version 9, this node version %d", formatVersion))
	})
}

func TestInvalidFirstFrameEndsHandshake(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"short hello":  appendFrame(nil, kindHello, greeting().append(nil)[:30]),
		"long hello":   appendFrame(nil, kindHello, append(greeting().append(nil), 0)),
		"large hello":  appendHead(nil, kindHello, maxControl+1),
		"other kind":   appendFrame(nil, kindPing, appendTime(nil, time.Now())),
		"large frame":  appendHead(nil, 200, maxControl+1),
		"no text":      appendFrame(nil, kindRefuse, nil),
		"refusal":      appendFrame(nil, kindRefuse, []byte("no \x1b[2J")),
		"hello, hello": appendFrame(appendFrame(nil, kindHello, greeting().append(nil)), kindHello, greeting().append(nil)),
		"short accept": appendFrame(appendFrame(nil, kindHello, greeting().append(nil)), kindAccept, []byte("1234567")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				b := r.start(2, nil)
				f := r.forge(r.keys("a"))
				if _, err := f.Write(bytes); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				f.ended()
				if past := time.Since(began); past > refusalTime {
					t.Errorf("closed after %v", past)
				}
				b.expect(time.Second)
				if strings.Contains(b.log.String(), "\x1b") {
					t.Errorf("control characters in the log: %q", b.log.String())
				}
			})
		})
	}
}

func TestInvalidFrameOrRefusalFromPeerClosesLink(t *testing.T) {
	for name, bytes := range map[string][]byte{
		"second hello":  appendFrame(nil, kindHello, greeting().append(nil)),
		"reserved kind": appendFrame(nil, FirstKind-1, nil),
		"short ping":    appendFrame(nil, kindPing, make([]byte, 7)),
		"long pong":     appendFrame(nil, kindPong, make([]byte, 25)),
		"large ping":    appendHead(nil, kindPing, maxControl+1),
		"large frame":   appendHead(nil, 16, MaxBody+1),
		"huge frame":    {0xff, 0xff, 0xff, 0xff, 16},
		"refusal":       appendFrame(nil, kindRefuse, []byte("later")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				b := r.start(2, nil)
				f := r.forge(r.keys("a"))
				f.send(kindHello, greeting().append(nil))
				if kind, _, err := readFrame(f, MaxBody); kind != kindHello || err != nil {
					t.Fatal(kind, err)
				}
				f.send(kindAccept, appendTime(nil, time.Now()))
				f.send(30, []byte("hello")) // a frame may follow the accept at once
				if kind, _, err := readFrame(f, MaxBody); kind != kindAccept || err != nil {
					t.Fatal(kind, err)
				}
				b.expect(time.Millisecond, "up 1", "1 30 hello")
				if _, err := f.Write(bytes); err != nil {
					t.Fatal(err)
				}
				f.ended()
				b.expect(0, "down 1 *")
			})
		})
	}
}

// The node that dials also checks the hello of the node that it dials.
func TestDiallingNodeRefusesForgedHello(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(h *hello)
		there, log string
	}{
		"node":    {func(h *hello) { h.Node = 3 }, "this node claims to be another one", "node b says that it is number 3"},
		"cluster": {func(h *hello) { h.Cluster = "x" }, `node a is of cluster "world", not "x"`, `node b is of cluster "x"`},
		"formats": {func(h *hello) { h.Formats, h.Program = "formats 3", "v3\n" }, `node a has the formats "formats 1" (version v1), not "formats 3" (version v3?)`, `node b has the formats "formats 3" (version v3?)`},
		"clock":   {func(h *hello) { h.clock = h.clock.Add(time.Second) }, "clock of node a is -1s ahead", "clock of node b is 1s ahead"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				listener, err := r.hosts[1].Listen(":7")
				if err != nil {
					t.Fatal(err)
				}
				defer listener.Close()
				a := r.start(1, nil)
				raw, err := listener.Accept()
				if err != nil {
					t.Fatal(err)
				}
				f := &forger{tls.Server(raw, r.keys("b").serverConfig()), t}
				defer raw.Close()
				if kind, body, err := readFrame(f, maxControl); err != nil || kind != kindHello {
					t.Fatal(kind, body, err)
				}
				h := greeting()
				h.Node = 2
				c.change(h)
				f.send(kindHello, h.append(nil))
				if got := f.refusal(); !strings.Contains(got, c.there) {
					t.Errorf("refusal %q, want %q", got, c.there)
				}
				raw.Close()
				synctest.Wait()
				a.logged(c.log)
				a.expect(0)
			})
		})
	}
}

// A peer that answers pings with nonsense does not change the estimate.
func TestPongsWithImpossibleTimesAreIgnored(t *testing.T) {
	now := time.Now()
	for _, p := range []pong{
		{}, {asked: now.Add(time.Second), received: now, sent: now}, {asked: now.Add(-time.Hour), received: now, sent: now},
		{asked: now, received: now.Add(time.Second), sent: now},
		{asked: time.Unix(0, -1<<63), received: time.Unix(0, -1<<63), sent: time.Unix(0, 1<<63-1)},
		{asked: now, received: time.Unix(0, 1<<63-1), sent: time.Unix(0, -1<<63)},
		{asked: now, received: time.Unix(0, -1<<63), sent: time.Unix(0, 1<<63-1)},
	} {
		if r, ok := measure(p, now); ok {
			t.Errorf("%v gives %v", p, r)
		}
	}
	for _, far := range []time.Time{time.Unix(0, 1<<63-1), time.Unix(0, -1<<63)} {
		if r, ok := measure(pong{asked: now, received: far, sent: far}, now); !ok || !r.beyond(MaxClockOffset) {
			t.Errorf("clock at %v: %v, %v", far, r, ok)
		}
	}
}

func TestConnectionWithoutTLSIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		c, err := r.hosts[2].Dial(t.Context(), "tcp", r.nodes[1].Addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = c.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
		_, _ = io.Copy(io.Discard, c)
		b.expect(time.Second)
		b.logged("link refused")
	})
}

func TestPeerWithoutCertificateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		keys := r.keys("a")
		keys.cert = tls.Certificate{}
		f := r.forge(keys)
		// If the node has already refused and closed the connection, the write fails, or the read fails without the TLS alert.
		if _, err := f.Write([]byte("x")); err == nil {
			_, err := f.Read(make([]byte, 1))
			if err == nil || !strings.Contains(err.Error(), "certificate required") && !errors.Is(err, syscall.ECONNRESET) {
				t.Error(err)
			}
		}
		b.expect(time.Second)
		b.logged("link refused")
	})
}

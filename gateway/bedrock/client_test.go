package bedrock

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"reflect"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
)

// client is a Bedrock client that does as it is told: it can send any packet at any time, and keeps every packet that it
// gets. Unless it is manual it goes the usual way into the world by itself, and answers barriers.
type client struct {
	*line
	name    string
	version proto.Version
	login   []byte // the connection request; made when it is asked for
	key     *ecdsa.PrivateKey
	manual  bool
	limp    bool // goes into the world, but does not say that it stands there

	packed   bool
	sealer   *auth.Sealer
	opener   *auth.Opener
	deflater proto.Deflater
	inflater proto.Inflater

	got    []proto.Packet
	batchN int      // batches that came
	order  []string // names of all packets that ever came
	self   proto.StartGame
}

// clientKey signs the logins of all tests: a new key for each costs time and shows nothing.
var clientKey = sync.OnceValue(func() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
})

// client returns one that is about to connect.
func (r *rig) client(name string) *client {
	r.t.Helper()
	c := &client{line: r.dial(raknet.ClientConfig{}), name: name, version: proto.V2169, key: clientKey()}
	c.line.message = c.batch
	return c
}

// stranger is a client that has connected, and said nothing.
func (r *rig) stranger(name string) *client {
	r.t.Helper()
	c := r.client(name)
	c.manual = true
	r.until("a connection", func() bool { return c.up })
	return c
}

// enters brings a client into the world.
func (r *rig) enters(name string) *client {
	r.t.Helper()
	c := r.stranger(name)
	c.manual = false
	c.enter()
	return c
}

// enter goes from the first packet into the world.
func (c *client) enter() {
	c.r.t.Helper()
	c.hello()
	c.r.until(c.name+" to enter", func() bool { return c.has("SetTime") && c.has("LevelChunk") && count[proto.Text](c) > 0 })
	c.r.run(100 * time.Millisecond)
}

func (c *client) hello() { c.send(proto.RequestNetworkSettings{Protocol: c.version}) }

// send sends packets, each in a batch of its own.
func (c *client) send(packets ...proto.Packet) {
	for _, p := range packets {
		c.raw(proto.AppendPacket(nil, p, c.version))
	}
}

// together sends packets in one batch.
func (c *client) together(packets ...proto.Packet) {
	var w proto.BatchWriter
	for _, p := range packets {
		w.Add(p, c.version)
	}
	c.payload(w.Bytes())
}

// raw sends one packet that need not be one.
func (c *client) raw(packet []byte) { c.payload(wire.VarBytes(nil, packet)) }

// payload sends a batch of any payload, as the client's state has it.
func (c *client) payload(b []byte) {
	if !c.packed {
		c.line.send(append([]byte{proto.BatchID}, b...))
		return
	}
	c.sealed(c.deflater.Compress(nil, b, proto.CompressThreshold))
}

// sealed sends a compressor byte and data, encrypted once that is up.
func (c *client) sealed(b []byte) {
	if c.sealer != nil {
		b = c.sealer.Seal(nil, b)
	}
	c.line.send(append([]byte{proto.BatchID}, b...))
}

// batch takes a message of the server.
func (c *client) batch(b []byte) {
	t := c.r.t
	if b[0] != proto.BatchID {
		t.Errorf("the server sent a message of type %#x", b[0])
		return
	}
	b = append([]byte(nil), b[1:]...)
	var err error
	if c.opener != nil {
		if b, err = c.opener.Open(b); err != nil {
			t.Errorf("%s: %v", c.name, err)
			return
		}
	}
	if c.packed {
		if b, err = c.inflater.Decompress(nil, b, proto.MaxPlayBatch); err != nil {
			t.Errorf("%s: %v", c.name, err)
			return
		}
	}
	c.batchN++
	if err := proto.EachPacket(b, proto.MaxBatchPackets, c.packet); err != nil {
		t.Errorf("%s: %v", c.name, err)
	}
}

func (c *client) packet(b []byte) error {
	p, err := proto.Parse(b, c.version)
	if err != nil {
		c.r.t.Errorf("the server sent % x: %v", b[:min(len(b), 64)], err)
		return nil
	}
	c.got = append(c.got, p)
	c.order = append(c.order, kind(p))
	c.follow(p)
	return nil
}

// follow does what every client does with a packet of the login.
func (c *client) follow(p proto.Packet) {
	switch p := p.(type) {
	case proto.NetworkSettings:
		c.packed = true
		if !c.manual {
			c.send(proto.Login{Protocol: c.version, Request: c.request()})
		}
	case proto.ServerToClientHandshake:
		c.secure(p)
		if !c.manual {
			c.send(proto.ClientToServerHandshake{})
		}
	case proto.ResourcePacksInfo:
		c.auto(proto.ResourcePackClientResponse{Status: proto.PacksDownloaded})
	case proto.ResourcePackStack:
		c.auto(proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
	case proto.StartGame:
		c.self = p
	case proto.PlayStatus:
		if p.Status == proto.StatusSpawn && !c.limp {
			c.auto(proto.SetLocalPlayerAsInitialized{Runtime: c.self.Runtime})
		}
	case proto.NetworkStackLatency:
		c.auto(proto.NetworkStackLatency{Timestamp: p.Timestamp})
	}
}

func (c *client) auto(p proto.Packet) {
	if !c.manual {
		c.send(p)
	}
}

// request is the connection request of the client's login.
func (c *client) request() []byte {
	if c.login == nil {
		var err error
		c.login, err = auth.SelfSigned{Name: c.name, Key: c.key, Now: time.Now().Unix()}.Append(nil)
		c.r.must(err)
	}
	return c.login
}

// secure begins the encryption.
func (c *client) secure(p proto.ServerToClientHandshake) {
	server, salt, err := auth.ParseHandshake(p.Token)
	c.r.must(err)
	key, err := auth.SessionKey(c.key, server, salt)
	c.r.must(err)
	c.sealer, c.opener = auth.NewSealer(key), auth.NewOpener(key)
}

// has tells whether a packet of that name ever came.
func (c *client) has(name string) bool {
	for _, n := range c.order {
		if n == name {
			return true
		}
	}
	return false
}

// take returns what came and forgets it.
func (c *client) take() []proto.Packet {
	list := c.got
	c.got = nil
	return list
}

// farewell is the text with which the server sent the client away, "" if it did not.
func (c *client) farewell() string {
	for _, p := range each[proto.Disconnect](c) {
		return p.Message
	}
	return ""
}

// sentAway waits for the server to end the connection, and returns what it said.
func (c *client) sentAway() string {
	c.r.t.Helper()
	c.r.until("the server to send "+c.name+" away", func() bool { return c.gone })
	return c.farewell()
}

// each returns the packets of one type in order.
func each[P proto.Packet](c *client) []P {
	var list []P
	for _, p := range c.got {
		if q, ok := p.(P); ok {
			list = append(list, q)
		}
	}
	return list
}

func count[P proto.Packet](c *client) int { return len(each[P](c)) }

func kind(p proto.Packet) string { return reflect.TypeOf(p).Name() }

// describe is a packet for an error.
func describe(p proto.Packet) string {
	s := fmt.Sprintf("%s%+v", kind(p), p)
	return s[:min(len(s), 200)]
}

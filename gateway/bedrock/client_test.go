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
	*connection
	name          string
	version       proto.Version
	login         []byte // the connection request; made when it is asked for
	key           *ecdsa.PrivateKey
	manual        bool
	noInitialized bool // goes into the world, but does not say that it stands there

	packed   bool
	sealer   *auth.Sealer
	opener   *auth.Opener
	deflater proto.Deflater
	inflater proto.Inflater

	packets  []proto.Packet
	batches  int      // batches that came
	received []string // names of all packets that ever came
	start    proto.StartGame
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
func (srv *testServer) newClient(name string) *client {
	srv.t.Helper()
	c := &client{connection: srv.dial(raknet.ClientConfig{}), name: name, version: proto.V2169, key: clientKey()}
	c.connection.onMessage = c.readBatch
	return c
}

// stranger is a client that has connected, and said nothing.
func (srv *testServer) connect(name string) *client {
	srv.t.Helper()
	c := srv.newClient(name)
	c.manual = true
	srv.waitFor("a connection", func() bool { return c.connected })
	return c
}

// enters brings a client into the world.
func (srv *testServer) join(name string) *client {
	srv.t.Helper()
	c := srv.connect(name)
	c.manual = false
	c.join()
	return c
}

// enter goes from the first packet into the world.
func (c *client) join() {
	c.r.t.Helper()
	c.sendHello()
	c.r.waitFor(c.name+" to enter", func() bool {
		return c.hasReceived("SetTime") && c.hasReceived("LevelChunk") && countOf[proto.Text](c) > 0
	})
	c.r.advance(100 * time.Millisecond)
}

func (c *client) sendHello() { c.send(proto.RequestNetworkSettings{Protocol: c.version}) }

// send sends packets, each in a batch of its own.
func (c *client) send(packets ...proto.Packet) {
	for _, p := range packets {
		c.sendRaw(proto.AppendPacket(nil, p, c.version))
	}
}

// together sends packets in one batch.
func (c *client) sendBatch(packets ...proto.Packet) {
	var w proto.BatchWriter
	for _, p := range packets {
		w.Add(p, c.version)
	}
	c.sendPayload(w.Bytes())
}

// raw sends one packet that need not be one.
func (c *client) sendRaw(packet []byte) { c.sendPayload(wire.VarBytes(nil, packet)) }

// payload sends a batch of any payload, as the client's state has it.
func (c *client) sendPayload(b []byte) {
	if !c.packed {
		c.connection.send(append([]byte{proto.BatchID}, b...))
		return
	}
	c.sendSealed(c.deflater.Compress(nil, b, proto.CompressThreshold))
}

// sealed sends a compressor byte and data, encrypted once that is up.
func (c *client) sendSealed(b []byte) {
	if c.sealer != nil {
		b = c.sealer.Seal(nil, b)
	}
	c.connection.send(append([]byte{proto.BatchID}, b...))
}

// batch takes a message of the server.
func (c *client) readBatch(b []byte) {
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
	c.batches++
	if err := proto.EachPacket(b, proto.MaxBatchPackets, c.readPacket); err != nil {
		t.Errorf("%s: %v", c.name, err)
	}
}

func (c *client) readPacket(b []byte) error {
	p, err := proto.Parse(b, c.version)
	if err != nil {
		c.r.t.Errorf("the server sent % x: %v", b[:min(len(b), 64)], err)
		return nil
	}
	c.packets = append(c.packets, p)
	c.received = append(c.received, packetName(p))
	c.handle(p)
	return nil
}

// follow does what every client does with a packet of the login.
func (c *client) handle(p proto.Packet) {
	switch p := p.(type) {
	case proto.NetworkSettings:
		c.packed = true
		if !c.manual {
			c.send(proto.Login{Protocol: c.version, Request: c.loginRequest()})
		}
	case proto.ServerToClientHandshake:
		c.startEncryption(p)
		if !c.manual {
			c.send(proto.ClientToServerHandshake{})
		}
	case proto.ResourcePacksInfo:
		c.reply(proto.ResourcePackClientResponse{Status: proto.PacksDownloaded})
	case proto.ResourcePackStack:
		c.reply(proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
	case proto.StartGame:
		c.start = p
	case proto.PlayStatus:
		if p.Status == proto.StatusSpawn && !c.noInitialized {
			c.reply(proto.SetLocalPlayerAsInitialized{Runtime: c.start.Runtime})
		}
	case proto.NetworkStackLatency:
		c.reply(proto.NetworkStackLatency{Timestamp: p.Timestamp})
	}
}

func (c *client) reply(p proto.Packet) {
	if !c.manual {
		c.send(p)
	}
}

// request is the connection request of the client's login.
func (c *client) loginRequest() []byte {
	if c.login == nil {
		var err error
		c.login, err = auth.SelfSigned{Name: c.name, Key: c.key, Now: time.Now().Unix()}.Append(nil)
		c.r.must(err)
	}
	return c.login
}

// secure begins the encryption.
func (c *client) startEncryption(p proto.ServerToClientHandshake) {
	server, salt, err := auth.ParseHandshake(p.Token)
	c.r.must(err)
	key, err := auth.SessionKey(c.key, server, salt)
	c.r.must(err)
	c.sealer, c.opener = auth.NewSealer(key), auth.NewOpener(key)
}

// has tells whether a packet of that name ever came.
func (c *client) hasReceived(name string) bool {
	for _, n := range c.received {
		if n == name {
			return true
		}
	}
	return false
}

// take returns what came and forgets it.
func (c *client) takePackets() []proto.Packet {
	list := c.packets
	c.packets = nil
	return list
}

// farewell is the text with which the server sent the client away, "" if it did not.
func (c *client) disconnectText() string {
	for _, p := range packetsOf[proto.Disconnect](c) {
		return p.Message
	}
	return ""
}

// sentAway waits for the server to end the connection, and returns what it said.
func (c *client) waitDisconnect() string {
	c.r.t.Helper()
	c.r.waitFor("the server to send "+c.name+" away", func() bool { return c.closed })
	return c.disconnectText()
}

// each returns the packets of one type in order.
func packetsOf[P proto.Packet](c *client) []P {
	var list []P
	for _, p := range c.packets {
		if q, ok := p.(P); ok {
			list = append(list, q)
		}
	}
	return list
}

func countOf[P proto.Packet](c *client) int { return len(packetsOf[P](c)) }

func packetName(p proto.Packet) string { return reflect.TypeOf(p).Name() }

// describe is a packet for an error.
func describe(p proto.Packet) string {
	s := fmt.Sprintf("%s%+v", packetName(p), p)
	return s[:min(len(s), 200)]
}

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

// client is a scripted Bedrock client. It can send any packet at any time and stores every packet that it receives.
// Unless the field manual is set, it logs in and answers barriers automatically.
type client struct {
	*connection
	name          string
	version       proto.Version
	login         []byte // connection request, created on first use
	key           *ecdsa.PrivateKey
	manual        bool
	noInitialized bool // do not send SetLocalPlayerAsInitialized

	packed   bool
	sealer   *auth.Sealer
	opener   *auth.Opener
	deflater proto.Deflater
	inflater proto.Inflater

	packets  []proto.Packet
	batches  int      // number of batches received
	received []string // names of all packets received so far
	start    proto.StartGame
}

// clientKey signs the logins of all tests. It is generated once, because generation is slow.
var clientKey = sync.OnceValue(func() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
})

// newClient returns a client that has not connected yet.
func (srv *testServer) newClient(name string) *client {
	srv.t.Helper()
	c := &client{connection: srv.dial(raknet.ClientConfig{}), name: name, version: proto.V2169, key: clientKey()}
	c.connection.onMessage = c.readBatch
	return c
}

// connect returns a client that has connected but not sent a packet.
func (srv *testServer) connect(name string) *client {
	srv.t.Helper()
	c := srv.newClient(name)
	c.manual = true
	srv.waitFor("a connection", func() bool { return c.connected })
	return c
}

// join returns a client that has entered the world.
func (srv *testServer) join(name string) *client {
	srv.t.Helper()
	c := srv.connect(name)
	c.manual = false
	c.join()
	return c
}

// join logs in and waits until the player is in the world.
func (c *client) join() {
	c.srv.t.Helper()
	c.sendHello()
	c.srv.waitFor(c.name+" to enter", func() bool {
		return c.hasReceived("SetTime") && c.hasReceived("LevelChunk") && countOf[proto.Text](c) > 0
	})
	c.srv.advance(100 * time.Millisecond)
}

func (c *client) sendHello() { c.send(proto.RequestNetworkSettings{Protocol: c.version}) }

// send sends each packet in a separate batch.
func (c *client) send(packets ...proto.Packet) {
	for _, p := range packets {
		c.sendRaw(proto.AppendPacket(nil, p, c.version))
	}
}

// sendBatch sends packets in one batch.
func (c *client) sendBatch(packets ...proto.Packet) {
	var w proto.BatchWriter
	for _, p := range packets {
		w.Add(p, c.version)
	}
	c.sendPayload(w.Bytes())
}

// sendRaw sends any bytes as one packet.
func (c *client) sendRaw(packet []byte) { c.sendPayload(wire.VarBytes(nil, packet)) }

// sendPayload sends any payload as a batch. The batch is compressed and encrypted if the login has already enabled compression
// and encryption.
func (c *client) sendPayload(b []byte) {
	if !c.packed {
		c.connection.send(append([]byte{proto.BatchID}, b...))
		return
	}
	c.sendSealed(c.deflater.Compress(nil, b, proto.CompressThreshold))
}

// sendSealed sends a batch that consists of a compression byte and data. It encrypts the batch if the login has already enabled
// encryption.
func (c *client) sendSealed(b []byte) {
	if c.sealer != nil {
		b = c.sealer.Seal(nil, b)
	}
	c.connection.send(append([]byte{proto.BatchID}, b...))
}

// readBatch decodes a batch from the server.
func (c *client) readBatch(b []byte) {
	t := c.srv.t
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
		c.srv.t.Errorf("the server sent % x: %v", b[:min(len(b), 64)], err)
		return nil
	}
	c.packets = append(c.packets, p)
	c.received = append(c.received, packetName(p))
	c.handle(p)
	return nil
}

// handle reacts to packets of the login sequence like real clients.
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

// loginRequest returns the connection request of the client's login.
func (c *client) loginRequest() []byte {
	if c.login == nil {
		var err error
		c.login, err = auth.SelfSignedLogin{Name: c.name, Key: c.key, Now: time.Now().Unix()}.Append(nil)
		c.srv.must(err)
	}
	return c.login
}

// startEncryption derives the session key.
func (c *client) startEncryption(p proto.ServerToClientHandshake) {
	server, salt, err := auth.ParseHandshake(p.Token)
	c.srv.must(err)
	key, err := auth.SessionKey(c.key, server, salt)
	c.srv.must(err)
	c.sealer, c.opener = auth.NewSealer(key), auth.NewOpener(key)
}

// hasReceived reports whether a packet with this name has been received.
func (c *client) hasReceived(name string) bool {
	for _, n := range c.received {
		if n == name {
			return true
		}
	}
	return false
}

// takePackets returns the received packets and removes them from the client.
func (c *client) takePackets() []proto.Packet {
	list := c.packets
	c.packets = nil
	return list
}

// disconnectText returns the text of the server's Disconnect, or "" if there was none.
func (c *client) disconnectText() string {
	for _, p := range packetsOf[proto.Disconnect](c) {
		return p.Message
	}
	return ""
}

// waitDisconnect waits until the server has closed the connection and returns the text of its Disconnect.
func (c *client) waitDisconnect() string {
	c.srv.t.Helper()
	c.srv.waitFor("the server to disconnect "+c.name, func() bool { return c.closed })
	return c.disconnectText()
}

// packetsOf returns the received packets of one type in order.
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

// describe formats a packet for an error message.
func describe(p proto.Packet) string {
	s := fmt.Sprintf("%s%+v", packetName(p), p)
	return s[:min(len(s), 200)]
}

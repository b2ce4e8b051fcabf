package rs

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// client is a client of revision 667 that decodes all packets that it receives.
type client struct {
	srv  *testServer
	name string
	from string // address of the client
	conn net.Conn
	keys proto.Keys
	in   *proto.FrameReader
	out  *proto.FrameWriter

	sentWithLogin []proto.Packet // packets sent together with the login
	paused        chan struct{}  // if not nil, the client does not read until the channel is closed
	recording     bool           // updates of players are recorded
	mu            sync.Mutex
	code          proto.ResponseCode
	self          proto.Index
	view          *proto.PlayerInfoDecoder
	base          [2]int
	mapKeys       [16]proto.Keys
	packets       map[proto.Opcode]int
	opcodes       []proto.Opcode // opcodes of received packets in order
	lines         []string
	updates       []playerUpdate
	unread        []byte // bytes that were received but not decoded yet
	step          int
	err           error
	closed        bool
	readDone      chan struct{}
}

// playerUpdate is the change of one player in one packet.
type playerUpdate struct {
	cycle  int // number of player info packets received, including this one
	index  proto.Index
	change proto.PlayerChange
	info   proto.Info
}

func (c *client) dial(password string, reconnect bool) {
	c.keys = proto.Keys{1, 2, 3, uint32(time.Now().UnixNano())}
	c.conn = c.srv.dial(c.from)
	c.in = proto.NewFrameReader(proto.S2C, c.keys.ServerCipher())
	c.out = proto.NewFrameWriter(proto.C2S, c.keys.ClientCipher())
	login, err := proto.AppendLogin(nil, &testKey().PublicKey, reconnect, proto.RSABlock{Keys: c.keys, Password: password}, proto.LoginDetails{Username: c.name, WindowMode: 2})
	if err != nil {
		c.srv.t.Fatal(err)
	}
	conn := c.conn
	for _, p := range c.sentWithLogin {
		if login, err = c.out.AppendPacket(login, p); err != nil {
			c.srv.t.Fatal(err)
		}
	}
	go func() {
		conn.Write([]byte{proto.RequestLogin})
		conn.Write(login)
	}()
	go c.read(conn, c.readDone, reconnect)
}

// redial opens a new connection. If reconnect is set, the client asks to resume its session, otherwise it logs in anew.
func (c *client) redial(password string, reconnect bool) {
	<-c.readDone
	c.readDone = make(chan struct{})
	c.code, c.closed, c.opcodes = 0, false, nil
	if !reconnect {
		c.view = nil
	}
	c.dial(password, reconnect)
}

// read decodes the server's bytes until the connection ends.
func (c *client) read(conn net.Conn, over chan struct{}, reconnect bool) {
	defer close(over)
	defer func() {
		c.mu.Lock()
		c.closed = c.conn == conn
		c.mu.Unlock()
	}()
	c.unread, c.step = nil, 0
	buf := make([]byte, 4096)
	for {
		c.mu.Lock()
		hold := c.paused
		c.mu.Unlock()
		if hold != nil {
			<-hold
		}
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		c.readBytes(buf[:n])
	}
}

// Steps of a connection: first the byte HandshakeContinue, then the answer to the login, then frames.
const (
	stepHandshake = iota
	stepAnswer
	stepFrames
)

// readBytes decodes received bytes.
func (c *client) readBytes(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unread = append(c.unread, b...)
	if c.step == stepHandshake {
		c.step, c.unread = stepAnswer, c.unread[1:]
	}
	if c.step == stepAnswer {
		p, n, err := proto.SplitResponse(c.unread)
		if n > 0 {
			c.step, c.unread = stepFrames, c.unread[n:]
			err = c.handleResponse(p)
		}
		c.recordError(err)
	}
	for c.step == stepFrames && c.err == nil {
		f, n, err := c.in.Next(c.unread)
		c.recordError(err)
		if n == 0 {
			break
		}
		c.recordError(c.handleFrame(f))
		c.unread = c.unread[n:]
	}
}

func (c *client) recordError(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *client) firstError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *client) handleResponse(p proto.Response) error {
	c.code = p.Code
	switch p.Code {
	case proto.ResponseOK:
		w, err := proto.ParseWelcome(p.Body)
		c.self = w.Index
		return err
	case proto.ResponseReconnect:
		return c.view.Reconnect(p.Body)
	}
	return nil
}

func (c *client) handleFrame(f proto.Frame) error {
	c.packets[f.Op]++
	c.opcodes = append(c.opcodes, f.Op)
	switch f.Op {
	case proto.ServerPlayerInfo:
		err := c.view.Apply(f.Body)
		c.recordUpdates()
		return err
	case proto.ServerRebuildNormal:
		body := f.Body
		if c.view == nil {
			placement, rest, err := proto.SplitFirstMap(body)
			if err != nil {
				return err
			}
			if c.view, err = proto.NewPlayerInfoDecoder(proto.Profile667, c.self, placement); err != nil {
				return err
			}
			body = rest
		}
		p, err := proto.ParseRebuildNormal(body)
		c.base[0], c.base[1] = p.SceneBase()
		copy(c.mapKeys[:], p.Keys)
		return err
	case proto.ServerMessageGame:
		p, err := proto.ParseMessageGame(f.Body)
		c.lines = append(c.lines, p.Text)
		return err
	case proto.ServerMessagePublic:
		p, err := proto.ParseMessagePublic(f.Body)
		c.lines = append(c.lines, fmt.Sprintf("%d says %s", p.Index, p.Text))
		return err
	}
	return nil
}

// send writes a packet. The pipe blocks until the server reads.
func (c *client) send(p proto.Packet) {
	b, err := c.out.AppendPacket(nil, p)
	if err != nil {
		c.srv.t.Fatal(err)
	}
	c.conn.Write(b)
}

// recordUpdates records the changes of the last packet.
func (c *client) recordUpdates() {
	if !c.recording {
		return
	}
	for _, ch := range c.view.Changes() {
		t := playerUpdate{cycle: c.packets[proto.ServerPlayerInfo], index: ch.Index, change: ch}
		c.view.Info(ch.Index, &t.info)
		c.updates = append(c.updates, t)
	}
}

// startRecording starts to record player updates. recordedUpdates returns the recorded updates.
func (c *client) startRecording() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recording, c.updates, c.lines, c.opcodes = true, nil, nil, nil
}

func (c *client) recordedUpdates() []playerUpdate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.updates)
}

// updatesOf returns the recorded updates of one player.
func (c *client) updatesOf(i proto.Index) (list []playerUpdate) {
	for _, t := range c.recordedUpdates() {
		if t.index == i {
			list = append(list, t)
		}
	}
	return list
}

func (c *client) linesRead() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines)
}

// pause makes the client stop reading after the current read.
func (c *client) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused = make(chan struct{})
}

func (c *client) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.paused)
	c.paused = nil
}

// nameOf returns the name of the player that the client sees at an index, or "" if it sees none.
func (c *client) nameOf(i proto.Index) string {
	if _, ok := c.view.Local(i); !ok {
		return ""
	}
	look, err := proto.Profile667.ParseAppearance(c.view.Appearance(i))
	if err != nil {
		return "?"
	}
	return string(look.Name)
}

// indexOf returns the index at which the client sees a player of that name, or 0 if it sees none.
func (c *client) indexOf(name string) proto.Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.view.Locals() {
		if c.nameOf(i) == name {
			return i
		}
	}
	return 0
}

// tileOf returns the tile on which the client sees the player with an index.
func (c *client) tileOf(i proto.Index) proto.Tile {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, _ := c.view.Local(i)
	return t
}

func (c *client) packetCount(op proto.Opcode) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.packets[op]
}

// isClosed reports whether the connection has ended.
func (c *client) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// loggedOut reports whether the server sent a logout on this connection.
func (c *client) loggedOut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.opcodes, proto.ServerLogoutFull)
}

// checkNoError fails the test if the client could not decode the received bytes.
func (c *client) checkNoError() {
	c.srv.t.Helper()
	if err := c.firstError(); err != nil {
		c.srv.t.Errorf("%s: %v", c.name, err)
	}
}

// keepAlive advances time by d. The client sends keep-alives meanwhile.
func (c *client) keepAlive(d time.Duration) {
	for ; d > 0; d -= 5 * time.Second {
		c.send(proto.NoTimeout{})
		c.srv.advance(min(d, 5*time.Second))
	}
}

func (c *client) ownTile() proto.Tile {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, _ := c.view.Local(c.self)
	return t
}

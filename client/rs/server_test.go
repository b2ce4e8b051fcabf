package rs_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// key is the key of every test server: 512 bits, as in unmodified RuneScape clients.
var key = sync.OnceValue(func() *proto.PrivateKey {
	for {
		p, err1 := rand.Prime(rand.Reader, 256)
		q, err2 := rand.Prime(rand.Reader, 256)
		k, err3 := proto.NewPrivateKey(p, q, big.NewInt(proto.DefaultExponent))
		if errors.Join(err1, err2, err3) == nil {
			return k
		}
	}
})

// server is a test server with one scene on an in-memory network. The test performs each step of the server itself, inside
// a synctest bubble: if a client does not do what the test waits for, the bubble reports a deadlock.
type server struct {
	t     *testing.T
	ln    *netsim.Listener
	home  *netsim.Host // network host of all clients
	scene *proto.Scene
	enc   proto.PlayerInfoEncoder
	rows  proto.RowSet
	peers []*peer
}

func listen(t *testing.T) *server {
	t.Helper()
	network := netsim.New(1)
	ln, err := network.Host("10.0.0.1").Listen(":43594")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	s := &server{t: t, ln: ln, home: network.Host("10.0.1.1"), scene: proto.NewScene(proto.Profile667), rows: proto.NewRowSet(proto.MaxIndex + 1)}
	return s
}

func (s *server) config(user string) rs.Config {
	return rs.Config{Addr: s.ln.AddrPort().String(), Dial: s.home.Dial, Key: &key().PublicKey, User: user, Password: "secret", Seed: 1}
}

// peer is the server side of a connection.
type peer struct {
	t    *testing.T
	conn net.Conn
	buf  []byte

	login   proto.Login
	details proto.LoginDetails
	secret  proto.RSABlock

	in     *proto.FrameReader
	out    *proto.FrameWriter
	viewer *proto.Viewer
}

// accept accepts a connection and reads its login request.
func (s *server) accept() *peer {
	s.t.Helper()
	conn, err := s.ln.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	return readLogin(s.t, conn)
}

// readLogin performs the handshake and reads the login of a connection.
func readLogin(t *testing.T, conn net.Conn) *peer {
	t.Helper()
	t.Cleanup(func() { conn.Close() })
	p := &peer{t: t, conn: conn}
	var hello [1]byte
	if _, err := io.ReadFull(conn, hello[:]); err != nil || hello[0] != proto.RequestLogin {
		t.Fatalf("%v, %v", hello, err)
	}
	p.sendBytes([]byte{proto.HandshakeContinue})
	for {
		request, body, n, err := proto.SplitLogin(p.buf)
		if err != nil || n > 0 && request != proto.RequestGame {
			t.Fatal(request, err)
		}
		if n > 0 {
			p.decodeLogin(append([]byte(nil), body...))
			p.buf = p.buf[n:]
			return p
		}
		p.fill()
	}
}

// decodeLogin decrypts and parses a login request.
func (p *peer) decodeLogin(body []byte) {
	p.t.Helper()
	login, err := proto.ParseLogin(body)
	if err != nil {
		p.t.Fatal(err)
	}
	plain, err := key().Decrypt(login.RSA, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.secret, err = proto.ParseRSABlock(plain); err != nil {
		p.t.Fatal(err)
	}
	proto.XTEADecrypt(p.secret.Keys, login.XTEA)
	if p.details, err = proto.ParseLoginDetails(login.XTEA); err != nil {
		p.t.Fatal(err)
	}
	p.login = login
	p.in = proto.NewFrameReader(proto.C2S, p.secret.Keys.ClientCipher())
	p.out = proto.NewFrameWriter(proto.S2C, p.secret.Keys.ServerCipher())
}

func (p *peer) sendBytes(b []byte) {
	p.t.Helper()
	if _, err := p.conn.Write(b); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) fill() {
	p.t.Helper()
	b := make([]byte, 512)
	n, err := p.conn.Read(b)
	if err != nil {
		p.t.Fatal(err)
	}
	p.buf = append(p.buf, b[:n]...)
}

// frame returns the client's next packet.
func (p *peer) frame() (proto.Frame, proto.Packet) {
	p.t.Helper()
	for {
		f, n, err := p.in.Next(p.buf)
		if err != nil {
			p.t.Fatal(err)
		}
		if n == 0 {
			p.fill()
			continue
		}
		p.buf = p.buf[n:]
		pkt, err := proto.Parse(proto.C2S, f.Op, f.Body)
		if err != nil {
			p.t.Fatal(err)
		}
		return f, pkt
	}
}

// expect checks the client's next packet.
func (p *peer) expect(want proto.Packet) {
	p.t.Helper()
	if _, got := p.frame(); got != want {
		p.t.Fatalf("client sent %#v, want %#v", got, want)
	}
}

func (p *peer) send(pkt proto.Packet) {
	p.t.Helper()
	b, err := p.out.AppendPacket(nil, pkt)
	if err != nil {
		p.t.Fatal(err)
	}
	p.sendBytes(b)
}

func (p *peer) sendFrame(op proto.Opcode, body []byte) {
	p.t.Helper()
	b, err := p.out.Append(nil, op, body)
	if err != nil {
		p.t.Fatal(err)
	}
	p.sendBytes(b)
}

// add adds an avatar with appearance and speed to the scene.
func (s *server) add(row int, name string, at proto.Tile) {
	s.scene.Add(row, uint64(row), at)
	s.rows.Add(row)
	look := proto.Appearance{Bas: 1426, Name: []byte(name), CombatLevel: 3, MaxCombatLevel: 3, CombatRange: 255, PKIcon: -1, PrayerIcon: -1}
	in := proto.Info{Appearance: proto.Profile667.AppendAppearance(nil, &look), Speed: 1}
	in.Has = proto.InfoKindsOf(proto.KindAppearance, proto.KindSpeed)
	s.scene.SetInfo(row, &in)
}

// welcome completes the login of a player that is in the scene already.
func (s *server) welcome(p *peer, row int) {
	s.t.Helper()
	p.viewer = proto.NewViewer(s.scene, proto.Index(row))
	p.sendBytes(proto.Response{Code: proto.ResponseOK, Body: proto.Welcome{Index: proto.Index(row), MapOwner: "us"}.Append(nil)}.Append(nil))
	at := s.scene.Tile(row)
	p.sendFrame(proto.ServerRebuildNormal, proto.RebuildNormalAround(at.X, at.Z, proto.Area104, true).Append(p.viewer.AppendPlacement(nil, s.scene)))
	s.peers = append(s.peers, p)
}

// cycle sends each client the player info of the current cycle and starts the next cycle.
func (s *server) cycle() {
	s.t.Helper()
	s.scene.Prepare()
	for _, p := range s.peers {
		payload, err := s.enc.Encode(nil, s.scene, p.viewer, s.rows, proto.PacketLimits{})
		if err != nil {
			s.t.Fatal(err)
		}
		p.sendFrame(proto.ServerPlayerInfo, payload)
		p.viewer.Commit()
		p.send(proto.TickEnd{})
	}
	s.scene.Advance()
}

// dialing is a running Dial.
type dialing struct {
	c    *rs.Client
	err  error
	done chan struct{}
}

func dial(t *testing.T, cfg rs.Config) *dialing {
	d := &dialing{done: make(chan struct{})}
	go func() {
		defer close(d.done)
		d.c, d.err = rs.Dial(context.Background(), cfg)
	}()
	t.Cleanup(func() {
		<-d.done
		if d.c != nil {
			d.c.Close()
		}
	})
	return d
}

// wait returns the client once it is in the game.
func (d *dialing) wait(t *testing.T) *rs.Client {
	t.Helper()
	<-d.done
	if d.err != nil {
		t.Fatal(d.err)
	}
	return d.c
}

var windowStatus = proto.WindowStatus{Mode: proto.WindowResizable, Width: 1024, Height: 768}

// enterGame logs a player in and reads the client's automatic packets.
func (s *server) enterGame(row int, cfg rs.Config, at proto.Tile) (*rs.Client, *peer) {
	s.t.Helper()
	d := dial(s.t, cfg)
	p := s.accept()
	s.add(row, cfg.User, at)
	s.welcome(p, row)
	c := d.wait(s.t)
	p.expect(proto.MapBuildComplete{})
	p.expect(windowStatus)
	return c, p
}

// cycleNotifier is a behaviour that sends the cycle number of each PLAYER_INFO packet to a channel.
type cycleNotifier chan int

// notifyCycles returns a channel that receives the number of each cycle that the client has applied.
func notifyCycles(c *rs.Client) cycleNotifier {
	seen := make(cycleNotifier, 100)
	c.Play(seen)
	return seen
}

func (s cycleNotifier) Act(p *rs.Player) { s <- p.World().Cycle }

// wait waits until the client has applied the given cycle.
func (s cycleNotifier) wait(t *testing.T, cycle int) {
	t.Helper()
	for <-s != cycle {
	}
}

// waitDone waits until a client has ended and returns the reason.
func waitDone(t *testing.T, c *rs.Client) error {
	t.Helper()
	<-c.Done()
	return c.Err()
}

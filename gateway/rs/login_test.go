package rs

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/move"
)

// secretOf returns the secret of an account for a password: the MD5 that RealmCrafter clients send.
func secretOf(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// createAccount creates an account as another gateway would.
func (srv *testServer) createAccount(name, password string) *session.Login {
	srv.t.Helper()
	who := session.Peer{Conn: srv.gateway.connSerial.Add(1), Door: "other", Authority: move.ByClaim}
	srv.must(srv.hub.CreateAccount(srv.t.Context(), who, name, secretOf(password), ""))
	l, err := srv.hub.Login(srv.t.Context(), who, name, secretOf(password))
	srv.must(err)
	return l
}

// joinByOtherDoor enters a player into the world through the session hub, as another gateway does.
func (srv *testServer) joinByOtherDoor(name string) *session.Session {
	srv.t.Helper()
	l := srv.createAccount(name, "secret")
	template, _ := gateway.FirstPlayable(srv.world.Def())
	srv.must(srv.hub.CreateCharacter(srv.t.Context(), l, session.NewCharacter{Name: name, Template: template}))
	s, err := srv.hub.Enter(srv.t.Context(), l, 0)
	srv.must(err)
	return s
}

// request returns a login request as a client sends it.
func (srv *testServer) request(name, password string, reconnect bool) []byte {
	b, err := proto.AppendLogin(nil, &testKey().PublicKey, reconnect, proto.RSABlock{Keys: proto.Keys{1, 2, 3, 4}, Password: password}, proto.LoginDetails{Username: name, WindowMode: 2})
	srv.must(err)
	return b
}

// rawRequest returns a login request whose encrypted part is the parameter zone.
func (srv *testServer) rawRequest(zone []byte) []byte {
	keys := proto.Keys{1, 2, 3, 4}
	sealed, err := testKey().Encrypt(proto.RSABlock{Keys: keys, Password: "secret"}.Append(nil))
	srv.must(err)
	proto.XTEAEncrypt(keys, zone)
	body := proto.Login{Build: proto.Revision, RSA: sealed, XTEA: zone}.Append(nil)
	return append([]byte{proto.RequestGame, byte(len(body) >> 8), byte(len(body))}, body...)
}

// loginCode sends a request and returns the response code, or -1 if the connection ends without one.
func (srv *testServer) loginCode(from string, request []byte) int {
	c := srv.dial(from)
	defer c.Close()
	return srv.loginCodeOver(c, request)
}

func (srv *testServer) loginCodeOver(c net.Conn, request []byte) int {
	var b [1]byte
	if _, err := c.Write([]byte{proto.RequestLogin}); err != nil {
		return -1
	}
	if _, err := io.ReadFull(c, b[:]); err != nil || b[0] != proto.HandshakeContinue {
		return -1
	}
	go c.Write(request)
	if _, err := io.ReadFull(c, b[:]); err != nil {
		return -1
	}
	return int(b[0])
}

func TestLoginResultIsSentAsResponseCode(t *testing.T) {
	withServer(t, nil, Options{}, func(srv *testServer) {
		for _, name := range []string{"Ada", "Bob", "Cy"} {
			srv.createAccount(name, "secret")
		}
		bob, err := srv.store.Account(srv.t.Context(), "Bob")
		srv.must(err)
		srv.must(srv.store.SetBanned(srv.t.Context(), bob.ID, true))
		srv.join("Cy")
		srv.joinByOtherDoor("Dee")
		edit := func(b []byte, at int, v byte) []byte {
			b = slices.Clone(b)
			b[at] = v
			return b
		}
		good := srv.request("Ada", "secret", false)
		short := append([]byte{proto.RequestGame, 0, 4}, good[3:7]...)
		for _, c := range []struct {
			desc    string
			request []byte
			want    proto.ResponseCode
		}{
			{"the password is wrong", srv.request("Ada", "guess", false), proto.ResponseCredentials},
			{"the account does not exist", srv.request("Eve", "secret", false), proto.ResponseCredentials},
			{"the name is blank", srv.request(" ", "secret", false), proto.ResponseCredentials},
			{"the password is empty", srv.request("Ada", "", false), proto.ResponseCredentials},
			{"the account is banned", srv.request("Bob", "secret", false), proto.ResponseDisabled},
			{"banned, and the password is wrong", srv.request("Bob", "guess", false), proto.ResponseCredentials},
			{"the player is in the world", srv.request("Cy", "secret", false), proto.ResponseOnline},
			{"the player is in the world, and the password is wrong", srv.request("Cy", "guess", false), proto.ResponseCredentials},
			{"the player is in the world through another gateway", srv.request("Dee", "secret", false), proto.ResponseOnline},
			{"a reconnect to another gateway's session", srv.request("Dee", "secret", true), proto.ResponseOnline},
			{"a reconnect without a session", srv.request("Ada", "secret", true), proto.ResponseSession},
			{"the client is of another revision", edit(good, 6, 0), proto.ResponseUpdated},
			{"the RSA block was encrypted with another key", edit(good, 20, good[20]^1), proto.ResponseSession},
			{"the lobby", edit(good, 0, proto.RequestLobby), proto.ResponseRejected},
			{"an unknown request", edit(good, 0, 77), proto.ResponseSession},
			{"the request ends early", short, proto.ResponseRejected},
			{"the name is not terminated", srv.rawRequest([]byte("AdaAdaAd")), proto.ResponseRejected},
			{"a valid login", good, proto.ResponseOK},
		} {
			if got := srv.loginCode("192.0.2.1", c.request); got != int(c.want) {
				t.Errorf("%s: %d, want %d", c.desc, got, c.want)
			}
		}
	})
}

func TestLoginWithUnknownValidNameCreatesAccountIfRegistrationIsOpen(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		if got := ada.indexOf("Ada"); got != ada.self {
			t.Errorf("sees itself at %d, is %d", got, ada.self)
		}
		for _, c := range []struct {
			desc, name string
			reconnect  bool
			want       proto.ResponseCode
		}{
			{"a long name", "Abcdefghijklm", false, proto.ResponseCredentials},
			{"a name with a slash", "../Eve", false, proto.ResponseCredentials},
			{"a reconnect", "Eve", true, proto.ResponseCredentials},
			{"a name on the world's filter", "TheKing", false, proto.ResponseRejected},
		} {
			if got := srv.loginCode("192.0.2.1", srv.request(c.name, "secret", c.reconnect)); got != int(c.want) {
				t.Errorf("%s: %d, want %d", c.desc, got, c.want)
			}
		}
		if _, err := srv.store.Account(srv.t.Context(), "Eve"); err == nil {
			t.Error("a reconnect created an account")
		}
	})
}

func TestAccountWorksForRuneScapeAndRealmCrafterClients(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		srv.createAccount("Ada_Byron", "secret")
		if c := srv.join("ada byron"); c.indexOf("ada byron") == 0 {
			t.Error("a login to an account of another gateway got no character")
		}
		srv.join("Bob")
		who := session.Peer{Conn: srv.gateway.connSerial.Add(1), Door: "other"}
		if _, err := srv.hub.Login(srv.t.Context(), who, "Bob", secretOf("secret")); err != session.ErrOnline {
			t.Errorf("login through another gateway to an account of this one: %v", err)
		}
	})
}

func TestNewCharacterGetsNumberedNameIfNameIsTaken(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		template, _ := gateway.FirstPlayable(srv.world.Def())
		srv.must(srv.hub.CreateCharacter(srv.t.Context(), srv.createAccount("Other", "x"), session.NewCharacter{Name: "Ada", Template: template}))
		if c := srv.join("Ada"); c.indexOf("Ada 2") != c.self {
			t.Errorf("the character is called %q", c.nameOf(c.self))
		}
	})
}

func TestRepeatedWrongPasswordsAreThrottled(t *testing.T) {
	withServer(t, nil, Options{}, func(srv *testServer) {
		srv.createAccount("Ada", "secret")
		codes := map[int]int{}
		for range 40 {
			codes[srv.loginCode("192.0.2.1", srv.request("Ada", "guess", false))]++
		}
		if codes[3] != 10 || codes[16] != 30 {
			t.Errorf("codes %v, want 10 times 3 and 30 times 16", codes)
		}
		if got := srv.loginCode("192.0.2.1", srv.request("Ada", "secret", false)); got != 16 {
			t.Errorf("the right password from the throttled address: %d", got)
		}
		if got := srv.loginCode("198.51.100.1", srv.request("Ada", "secret", false)); got != 2 {
			t.Errorf("the right password from another address: %d", got)
		}
	})
}

func TestLoginToFullAreaIsRefusedWithResponseCode(t *testing.T) {
	w := valeWithoutNPCs()
	w.Rules.MaxActors = 2
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		srv.join("Ada")
		srv.join("Bob")
		for range 2 {
			if got := srv.loginCode("192.0.2.1", srv.request("Cy", "secret", false)); got != int(proto.ResponseFull) {
				t.Errorf("the login to a full area was answered %d", got)
			}
		}
	})
}

// The client is told that the area is full even if its worker was blocked while the area refused the player.
func TestLoginToFullAreaIsRefusedEvenIfWorkerIsBlockedForTenSeconds(t *testing.T) {
	w := valeWithoutNPCs()
	w.Rules.MaxActors = 0
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		go srv.gateway.workers[0].runAndWait(func() { time.Sleep(10 * time.Second) })
		if got := srv.loginCode("192.0.2.1", srv.request("Cy", "secret", false)); got != int(proto.ResponseFull) {
			t.Errorf("answered %d", got)
		}
	})
}

func TestLoginDuringServerStopIsAnswered(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		c := srv.dial("192.0.2.1")
		defer c.Close()
		c.Write([]byte{proto.RequestLogin})
		io.ReadFull(c, make([]byte, 1))
		srv.must(srv.world.Stop(context.Background()))
		go c.Write(srv.request("Ada", "secret", false))
		var b [1]byte
		if _, err := io.ReadFull(c, b[:]); err != nil || b[0] != uint8(proto.ResponseUpdating) {
			t.Errorf("answered %d, %v", b[0], err)
		}
	})
}

// The server stops after the account was created and before the player has appeared in a frame of the area.
func TestPendingLoginIsAnsweredWhenServerStops(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		c := srv.startLogin("Ada", "secret", false)
		srv.advance(10 * time.Millisecond)
		srv.must(srv.world.Stop(context.Background()))
		srv.advance(time.Second)
		if c.code != proto.ResponseUpdating || !c.isClosed() {
			t.Errorf("answered %d, ended %v", c.code, c.isClosed())
		}
	})
}

func TestLoginSentByteByByteSucceeds(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		c := srv.dial("192.0.2.1")
		defer c.Close()
		code := make(chan byte, 1)
		go func() {
			var b [2]byte
			io.ReadFull(c, b[:])
			code <- b[1]
		}()
		for _, b := range append([]byte{proto.RequestLogin}, srv.request("Ada", "secret", false)...) {
			c.Write([]byte{b})
			srv.advance(5 * time.Millisecond)
		}
		if got := <-code; got != uint8(proto.ResponseOK) {
			t.Errorf("answered %d", got)
		}
	})
}

func TestIncompleteLoginTimesOut(t *testing.T) {
	for _, c := range []struct {
		desc string
		sent []byte
	}{
		{"nothing", nil},
		{"only the first byte", []byte{proto.RequestLogin}},
		{"half of a request", []byte{proto.RequestLogin, proto.RequestGame, 1, 0, 0, 0}},
		{"an unknown service", []byte{200}},
	} {
		withServer(t, slowVale(), Options{}, func(srv *testServer) {
			conn := srv.dial("192.0.2.1")
			go conn.Write(c.sent)
			go io.Copy(io.Discard, conn)
			srv.advance(handshakeTimeout + answerTimeout + time.Second)
			srv.gateway.mu.Lock()
			defer srv.gateway.mu.Unlock()
			if n := len(srv.gateway.conns); n != 0 {
				t.Errorf("%s: still %d connections", c.desc, n)
			}
		})
	}
}

func TestPacketsSentWithLoginAreProcessed(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		from := ada.ownTile()
		ada.send(proto.ClientCheat{Command: "logout"})
		srv.advanceCycles(2)
		c := srv.newClient("Ada")
		c.sentWithLogin = []proto.Packet{proto.MoveGameClick{X: from.X + 2, Z: from.Z}, proto.WindowStatus{Mode: proto.WindowFixed, Width: 800, Height: 600}, proto.ClientCheat{Command: "help"}}
		c.dial("secret", false)
		srv.advanceCycles(6)
		c.checkNoError()
		if got := c.ownTile(); got.X != from.X+2 {
			t.Errorf("went from %v to %v", from, got)
		}
		if !slices.Contains(c.linesRead(), helpText) {
			t.Errorf("read %q", c.linesRead())
		}
	})
}

package bedrock

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// authService is the private key of a fake authentication service.
var authService = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func onlineOptions() Options {
	return Options{Online: true, Keys: &auth.XboxKeys{Service: []auth.ServiceKey{{ID: "k", Key: &authService().PublicKey}}}}
}

// signLogin replaces a client's login by one that authService has signed.
func (c *client) signLogin(xuid string) *client {
	c.srv.t.Helper()
	key, err := auth.FormatPublicKey(&c.key.PublicKey)
	c.srv.must(err)
	self, err := auth.ParseConnectionRequest(c.loginRequest()) // the signed login reuses the client data of the self-signed one
	c.srv.must(err)
	part := func(v any) string {
		b, err := json.Marshal(v)
		c.srv.must(err)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	token := part(map[string]any{"alg": "RS256", "kid": "k"}) + "." + part(map[string]any{
		"cpk": key, "xid": xuid, "xname": c.name, "exp": time.Now().Unix() + 3600,
		"aud": "api://auth-minecraft-services/multiplayer",
	})
	sum := sha256.Sum256([]byte(token))
	signature, err := rsa.SignPKCS1v15(rand.Reader, authService(), crypto.SHA256, sum[:])
	c.srv.must(err)
	identity, err := json.Marshal(map[string]any{
		"AuthenticationType": 0, "Certificate": `{"chain":[""]}`,
		"Token": token + "." + base64.RawURLEncoding.EncodeToString(signature),
	})
	c.srv.must(err)
	c.login = auth.ConnectionRequest{Identity: identity, ClientData: self.ClientData}.Append(nil)
	return c
}

func TestSecondLoginWithSameNameIsRefusedInOfflineMode(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 3}, func(srv *testServer) {
		a := srv.join("Ann")
		for _, name := range []string{"Ann", "ann", "ANN"} {
			b := srv.connect(name)
			b.manual = false
			b.sendHello()
			if text := b.waitDisconnect(); !strings.Contains(text, "already in the world") {
				t.Errorf("%s received %q", name, text)
			}
		}
		if a.closed || srv.gateway.players.Load() != 1 {
			t.Errorf("first session closed: %v; %d players", a.closed, srv.gateway.players.Load())
		}
		a.close()
		srv.join("ANN") // the name ann is free as soon as its previous connection has closed
	})
}

func TestSecondLoginWithSameXUIDReplacesFirstSession(t *testing.T) {
	t.Parallel()
	o := onlineOptions()
	o.Workers = 3
	withServer(t, twoFields(), o, func(srv *testServer) {
		other := srv.connect("bob").signLogin("2535400000000002")
		other.manual = false
		other.join()
		var before *client
		for range 6 { // log in six times, because connections are hashed to different workers
			c := srv.connect("ann").signLogin("2535400000000001")
			c.manual = false
			c.join()
			if before != nil && (!before.closed || !strings.Contains(before.disconnectText(), "another place")) {
				t.Errorf("first session closed: %v, text %q", before.closed, before.disconnectText())
			}
			before = c
		}
		if other.closed || srv.gateway.players.Load() != 2 || srv.hub.Stats().Online != 2 {
			t.Errorf("%d players, %d online", srv.gateway.players.Load(), srv.hub.Stats().Online)
		}
	})
}

// Accounts are keyed by XUID, not by name: a renamed player keeps its account, and another player who takes the old
// name gets another account.
func TestOnlineModeIdentifiesAccountsByXUID(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), onlineOptions(), func(srv *testServer) {
		a := srv.connect("ann").signLogin("2535400000000001")
		a.manual = false
		a.join()
		other := srv.connect("ann").signLogin("2535400000000002")
		other.manual = false
		other.join()
		if a.closed || srv.gateway.players.Load() != 2 {
			t.Error("two accounts with one name are not two players")
		}
		renamed := srv.connect("anna").signLogin("2535400000000001")
		renamed.manual = false
		renamed.join()
		if !a.closed || other.closed {
			t.Errorf("closed: old session %v, other account %v", a.closed, other.closed)
		}
	})
}

// Logins are sent unencrypted, so an attacker can record one and send it again. The attacker cannot derive the key of the
// encryption and must not replace the player's session.
func TestReplayedLoginDoesNotReplaceSession(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), onlineOptions(), func(srv *testServer) {
		a := srv.connect("ann").signLogin("2535400000000001")
		a.manual = false
		a.join()
		attacker := srv.connect("ann")
		attacker.login = a.login
		attacker.sendHello()
		srv.waitFor("the network settings", func() bool { return attacker.packed })
		attacker.send(proto.Login{Protocol: attacker.version, Request: attacker.login})
		srv.waitFor("the handshake", func() bool { return attacker.hasReceived("ServerToClientHandshake") })
		attacker.sealer = auth.NewSealer([32]byte{1}) // the attacker cannot derive the right key, so it uses any wrong key
		attacker.opener = nil
		attacker.connection.onMessage = func([]byte) {}
		attacker.send(proto.ClientToServerHandshake{})
		srv.waitFor("the attacker to be disconnected", func() bool { return attacker.closed })
		if srv.faults("checksum") != 1 || srv.logs.Count("checksum") != 1 {
			t.Errorf("counted %d, logged:\n%s", srv.faults("checksum"), srv.logs)
		}
		srv.advance(time.Second)
		if a.closed {
			t.Errorf("the player was disconnected: %q", a.disconnectText())
		}
	})
}

// Rule VE-4 of docs/wire/bedrock.md: without the service's keys, or without its signature, a login is refused.
func TestOnlineModeRefusesUnsignedLogins(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"no_keys":     {Online: true},
		"self_signed": onlineOptions(),
	} {
		t.Run(name, func(t *testing.T) {
			withServer(t, twoFields(), o, func(srv *testServer) {
				c := srv.connect("ann")
				c.manual = false
				c.sendHello()
				if text := c.waitDisconnect(); text == "" || srv.faults("refused_"+name) != 1 || srv.logs.Count("refused_"+name) != 1 {
					t.Errorf("received %q; logged:\n%s", text, srv.logs)
				}
				if c.hasReceived("ServerToClientHandshake") {
					t.Error("the login reached the handshake")
				}
				if srv.hub.Stats().Online != 0 {
					t.Error("an account is online")
				}
			})
		})
	}
	withServer(t, twoFields(), Options{}, func(srv *testServer) { // in offline mode a login signed by the service is refused, too
		c := srv.connect("ann").signLogin("2535400000000001")
		c.manual = false
		c.sendHello()
		c.waitDisconnect()
		if srv.faults("refused_not_self_signed") != 1 {
			t.Errorf("logged:\n%s", srv.logs)
		}
	})
}

// A player that logs in again starts at the position of its last logout, because the position is stored with its
// account.
func TestPlayerLogsInAtPositionOfLastLogout(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		p := srv.joinPlayer("ann")
		p.walk(2*time.Second, walkNorth)
		srv.advance(time.Second)
		left := p.position()
		p.close()
		srv.advance(time.Second)
		p = srv.joinPlayer("ann")
		if d := p.position().Sub(left); d.X*d.X+d.Z*d.Z > 1e-4 {
			t.Errorf("left at %v, back at %v", left, p.position())
		}
		p.assertUnaffected("the second login")
	})
}

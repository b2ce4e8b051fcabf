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

// service is the authorization service of the tests.
var service = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func online() Options {
	return Options{Online: true, Keys: &auth.Keys{Service: []auth.ServiceKey{{ID: "k", Key: &service().PublicKey}}}}
}

// xbox gives a client a login that the service vouches for.
func (c *client) xbox(xuid string) *client {
	c.r.t.Helper()
	key, err := auth.FormatKey(&c.key.PublicKey)
	c.r.must(err)
	self, err := auth.ParseRequest(c.request()) // its client data will do
	c.r.must(err)
	part := func(v any) string {
		b, err := json.Marshal(v)
		c.r.must(err)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	token := part(map[string]any{"alg": "RS256", "kid": "k"}) + "." + part(map[string]any{
		"cpk": key, "xid": xuid, "xname": c.name, "exp": time.Now().Unix() + 3600,
		"aud": "api://auth-minecraft-services/multiplayer",
	})
	sum := sha256.Sum256([]byte(token))
	signature, err := rsa.SignPKCS1v15(rand.Reader, service(), crypto.SHA256, sum[:])
	c.r.must(err)
	identity, err := json.Marshal(map[string]any{
		"AuthenticationType": 0, "Certificate": `{"chain":[""]}`,
		"Token": token + "." + base64.RawURLEncoding.EncodeToString(signature),
	})
	c.r.must(err)
	c.login = auth.Request{Identity: identity, ClientData: self.ClientData}.Append(nil)
	return c
}

func TestVE2OfflineTheSecondOfANameIsRefused(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{Workers: 3}, func(r *rig) {
		a := r.enters("Ann")
		for _, name := range []string{"Ann", "ann", "ANN"} {
			b := r.stranger(name)
			b.manual = false
			b.hello()
			if text := b.sentAway(); !strings.Contains(text, "in the world already") {
				t.Errorf("%s was told %q", name, text)
			}
		}
		if a.gone || r.gate.players.Load() != 1 {
			t.Errorf("the first is gone: %v; %d players", a.gone, r.gate.players.Load())
		}
		a.hangUp()
		r.enters("ANN") // at once
	})
}

func TestVE2OnlineTheSecondTakesThePlaceOfTheFirst(t *testing.T) {
	t.Parallel()
	o := online()
	o.Workers = 3
	bubble(t, twoFields(), o, func(r *rig) {
		beside := r.stranger("bob").xbox("2535400000000002")
		beside.manual = false
		beside.enter()
		var before *client
		for range 6 { // from one worker to the next
			c := r.stranger("ann").xbox("2535400000000001")
			c.manual = false
			c.enter()
			if before != nil && (!before.gone || !strings.Contains(before.farewell(), "another place")) {
				t.Errorf("the first is gone: %v; it was told %q", before.gone, before.farewell())
			}
			before = c
		}
		if beside.gone || r.gate.players.Load() != 2 || r.hub.Stats().Online != 2 {
			t.Errorf("%d players, %d online", r.gate.players.Load(), r.hub.Stats().Online)
		}
	})
}

// Accounts count, not names: who has changed his name is the same, and who has taken it over is not.
func TestOnlineWhoSomebodyIsSaysTheService(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), online(), func(r *rig) {
		a := r.stranger("ann").xbox("2535400000000001")
		a.manual = false
		a.enter()
		other := r.stranger("ann").xbox("2535400000000002")
		other.manual = false
		other.enter()
		if a.gone || r.gate.players.Load() != 2 {
			t.Error("two accounts of one name are not two players")
		}
		renamed := r.stranger("anna").xbox("2535400000000001")
		renamed.manual = false
		renamed.enter()
		if !a.gone || other.gone {
			t.Errorf("gone: the one before %v, the other %v", a.gone, other.gone)
		}
	})
}

// A login passes in the clear, so it can be recorded. Who sends it again lacks the key, and puts nobody out.
func TestARecordedLoginTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), online(), func(r *rig) {
		a := r.stranger("ann").xbox("2535400000000001")
		a.manual = false
		a.enter()
		thief := r.stranger("ann")
		thief.login = a.login
		thief.hello()
		r.until("the settings", func() bool { return thief.packed })
		thief.send(proto.Login{Protocol: thief.version, Request: thief.login})
		r.until("the handshake", func() bool { return thief.has("ServerToClientHandshake") })
		thief.sealer = auth.NewSealer([32]byte{1}) // the best that it can do
		thief.opener = nil
		thief.line.message = func([]byte) {}
		thief.send(proto.ClientToServerHandshake{})
		r.until("the thief to be sent away", func() bool { return thief.gone })
		if r.bad("checksum") != 1 || r.logged.count("checksum") != 1 {
			t.Errorf("counted %d, logged:\n%s", r.bad("checksum"), r.logged)
		}
		r.run(time.Second)
		if a.gone {
			t.Errorf("the player was put out: %q", a.farewell())
		}
	})
}

// VE-4: without the service's keys nobody gets in, and nobody who is not vouched for.
func TestOnlineRefusesWhomNobodyVouchesFor(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"no_keys":     {Online: true},
		"self_signed": online(),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, twoFields(), o, func(r *rig) {
				c := r.stranger("ann")
				c.manual = false
				c.hello()
				if text := c.sentAway(); text == "" || r.bad("refused_"+name) != 1 || r.logged.count("refused_"+name) != 1 {
					t.Errorf("told %q; logged:\n%s", text, r.logged)
				}
				if c.has("ServerToClientHandshake") {
					t.Error("it came to the handshake")
				}
				if r.hub.Stats().Online != 0 {
					t.Error("somebody is in")
				}
			})
		})
	}
	bubble(t, twoFields(), Options{}, func(r *rig) { // and offline nobody pretends
		c := r.stranger("ann").xbox("2535400000000001")
		c.manual = false
		c.hello()
		c.sentAway()
		if r.bad("refused_not_self_signed") != 1 {
			t.Errorf("logged:\n%s", r.logged)
		}
	})
}

// A record belongs to the account: the same player comes back as the same, under a name that the world allows.
func TestAPlayerComesBackWhereHeLeft(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		p := r.player("ann")
		p.walk(2*time.Second, walkNorth)
		r.run(time.Second)
		left := p.at()
		p.hangUp()
		r.run(time.Second)
		p = r.player("ann")
		if d := p.at().Sub(left); d.X*d.X+d.Z*d.Z > 1e-4 {
			t.Errorf("left at %v, back at %v", left, p.at())
		}
		p.unharmed("coming back")
	})
}

package web

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
)

func TestSignedTicketsAndGuestIdentitiesAreReadUnchangedAfterRestart(t *testing.T) {
	dir := t.TempDir()
	s, err := loadSigner(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := newGuest()
	sealed := s.sealGuest(g)
	want := ticket{expires: time.Unix(1_700_000_000, 0), nonce: [12]byte{1, 2}, account: g.account(), name: "Ann", secret: true, mark: s.mark([32]byte{3})}
	text := s.sealTicket(&want)
	again, err := loadSigner(dir) // as after a restart
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := again.openGuest(sealed); !ok || got != g {
		t.Errorf("guest %x, %v, want %x", got, ok, g)
	}
	if got, err := again.openTicket(text); err != nil || !got.expires.Equal(want.expires) || got.nonce != want.nonce || got.account != want.account || got.name != "Ann" || !got.secret || got.mark != want.mark {
		t.Errorf("ticket %+v, %v, want %+v", got, err, want)
	}
	if _, ok := again.openGuest(text); ok {
		t.Error("a ticket was accepted as a guest")
	}
	if info, err := os.Stat(filepath.Join(dir, KeyFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key file: %v, %v, want mode 0600", info.Mode(), err)
	}
}

func TestForgedTicketsAndGuestIdentitiesAreRefused(t *testing.T) {
	s, err := loadSigner(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := s.sealGuest(newGuest())
	for n := range text {
		if _, ok := s.openGuest(text[:n]); ok {
			t.Fatalf("the first %d characters were accepted", n)
		}
	}
	other, err := loadSigner(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := other.openGuest(text); ok {
		t.Error("a guest of another server was accepted")
	}
	if _, err := s.openTicket(s.seal(purposeTicket, []byte("short"))); !errors.Is(err, errTicket) {
		t.Errorf("short ticket: %v, want errTicket", err)
	}
}

func TestTicketIsValidOnceAndForOneMinute(t *testing.T) {
	var u usedTickets
	now := time.Unix(1000, 0)
	a := ticket{expires: now.Add(ticketLife), nonce: [12]byte{1}}
	if err := u.use(&a, now); err != nil {
		t.Error(err)
	}
	if err := u.use(&a, now); !errors.Is(err, errTicketUsed) {
		t.Errorf("second use: %v, want errTicketUsed", err)
	}
	b := ticket{expires: now, nonce: [12]byte{2}}
	if err := u.use(&b, now); !errors.Is(err, errTicketOld) {
		t.Errorf("use after the end: %v, want errTicketOld", err)
	}
	for i := 1; i < maxUsed; i++ {
		c := ticket{expires: now.Add(ticketLife), nonce: [12]byte{3, byte(i), byte(i >> 8)}}
		if err := u.use(&c, now); err != nil {
			t.Fatal(err)
		}
	}
	c := ticket{expires: now.Add(2 * ticketLife), nonce: [12]byte{9}}
	if err := u.use(&c, now); !errors.Is(err, errTicketsFull) {
		t.Errorf("at the limit: %v, want errTicketsFull", err)
	}
	if err := u.use(&c, now.Add(ticketLife)); err != nil {
		t.Errorf("after the others have expired: %v", err)
	}
}

func TestErrorOfDamagedKeySaysWhichFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, KeyFile)
	for _, text := range []string{"", "abc", strings.Repeat("x", 64), strings.Repeat("a", 63)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadSigner(dir); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("key file %q: %v, want an error with its path", text, err)
		}
	}
}

// The server renews its certificate every week. A client with hashes that are one minute old is served a certificate that it
// accepts, and each certificate is valid for at most 14 days.
func TestHashOfNextCertificateIsPublishedBeforeCertificateIsServed(t *testing.T) {
	c, err := newCertificates(nil)
	if err != nil {
		t.Fatal(err)
	}
	now := c.start
	c.now = func() time.Time { return now }
	known := c.hashes()
	served := map[string]bool{}
	for range 40 * 24 {
		now = now.Add(time.Hour)
		cert, err := c.config().GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(cert.Certificate[0])
		hash := base64.StdEncoding.EncodeToString(sum[:])
		if hash != known[0] && hash != known[1] {
			t.Fatalf("after %v a certificate is served that was not announced an hour before", now.Sub(c.start))
		}
		x, err := x509.ParseCertificate(cert.Certificate[0])
		if err != nil || now.Before(x.NotBefore) || now.After(x.NotAfter) || x.NotAfter.Sub(x.NotBefore) > 14*24*time.Hour {
			t.Fatalf("at %v the certificate is valid %v..%v, %v", now, x.NotBefore, x.NotAfter, err)
		}
		served[hash] = true
		known = c.hashes()
	}
	if len(served) != 6 {
		t.Errorf("%d certificates in 40 days, want 6", len(served))
	}
	now = now.Add(100 * 24 * time.Hour) // as on a computer that has slept for 100 days
	cert, err := c.config().GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := x509.ParseCertificate(cert.Certificate[0]); err != nil || now.After(x.NotAfter) {
		t.Errorf("after a pause the certificate is valid until %v, %v", x.NotAfter, err)
	}
}

// FuzzTokens verifies arbitrary texts as tokens. None may be accepted, because the game's backend has not signed them.
func FuzzTokens(f *testing.F) {
	keys := BackendKeys{{"e", jose.HS256, bytes.Repeat([]byte{1}, 32)}}
	stranger, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: bytes.Repeat([]byte{2}, 32)}, nil)
	if err != nil {
		f.Fatal(err)
	}
	now := time.Unix(1_700_000_000, 0)
	token, err := jwt.Signed(stranger).Claims(jwt.Claims{Subject: "u", Audience: jwt.Audience{tokenAudience}, Expiry: jwt.NewNumericDate(now.Add(time.Minute))}).Serialize()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{token, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1LTE3In0.", "..", "{}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := keys.verify(text, now); err == nil {
			t.Errorf("%q is accepted", text)
		}
	})
}

// One client can request tickets quickly, because known secrets are verified without the slow hash. Only the newest tickets are kept.
func TestTicketsOfOneAccountReplaceEachOther(t *testing.T) {
	var logins loginTable
	now := time.Unix(1000, 0)
	one := &session.Login{Name: "Ann"}
	var first, last ticketNonce
	for i := range 2 * maxLogins {
		k := ticket{expires: now.Add(ticketLife), nonce: ticketNonce{1, byte(i), byte(i >> 8)}}
		if i == 0 {
			first = k.nonce
		}
		last = k.nonce
		logins.add(&k, one, now)
	}
	other := ticket{expires: now.Add(ticketLife), nonce: ticketNonce{2}}
	two := &session.Login{Name: "Bob"}
	if logins.add(&other, two, now); logins.pop(other.nonce) != two {
		t.Error("tickets of one account lock out another account")
	}
	if logins.pop(first) != nil || logins.pop(last) != one || len(logins.by) != maxAccountLogins-1 {
		t.Errorf("%d tickets are stored; want the newest %d of the account", len(logins.by)+1, maxAccountLogins)
	}
}

// A client with many accounts requests tickets for them, from one network or from many. Its tickets replace each other, and players
// of other networks keep theirs.
func TestTicketsOfManyAccountsDoNotLockOutOtherNetworks(t *testing.T) {
	for name, networks := range map[string]int{"one network": 1, "many networks": 64} {
		var logins loginTable
		now := time.Unix(1000, 0)
		add := func(n int, account, addr string) (ticketNonce, *session.Login) {
			k := ticket{expires: now.Add(ticketLife), nonce: ticketNonce{byte(n), byte(n >> 8), byte(n >> 16)}}
			l := &session.Login{Name: account, Addr: netip.MustParseAddr(addr)}
			logins.add(&k, l, now)
			return k.nonce, l
		}
		flood := func(first int) {
			for i := range 2 * maxLogins {
				add(first+i, fmt.Sprintf("Eve %d", i), fmt.Sprintf("10.0.%d.%d", i%networks, i/networks%256))
			}
		}
		flood(1 << 16)
		nonce, bob := add(1, "Bob", "198.51.100.7")
		flood(2 << 16)
		if logins.pop(nonce) != bob {
			t.Errorf("%s: the ticket of a player of another network is lost", name)
		}
		if n, want := len(logins.by), min(networks*maxNetworkLogins, maxLogins-1); n != want || len(logins.of) != want || len(logins.from) != networks {
			t.Errorf("%s: %d tickets of %d accounts and %d networks are stored, want %d", name, n, len(logins.of), len(logins.from), want)
		}
		now = now.Add(ticketLife)
		for i := range maxLogins {
			add(3<<16+i, fmt.Sprintf("Player %d", i), fmt.Sprintf("10.1.%d.%d", i>>8, i&255))
		}
		if n := len(logins.by); n != maxLogins {
			t.Errorf("%s: %d tickets after the former ones have expired, want %d", name, n, maxLogins)
		}
	}
}

// A node without the shared key neither names the other nodes to its clients nor lets their pages connect.
func TestNodeWithoutSharedKeyIgnoresConfiguredNodes(t *testing.T) {
	d := NewDoor()
	d.WebNodes = "https://a.example/, https://b.example"
	for name, c := range map[string]struct {
		host gateway.Host
		keys string
		want []string
	}{
		"node with the shared key": {gateway.Host{DataDir: "data", SharedKeys: "keys"}, "keys", []string{"https://a.example", "https://b.example"}},
		"node with its own key":    {gateway.Host{DataDir: "data", SharedKeys: "keys"}, "data", nil},
		"server beside others":     {gateway.Host{DataDir: "data"}, "data", []string{"https://a.example", "https://b.example"}},
	} {
		if got := d.nodes(&c.host, c.keys); !slices.Equal(got, c.want) {
			t.Errorf("%s: nodes %q, want %q", name, got, c.want)
		}
	}
}

package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
)

// KeyFile is the name of the file in the data folder with the key that signs tickets and guest identities: 64 hexadecimal
// digits.
const KeyFile = "web.key"

// Limits of tickets.
const (
	ticketLife = time.Minute // time for which a ticket is valid
	maxUsed    = 1 << 16     // maximum number of used tickets that are stored, each until it expires
)

// Reasons why a ticket that a client presents is not accepted.
var (
	errTicket      = errors.New("the ticket is not valid")
	errTicketUsed  = errors.New("the ticket was used already")
	errTicketOld   = errors.New("the ticket has expired")
	errTicketsFull = errors.New("too many tickets are stored")
)

// signer signs tickets and guest identities.
type signer struct{ key [32]byte }

// loadSigner reads the signing key from the data folder, or creates it at the first start.
func loadSigner(dir string) (*signer, error) {
	path := filepath.Join(dir, KeyFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createSigner(path)
	}
	if err != nil {
		return nil, fmt.Errorf("web: cannot read the key file: %w; make it readable, or remove it: the server then creates a new key, with which guests lose their characters", err)
	}
	s := &signer{}
	if n, err := hex.Decode(s.key[:], []byte(strings.TrimSpace(string(b)))[:min(len(strings.TrimSpace(string(b))), 64)]); err != nil || n != len(s.key) {
		return nil, fmt.Errorf("web: the key file %s must contain 64 hexadecimal digits; restore the file, or remove it: the server then creates a new key, with which guests lose their characters", path)
	}
	return s, nil
}

func createSigner(path string) (*signer, error) {
	s := &signer{}
	rand.Read(s.key[:]) // Read never fails
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("web: cannot create the data folder: %w; set --data-dir to a folder that can be written", err)
	}
	if err := os.WriteFile(path, []byte(hex.EncodeToString(s.key[:])+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("web: cannot write the key file: %w; set --data-dir to a folder that can be written", err)
	}
	return s, nil
}

// seal returns body with its signature, as text. The parameter purpose says what body is, such as a ticket. It is part of the
// signature, so a text that was sealed for one purpose is not valid for another.
func (s *signer) seal(purpose string, body []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(body, s.sum(purpose, body)...))
}

// open checks a text that seal has returned and returns the text's body. It returns false if the signature is not valid or was
// made for another purpose.
func (s *signer) open(purpose, text string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < sha256.Size {
		return nil, false
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	return body, hmac.Equal(sum, s.sum(purpose, body))
}

// sum computes the signature of body for a purpose (see seal).
func (s *signer) sum(purpose string, body []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write(body)
	return h.Sum(nil)
}

// guestID is the random identity of a guest. The guest's browser stores it with a signature, so that a client cannot invent
// the identity of another guest.
type guestID [16]byte

func newGuest() (g guestID) {
	rand.Read(g[:]) // Read never fails
	return g
}

// account returns the name of the guest's account.
func (g guestID) account() string { return "web:" + hex.EncodeToString(g[:]) }

// name returns the name that the guest's first character gets if the guest chooses none.
func (g guestID) name() string {
	first := [...]string{"Amber", "Birch", "Coral", "Dawn", "Ember", "Fern", "Grove", "Heath", "Iris", "Juniper", "Kestrel", "Linden", "Maple", "Nettle", "Olive", "Poppy"}
	return fmt.Sprintf("%s %d", first[g[0]%16], 100+(int(g[1])<<8|int(g[2]))%900)
}

// Values of the parameter purpose of seal and open.
const purposeGuest, purposeTicket = "guest", "ticket"

func (s *signer) sealGuest(g guestID) string { return s.seal(purposeGuest, g[:]) }

func (s *signer) openGuest(text string) (g guestID, ok bool) {
	b, ok := s.open(purposeGuest, text)
	if !ok || len(b) != len(g) {
		return g, false
	}
	return guestID(b), true
}

// ticketNonce is the random number that makes a ticket unique.
type ticketNonce [12]byte

// ticket admits one connection. The server signs it, and it can be used only once.
type ticket struct {
	expires time.Time
	nonce   ticketNonce
	account string // name of the account
	name    string // name of the first character if the account has none
	secret  bool   // the account's secret was verified, and Gateway.logins contains the login
}

func (s *signer) sealTicket(t *ticket) string {
	b := wire.I64(nil, t.expires.Unix())
	b = append(b, t.nonce[:]...)
	return s.seal(purposeTicket, wire.Bool(wire.Str8(wire.Str8(b, t.account), t.name), t.secret))
}

func (s *signer) openTicket(text string) (t ticket, err error) {
	b, ok := s.open(purposeTicket, text)
	if !ok {
		return t, errTicket
	}
	r := wire.NewReader(b)
	t.expires = time.Unix(r.I64(), 0)
	copy(t.nonce[:], r.Bytes(len(t.nonce)))
	t.account, t.name, t.secret = r.Str8(), r.Str8(), r.Bool()
	if r.Done("ticket") != nil {
		return t, errTicket
	}
	return t, nil
}

// usedTickets stores the nonce of each used ticket until the ticket expires. Its methods are safe for concurrent use.
type usedTickets struct {
	mu     sync.Mutex
	nonces map[ticketNonce]time.Time // expiry time of each used ticket, by nonce
}

// use marks a ticket as used. It returns errTicketUsed if the ticket was used before, errTicketOld if it has expired, and
// errTicketsFull if too many used tickets are stored.
func (u *usedTickets) use(t *ticket, now time.Time) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !now.Before(t.expires) {
		return errTicketOld
	}
	if _, again := u.nonces[t.nonce]; again {
		return errTicketUsed
	}
	if len(u.nonces) >= maxUsed {
		for n, at := range u.nonces {
			if !now.Before(at) {
				delete(u.nonces, n)
			}
		}
		if len(u.nonces) >= maxUsed {
			return errTicketsFull
		}
	}
	if u.nonces == nil {
		u.nonces = map[ticketNonce]time.Time{}
	}
	u.nonces[t.nonce] = t.expires
	return nil
}

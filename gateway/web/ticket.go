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

// KeyFile is the name of a file in the data folder, or in the folder with the keys that the nodes of a cluster share. It contains
// the key that signs tickets and guest identities, as 64 hexadecimal digits.
const KeyFile = "web.key"

// Lifetime of tickets, and limit of the table of used tickets.
const (
	ticketLife = time.Minute // time for which a ticket is valid
	maxUsed    = 1 << 16     // maximum number of used tickets that are stored, each until it expires
)

// Errors for tickets that are not accepted.
var (
	errTicket      = errors.New("the ticket was not signed by this server or a node of its cluster")
	errTicketUsed  = errors.New("the ticket was used before; request another one")
	errTicketOld   = errors.New("the ticket has expired; request another one")
	errTicketsFull = errors.New("the table of tickets is full until older ones expire")
)

// signer signs tickets and guest identities.
type signer struct{ key [32]byte }

// EnsureKey creates the file with the signing key in the folder dir if there is none. It returns an error if the file cannot be used.
func EnsureKey(dir string) error {
	_, err := loadSigner(dir)
	return err
}

// loadSigner reads the signing key from its file in the folder dir. If there is no file, it creates one with a new key.
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

// seal returns body and its signature as one text. The parameter purpose says what body is, for example a ticket. The
// signature covers the purpose, so that a text of one purpose is not valid for another.
func (s *signer) seal(purpose string, body []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(body, s.sum(purpose, body)...))
}

// open checks the signature of a text that seal has made, and returns the body that the text contains. It returns false if
// the signature is not valid, or if another purpose was passed to seal.
func (s *signer) open(purpose, text string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < sha256.Size {
		return nil, false
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	return body, hmac.Equal(sum, s.sum(purpose, body))
}

// sum returns the signature of body for a purpose (see seal).
func (s *signer) sum(purpose string, body []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write(body)
	return h.Sum(nil)
}

// guestID identifies a guest. It is a random number, which the guest's browser stores with a signature of the server. Therefore
// clients cannot make up identities.
type guestID [16]byte

func newGuest() (g guestID) {
	rand.Read(g[:]) // Read never fails
	return g
}

// account returns the name of the guest's account.
func (g guestID) account() string { return "web:" + hex.EncodeToString(g[:]) }

// name returns a name for the guest's first character. It is used if the guest chooses none.
func (g guestID) name() string {
	first := [...]string{"Amber", "Birch", "Coral", "Dawn", "Ember", "Fern", "Grove", "Heath", "Iris", "Juniper", "Kestrel", "Linden", "Maple", "Nettle", "Olive", "Poppy"}
	return fmt.Sprintf("%s %d", first[g[0]%16], 100+(int(g[1])<<8|int(g[2]))%900)
}

// Values of the parameter purpose of the methods seal, open and sum.
const purposeGuest, purposeTicket, purposeSecret = "guest", "ticket", "secret"

func (s *signer) sealGuest(g guestID) string { return s.seal(purposeGuest, g[:]) }

func (s *signer) openGuest(text string) (g guestID, ok bool) {
	b, ok := s.open(purposeGuest, text)
	if !ok || len(b) != len(g) {
		return g, false
	}
	return guestID(b), true
}

// ticketNonce is a random number that distinguishes a ticket from all others.
type ticketNonce [12]byte

// ticket permits one client to connect once, with the account in the ticket. Clients hold the ticket as a text that the server has signed.
type ticket struct {
	expires time.Time
	nonce   ticketNonce
	account string // name of the account
	name    string // name of the first character if the account has none
	secret  bool   // the account's secret was verified; Gateway.logins of the server that issued the ticket contains the login

	// mark is signer.mark of the verified login. By this mark another node of a cluster recognizes the login. It is a part
	// of the ticket only if secret is true.
	mark [sha256.Size]byte
}

// mark returns a signature of the session.Login.SecretMark of a login. Clients can read the mark in the ticket. Without the
// signing key they learn nothing about the stored secret from it.
func (s *signer) mark(secretMark [sha256.Size]byte) [sha256.Size]byte {
	return [sha256.Size]byte(s.sum(purposeSecret, secretMark[:]))
}

func (s *signer) sealTicket(t *ticket) string {
	b := wire.I64(nil, t.expires.Unix())
	b = append(b, t.nonce[:]...)
	b = wire.Bool(wire.Str8(wire.Str8(b, t.account), t.name), t.secret)
	if t.secret {
		b = append(b, t.mark[:]...)
	}
	return s.seal(purposeTicket, b)
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
	if t.secret {
		copy(t.mark[:], r.Bytes(len(t.mark)))
	}
	if r.Done("ticket") != nil {
		return t, errTicket
	}
	return t, nil
}

// usedTickets stores the nonces of used tickets until the tickets expire. Its methods are safe for concurrent use.
type usedTickets struct {
	mu     sync.Mutex
	nonces map[ticketNonce]time.Time // expiry time of each used ticket, by nonce
	swept  time.Time                 // time at which expired nonces were last removed
}

// use marks a ticket as used. It returns errTicketUsed if it was used before, errTicketOld if it has expired, and errTicketsFull
// if too many used tickets are stored.
func (u *usedTickets) use(t *ticket, now time.Time) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !now.Before(t.expires) {
		return errTicketOld
	}
	if _, again := u.nonces[t.nonce]; again {
		return errTicketUsed
	}
	if len(u.nonces) >= maxUsed && now.Sub(u.swept) >= time.Second {
		u.swept = now
		for n, at := range u.nonces {
			if !now.Before(at) {
				delete(u.nonces, n)
			}
		}
	}
	if len(u.nonces) >= maxUsed {
		return errTicketsFull
	}
	if u.nonces == nil {
		u.nonces = map[ticketNonce]time.Time{}
	}
	u.nonces[t.nonce] = t.expires
	return nil
}

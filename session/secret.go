package session

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"
)

// Cost is the argon2id cost of hashing a secret. Tests use a low one.
type Cost struct {
	MemoryKiB uint32
	Passes    uint32
	Threads   uint8
}

// DefaultCost is the second of the settings that OWASP's Password Storage Cheat Sheet recommends for Argon2id.
var DefaultCost = Cost{MemoryKiB: 19456, Passes: 2, Threads: 1}

// Limits of the cost in a stored hash, so that a damaged row cannot exhaust memory.
const (
	maxMemoryKiB = 1 << 20
	maxPasses    = 16
	maxThreads   = 16
	saltSize     = 16 // bytes of random salt in a new hash
	keySize      = 32 // bytes of derived key in a new hash
)

// phc is an argon2id hash. String returns the PHC string format: $argon2id$v=19$m=19456,t=2,p=1$salt$key.
type phc struct {
	cost      Cost
	salt, key []byte
}

func newPHC(secret string, cost Cost) phc {
	salt := make([]byte, saltSize)
	rand.Read(salt) // never fails
	return phc{cost, salt, derive(secret, salt, cost, keySize)}
}

func derive(secret string, salt []byte, cost Cost, size int) []byte {
	return argon2.IDKey([]byte(secret), salt, cost.Passes, cost.MemoryKiB, cost.Threads, uint32(size))
}

func (p phc) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		p.cost.MemoryKiB, p.cost.Passes, p.cost.Threads, b64.EncodeToString(p.salt), b64.EncodeToString(p.key))
}

func (p phc) matches(secret string) bool {
	return subtle.ConstantTimeCompare(derive(secret, p.salt, p.cost, len(p.key)), p.key) == 1
}

// parsePHC parses the result of String; ok is false for anything else.
func parsePHC(text string) (p phc, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, false
	}
	c := &p.cost
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.MemoryKiB, &c.Passes, &c.Threads); err != nil {
		return phc{}, false
	}
	var errSalt, errKey error
	p.salt, errSalt = base64.RawStdEncoding.Strict().DecodeString(parts[4])
	p.key, errKey = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	sound := errSalt == nil && errKey == nil && len(p.salt) >= 8 && len(p.key) >= 16 && len(p.key) <= 64 &&
		c.Threads >= 1 && c.Threads <= maxThreads && c.Passes >= 1 && c.Passes <= maxPasses &&
		c.MemoryKiB >= 8*uint32(c.Threads) && c.MemoryKiB <= maxMemoryKiB
	return p, sound && p.String() == text // Sscanf is lenient; accept only the canonical text
}

// Hash formats of RealmCrafter's Accounts.dat. Both hash what its clients send: the lower-case hex of MD5(password).
const (
	saltedSize   = 84 // length in bytes: "$1$", 16 of salt, "$", 64 of hex
	saltedPrefix = "$1$"
)

// matchesImportedHash checks a secret against an imported hash: "$1$" salt "$" hex(SHA-256(salt secret)), or the bare MD5.
func matchesImportedHash(stored, secret string) bool {
	switch {
	case len(stored) == saltedSize && strings.HasPrefix(stored, saltedPrefix) && stored[19] == '$':
		sum := sha256.Sum256([]byte(stored[3:19] + secret))
		return subtle.ConstantTimeCompare([]byte(hex.EncodeToString(sum[:])), []byte(stored[20:])) == 1
	case isMD5(stored):
		return subtle.ConstantTimeCompare([]byte(stored), []byte(secret)) == 1
	}
	return false
}

func isMD5(stored string) bool {
	if len(stored) != hex.EncodedLen(md5.Size) {
		return false
	}
	for _, c := range []byte(stored) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// hasher limits how many secrets are hashed concurrently: each needs cost.MemoryKiB of memory and a core.
type hasher struct {
	cost    Cost
	slots   chan struct{}
	waiting atomic.Int64
	limit   int64
}

func newHasher(cost Cost, slots, waiting int) *hasher {
	return &hasher{cost: cost, slots: make(chan struct{}, slots), limit: int64(waiting)}
}

// acquire waits for a slot, which the caller returns with release. Errors: ErrThrottled if too many callers wait already.
func (h *hasher) acquire(ctx context.Context) error {
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > h.limit {
		return fmt.Errorf("%w: too many logins are waiting", ErrThrottled)
	}
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hasher) release() { <-h.slots }

// hash returns the hash of a new secret.
func (h *hasher) hash(ctx context.Context, secret string) (string, error) {
	if err := h.acquire(ctx); err != nil {
		return "", err
	}
	defer h.release()
	return newPHC(secret, h.cost).String(), nil
}

// verify checks a secret; the caller holds a slot. It hashes exactly once for any stored value, "" for an account that does not
// exist, so that the duration does not reveal whether the account exists. rehash is a stronger hash of the same secret to
// store instead, or "" if the stored one is strong enough.
func (h *hasher) verify(stored, secret string) (ok bool, rehash string) {
	p, modern := parsePHC(stored)
	if !modern {
		again := newPHC(secret, h.cost)
		if !matchesImportedHash(stored, secret) {
			return false, ""
		}
		return true, again.String()
	}
	if !p.matches(secret) {
		return false, ""
	}
	if p.cost != h.cost {
		rehash = newPHC(secret, h.cost).String()
	}
	return true, rehash
}

package session

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/internal/argon2id"
	"github.com/truestep-io/truestep/telemetry"
)

// Cost is the cost of hashing a password with argon2id. Tests use a low cost.
type Cost struct {
	MemoryKiB uint32 // memory in KiB
	Passes    uint32 // number of passes over the memory
	Threads   uint8  // number of lanes into which argon2id divides the memory (its parameter p)
}

// DefaultCost is the second of the settings that OWASP's Password Storage Cheat Sheet recommends for Argon2id: 19 MiB of
// memory and 2 passes.
var DefaultCost = Cost{MemoryKiB: 19456, Passes: 2, Threads: 1}

// Limits of the cost parameters in a stored hash, so that a damaged row cannot exhaust the memory.
const (
	maxMemoryKiB = 1 << 20
	maxPasses    = 16
	maxThreads   = 16
	saltSize     = 16 // bytes of random salt in a new hash
	keySize      = 32 // bytes of derived key in a new hash

	maxKeptMemory = 64 << 20 // maximum size of hashing memory that is reused for the next hash, in bytes
)

// phc is an argon2id hash of an account's secret, with the salt and cost that produced it.
type phc struct {
	cost      Cost
	salt, key []byte
}

func newPHC(secret string, cost Cost) phc {
	salt := make([]byte, saltSize)
	rand.Read(salt) // Read never returns an error
	return phc{cost, salt, derive(secret, salt, cost, keySize)}
}

// hashMemory reuses memory while many hashes are computed. When none are computed, the garbage collector frees the memory.
var hashMemory = sync.Pool{New: func() any { return new(argon2id.Memory) }}

func derive(secret string, salt []byte, cost Cost, size int) []byte {
	m := hashMemory.Get().(*argon2id.Memory)
	key := m.Key([]byte(secret), salt, cost.Passes, cost.MemoryKiB, cost.Threads, uint32(size))
	if m.Size() <= maxKeptMemory {
		hashMemory.Put(m)
	}
	return key
}

// String returns the hash in the PHC string format: $argon2id$v=19$m=19456,t=2,p=1$salt$key.
func (p phc) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2id.Version,
		p.cost.MemoryKiB, p.cost.Passes, p.cost.Threads, b64.EncodeToString(p.salt), b64.EncodeToString(p.key))
}

func (p phc) matches(secret string) bool {
	return subtle.ConstantTimeCompare(derive(secret, p.salt, p.cost, len(p.key)), p.key) == 1
}

// parsePHC parses the result of phc.String. The result ok is false for any other text.
func parsePHC(text string) (p phc, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2id.Version) {
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
	return p, sound && p.String() == text // Sscanf is lenient, so accept only the canonical text
}

// Hash formats in RealmCrafter's Accounts.dat. Both are hashes of what its clients send: the lower-case hex of
// MD5(password).
const (
	saltedSize   = 84 // length in bytes: "$1$", 16 bytes of salt, "$", 64 bytes of hex
	saltedPrefix = "$1$"
)

// matchesImportedHash compares a secret with an imported hash: "$1$" salt "$" hex(SHA-256(salt secret)), or the bare
// MD5.
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

// hasher computes and verifies password hashes. Each computation uses cost.MemoryKiB of memory and one CPU core.
type hasher struct {
	cost  Cost
	queue *admission.Queue // logins that wait for a free hasher
	count atomic.Uint64    // number of hashes since the start
	pause time.Duration    // virtual time that tests add to each hash

	hashed *telemetry.Counter // metric that counts hashes; may be nil
}

// hash returns the hash of a new secret.
func (h *hasher) hash(secret string) string {
	h.begin()
	return newPHC(secret, h.cost).String()
}

// begin counts a hash that is about to be computed. In tests it also waits for the time h.pause.
func (h *hasher) begin() {
	h.count.Add(1)
	if h.hashed != nil {
		h.hashed.Inc()
	}
	if h.pause > 0 {
		time.Sleep(h.pause)
	}
}

// verify compares a secret with a stored hash. The caller must have waited in the queue of hashes (withHasher). The method
// verify hashes exactly once for any stored value, even "" for an account that does not exist. The duration therefore does
// not reveal whether the account exists. The result rehash is a stronger hash of the same secret, which the caller must
// store instead. It is "" if the stored hash is strong enough.
func (h *hasher) verify(stored, secret string) (ok bool, rehash string) {
	p, modern := parsePHC(stored)
	if !modern {
		again := h.hash(secret)
		if !matchesImportedHash(stored, secret) {
			return false, ""
		}
		return true, again
	}
	h.begin()
	if !p.matches(secret) {
		return false, ""
	}
	if p.cost != h.cost {
		rehash = h.hash(secret)
	}
	return true, rehash
}

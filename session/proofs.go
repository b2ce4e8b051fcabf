package session

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// proofs is a cache of verified passwords. For each account that is in the world or left it recently, it holds one
// proof: the result of secretDigest. When all players reconnect after a restart of the server, their passwords are
// compared with the proofs, which is much cheaper than hashing each password again.
//
// The key and the proofs are stored in one file, which must be on a file system in memory (Options.ProofFile): an
// attacker who has both could test guesses of a password much faster than with the stored hash. A file that is older
// than Options.SecretCacheTime is ignored. Proofs from the file are valid for Options.ProofTime after the start.
type proofs struct {
	path string        // path of the file; "" if there is no file
	key  [32]byte      // random key of the HMAC in secretDigest
	last time.Duration // how long a proof is valid after the account has left the world, and after the start of the server

	mu        sync.Mutex
	byAccount map[store.AccountID]proof
	changed   bool      // byAccount differs from the file
	written   time.Time // time of the last attempt to write the file
	failing   bool      // the last attempt failed
}

// proof is the digest of an account's verified password.
type proof struct {
	digest [32]byte
	until  time.Time // time at which the proof expires; zero while the account is in the world
}

const (
	maxProofFile  = 4 << 20          // maximum size of the file in bytes; 20,000 proofs take 3 MB
	proofInterval = time.Second      // minimum time between two writes of the file
	proofRenewal  = 20 * time.Second // maximum time between two writes, so that the file stays recent enough to be used
)

// proofFile is the JSON content of Options.ProofFile.
type proofFile struct {
	Version   int           `json:"truestep_proofs"` // version of the format, proofFileVersion
	WrittenMS int64         `json:"written_ms"`      // time of the write, ms since 1970
	Key       []byte        `json:"key"`             // key of the HMAC with which the digests were computed, 32 bytes
	Proofs    []storedProof `json:"proofs"`          // one proof per account
}

// storedProof is the JSON form of a proof.
type storedProof struct {
	Account store.AccountID `json:"account"` // account whose password was verified
	Digest  []byte          `json:"digest"`  // HMAC of the password and its stored hash, 32 bytes, see secretDigest
}

// proofFileVersion is the version of the format of a proof file. A file of another version is ignored.
const proofFileVersion = 1

// loadProofs returns the proofs in the file. If there is no valid file, it returns no proofs and a new key.
func loadProofs(o *Options, now time.Time) *proofs {
	p := &proofs{path: o.ProofFile, last: o.ProofTime, byAccount: map[store.AccountID]proof{}}
	rand.Read(p.key[:]) // Read never returns an error
	if p.path == "" {
		return p
	}
	b, err := readPrivateFile(p.path)
	var f proofFile
	if err == nil {
		f, err = parseProofs(b)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return p
	}
	if err != nil {
		o.Log.Warn("cannot read the verified passwords of the previous run; the passwords of reconnecting players are hashed again", telemetry.FieldFile, p.path, telemetry.FieldErr, err)
		return p
	}
	if age := now.Sub(time.UnixMilli(f.WrittenMS)); age < -time.Minute || age > o.SecretCacheTime {
		return p
	}
	p.key = [32]byte(f.Key)
	for _, s := range f.Proofs {
		p.byAccount[s.Account] = proof{[32]byte(s.Digest), now.Add(p.last)}
	}
	return p
}

// parseProofs decodes and validates the content of a proof file. The content b is not trusted.
func parseProofs(b []byte) (f proofFile, err error) {
	if err := json.Unmarshal(b, &f); err != nil {
		return f, err
	}
	if f.Version != proofFileVersion {
		return f, fmt.Errorf("the file of verified passwords has version %d, but this program reads version %d", f.Version, proofFileVersion)
	}
	if len(f.Key) != len(proofs{}.key) {
		return f, fmt.Errorf("the key in the file of verified passwords has %d bytes, want %d", len(f.Key), len(proofs{}.key))
	}
	for _, s := range f.Proofs {
		if len(s.Digest) != len(proof{}.digest) || s.Account <= 0 {
			return f, fmt.Errorf("an entry of the file of verified passwords is damaged: account %d (must be greater than 0), digest of %d bytes, want %d", s.Account, len(s.Digest), len(proof{}.digest))
		}
	}
	return f, nil
}

// readPrivateFile reads a file. It refuses a file that any user except its owner may access.
func readPrivateFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s has mode %v, so other users could have written it: delete it, or restrict it with chmod 600", path, info.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxProofFile+1))
	if err == nil && len(b) > maxProofFile {
		err = errors.New("the file of verified passwords is larger than 4 MiB")
	}
	return b, err
}

// has reports whether the account has a valid proof that equals digest. If so, the password is known to be correct.
func (p *proofs) has(id store.AccountID, digest [32]byte, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.byAccount[id]
	return ok && known.digest == digest && (known.until.IsZero() || now.Before(known.until))
}

// enter stores the proof of a login, which is valid while the account is in the world. A login without a password has
// no proof.
func (p *proofs) enter(l *Login) {
	if l.proof == ([32]byte{}) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byAccount[l.Account] = proof{digest: l.proof}
	p.changed = true
}

// leave makes the proof of an account expire after the time proofs.last. It is called when the account has left the world.
func (p *proofs) leave(id store.AccountID, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.byAccount[id]; ok && known.until.IsZero() {
		known.until = now.Add(p.last)
		p.byAccount[id] = known
	}
}

// expectWrite makes the next call of write replace the file, even if the last write was less than proofInterval ago. The hub
// calls expectWrite when it closes.
func (p *proofs) expectWrite() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written, p.changed = time.Time{}, p.changed || len(p.byAccount) > 0
}

// write removes expired proofs and writes the file, if its content has changed or the file would soon be too old to be read
// after a restart.
func (p *proofs) write(now time.Time) error {
	p.mu.Lock()
	for id, known := range p.byAccount {
		if !known.until.IsZero() && !now.Before(known.until) {
			delete(p.byAccount, id)
			p.changed = true
		}
	}
	since := now.Sub(p.written)
	if p.path == "" || since < proofInterval || !p.changed && (since < proofRenewal || len(p.byAccount) == 0) {
		p.mu.Unlock()
		return nil
	}
	p.changed, p.written = false, now
	f := proofFile{Version: proofFileVersion, WrittenMS: now.UnixMilli(), Key: p.key[:]}
	for id, known := range p.byAccount {
		f.Proofs = append(f.Proofs, storedProof{id, known.digest[:]})
	}
	p.mu.Unlock()
	b, err := json.Marshal(f)
	if err == nil {
		err = replacePrivateFile(p.path, b)
	}
	return err
}

// replacePrivateFile replaces a file by a new one that only its owner may access.
func replacePrivateFile(path string, b []byte) error {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	return err
}

// writeProofs writes the proofs and logs the first of consecutive errors. Without the file, passwords are hashed again
// after a restart.
func (h *Hub) writeProofs(now time.Time) {
	err := h.proofs.write(now)
	if err != nil && !h.proofs.failing {
		h.log.Warn("cannot write the cache of password checks; after a restart, the first login of each account takes longer, because its password is hashed again", telemetry.FieldFile, h.proofs.path, telemetry.FieldErr, err)
	}
	h.proofs.failing = err != nil
}

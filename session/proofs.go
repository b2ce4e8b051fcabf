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

// proofs is a cache of verified secrets. It holds one proof, the result of secretDigest, for each account that is in the world
// or left it a short time ago. When all players reconnect after a restart of the server, their secrets are compared with
// the proofs, which is cheaper than hashing each of them again.
//
// The key and the proofs are in one file, which must be on a file system in memory (Options.ProofFile): an attacker with both
// could test guesses of a secret much faster than with the stored hash. A file that is older than Options.SecretCacheTime is
// ignored, and proofs from the file are valid for Options.ProofTime after the start.
type proofs struct {
	path string // "" if there is no file
	key  [32]byte
	last time.Duration // how long a proof is valid after the account left the world, or after the start

	mu        sync.Mutex
	byAccount map[store.AccountID]proof
	changed   bool      // byAccount differs from the file
	written   time.Time // time of the last attempt to write the file, successful or not
	failing   bool      // the last attempt failed
}

type proof struct {
	digest [32]byte
	until  time.Time // zero while the account is in the world
}

const (
	maxProofFile  = 4 << 20          // maximum bytes of the file; 20,000 proofs have 3 MB
	proofInterval = time.Second      // minimum interval between two writes of the file
	proofRenewal  = 20 * time.Second // maximum interval between two writes of the file, so that its time of writing stays recent
)

// proofFile is the JSON content of Options.ProofFile.
type proofFile struct {
	Version   int           `json:"truestep_proofs"`
	WrittenMS int64         `json:"written_ms"` // ms since 1970
	Key       []byte        `json:"key"`
	Proofs    []storedProof `json:"proofs"`
}

type storedProof struct {
	Account store.AccountID `json:"account"`
	Digest  []byte          `json:"digest"`
}

const proofFileVersion = 1

// loadProofs returns the proofs in the file, or no proofs and a new key if there is no valid file.
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
		o.Log.Warn("cannot read the verified passwords of the previous run; players who reconnect must be hashed again", telemetry.FieldFile, p.path, telemetry.FieldErr, err)
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

// parseProofs decodes and validates the content of a proof file. b is untrusted.
func parseProofs(b []byte) (f proofFile, err error) {
	if err := json.Unmarshal(b, &f); err != nil {
		return f, err
	}
	if f.Version != proofFileVersion {
		return f, fmt.Errorf("the file of verified passwords has version %d, this program reads %d", f.Version, proofFileVersion)
	}
	if len(f.Key) != len(proofs{}.key) {
		return f, fmt.Errorf("the key in the file has %d bytes, which is the wrong length", len(f.Key))
	}
	for _, s := range f.Proofs {
		if len(s.Digest) != len(proof{}.digest) || s.Account <= 0 {
			return f, fmt.Errorf("the proof of account %d has %d bytes, which is the wrong length", s.Account, len(s.Digest))
		}
	}
	return f, nil
}

// readPrivateFile reads a file. It refuses a file that users other than its owner may access.
func readPrivateFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s has mode %v: other users could have written it", path, info.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxProofFile+1))
	if err == nil && len(b) > maxProofFile {
		err = errors.New("the file of verified passwords is too large")
	}
	return b, err
}

// has reports whether a digest is that of the account's secret and the secret was verified before.
func (p *proofs) has(id store.AccountID, digest [32]byte, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.byAccount[id]
	return ok && known.digest == digest && (known.until.IsZero() || now.Before(known.until))
}

// enter stores the proof of a login, valid as long as the account is in the world. A login without a secret has no proof.
func (p *proofs) enter(l *Login) {
	if l.proof == ([32]byte{}) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byAccount[l.Account] = proof{digest: l.proof}
	p.changed = true
}

// leave makes the proof of an account expire after the duration proofs.last.
func (p *proofs) leave(id store.AccountID, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.byAccount[id]; ok && known.until.IsZero() {
		known.until = now.Add(p.last)
		p.byAccount[id] = known
	}
}

// expectWrite marks the proofs as changed, so that the next call of write writes the file.
func (p *proofs) expectWrite() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written, p.changed = time.Time{}, p.changed || len(p.byAccount) > 0
}

// write removes expired proofs and writes the file if its content has changed or must be renewed.
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

// replacePrivateFile replaces a file by one that only its owner may access.
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

// writeProofs writes the proofs and logs the first of consecutive errors. Without the file, passwords are hashed again after a restart.
func (h *Hub) writeProofs(now time.Time) {
	err := h.proofs.write(now)
	if err != nil && !h.proofs.failing {
		h.log.Warn("cannot write the file of verified passwords; after a restart, passwords must be hashed again", telemetry.FieldFile, h.proofs.path, telemetry.FieldErr, err)
	}
	h.proofs.failing = err != nil
}

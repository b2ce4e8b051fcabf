package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/store"
)

// withRestarts runs fn with a server that writes its login proofs to a file. The function killed, which fn gets, simulates a kill of
// the server and starts another server with the same store.
func withRestarts(t *testing.T, fn func(r *testServer, file string, killed func(change func()) *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		opt := Options{ProofFile: filepath.Join(dir, "proofs.json"), SecretCacheTime: 2 * time.Minute}
		r := newTestServer(t, dir, twoFields(), opt)
		fn(r, opt.ProofFile, func(change func()) *testServer {
			time.Sleep(2 * time.Second)
			image, err := os.ReadFile(opt.ProofFile)
			if err != nil {
				t.Fatal(err)
			}
			r.shut()
			if err := os.WriteFile(opt.ProofFile, image, 0o600); err != nil { // a kill would not have changed the file
				t.Fatal(err)
			}
			change()
			r = newTestServer(t, dir, twoFields(), opt)
			return r
		})
		r.shut()
	})
}

// login logs in and returns the number of hashes that the login cost.
func (r *testServer) login(name, secret string) (hashes uint64, err error) {
	before := r.hasher.count.Load()
	_, err = r.Login(r.ctx, r.peer(), name, secret)
	return r.hasher.count.Load() - before, err
}

func TestLoginAfterServerIsKilledNeedsNoPasswordHashing(t *testing.T) {
	withRestarts(t, func(r *testServer, file string, killed func(func()) *testServer) {
		r.enters(r.player("Ada"))
		r.player("Bea") // Bea does not enter the world
		time.Sleep(2 * r.opt.SecretCacheTime)
		r = killed(func() {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the file is %v, %v", info, err)
			}
		})
		if n, err := r.login("Ada", "guess"); n != 1 || err != ErrDenied {
			t.Errorf("a wrong secret costs %d hashes, %v", n, err)
		}
		if n, err := r.login("Ada", "secret"); n != 0 || err != nil {
			t.Errorf("the player's login costs %d hashes, %v", n, err)
		}
		if n, err := r.login("Bea", "secret"); n != 1 || err != nil {
			t.Errorf("the login of an account that was not in the world costs %d hashes, %v", n, err)
		}
		r = killed(func() {}) // Ada has not entered again since the first kill
		if n, err := r.login("Ada", "secret"); n != 0 || err != nil {
			t.Errorf("after a second kill the player's login costs %d hashes, %v", n, err)
		}
		time.Sleep(r.opt.SecretCacheTime)
		if n, err := r.login("Ada", "secret"); n != 1 || err != nil {
			t.Errorf("a login long after the start costs %d hashes, %v", n, err)
		}
	})
}

func TestPasswordIsHashedAgainAfterRestartIfLoginProofExpiredOrPasswordChanged(t *testing.T) {
	withRestarts(t, func(r *testServer, file string, killed func(func()) *testServer) {
		a, b := r.player("Ada"), r.player("Bea")
		ada, bea := r.enters(a), r.enters(b)
		ticks(2)
		ada.Leave()
		time.Sleep(time.Minute)
		bea.Leave()
		r.must(r.ChangeSecret(r.ctx, b, "other"))
		r = killed(func() {})
		if n, err := r.login("Ada", "secret"); n != 1 || err != nil {
			t.Errorf("a login of a player that left a minute before the kill costs %d hashes, %v", n, err)
		}
		if _, err := r.login("Bea", "secret"); err != ErrDenied {
			t.Errorf("with the former secret: %v", err)
		}
		if n, err := r.login("Bea", "other"); n != 1 || err != nil {
			t.Errorf("with the new secret: %d hashes, %v", n, err)
		}
	})
}

func TestLoginAfterServerRestartNeedsNoPasswordHashing(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		opt := Options{ProofFile: filepath.Join(dir, "proofs.json")}
		r := newTestServer(t, dir, twoFields(), opt)
		r.enters(r.player("Ada"))
		r.shut()
		r = newTestServer(t, dir, twoFields(), opt)
		defer r.shut()
		if n, err := r.login("Ada", "secret"); n != 0 || err != nil {
			t.Errorf("the login costs %d hashes, %v", n, err)
		}
	})
}

func TestPasswordIsHashedAgainAfterRestartIfLoginProofFileIsInvalid(t *testing.T) {
	for what, change := range map[string]func(file string, f *proofFile) []byte{
		"missing": func(file string, _ *proofFile) []byte { os.Remove(file); return nil },
		"old":     func(_ string, f *proofFile) []byte { f.WrittenMS -= 3 * 60_000; return nil },
		"from the future": func(_ string, f *proofFile) []byte {
			f.WrittenMS += 2 * 60_000
			return nil
		},
		"of another version": func(_ string, f *proofFile) []byte { f.Version++; return nil },
		"with a short key":   func(_ string, f *proofFile) []byte { f.Key = f.Key[1:]; return nil },
		"with another key":   func(_ string, f *proofFile) []byte { f.Key[0]++; return nil },
		"cut":                func(_ string, f *proofFile) []byte { b, _ := json.Marshal(f); return b[:len(b)-1] },
		"too large": func(_ string, f *proofFile) []byte {
			b, _ := json.Marshal(f)
			return append(b, strings.Repeat(" ", maxProofFile)...)
		},
	} {
		withRestarts(t, func(r *testServer, file string, killed func(func()) *testServer) {
			r.enters(r.player("Ada"))
			r = killed(func() {
				b, err := readPrivateFile(file)
				r.must(err)
				f, err := parseProofs(b)
				r.must(err)
				if b = change(file, &f); b == nil {
					b, _ = json.Marshal(f)
				}
				if what != "missing" {
					r.must(os.WriteFile(file, b, 0o600))
				}
			})
			if n, err := r.login("Ada", "secret"); n != 1 || err != nil {
				t.Errorf("%s: the login costs %d hashes, %v", what, n, err)
			}
		})
	}
}

func TestLoginProofFileIsRefusedIfGroupWritableSymlinkOrDirectory(t *testing.T) {
	dir := t.TempDir()
	open, link := filepath.Join(dir, "open"), filepath.Join(dir, "link")
	if err := os.WriteFile(open, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o620); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(open, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{open, link, dir} {
		if b, err := readPrivateFile(path); err == nil {
			t.Errorf("%s is read: %q", path, b)
		}
	}
}

func FuzzParseProofs(f *testing.F) {
	b, _ := json.Marshal(proofFile{Version: 1, WrittenMS: 5, Key: make([]byte, 32), Proofs: []storedProof{{7, make([]byte, 32)}}})
	f.Add(b)
	f.Add([]byte(`{"truestep_proofs":1,"proofs":[{"account":-1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseProofs(b)
		if err != nil {
			return
		}
		for _, s := range got.Proofs {
			if len(got.Key) != 32 || len(s.Digest) != 32 || s.Account <= store.AccountID(0) {
				t.Fatalf("accepted %+v", got)
			}
		}
	})
}

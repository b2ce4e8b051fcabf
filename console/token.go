package console

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/store/filelock"
)

// TokensFile is the name of the file of operators in the data folder.
const TokensFile = "operators.json"

// ErrOperatorExists and ErrNoOperator are what changes of the file fail with.
var (
	ErrOperatorExists = errors.New("there is an operator of that name already")
	ErrNoOperator     = errors.New("there is no operator of that name")
)

// Operator is who may use the console. The file keeps the hash of the token, never the token.
type Operator struct {
	Name    string
	Role    Role
	Hash    [sha256.Size]byte // SHA-256 of the token's text
	Created time.Time
	Expires time.Time // zero: never

	runOnly bool // of one run of the server, and of no file
}

// Expired tells whether the operator's token is past its time.
func (o *Operator) Expired(now time.Time) bool { return !o.Expires.IsZero() && !now.Before(o.Expires) }

// Tokens knows the operators of a server: those of the file, which is read again when it changes, and those of this run
// only. Safe for any goroutine.
type Tokens struct {
	path string

	mu          sync.Mutex
	file        []Operator // of the file, as last read
	issued      []Operator // of this run
	lastContent []byte     // the file, as last read
	checked     time.Time  // when the file was looked at last
	readErr     error      // why the file could not be read, nil if it could
}

// recheckInterval is how old the knowledge of the file may be.
const recheckInterval = time.Second

// OpenTokens reads the operators of that file; none if there is no such file.
func OpenTokens(path string) (*Tokens, error) {
	t := &Tokens{path: path}
	t.refresh(time.Now())
	if t.readErr != nil {
		return nil, t.readErr
	}
	return t, nil
}

// Issue makes a token for this run of the server only. It is in no file.
func (t *Tokens) Issue(name string, role Role) string {
	token, hash := generateToken()
	t.mu.Lock()
	t.issued = append(t.issued, Operator{Name: name, Role: role, Hash: hash, Created: time.Now(), runOnly: true})
	t.mu.Unlock()
	return token
}

// generateToken makes 256 bits of luck, as 43 letters, and their hash.
func generateToken() (string, [sha256.Size]byte) {
	var b [32]byte
	rand.Read(b[:]) // never fails
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}

// find returns the operator with that hash, expired or not. How long it takes says nothing about the hashes.
func (t *Tokens) find(hash [sha256.Size]byte, now time.Time) (Operator, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh(now)
	o, ok := t.search(hash)
	if !ok {
		t.checked = time.Time{} // it may have been made a moment ago
		t.refresh(now)
		o, ok = t.search(hash)
	}
	return o, ok
}

// search looks at every operator, whatever it finds. It needs the lock.
func (t *Tokens) search(hash [sha256.Size]byte) (found Operator, ok bool) {
	for _, list := range [2][]Operator{t.issued, t.file} {
		for i := range list {
			if subtle.ConstantTimeCompare(list[i].Hash[:], hash[:]) == 1 {
				found, ok = list[i], true
			}
		}
	}
	return found, ok
}

// refresh reads the file again, and understands it anew if it changed: neither its time nor its size would tell, for one
// operator may have been put in another's place. It needs the lock. A file that cannot be read lets nobody in who is only
// in there: a revoked token must not live on because of a slip of the pen.
func (t *Tokens) refresh(now time.Time) {
	if since := now.Sub(t.checked); since >= 0 && since < recheckInterval {
		return
	}
	t.checked = now
	b, err := readFile("operators", t.path, maxOperatorsFile)
	if err == nil && t.readErr == nil && bytes.Equal(b, t.lastContent) {
		return
	}
	t.lastContent, t.file = b, nil
	if err == nil {
		t.file, err = parseOperatorsFile(t.path, b)
	}
	t.readErr = err
}

// Err is why the file of operators cannot be read now, nil if it can. Until it can, only tokens of this run count.
func (t *Tokens) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh(time.Now())
	return t.readErr
}

// maxOperatorsFile is how large the file may be: a thousand operators.
const maxOperatorsFile = 1 << 18

// parseOperatorsFile is who is in what readFile read.
func parseOperatorsFile(path string, b []byte) ([]Operator, error) {
	if b == nil {
		return nil, nil
	}
	list, err := parseOperators(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// Operators lists the operators of the file, sorted by name.
func Operators(path string) ([]Operator, error) {
	b, err := readFile("operators", path, maxOperatorsFile)
	if err != nil {
		return nil, err
	}
	return parseOperatorsFile(path, b)
}

// AddOperator writes a new operator into the file and returns the token, which nobody can find out again. valid 0:
// without end. Errors: ErrOperatorExists.
func AddOperator(path, name string, role Role, valid time.Duration) (token string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	token, hash := generateToken()
	now := time.Now().UTC().Truncate(time.Second)
	o := Operator{Name: name, Role: role, Hash: hash, Created: now}
	if valid != 0 {
		o.Expires = now.Add(valid)
	}
	err = changeOperators(path, func(list []Operator) ([]Operator, error) {
		if slices.ContainsFunc(list, func(o Operator) bool { return o.Name == name }) {
			return nil, fmt.Errorf("%s: %w", name, ErrOperatorExists)
		}
		return append(list, o), nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// RevokeOperator takes an operator out of the file; a running server knows within seconds. Errors: ErrNoOperator.
func RevokeOperator(path, name string) error {
	return changeOperators(path, func(list []Operator) ([]Operator, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(o Operator) bool { return o.Name == name })
		if len(left) == len(list) {
			return nil, fmt.Errorf("%s: %w", name, ErrNoOperator)
		}
		return left, nil
	})
}

// changeOperators reads the file, changes the list and puts a new file in its place, so that a reader finds the old one
// or the new one and nothing between. Those who change it at the same time wait for each other: a token that was just
// revoked must not come back with the list that somebody else has read before. A link stays one, and so does the file's
// place behind it.
func changeOperators(path string, change func([]Operator) ([]Operator, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if _, err := readFile("operators", path, maxOperatorsFile); err != nil {
		return err // nothing is made beside a file that cannot be used
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("operators: %w", err)
	}
	lock, err := lockOperators(path, lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Close()
	list, err := Operators(path)
	if err == nil {
		list, err = change(list)
	}
	if err != nil {
		return err
	}
	b := writeOperators(list)
	if len(b) > maxOperatorsFile {
		return fmt.Errorf("%s: too many operators: revoke some", path)
	}
	return replaceFile("operators", path, b)
}

// How long whoever changes the file waits for another who does.
const (
	lockTimeout       = 5 * time.Second
	lockRetryInterval = 20 * time.Millisecond
)

// lockOperators takes the lock of those who change the file, which is free when the result is closed. The file of the
// lock stays, for two programs could lock two files of that name otherwise.
func lockOperators(path string, within time.Duration) (io.Closer, error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	for began := time.Now(); ; time.Sleep(lockRetryInterval) {
		held, err := filelock.Try(f)
		if err == nil && held {
			return f, nil
		}
		if err == nil && time.Since(began) > within {
			err = errors.New("another program is changing the file")
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
	}
}

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

	"github.com/truestep-io/truestep/internal/fileowner"
	"github.com/truestep-io/truestep/store/filelock"
)

// TokensFile is the name of the file in the data folder that lists the operators and the hashes of their tokens.
const TokensFile = "operators.json"

// Errors of AddOperator and RevokeOperator.
var (
	ErrOperatorExists = errors.New("an operator with this name exists already")
	ErrNoOperator     = errors.New("no operator has this name")
)

// Operator is a user of the console. The file stores the hash of the token, never the token.
type Operator struct {
	Name    string            // unique in the file of operators
	Role    Role              // what the operator may do
	Hash    [sha256.Size]byte // SHA-256 of the token's text
	Created time.Time         // when the token was created
	Expires time.Time         // when the token expires; zero if never

	runOnly bool // the token was issued for this run of the server and is not in the file of operators
	local   bool // the token is that of LocalAccessFile
}

// Expired reports whether the operator's token has expired.
func (o *Operator) Expired(now time.Time) bool { return !o.Expires.IsZero() && !now.Before(o.Expires) }

// Tokens holds the operators of a server: those of a file, which is read again when it changes, and those whose token
// was issued for this run. It is safe for concurrent use.
type Tokens struct {
	path string // path of the file of operators

	mu          sync.Mutex
	file        []Operator // operators of the file, as last read
	issued      []Operator // operators whose token was issued for this run
	lastContent []byte     // content of the file, as last read
	checked     time.Time  // time of the last read of the file
	readErr     error      // error of the last read
}

// recheckInterval is the minimum time between two reads of the file of operators.
const recheckInterval = time.Second

// OpenTokens reads the file of operators at path. A file that does not exist counts as a file without operators.
func OpenTokens(path string) (*Tokens, error) {
	t := &Tokens{path: path}
	t.refresh(time.Now())
	if t.readErr != nil {
		return nil, t.readErr
	}
	return t, nil
}

// Issue creates a token that is valid for this run of the server only and is stored in no file.
func (t *Tokens) Issue(name string, role Role) string {
	token, hash := generateToken()
	t.mu.Lock()
	t.issued = append(t.issued, Operator{Name: name, Role: role, Hash: hash, Created: time.Now(), runOnly: true})
	t.mu.Unlock()
	return token
}

// IssueLocal creates the token of LocalAccessFile, for a person on the server's machine who may read the data folder.
// The token has the role Admin and is valid for this run of the server only.
func (t *Tokens) IssueLocal(name string) string {
	token, hash := generateToken()
	t.mu.Lock()
	t.issued = append(t.issued, Operator{Name: name, Role: Admin, Hash: hash, Created: time.Now(), runOnly: true, local: true})
	t.mu.Unlock()
	return token
}

// generateToken returns a token of 256 random bits, as 43 characters, and the token's hash. A token never begins with '-',
// because a command line would take it for a flag.
func generateToken() (string, [sha256.Size]byte) {
	for {
		var b [32]byte
		rand.Read(b[:]) // never fails
		token := base64.RawURLEncoding.EncodeToString(b[:])
		if token[0] != '-' {
			return token, sha256.Sum256([]byte(token))
		}
	}
}

// find returns the operator whose token has the given hash, even if the token has expired. The duration of the comparison does
// not depend on the hashes. If the hash is unknown, find reads the file again at once, because the operator may have been added a
// moment ago.
func (t *Tokens) find(hash [sha256.Size]byte, now time.Time) (Operator, bool) {
	if o, ok := t.findKnown(hash, now); ok {
		return o, true
	}
	t.mu.Lock()
	t.checked = time.Time{}
	t.mu.Unlock()
	return t.findKnown(hash, now)
}

// findKnown is like find, but reads the file at most once per recheckInterval, even if the hash is unknown. So it may miss an
// operator that was just added.
func (t *Tokens) findKnown(hash [sha256.Size]byte, now time.Time) (Operator, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh(now)
	return t.search(hash)
}

// search compares the hash with those of all operators, even after a match, to take constant time. The caller holds the lock.
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

// refresh reads the file again, and parses it if its content changed. It compares the content, because an edit may
// leave size and modification time unchanged. If the file cannot be read, none of its operators may log in: a revoked
// token must not stay valid because of a syntax error. The caller holds the lock.
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

// Err returns the error of reading the file of operators, or nil if the file can be read. While there is an error, only
// tokens that were issued for this run are valid.
func (t *Tokens) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh(time.Now())
	return t.readErr
}

// maxOperatorsFile is the maximum size of the file of operators in bytes. It suffices for maxOperators operators.
const maxOperatorsFile = 1 << 18

// parseOperatorsFile parses the content of the file at path. The parameter b is nil if the file does not exist.
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

// Operators returns the operators in the file at path, sorted by name.
func Operators(path string) ([]Operator, error) {
	b, err := readFile("operators", path, maxOperatorsFile)
	if err != nil {
		return nil, err
	}
	return parseOperatorsFile(path, b)
}

// AddOperator adds an operator to the file at path and returns the token, which cannot be recovered later. The parameter valid is
// the lifetime of the token; 0 means that it never expires. Errors: ErrOperatorExists.
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

// RevokeOperator removes an operator from the file at path. A running server refuses the token within a second. Errors:
// ErrNoOperator.
func RevokeOperator(path, name string) error {
	return changeOperators(path, func(list []Operator) ([]Operator, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(o Operator) bool { return o.Name == name })
		if len(left) == len(list) {
			return nil, fmt.Errorf("%s: %w", name, ErrNoOperator)
		}
		return left, nil
	})
}

// changeOperators reads the file, changes the list of operators and replaces the file atomically. A lock file
// serialises concurrent changes; without it a change could restore a token that was just revoked. If path is a symbolic
// link, the target of the link is replaced.
func changeOperators(path string, change func([]Operator) ([]Operator, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if _, err := readFile("operators", path, maxOperatorsFile); err != nil {
		return err // create no lock file beside a file that cannot be used
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the folder for the file of operators: %w", err)
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
		return fmt.Errorf("%s: the file of operators would be too large: revoke other operators first", path)
	}
	return replaceFile("operators", path, b)
}

// How long a change of the operators' file waits for the file lock, and how often it tries to get the lock.
const (
	lockTimeout       = 5 * time.Second
	lockRetryInterval = 20 * time.Millisecond
)

// lockOperators locks the file against changes by other programs. It fails if it cannot lock the file within the given time.
// Closing the result releases the lock. The lock file is not deleted: a program could otherwise lock the deleted file while
// another one creates and locks a new file.
func lockOperators(path string, within time.Duration) (io.Closer, error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the lock file of the file of operators: %w", err)
	}
	if err := fileowner.Adopt(filepath.Dir(f.Name()), filepath.Base(f.Name())); err != nil {
		return nil, errors.Join(fmt.Errorf("change the owner of the lock file of the file of operators to the owner of its folder: %w", err), f.Close())
	}
	for began := time.Now(); ; time.Sleep(lockRetryInterval) {
		held, err := filelock.Try(f)
		if err == nil && held {
			return f, nil
		}
		if err == nil && time.Since(began) > within {
			err = errors.New("another program is changing the file of operators: try again")
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
	}
}

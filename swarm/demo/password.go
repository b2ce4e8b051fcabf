package demo

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// PasswordFile is the name of the file in the data folder that contains the password of the bots' accounts.
const PasswordFile = "demo.secret"

// Password reads the bots' password from the data folder. At the first start it generates a password and writes it to the
// folder.
func Password(dataDir string) (string, error) {
	path := filepath.Join(dataDir, PasswordFile)
	text, err := os.ReadFile(path)
	if password := strings.TrimSpace(string(text)); err == nil && password != "" {
		return password, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("demo: read the bots' password: %w; make the file readable", err)
	}
	var b [10]byte
	rand.Read(b[:]) // Read never returns an error
	password := hex.EncodeToString(b[:])
	if err := os.WriteFile(path, []byte(password+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("demo: store the bots' password: %w; make the data folder writable", err)
	}
	return password, nil
}

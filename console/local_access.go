package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LocalAccessFile is the file in the data folder through which truestep admin finds the console of a running server:
//
//	{"url": "http://127.0.0.1:8080", "token": "...", "certificateSha256": ""}
//
// The server writes it with mode 0600 when it starts and removes it when it stops. A user who can read the file is an
// administrator. The token is valid until the server stops.
const LocalAccessFile = "console.json"

// LocalAccess is the content of LocalAccessFile.
type LocalAccess struct {
	URL         string `json:"url"`               // address of the console on this machine, without a path
	Token       string `json:"token"`             // token with the role admin
	Certificate string `json:"certificateSha256"` // SHA-256 of the console's certificate in hex; "" for plain HTTP
}

// ErrNoLocalAccess is the error if no server runs in the data folder, or if the console of that server is off.
var ErrNoLocalAccess = errors.New("no server with a console runs in this data folder")

const maxLocalAccess = 4 << 10 // maximum size of LocalAccessFile in bytes

// WriteLocalAccess writes the LocalAccessFile in the data folder dir, with the content a and mode 0600.
func WriteLocalAccess(dir string, a LocalAccess) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return replaceFile("local access to the console", filepath.Join(dir, LocalAccessFile), append(b, '\n'))
}

// RemoveLocalAccess removes the LocalAccessFile in the data folder dir. It leaves the file if its content differs from the
// parameter a: another server has then written the file meanwhile.
func RemoveLocalAccess(dir string, a LocalAccess) error {
	if now, err := ReadLocalAccess(dir); err != nil || now != a {
		return nil // another server has replaced the file, or it is removed already
	}
	return os.Remove(filepath.Join(dir, LocalAccessFile))
}

// ReadLocalAccess reads the LocalAccessFile in data folder dir. Errors: ErrNoLocalAccess if there is none.
func ReadLocalAccess(dir string) (a LocalAccess, err error) {
	path := filepath.Join(dir, LocalAccessFile)
	b, err := readFile("local access to the console", path, maxLocalAccess)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return a, fmt.Errorf("%w; run the command as the user that runs the server", err)
	case err != nil:
		return a, err
	case b == nil:
		return a, ErrNoLocalAccess
	}
	if err := json.Unmarshal(b, &a); err != nil || a.URL == "" || a.Token == "" {
		return a, fmt.Errorf("%s does not contain the url and token of a console; restart the server, which writes the file again", path)
	}
	return a, nil
}

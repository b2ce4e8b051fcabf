package bedrock

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/netip"
	"sync"
)

// keyLog writes the encryption key of each session to the writer w, so that operators can decode captures of their server's
// traffic. Each session is one line: the word BEDROCK, the client's address, and the key in hexadecimal. Anyone with the keys
// can decrypt recorded traffic, including chat.
type keyLog struct {
	mu sync.Mutex
	w  io.Writer
}

func newKeyLog(w io.Writer) *keyLog { return &keyLog{w: w} }

// add writes the key of a session. It does nothing if w is nil.
func (k *keyLog) add(client netip.AddrPort, key [32]byte) error {
	if k.w == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	_, err := fmt.Fprintf(k.w, "BEDROCK %s %s\n", client, hex.EncodeToString(key[:]))
	return err
}

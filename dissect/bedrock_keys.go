package dissect

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// keyLog contains the session keys of a key log file, in the order of the file. A nil keyLog means that no file is
// configured.
type keyLog struct {
	file string
	keys []sessionKey
}

// sessionKey is the key of one session.
type sessionKey struct {
	client netip.AddrPort // address of the client as seen by the server, not mapped into IPv6
	key    [32]byte
}

// maxKeys limits the memory for the session keys of a key log. When more than 2*maxKeys keys have been read, the oldest maxKeys
// of them are dropped.
const maxKeys = 1 << 16

// openKeyLog reads a key log file. It returns nil if name is empty. A file without keys is an error, unless live is true: then a
// server still writes the file.
func openKeyLog(name string, live bool) (*keyLog, error) {
	if name == "" {
		return nil, nil
	}
	log, err := readKeyLog(name)
	if err == nil && len(log.keys) == 0 && !live {
		err = fmt.Errorf("keylog: %s: the file has no keys; a line must be the word BEDROCK, the client's address and 64 hex digits", name)
	}
	return log, err
}

// reload reads the key log again, because a running server appends to it. If the file cannot be read, for example because
// its last line is incomplete, the known keys stay.
func (l *keyLog) reload() {
	if l == nil {
		return
	}
	if newer, err := readKeyLog(l.file); err == nil {
		l.keys = newer.keys
	}
}

// readKeyLog reads a key log file. It skips lines that do not begin with the word BEDROCK; all others must be valid.
func readKeyLog(name string) (*keyLog, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("keylog: %w", err)
	}
	defer f.Close()
	log := &keyLog{file: name}
	lines, n := bufio.NewScanner(f), 0
	for lines.Scan() {
		n++
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] != "BEDROCK" {
			continue
		}
		k, err := parseSessionKey(words)
		if err != nil {
			return nil, fmt.Errorf("keylog: %s: line %d: %w", name, n, err)
		}
		log.keys = append(log.keys, k)
		if len(log.keys) > 2*maxKeys {
			log.keys = append(log.keys[:0], log.keys[maxKeys:]...)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("keylog: %s: line %d: %w", name, n+1, err)
	}
	return log, nil
}

func parseSessionKey(words []string) (k sessionKey, err error) {
	if len(words) != 3 {
		return k, fmt.Errorf("the line has %d words instead of 3: BEDROCK, the client's address and the key", len(words))
	}
	at, err := netip.ParseAddrPort(words[1])
	if err != nil {
		return k, fmt.Errorf("%.60q is not a client address such as 10.0.0.7:53211", words[1])
	}
	b, err := hex.DecodeString(words[2])
	if err != nil || len(b) != len(k.key) {
		return k, errors.New("the third word of the line, the key, must be 64 hex digits")
	}
	return sessionKey{unmapAddr(at), [32]byte(b)}, nil
}

// unmapAddr converts an IPv4 address that is mapped into IPv6 to IPv4, and removes the zone of an IPv6 address.
func unmapAddr(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// Limits of the search in the key log for the key of a session.
const (
	maxKeyTries = 4096     // maximum number of keys of other addresses that are tried
	maxKeyBytes = 64 << 20 // maximum number of bytes that are decrypted for one session
)

// find returns the key that decrypts batch, an encrypted batch of a session. The parameter lost is the number of
// batches since encryption began that are missing before batch. Keys of the client's own address are tried first, the
// newest first. Keys of other addresses follow, because the server may see another address than the capture. They are
// not tried if batches are missing, because each attempt is then expensive.
func (l *keyLog) find(client netip.AddrPort, batch []byte, lost uint64) ([32]byte, bool) {
	if l == nil {
		return [32]byte{}, false
	}
	budget, others := maxKeyBytes, 0
	for _, own := range []bool{true, false} {
		for i := len(l.keys) - 1; i >= 0 && budget >= 0 && others < maxKeyTries; i-- {
			key := &l.keys[i]
			if (key.client == client) != own || !own && lost > 0 {
				continue
			}
			if key.decrypts(batch, lost) {
				return key.key, true
			}
			if budget -= len(batch); lost > 0 {
				budget -= searchWindow(lost)
			}
			if !own {
				others++
			}
		}
	}
	return [32]byte{}, false
}

// decrypts reports whether the key decrypts a batch. The parameter lost is the number of batches that are missing
// before this batch.
func (k *sessionKey) decrypts(batch []byte, lost uint64) bool {
	var err error
	if o := auth.NewOpener(k.key); lost > 0 {
		_, err = o.Resync(batch, lost, searchWindow(lost))
	} else {
		_, err = o.Open(bytes.Clone(batch))
	}
	return err == nil
}

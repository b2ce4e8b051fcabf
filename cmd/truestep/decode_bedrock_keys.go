package main

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

// bedrockKeys are the keys of a key log, in its order. nil: none was given.
type bedrockKeys struct {
	file string
	list []bedrockKey
}

// bedrockKey is the key of one session.
type bedrockKey struct {
	client netip.AddrPort // as the server saw it, IPv4 as such
	key    [32]byte
}

// maxBedrockKeys is how many sessions a key log may have: the newest count.
const maxBedrockKeys = 1 << 16

// openBedrockKeys reads a key log; nil if none is named. growing says that it may still be without keys.
func openBedrockKeys(name string, growing bool) (*bedrockKeys, error) {
	if name == "" {
		return nil, nil
	}
	keys, err := readBedrockKeys(name)
	if err == nil && len(keys.list) == 0 && !growing {
		err = fmt.Errorf("keylog: %s: no keys; lines are BEDROCK, the client's address and 64 hex digits", name)
	}
	return keys, err
}

// refresh reads the log anew, for the server that writes it is running. A line that is being written is no error: the
// keys stay as they were.
func (k *bedrockKeys) refresh() {
	if k == nil {
		return
	}
	if newer, err := readBedrockKeys(k.file); err == nil {
		k.list = newer.list
	}
}

// readBedrockKeys reads a key log. Empty lines, # comments and lines of other words are skipped; what begins with
// BEDROCK has to be right.
func readBedrockKeys(name string) (*bedrockKeys, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("keylog: %w", err)
	}
	defer f.Close()
	keys := &bedrockKeys{file: name}
	lines, n := bufio.NewScanner(f), 0
	for lines.Scan() {
		n++
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] != "BEDROCK" {
			continue
		}
		k, err := parseBedrockKey(words)
		if err != nil {
			return nil, fmt.Errorf("keylog: %s: line %d: %w", name, n, err)
		}
		keys.list = append(keys.list, k)
		if len(keys.list) > 2*maxBedrockKeys {
			keys.list = append(keys.list[:0], keys.list[maxBedrockKeys:]...)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("keylog: %s: line %d: %w", name, n+1, err)
	}
	return keys, nil
}

func parseBedrockKey(words []string) (k bedrockKey, err error) {
	if len(words) != 3 {
		return k, fmt.Errorf("%d words, must be BEDROCK, the client's address and the key", len(words))
	}
	at, err := netip.ParseAddrPort(words[1])
	if err != nil {
		return k, fmt.Errorf("%.60q is not an address such as 10.0.0.7:53211", words[1])
	}
	b, err := hex.DecodeString(words[2])
	if err != nil || len(b) != len(k.key) {
		return k, errors.New("the key is not 64 hex digits")
	}
	return bedrockKey{plainAddr(at), [32]byte(b)}, nil
}

// plainAddr writes IPv4 within IPv6 as IPv4, and without a zone.
func plainAddr(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// What finding a key may cost.
const (
	maxKeyTries = 4096     // keys of other addresses
	maxKeyBytes = 64 << 20 // bytes to decrypt, for a session
)

// find returns the key with which a session's first encrypted batch, or the one behind lost others, makes sense. Those of
// the client's address are tried first and newest first; then others, for the server may have seen another address than
// the capture. Behind lost batches that would cost too much.
func (k *bedrockKeys) find(client netip.AddrPort, batch []byte, lost uint64) ([32]byte, bool) {
	if k == nil {
		return [32]byte{}, false
	}
	room, others := maxKeyBytes, 0
	for _, own := range []bool{true, false} {
		for i := len(k.list) - 1; i >= 0 && room >= 0 && others < maxKeyTries; i-- {
			key := &k.list[i]
			if (key.client == client) != own || !own && lost > 0 {
				continue
			}
			if key.fits(batch, lost) {
				return key.key, true
			}
			if room -= len(batch); lost > 0 {
				room -= places(lost)
			}
			if !own {
				others++
			}
		}
	}
	return [32]byte{}, false
}

// fits tells whether a batch behind lost others makes sense with the key.
func (k *bedrockKey) fits(batch []byte, lost uint64) bool {
	var err error
	if o := auth.NewOpener(k.key); lost > 0 {
		_, err = o.Resync(batch, lost, places(lost))
	} else {
		_, err = o.Open(bytes.Clone(batch))
	}
	return err == nil
}

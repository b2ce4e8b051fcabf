package dissect

import (
	"bytes"
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// Limits of the searches for the key of a session and for the right position in the key stream. The position is
// unknown after a gap in the capture.
const (
	maxKeySearches = 8        // maximum number of batches of a session for which the key is searched
	maxResyncTries = 64       // maximum number of consecutive batches for which the position is searched
	lostBatchSize  = 1500     // upper bound of the average size of a missing batch, in bytes
	minWindow      = 64 << 10 // minimum search range, in bytes
	maxWindow      = 1 << 20  // maximum search range, in bytes
)

// decrypt decrypts a batch. It returns false if that is impossible, for example because the key is missing. After a gap in the
// capture, it searches for the batch's position in the key stream.
func (s *bedrockSession) decrypt(from bedrock.Direction, b []byte) ([]byte, bool) {
	side := s.side(from)
	if s.client.opener == nil && !s.findKey(side, b) {
		side.lost++
		return nil, false
	}
	switch {
	case side.broken:
		return nil, false
	case side.lost > 0:
		return s.resync(from, b)
	}
	plain, err := side.opener.Open(bytes.Clone(b))
	if err != nil {
		side.broken = true
		s.errors++
		s.line(from, "error: %v; the rest of what the %s says cannot be decrypted", err, sideName(from))
	}
	return plain, err == nil
}

// findKey searches the key log for the key of the session, which is the key that decrypts the batch b. It reports whether it
// has found the key.
func (s *bedrockSession) findKey(side *bedrockSide, b []byte) bool {
	if s.keyTries >= maxKeySearches {
		return false
	}
	s.keyTries++
	if s.run.Live {
		s.run.keys.reload()
	}
	key, ok := s.run.keys.find(s.pair.client, b, side.lost)
	if !ok {
		if s.keyTries == maxKeySearches || !s.run.Live || s.run.keys == nil {
			s.noteOnce("%s", s.noKey())
		}
		return false
	}
	s.client.opener, s.server.opener = auth.NewOpener(key), auth.NewOpener(key)
	return true
}

// resync decrypts a batch before which other batches are missing in the capture. It searches for the position at which this
// batch begins in the key stream. If it does not find the position, it returns false, and this batch counts as missing, too.
func (s *bedrockSession) resync(from bedrock.Direction, b []byte) ([]byte, bool) {
	side := s.side(from)
	plain, err := side.opener.Resync(b, side.lost, searchWindow(side.lost))
	if err == nil {
		s.line(from, "decrypted again from here on, behind %s not decrypted", pluralOf(side.lost, "batch", "batches"))
		side.lost, side.tries = 0, 0
		return plain, true
	}
	side.lost++
	if side.tries++; side.tries == maxResyncTries {
		side.broken = true
		s.line(from, "too much is missing in the capture: the rest of what the %s says cannot be decrypted", sideName(from))
	}
	return nil, false
}

// searchWindow returns how many bytes of the key stream are searched for the position of a batch. The parameter lost is the
// number of batches that are missing before it. The result is an upper bound of their total size, between minWindow and
// maxWindow.
func searchWindow(lost uint64) int {
	return int(min(max(lost*lostBatchSize, minWindow), maxWindow))
}

func pluralOf(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func sideName(from bedrock.Direction) string {
	if from == bedrock.ToClient {
		return "server"
	}
	return "client"
}

// noKey returns a line that says why encrypted batches are not printed and how to capture the session key.
func (s *bedrockSession) noKey() string {
	if s.run.keys == nil {
		return "the rest is encrypted. To read it, start the server with truestep serve --bedrock-keylog FILE, capture anew, and give --keylog FILE here"
	}
	return fmt.Sprintf("the rest is encrypted, and none of the %s in %s fits: was that file written by this server while it was captured?",
		plural(len(s.run.keys.keys), "key"), s.run.keys.file)
}

package main

import (
	"bytes"
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// What finding the place again behind a hole in the capture may cost.
const (
	maxKeySearches = 8    // batches of a session with which a key is looked for
	maxPlaceTries  = 64   // batches tried in a row
	lostBatchSize  = 1500 // bytes of a batch that is missing, at most on average
	leastPlaces    = 64 << 10
	mostPlaces     = 1 << 20 // bytes
)

// decrypt opens a batch. Without the key nothing can be read any more. Behind a hole in the capture the place in the key
// stream has to be found again.
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
		return s.refind(from, b)
	}
	plain, err := side.opener.Open(bytes.Clone(b))
	if err != nil {
		side.broken = true
		s.errors++
		s.line(from, "error: %v; the rest of what the %s says cannot be decrypted", err, sideName(from))
	}
	return plain, err == nil
}

// findKey looks for the key of the session, with its first encrypted batch.
func (s *bedrockSession) findKey(side *bedrockSide, b []byte) bool {
	if s.keyTries >= maxKeySearches {
		return false
	}
	s.keyTries++
	if s.run.follow() {
		s.run.keys.refresh()
	}
	key, ok := s.run.keys.find(s.path.client, b, side.lost)
	if !ok {
		if s.keyTries == maxKeySearches || !s.run.follow() || s.run.keys == nil {
			s.tell("%s", s.noKey())
		}
		return false
	}
	s.client.opener, s.server.opener = auth.NewOpener(key), auth.NewOpener(key)
	return true
}

// refind looks for the place behind lost batches. A batch that does not show it is one more of them.
func (s *bedrockSession) refind(from bedrock.Direction, b []byte) ([]byte, bool) {
	side := s.side(from)
	plain, err := side.opener.Resync(b, side.lost, places(side.lost))
	if err == nil {
		s.line(from, "decrypted again from here on, behind %s not decrypted", countOf(side.lost, "batch", "batches"))
		side.lost, side.tries = 0, 0
		return plain, true
	}
	side.lost++
	if side.tries++; side.tries == maxPlaceTries {
		side.broken = true
		s.line(from, "too much is missing in the capture: the rest of what the %s says cannot be decrypted", sideName(from))
	}
	return nil, false
}

// places is how many bytes lost batches may have had.
func places(lost uint64) int {
	return int(min(max(lost*lostBatchSize, leastPlaces), mostPlaces))
}

func countOf(n uint64, one, many string) string {
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

// noKey says why the rest is not shown and what to do.
func (s *bedrockSession) noKey() string {
	if s.run.keys == nil {
		return "the rest is encrypted. To read it, start the server with truestep serve --bedrock-keylog FILE, capture anew, and give --keylog FILE here"
	}
	return fmt.Sprintf("the rest is encrypted, and none of the %s in %s fits: was that file written by this server while it was captured?",
		count(len(s.run.keys.list), "key"), s.run.keys.file)
}

package rsscene

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// maxLine is the maximum length of a line of a vector file, in bytes. The longest line contains a packet of revision 634 or 667
// with 2047 players.
const maxLine = 1 << 20

// Check reads a vector file (see Line), applies its packets to a client, and compares the client's state with the recorded
// state after each cycle. It returns the number of correct cycles, and an error with the line number of the first incorrect
// cycle.
func Check(r io.Reader, p *rs.Profile) (cycles int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var c *rs.PlayerInfoDecoder
	n := 0
	for lines.Scan() {
		n++
		l, err := ReadLine(lines.Bytes())
		if err == nil {
			c, err = l.apply(p, c)
		}
		if err != nil {
			return cycles, fmt.Errorf("line %d: %w", n, err)
		}
		if l.T == LineCycle {
			cycles++
		}
	}
	return cycles, lines.Err()
}

// apply applies a line to the client c and returns the client. Before the first init line, which creates the client, c is nil.
// After the packet of a cycle line, it compares the client's state with the expected one.
func (l *Line) apply(p *rs.Profile, c *rs.PlayerInfoDecoder) (*rs.PlayerInfoDecoder, error) {
	b, err := l.Payload()
	switch {
	case err != nil:
		return c, err
	case l.T == LineInit && (c == nil || c.Self() != l.Self):
		return rs.NewPlayerInfoDecoder(p, l.Self, b)
	case l.T == LineInit:
		return c, c.Reconnect(b)
	case c == nil:
		return c, fmt.Errorf("%w: the line with t \"init\" must come before all lines with t \"cycle\"", ErrLine)
	}
	truth, err := l.Truth.Truth()
	if err == nil {
		err = c.Apply(b)
	}
	if err == nil {
		err = Compare(c, truth)
	}
	return c, err
}

// ErrState is wrapped by the errors of Compare.
var ErrState = errors.New("client state differs from the expected state")

// Compare returns an error about the first difference between a client's state and the expected state, in the order of player
// indices, or nil if there is none.
func Compare(c *rs.PlayerInfoDecoder, t *Truth) error {
	for i := rs.Index(1); i <= rs.MaxIndex; i++ {
		at, seen := c.Local(i)
		square, _ := c.LowRes(i)
		switch {
		case seen != t.IsLocal[i]:
			return fmt.Errorf("%w: player %d is a local player: %v, want %v", ErrState, i, seen, t.IsLocal[i])
		case at != t.Tile[i]:
			return fmt.Errorf("%w: local player %d is at tile %v, want %v", ErrState, i, at, t.Tile[i])
		case square != t.Square[i]:
			return fmt.Errorf("%w: player %d, which is not a local player, is in map square %#x, want %#x", ErrState, i, square, t.Square[i])
		}
	}
	return nil
}

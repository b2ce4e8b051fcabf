package rsscene

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// maxLine is the maximum length of a line in bytes. The longest line has a packet of revision 634 or 667 about 2047 players.
const maxLine = 1 << 20

// Check reads the lines of a run, applies the packets to a client and compares its state. It returns the number of correct
// cycles; the error names the line of the first incorrect cycle.
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

// apply applies a line to a client, which is nil before the first init line.
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
		return c, fmt.Errorf("%w: a cycle line precedes the init line", ErrLine)
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

// ErrState is wrapped by the errors of Compare about a client whose state is wrong.
var ErrState = errors.New("client state differs from the expected state")

// Compare returns the first difference between a client and the expected state, in the order of indices, or nil.
func Compare(c *rs.PlayerInfoDecoder, t *Truth) error {
	for i := rs.Index(1); i <= rs.MaxIndex; i++ {
		at, seen := c.Local(i)
		square, _ := c.LowRes(i)
		switch {
		case seen != t.IsLocal[i]:
			return fmt.Errorf("%w: index %d has local state %v, want %v", ErrState, i, seen, t.IsLocal[i])
		case at != t.Tile[i]:
			return fmt.Errorf("%w: index %d is at tile %v, want %v", ErrState, i, at, t.Tile[i])
		case square != t.Square[i]:
			return fmt.Errorf("%w: index %d is in square %#x, want %#x", ErrState, i, square, t.Square[i])
		}
	}
	return nil
}

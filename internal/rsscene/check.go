package rsscene

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// maxLine is more than the longest line: a 634 or 667 packet, and 2047 players.
const maxLine = 1 << 20

// Check reads the lines of a run, feeds its bytes to a client and compares. It returns how many cycles were right; the
// error names the line of the first that was not.
func Check(r io.Reader, p *rs.Profile) (cycles int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var c *rs.Client
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

// apply does what a line says to a client, which is nil before the first init.
func (l *Line) apply(p *rs.Profile, c *rs.Client) (*rs.Client, error) {
	b, err := l.Payload()
	switch {
	case err != nil:
		return c, err
	case l.T == LineInit && (c == nil || c.Self() != l.Self):
		return rs.NewClient(p, l.Self, b)
	case l.T == LineInit:
		return c, c.Reconnect(b)
	case c == nil:
		return c, fmt.Errorf("%w: a cycle before the init", ErrLine)
	}
	truth, err := l.Truth.Read()
	if err == nil {
		err = c.Apply(b)
	}
	if err == nil {
		err = Compare(c, truth)
	}
	return c, err
}

// ErrTruth is what Compare's errors wrap.
var ErrTruth = errors.New("client is wrong")

// Compare says where a client differs from the truth first, in the order of indices; nil if nowhere.
func Compare(c *rs.Client, t *Truth) error {
	for i := rs.Index(1); i <= rs.MaxIndex; i++ {
		at, seen := c.Local(i)
		square, _ := c.LowRes(i)
		switch {
		case seen != t.Sees[i]:
			return fmt.Errorf("%w: index %d is seen: %v, should be: %v", ErrTruth, i, seen, t.Sees[i])
		case at != t.Tile[i]:
			return fmt.Errorf("%w: index %d is at %v, should be at %v", ErrTruth, i, at, t.Tile[i])
		case square != t.Square[i]:
			return fmt.Errorf("%w: index %d is in square %#x, should be in %#x", ErrTruth, i, square, t.Square[i])
		}
	}
	return nil
}

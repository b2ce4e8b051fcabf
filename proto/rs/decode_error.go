package rs

import (
	"errors"
	"fmt"
)

// Errors at which a client drops a packet and the connection. The first seven are named after the messages of the
// 667 client, so that server authors can search for the messages that players report. DecodeError wraps one of them, and
// also a wire error if bytes are missing or left over. ErrNSN0 to ErrNSN3: a run of idle players counts more players than the pass has
// left.
var (
	ErrNSN0      = errors.New("nsn0: run of idle players goes past the end of pass 1 (local players that the last packet did not skip)")
	ErrNSN1      = errors.New("nsn1: run of idle players goes past the end of pass 2 (local players that the last packet skipped)")
	ErrNSN2      = errors.New("nsn2: run of idle players goes past the end of pass 3 (external players that the last packet skipped)")
	ErrNSN3      = errors.New("nsn3: run of idle players goes past the end of pass 4 (external players that the last packet did not skip)")
	ErrGPI1      = errors.New("gpi1: packet length does not match its content")                    // DecodeError also wraps wire.ErrShort or wire.ErrTrailing
	ErrSLR       = errors.New("s:lr: packet removes the client's own player")                      // the client's own player must stay local
	ErrHRLR      = errors.New("hr:lr: entry that adds a player contains another add")              // a change nested in an add is an add
	ErrBlock     = errors.New("extended-info block that no client can decode")                     // the block has unknown mask bits, or a value is out of range
	ErrTooLarge  = errors.New("packet is larger than the client's receive buffer")                 // the payload is longer than Profile.MaxPayload
	ErrPlacement = errors.New("placement block (positions of all players) is not 4608 bytes long") // returned by NewPlayerInfoDecoder and Reconnect
	ErrIndex     = errors.New("index of the client's own player is not 1..2047")                   // returned by NewPlayerInfoDecoder
)

// PassBlocks is the value of DecodeError.Pass and TraceStep.Pass in the extended-info blocks, which follow the four passes.
const PassBlocks = 5

// DecodeError says why a PlayerInfoDecoder could not read a packet: the pass, the player and the bit at which reading
// stopped, and the cause. It wraps Err and Cause.
type DecodeError struct {
	Pass  uint8 // pass 1..4, PassBlocks, or 0 for the packet as a whole
	Index Index // player whose change or block was read; 0 if none
	Bit   int   // offset from the start of the payload at which reading stopped, in bits
	Err   error // sentinel error of this package, such as ErrGPI1
	Cause error // wire.ErrShort, wire.ErrTrailing or an error of ParseInfo; may be nil
}

// Error returns the pass, the player, the bit and the cause.
func (e *DecodeError) Error() string {
	where := fmt.Sprintf("pass %d", e.Pass)
	switch e.Pass {
	case 0:
		where = "player info"
	case PassBlocks:
		where = "blocks"
	}
	if e.Index != 0 {
		where += fmt.Sprintf(", index %d", e.Index)
	}
	text := fmt.Sprintf("%s, bit %d: %v", where, e.Bit, e.Err)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns Err and, unless it is nil, Cause.
func (e *DecodeError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Cause}
}

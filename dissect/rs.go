package dissect

import (
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// RS prints RuneScape player info: the state of a client after each packet, or the content of each packet by bit offset.
type RS struct {
	Profile *rs.Profile // layout of player info in the client's revision
	Trace   bool        // print the content of packets (passes, runs, changes and blocks with their bits) instead of states
	Cycle   int         // print only the packet of this cycle, counted from 1, and stop after it; 0 prints all
	Check   bool        // compare each state with the expected state in the line; used by PrintLines only
	Quiet   bool        // print no states; used by PrintLines only
}

// PrintPackets prints the content of each packet. The parameter packets contains player info payloads without opcode and size.
// They are decoded as by a client that has just logged in. The parameter self is the index of the client's own player, and placement
// is the block with the positions of all players that a client receives at its login. If a packet cannot be decoded, the error
// names the packet's cycle.
func (o RS) PrintPackets(w io.Writer, self rs.Index, placement []byte, packets [][]byte) error {
	if o.Cycle > len(packets) {
		return badInput(fmt.Errorf("option cycle %d: the input has only %d payloads", o.Cycle, len(packets)))
	}
	client, err := rs.NewPlayerInfoDecoder(o.Profile, self, placement)
	if err != nil {
		return badInput(err)
	}
	var t rs.PacketTrace
	for k, b := range packets {
		refused := client.ApplyTraced(b, &t)
		if o.prints(k+1) || refused != nil {
			if _, err := w.Write(appendTrace(nil, k+1, 0, &t)); err != nil {
				return err
			}
		}
		if refused != nil {
			return fmt.Errorf("decode the payload of cycle %d: %w", k+1, refused)
		}
		if k+1 == o.Cycle {
			break
		}
	}
	return nil
}

// PrintLines reads a file that "truestep vectors rs" has written. For each packet in it, it prints the client's state after the
// packet or, with Trace, the content of the packet. It returns the number of packets. Errors contain the line number and the
// parameter name, which names the input. The error of a packet that cannot be decoded also contains its cycle and the bit. With
// Check, the first difference from an expected state is an error.
func (o RS) PrintLines(w io.Writer, name string, r io.Reader) (cycles int, err error) {
	run := lineRun{RS: o, name: name, w: w}
	err = run.read(r)
	return run.cycle, err
}

// prints reports whether the packet of the cycle is to be printed.
func (o *RS) prints(cycle int) bool { return o.Cycle == 0 || o.Cycle == cycle }

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
	Check   bool        // compare each state with the expected state in the line; used by Lines only
	Quiet   bool        // print no states; used by Lines only
}

// Packets prints the content of each packet. The parameter packets has player info payloads without opcode and size. The decoder
// begins with the state of a client that was sent its own index self and, in placement, the positions of all other players. If a
// packet cannot be decoded, the error names the packet's cycle.
func (o RS) Packets(w io.Writer, self rs.Index, placement []byte, packets [][]byte) error {
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

// Lines reads the lines of a file from "truestep vectors rs", and prints the client's state after each packet, or the packet. It
// returns the number of cycles. Errors contain the line and the parameter name, which is the name of the input. The error of a
// packet that cannot be decoded also contains its cycle and the bit. With Check, a wrong state is an error, which contains the
// first difference from the expected state.
func (o RS) Lines(w io.Writer, name string, r io.Reader) (cycles int, err error) {
	run := lineRun{RS: o, name: name, w: w}
	err = run.read(r)
	return run.cycle, err
}

// prints reports whether the packet of the cycle is to be printed.
func (o *RS) prints(cycle int) bool { return o.Cycle == 0 || o.Cycle == cycle }

// Package dissect prints packets of the game protocols in readable form: RealmCrafter messages and ENet datagrams (type
// RCCE), RuneScape player info (RS), Minecraft: Bedrock packets, batches and RakNet datagrams (Bedrock), and messages of the
// web protocol (Web).
//
// The input is bytes, pcap captures, or JSON lines; the output goes to a writer, one item per line. ReadInput converts what
// a user names on the command line (hex digits, a file name, "-") to one of these. The golden files in testdata document the
// format of the output, which "truestep decode" prints.
//
//	d := dissect.RCCE{Port: 25000}
//	err := d.PrintCapture(os.Stdout, file)
//
// An error that wraps InputError means that the input cannot be read at all. Any other error concerns a packet in the input; as
// much of the packet as is valid is printed. The package starts no goroutines.
package dissect

import "fmt"

// InputError means that the input cannot be read: it is not hex or a capture, or a file or line is unreadable. The user must
// name another input.
type InputError struct{ Err error }

// Error returns the text of the cause.
func (e InputError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e InputError) Unwrap() error { return e.Err }

// badInput wraps err in an InputError. It returns nil for nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return InputError{err}
}

// Sender is the side that has sent a message.
type Sender uint8

// Values of Sender: the sender of the input bytes.
const (
	UnknownSide Sender = iota // not known; detected from ports, handshakes, or the format that parses
	ClientSide                // sent by a client
	ServerSide                // sent by a server
)

// or returns s if this side is known, otherwise the parameter other.
func (s Sender) or(other Sender) Sender {
	if s != UnknownSide {
		return s
	}
	return other
}

// plural formats a number with its noun, for example "1 frame" or "2 frames".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

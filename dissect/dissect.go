// Package dissect prints packets of the game protocols in readable form: RealmCrafter messages and ENet datagrams (RCCE),
// RuneScape player info (RS), Minecraft: Bedrock packets, batches and RakNet datagrams (Bedrock), and messages of the web
// protocol (Web).
//
// Input is bytes, pcap captures, or JSON lines; output goes to a writer, one item per line. ReadInput turns what a user
// gives (hex digits, a file name, "-") into one of these. The format of the output is documented by the golden files in
// testdata and is what "truestep decode" prints.
//
//	d := dissect.RCCE{Port: 25000}
//	err := d.Capture(os.Stdout, file)
//
// Errors that wrap InputError mean that the input cannot be read at all; any other error is about a packet in it, and
// the output shows as much of that packet as is valid. Nothing here starts a goroutine.
package dissect

import "fmt"

// InputError reports an input that cannot be read: no hex, no capture, an unreadable file or line. The caller must
// give another input.
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

// Sender says which side sent a message, if that is known.
type Sender uint8

// Values of Sender: the sender of the input bytes.
const (
	UnknownSide Sender = iota // to be detected from ports, handshakes, or the format that parses
	ClientSide                // sent by a client
	ServerSide                // sent by a server
)

// or returns s if the sender is known, else other.
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

package dissect

import (
	"bufio"
	"errors"
	"io"
)

// InputTransport says whether input bytes are ENet datagrams or messages without a transport.
type InputTransport uint8

// Values of InputTransport: how RealmCrafter messages are wrapped in the input.
const (
	AutoTransport InputTransport = iota // detected: ENet if the bytes have a valid header of an ENet datagram, otherwise no transport
	ENetTransport                       // the bytes are ENet datagrams
	NoTransport                         // the bytes are messages without a transport, each beginning with its type byte
)

// RCCE prints RealmCrafter messages in readable form.
type RCCE struct {
	Side      Sender         // sender of the messages; UnknownSide: the sender is detected
	Transport InputTransport // form of the input: ENet datagrams or bare messages; zero: the form is detected
	Port      uint16         // UDP port of the server in a capture; 0 prints every datagram
	Full      bool           // do not shorten long fields
	Secrets   bool           // print the hashes of passwords too
}

// PrintBytes prints one message or one datagram. It returns the error of the first message that does not parse.
func (o RCCE) PrintBytes(w io.Writer, b []byte) error {
	return o.print(w, func(p *printer) error { return o.bytes(p, b) })
}

// PrintCapture prints every datagram of the server's port in a pcap file, and a summary. A message that does not parse is printed
// with its error and counted; PrintCapture returns an error only if it cannot read the file.
func (o RCCE) PrintCapture(w io.Writer, r io.Reader) error {
	return o.print(w, func(p *printer) error { return o.capture(p, r) })
}

func (o RCCE) print(w io.Writer, f func(*printer) error) error {
	p := &printer{w: bufio.NewWriter(w), full: o.Full, secrets: o.Secrets}
	err := f(p)
	if flushErr := p.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}

func (o RCCE) bytes(p *printer, b []byte) error {
	if len(b) == 0 {
		return badInput(errEmpty)
	}
	d, err := dissectENet(b)
	if o.Transport == NoTransport || o.Transport != ENetTransport && (err != nil || !d.canonical()) {
		p.line("message, %d bytes", len(b))
		return p.message(b, o.Side, 0)
	}
	p.line("ENet datagram, %d bytes", len(b))
	p.datagram(d, err)
	for i := range d.commands {
		if msgErr := p.command(&d.commands[i], o.Side.or(d.sender())); msgErr != nil && err == nil {
			err = msgErr
		}
	}
	return err
}

var errEmpty = errors.New("the input is empty; give hex digits, a file name, or - for standard input")

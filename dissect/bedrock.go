package dissect

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// InputUnit is the protocol layer of the bytes that are passed to Bedrock.Bytes: a packet, a batch or a datagram.
type InputUnit string

// Values of InputUnit: the protocol layers, and AutoUnit for an unknown one.
const (
	AutoUnit     InputUnit = "auto"     // the layer is guessed from the bytes
	PacketUnit   InputUnit = "packet"   // one packet, header and body
	BatchUnit    InputUnit = "batch"    // one batch of packets
	DatagramUnit InputUnit = "datagram" // one RakNet datagram
)

// BedrockOptions select what NewBedrock prints.
type BedrockOptions struct {
	Unit    InputUnit       // protocol layer of the input of Bedrock.Bytes
	Version bedrock.Version // protocol version; 0 selects the one that the client announces in a capture, else the first one with which a packet parses
	Port    uint16          // UDP port of the server in a capture; 0 selects every port on which RakNet is spoken
	KeyLog  string          // name of a file with the keys of encrypted sessions; "" means none
	Only    []string        // print only packets whose name contains one of these words, ignoring case; empty prints all
	RakNet  bool            // also print each datagram of a connection, its frames, and the acknowledgements
	Full    bool            // do not shorten long fields and lines, and print fields that are usually omitted
	// Live means that other programs still write the capture and the key log: the output is flushed after each frame, and
	// the key log is read again if the key of a session is missing.
	Live bool
}

// Bedrock prints Minecraft: Bedrock packets in readable form.
type Bedrock struct {
	BedrockOptions
	only map[bedrock.ID]bool // types of the packets to print; nil prints all
	keys *keyLog             // keys from the key log; nil if there is no key log
}

// NewBedrock returns a Bedrock and reads its key log. The error wraps InputError. It reports that the key log cannot be read, or
// that a word of BedrockOptions.Only is not part of any packet's name.
func NewBedrock(o BedrockOptions) (*Bedrock, error) {
	d := &Bedrock{BedrockOptions: o}
	if err := d.selectPackets(o.Only); err != nil {
		return nil, badInput(err)
	}
	keys, err := openKeyLog(o.KeyLog, o.Live)
	if err != nil {
		return nil, badInput(err)
	}
	d.keys = keys
	return d, nil
}

// PrintBytes prints one packet, batch or datagram. It returns the error of the first packet that does not parse.
func (d *Bedrock) PrintBytes(w io.Writer, b []byte) error {
	return d.print(w, func(p *bedrockPrinter) error { return p.bytes(b) })
}

// PrintCapture prints the packets of a pcap file and a summary of each client. A packet that does not parse is printed in hex
// with its error. PrintCapture returns an error only if it cannot read the file.
func (d *Bedrock) PrintCapture(w io.Writer, r io.Reader) error {
	return d.print(w, func(p *bedrockPrinter) error { return newBedrockCapture(p).read(r) })
}

func (d *Bedrock) print(w io.Writer, f func(*bedrockPrinter) error) error {
	p := &bedrockPrinter{printer{w: bufio.NewWriter(w), full: d.Full}, d}
	err := f(p)
	if flushErr := p.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// selectPackets makes d print only packets whose name contains one of the words. Without words, it prints all. A word that no
// name contains is an error.
func (d *Bedrock) selectPackets(words []string) error {
	if len(words) == 0 {
		return nil
	}
	d.only = map[bedrock.ID]bool{}
	for _, word := range words {
		found := false
		for _, row := range bedrock.Table() {
			if word != "" && strings.Contains(strings.ToLower(row.Name), strings.ToLower(word)) {
				d.only[row.ID], found = true, true
			}
		}
		if !found {
			return fmt.Errorf("option only: no packet has %q in its name; names are like PlayerAuthInput or CorrectPlayerMovePrediction", word)
		}
	}
	return nil
}

// prints reports whether packets of type id are printed.
func (d *Bedrock) prints(id bedrock.ID) bool { return d.only == nil || d.only[id] }

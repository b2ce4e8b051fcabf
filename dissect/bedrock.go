package dissect

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// InputUnit is the protocol layer of the bytes that Bedrock.Bytes prints: a packet, a batch or a datagram.
type InputUnit string

// Values of InputUnit.
const (
	AutoUnit     InputUnit = "auto"     // the layer is guessed from the bytes
	PacketUnit   InputUnit = "packet"   // one packet, header and body
	BatchUnit    InputUnit = "batch"    // one batch of packets
	DatagramUnit InputUnit = "datagram" // one RakNet datagram
)

// BedrockOptions select what NewBedrock prints.
type BedrockOptions struct {
	Unit    InputUnit       // protocol layer of the input of Bedrock.Bytes
	Version bedrock.Version // protocol version; 0 means the version that the client of a capture announces, else the first that parses
	Port    uint16          // UDP port of the server in a capture; 0 prints every port on which RakNet is spoken
	KeyLog  string          // name of the file with the keys of encrypted sessions; "" for none
	Only    []string        // print only packets whose name contains one of these words, in any case; empty prints all
	RakNet  bool            // print each datagram of a connection, its frames, and the ACKs
	Full    bool            // print long fields and lines whole, and fields that are usually omitted
	// Live means that the capture and the key log are still being written: output is flushed after each frame, and
	// the key log is read again when a session has no key.
	Live bool
}

// Bedrock prints Minecraft: Bedrock packets.
type Bedrock struct {
	BedrockOptions
	only map[bedrock.ID]bool // nil prints all packets
	keys *keyLog             // nil without a key log
}

// NewBedrock reads the key log. An error wraps InputError: the key log cannot be read, or Only names no packet.
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

// Bytes prints one packet, batch or datagram. The error is that of the first packet that does not parse.
func (d *Bedrock) Bytes(w io.Writer, b []byte) error {
	return d.print(w, func(p *bedrockPrinter) error { return p.bytes(b) })
}

// Capture prints the packets of a pcap file, and a summary of each client. Packets that do not parse are printed in hex
// with the error. The error is that of the file.
func (d *Bedrock) Capture(w io.Writer, r io.Reader) error {
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

// selectPackets sets which packets are printed: those whose name contains one of the words.
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
			return fmt.Errorf("option only: no packet has %q in its name; names have the form of PlayerAuthInput, CorrectPlayerMovePrediction", word)
		}
	}
	return nil
}

// prints reports whether packets of that type are printed.
func (d *Bedrock) prints(id bedrock.ID) bool { return d.only == nil || d.only[id] }

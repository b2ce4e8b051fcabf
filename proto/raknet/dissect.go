package raknet

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// DatagramKind is the kind of a datagram.
type DatagramKind uint8

// Values of DatagramKind: the kinds of RakNet datagrams.
const (
	OfflineDatagram DatagramKind = iota + 1 // a message outside of a connection; DescribeOffline reads its fields
	DataDatagram                            // datagram with a number and frames
	AckDatagram                             // acknowledgement of datagram numbers
	NackDatagram                            // report of missing datagram numbers
)

// Dissection is a parsed datagram, for programs that display traffic. Servers and clients do not need it.
type Dissection struct {
	Kind   DatagramKind     // kind of the datagram, which determines the other fields
	Number uint32           // datagram number of a DataDatagram, 24 bits; 0 in other kinds
	Frames []DissectedFrame // frames of a DataDatagram, in wire order; empty in other kinds
	Spans  []Span           // number ranges of an AckDatagram or NackDatagram, in wire order; empty in other kinds
}

// Span is the range First..Last of datagram numbers in an ACK or NACK. Both ends are included. Numbers have 24 bits.
type Span struct{ First, Last uint32 }

// DissectedFrame is one message, or one part of a split message, in a datagram of the kind DataDatagram. Fields that do not
// occur with the frame's reliability are 0.
type DissectedFrame struct {
	Offset      int         // offset of the frame from the start of the datagram, bytes
	Reliability Reliability // delivery guarantee of the message
	Message     uint32      // index among reliable messages, 24 bits
	Sequence    uint32      // index among sequenced messages of the channel, 24 bits
	Order       uint32      // index among ordered messages of the channel, 24 bits
	Channel     uint8       // number of the ordering channel, not validated
	Split       bool        // the frame is part Index of the Count parts of split message SplitID
	SplitID     uint16      // number of the split message; the same in all its parts
	Index       uint32      // position of the part in the split message, not validated
	Count       uint32      // number of parts of the split message, not validated
	Body        []byte      // body of the frame, borrowed from the datagram, never empty
}

// ErrMalformedDatagram reports that a datagram of an established connection cannot be parsed.
var ErrMalformedDatagram = errors.New("malformed datagram")

// Dissect parses the datagram b, even if a peer would not accept it. It reuses the memory of d, and the result shares the
// memory of b. An error wraps ErrMalformedDatagram or wire.ErrShort and says where parsing failed; d then holds what was
// parsed before.
func (d *Dissection) Dissect(b []byte) error {
	*d = Dissection{Frames: d.Frames[:0], Spans: d.Spans[:0]}
	switch {
	case len(b) == 0:
		return fmt.Errorf("datagram is empty: %w", wire.ErrShort)
	case b[0]&flagValid == 0:
		d.Kind = OfflineDatagram
		return nil
	case b[0]&flagAck != 0:
		d.Kind = AckDatagram
		return d.parseRecords(b)
	case b[0]&flagNack != 0:
		d.Kind = NackDatagram
		return d.parseRecords(b)
	}
	d.Kind = DataDatagram
	return d.parseFrames(b)
}

func (d *Dissection) parseRecords(b []byte) error {
	spans, ok := parseRecords(nil, b[1:])
	for _, s := range spans {
		d.Spans = append(d.Spans, Span{uint32(s.first), uint32(s.last)})
	}
	if !ok {
		return fmt.Errorf("parse range %d of the datagram numbers in an ACK or NACK: %w", len(spans), ErrMalformedDatagram)
	}
	return nil
}

func (d *Dissection) parseFrames(b []byte) error {
	if len(b) < headerSize {
		return fmt.Errorf("data datagram ends at offset %d, inside its header: %w", len(b), wire.ErrShort)
	}
	d.Number = u24(b[1:])
	if len(b) == headerSize {
		return fmt.Errorf("data datagram has no frame at offset %d: %w", headerSize, ErrMalformedDatagram)
	}
	for rest := b[headerSize:]; len(rest) > 0; {
		at := len(b) - len(rest)
		var f frame
		var ok bool
		if f, rest, ok = parseFrame(rest); !ok {
			return fmt.Errorf("parse frame at offset %d: %w", at, ErrMalformedDatagram)
		}
		d.Frames = append(d.Frames, DissectedFrame{
			Offset: at, Reliability: f.kind, Message: f.message, Sequence: f.sequence, Order: f.order, Channel: f.channel,
			Split: f.split, SplitID: f.id, Index: f.index, Count: f.count, Body: f.body,
		})
	}
	return nil
}

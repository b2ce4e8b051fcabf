package main

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
)

// Limits of a batch that is shown; a capture is no more to be trusted than a socket.
const maxShownBatch = 8 << 20 // bytes unpacked

// packing is whether batches have a compressor byte.
type packing uint8

const (
	packingUnknown packing = iota // look
	packingNone                   // until NetworkSettings
	packingByte                   // after it
)

// batchReader unpacks batches.
type batchReader struct {
	inflater bedrock.Inflater
	buf      []byte
}

// unpack takes the bytes behind bedrock.BatchID, decrypted, and returns the packets' bytes and how they were packed. The
// result is valid until the next call. Without knowledge a compressor byte is tried first: a batch that has none begins
// with the length of a packet, which as a compressor leaves no sense behind it.
func (r *batchReader) unpack(b []byte, how packing) (payload []byte, found packing, err error) {
	if how == packingNone {
		if _, err := bedrock.CountPackets(b, len(b)); err == nil {
			return b, packingNone, nil
		}
	}
	payload, err = r.inflater.Decompress(r.buf, b, maxShownBatch)
	if err == nil && len(b) > 0 && b[0] != bedrock.CompressorNone {
		r.buf = payload
	}
	if how == packingByte {
		return payload, packingByte, err
	}
	if err == nil {
		if _, countErr := bedrock.CountPackets(payload, len(payload)); countErr == nil {
			return payload, packingByte, nil
		}
	}
	if beginsPlain(b) {
		return b, packingNone, nil
	}
	return payload, packingByte, err
}

// beginsPlain tells whether bytes may be a batch without a compressor byte: they are in order, or begin with sense.
func beginsPlain(b []byte) bool {
	_, err := bedrock.CountPackets(b, len(b))
	return err == nil || beginsWell(b)
}

// beginsWell tells whether the first packet of a payload parses. What is encrypted hardly ever does.
func beginsWell(payload []byte) bool {
	r := wire.NewReader(payload)
	packet := r.VarBytes()
	if r.Err() != nil || len(packet) == 0 {
		return false
	}
	d := parseBedrock(packet, 0)
	return d.packet != nil && d.err == nil
}

// eachPacket calls f with every packet of a payload as far as it is in order. The error says where it ends to be.
func eachPacket(payload []byte, f func(at int, packet []byte)) error {
	r := wire.NewReader(payload)
	for n := 0; r.Left() > 0; n++ {
		b := r.VarBytes()
		if err := r.Err(); err != nil {
			return fmt.Errorf("packet %d of the batch: %w", n, err)
		}
		if len(b) == 0 {
			return fmt.Errorf("packet %d of the batch, offset %d: %w", n, len(payload)-r.Left()-1, bedrock.ErrBatchEmpty)
		}
		f(len(payload)-r.Left()-len(b), b)
	}
	return nil
}

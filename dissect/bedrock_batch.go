package dissect

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
)

// maxBatchSize is the maximum size in bytes of a decompressed batch. The limit protects against captures that were made to
// exhaust memory.
const maxBatchSize = 8 << 20

// compressor says whether the batches of a session begin with a compressor byte, which names the compression.
type compressor uint8

const (
	compressorUnknown compressor = iota // not known yet; must be detected from the bytes
	compressorNone                      // batches have no compressor byte, as before NetworkSettings
	compressorByte                      // batches have a compressor byte, as after NetworkSettings
)

// batchReader decompresses batches.
type batchReader struct {
	inflater bedrock.Inflater
	buf      []byte
}

// unpack decompresses the batch b, which is decrypted and begins after bedrock.BatchID. The result payload contains the
// packets; it is valid until the next call. The parameter how says whether the session's batches have a compressor byte, as far as
// is known; the result found says whether b has one. If how is compressorUnknown, unpack tries to decompress the bytes after the
// first one. If this yields a sequence of packets, the first byte is a compressor byte. Otherwise the first byte is the length of
// a packet, and decompressing the rest almost never yields packets.
func (r *batchReader) unpack(b []byte, how compressor) (payload []byte, found compressor, err error) {
	if how == compressorNone {
		if _, err := bedrock.CountPackets(b, len(b)); err == nil {
			return b, compressorNone, nil
		}
	}
	payload, err = r.inflater.Decompress(r.buf, b, maxBatchSize)
	if err == nil && len(b) > 0 && b[0] != bedrock.CompressorNone {
		r.buf = payload
	}
	if how == compressorByte {
		return payload, compressorByte, err
	}
	if err == nil {
		if _, countErr := bedrock.CountPackets(payload, len(payload)); countErr == nil {
			return payload, compressorByte, nil
		}
	}
	if mayBeUncompressed(b) {
		return b, compressorNone, nil
	}
	return payload, compressorByte, err
}

// mayBeUncompressed reports whether b looks like packets that are not compressed: either b splits exactly into packets by their
// lengths, or at least the first packet can be parsed.
func mayBeUncompressed(b []byte) bool {
	_, err := bedrock.CountPackets(b, len(b))
	return err == nil || firstPacketParses(b)
}

// firstPacketParses reports whether the first packet of a payload can be parsed. This distinguishes packets from encrypted bytes,
// which almost never form a valid packet.
func firstPacketParses(payload []byte) bool {
	r := wire.NewReader(payload)
	packet := r.VarBytes()
	if r.Err() != nil || len(packet) == 0 {
		return false
	}
	d := parsePacket(packet, 0)
	return d.packet != nil && d.err == nil
}

// eachPacket calls f for every packet of a payload, with the packet and its offset in the payload. It returns an error at the
// first invalid length.
func eachPacket(payload []byte, f func(at int, packet []byte)) error {
	r := wire.NewReader(payload)
	for n := 0; r.Left() > 0; n++ {
		b := r.VarBytes()
		if err := r.Err(); err != nil {
			return fmt.Errorf("read packet %d of the batch, counted from 0: %w", n, err)
		}
		if len(b) == 0 {
			return fmt.Errorf("read packet %d of the batch, counted from 0, at byte %d: %w", n, len(payload)-r.Left()-1, bedrock.ErrBatchEmpty)
		}
		f(len(payload)-r.Left()-len(b), b)
	}
	return nil
}

package tape

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/truestep-io/truestep/sim"
)

// blockKind is the kind of a block: a snapshot, a group of ticks or an index. Snapshot files and compressed segments
// consist of blocks.
type blockKind uint8

const (
	blockSnapshot blockKind = 1 // the state from which the segment starts, as sim.Area.Snapshot encodes it
	blockGroup    blockKind = 2 // a group of ticks
	blockIndex    blockKind = 3 // the offsets of the groups; the last block of a segment
)

// A block, little endian:
//
//	off  size  field
//	0    1     kind
//	1    4     length n of the content
//	5    4     CRC-32C of bytes 0..4 and of the content
//	9    n     content
const blockHead = 9

// appendBlock appends a block to b and returns the longer slice.
func appendBlock(b []byte, kind blockKind, content []byte) []byte {
	le := binary.LittleEndian
	head := le.AppendUint32([]byte{byte(kind)}, uint32(len(content)))
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, content)
	return append(le.AppendUint32(append(b, head...), sum), content...)
}

// blockLimit is the maximum length of a block's content in bytes: that of the largest snapshot or group, plus 4096 for the fields
// before the data and for zstd, which lengthens data by a few bytes if it cannot compress them.
const blockLimit = max(maxSnapshot, maxGroup) + 4096

// readBlock reads the next block. The content is valid until the next call with the same buf. At the end of the file
// readBlock returns io.EOF.
func readBlock(r io.Reader, buf *[]byte) (kind blockKind, content []byte, err error) {
	var head [blockHead]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return 0, nil, io.EOF
		}
		return 0, nil, shortError(err)
	}
	n := int64(binary.LittleEndian.Uint32(head[1:]))
	if n > blockLimit {
		return 0, nil, errDamaged
	}
	b := (*buf)[:0]
	for have := int64(0); have < n; have = int64(len(b)) { // allocate as bytes arrive, because n is not trusted
		part := min(n-have, max(4096, have))
		if int64(cap(b)) < have+part {
			b = append(b, make([]byte, part)...)
		}
		b = b[:have+part]
		if _, err := io.ReadFull(r, b[have:]); err != nil {
			return 0, nil, shortError(err)
		}
	}
	*buf = b
	if crc32.Update(crc32.Checksum(head[:5], castagnoli), castagnoli, b) != binary.LittleEndian.Uint32(head[5:]) {
		return 0, nil, errDamaged
	}
	return blockKind(head[0]), b, nil
}

// packer compresses and decompresses byte strings with zstd. Only one goroutine may use it.
type packer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
	buf []byte
}

func newPacker() *packer {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	if err != nil {
		panic(err) // cannot happen: the options are constants
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxGroup))
	if err != nil {
		panic(err) // cannot happen: the options are constants
	}
	return &packer{enc: enc, dec: dec}
}

// append appends a packed value to b: the length of the value as uvarint; the length of its zstd frame as uvarint, or 0
// if the value is stored uncompressed; then the zstd frame or the value.
func (p *packer) append(b, value []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(value)))
	p.buf = p.enc.EncodeAll(value, p.buf[:0])
	if len(p.buf) >= len(value) {
		return append(append(b, 0), value...)
	}
	return append(binary.AppendUvarint(b, uint64(len(p.buf))), p.buf...)
}

// read decodes a value that append has encoded. The decoded value may have at most limit bytes. The result may share memory with
// r.
func (p *packer) read(r *cursor, limit int) ([]byte, error) {
	size, packed := r.uvarint(), r.uvarint()
	if r.failed || size > uint64(limit) || packed > uint64(len(r.b)) || packed == 0 && size > uint64(len(r.b)) {
		return nil, errDamaged
	}
	if packed == 0 {
		return r.take(int(size)), nil
	}
	frame := r.take(int(packed))
	var head zstd.Header
	if err := head.Decode(frame); err != nil || !head.HasFCS || head.FrameContentSize != size {
		return nil, errDamaged
	}
	value, err := p.dec.DecodeAll(frame, nil)
	if err != nil || uint64(len(value)) != size {
		return nil, errDamaged
	}
	return value, nil
}

// appendGroup appends the content of a group to b: first tick, number of ticks, chain values (hashes over all records so far)
// before and after the ticks, wall-clock time of the first tick, then the packed columns.
func (p *packer) appendGroup(b []byte, g *groupWriter) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(g.first))
	b = le.AppendUint32(b, uint32(g.ticks))
	b = le.AppendUint64(b, g.chain)
	b = le.AppendUint64(b, g.after)
	b = le.AppendUint64(b, uint64(g.firstMS))
	for i := range g.columns {
		b = p.append(b, g.columns[i])
	}
	return b
}

// readGroup decodes the content of a group. The returned groupReader keeps references to b.
func (p *packer) readGroup(b []byte) (*groupReader, error) {
	r := cursor{b: b}
	g := &groupReader{tick: sim.Tick(r.u64()), left: int(r.u32()), chain: r.u64(), after: r.u64(), wall: int64(r.u64())}
	if r.failed || g.left == 0 || g.left > maxTicks {
		return nil, errDamaged
	}
	limit := maxGroup
	for i := range g.columns {
		column, err := p.read(&r, limit)
		if err != nil {
			return nil, err
		}
		limit -= len(column)
		g.columns[i].b = column
	}
	if len(r.b) > 0 {
		return nil, errDamaged
	}
	g.players = newPlayerTable()
	return g, nil
}

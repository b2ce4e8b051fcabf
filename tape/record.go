package tape

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/truestep-io/truestep/sim"
)

// Tick is one tick of an area on a tape.
type Tick struct {
	Tick     sim.Tick     // number of the tick
	WallMS   int64        // wall-clock time of the tick, ms since 1970 UTC; never before that of the previous tick
	PrevHash uint64       // Frame.Hash of the previous tick, 0 for the first tick of a new area
	Saved    sim.Tick     // tick up to which the records of all frames are stored
	Intents  []sim.Intent // intents of the tick in their order

	chain uint64 // chain value after the record
}

// recordKind is the kind of a record in a raw segment: a tick, or the end that a clean stop writes.
type recordKind uint8

const (
	recordTick recordKind = 1 // a tick
	recordEnd  recordKind = 2 // the area was closed: all players have left and their records are saved
)

// A record of a raw segment, little endian:
//
//	off  size  field
//	0    4     length n of what follows offset 8
//	4    4     CRC-32C of bytes 0..3 and 8..8+n
//	8    8     chain value: first 8 bytes of SHA-256 of the previous chain value and bytes 16..8+n
//	16   1     kind: 1 tick, 2 end
//	17   8     tick; of an end record the last tick
//	25   8     wall-clock time, ms since 1970 UTC
//	33   8     hash of the frame of the tick before; 0 in an end record
//	41   8     newest tick up to which all records are stored
//	49   n-41  intents as sim.AppendIntents; nothing in an end record
const (
	recordHead  = 8
	recordChain = 8
	recordFixed = recordHead + recordChain + 1 + 4*8
)

// appendRecord appends a record to b and returns the longer slice. Length, CRC and chain value are set by sealRecord. It does not
// allocate if b has enough capacity.
func appendRecord(b []byte, kind recordKind, t *Tick) []byte {
	b = appendRecordStart(b, kind, t)
	if kind == recordTick {
		b = sim.AppendIntents(b, t.Intents)
	}
	return b
}

func appendRecordStart(b []byte, kind recordKind, t *Tick) []byte {
	le := binary.LittleEndian
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(kind))
	b = le.AppendUint64(b, uint64(t.Tick))
	b = le.AppendUint64(b, uint64(t.WallMS))
	b = le.AppendUint64(b, t.PrevHash)
	return le.AppendUint64(b, uint64(t.Saved))
}

// sealRecord sets the length, the chain value and the CRC of a record, and returns the record's chain value. The
// parameter chain is the chain value of the previous record.
func sealRecord(rec []byte, chain uint64) uint64 {
	le := binary.LittleEndian
	le.PutUint64(rec[recordHead:], chain)
	sum := sha256.Sum256(rec[recordHead:])
	copy(rec[recordHead:], sum[:recordChain])
	le.PutUint32(rec, uint32(len(rec)-recordHead))
	le.PutUint32(rec[4:], recordCRC(rec))
	return le.Uint64(sum[:])
}

func recordCRC(rec []byte) uint32 {
	return crc32.Update(crc32.Checksum(rec[:4], castagnoli), castagnoli, rec[recordHead:])
}

// parseRecord decodes a complete record. The parameter chain is the chain value of the previous record. Intents are
// appended to t.Intents.
func parseRecord(rec []byte, chain uint64, t *Tick) (kind recordKind, err error) {
	kind, intents, err := checkRecord(rec, chain, t)
	if err == nil && kind == recordTick {
		t.Intents, err = parseIntents(t.Intents, intents)
	}
	return kind, err
}

// checkRecord checks a record and decodes it into t, except for the intents, which it returns still encoded.
func checkRecord(rec []byte, chain uint64, t *Tick) (kind recordKind, intents []byte, err error) {
	le := binary.LittleEndian
	if len(rec) < recordFixed {
		return 0, nil, errShort
	}
	if int64(le.Uint32(rec)) != int64(len(rec)-recordHead) || recordCRC(rec) != le.Uint32(rec[4:]) {
		return 0, nil, errDamaged
	}
	var sum [sha256.Size]byte
	{
		h := sha256.New()
		var before [recordChain]byte
		le.PutUint64(before[:], chain)
		h.Write(before[:])
		h.Write(rec[recordHead+recordChain:])
		h.Sum(sum[:0])
	}
	if le.Uint64(sum[:]) != le.Uint64(rec[recordHead:]) {
		return 0, nil, errors.New("a record on the tape does not continue the hash chain of the previous record")
	}
	r := cursor{b: rec[recordHead+recordChain:]}
	kind = recordKind(r.u8())
	t.Tick, t.WallMS, t.PrevHash, t.Saved = sim.Tick(r.u64()), int64(r.u64()), r.u64(), sim.Tick(r.u64())
	t.chain = le.Uint64(sum[:])
	if kind != recordTick && (kind != recordEnd || len(r.b) > 0) {
		return 0, nil, errDamaged
	}
	return kind, r.b, nil
}

// parseIntents decodes intents like sim.ParseIntents, but from untrusted data: it rejects more than maxIntents intents
// before it allocates memory for them.
func parseIntents(dst []sim.Intent, b []byte) ([]sim.Intent, error) {
	if len(b) > 1 {
		if n, size := binary.Varint(b[1:]); size <= 0 || n > maxIntents {
			return dst, fmt.Errorf("a tick on the tape has more than %d intents", maxIntents)
		}
	}
	return sim.ParseIntents(dst, b)
}

// recordReader reads the records of a raw segment, the uncompressed form of a segment in a file <serial>.wal.
type recordReader struct {
	r     io.Reader
	chain uint64
	buf   []byte
	at    int64 // offset of the next record in the file
}

// next reads the next record into t, and reuses the memory of t.Intents. At the end of the file it returns io.EOF, and
// if the file ends within a record, errShort.
func (d *recordReader) next(t *Tick) (recordKind, error) {
	rec, err := d.bytes()
	if err != nil {
		return 0, err
	}
	clear(t.Intents)
	t.Intents = t.Intents[:0]
	kind, err := parseRecord(rec, d.chain, t)
	if err != nil {
		return 0, err
	}
	d.chain = t.chain
	d.at += int64(len(rec))
	return kind, nil
}

// bytes reads the next record without decoding it.
func (d *recordReader) bytes() ([]byte, error) {
	if cap(d.buf) < 4096 {
		d.buf = make([]byte, 4096)
	}
	head := d.buf[:recordHead]
	if n, err := io.ReadFull(d.r, head); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, shortError(err)
	}
	n := int64(binary.LittleEndian.Uint32(head))
	if n < recordFixed-recordHead || n > maxRecord {
		return nil, errDamaged
	}
	// Allocate as bytes arrive, because the length in the record is not trusted.
	for have := int64(0); have < n; {
		part := min(n-have, max(4096, have))
		if need := recordHead + have + part; int64(cap(d.buf)) < need {
			d.buf = append(d.buf[:recordHead+have], make([]byte, part)...)
		}
		d.buf = d.buf[:recordHead+have+part]
		if _, err := io.ReadFull(d.r, d.buf[recordHead+have:]); err != nil {
			return nil, shortError(err)
		}
		have += part
	}
	return d.buf[:recordHead+n], nil
}

// setRecordLength sets the length of a record that is not sealed yet, so that recordLength can find the next record in
// a queue.
func setRecordLength(rec []byte) { binary.LittleEndian.PutUint32(rec, uint32(len(rec)-recordHead)) }

// recordLength returns the length of the first record in a queue.
func recordLength(queue []byte) int { return recordHead + int(binary.LittleEndian.Uint32(queue)) }

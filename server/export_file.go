package server

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"

	"github.com/truestep-io/truestep/area"
)

// exportFile is the content of an exported file: a replay, and the world in which the replay was recorded.
//
// The file consists of the magic number, the length of the content as uvarint, the content as a zstd frame, and the CRC-32C of
// everything before, little-endian. The content is:
//
//	size  field
//	1     kind of the world: 0 embedded, 1 world file, 2 RealmCrafter project
//	1     bit 0 neutral resistances, bit 1 a rules file
//	      claim policy, step, world or rules file, zip archive of the other files: uvarint length, bytes
//	      the replay file (area.Replay) to the end
type exportFile struct {
	world  worldSource
	replay []byte
}

// exportMagic begins an exported file. Its last byte is the version of the format.
const exportMagic = "TSEXPRT\x01"

var (
	errExport      = errors.New("the exported file is damaged or truncated")
	castagnoli     = crc32.MakeTable(crc32.Castagnoli)
	exportOverhead = len(exportMagic) + 4
)

// isExportFile reports whether the content of a file begins like an exported file of any format version.
func isExportFile(b []byte) bool {
	const n = len(exportMagic) - 1
	return len(b) > n && string(b[:n]) == exportMagic[:n]
}

func (e *exportFile) content() (b []byte) {
	field := func(data []byte) { b = append(binary.AppendUvarint(b, uint64(len(data))), data...) }
	w, flags := &e.world, byte(0)
	if w.neutralResistances {
		flags |= 1
	}
	if w.hasRules {
		flags |= 2
	}
	b = append(b, byte(w.kind), flags)
	field([]byte(w.claimPolicy))
	field([]byte(w.step))
	field(w.text)
	field(w.archive)
	return append(b, e.replay...)
}

// encode returns the bytes of the exported file.
func (e *exportFile) encode() ([]byte, error) {
	content := e.content()
	if len(content) > area.MaxReplaySize {
		return nil, fmt.Errorf("the exported ticks have more than %d MiB: choose a shorter time", area.MaxReplaySize>>20)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint([]byte(exportMagic), uint64(len(content)))
	b = enc.EncodeAll(content, b)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), enc.Close()
}

// parseExportFile decodes an exported file.
func parseExportFile(b []byte) (*exportFile, error) {
	content, err := exportContent(b)
	if err != nil {
		return nil, err
	}
	return parseExportContent(content)
}

// parseExportContent decodes the decompressed content of an exported file. The result shares memory with content.
func parseExportContent(content []byte) (*exportFile, error) {
	if len(content) < 2 || content[0] > byte(projectWorld) || content[1] > 3 {
		return nil, errExport
	}
	e := &exportFile{world: worldSource{kind: worldKind(content[0]), neutralResistances: content[1]&1 != 0, hasRules: content[1]&2 != 0}}
	content = content[2:]
	var fields [4][]byte
	for i := range fields {
		n, size := binary.Uvarint(content)
		// A uvarint must have its shortest form, so that each content has only one encoding.
		if size <= 0 || size > 1 && content[size-1] == 0 || n > uint64(len(content)-size) {
			return nil, errExport
		}
		fields[i], content = content[size:size+int(n)], content[size+int(n):]
	}
	e.world.claimPolicy, e.world.step, e.world.text, e.world.archive = string(fields[0]), string(fields[1]), fields[2], fields[3]
	e.replay = content
	return e, nil
}

// exportContent checks the version and the checksum of an exported file and decompresses its content.
func exportContent(b []byte) ([]byte, error) {
	last := len(exportMagic) - 1
	if isExportFile(b) && b[last] != exportMagic[last] {
		return nil, fmt.Errorf("the exported file has format version %d, but this program reads version %d", b[last], exportMagic[last])
	}
	if !isExportFile(b) || len(b) < exportOverhead || crc32.Checksum(b[:len(b)-4], castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, errExport
	}
	b = b[len(exportMagic) : len(b)-4]
	size, n := binary.Uvarint(b)
	if n <= 0 || size > area.MaxReplaySize {
		return nil, errExport
	}
	// The zstd frame must declare the size of its content, so that a damaged or malicious file cannot make the decoder
	// allocate more than the limit.
	var head zstd.Header
	if err := head.Decode(b[n:]); err != nil || !head.HasFCS || head.FrameContentSize != size {
		return nil, errExport
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(area.MaxReplaySize))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	content, err := dec.DecodeAll(b[n:], nil)
	if err != nil || uint64(len(content)) != size {
		return nil, errExport
	}
	return content, nil
}

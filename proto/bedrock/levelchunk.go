package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// LevelChunk carries the blocks and biomes of a column. Packet 58, server to client.
//
//	size  field      encoding   range
//	      X, Z       var32 x 2  chunks
//	      Dimension  var32      DimensionOverworld...
//	      SubChunks  varu32     number of sub-chunks in the payload
//	      Highest    opt var32  only if the client requests the sub-chunks individually
//	1     Cached     bool       the client looks up the parts by their hashes in Blobs
//	      Blobs      list u64   hashes; empty unless Cached; at most 4096
//	      Payload    bytes      sub-chunks from the lowest up, biomes, borders, block entities
//
// AppendChunk builds the payload.
//
// Source: docs/wire/bedrock.md, chunks.
type LevelChunk struct {
	X, Z      int32      // position of the column in chunks
	Dimension int32      // DimensionOverworld..DimensionEnd
	SubChunks uint32     // number of sub-chunks in the payload
	Highest   Opt[int32] // highest sub-chunk with blocks; only if the client requests the sub-chunks individually
	Cached    bool       // the client looks up the chunk's parts by their hashes in Blobs
	Blobs     []uint64   // hashes of the chunk's parts; empty unless Cached
	Payload   []byte     // sub-chunks from the lowest up, biomes, border blocks, block entities
}

// ID returns IDLevelChunk.
func (LevelChunk) ID() ID { return IDLevelChunk }

// ParseLevelChunk decodes the body of packet 58. Payload shares the memory of b. Errors wrap wire.ErrShort, wire.ErrRange
// or wire.ErrTrailing.
func ParseLevelChunk(b []byte, _ Version) (LevelChunk, error) {
	r := wire.NewReader(b)
	p := LevelChunk{
		X:         r.VarI32(),
		Z:         r.VarI32(),
		Dimension: r.VarI32(),
		SubChunks: r.VarU32(),
		Highest:   readOpt(&r, (*wire.Reader).VarI32),
		Cached:    r.Bool(),
		Blobs:     readList(&r, 8, maxList, (*wire.Reader).U64),
		Payload:   r.VarBytes(),
	}
	return p, r.Done("LevelChunk")
}

// Append appends the body of packet 58 to b and returns the extended slice.
func (p LevelChunk) Append(b []byte, _ Version) []byte {
	b = wire.VarI32(wire.VarI32(wire.VarI32(b, p.X), p.Z), p.Dimension)
	b = appendOpt(wire.VarU32(b, p.SubChunks), p.Highest, wire.VarI32)
	b = appendList(wire.Bool(b, p.Cached), p.Blobs, wire.U64)
	return wire.VarBytes(b, p.Payload)
}

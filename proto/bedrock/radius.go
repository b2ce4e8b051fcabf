package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// RequestChunkRadius requests a view distance. Packet 69, client to server.
//
//	size  field   encoding  range
//	      Radius  var32     chunks
//	1     Max     u8        maximum view distance of the client, chunks
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type RequestChunkRadius struct {
	Radius int32 // requested view distance in chunks
	Max    uint8 // maximum view distance of the client, chunks
}

// ID returns IDRequestChunkRadius.
func (RequestChunkRadius) ID() ID { return IDRequestChunkRadius }

// ParseRequestChunkRadius decodes the body of packet 69. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseRequestChunkRadius(b []byte, _ Version) (RequestChunkRadius, error) {
	r := wire.NewReader(b)
	p := RequestChunkRadius{Radius: r.VarI32(), Max: r.U8()}
	return p, r.Done("RequestChunkRadius")
}

// Append appends the body of packet 69 to b and returns the extended slice.
func (p RequestChunkRadius) Append(b []byte, _ Version) []byte {
	return append(wire.VarI32(b, p.Radius), p.Max)
}

// ChunkRadiusUpdated grants a view distance. Packet 70, server to client.
//
//	size  field   encoding  range
//	      Radius  var32     chunks
//
// Source: docs/wire/bedrock.md, after StartGame.
type ChunkRadiusUpdated struct{ Radius int32 }

// ID returns IDChunkRadiusUpdated.
func (ChunkRadiusUpdated) ID() ID { return IDChunkRadiusUpdated }

// ParseChunkRadiusUpdated decodes the body of packet 70. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseChunkRadiusUpdated(b []byte, _ Version) (ChunkRadiusUpdated, error) {
	r := wire.NewReader(b)
	p := ChunkRadiusUpdated{Radius: r.VarI32()}
	return p, r.Done("ChunkRadiusUpdated")
}

// Append appends the body of packet 70 to b and returns the extended slice.
func (p ChunkRadiusUpdated) Append(b []byte, _ Version) []byte { return wire.VarI32(b, p.Radius) }

// ChunkPos is the position of a chunk, a column of 16 x 16 blocks: the X and Z of its blocks, divided by 16 and rounded down.
type ChunkPos struct{ X, Z int32 }

// NetworkChunkPublisherUpdate sets the area in which the client keeps and shows chunks. Packet 121, server to client,
// before the first chunk and whenever the player has entered another chunk.
//
//	size  field   encoding                    range
//	      Center  blockpos
//	      Radius  varu32                      blocks, not chunks
//	      Saved   u32 count, (var32, var32)...  X, Z of chunks that the client has cached; at most 9216
//
// Source: docs/wire/bedrock.md, chunks.
type NetworkChunkPublisherUpdate struct {
	Center BlockPos   // block at the centre of the area
	Radius uint32     // radius of the area in blocks, not chunks
	Saved  []ChunkPos // positions of chunks that the client has cached
}

// maxSavedChunks is the maximum number of chunks in a NetworkChunkPublisherUpdate.
const maxSavedChunks = 9216 // 96 x 96 chunks: the largest view distance

// ID returns IDNetworkChunkPublisherUpdate.
func (NetworkChunkPublisherUpdate) ID() ID { return IDNetworkChunkPublisherUpdate }

// ParseNetworkChunkPublisherUpdate decodes the body of packet 121. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseNetworkChunkPublisherUpdate(b []byte, _ Version) (NetworkChunkPublisherUpdate, error) {
	r := wire.NewReader(b)
	p := NetworkChunkPublisherUpdate{Center: readBlockPos(&r), Radius: r.VarU32()}
	p.Saved = readElements(&r, r.CheckCount(r.U32(), 2, maxSavedChunks), func(r *wire.Reader) ChunkPos {
		return ChunkPos{X: r.VarI32(), Z: r.VarI32()}
	})
	return p, r.Done("NetworkChunkPublisherUpdate")
}

// Append appends the body of packet 121 to b and returns the extended slice.
func (p NetworkChunkPublisherUpdate) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(appendBlockPos(b, p.Center), p.Radius)
	b = wire.U32(b, uint32(len(p.Saved)))
	for _, c := range p.Saved {
		b = wire.VarI32(wire.VarI32(b, c.X), c.Z)
	}
	return b
}

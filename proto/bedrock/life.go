package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Values of Respawn.State: the steps of a respawn.
const (
	RespawnSearching   = 0 // the server searches for a position
	RespawnServerReady = 1 // the server has found a position; Position is set
	RespawnClientReady = 2 // the client requests to respawn
)

// Respawn is one step of the respawn of a dead player. Packet 45, both directions. To request a respawn, a client sends a
// Respawn with RespawnClientReady, a PlayerAction with ActionRespawn, or both.
//
//	size  field     encoding  range
//	12    Position  vec3      the eyes: feet + 1.62
//	1     State     u8        RespawnSearching..RespawnClientReady, not checked
//	      Runtime   varu64    0 from a server, the player's own id from a client
//
// Source: docs/wire/bedrock.md, death.
type Respawn struct {
	Position Vec3           // position of the eyes (feet + 1.62), blocks
	State    uint8          // RespawnSearching..RespawnClientReady, not validated
	Runtime  ActorRuntimeID // runtime id: 0 from a server, the player's own id from a client
}

// ID returns IDRespawn.
func (Respawn) ID() ID { return IDRespawn }

// ParseRespawn decodes the body of packet 45. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseRespawn(b []byte, _ Version) (Respawn, error) {
	r := wire.NewReader(b)
	p := Respawn{Position: readVec3(&r), State: r.U8(), Runtime: r.VarU64()}
	return p, r.Done("Respawn")
}

// Append appends the body of packet 45 to b and returns the extended slice.
func (p Respawn) Append(b []byte, _ Version) []byte {
	return wire.VarU64(append(appendVec3(b, p.Position), p.State), p.Runtime)
}

// SetHealth sets the player's health. Packet 42, server to client. Current servers use UpdateAttributes, which has a
// tick.
//
//	size  field   encoding  range
//	      Health  var32     half hearts
//
// Source: docs/wire/bedrock.md, death.
type SetHealth struct{ Health int32 }

// ID returns IDSetHealth.
func (SetHealth) ID() ID { return IDSetHealth }

// ParseSetHealth decodes the body of packet 42. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseSetHealth(b []byte, _ Version) (SetHealth, error) {
	r := wire.NewReader(b)
	p := SetHealth{Health: r.VarI32()}
	return p, r.Done("SetHealth")
}

// Append appends the body of packet 42 to b and returns the extended slice.
func (p SetHealth) Append(b []byte, _ Version) []byte { return wire.VarI32(b, p.Health) }

// DeathInfo is the text of the death screen. Packet 189, server to client, sent before the health becomes 0.
//
//	size  field       encoding  range
//	      Cause       str       a key of the language file, "death.attack.player"
//	      Parameters  list str  at most 4096; values for the key's placeholders: victim, killer
//
// Source: docs/wire/bedrock.md, death.
type DeathInfo struct {
	Cause      string   // key of the language file, for example "death.attack.player"
	Parameters []string // values for the placeholders of the text: victim, killer
}

// ID returns IDDeathInfo.
func (DeathInfo) ID() ID { return IDDeathInfo }

// ParseDeathInfo decodes the body of packet 189. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseDeathInfo(b []byte, _ Version) (DeathInfo, error) {
	r := wire.NewReader(b)
	p := DeathInfo{Cause: r.VarStr(), Parameters: readList(&r, 1, maxList, readText)}
	return p, r.Done("DeathInfo")
}

// Append appends the body of packet 189 to b and returns the extended slice.
func (p DeathInfo) Append(b []byte, _ Version) []byte {
	return appendList(wire.VarStr(b, p.Cause), p.Parameters, wire.VarStr)
}

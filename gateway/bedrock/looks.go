package bedrock

import (
	"encoding/binary"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Boxes of players, in blocks. Source: docs/wire/bedrock.md, metadata.
const (
	playerWidth  = 0.6
	playerHeight = 1.8
)

// flagsOf are the flags of an actor's metadata. body is that of a predicted player, nil of others.
func flagsOf(a *sim.ActorState, body *move.Avatar) proto.ActorFlags {
	f := proto.FlagsOf(proto.FlagBreathing, proto.FlagHasCollision, proto.FlagAffectedByGravity, proto.FlagCanShowName,
		proto.FlagAlwaysShowName, proto.FlagCanClimb)
	f.Put(proto.FlagSprinting, a.Is(sim.FlagRunning))
	if body != nil {
		return withPosture(f, body)
	}
	return f
}

func withPosture(f proto.ActorFlags, b *move.Avatar) proto.ActorFlags {
	f.Put(proto.FlagSneaking, b.Sneaking)
	f.Put(proto.FlagSprinting, b.Sprinting)
	f.Put(proto.FlagSwimming, b.Swimming)
	f.Put(proto.FlagGliding, b.Gliding)
	f.Put(proto.FlagCrawling, b.Crawling)
	f.Put(proto.FlagUsingItem, b.Using)
	f.Put(proto.FlagImmobile, b.Immobile)
	return f
}

// ownMetadata is what a client is told of its own player's posture: the flags and the box that it moves with.
func ownMetadata(b *move.Avatar) proto.Metadata {
	var m proto.Metadata
	m.SetFlags(withPosture(flagsOf(&sim.ActorState{}, nil), b))
	m.Set(proto.FloatMeta(proto.MetaScale, 1))
	m.Set(proto.FloatMeta(proto.MetaWidth, playerWidth))
	m.Set(proto.FloatMeta(proto.MetaHeight, b.Height()))
	return m
}

// metadata is what others are told of an actor.
func metadata(n *face) proto.Metadata {
	var m proto.Metadata
	m.SetFlags(n.flags)
	m.Set(proto.TextMeta(proto.MetaName, n.body.Name))
	m.Set(proto.FloatMeta(proto.MetaScale, 1))
	m.Set(proto.FloatMeta(proto.MetaWidth, playerWidth))
	m.Set(proto.FloatMeta(proto.MetaHeight, n.height))
	m.Set(proto.ByteMeta(proto.MetaAlwaysShowName, 1))
	return m
}

// addPlayer shows an actor. Everybody looks like a player here.
func addPlayer(n *face) proto.AddPlayer {
	return proto.AddPlayer{
		UUID: uuidOf(n.wire), Name: n.body.Name, Runtime: n.wire, Position: toVec3(n.at),
		Pitch: n.pitch, Yaw: n.yaw, HeadYaw: n.yaw, Metadata: metadata(n), Abilities: abilitiesOf(n.wire, 0),
	}
}

// uuidOf names an actor in the list of players. It is of this server and this run only.
func uuidOf(wire uint64) (id proto.UUID) {
	binary.BigEndian.PutUint64(id[8:], wire)
	return id
}

func abilitiesOf(wire uint64, enabled proto.Abilities) proto.PlayerAbilities {
	return proto.PlayerAbilities{
		Unique: int64(wire), Permission: proto.PermissionMember, Layers: []proto.AbilityLayer{proto.BaseLayer(enabled)},
	}
}

// abilities are what the player of a client may do.
func (c *conn) abilities(b *move.Avatar) proto.UpdateAbilities {
	may := proto.AbilityAttackPlayers | proto.AbilityAttackMobs | proto.AbilityDoorsAndSwitches
	if b.MayFly {
		may |= proto.AbilityMayFly
	}
	if b.Flying {
		may |= proto.AbilityFlying
	}
	return proto.UpdateAbilities{PlayerAbilities: abilitiesOf(c.id, may)}
}

// plainSkin is what everybody looks like. Clients' own skins are half a megabyte each and are not passed on.
var plainSkin = proto.PlainSkin()

func playerListAdd(wire uint64, name string) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{
		UUID: uuidOf(wire), Unique: int64(wire), Name: name, Skin: &plainSkin,
	}}}
}

func playerListRemove(wire uint64) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{Remove: true, UUID: uuidOf(wire)}}}
}

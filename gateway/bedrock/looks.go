package bedrock

import (
	"encoding/binary"
	"strconv"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// flagsOf are the flags of an actor's metadata. body is that of a predicted player, nil of others.
func flagsOf(a *sim.ActorState, body *move.Avatar) proto.ActorFlags {
	f := proto.FlagsOf(proto.FlagBreathing, proto.FlagHasCollision, proto.FlagAffectedByGravity, proto.FlagCanShowName,
		proto.FlagAlwaysShowName, proto.FlagCanClimb)
	f.Set(proto.FlagSprinting, a.Is(sim.FlagRunning))
	f.Set(proto.FlagRiding, a.Mount != 0)
	if a.Is(sim.FlagFlying) { // or clients let it sink between two words
		f.Set(proto.FlagAffectedByGravity, false)
		f.Set(proto.FlagCanFly, true)
	}
	if body != nil {
		return withPosture(f, body)
	}
	f.Set(proto.FlagSneaking, a.Motion.Mode == sim.MotionSneak)
	f.Set(proto.FlagSwimming, a.Motion.Mode == sim.MotionSwim)
	return f
}

func withPosture(f proto.ActorFlags, b *move.Avatar) proto.ActorFlags {
	f.Set(proto.FlagSneaking, b.Sneaking)
	f.Set(proto.FlagSprinting, b.Sprinting)
	f.Set(proto.FlagSwimming, b.Swimming)
	f.Set(proto.FlagGliding, b.Gliding)
	f.Set(proto.FlagCrawling, b.Crawling)
	f.Set(proto.FlagUsingItem, b.UsingItem)
	f.Set(proto.FlagImmobile, b.Immobile)
	return f
}

// ownMetadata is what a client is told of its own player's posture: the flags and the box that it moves with.
func ownMetadata(b *move.Avatar) proto.Metadata {
	var m proto.Metadata
	m.SetFlags(withPosture(flagsOf(&sim.ActorState{}, nil), b))
	m.Set(proto.FloatMeta(proto.MetaScale, 1))
	m.Set(proto.FloatMeta(proto.MetaWidth, person.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, b.Height()))
	return m
}

// metadata is what others are told of an actor.
func metadata(n *face) proto.Metadata {
	m := make(proto.Metadata, 0, 9)
	m.SetFlags(n.flags)
	m.Set(proto.TextMeta(proto.MetaName, n.name))
	m.Set(proto.FloatMeta(proto.MetaScale, n.look.scale))
	m.Set(proto.FloatMeta(proto.MetaWidth, n.look.box.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, n.height))
	m.Set(proto.ByteMeta(proto.MetaAlwaysShowName, 1))
	m.Set(proto.TextMeta(proto.MetaScore, wounds(n)))
	if n.mount != 0 {
		m.Set(proto.MetaEntry{Key: proto.MetaSeat, Type: proto.MetaVec3, Vec: n.seat})
	}
	return m
}

// wounds is what stands under the name of who is hurt: how many points are left. Clients show nobody's health else.
func wounds(n *face) string {
	if n.health <= 0 || n.health >= n.most {
		return ""
	}
	return strconv.Itoa(int(n.health)) + " / " + strconv.Itoa(int(n.most))
}

// vitalsOf are an actor's hearts.
func vitalsOf(n *face) proto.UpdateAttributes {
	return proto.UpdateAttributes{Runtime: n.wire, Attributes: []proto.Attribute{heartsOf(n.health, n.most)}}
}

// addPlayer shows an actor who looks like a player.
func addPlayer(n *face) proto.AddPlayer {
	return proto.AddPlayer{
		UUID: uuidOf(n.wire), Name: n.name, Runtime: n.wire, Position: toVec3(n.at),
		Pitch: n.pitch, Yaw: n.yaw, HeadYaw: n.yaw, Held: n.gear.hand.item(), Metadata: metadata(n), Abilities: abilitiesOf(n.wire, 0),
	}
}

// addActor shows an actor that looks like one of the game's entities.
func addActor(n *face) proto.AddActor {
	full := heartsOf(n.health, n.most)
	return proto.AddActor{
		Unique: int64(n.wire), Runtime: n.wire, Type: n.look.guise.Entity, Position: toVec3(n.at),
		Pitch: n.pitch, Yaw: n.yaw, HeadYaw: n.yaw, BodyYaw: n.yaw,
		Attributes: []proto.ActorAttribute{{Name: full.Name, Min: full.Min, Current: full.Current, Max: full.Max}},
		Metadata:   metadata(n),
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

func playerListAdd(wire uint64, name string, skin *proto.Skin) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{UUID: uuidOf(wire), Unique: int64(wire), Name: name, Skin: skin}}}
}

func playerListRemove(wire uint64) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{Remove: true, UUID: uuidOf(wire)}}}
}

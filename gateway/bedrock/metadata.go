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
	m.Set(proto.FloatMeta(proto.MetaWidth, playerBox.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, b.Height()))
	return m
}

// metadata is what others are told of an actor.
func actorMetadata(av *actorView) proto.Metadata {
	m := make(proto.Metadata, 0, 9)
	m.SetFlags(av.flags)
	m.Set(proto.TextMeta(proto.MetaName, av.name))
	m.Set(proto.FloatMeta(proto.MetaScale, av.appearance.scale))
	m.Set(proto.FloatMeta(proto.MetaWidth, av.appearance.box.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, av.height))
	m.Set(proto.ByteMeta(proto.MetaAlwaysShowName, 1))
	m.Set(proto.TextMeta(proto.MetaScore, scoreText(av)))
	if av.mount != 0 {
		m.Set(proto.MetaEntry{Key: proto.MetaSeat, Type: proto.MetaVec3, Vec: av.seatOffset})
	}
	return m
}

// wounds is what stands under the name of who is hurt: how many points are left. Clients show nobody's health else.
func scoreText(av *actorView) string {
	if av.health <= 0 || av.health >= av.healthMax {
		return ""
	}
	return strconv.Itoa(int(av.health)) + " / " + strconv.Itoa(int(av.healthMax))
}

// vitalsOf are an actor's hearts.
func healthPacket(av *actorView) proto.UpdateAttributes {
	return proto.UpdateAttributes{Runtime: av.runtimeID, Attributes: []proto.Attribute{healthAttribute(av.health, av.healthMax)}}
}

// addPlayer shows an actor who looks like a player.
func addPlayer(av *actorView) proto.AddPlayer {
	return proto.AddPlayer{
		UUID: uuidOf(av.runtimeID), Name: av.name, Runtime: av.runtimeID, Position: toVec3(av.pos),
		Pitch: av.pitch, Yaw: av.yaw, HeadYaw: av.yaw, Held: av.equipment.hand.wireItem(), Metadata: actorMetadata(av), Abilities: abilitiesOf(av.runtimeID, 0),
	}
}

// addActor shows an actor that looks like one of the game's entities.
func addActor(av *actorView) proto.AddActor {
	full := healthAttribute(av.health, av.healthMax)
	return proto.AddActor{
		Unique: int64(av.runtimeID), Runtime: av.runtimeID, Type: av.appearance.model.Entity, Position: toVec3(av.pos),
		Pitch: av.pitch, Yaw: av.yaw, HeadYaw: av.yaw, BodyYaw: av.yaw,
		Attributes: []proto.ActorAttribute{{Name: full.Name, Min: full.Min, Current: full.Current, Max: full.Max}},
		Metadata:   actorMetadata(av),
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
	return proto.UpdateAbilities{PlayerAbilities: abilitiesOf(c.runtimeID, may)}
}

func playerListAdd(wire uint64, name string, skin *proto.Skin) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{UUID: uuidOf(wire), Unique: int64(wire), Name: name, Skin: skin}}}
}

func playerListRemove(wire uint64) proto.PlayerList {
	return proto.PlayerList{Entries: []proto.PlayerListEntry{{Remove: true, UUID: uuidOf(wire)}}}
}

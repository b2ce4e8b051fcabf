package bedrock

import (
	"encoding/binary"
	"strconv"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// flagsOf returns the metadata flags of an actor. The parameter body is the actor's simulated body, nil if it has none.
func flagsOf(a *sim.ActorState, body *move.Avatar) proto.ActorFlags {
	f := proto.ActorFlagsOf(proto.FlagBreathing, proto.FlagHasCollision, proto.FlagAffectedByGravity, proto.FlagCanShowName,
		proto.FlagAlwaysShowName, proto.FlagCanClimb)
	f.Set(proto.FlagSprinting, a.Is(sim.FlagRunning))
	f.Set(proto.FlagRiding, a.Mount != 0)
	if a.Is(sim.FlagFlying) { // with gravity, clients would display the actor falling between updates
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

// withPosture returns f with the flags of a simulated body's posture: sneaking, sprinting, swimming and so on.
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

// ownMetadata returns the metadata of a client's own player: its posture flags and its collision box.
func ownMetadata(b *move.Avatar) proto.Metadata {
	var m proto.Metadata
	m.SetFlags(withPosture(flagsOf(&sim.ActorState{}, nil), b))
	m.Set(proto.FloatMeta(proto.MetaScale, 1))
	m.Set(proto.FloatMeta(proto.MetaWidth, playerBox.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, b.Height()))
	return m
}

// actorMetadata returns the metadata of an actor that is not the client's own player.
func actorMetadata(av *actorView) proto.Metadata {
	m := make(proto.Metadata, 0, 14)
	m.SetFlags(av.flags)
	m.Set(proto.TextMeta(proto.MetaName, av.name))
	m.Set(proto.FloatMeta(proto.MetaScale, av.appearance.scale))
	m.Set(proto.FloatMeta(proto.MetaWidth, av.appearance.box.width))
	m.Set(proto.FloatMeta(proto.MetaHeight, av.height))
	m.Set(proto.ByteMeta(proto.MetaAlwaysShowName, 1))
	m.Set(proto.TextMeta(proto.MetaScore, scoreText(av)))
	if av.mount != 0 {
		setSeat(&m, av.seatOffset, av.inBoat)
	}
	if k := av.appearance.kind; k != nil {
		setVehicle(&m, k)
	}
	return m
}

// scoreText returns the text that clients display under the name of a wounded actor: its health and its maximum health, in
// points. The text is empty for an actor with full health. Clients have no other display for the health of other actors.
func scoreText(av *actorView) string {
	if av.health <= 0 || av.health >= av.healthMax {
		return ""
	}
	return strconv.Itoa(int(av.health)) + " / " + strconv.Itoa(int(av.healthMax))
}

// healthPacket returns the health attribute of an actor.
func healthPacket(av *actorView) proto.UpdateAttributes {
	return proto.UpdateAttributes{Runtime: av.runtimeID, Attributes: []proto.Attribute{healthAttribute(av.health, av.healthMax)}}
}

// addPlayer returns the packet that makes a client display an actor with a player model.
func addPlayer(av *actorView) proto.AddPlayer {
	return proto.AddPlayer{
		UUID: uuidOf(av.runtimeID), Name: av.name, Runtime: av.runtimeID, Position: toVec3(av.pos),
		Pitch: av.pitch, Yaw: av.yaw, HeadYaw: av.yaw, Held: av.equipment.hand.wireItem(), Metadata: actorMetadata(av), Abilities: abilitiesOf(av.runtimeID, 0),
	}
}

// addActor returns the packet that makes a client display an actor with an entity model.
func addActor(av *actorView) proto.AddActor {
	full := healthAttribute(av.health, av.healthMax)
	at := toVec3(av.pos)
	at[1] += av.appearance.eyeHeight
	return proto.AddActor{
		Unique: int64(av.runtimeID), Runtime: av.runtimeID, Type: av.appearance.model.Entity, Position: at,
		Pitch: av.pitch, Yaw: av.yaw, HeadYaw: av.yaw, BodyYaw: av.yaw,
		Attributes: []proto.ActorAttribute{{Name: full.Name, Min: full.Min, Current: full.Current, Max: full.Max}},
		Metadata:   actorMetadata(av),
	}
}

// uuidOf returns the UUID by which clients identify an actor on their player list. The parameter wire is the actor's runtime id,
// from which the UUID is made. After a restart of the server, another actor may therefore get the same UUID.
func uuidOf(wire uint64) (id proto.UUID) {
	binary.BigEndian.PutUint64(id[8:], wire)
	return id
}

func abilitiesOf(wire uint64, enabled proto.Abilities) proto.PlayerAbilities {
	return proto.PlayerAbilities{
		Unique: int64(wire), Permission: proto.PermissionMember, Layers: []proto.AbilityLayer{proto.BaseLayer(enabled)},
	}
}

// abilities returns the abilities of the client's own player.
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

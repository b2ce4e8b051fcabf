package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Abilities is a set of things that a player may do, such as flying or breaking blocks.
type Abilities uint32

// Bits of Abilities: the single abilities.
const (
	AbilityBuild             Abilities = 1 << 0  // place blocks
	AbilityMine              Abilities = 1 << 1  // break blocks
	AbilityDoorsAndSwitches  Abilities = 1 << 2  // use doors and switches
	AbilityOpenContainers    Abilities = 1 << 3  // open chests and other containers
	AbilityAttackPlayers     Abilities = 1 << 4  // attack other players
	AbilityAttackMobs        Abilities = 1 << 5  // attack actors that are not players
	AbilityOperatorCommands  Abilities = 1 << 6  // use the commands of operators
	AbilityTeleport          Abilities = 1 << 7  // teleport with commands
	AbilityInvulnerable      Abilities = 1 << 8  // take no damage
	AbilityFlying            Abilities = 1 << 9  // the player is flying at the moment
	AbilityMayFly            Abilities = 1 << 10 // the player may start to fly
	AbilityInstantBuild      Abilities = 1 << 11 // place and break blocks immediately, as in creative mode
	AbilityLightning         Abilities = 1 << 12 // meaning not documented; not used by Truestep
	AbilityFlySpeed          Abilities = 1 << 13 // the FlySpeed of the layer applies
	AbilityWalkSpeed         Abilities = 1 << 14 // the WalkSpeed of the layer applies
	AbilityMuted             Abilities = 1 << 15 // the player may not chat
	AbilityWorldBuilder      Abilities = 1 << 16 // meaning not documented; not used by Truestep
	AbilityNoClip            Abilities = 1 << 17 // move through blocks
	AbilityPrivilegedBuilder Abilities = 1 << 18 // meaning not documented; not used by Truestep
	AbilityVerticalFlySpeed  Abilities = 1 << 19 // the VerticalFlySpeed of the layer applies
)

// AllAbilities contains each ability that clients of every supported version know, from AbilityBuild to
// AbilityPrivilegedBuilder. BaseLayer sets the field Allowed of its layer to exactly these.
const AllAbilities = AbilityPrivilegedBuilder<<1 - 1

// AbilityLayer is one layer of a player's abilities, in a list of layers. The topmost layer whose field Allowed contains an
// ability decides whether the player has that ability.
//
//	size  field             encoding  range
//	2     Type              u16       0 cache, 1 base, 2 spectator, 3 commands, 4 editor, 5 loading screen
//	4     Allowed           u32       abilities that this layer decides
//	4     Enabled           u32       abilities that this layer grants
//	4     FlySpeed          f32       0.05
//	4     VerticalFlySpeed  f32       1
//	4     WalkSpeed         f32       0.1
//
// Source: docs/wire/bedrock.md, other packets.
type AbilityLayer struct {
	Type             uint16    // LayerBase, LayerSpectator or another kind of layer
	Allowed          Abilities // abilities that this layer grants or denies; the others are left to lower layers
	Enabled          Abilities // abilities that this layer grants; the rest of Allowed is denied
	FlySpeed         float32   // flight speed; normally DefaultFlySpeed
	VerticalFlySpeed float32   // vertical flight speed; normally DefaultVerticalFlySpeed
	WalkSpeed        float32   // walking speed; normally DefaultWalkSpeed
}

// Layer types and default speeds of AbilityLayer.
const (
	LayerBase               = 1    // AbilityLayer.Type of the lowest layer, which every player has
	LayerSpectator          = 2    // AbilityLayer.Type of the layer of spectators
	DefaultFlySpeed         = 0.05 // AbilityLayer.FlySpeed of an unmodified player
	DefaultVerticalFlySpeed = 1    // AbilityLayer.VerticalFlySpeed of an unmodified player
	DefaultWalkSpeed        = 0.1  // AbilityLayer.WalkSpeed of an unmodified player
)

// BaseLayer returns a layer of the type LayerBase with the default speeds, in which only the given abilities are enabled.
func BaseLayer(enabled Abilities) AbilityLayer {
	return AbilityLayer{
		Type: LayerBase, Allowed: AllAbilities, Enabled: enabled,
		FlySpeed: DefaultFlySpeed, VerticalFlySpeed: DefaultVerticalFlySpeed, WalkSpeed: DefaultWalkSpeed,
	}
}

// Limits of the list of ability layers. The bedrock-protocol npm client reads the count as one byte, so the count must
// stay below 128.
const (
	abilityLayerSize = 2 + 4 + 4 + 4 + 4 + 4 // bytes of an encoded layer
	maxAbilityLayers = 16                    // maximum number of layers; the protocol has six layer types
)

// PlayerAbilities lists the abilities of a player, in UpdateAbilities and AddPlayer.
//
//	size  field              encoding  range
//	8     Unique             i64       id of the player; an i64, unlike the var64 of other packets
//	1     Permission         u8        PermissionVisitor .. PermissionCustom
//	1     CommandPermission  u8        0 normal, 1 operator, 2 automation, 3 host, 4 owner, 5 internal
//	      Layers             list      up to 16
type PlayerAbilities struct {
	Unique            ActorUniqueID  // id of the player
	Permission        uint8          // PermissionVisitor..PermissionCustom
	CommandPermission uint8          // level of commands: 0 normal, 1 operator, 2 automation, 3 host, 4 owner, 5 internal
	Layers            []AbilityLayer // at most 16 layers
}

// UpdateAbilities sets the abilities of a player. Packet 187, server to client.
//
// Source: docs/wire/bedrock.md, other packets.
type UpdateAbilities struct{ PlayerAbilities }

// ID returns IDUpdateAbilities.
func (UpdateAbilities) ID() ID { return IDUpdateAbilities }

// ParseUpdateAbilities decodes the body of packet 187. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseUpdateAbilities(b []byte, _ Version) (UpdateAbilities, error) {
	r := wire.NewReader(b)
	p := UpdateAbilities{readPlayerAbilities(&r)}
	return p, r.Done("UpdateAbilities")
}

// Append appends the body of packet 187 to b and returns the extended slice.
func (p UpdateAbilities) Append(b []byte, _ Version) []byte {
	return appendPlayerAbilities(b, &p.PlayerAbilities)
}

func readPlayerAbilities(r *wire.Reader) PlayerAbilities {
	return PlayerAbilities{
		Unique: r.I64(), Permission: r.U8(), CommandPermission: r.U8(),
		Layers: readList(r, abilityLayerSize, maxAbilityLayers, readAbilityLayer),
	}
}

func appendPlayerAbilities(b []byte, p *PlayerAbilities) []byte {
	b = append(wire.I64(b, p.Unique), p.Permission, p.CommandPermission)
	return appendList(b, p.Layers, appendAbilityLayer)
}

func readAbilityLayer(r *wire.Reader) AbilityLayer {
	return AbilityLayer{
		Type: r.U16(), Allowed: Abilities(r.U32()), Enabled: Abilities(r.U32()),
		FlySpeed: r.F32(), VerticalFlySpeed: r.F32(), WalkSpeed: r.F32(),
	}
}

func appendAbilityLayer(b []byte, l AbilityLayer) []byte {
	b = wire.U32(wire.U32(wire.U16(b, l.Type), uint32(l.Allowed)), uint32(l.Enabled))
	return wire.F32(wire.F32(wire.F32(b, l.FlySpeed), l.VerticalFlySpeed), l.WalkSpeed)
}

package rs

import "github.com/truestep-io/truestep/proto/wire"

// Values of UpdateStat.Skill for the skills that combat uses. Source: docs/wire/rs.md, server to client.
const (
	SkillAttack        = 0  // accuracy in melee
	SkillDefence       = 1  // protection against attacks
	SkillStrength      = 2  // damage in melee
	SkillConstitution  = 3  // life points
	SkillRanged        = 4  // accuracy and damage from a distance
	SkillPrayer        = 5  // prayers
	SkillMagic         = 6  // spells
	SkillDungeoneering = 24 // the skill with the highest number
	SkillCount         = 25 // number of all skills; UpdateStat.Skill must be lower
)

// UpdateStat sets the current level and the experience of a skill. Server packet UPDATE_STAT, 93. The client derives
// the base level from the experience.
//
//	off  size  field  encoding  unit and range
//	0    1     Level  u8S       current, boosts and drains included
//	1    1     Skill  u8A       0..24; others crash the client
//	2    4     XP     u32L      whole points
//
// Source: docs/wire/rs.md, server to client.
type UpdateStat struct {
	Skill, Level uint8  // Skill is SkillAttack or another below SkillCount; Level includes boosts and drains
	XP           uint32 // experience points
}

// ParseUpdateStat decodes the body of UPDATE_STAT. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseUpdateStat(b []byte) (UpdateStat, error) {
	r := wire.NewReader(b)
	p := UpdateStat{
		Level: readAs[uint8](&r, encU8S),
		Skill: readUpTo[uint8](&r, encU8A, SkillCount-1),
		XP:    readAs[uint32](&r, encU32L),
	}
	return p, r.Done("UPDATE_STAT")
}

// Opcode returns 93.
func (UpdateStat) Opcode() Opcode { return ServerUpdateStat }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p UpdateStat) Append(b []byte) []byte {
	return appendAs(appendAs(appendAs(b, encU8S, p.Level), encU8A, p.Skill), encU32L, p.XP)
}

// UpdateRunEnergy sets the run energy. Server packet UPDATE_RUNENERGY, 13: Percent, one byte.
// Source: docs/wire/rs.md, server to client.
type UpdateRunEnergy struct{ Percent uint8 } // 0..100

// ParseUpdateRunEnergy decodes the body of UPDATE_RUNENERGY. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseUpdateRunEnergy(b []byte) (UpdateRunEnergy, error) {
	r := wire.NewReader(b)
	p := UpdateRunEnergy{Percent: r.U8()}
	return p, r.Done("UPDATE_RUNENERGY")
}

// Opcode returns 13.
func (UpdateRunEnergy) Opcode() Opcode { return ServerUpdateRunEnergy }

// Append appends the body, 1 byte, and returns the longer slice.
func (p UpdateRunEnergy) Append(b []byte) []byte { return append(b, p.Percent) }

// UpdateRunWeight sets the carried weight. Server packet UPDATE_RUNWEIGHT, 103: Kilograms, s16. Source:
// docs/wire/rs.md, server to client.
type UpdateRunWeight struct{ Kilograms int16 } // may be negative

// ParseUpdateRunWeight decodes the body of UPDATE_RUNWEIGHT. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseUpdateRunWeight(b []byte) (UpdateRunWeight, error) {
	r := wire.NewReader(b)
	p := UpdateRunWeight{Kilograms: readAs[int16](&r, encU16)}
	return p, r.Done("UPDATE_RUNWEIGHT")
}

// Opcode returns 103.
func (UpdateRunWeight) Opcode() Opcode { return ServerUpdateRunWeight }

// Append appends the body, 2 bytes, and returns the longer slice.
func (p UpdateRunWeight) Append(b []byte) []byte { return appendAs(b, encU16, p.Kilograms) }

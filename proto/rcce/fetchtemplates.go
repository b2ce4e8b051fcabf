package rcce

import "github.com/truestep-io/truestep/proto/wire"

// ActorTemplate describes one kind of actor. It is an element of FetchActorsTemplates.
//
//	off  size    field           encoding  unit and range
//	0    2       ID              u16
//	2    1       Playable        u8        1 if players may choose it
//	3    1       PolyCollision   u8
//	4    8 x 2   Meshes          u16       male, female, six gubbins; 65535 none
//	20   5 x 2   Beards          u16       mesh ids
//	30   5 x 2   MaleHairs       u16
//	40   5 x 2   FemaleHairs     u16
//	50   5 x 2   MaleFaces       u16       texture ids
//	60   5 x 2   FemaleFaces     u16
//	70   5 x 2   MaleBodies      u16
//	80   5 x 2   FemaleBodies    u16
//	90   16 x 2  MaleSpeech      u16       sound ids
//	122  16 x 2  FemaleSpeech    u16
//	154  1       Rideable        u8
//	155  1       TradeMode       u8        0 none, 1 free, 2 for money
//	156  2       Blood           u16       texture id
//	158  1       Aggressiveness  u8        0 passive, 1 when provoked, 2 on sight, 3 no combat
//	159  1       Genders         u8        0 both, 1 male, 2 female, 3 none
//	160  1       Environment     u8        0 amphibious, 1 swim, 2 fly, 3 walk
//	161  2       Slots           u16       bit mask of its slots
//	163  2       MaleAnimation   u16
//	165  2       FemaleAnimation u16
//	167  4       Scale           f32       1.0 is the original size of the mesh
//	171  1       Faction         u8        0..99
//	172  40 x 4  Attributes      u16 u16   value and maximum, in turn
//	332  1+n     Race            str8
//	     1+n     Class           str8
//	     2+n     Description     str16
//
// Source: docs/wire/rcce.md#fetchactors (source code of RealmCrafter's client and server).
type ActorTemplate struct {
	ID                             uint16                    // number of the actor template
	Playable, PolyCollision        uint8                     // Playable: 1 if players may choose the template; PolyCollision: 1 if actors collide with polygons
	Meshes                         [8]uint16                 // mesh ids: male, female, six extra meshes; NoItem for none
	Beards, MaleHairs, FemaleHairs [5]uint16                 // mesh ids from which players choose
	MaleFaces, FemaleFaces         [5]uint16                 // texture ids from which players choose
	MaleBodies, FemaleBodies       [5]uint16                 // texture ids from which players choose
	MaleSpeech, FemaleSpeech       [16]uint16                // sound ids
	Rideable, TradeMode            uint8                     // Rideable: 1 if the actor can be ridden; TradeMode: 0 none, 1 free, 2 for money
	Blood                          uint16                    // texture id of the actor's blood
	Aggressiveness                 uint8                     // behaviour: 0 passive, 1 attacks if provoked, 2 attacks on sight, 3 no combat
	Genders, Environment           uint8                     // Genders: 0 both, 1 male, 2 female, 3 none; Environment: 0 amphibious, 1 swim, 2 fly, 3 walk
	Slots                          uint16                    // bit mask of the inventory slots that such an actor has
	MaleAnimation, FemaleAnimation uint16                    // ids of the animation sets for each gender
	Scale                          float32                   // size factor; 1.0 is the original size of the mesh
	Faction                        uint8                     // home faction, 0..99
	Attributes                     [AttributeCount]Attribute // initial value and maximum by attribute index
	Race, Class, Description       string                    // names of race and class, and a text for players
}

func readActorTemplate(r *reader) ActorTemplate {
	t := ActorTemplate{ID: r.u16("ID"), Playable: r.u8("Playable"), PolyCollision: r.u8("PolyCollision")}
	r.u16s("Meshes", t.Meshes[:])
	r.u16s("Beards", t.Beards[:])
	r.u16s("MaleHairs", t.MaleHairs[:])
	r.u16s("FemaleHairs", t.FemaleHairs[:])
	r.u16s("MaleFaces", t.MaleFaces[:])
	r.u16s("FemaleFaces", t.FemaleFaces[:])
	r.u16s("MaleBodies", t.MaleBodies[:])
	r.u16s("FemaleBodies", t.FemaleBodies[:])
	r.u16s("MaleSpeech", t.MaleSpeech[:])
	r.u16s("FemaleSpeech", t.FemaleSpeech[:])
	t.Rideable, t.TradeMode = r.u8("Rideable"), r.u8("TradeMode")
	t.Blood = r.u16("Blood")
	t.Aggressiveness = r.u8("Aggressiveness")
	t.Genders, t.Environment = r.u8("Genders"), r.u8("Environment")
	t.Slots = r.u16("Slots")
	t.MaleAnimation, t.FemaleAnimation = r.u16("MaleAnimation"), r.u16("FemaleAnimation")
	t.Scale = r.f32("Scale")
	t.Faction = r.u8("Faction")
	r.attributes("Attributes", &t.Attributes)
	t.Race, t.Class = r.str8("Race"), r.str8("Class")
	t.Description = r.str16("Description")
	return t
}

func (t *ActorTemplate) append(b []byte) []byte {
	b = append(wire.U16(b, t.ID), t.Playable, t.PolyCollision)
	for _, list := range [...][]uint16{
		t.Meshes[:], t.Beards[:], t.MaleHairs[:], t.FemaleHairs[:],
		t.MaleFaces[:], t.FemaleFaces[:], t.MaleBodies[:], t.FemaleBodies[:],
		t.MaleSpeech[:], t.FemaleSpeech[:],
	} {
		for _, v := range list {
			b = wire.U16(b, v)
		}
	}
	b = wire.U16(append(b, t.Rideable, t.TradeMode), t.Blood)
	b = append(b, t.Aggressiveness, t.Genders, t.Environment)
	b = wire.U16(wire.U16(wire.U16(b, t.Slots), t.MaleAnimation), t.FemaleAnimation)
	b = append(wire.F32(b, t.Scale), t.Faction)
	b = appendAttributes(b, &t.Attributes)
	return wire.Str16(wire.Str8(wire.Str8(b, t.Race), t.Class), t.Description)
}

// FetchActorsTemplates is the message of the answer to a FetchActorsRequest that carries actor templates. The templates are split
// over several messages; the RealmCrafter server puts two in each.
//
//	off  size  field      encoding       unit and range
//	0    1     Last       u8             'Y' in the last part, 'N' in the others
//	1    2     Total      u16            in the last part: number of templates in all parts
//	     rest  Templates  ActorTemplate  to the end
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsTemplates struct {
	Last      bool            // this is the last part
	Total     uint16          // number of templates in all parts; 0 unless Last
	Templates []ActorTemplate // actor templates of this part
}

// readFetchActorsTemplates reads a FetchActorsTemplates after its first byte. The parameter "last" says whether this byte marks
// the last part.
func readFetchActorsTemplates(r *reader, last bool) FetchActorsTemplates {
	p := FetchActorsTemplates{Last: last}
	if last {
		p.Total = r.u16("Total")
	}
	for i := 0; r.more(); i++ {
		r.entry("Templates", i)
		p.Templates = append(p.Templates, readActorTemplate(r))
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchActorsTemplates) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchActors))
	if p.Last {
		b = wire.U16(append(b, 'Y'), p.Total)
	} else {
		b = append(b, 'N')
	}
	for i := range p.Templates {
		b = p.Templates[i].append(b)
	}
	return b
}

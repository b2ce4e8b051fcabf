// Package appearance has the tables that say how the clients of each door draw a world: models, icons, sounds. Package
// content fills the tables from the world file or the project, and each gateway reads the table of its protocol. The
// rules of the game do not use them, so package sim is independent of protocols.
//
// The tables are keyed by the ids of a sim.World: templates, items and projectiles. An id that is missing, or a table
// that is nil, has the door's default appearance. Loaded tables are immutable.
package appearance

// Tables are the appearances in one world for all doors. With the zero value, everything has the default appearance of each door.
type Tables struct {
	RealmCrafter RealmCrafter // table of the rcce door
	RuneScape    RuneScape    // table of the rs door
	Bedrock      Bedrock      // table of the bedrock door
	Maps         []MapStyle   // map of each area, by its id; may be shorter than the list of areas
}

// New returns tables with empty maps, to which entries can be added. In them, everything has its default appearance.
func New() Tables {
	return Tables{
		RealmCrafter: RealmCrafter{Actors: map[uint16]*RealmCrafterActor{}, Items: map[uint16]RealmCrafterItem{}, Projectiles: map[uint16]RealmCrafterProjectile{}},
		RuneScape:    RuneScape{Actors: map[uint16]RuneScapeActor{}, Items: map[uint16]RuneScapeItem{}},
		Bedrock:      Bedrock{Actors: map[uint16]BedrockActor{}, Items: map[uint16]string{}, Projectiles: map[uint16]string{}},
	}
}

// None is the id that stands for no mesh, texture, sound, model or animation.
const None uint16 = 65535

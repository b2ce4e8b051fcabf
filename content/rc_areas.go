package content

// Numbers of records in the fixed-size tables of a RealmCrafter area file, and the size of a water record.
const (
	rcTriggers  = 150
	rcWaypoints = 2000
	rcPortals   = 100
	rcSpawns    = 1000
	rcWaterSize = 24 // size of a water record, in bytes
)

// rcUnused is the number in the field Prev of a waypoint slot that is not in use. The links of a waypoint to others (NextA,
// NextB, Prev) have another rule: any number of rcWaypoints or more means that there is no link.
const rcUnused = 2005

// rcArea is one file of Server Data/Areas as stored. The name of the area is that of the file. Source: RealmCrafter data
// specification, section 8.
type rcArea struct {
	Name                    string       // name of the area
	WeatherChance           [5]uint8     // chances in percent of rain, snow, fog, storm and wind
	EntryScript, ExitScript string       // scripts that run when a player enters or leaves
	Pvp                     bool         // players may attack each other
	Gravity                 uint16       // gravity in percent of normal, plus 200
	Outdoors                bool         // the area is under the open sky
	WeatherLink             string       // name of the area whose weather this area copies
	Triggers                []rcTrigger  // places at which a script runs
	Waypoints               []rcWaypoint // waypoint slots, used and unused
	Portals                 []rcPortal   // portal slots; the name of an unused one is ""
	Spawns                  []rcSpawn    // spawn slots, used and unused
	Waters                  []rcWater    // boxes of water
}

type rcTrigger struct {
	X, Y, Z, Size  float32
	Script, Method string
}

type rcWaypoint struct {
	X, Y, Z            float32
	NextA, NextB, Prev uint16
	Pause              int32 // rest at this waypoint in seconds
}

type rcPortal struct {
	Name, LinkArea, LinkPortal string
	X, Y, Z, Size, Yaw         float32
}

type rcSpawn struct {
	Actor, Waypoint                       uint16  // id of the template, and index of the waypoint
	Size                                  float32 // edge length in world units of the square in which actors appear
	SpawnScript, ActorScript, DeathScript string  // scripts that run when an actor is spawned, is right-clicked, and dies
	Max, Frequency                        uint16  // maximum number of living actors, and seconds between two spawned actors
	Range                                 float32 // world units within which actors wander around the waypoint
}

type rcWater struct {
	X, Y, Z, Width, Depth float32
	Damage, DamageType    uint16
}

// parseArea reads an area file: four tables of fixed length, then the waters.
func parseArea(c *cursor, name string) (*rcArea, error) {
	a := &rcArea{Name: name}
	for i := range a.WeatherChance {
		a.WeatherChance[i] = c.u8At(field{"weatherChance", i})
	}
	a.EntryScript = c.str("entryScript", scriptLimit)
	a.ExitScript = c.str("exitScript", scriptLimit)
	a.Pvp = c.boolByte("pvp")
	a.Gravity = c.u16("gravity")
	a.Outdoors = c.boolByte("outdoors")
	a.WeatherLink = c.str("weatherLink", nameLimit)
	a.Triggers = parseTable(c, "trigger", rcTriggers, parseTrigger)
	a.Waypoints = parseTable(c, "waypoint", rcWaypoints, parseWaypoint)
	a.Portals = parseTable(c, "portal", rcPortals, parsePortal)
	a.Spawns = parseTable(c, "spawn", rcSpawns, parseSpawn)
	at := c.off
	n := int(c.u16("waterCount"))
	if c.checkRoom(at, "water", n, rcWaterSize) {
		a.Waters = parseTable(c, "water", n, parseWater)
	}
	return a, c.done()
}

// parseTable reads n records. It stops at the first error.
func parseTable[T any](c *cursor, record string, n int, parse func(*cursor) T) []T {
	var list []T
	for i := 0; i < n && c.err == nil; i++ {
		c.beginRecord(record, i)
		list = append(list, parse(c))
	}
	c.endRecords()
	return list
}

func parseTrigger(c *cursor) rcTrigger {
	return rcTrigger{
		X: c.coord("x"), Y: c.coord("y"), Z: c.coord("z"), Size: c.f32("size"),
		Script: c.str("script", scriptLimit), Method: c.str("method", nameLimit),
	}
}

func parseWaypoint(c *cursor) rcWaypoint {
	return rcWaypoint{
		X: c.coord("x"), Y: c.coord("y"), Z: c.coord("z"),
		NextA: c.u16("nextA"), NextB: c.u16("nextB"), Prev: c.u16("prev"), Pause: c.i32("pause"),
	}
}

func parsePortal(c *cursor) rcPortal {
	return rcPortal{
		Name: c.str("name", nameLimit), LinkArea: c.str("linkArea", nameLimit), LinkPortal: c.str("linkPortal", nameLimit),
		X: c.coord("x"), Y: c.coord("y"), Z: c.coord("z"), Size: c.f32("size"), Yaw: c.f32("yaw"),
	}
}

func parseSpawn(c *cursor) rcSpawn {
	return rcSpawn{
		Actor: c.u16("actor"), Waypoint: c.u16("waypoint"), Size: c.f32("size"),
		SpawnScript: c.str("spawnScript", scriptLimit), ActorScript: c.str("actorScript", scriptLimit),
		DeathScript: c.str("deathScript", scriptLimit),
		Max:         c.u16("max"), Frequency: c.u16("frequency"), Range: c.f32("range"),
	}
}

func parseWater(c *cursor) rcWater {
	return rcWater{
		X: c.coord("x"), Y: c.coord("y"), Z: c.coord("z"), Width: c.f32("width"), Depth: c.f32("depth"),
		Damage: c.u16("damage"), DamageType: c.u16("damageType"),
	}
}

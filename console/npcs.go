package console

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// npcsBody is the response of GET /npcs.
type npcsBody struct {
	NPCs []npcBody `json:"npcs"` // sorted by entity id; at most maxNPCs
	More bool      `json:"more"` // more NPCs match than the response lists
}

// npcBody is one NPC in the world.
type npcBody struct {
	Entity    sim.EntityID `json:"entity"`    // entity id
	Name      string       `json:"name"`      // name that clients show
	Template  uint16       `json:"template"`  // id of the NPC's template
	AreaID    sim.AreaID   `json:"areaId"`    // id of the area that the NPC is in
	Area      string       `json:"area"`      // name of the area that the NPC is in
	Pos       vecBody      `json:"pos"`       // position in world units
	Health    int32        `json:"health"`    // present health; 0 if dead
	HealthMax int32        `json:"healthMax"` // maximum health
	Spawned   bool         `json:"spawned"`   // an operator has created the NPC
}

const (
	maxNPCs      = 1000            // maximum number of NPCs of one answer
	frameTimeout = 3 * time.Second // how long a call waits for the next frame of an area; chosen so that ticks may be seconds late
)

// npcs handles GET /npcs. It returns the NPCs of an area, or of all areas, in order of their ids.
func (k *call) npcs() (any, error) {
	ask, err := k.parseQuery("area", "q", "spawned")
	if err != nil {
		return nil, err
	}
	q := strings.ToLower(ask.Get("q"))
	spawned, err := parseBool(ask, "spawned")
	if err != nil {
		return nil, err
	}
	if k.NoLiveWorld {
		return nil, errNoLiveWorld
	}
	var areas []sim.AreaID
	if s := ask.Get("area"); s != "" {
		id, err := k.findArea("area", s)
		if err != nil {
			return nil, err
		}
		areas = []sim.AreaID{id}
	} else {
		for i := range k.World.Def().Areas {
			areas = append(areas, sim.AreaID(i))
		}
	}
	b := npcsBody{NPCs: []npcBody{}}
	for _, id := range areas {
		err := k.withFrame(k.r.Context(), id, func(f *sim.Frame) {
			for i := range f.Actors {
				a := &f.Actors[i]
				if a.Is(sim.FlagPlayer) || spawned != nil && a.Is(sim.FlagSpawned) != *spawned || !strings.Contains(strings.ToLower(a.Body.Name), q) {
					continue
				}
				if len(b.NPCs) == maxNPCs {
					b.More = true
					return
				}
				b.NPCs = append(b.NPCs, k.npcBody(id, a))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(b.NPCs, func(p, q npcBody) int { return cmp.Compare(p.Entity, q.Entity) })
	return b, nil
}

func (c *Console) npcBody(in sim.AreaID, a *sim.ActorState) npcBody {
	return npcBody{a.ID, a.Body.Name, a.Body.Template, in, c.areaName(in), vecBody(a.Pos), a.Health, a.HealthMax, a.Is(sim.FlagSpawned)}
}

// withFrame calls the function read with the next frame of an area. The function must not keep the frame. Errors:
// errNoFrame if no frame comes within frameTimeout, errStopping.
func (c *Console) withFrame(ctx context.Context, in sim.AreaID, read func(*sim.Frame)) error {
	feed := c.World.Subscribe("console-once", 1, in)
	defer feed.Close()
	ctx, cancel := context.WithTimeout(ctx, frameTimeout)
	defer cancel()
	select {
	case p, ok := <-feed.C():
		if !ok {
			return errStopping
		}
		read(p.Frame)
		p.Release()
		return nil
	case <-ctx.Done():
		return errNoFrame
	}
}

// findTemplate returns the template of the world that n names. The name of a template is its race, or its race and class. The
// parameter field is the name of the request field, for errors.
func (c *Console) findTemplate(field string, n nameOrID) (*sim.Template, error) {
	templates := c.World.Def().Templates
	choices := make([]choice, len(templates))
	for i := range templates {
		t := &templates[i]
		choices[i] = choice{int(t.ID), []string{t.Race, strings.TrimSpace(t.Race + " " + t.Class)}}
	}
	i, err := n.pick(field, "a template", choices)
	if err != nil {
		return nil, err
	}
	return &templates[i], nil
}

// placeBody is a position in the world, as a request gives it.
type placeBody struct {
	Area *sim.AreaID // id of the area
	X    *float32    // east, in world units
	Y    *float32    // height, in world units; nil for the ground
	Z    *float32    // north, in world units
}

// parsePlace checks b and returns its area and position. If b.Y is nil, the height is one at which an actor can stand.
func (k *call) parsePlace(b placeBody) (sim.AreaID, geom.Vec, error) {
	if b.Area == nil || b.X == nil || b.Z == nil {
		return 0, geom.Vec{}, badRequest(`"areaId", "x" and "z" are required; "y" may be null to use the ground`)
	}
	def := k.World.Def()
	if *b.Area < 0 || int(*b.Area) >= len(def.Areas) {
		return 0, geom.Vec{}, badRequest(`"areaId": there is no area %d`, *b.Area)
	}
	to := geom.Vec{X: *b.X, Z: *b.Z}
	if b.Y != nil {
		to.Y = *b.Y
	}
	for _, v := range [...]float32{to.X, to.Y, to.Z} {
		if move.SanitizeCoord(v) != v {
			return 0, geom.Vec{}, badRequest("the position must be within %d units of the origin", move.WorldLimit)
		}
	}
	if b.Y == nil {
		to.Y = move.SanitizeCoord(standingHeight(&def.Areas[*b.Area], to.X, to.Z))
	}
	return *b.Area, to, nil
}

// placeText returns a position as text for the audit log, such as "Town at 1.0 0.0 -2.5".
func (c *Console) placeText(in sim.AreaID, at geom.Vec) string {
	return fmt.Sprintf("%s at %.1f %.1f %.1f", c.areaName(in), at.X, at.Y, at.Z)
}

// spawn handles POST /npcs. It spawns an NPC of a template at a position.
func (k *call) spawn() (any, error) {
	var body struct {
		Template nameOrID    `json:"template"` // name or id of the template
		Area     *sim.AreaID `json:"areaId"`   // id of the area
		X        *float32    `json:"x"`
		Y        *float32    `json:"y"` // height in world units; null for the ground
		Z        *float32    `json:"z"`
		Yaw      float32     `json:"yaw"` // direction in degrees, 0 north, 90 west
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	t, err := k.findTemplate("template", body.Template)
	if err != nil {
		return nil, err
	}
	in, at, err := k.parsePlace(placeBody{body.Area, body.X, body.Y, body.Z})
	if err != nil {
		return nil, err
	}
	k.entry.Detail = t.Race + " in " + k.placeText(in, at)
	id, err := k.Hub.Spawn(in, t.ID, at, body.Yaw)
	if err != nil {
		return nil, err
	}
	k.entry.Detail += fmt.Sprintf(", entity %d", id)
	return struct {
		OK     bool         `json:"ok"`
		Entity sim.EntityID `json:"entity"`
		Name   string       `json:"name"`
		Area   string       `json:"area"`
	}{true, id, t.Race, k.areaName(in)}, nil
}

// removeNPC handles DELETE /npcs/{entity}. It removes an NPC from the world.
func (k *call) removeNPC() (any, error) {
	if err := k.checkRun(); err != nil {
		return nil, err
	}
	text := k.r.PathValue("entity")
	n, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		return nil, badRequest("%q is not an entity id", text)
	}
	id := sim.EntityID(n)
	k.entry.Detail = "entity " + text
	if _, ok := k.Hub.Player(id); ok {
		return nil, badRequest("entity %d is a player: kick it", id)
	}
	in, ok := id.AreaOfNPC()
	if !ok || int(in) >= len(k.World.Def().Areas) {
		return nil, session.ErrNoNPC
	}
	var found npcBody
	err = k.withFrame(k.r.Context(), in, func(f *sim.Frame) {
		if a := f.Find(id); a != nil {
			found = k.npcBody(in, a)
		}
	})
	if err != nil {
		return nil, err
	}
	if found.Entity == 0 {
		return nil, session.ErrNoNPC
	}
	k.entry.Detail = fmt.Sprintf("%s in %s, entity %d", found.Name, k.placeText(in, geom.Vec(found.Pos)), id)
	if err := k.Hub.RemoveNPC(id); err != nil {
		return nil, err
	}
	return struct {
		OK      bool   `json:"ok"`
		Name    string `json:"name"`
		Spawned bool   `json:"spawned"`
	}{true, found.Name, found.Spawned}, nil
}

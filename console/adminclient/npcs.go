package adminclient

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// NPCs is the command "truestep admin npcs", which prints NPCs.
type NPCs struct {
	Search  string `arg:"" optional:"" help:"Part of the name."`
	Area    string `help:"Only those of an area, by name or number." placeholder:"AREA"`
	Spawned bool   `help:"Only those that operators have spawned."`
}

// Run prints the NPCs.
func (n *NPCs) Run(a *Access, to Output) error {
	query := url.Values{"q": {n.Search}, "area": {n.Area}}
	if n.Spawned {
		query.Set("spawned", "true")
	}
	return list(a, to, "/npcs?"+query.Encode(), func(c *client, b *struct {
		NPCs []struct {
			Entity            uint64
			Name, Area        string
			Pos               struct{ X, Y, Z float64 }
			Health, HealthMax int
			Spawned           bool
		}
		More bool
	}) error {
		if len(b.NPCs) == 0 {
			return c.say("there is no such NPC in the world")
		}
		var cells [][]string
		for _, n := range b.NPCs {
			by := ""
			if n.Spawned {
				by = "operator"
			}
			place := fmt.Sprintf("%.1f %.1f %.1f", n.Pos.X, n.Pos.Y, n.Pos.Z)
			cells = append(cells, []string{strconv.FormatUint(n.Entity, 10), n.Name, n.Area, place, fmt.Sprintf("%d/%d", n.Health, n.HealthMax), by})
		}
		if err := c.table("ENTITY NAME AREA PLACE HEALTH BY", cells); err != nil || !b.More {
			return err
		}
		return c.say("and more: narrow the search")
	})
}

// Spawn is the command "truestep admin spawn", which spawns an NPC.
type Spawn struct {
	Template string `arg:"" help:"Name or number of a template of the world, such as Wolf."`
	// Near names a player in the world, at whose position the NPC is spawned.
	Near string   `help:"Where a player is: its name, account or entity." placeholder:"PLAYER"`
	Area string   `help:"Area, by name or number." placeholder:"AREA"`
	X    *float32 `help:"Place in world units, such as --x=-40." placeholder:"X"`
	Z    *float32 `help:"Place in world units." placeholder:"Z"`
	Y    *float32 `help:"Height; without it the ground." placeholder:"Y"`
	Yaw  float32  `help:"Direction in degrees." placeholder:"DEGREES"`
}

// Run spawns the NPC.
func (s *Spawn) Run(a *Access, to Output) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	body := map[string]any{"template": s.Template, "yaw": s.Yaw}
	if err := s.place(c, body); err != nil {
		return err
	}
	return askAndShow(c, "POST", "/npcs", body, func(made *struct {
		Entity     uint64
		Name, Area string
	}) error {
		return c.say("%s is in %s; truestep admin remove %d removes it", made.Name, made.Area, made.Entity)
	})
}

// place adds a position to body, the JSON object of a request: the position that the flags give, or that of the player in Near.
func (s *Spawn) place(c *client, body map[string]any) error {
	switch own := s.Area != "" || s.X != nil || s.Z != nil || s.Y != nil; {
	case s.Near != "" && own:
		return problem("the place is given twice: give either --area, --x and --z, or --near PLAYER")
	case s.Near != "":
		return c.placeOf(s.Near, body)
	case s.Area == "" || s.X == nil || s.Z == nil:
		return problem("name a place: --area AREA --x X --z Z, or --near PLAYER")
	}
	var world struct {
		Areas []struct {
			ID   int
			Name string
		}
	}
	if err := c.ask("GET", "/world", nil, &world); err != nil {
		return err
	}
	for _, area := range world.Areas {
		if strings.EqualFold(area.Name, s.Area) || strconv.Itoa(area.ID) == s.Area {
			body["areaId"], body["x"], body["y"], body["z"] = area.ID, *s.X, s.Y, *s.Z
			return nil
		}
	}
	return problem("there is no area %q", s.Area)
}

// placeOf adds the position of a player in the world to body, the JSON object of a request. The parameter target is the
// player's name, account or entity id.
func (c *client) placeOf(target string, body map[string]any) error {
	p, err := c.find(target)
	if err != nil {
		return err
	}
	var detail struct {
		AreaID int
		Pos    *struct{ X, Y, Z float32 }
	}
	if err := c.ask("GET", fmt.Sprintf("/players/%d", p.Entity), nil, &detail); err != nil {
		return err
	}
	if detail.Pos == nil {
		return problem("%s is between two areas: try again", p.Name)
	}
	body["areaId"], body["x"], body["y"], body["z"] = detail.AreaID, detail.Pos.X, detail.Pos.Y, detail.Pos.Z
	return nil
}

// Remove is the command "truestep admin remove", which removes NPCs.
type Remove struct {
	Entity []uint64 `arg:"" help:"Entities of NPCs; see truestep admin npcs."`
}

// Run removes the NPCs.
func (r *Remove) Run(a *Access, to Output) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	for _, id := range r.Entity {
		err := askAndShow(c, "DELETE", fmt.Sprintf("/npcs/%d", id), nil, func(gone *struct {
			Name    string
			Spawned bool
		}) error {
			end := ""
			if !gone.Spawned {
				end = "; if the world file spawns it, it comes back after the period of its spawn"
			}
			return c.say("%s, entity %d, is removed%s", gone.Name, id, end)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

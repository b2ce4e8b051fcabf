//go:build linux

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"text/template"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
)

// worldHead is the text of the world file without its areas.
//
//go:embed world.toml
var worldHead []byte

// areaText is the template of an area in the world file, for a worldArea.
//
//go:embed area.toml.tmpl
var areaText string

// Values in world.toml that the checks need to know.
const (
	kitAmount  = 10000 // Tokens of a new character
	lingerTime = 25 * time.Second
)

// Limits of the option --areas: every node leads an area, and the entrances of the first area are apart from each other.
const (
	minAreas = nodeCount
	maxAreas = 12
)

const (
	entranceAt = 55 // distance in units from the middle of an area to its entrances to other areas
	arrivalAt  = 25 // distance in units from the middle of an area to the places at which players arrive
	areaRadius = 90 // distance in units from the middle of an area within which all players stay
)

// worldArea is an area of the world file.
type worldArea struct {
	Name          string
	TileX, BlockX int // coordinates of the area for RuneScape and Bedrock clients
	Portals       []worldPortal
	Spawns        []worldPoint
}

// worldPoint is a position in an area, in units.
type worldPoint struct{ X, Z float64 }

// worldPortal is an entrance to the area To, in which players arrive at the portal Exit. If To is empty, players only arrive there.
type worldPortal struct {
	Name string
	worldPoint
	To, Exit string
	Radius   int
}

// worldText returns the text of the world file for a number of areas.
func worldText(areas int) ([]byte, error) {
	text := template.Must(template.New("area").Parse(areaText))
	out := bytes.NewBuffer(bytes.Clone(worldHead))
	for _, a := range worldAreas(areas) {
		if err := text.Execute(out, a); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// worldAreas returns the given number of small areas, in which NPCs attack on sight. Players begin in the first area, Camp. Camp has
// entrances to all others, on a circle. Each other area has entrances to the previous and the next one. The nodes lead areas in turn.
func worldAreas(areas int) (list []worldArea) {
	name := func(i int) string {
		if names := []string{"Camp", "Ring", "Den"}; i < len(names) {
			return names[i]
		}
		return fmt.Sprint("Field ", i)
	}
	for i := range areas {
		a := worldArea{
			Name: name(i), TileX: 3200 + 200*i, BlockX: 1000 * i,
			Spawns: []worldPoint{{14, 30}, {-25, 25}, {-14, -30}, {25, -25}},
		}
		others := []int{(i + 1) % areas, i - 1}
		if i == 0 {
			a.Portals = append(a.Portals, worldPortal{Name: "Start"})
			others = others[:0]
			for k := 1; k < areas; k++ {
				others = append(others, k)
			}
		} else if !slices.Contains(others, 0) {
			a.Portals = append(a.Portals, worldPortal{Name: "From " + name(0)}) // this portal is in the middle of the area
		}
		for k, other := range others {
			at := func(distance float64) worldPoint {
				angle := 2 * math.Pi * float64(k) / float64(len(others))
				return worldPoint{math.Round(distance * math.Cos(angle)), math.Round(distance * math.Sin(angle))}
			}
			a.Portals = append(a.Portals,
				worldPortal{Name: "From " + name(other), worldPoint: at(arrivalAt)},
				worldPortal{Name: "To " + name(other), worldPoint: at(entranceAt), To: name(other), Exit: "From " + name(i), Radius: truth.EntranceRadius})
		}
		list = append(list, a)
	}
	return list
}

package content

import (
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// noVehicle is the word of a template that players under the predict authority cannot ride.
const noVehicle = "none"

// vehicleWords lists the kinds of vehicles, as in vehicle = "horse".
func vehicleWords() []string {
	words := []string{noVehicle}
	for t := move.NoVehicle + 1; t.Valid(); t++ {
		words = append(words, t.String())
	}
	return words
}

// readVehicle reads vehicle = "boat": how players under the predict authority ride actors of a template. Without the key, a
// rideable template is the kind of vehicle of its Bedrock entity.
func (b *builder) readVehicle(t *table, tpl *sim.Template) {
	if i, ok := t.choice("vehicle", vehicleWords()); ok {
		tpl.Vehicle = move.NoVehicle + move.VehicleType(i)
	} else if !t.has("vehicle") {
		b.setDefaultVehicle(tpl)
	}
}

// setDefaultVehicle makes a rideable template the kind of vehicle of its Bedrock entity.
func (b *builder) setDefaultVehicle(tpl *sim.Template) {
	if !tpl.Rideable {
		return
	}
	name := strings.TrimPrefix(b.appearance.Bedrock.Actors[tpl.ID].Entity, "minecraft:")
	if t, ok := move.VehicleTypeNamed(name); ok {
		tpl.Vehicle = t
	}
}

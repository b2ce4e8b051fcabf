package content

import (
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// noVehicle is the value of the key vehicle for a template that players under the predict authority cannot ride.
const noVehicle = "none"

// vehicleWords returns the values of the key vehicle, as in vehicle = "horse".
func vehicleWords() []string {
	words := []string{noVehicle}
	for t := move.NoVehicle + 1; t.Valid(); t++ {
		words = append(words, t.String())
	}
	return words
}

// readVehicle reads vehicle = "boat": the type of vehicle that a template is for players under the predict authority. If
// the key is missing and the template is rideable, its Bedrock entity determines the type.
func (b *builder) readVehicle(t *table, tpl *sim.Template) {
	if i, ok := t.choice("vehicle", vehicleWords()); ok {
		tpl.Vehicle = move.NoVehicle + move.VehicleType(i)
	} else if !t.has("vehicle") {
		b.setDefaultVehicle(tpl)
	}
}

// setDefaultVehicle makes a rideable template a vehicle if its Bedrock entity is one, such as minecraft:horse.
func (b *builder) setDefaultVehicle(tpl *sim.Template) {
	if !tpl.Rideable {
		return
	}
	name := strings.TrimPrefix(b.appearance.Bedrock.Actors[tpl.ID].Entity, "minecraft:")
	if t, ok := move.VehicleTypeNamed(name); ok {
		tpl.Vehicle = t
	}
}

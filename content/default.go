package content

import (
	_ "embed"

	"github.com/truestep-io/truestep/sim"
)

// DefaultName is how messages call the world that is part of the program.
const DefaultName = "default.toml"

//go:embed default.toml
var defaultTOML []byte

// DefaultTOML is the source of DefaultWorld: a start for a world of one's own. The caller may keep and change it.
func DefaultTOML() []byte { return append([]byte(nil), defaultTOML...) }

// DefaultWorld is Truestep Vale, the world that runs when no other is named. It panics if the file that is part of the
// program is broken, which a test keeps from happening.
func DefaultWorld() *sim.World {
	w, _, err := LoadWorld(DefaultName, defaultTOML)
	if err != nil {
		panic(err)
	}
	return w
}

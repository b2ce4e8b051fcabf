package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

func TestFirstPlayableTemplateIsNotAnNPCTemplate(t *testing.T) {
	w := &sim.World{Templates: []sim.Template{{ID: 3}, {ID: 5, Playable: true}, {ID: 7, Playable: true}}}
	if id, ok := FirstPlayable(w); !ok || id != 5 {
		t.Errorf("got template %d, %v; want 5", id, ok)
	}
	w.Templates = w.Templates[:1]
	if id, ok := FirstPlayable(w); ok {
		t.Errorf("got template %d of a world for NPCs only", id)
	}
	if _, ok := FirstPlayable(content.DefaultWorld().World); !ok {
		t.Error("the embedded world has no playable template")
	}
}

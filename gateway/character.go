package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// maxNameTries is the number of names to try for a new character, because a name may be taken: "Ada", then "Ada 2" to "Ada 9".
const maxNameTries = 9

// EnsureCharacter creates the first character of an account that has none, for protocols whose clients cannot create one. The
// character has the world's first playable template and the given name. If the name is taken, a number is appended to it; a name
// that is too long for that is truncated first. The error is session.ErrTemplate if no template is playable, session.ErrNameTaken,
// or an error of Hub.Roster or Hub.CreateCharacter.
func EnsureCharacter(ctx context.Context, hub *session.Hub, w *sim.World, l *session.Login, name string) error {
	roster, err := hub.Roster(ctx, l)
	if err != nil || len(roster) > 0 {
		return err
	}
	template, ok := FirstPlayable(w)
	if !ok {
		return session.ErrTemplate
	}
	for i := range maxNameTries {
		n := name
		if i > 0 {
			number := fmt.Sprintf(" %d", i+1)
			n = strings.TrimRight(name[:min(len(name), session.MaxCharacterName-len(number))], " ") + number
		}
		err := hub.CreateCharacter(ctx, l, session.NewCharacter{Name: n, Template: template})
		if !errors.Is(err, session.ErrNameTaken) {
			return err
		}
	}
	return session.ErrNameTaken
}

// FirstPlayable returns the id of the world's first template that players may choose. ok is false if there is none.
func FirstPlayable(w *sim.World) (id uint16, ok bool) {
	for i := range w.Templates {
		if w.Templates[i].Playable {
			return w.Templates[i].ID, true
		}
	}
	return 0, false
}

package console

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
)

// Every error of an operator action gives a response of its own, and none gives an internal error.
func TestEachOperatorActionErrorGivesItsOwnAPIError(t *testing.T) {
	for err, want := range map[error]*apiError{
		session.ErrNotInWorld:   errNoPlayer,
		session.ErrDead:         errDead,
		session.ErrOrderTimeout: errOrderTimeout,
		store.ErrUnavailable:    errNoDatabase,

		fmt.Errorf("%w: %w", session.ErrBusy, store.ErrUnavailable): errNoDatabase,
		area.ErrClosed: errStopping,
	} {
		if got := toAPIError(fmt.Errorf("order: %w", err)); got != want {
			t.Errorf("%v: answered %+v", err, got)
		}
	}
}

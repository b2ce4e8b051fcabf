package console

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/session"
)

// Whatever may become of an operator's order has an answer of its own, and is no fault of the server.
func TestWhatBecomesOfAnOrderHasItsAnswer(t *testing.T) {
	for err, want := range map[error]*apiError{
		session.ErrNobody:  errNoPlayer,
		session.ErrDead:    errDead,
		session.ErrUnheard: errOrderTimeout,
		area.ErrClosed:     errStopping,
	} {
		if got := toAPIError(fmt.Errorf("order: %w", err)); got != want {
			t.Errorf("%v is answered %+v", err, got)
		}
	}
}

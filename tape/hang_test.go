package tape

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

type idleGame struct{}

func (idleGame) Command(*sim.Hand, sim.EntityID, *sim.Command) {}
func (idleGame) Tick(*sim.Hand)                                {}

// The code of a game may loop forever in the last tick of a tape. The server must start nevertheless: recovery omits that tick,
// as it omits a tick that panics.
func TestEndlessStepOfGameIsReportedAsErrorAfterTimeLimit(t *testing.T) {
	def := *content.DefaultWorld().World
	def.Game = idleGame{}
	synctest.Test(t, func(t *testing.T) {
		wait := make(chan struct{})
		began := time.Now()
		_, err := stepSafely(func(*sim.Area, []sim.Intent) *sim.Frame { <-wait; return nil }, sim.NewArea(&def, 0, 1), nil)
		if err == nil || !strings.Contains(err.Error(), "did not end") || time.Since(began) != stepLimit {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		close(wait)
		if f, err := stepSafely((*sim.Area).Step, sim.NewArea(&def, 0, 1), nil); err != nil || f.Tick != 1 {
			t.Errorf("a step that ends gives %v, %v", f, err)
		}
	})
}

package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// LO-3: the version that was agreed on is the version of the login; another ends it at once, not after a while.
func TestLO3TheLoginHasTheVersionThatWasAgreedOn(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		for _, v := range []proto.Version{proto.V2193, 2170, 0, -1} {
			before := r.bad("version")
			c := r.stranger("ann")
			c.hello()
			r.run(50 * time.Millisecond)
			begun := time.Now()
			c.send(proto.Login{Protocol: v, Request: c.request()})
			c.sentAway()
			if took := time.Since(begun); took > 2*time.Second || r.bad("version") != before+1 {
				t.Errorf("version %d: gone after %v, %d counted", v, took, r.bad("version")-before)
			}
			if c.has("ServerToClientHandshake") {
				t.Errorf("version %d: the login was checked", v)
			}
		}
	})
}

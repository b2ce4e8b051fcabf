package web

import (
	"fmt"
	"testing"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
)

// A door without a log shows that the error is none of those that are logged as internal ones.
func TestLoginWhileAnAreaHasNoLeaderIsRefusedAsBusy(t *testing.T) {
	if r := new(Gateway).refusalOf(fmt.Errorf("enter: %w", session.ErrNoLead)); r.reason != proto.RefusedBusy || r.seconds == 0 || r.name != "no_leader" {
		t.Errorf("%+v", r)
	}
}

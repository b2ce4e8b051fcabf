package rs

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestAPlayerLogsInAndWalks(t *testing.T) {
	bubble(t, nil, Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		from := ada.tile()
		ada.send(proto.MoveGameClick{X: from.X + 3, Z: from.Z})
		r.cycles(5)
		if got := ada.tile(); got.X != from.X+3 || got.Z != from.Z {
			t.Errorf("from %v to %v", from, got)
		}
		if err := ada.failed(); err != nil {
			t.Error(err)
		}
		t.Log(ada.packets, ada.base)
	})
}

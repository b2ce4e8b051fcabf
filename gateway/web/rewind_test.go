package web_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Bob runs to Ann and away. Ann's client shows Bob 100 ms late, and Ann's attack arrives 100 ms later. Bob runs about two
// units in this time. The position at which Ann sees Bob decides: an attack on Bob just within reach hits, and one on Bob
// beyond reach misses.
func TestAttackIsJudgedByTargetPositionThatAttackerSees(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		hits  bool // attacks hit if the attacker saw the target just within reach
	}{
		"rewound":                     {"[rules]\nrewind = 0.4\n", true},
		"judged by where targets are": {"[rules]\nrewind = 0\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			w, _, err := content.LoadWorld("test.toml", []byte(strings.NewReplacer("[rules.combat]", c.rules+"[rules.combat]", "damage = 30", "damage = 1").Replace(testWorld)))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				r := open(t, w, dir, web.Options{}, netsim.Impairment{DelayMS: 100})
				defer r.start()()
				ann, bob := r.join("Ann", false), r.join("Bob", true)
				near, far := blowsAtRunner(t, ann, bob, w.Areas[0].BlockGrid.UnitsPerBlock, w.Rules.Combat.MeleeReach+2*w.Templates[0].Radius)
				if len(near) < 5 || len(far) < 5 {
					t.Fatalf("%d blows within reach and %d beyond it", len(near), len(far))
				}
				for _, why := range near {
					if (why == reason.None) != c.hits {
						t.Errorf("a blow at a target seen within reach: %v", why)
					}
				}
				for _, why := range far {
					if why != reason.OutOfRange {
						t.Errorf("a blow at a target seen out of reach: %v", why)
					}
				}
				for _, p := range []*player{ann, bob} {
					if err := p.stop(); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

// blowsAtRunner makes bob run to ann and away repeatedly. ann attacks when it sees bob run away at one of two distances: less
// than one unit below its reach (near), or above its reach (far). The results are the answers to five attacks of each kind.
func blowsAtRunner(t *testing.T, ann, bob *player, unitsPerBlock, reach float32) (near, far []reason.Reason) {
	t.Helper()
	ann.until("Ann sees Bob", func(w *webcl.World) bool { return w.FindByName("Bob") != nil })
	goal := float32(8) // in blocks; ann's reach is 5
	bob.do(func(w *webcl.World) keys.Keys {
		if at := w.State().Pos.X; at > 7 {
			goal = 2
		} else if at < 3 {
			goal = 8
		}
		k := walkTo(geom.Vec{X: goal, Z: -1})(w)
		k.Sprint = true
		return k
	})
	type blow struct {
		number uint16
		far    bool
	}
	var blows []blow
	next, last := uint64(0), float32(0)
	ann.do(func(w *webcl.World) keys.Keys {
		b := w.FindByName("Bob")
		if b == nil {
			return keys.Keys{}
		}
		d := geom.DistXZ(b.Pos(), w.State().Pos) * unitsPerBlock
		leaves := d > last
		last = d
		beyond, far := d-reach, len(blows)%2 == 1
		if leaves && w.Tick() >= next && (!far && -1 < beyond && beyond < -0.2 || far && 0.2 < beyond && beyond < 1) {
			next = w.Tick() + 10
			blows = append(blows, blow{w.Attack(b), far})
		}
		return keys.Keys{}
	})
	ann.until("Ann has attacked ten times", func(*webcl.World) bool { return len(blows) >= 10 })
	ann.do(nil)
	time.Sleep(2 * time.Second)
	ann.look(func(w *webcl.World) {
		for _, b := range blows {
			a, ok := w.Answer(b.number)
			switch {
			case !ok:
				t.Errorf("the blow %d was not answered", b.number)
			case b.far:
				far = append(far, reason.Reason(a.Reason))
			default:
				near = append(near, reason.Reason(a.Reason))
			}
		}
	})
	return near, far
}

package oneworld

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/internal/webscene"
	"github.com/truestep-io/truestep/sim/geom"
)

// Parameters of the area Green, in which a web client counts the bytes that it is sent.
const (
	greenActors = 225 // number of actors besides the web client's own player
	greenRadius = 230 // maximum distance of actors from the middle on each axis in units, so that even those in the corners are within 96 blocks
)

// greenWorld returns the source of the test world with an additional area, Green, in which the given number of animals roam.
func greenWorld(animals int) string {
	var b strings.Builder
	b.WriteString(testWorld)
	b.WriteString("\n[[area]]\nname = \"Green\"\npvp = true\ntiles = { size = 7, base = [5000, 5000] }\nblocks = { units = 3.5, origin = [0, 64, 0] }\n\n[[area.portal]]\nname = \"Middle\"\nat = [0, 0, 0]\n")
	rng := rand.New(rand.NewPCG(1, 2))
	for range animals {
		at := func() float32 { return (2*rng.Float32() - 1) * (greenRadius - 40) }
		fmt.Fprintf(&b, "[[area.spawn]]\ntemplate = \"Sheep\"\nat = [%.1f, 0, %.1f]\nsize = 1\nevery = 1\nwander = 40\n", at(), at())
	}
	return b.String()
}

// In a world with 225 actors, a web client is sent at most 1.6 bytes per actor and tick, including all headers. Its round trip is 100 ms,
// and its line loses 5 % in each direction. The actors are animals that roam, and players of the other three doors who walk about with
// their own clients. make soak-web runs this test with 25 players of each of these doors.
func TestSoakWebClientAmongPlayersOfOtherDoorsIsSentFewBytesPerActor(t *testing.T) {
	t.Parallel()
	perDoor, seconds := 3, 8
	if os.Getenv("TRUESTEP_SOAK") == "full" {
		perDoor, seconds = 25, 30
	}
	overLine(t, "perfect", func(t testing.TB) *content.World { return load(t, greenWorld(greenActors-3*perDoor)) }, func(t *testing.T, r *rig) {
		rng := rand.New(rand.NewPCG(3, 4))
		somewhere := func() geom.Vec {
			return geom.Vec{X: (2*rng.Float32() - 1) * greenRadius, Z: (2*rng.Float32() - 1) * greenRadius}
		}
		entrants := []entrant{{door: web, name: "Viewer1", area: "Green"}} // a name with an odd number of letters connects over WebTransport
		for _, door := range []string{rcce, rs, bedrock} {
			for i := range perDoor {
				entrants = append(entrants, entrant{door: door, name: fmt.Sprintf("Walk%s%d", door[:2], i), area: "Green", at: somewhere()})
			}
		}
		all := r.join(entrants...)
		viewer, walkers := all[0].client.(*webClient), all[1:]
		line := netsim.Impairment{DelayMS: 50, Loss: 0.05}
		r.network.Impair(r.hosts[all[0].name], r.host, line, line)
		waitFor(t, "the client is shown all players", func() bool { return len(viewer.names()) == greenActors })
		for second := range seconds + 5 {
			if second == 5 { // by now the client's losses are known to the server
				viewer.resetStats()
				r.recordDrops()
			}
			for i, p := range walkers {
				if (second+i)%4 == 0 {
					p.walkTo(somewhere())
				}
			}
			time.Sleep(time.Second)
		}
		n := viewer.counts()
		sent := float64(n.BytesIn)/float64(n.Snapshots) + webscene.Headers // including the bytes of control messages
		t.Logf("%d players of each door, %d s: %d snapshots arrived, %.2f bytes per actor and tick", perDoor, seconds, n.Snapshots, sent/greenActors)
		dropped := uint64(r.dropped(all[0]))
		if least := uint64(seconds * 20 * 19 / 20); n.Snapshots+dropped < least || n.Told < 10*n.Snapshots {
			t.Errorf("%d snapshots with %d states arrived and %d datagrams were dropped, want at least %d together", n.Snapshots, n.Told, dropped, least)
		}
		if sent/greenActors > 1.6 {
			t.Errorf("%.2f bytes per actor and tick, want at most 1.6", sent/greenActors)
		}
		checkHonest(t, all...)
	})
}

package bedrock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/internal/netsim"
)

// A player on a complete server rides the horse near the green of the embedded world, dismounts and mounts again, over
// each kind of network. No correction moves the player, and its client is never sent movements of its own vehicle.
func TestHonestRiderIsNotCorrectedByTheServer(t *testing.T) {
	t.Parallel()
	for name, imp := range map[string]netsim.Impairment{
		"perfect": {}, "100 ms": {DelayMS: 50, JitterMS: 20}, "300 ms and loss": {DelayMS: 150, JitterMS: 20, Loss: 0.02},
	} {
		if testing.Short() && name != "100 ms" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { honestRider(t, imp) })
		})
	}
}

func honestRider(t *testing.T, imp netsim.Impairment) {
	network := netsim.New(5)
	host := network.Host("10.0.0.1")
	conn, err := host.ListenPacket(":19132")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, conn)
	home := network.Host("10.0.1.1")
	network.Impair(home, host, imp, imp)
	p := joinServer(t, conn.AddrPort().String(), &bedrock.Ride{Ticks: 300, Radius: 8}, bedrock.Options{Name: "Rider", Seed: 3, Dial: home.Dial})
	time.Sleep(60 * time.Second)
	s := p.Stats(nil)
	if s.Move.VehicleTicks < 300 || s.Move.Mounts < 2 {
		t.Errorf("the player did not ride twice: %+v", s)
	}
	if s.Move.Unexpected != 0 || s.OwnVehicleMoves != 0 {
		t.Errorf("the rider is corrected or told its own movement: %+v", s)
	}
	if s.ParseErrors != 0 || s.Trailing != 0 {
		t.Errorf("first bad: %v", p.FirstParseError())
	}
}

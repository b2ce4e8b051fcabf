package bedrock

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// FuzzSession sends arbitrary packets to a client in the world, which continues to run ticks.
func FuzzSession(f *testing.F) {
	for _, p := range []proto.Packet{
		proto.CorrectPlayerMovePrediction{Position: proto.Vec3{1, 66, 1}, Tick: 3}, proto.MovePlayer{Runtime: ownID, Mode: proto.MoveTeleport},
		proto.SetActorMotion{Runtime: ownID, Velocity: proto.Vec3{1, 1, 1}, Tick: 2}, healthUpdate(3), otherPlayer(9, "Bob", 3, 4),
		proto.SetActorData{Runtime: ownID, Metadata: proto.Metadata{proto.LongMeta(proto.MetaFlags, -1)}, Tick: 1},
		proto.ChangeDimension{Dimension: 1}, proto.PlayStatus{Status: proto.StatusSpawn}, proto.RemoveActor{Unique: 9},
		proto.MobEffect{Runtime: ownID, Event: proto.EffectAdd, Effect: proto.EffectLevitation, Amplifier: 200},
		proto.NetworkChunkPublisherUpdate{Radius: 1 << 31}, proto.Respawn{State: proto.RespawnServerReady},
	} {
		f.Add(proto.AppendPacket(nil, p, version))
	}
	f.Fuzz(func(t *testing.T, packet []byte) {
		s, err := NewSession(Options{Name: "fuzz", Seed: 1, Key: fuzzKey})
		if err != nil {
			t.Fatal(err)
		}
		s.stage = stagePacks
		game := proto.PlainStartGame(version)
		game.Runtime, game.Unique = ownID, ownID
		if err := s.startGame(game); err != nil {
			t.Fatal(err)
		}
		s.stage = stagePlay
		for range 3 {
			if s.handle(packet) != nil || s.Tick(0, &Wander{}) != nil {
				return // the packet was refused or ended the session
			}
			s.Flush(func([]byte) {})
		}
	})
}

// fuzzKey is created once and shared, because the fuzzed sessions do not log in.
var fuzzKey = newFakeServer(nil).key

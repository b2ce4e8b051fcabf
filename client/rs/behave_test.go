package rs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// runBehaviour runs a number of cycles with one client. It calls the function do with each request that the client sends.
func runBehaviour(t *testing.T, b rs.Behaviour, cycles int, before func(s *server, cycle int), do func(s *server, p proto.Packet)) *rs.Client {
	t.Helper()
	s := listen(t)
	c, p := s.enterGame(1, s.config("Ada"), homeTile)
	seen := make(chan int, 1)
	c.Play(actNotifier{b, seen})
	for cycle := 1; cycle <= cycles; cycle++ {
		before(s, cycle)
		s.cycle()
		<-seen
		p.send(proto.SendPing{A: uint32(cycle)})
		for {
			_, pkt := p.frame()
			if pkt == (proto.SendPingReply{A: uint32(cycle)}) {
				break
			}
			do(s, pkt)
		}
	}
	return c
}

// actNotifier runs a behaviour and sends the number of the cycle to the channel done after each Act.
type actNotifier struct {
	rs.Behaviour
	done chan int
}

func (b actNotifier) Act(p *rs.Player) {
	b.Behaviour.Act(p)
	b.done <- p.World().Cycle
}

func noEvents(*server, int) {}

// Wander clicks inside its range and map, waits until it arrives, and chats.
func TestWanderBehaviourClicksOnlyTilesInItsRange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clicks := 0
		runBehaviour(t, &rs.Wander{Radius: 30, Chat: time.Nanosecond}, 60, noEvents, func(s *server, p proto.Packet) {
			switch p := p.(type) {
			case proto.MoveGameClick:
				clicks++
				to := proto.Tile{X: p.X, Z: p.Z}
				if !to.Within(homeTile, 30) {
					t.Errorf("click on %v, outside of the range", to)
				}
				s.scene.Move(1, to, proto.MoveTeleport) // the player arrives immediately
			case proto.MessagePublicRequest:
			default:
				t.Errorf("unexpected request %#v", p)
			}
		})
		if clicks < 8 {
			t.Errorf("%d clicks in 60 cycles", clicks)
		}
	})
}

// Wander clicks at the edge of the map if the centre is outside it.
func TestWanderBehaviourWalksTowardsDistantCentre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := proto.Tile{X: 3422, Z: 3218}
		first := true
		runBehaviour(t, &rs.Wander{Centre: &far, Radius: 1}, 1, noEvents, func(_ *server, p proto.Packet) {
			if click, ok := p.(proto.MoveGameClick); !ok || click.X != 3168+104-3 || click.Z < 3217 || click.Z > 3219 || !first {
				t.Errorf("unexpected request %#v", p)
			}
			first = false
		})
	})
}

// Fight attacks the nearest player and keeps this target. It avoids a target if its own player does not turn to it after the attack.
func TestFightBehaviourAttacksNearestTargetAndAvoidsUnresponsiveTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		runBehaviour(t, &rs.Fight{Exclude: func(name string) bool { return strings.HasPrefix(name, "friend") }}, 60,
			func(s *server, cycle int) {
				switch cycle {
				case 1:
					s.add(10, "statue", proto.Tile{X: homeTile.X + 2, Z: homeTile.Z})
					s.add(11, "goblin", proto.Tile{X: homeTile.X + 5, Z: homeTile.Z})
					s.add(12, "friend", proto.Tile{X: homeTile.X + 1, Z: homeTile.Z})
					s.add(13, "dragon", proto.Tile{X: homeTile.X + 15, Z: homeTile.Z}) // a local player out of the Fight's range
				case 40: // the goblin dies
					s.scene.Remove(11)
					s.rows.Remove(11)
					s.scene.SetFacing(1, -1)
					s.add(14, "rat", proto.Tile{X: homeTile.X, Z: homeTile.Z + 3})
				}
			},
			func(s *server, p proto.Packet) {
				op, ok := p.(proto.OpPlayer)
				if !ok || op.Option != 1 {
					t.Fatalf("unexpected request %#v", p)
				}
				asked = append(asked, fmt.Sprint(op.Index))
				if op.Index == 11 { // the player turns to the goblin (11), but never to the statue (10), as after a refused attack
					s.scene.SetFacing(1, 11)
				}
			})
		if got := strings.Join(asked, " "); got != "10 11 14" {
			t.Errorf("attacked, in order, %s", got)
		}
	})
}

// FightOrWander wanders while there is no target and fights once there is one.
func TestMixedBehaviourWandersUntilTargetIsNearThenFights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clicks, attacks := 0, 0
		count := func(_ *server, p proto.Packet) {
			switch p.(type) {
			case proto.MoveGameClick:
				clicks++
			case proto.OpPlayer:
				attacks++
			}
		}
		runBehaviour(t, &rs.FightOrWander{}, 10, noEvents, count)
		if clicks == 0 || attacks != 0 {
			t.Errorf("without a target: %d clicks, %d attacks", clicks, attacks)
		}
		clicks = 0
		goblin := func(s *server, cycle int) {
			if cycle == 1 {
				s.add(9, "goblin", proto.Tile{X: homeTile.X + 2, Z: homeTile.Z})
				s.scene.SetFacing(1, 9)
			}
		}
		runBehaviour(t, &rs.FightOrWander{PreferFight: true}, 10, goblin, count)
		if clicks != 0 || attacks != 1 {
			t.Errorf("with a target: %d clicks, %d attacks", clicks, attacks)
		}
	})
}

func TestPublicKeyIsParsedFromEachFormatAndInvalidTextIsRefused(t *testing.T) {
	k := &key().PublicKey
	modulus, exponent := k.Decimal()
	modulusHex, exponentHex := k.Hex()
	for name, text := range map[string]string{
		"decimal": "exponent " + exponent + "\nmodulus " + modulus + "\n",
		"hex":     "# a comment\r\n\r\nexponent_hex  " + exponentHex + "\r\nmodulus_hex " + modulusHex,
		"both":    "exponent " + exponent + "\nmodulus " + modulus + "\nmodulus_hex " + modulusHex + "\nbits 512\n",
	} {
		got, err := rs.ParsePublicKey([]byte(text))
		if err != nil || got.N.Cmp(k.N) != 0 || got.E.Cmp(k.E) != 0 {
			t.Errorf("%s: key %v, error %v", name, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                                      `a line with "exponent" or "exponent_hex"`,
		"exponent 65537":                        `a line with "modulus" or "modulus_hex"`,
		"modulus " + modulus:                    `a line with "exponent" or "exponent_hex"`,
		"exponent 65537\nmodulus twelve":        "line 2: modulus must be a number",
		"exponent -3":                           "line 1: exponent must be a number",
		"exponent":                              `line 1: "exponent" must be followed by one number`,
		"modulus 15\nmodulus_hex 10":            "line 2: modulus_hex differs from its value on an earlier line",
		strings.Repeat("#", 17<<10):             "17408 bytes",
		"modulus 1" + strings.Repeat("0", 5000): "line 1: modulus must be a number",
	} {
		if _, err := rs.ParsePublicKey([]byte(text)); !errors.Is(err, rs.ErrKey) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

package rcce

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// vector is one file of testdata: a whole message and the properties that the file's header states.
type vector struct {
	name    string
	dir     Direction
	use     string // "" for an ordinary message, "refused" if parsing fails, "never" if it parses but must not be sent
	shorter string // lengths at which a prefix is itself valid; "3 5+" means 3, and 5 or more
	msg     []byte
}

func loadVectors(tb testing.TB) []vector {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.hex")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no vectors: %v", err)
	}
	var all []vector
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		v := vector{name: strings.TrimSuffix(filepath.Base(file), ".hex")}
		var digits strings.Builder
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			switch key, value, _ := strings.Cut(line, ": "); {
			case key == "# direction" && value == "s2c":
				v.dir = S2C
			case key == "# use":
				v.use = value
			case strings.HasPrefix(key, "# shorter messages"):
				v.shorter = value
			case !strings.HasPrefix(line, "#"):
				digits.WriteString(strings.ReplaceAll(line, " ", ""))
			}
		}
		if v.msg, err = hex.DecodeString(digits.String()); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		all = append(all, v)
	}
	return all
}

// legal reports whether, according to the header of the vector, the first n bytes of the message are a valid message too.
func (v vector) legal(n int) bool {
	for word := range strings.FieldsSeq(v.shorter) {
		from, open := strings.CutSuffix(word, "+")
		k, _ := strconv.Atoi(from)
		if n == k || open && n > k {
			return true
		}
	}
	return false
}

func parseDir(d Direction, msg []byte) (Packet, error) {
	if d == C2S {
		return ParseC2S(msg)
	}
	return ParseS2C(msg)
}

const rustpass = "5c2b739eb8790ef0eaa76a39099fa580" // MD5 of "rustpass", the password of the headless client

// vectorPackets returns the expected packet of each vector. Another test checks vector v3, which contains NaN.
func vectorPackets() map[string]Packet {
	rat := NewActor{
		Area: 0x01020304, RuntimeID: 300, Level: 4, Template: 7, X: 12.5, Y: 62.5, Z: 7.75, Name: "Rat",
		HasGender: true, Speed: 50, SpeedMax: 100, Health: 100, HealthMax: 100,
		Weapon: NoItem, Shield: NoItem, Hat: NoItem, Chest: NoItem, Faction: 2,
	}
	for i := range rat.Ratings {
		rat.Ratings[i] = 100
	}
	return map[string]Packet{
		"v1_standardupdaterequest_running":  StandardUpdateRequest{DestX: 115, DestZ: -20.5, Y: 3.25, X: 100, Z: -20.5, IsRunning: 1},
		"v2_standardupdaterequest_backward": StandardUpdateRequest{DestX: 10, DestZ: 20, X: 8, Z: 18, IsRunning: 1, WalkingBackward: 1},
		"v5_standardupdate_running":         StandardUpdate{RuntimeID: 0x102, X: 100, Z: -20.5, IsRunning: 1, DestX: 115, DestZ: -20.5},
		"v6_standardupdate_energy":          StandardUpdate{RuntimeID: 1, X: 100, Z: -20.5, DestX: 100, DestZ: -20.5, Tail: EnergyTail, Energy: 87},
		"v7_standardupdate_flying":          StandardUpdate{RuntimeID: 300, X: 12.5, Z: 7.75, DestX: 40, DestZ: 7.75, Tail: HeightTail, Y: 62.5},
		"v8_standardupdate_mounted":         StandardUpdate{RuntimeID: 5, X: 1, Z: 2, IsRunning: 1, DestX: 3, DestZ: 4, Mount: 0x1234},
		"v9_attackactorrequest":             AttackActorRequest{Target: 300},
		"v11_attackactor_hit":               HitForAttacker(300, 24, 3),
		"v12_attackactor_missed":            HitForAttacker(300, Missed, 7),
		"v13_attackactor_hurt":              HitForVictim(1, 24, 3),
		"v14_attackactor_others":            HitForOthers(1, 300),
		"v15_attackactor_never_negative":    AttackActor{Sub: 'H', Victim: 300, Damage: 0xffff},
		"v16_attackactor_zero":              HitForAttacker(300, 0, 0),
		"v17_attackactor_never_32767":       AttackActor{Sub: 'H', Victim: 300, Damage: 0x8000},
		"v18_attackactor_never_wrapped":     AttackActor{Sub: 'H', Victim: 300, DamageType: 19},
		"v19_statupdate_health":             StatUpdate{Sub: StatValue, RuntimeID: 300, Value: 76},
		"v20_statupdate_negative":           StatUpdate{Sub: StatValue, RuntimeID: 300, Value: -5},
		"v21_statupdate_reputation":         StatUpdate{Sub: StatReputation, RuntimeID: 1, Value: -10},
		"v22_actordead_killed":              ActorDead{Dead: 300, HasKiller: true, Killer: 1},
		"v23_actorgone_wide":                ActorGone{RuntimeID: 300, Wide: true},
		"v23_actorgone_narrow":              ActorGone{RuntimeID: 300},
		"v24_projectile_fireball": Projectile{
			Source: 1, Target: 300, Mesh: NoItem, Texture1: 15, Texture2: 15, Homing: 1, Speed: 70,
			Emitter1: "Default", Emitter2: "Fireball",
		},
		"v25_verifyaccountrequest":   VerifyAccountRequest{User: "rustbot", MD5: rustpass},
		"v26_createaccountrequest":   CreateAccountRequest{User: "rustbot", MD5: rustpass, Email: "rust@bot.com"},
		"v27_verifyaccount_one":      VerifyAccount{Result: ReplyYes, Roster: []RosterEntry{{Name: "Rustaroo", Template: 1}}},
		"v28_startgamerequest":       StartGameRequest{User: "rustbot", MD5: rustpass},
		"v29_startgame_actor":        StartGameActor{RuntimeID: 1},
		"v30_startgame_bar":          StartGameBar{Start: 33},
		"v31_changearea_plains":      ChangeArea{X: 100, Y: 3.25, Z: -20.5, Yaw: 90, PvP: 1, Gravity: GravityNormal, Area: 0x01020304, Name: "Plains"},
		"v32_newactor_rat":           rat,
		"v33_repositionactor_move":   RepositionActor{Sub: RepositionMove, RuntimeID: 1, X: 100, Y: 3.25, Z: -20.5, HasExtra: true},
		"v34_itemhealth_weapon":      ItemHealth{Health: 99},
		"v35_chatmessage_yellow":     ChatMessage{Color: ChatYellow, Text: "Welcome"},
		"v36_chatmessage_rgb":        ChatMessage{Color: ChatRGB, R: 0xff, G: 0xe1, B: 0x64, Text: "Critical!"},
		"v37_xpupdate_gained":        XPUpdate{Sub: XPGained, Value: 17},
		"v38_fetchcharacter_end":     FetchCharacterEnd{},
		"v39_actoreffect_add":        ActorEffect{Sub: EffectAdd, Effect: 9, Icon: 12, Name: "Poison"},
		"v40_actoreffect_change":     ActorEffect{Sub: EffectChange, Amounts: [AttributeCount]int32{-3}},
		"v41_createcharacterrequest": CreateCharacterRequest{User: "rustbot", MD5: rustpass, Template: 1, Name: "Rustaroo"},
	}
}

func TestMessagesOfTestVectorsParseToExpectedPackets(t *testing.T) {
	want := vectorPackets()
	for _, v := range loadVectors(t) {
		t.Run(v.name, func(t *testing.T) {
			p, err := parseDir(v.dir, v.msg)
			if v.use == "refused" {
				if err == nil {
					t.Fatalf("accepted as %+v", p)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v.name != "v3_standardupdaterequest_notfinite" {
				if expected, ok := want[v.name]; !ok || !reflect.DeepEqual(p, expected) {
					t.Errorf("parsed %+v\nwant   %+v", p, expected)
				}
			}
			if again := p.Append(nil); !bytes.Equal(again, v.msg) {
				t.Errorf("wrote %x\nwant  %x", again, v.msg)
			}
		})
	}
}

func TestMovementClaimWithNaNAndInfinityIsParsedUnchanged(t *testing.T) {
	for _, v := range loadVectors(t) {
		if v.name != "v3_standardupdaterequest_notfinite" {
			continue
		}
		p, err := ParseStandardUpdateRequest(v.msg[1:])
		if err != nil {
			t.Fatal(err)
		}
		if p.DestX == p.DestX || p.DestZ != 100000 || !math.IsInf(float64(p.Y), 1) || p.X != 99999.9921875 || p.Z != -1e9 {
			t.Errorf("parsed %+v", p)
		}
		return
	}
	t.Fatal("no vector v3")
}

func TestTruncatedMessagesOfTestVectorsAreRefused(t *testing.T) {
	for _, v := range loadVectors(t) {
		if v.use == "refused" {
			continue
		}
		for n := range v.msg {
			p, err := parseDir(v.dir, v.msg[:n])
			switch {
			case v.legal(n) && err != nil:
				t.Errorf("%s: %d of %d bytes: %v", v.name, n, len(v.msg), err)
			case !v.legal(n) && err == nil:
				t.Errorf("%s: %d of %d bytes accepted as %+v", v.name, n, len(v.msg), p)
			case err != nil && !errors.Is(err, wire.ErrShort) && !errors.Is(err, wire.ErrTrailing) && !errors.Is(err, wire.ErrRange):
				t.Errorf("%s: %d of %d bytes: untyped error %v", v.name, n, len(v.msg), err)
			}
		}
	}
}

func TestTrailingByteIsRefusedUnlessPayloadEndsInText(t *testing.T) {
	for _, v := range loadVectors(t) {
		if v.use == "refused" {
			continue
		}
		p, err := parseDir(v.dir, append(bytes.Clone(v.msg), 0x7f))
		if err == nil && !strings.Contains(v.shorter, "+") {
			t.Errorf("%s: one byte more accepted as %+v", v.name, p)
		}
	}
}

func TestAttackAndStatConstructorsClampToValuesThatClientsAccept(t *testing.T) {
	never := map[string]string{}
	for _, v := range loadVectors(t) {
		if v.use == "never" {
			never[string(v.msg)] = v.name
		}
	}
	if len(never) != 4 {
		t.Fatalf("%d vectors are marked as never sent", len(never))
	}
	points := []int32{
		math.MinInt32, -65537, -65536, -32769, -32768, -2, -1, 0, 1, 32765, 32766, 32767, 32768, 65534, 65535, 65536, math.MaxInt32,
	}
	for _, n := range points {
		for damageType := range 256 {
			for _, p := range []AttackActor{HitForAttacker(300, n, uint8(damageType)), HitForVictim(300, n, uint8(damageType))} {
				msg := p.Append(nil)
				if name := never[string(msg)]; name != "" {
					t.Fatalf("damage %d type %d gives vector %s, which must never be sent", n, damageType, name)
				}
				if p.Damage > 0x7fff || p.DamageType >= DamageTypes || p.Damage.IsMiss() && p.DamageType != 0 {
					t.Fatalf("damage %d type %d is encoded as %x", n, damageType, msg)
				}
			}
		}
		health := StatUpdate{Sub: StatValue, RuntimeID: 300, Value: StatPoints(n)}
		if name := never[string(health.Append(nil))]; name != "" || health.Value < 0 {
			t.Fatalf("health %d is encoded as %x", n, health.Append(nil))
		}
	}
}

func TestDamageIsEncodedAsPointsPlusOneAndMissAsZero(t *testing.T) {
	for _, c := range []struct {
		points, read int32
		wire         Damage
	}{
		{-70000, -1, 0}, {-2, -1, 0}, {-1, -1, 0}, {0, 0, 1}, {9, 9, 10}, {35, 35, 0x24},
		{32766, 32766, 0x7fff}, {32767, 32766, 0x7fff}, {65535, 32766, 0x7fff}, {math.MaxInt32, 32766, 0x7fff},
	} {
		d := DamageOf(c.points)
		if d != c.wire || d.Points() != c.read || d.IsMiss() != (c.read == -1) {
			t.Errorf("damage %d is encoded as %#x and read as %d, miss %v", c.points, d, d.Points(), d.IsMiss())
		}
	}
	if p := Damage(0xffff).Points(); p != 65534 {
		t.Errorf("0xffff is read as %d, not unsigned", p)
	}
}

func TestEncodeEmailSubtracts26FromBytesAndReversesThem(t *testing.T) {
	if got := EncodeEmail("rust@bot.com"); got != "SUI\x14ZUH&ZY[X" {
		t.Errorf("encoded as %q", got)
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = uint8(i)
	}
	if got := DecodeEmail(EncodeEmail(string(every))); got != string(every) {
		t.Errorf("%q is decoded as %q", every, got)
	}
}

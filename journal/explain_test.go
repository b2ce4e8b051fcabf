package journal

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

var noon = time.Date(2026, 3, 14, 12, 3, 7, 250e6, time.UTC)

func TestEntryIsExplainedInOneParagraph(t *testing.T) {
	ann := Entry{At: noon, First: noon, Area: "Vale", Player: "Ann", Door: "rcce", RTT: 43, Times: 1}
	held := ann
	held.Verdict, held.Reason, held.Asked, held.Allowed, held.Unit = Held, reason.TooFast, 61.2, 8.4, "units"
	held.From, held.Pos, held.HasFrom, held.HasPos = geom.Vec{X: 53.25, Z: 63.25}, geom.Vec{X: 10, Z: 20}, true, true
	corrected := held
	corrected.Verdict, corrected.Reason, corrected.Unit, corrected.Asked, corrected.Allowed = Corrected, reason.Mispredicted, "blocks", 0.61, 0.5
	corrected.Times, corrected.First = 5, noon.Add(-400*time.Millisecond)
	refused := ann
	refused.Verdict, refused.Reason, refused.Asked, refused.Allowed, refused.Unit, refused.Other = Refused, reason.OutOfRange, 30.125, 9, "units", "Wolf"
	late := refused
	late.Asked, late.AgoMS, late.Seen, late.OtherPos = 10, 150, geom.Vec{X: 10, Z: 2}, geom.Vec{X: 11.5, Z: 2}
	stale := ann
	stale.Verdict, stale.Reason, stale.Asked, stale.Allowed, stale.Unit, stale.Other = Refused, reason.SeenLongAgo, 1500, 1043, "ms", "Wolf"
	tardy, often := held, held
	tardy.Late, tardy.LateTimes = 180*time.Millisecond, 1
	often.Times, often.First, often.Late, often.LateTimes = 5, noon.Add(-400*time.Millisecond), 180*time.Millisecond, 2
	const heldText = "At 12:03:07 in Vale, Ann (rcce) claimed to be 61.2 units north-east of where the server has the player. The claimed position was " +
		"farther away than the actor could have moved (too_fast): 61.2 units asked, 8.4 allowed. The claim was rejected: the player stayed at (10, 0, 20). " +
		"The round trip was 43 ms."
	silent := ann
	silent.Verdict, silent.Reason, silent.Asked, silent.Unit, silent.HasPos = Refused, reason.Frozen, 2000, "ms", true
	expelled := Entry{At: noon, First: noon, Verdict: Refused, Reason: reason.Suspected, Entity: 7, RTT: -1, Times: 1}
	for _, c := range []struct {
		e    Entry
		want string
	}{
		{held, heldText},
		{tardy, heldText + " The server was late by 180 ms then, so this is not held against the player."},
		{often, heldText + " The same happened 5 times within a second; the figures are those of the last. The server was late by up to 180 ms at 2 of them, which are not held against the player."},
		{corrected, "At 12:03:07 in Vale, Ann (rcce) was thought by the client to be 61.2 units north-east of where the server has the player. " +
			"The client predicted a position that its inputs do not lead to (mispredicted): 0.61 blocks apart, 0.5 allowed. " +
			"The client was told that the player is at (10, 0, 20). The round trip was 43 ms. The same happened 5 times within a second; the figures are those of the last."},
		{refused, "At 12:03:07 in Vale, Ann (rcce) wanted to attack Wolf. The target is beyond the reach of the weapon (out_of_range): " +
			"30.1 units asked, 9 allowed. The request was refused. The round trip was 43 ms."},
		{late, "At 12:03:07 in Vale, Ann (rcce) wanted to attack Wolf. The target is beyond the reach of the weapon (out_of_range): " +
			"10 units asked, 9 allowed. The request was refused. Wolf was 0.15 s ago at (10, 0, 2), where the attacker saw it; by that the attack was judged. " +
			"It was at (11.5, 0, 2) then. The round trip was 43 ms."},
		{stale, "At 12:03:07 in Vale, Ann (rcce) attacked Wolf. The client claims to have drawn its target longer ago than its connection explains (seen_long_ago): " +
			"1500 ms ago, at most 1043 ms are explained. The attack was judged by the oldest position that the rules allow. The round trip was 43 ms."},
		{silent, "At 12:03:07 in Vale, Ann (rcce) was silent. The client has sent no input for a while, so its player stands still (frozen): no packet for 2000 ms. " +
			"Nothing was asked or refused. The round trip was 43 ms."},
		{expelled, "At 12:03:07, player 7 was disconnected. The client sent too many inputs that an honest client does not send (suspected). The connection was ended."},
	} {
		if got := Explain(c.e); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func TestSummaryOfEntrySaysThatAllItsDecisionsWereLate(t *testing.T) {
	e := Entry{Verdict: Held, Reason: reason.TooFast, Asked: 61.2, Allowed: 8.4, Unit: "units", Times: 2, Late: time.Second, LateTimes: 2}
	if got := e.Summary(); !strings.HasSuffix(got, ", 2 times, server late") {
		t.Errorf("all decisions were late: %q", got)
	}
	e.LateTimes = 1
	if got := e.Summary(); !strings.HasSuffix(got, ", 2 times") {
		t.Errorf("one of two decisions was late: %q", got)
	}
}

func TestDirectionTextHasDistanceAndCompassPoint(t *testing.T) {
	for _, c := range []struct {
		to   geom.Vec
		want string
	}{
		{geom.Vec{Z: 5}, "5 units north"}, {geom.Vec{X: 3, Z: 4}, "5 units north-east"}, {geom.Vec{X: 5, Z: -1}, "5.1 units east"},
		{geom.Vec{X: 7, Z: -7}, "9.9 units south-east"}, {geom.Vec{Z: -2}, "2 units south"}, {geom.Vec{X: -2, Z: -2}, "2.83 units south-west"},
		{geom.Vec{X: -1}, "1 units west"}, {geom.Vec{X: -1, Z: 1}, "1.41 units north-west"}, {geom.Vec{Y: 12}, "12 units above"},
		{geom.Vec{Y: -0.5}, "0.5 units below"}, {geom.Vec{X: 10, Y: -3}, "10 units east and 3 units below"}, {geom.Vec{X: 100, Y: 3}, "100 units east"},
		{geom.Vec{}, "at the same place"}, {geom.Vec{X: math.MaxFloat32}, "3.4e+38 units east"},
	} {
		if got := Direction(geom.Vec{}, c.to); got != c.want {
			t.Errorf("%v: %q, want %q", c.to, got, c.want)
		}
	}
}

func TestFormatNumberRoundsByMagnitude(t *testing.T) {
	for f, want := range map[float32]string{
		0: "0", 1: "1", 61.24: "61.2", -61.25: "-61.2", 8.4: "8.4", 0.0625: "0.0625", 0.00001: "0", 1500: "1500", 1e9: "1e+09", 0.126: "0.13",
	} {
		if got := FormatNumber(f); got != want {
			t.Errorf("%v is %q, want %q", f, got, want)
		}
	}
}

func TestEntryAndEventEncodeAsDocumentedJSON(t *testing.T) {
	e := Entry{ID: 3, At: noon, First: noon, Verdict: Held, Reason: reason.TooFast, RTT: -1, Times: 1, HasPos: true, Pos: geom.Vec{X: 1, Y: 2, Z: 3.5}}
	b, err := json.Marshal(e)
	want := `{"id":3,"at":"2026-03-14T12:03:07.250Z","first":"2026-03-14T12:03:07.250Z","area":"","areaId":0,"tick":0,"verdict":"held","reason":"too_fast",` +
		`"sentence":"the claimed position was farther away than the actor could have moved","weight":"suspicious","entity":0,"player":"","account":"","door":"","rttMs":null,` +
		`"asked":0,"allowed":0,"unit":"","from":null,"pos":{"x":1,"y":2,"z":3.5},"other":"","times":1,"lateMs":0,"lateTimes":0}`
	if err != nil || string(b) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, b, want)
	}
	rewound := e // an attack that was judged by an earlier position of its target
	rewound.Other, rewound.AgoMS, rewound.Seen, rewound.OtherPos = "Wolf", 150, geom.Vec{X: 10, Z: 2}, geom.Vec{X: 11.5, Z: 2}
	past := strings.Replace(want, `"other":"",`, `"other":"Wolf","agoMs":150,"seen":{"x":10,"y":0,"z":2},"otherPos":{"x":11.5,"y":0,"z":2},`, 1)
	if b, err := json.Marshal(rewound); err != nil || string(b) != past {
		t.Errorf("%v\n%s\nwant\n%s", err, b, past)
	}
	for v, want := range map[any]string{
		NearbyEvent{At: noon, Tick: 5, Kind: "died", Text: "died"}:                   `{"at":"2026-03-14T12:03:07.250Z","tick":5,"kind":"died","text":"died","entry":null}`,
		NearbyEvent{At: noon, Kind: "held", Entry: 3}:                                `{"at":"2026-03-14T12:03:07.250Z","tick":0,"kind":"held","text":"","entry":3}`,
		OperatorAction{ID: 1, At: noon, Operator: "o", Action: "kick", Result: "ok"}: `{"id":1,"at":"2026-03-14T12:03:07.250Z","operator":"o","role":"","action":"kick","player":"","account":"","detail":"","result":"ok"}`,
	} {
		if b, err := json.Marshal(v); err != nil || string(b) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, b, want)
		}
	}
}

// ParseVerdict and ParseReason are the inverse of String.
func TestVerdictAndReasonNamesRoundTrip(t *testing.T) {
	for _, v := range []Verdict{Held, Corrected, Refused, Hit} {
		if got, ok := ParseVerdict(v.String()); !ok || got != v {
			t.Errorf("%v", v)
		}
	}
	for _, why := range reason.All() {
		if got, ok := ParseReason(why.String()); !ok || got != why {
			t.Errorf("%v", why)
		}
	}
	if _, ok := ParseVerdict("invalid"); ok || Verdict(0).String() != "invalid" || Verdict(9).String() != "invalid" {
		t.Error("an unknown verdict has a name")
	}
	if why, ok := ParseReason("of a later version"); ok || why.String() != "invalid" {
		t.Errorf("an unknown reason is %v", why)
	}
}

// Clients may send NaN and infinity. The journal stores finite numbers instead.
func TestNonFiniteNumbersAreStoredAsFiniteNumbers(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	e := sim.Event{Kind: sim.EventHeld, Asked: inf, Allowed: nan, From: geom.Vec{X: nan, Y: -inf, Z: 5}}
	var got Entry
	got.setFigures(nil, &e)
	got.setPositions(&sim.Frame{}, &e)
	if got.Asked != math.MaxFloat32 || got.Allowed != 0 || got.From != (geom.Vec{Z: 5}) || !got.HasFrom {
		t.Errorf("%+v", got)
	}
	if b, err := json.Marshal(got); err != nil || strings.Contains(string(b), "Inf") {
		t.Errorf("%s, %v", b, err)
	}
}

// The event of a mispredicted speed contains the distance between the two positions; its entry contains the difference of the speeds.
func TestEntryOfMispredictedSpeedHasSpeedDifference(t *testing.T) {
	def := &sim.World{}
	def.Rules.Predict.VelocityThreshold = 0.25
	e := sim.Event{
		Kind: sim.EventCorrected, Reason: reason.MispredictedSpeed, Asked: 0.1, Allowed: 0.5,
		Rewind: &sim.Rewind{Velocity: geom.Vec{X: 0.5}, State: move.Avatar{Vel: geom.Vec{X: 0.1, Y: 0.3}}},
	}
	var got Entry
	got.setFigures(def, &e)
	if geom.Abs(got.Asked-0.5) > 1e-6 || got.Allowed != 0.25 || got.Unit != "blocks/tick" {
		t.Errorf("%v of %v %s", got.Asked, got.Allowed, got.Unit)
	}
}

// If a player lands at the right position with a wrong speed, the entry contains the difference between the two speeds.
func TestEntryOfMispredictedLandingHasPositionOrSpeedDifference(t *testing.T) {
	e := sim.Event{
		Kind: sim.EventCorrected, Reason: reason.Landing, Asked: 0.3, Allowed: 0.005,
		Rewind: &sim.Rewind{Velocity: geom.Vec{X: 0.5}, State: move.Avatar{Vel: geom.Vec{X: 0.1, Y: 0.3}}},
	}
	var got Entry
	w := &sim.World{}
	if got.setFigures(w, &e); got.Asked != 0.3 || got.Allowed != 0.005 || got.Unit != "blocks" {
		t.Errorf("beside the place: %v of %v %s", got.Asked, got.Allowed, got.Unit)
	}
	e.Asked = 0
	if got.setFigures(w, &e); geom.Abs(got.Asked-0.5) > 1e-6 || got.Allowed != move.VelocityTolerance || got.Unit != "blocks/tick" {
		t.Errorf("with another speed: %v of %v %s", got.Asked, got.Allowed, got.Unit)
	}
}

func TestUnitOfAmountsInJournalEntryDependsOnVerdictAndReason(t *testing.T) {
	for _, c := range []struct {
		e    sim.Event
		want string
	}{
		{sim.Event{Kind: sim.EventHeld, Reason: reason.TooFast, Asked: 1}, "units"},
		{sim.Event{Kind: sim.EventRefused, Reason: reason.TooSoon, Allowed: 1}, "ms"},
		{sim.Event{Kind: sim.EventRefused, Reason: reason.TooSoon}, ""},
		{sim.Event{Kind: sim.EventRefused, Reason: reason.BadSlot, Asked: 1, Allowed: 2}, ""},
		{sim.Event{Kind: sim.EventRefused, Reason: reason.NotInParty, Allowed: 8}, "members"},
		{sim.Event{Kind: sim.EventCorrected, Reason: reason.InputOverflow, Asked: 1, Allowed: 1, Rewind: &sim.Rewind{}}, "blocks"},
		{sim.Event{Kind: sim.EventRefused, Reason: reason.InputOverflow, Asked: 41, Allowed: 40}, "inputs"},
	} {
		if got := figureUnit(&c.e); got != c.want {
			t.Errorf("%v: %q, want %q", c.e.Reason, got, c.want)
		}
	}
}

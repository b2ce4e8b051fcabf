package journal

import (
	"encoding/json"
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Verdict is what the server decided about a move or a request.
type Verdict uint8

// Values of Verdict. The value 0 stands for no verdict.
const (
	Held      Verdict = 1 + iota // a claimed position was rejected, and the player stayed at its previous position
	Corrected                    // the client was sent the server's position of its player
	Refused                      // an intent was refused, or the player was disconnected
	Hit                          // an attack hit a player at an earlier position, by lag compensation; see isRewoundHit
)

var verdictNames = [...]string{Held: "held", Corrected: "corrected", Refused: "refused", Hit: "hit"}

// String returns the name of the verdict v in the journal file and in the API.
func (v Verdict) String() string {
	if v < Held || v > Hit {
		return "invalid"
	}
	return verdictNames[v]
}

// ParseVerdict returns the verdict with that name.
func ParseVerdict(name string) (Verdict, bool) {
	for v := Held; v <= Hit; v++ {
		if verdictNames[v] == name {
			return v, true
		}
	}
	return 0, false
}

// ParseReason returns the reason with that name, or unknownReason and false.
func ParseReason(name string) (reason.Reason, bool) {
	for _, r := range reason.All() {
		if r.String() == name {
			return r, true
		}
	}
	return unknownReason, false
}

// unknownReason stands for a reason that only another version of the program knows.
const unknownReason = reason.Reason(math.MaxUint8)

// Entry is one hold, correction, refusal or hit by lag compensation. Several of them with the same player, verdict and reason may be
// merged into one entry (see Times).
type Entry struct {
	ID      int64         // greater than 0, ascending in the order of First, never reused
	At      time.Time     // time of the last decision, in whole milliseconds
	First   time.Time     // time of the first decision
	Area    string        // name of the area
	AreaID  sim.AreaID    // index of the area in the world
	Tick    sim.Tick      // tick of the area at the last decision
	Verdict Verdict       // what the server decided
	Reason  reason.Reason // rule that made the server decide so

	Entity                sim.EntityID // id of the player's actor, valid for one run of the server
	Player, Account, Door string       // names in UTF-8; "" if not known
	RTT                   int32        // round-trip time in ms; -1 if not known

	Asked, Allowed float32 // numbers that the rule compared, for instance a distance and its limit; finite
	Unit           string  // unit of Asked and Allowed: "units", "ms", "blocks"...; "" if the rule compares no numbers

	From    geom.Vec // position that the player asked for, or its client claimed or predicted (not where it started), world units; finite
	Pos     geom.Vec // position at which the server held, placed or left the player, world units; finite
	HasFrom bool     // From is set
	HasPos  bool     // Pos is set

	Other string // name of the other actor, such as the target of an attack, or the attacker of RewoundHitTaken; "" if there is none

	// AgoMS, Seen and OtherPos describe lag compensation. They are set only for a refused attack or a hit that the server
	// judged by an earlier position of the target: the position at which the attacker's client displayed it. Seen is that
	// position, and AgoMS says how many milliseconds before the arrival of the attack the target was there. OtherPos is where
	// the target was when the attack arrived. If Reason is RewoundHitTaken, the target is the player itself. All other entries
	// have AgoMS 0.
	AgoMS          int32
	Seen, OtherPos geom.Vec // world units; finite

	// Times is the number of decisions that are merged into this entry, at least 1. Decisions about one player with the
	// same verdict and reason are merged if they are made within a second, or within a minute once the player has used
	// up its budget of entries. All other fields except First describe the last decision.
	Times int32

	// LateTimes is the number of these decisions that the area made while it was behind its schedule. Late says how far it was
	// behind at most (see area.Published.Late). While an area is late, inputs arrive in bursts, so these decisions are not
	// counted against the player.
	LateTimes int32
	Late      time.Duration // largest delay of the area at these decisions, in whole milliseconds; 0 if LateTimes is 0
}

// Records reports whether the entry was made for the event ev. The event must be one of the entry's tick.
func (e *Entry) Records(ev *sim.Event) bool {
	if e.Verdict == Hit {
		return isRewoundHit(ev) && (e.Reason == reason.RewoundHit && ev.Who == e.Entity || e.Reason == reason.RewoundHitTaken && ev.Other == e.Entity)
	}
	return ev.Who == e.Entity && ev.Reason == e.Reason && VerdictOf(ev) == e.Verdict
}

// Excused reports whether the server was behind its schedule at every decision of the entry, so that the entry does not count
// against the player.
func (e *Entry) Excused() bool { return e.LateTimes > 0 && e.LateTimes >= e.Times }

// NearbyEvent is an event of a player shortly before or after one of its entries.
type NearbyEvent struct {
	At    time.Time // time of the event
	Tick  sim.Tick  // tick of the area where the event happened; 0 if not known
	Kind  string    // "joined", "struck", "died", "moved", "knocked"..., the verdict of another entry, or "missed"
	Text  string    // sentence about the event, without a full stop
	Entry int64     // ID of the other entry if the event is itself an entry, else 0
}

// Identity holds those facts about a player that frames do not contain, such as its account.
type Identity struct {
	Name, Account, Door string // character name, account name and door of the player
	RTT                 int32  // round-trip time in ms; -1 if not known
}

// Count is the number of decisions with one verdict and reason about one player since it entered the world.
type Count struct {
	Verdict Verdict       // what the server decided
	Reason  reason.Reason // rule that made the server decide so
	N       uint64        // number of decisions, without those counted in Late
	Late    uint64        // number of decisions made while the area was behind its schedule, which do not count against the player
}

// point is a position in JSON.
type point struct {
	X float32 `json:"x"`
	Y float32 `json:"y"`
	Z float32 `json:"z"`
}

// MarshalJSON encodes the entry as docs/console-api.md describes it.
func (e Entry) MarshalJSON() ([]byte, error) {
	var rtt *int32
	if e.RTT >= 0 {
		rtt = &e.RTT
	}
	var from, pos *point
	if e.HasFrom {
		from = &point{e.From.X, e.From.Y, e.From.Z}
	}
	if e.HasFrom || e.HasPos {
		pos = &point{e.Pos.X, e.Pos.Y, e.Pos.Z}
	}
	var ago *int32
	var seen, otherPos *point
	if e.AgoMS > 0 {
		ago, seen, otherPos = &e.AgoMS, &point{e.Seen.X, e.Seen.Y, e.Seen.Z}, &point{e.OtherPos.X, e.OtherPos.Y, e.OtherPos.Z}
	}
	return json.Marshal(struct {
		ID       int64        `json:"id"`
		At       string       `json:"at"`
		First    string       `json:"first"`
		Area     string       `json:"area"`
		AreaID   sim.AreaID   `json:"areaId"`
		Tick     sim.Tick     `json:"tick"`
		Verdict  string       `json:"verdict"`
		Reason   string       `json:"reason"`
		Sentence string       `json:"sentence"`
		Weight   string       `json:"weight"`
		Entity   sim.EntityID `json:"entity"`
		Player   string       `json:"player"`
		Account  string       `json:"account"`
		Door     string       `json:"door"`
		RTT      *int32       `json:"rttMs"`
		Asked    float32      `json:"asked"`
		Allowed  float32      `json:"allowed"`
		Unit     string       `json:"unit"`
		From     *point       `json:"from"`
		Pos      *point       `json:"pos"`
		Other    string       `json:"other"`
		AgoMS    *int32       `json:"agoMs,omitempty"`
		Seen     *point       `json:"seen,omitempty"`
		OtherPos *point       `json:"otherPos,omitempty"`
		Times    int32        `json:"times"`
		LateMS   int64        `json:"lateMs"`
		LateN    int32        `json:"lateTimes"`
	}{
		e.ID, formatTime(e.At), formatTime(e.First), e.Area, e.AreaID, e.Tick, e.Verdict.String(), e.Reason.String(), e.Reason.Sentence(), e.Reason.Weight().String(),
		e.Entity, e.Player, e.Account, e.Door, rtt, e.Asked, e.Allowed, e.Unit, from, pos, e.Other, ago, seen, otherPos, e.Times, e.Late.Milliseconds(), e.LateTimes,
	})
}

// MarshalJSON encodes the event as docs/console-api.md describes it.
func (a NearbyEvent) MarshalJSON() ([]byte, error) {
	var entry *int64
	if a.Entry != 0 {
		entry = &a.Entry
	}
	return json.Marshal(struct {
		At    string   `json:"at"`
		Tick  sim.Tick `json:"tick"`
		Kind  string   `json:"kind"`
		Text  string   `json:"text"`
		Entry *int64   `json:"entry"`
	}{formatTime(a.At), a.Tick, a.Kind, a.Text, entry})
}

// formatTime formats a time for JSON: RFC 3339 with milliseconds, in UTC.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

package journal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Explain returns a paragraph that explains an entry to the player: what the client asked for, which rule refused it,
// and what the server did. Times are in the time zone of e.At.
func Explain(e Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "At %s", e.At.Format(time.TimeOnly))
	if e.Area != "" {
		fmt.Fprintf(&b, " in %s", e.Area)
	}
	fmt.Fprintf(&b, ", %s %s.", e.playerLabel(), e.describeRequest())
	fmt.Fprintf(&b, " %s (%s)", capitalize(e.Reason.Sentence()), e.Reason)
	if figures := e.Figures(); figures != "" {
		fmt.Fprintf(&b, ": %s", figures)
	}
	b.WriteString(".")
	fmt.Fprintf(&b, " %s.", e.describeOutcome())
	if e.AgoMS > 0 {
		target := capitalize(e.otherLabel())
		if e.Reason == reason.RewoundHitTaken {
			target = e.playerLabel()
		}
		fmt.Fprintf(&b, " %s was %s ago at %s, where the attacker saw it; by that the attack was judged. It was at %s then.",
			target, formatAgo(e.AgoMS), formatPosition(e.Seen), formatPosition(e.OtherPos))
	}
	if e.RTT >= 0 {
		fmt.Fprintf(&b, " The round trip was %d ms.", e.RTT)
	}
	if e.Times > 1 {
		fmt.Fprintf(&b, " The same happened %d times within %s; the figures are those of the last.", e.Times, formatSpan(e.At.Sub(e.First)))
	}
	b.WriteString(e.describeLateness())
	return b.String()
}

// describeLateness returns a sentence that says how far the server was behind its schedule when it made decisions of the
// entry. It returns "" if the server was on time at all of them.
func (e *Entry) describeLateness() string {
	switch {
	case e.LateTimes == 0:
		return ""
	case e.Excused():
		return fmt.Sprintf(" The server was late by %d ms then, so this is not held against the player.", e.Late.Milliseconds())
	}
	return fmt.Sprintf(" The server was late by up to %d ms at %d of them, which are not held against the player.", e.Late.Milliseconds(), e.LateTimes)
}

// playerLabel returns the player's name, with the door if it is known.
func (e *Entry) playerLabel() string {
	name := e.Player
	if name == "" {
		name = fmt.Sprintf("player %d", e.Entity)
	}
	if e.Door != "" {
		name += " (" + e.Door + ")"
	}
	return name
}

// otherLabel returns the name of the other actor of the decision, such as the target of an attack. If the name is not
// known, it returns "the target".
func (e *Entry) otherLabel() string {
	if e.Other == "" {
		return "the target"
	}
	return e.Other
}

// describeRequest returns what the player or its client asked for, without a subject, such as "wanted to go 3 units north".
func (e *Entry) describeRequest() string {
	where := ""
	if e.HasFrom {
		where = " " + Direction(e.Pos, e.From)
	}
	switch {
	case e.endedConnection():
		return "was disconnected"
	case e.Reason == reason.Frozen:
		return "was silent"
	case e.Reason == reason.RewoundHit:
		return "hit " + e.otherLabel()
	case e.Reason == reason.RewoundHitTaken && e.Other != "":
		return "was hit by " + e.Other
	case e.Reason == reason.RewoundHitTaken:
		return "was hit by another player"
	case e.Verdict == Held:
		return "claimed to be" + where + " of where the server has the player"
	case e.Verdict == Corrected && e.HasFrom:
		return "was thought by the client to be" + where + " of where the server has the player"
	case e.Verdict == Corrected:
		return "was put back to where the server has the player"
	case e.HasFrom:
		return "wanted to go" + where
	case e.Reason == reason.SeenLongAgo || e.Reason == reason.SeenAhead:
		return "attacked " + e.otherLabel()
	case e.Reason >= reason.AttackerGone && e.Reason <= reason.NoProjectile && e.Other != "":
		return "wanted to attack " + e.Other
	case e.Reason >= reason.AttackerGone && e.Reason <= reason.NoProjectile:
		return "wanted to attack another actor"
	case e.Other != "":
		return "sent a request about " + e.Other
	}
	return "asked for something that was refused"
}

// describeOutcome returns a sentence without a full stop about what the server did with the request.
func (e *Entry) describeOutcome() string {
	switch {
	case e.endedConnection():
		return "The connection was ended"
	case e.Reason == reason.Frozen:
		return "Nothing was asked or refused"
	case e.Verdict == Held && e.Reason == reason.TooFastUp:
		return "The claimed height was rejected: the player stayed at " + formatPosition(e.Pos)
	case e.Verdict == Held:
		return "The claim was rejected: the player stayed at " + formatPosition(e.Pos)
	case e.Verdict == Corrected:
		return "The client was told that the player is at " + formatPosition(e.Pos)
	case e.Verdict == Hit:
		return "Lag compensation allows that, up to the limit of [rules] rewind in the world file"
	case e.Reason == reason.SeenLongAgo:
		return "The attack was judged by the oldest position that the rules allow"
	case e.Reason == reason.SeenAhead:
		return "The attack was judged by where the target is"
	case e.HasPos:
		return "The request was refused; the player stood at " + formatPosition(e.Pos)
	}
	return "The request was refused"
}

// endedConnection reports whether the door ended the player's connection because of this refusal. The same reasons also refuse
// intents without ending the connection. The entry of such an intent has numbers in Asked and Allowed; the entry of an ended
// connection has none.
func (e *Entry) endedConnection() bool {
	if e.Verdict != Refused || e.Unit != "" {
		return false
	}
	return e.Reason == reason.Suspected || e.Reason == reason.TeleportIgnored || e.Reason == reason.Frozen
}

// Summary describes the entry in a short phrase, such as "held: too fast, 12 units asked, 8 allowed".
func (e *Entry) Summary() string {
	why := strings.ReplaceAll(e.Reason.String(), "_", " ")
	text := e.Verdict.String() + ": " + why
	if e.endedConnection() {
		text = "disconnected: " + why
	}
	if figures := e.Figures(); figures != "" {
		text += ", " + figures
	}
	if e.Other != "" {
		text += ", " + e.Other
	}
	if e.AgoMS > 0 {
		text += " " + formatAgo(e.AgoMS) + " ago"
	}
	if e.Times > 1 {
		text += fmt.Sprintf(", %d times", e.Times)
	}
	if e.Excused() {
		text += ", server late"
	}
	return text
}

// Figures returns, as text, the numbers that the rule compared, such as a distance and its limit. It returns "" if the
// rule compared none.
func (e *Entry) Figures() string {
	if e.Unit == "" {
		return ""
	}
	asked, allowed := FormatPair(e.Asked, e.Allowed)
	if e.Verdict == Corrected && strings.HasPrefix(e.Unit, "blocks") { // Asked is a distance, or a difference of speeds
		return fmt.Sprintf("%s %s apart, %s allowed", asked, e.Unit, allowed)
	}
	switch e.Reason {
	case reason.Frozen:
		return fmt.Sprintf("no packet for %s %s", asked, e.Unit)
	case reason.TickForged:
		return fmt.Sprintf("tick %s, newest tick %s", asked, allowed)
	case reason.SeenLongAgo:
		return fmt.Sprintf("%s ms ago, at most %s ms are explained", asked, allowed)
	case reason.SeenAhead:
		return asked + " ms ahead"
	case reason.TooSoon:
		return fmt.Sprintf("%s ms after the last, the delay is %s ms", asked, allowed)
	}
	return fmt.Sprintf("%s %s asked, %s allowed", asked, e.Unit, allowed)
}

// Direction describes where one position is, seen from another, by distance and compass direction: "61.2 units
// north-east". The parameter from is the point of view, and to is the position that is described.
func Direction(from, to geom.Vec) string {
	dx, dy, dz := float64(to.X)-float64(from.X), float64(to.Y)-float64(from.Y), float64(to.Z)-float64(from.Z)
	flat := math.Hypot(dx, dz)
	if flat < 0.005 && math.Abs(dy) < 0.005 {
		return "at the same place"
	}
	up := "above"
	if dy < 0 {
		up = "below"
	}
	height := FormatNumber(float32(math.Abs(dy))) + " units " + up
	if flat < 0.005 {
		return height
	}
	text := FormatNumber(float32(flat)) + " units " + compassPoint(dx, dz)
	if math.Abs(dy) >= 0.005 && math.Abs(dy) >= flat/10 {
		text += " and " + height
	}
	return text
}

// compassPoint returns the compass direction of an offset, one of eight. North is +Z, east is +X.
func compassPoint(dx, dz float64) string {
	const tan = 0.41421356 // tan(22.5 degrees); 22.5 degrees are half of an eighth of a turn
	var ns, ew string
	if math.Abs(dz) >= tan*math.Abs(dx) {
		ns = "north"
		if dz < 0 {
			ns = "south"
		}
	}
	if math.Abs(dx) >= tan*math.Abs(dz) {
		ew = "east"
		if dx < 0 {
			ew = "west"
		}
	}
	if ns != "" && ew != "" {
		return ns + "-" + ew
	}
	return ns + ew
}

// formatPosition formats a position for people: "(1.5, 0, 20)".
func formatPosition(v geom.Vec) string {
	return "(" + FormatNumber(v.X) + ", " + FormatNumber(v.Y) + ", " + FormatNumber(v.Z) + ")"
}

// FormatNumber formats a number for people, with fewer decimals the larger it is.
func FormatNumber(f float32) string {
	v := float64(f)
	switch size := math.Abs(v); {
	case size >= 1e7:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case size >= 10:
		return trimZeros(strconv.FormatFloat(v, 'f', 1, 64))
	case size >= 0.1 || size == 0:
		return trimZeros(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return trimZeros(strconv.FormatFloat(v, 'f', 4, 64))
}

// FormatPair formats the two numbers that a rule compared. It uses as many decimals as are needed to tell them apart:
// 0.504 and 0.5, not 0.5 twice. Equal numbers give equal texts.
func FormatPair(asked, allowed float32) (a, b string) {
	a, b = FormatNumber(asked), FormatNumber(allowed)
	for decimals := 1; a == b && asked != allowed && decimals <= 9; decimals++ {
		a = trimZeros(strconv.FormatFloat(float64(asked), 'f', decimals, 32))
		b = trimZeros(strconv.FormatFloat(float64(allowed), 'f', decimals, 32))
	}
	return a, b
}

// trimZeros removes trailing zeros after the decimal point.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// formatSpan formats a duration in seconds. It is used for durations of at most a few minutes.
func formatSpan(d time.Duration) string {
	if d < time.Second {
		return "a second"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " seconds"
}

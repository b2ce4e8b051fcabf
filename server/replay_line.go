package server

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Values of stretchLine.Type: what a line is about.
const (
	lineIntent = "intent" // an intent of a player
	lineEvent  = "event"  // what happened
	lineState  = "state"  // position and state of the followed player
	lineGap    = "gap"    // no tick was recorded between two times
	lineReload = "reload" // the world file was reloaded between two ticks
	lineEnd    = "end"    // totals
)

// stretchLine is one line of the output about a stretch of a tape, the recorded ticks between two times (docs/tape.md). Zero fields
// are omitted.
type stretchLine struct {
	Type      string       `json:"type"`                // what the line is about: lineIntent and so on
	At        string       `json:"at,omitempty"`        // time of the tick: RFC 3339, UTC, with milliseconds
	Tick      sim.Tick     `json:"tick,omitempty"`      // number of the tick
	Kind      string       `json:"kind,omitempty"`      // name of the sim.IntentKind of an intent or of the sim.EventKind of an event
	Entity    sim.EntityID `json:"entity,omitempty"`    // player that made the request, or actor that the event is about
	Name      string       `json:"name,omitempty"`      // name of Entity
	Other     sim.EntityID `json:"other,omitempty"`     // target, attacker or other actor
	OtherName string       `json:"otherName,omitempty"` // name of Other

	// printText prints the following fields as name=value. Their meaning depends on the line's Kind: see docs/tape.md,
	// sim.IntentKind and sim.EventKind.
	Reason     string      `json:"reason,omitempty"`     // name of a reason.Reason
	Health     *int32      `json:"health,omitempty"`     // health of the followed player; nil in other lines
	HealthMax  int32       `json:"healthMax,omitempty"`  // maximum health of the followed player
	Pos        *coordinate `json:"pos,omitempty"`        // position that the server decided, world units
	Asked      *coordinate `json:"askedPos,omitempty"`   // position that the client claimed, world units
	Dest       *coordinate `json:"dest,omitempty"`       // destination of a claim, world units
	Yaw        finite      `json:"yaw,omitempty"`        // degrees
	Tile       []uint16    `json:"tile,omitempty"`       // x and z of the requested tile
	Move       []finite    `json:"move,omitempty"`       // sideways and forward axis of an input, -1 to 1
	AskedBy    finite      `json:"asked,omitempty"`      // number that the rule compared with Allowed
	Allowed    finite      `json:"allowed,omitempty"`    // limit of the rule
	N          int32       `json:"n,omitempty"`          // sim.Event.N, whose meaning depends on the kind of the event
	Value      int32       `json:"value,omitempty"`      // sim.Event.Value, whose meaning depends on the kind of the event
	DamageType uint8       `json:"damageType,omitempty"` // sim.Event.Type: damage type of an attack, or kind of an effect
	Ranged     bool        `json:"ranged,omitempty"`     // the attack hit with a projectile
	Running    bool        `json:"running,omitempty"`    // the player runs
	Dead       bool        `json:"dead,omitempty"`       // the followed player is dead
	Lingering  bool        `json:"lingering,omitempty"`  // the followed player has no connection
	Slot       uint8       `json:"slot,omitempty"`       // inventory slot of an intent
	SlotB      uint8       `json:"slotB,omitempty"`      // second inventory slot of an intent
	Amount     uint16      `json:"amount,omitempty"`     // number of items, or sim.Intent.Amount of another kind of intent
	Item       uint16      `json:"item,omitempty"`       // id of the item that was dropped or picked up
	Ground     uint32      `json:"ground,omitempty"`     // handle of the item on the ground
	ToArea     string      `json:"toArea,omitempty"`     // name of the area that the intent or the departure leads to
	Party      sim.PartyID `json:"party,omitempty"`      // party after the event
	OldParty   sim.PartyID `json:"oldParty,omitempty"`   // party before the event
	Text       string      `json:"text,omitempty"`       // text of the intent or event, such as a chat line

	// The following fields are set in lines of the types lineGap and lineEnd.
	From    string `json:"from,omitempty"`    // time of the last tick before the gap, or of the first tick of the output
	To      string `json:"to,omitempty"`      // time of the first tick after the gap, or of the last tick of the output
	Ticks   int    `json:"ticks,omitempty"`   // number of ticks in the output; in lineEnd only
	Intents int    `json:"intents,omitempty"` // number of intents in the output; in lineEnd only
	Events  int    `json:"events,omitempty"`  // number of events in the output; in lineEnd only
}

// finite is a number from a client, which may be NaN or infinite. In JSON, NaN and infinities become null.
type finite float32

// MarshalJSON returns the number, or null if it is NaN or infinite.
func (n finite) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 32), nil
}

// String returns the number with two decimals.
func (n finite) String() string { return strconv.FormatFloat(float64(n), 'f', 2, 32) }

// coordinate is a position: x, y and z in world units.
type coordinate [3]finite

// String returns the three coordinates in parentheses.
func (c coordinate) String() string { return fmt.Sprintf("(%v, %v, %v)", c[0], c[1], c[2]) }

func coordinateOf(v geom.Vec) *coordinate { return &coordinate{finite(v.X), finite(v.Y), finite(v.Z)} }

// formatStretchTime formats a time as the console API does: RFC 3339 in UTC with milliseconds.
func formatStretchTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// setActors sets the ids and names of the two actors of a line. The parameter who is the actor that the line is about. The
// parameter other is the target or the attacker of that actor, or another actor that takes part.
func (l *stretchLine) setActors(p *stretchPrinter, who, other sim.EntityID) {
	l.Entity, l.Name, l.Other, l.OtherName = who, p.names[who], other, p.names[other]
}

// areaName returns the name of an area, or "" for sim.NoArea.
func (p *stretchPrinter) areaName(id sim.AreaID) string {
	if id < 0 || int(id) >= len(p.world.Areas) {
		return ""
	}
	return p.world.Areas[id].Name
}

func (l *stretchLine) setIntent(p *stretchPrinter, in *sim.Intent) {
	l.Kind = in.Kind.String()
	l.setActors(p, in.Who, in.Target)
	l.Slot, l.SlotB, l.Amount, l.Ground, l.Text = in.SlotA, in.SlotB, in.Amount, in.Ground, in.Text
	switch in.Kind {
	case sim.IntentClaim:
		c := &in.Claim
		l.Asked, l.Running = coordinateOf(geom.Vec{X: c.X, Y: c.Y, Z: c.Z}), c.Running
		l.Dest = coordinateOf(geom.Vec{X: c.DestX, Y: c.Y, Z: c.DestZ})
	case sim.IntentInput:
		l.Asked, l.Yaw, l.Move = coordinateOf(in.Input.Pos), finite(in.Input.Yaw), []finite{finite(in.Input.Move[0]), finite(in.Input.Move[1])}
	case sim.IntentPath, sim.IntentFace:
		l.Tile = []uint16{in.Tile.X, in.Tile.Z}
	case sim.IntentTeleport, sim.IntentSettle:
		l.ToArea = p.areaName(in.To)
	}
	if j := in.Join; j != nil && j.Character != nil && l.Name == "" {
		l.Name = j.Character.Name
	}
}

func (l *stretchLine) setEvent(p *stretchPrinter, e *sim.Event) {
	l.Kind = e.Kind.String()
	l.setActors(p, e.Who, e.Other)
	if e.Reason != reason.None {
		l.Reason = e.Reason.String()
	}
	l.N, l.Value, l.DamageType, l.Ranged, l.Yaw = e.N, e.Value, e.Type, e.Ranged, finite(e.Yaw)
	l.AskedBy, l.Allowed, l.Party, l.OldParty, l.Text = finite(e.Asked), finite(e.Allowed), e.Party, e.OldParty, e.Text
	if e.Pos != (geom.Vec{}) {
		l.Pos = coordinateOf(e.Pos)
	}
	switch e.Kind {
	case sim.EventHeld, sim.EventCorrected:
		l.Pos, l.Asked = coordinateOf(e.Pos), coordinateOf(e.From)
	case sim.EventDeparted:
		l.ToArea = p.areaName(e.To)
	case sim.EventDropped, sim.EventPickedUp:
		l.Pos, l.Ground, l.Item, l.Amount = coordinateOf(e.Ground.Pos), e.Ground.Handle, e.Ground.Stack.Item, e.Ground.Stack.Amount
	}
}

func (l *stretchLine) setState(p *stretchPrinter, a *sim.ActorState) {
	*l = stretchLine{Type: lineState, Pos: coordinateOf(a.Pos), Yaw: finite(a.Yaw), HealthMax: a.HealthMax,
		Running: a.Is(sim.FlagRunning), Dead: a.Is(sim.FlagDead), Lingering: a.Is(sim.FlagLingering)}
	health := a.Health // copy the value, because the frame's memory is reused
	l.Health = &health
	l.setActors(p, a.ID, a.Target)
}

// sameState reports whether two lines about the state of a player are equal, so that the second need not be printed. The fields
// At and Tick of both lines must not be set.
func (l *stretchLine) sameState(m *stretchLine) bool { return reflect.DeepEqual(l, m) }

func (p *stretchPrinter) printJSON(l *stretchLine) error { return terminal.WriteJSON(p.out, l) }

// printText prints a line as text for people. Times are in the time zone of this machine.
func (p *stretchPrinter) printText(l *stretchLine) error {
	var err error
	switch l.Type {
	case lineGap:
		_, err = fmt.Fprintf(p.out, "-- nothing was recorded from %s to %s\n", localTime(l.From), localTime(l.To))
	case lineReload:
		_, err = fmt.Fprintf(p.out, "-- the world file was reloaded at %s\n", localTime(l.To))
	case lineEnd:
		_, err = fmt.Fprintf(p.out, "%s from %s to %s: %d ticks, %d intents, %d events\n", p.areaName(p.area), localTime(l.From), localTime(l.To), l.Ticks, l.Intents, l.Events)
	default:
		who := actorLabel(l.Entity, l.Name)
		if l.Other != 0 {
			who += " -> " + actorLabel(l.Other, l.OtherName)
		}
		line := fmt.Sprintf("%s %8d  %-6s %-12s %s%s", localTime(l.At), l.Tick, l.Type, l.Kind, who, l.details())
		_, err = fmt.Fprintln(p.out, strings.TrimRight(terminal.Printable(line), " "))
	}
	return err
}

func localTime(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return t.Local().Format("15:04:05.000")
}

func actorLabel(id sim.EntityID, name string) string {
	switch {
	case id == 0:
		return ""
	case name == "":
		return fmt.Sprintf("entity %d", id)
	}
	return fmt.Sprintf("%s (%d)", name, id)
}

// details returns those of the fields from Reason to Text that are not zero, each as name=value.
func (l *stretchLine) details() string {
	var b strings.Builder
	v := reflect.ValueOf(l).Elem()
	for on, i := false, 0; i < v.NumField(); i++ {
		field := v.Type().Field(i)
		if on = on || field.Name == "Reason"; !on || v.Field(i).IsZero() {
			continue
		}
		value := v.Field(i)
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if value.Kind() == reflect.String && name == "text" {
			fmt.Fprintf(&b, "  %s=%q", name, value)
		} else {
			fmt.Fprintf(&b, "  %s=%v", name, value)
		}
		if field.Name == "Text" {
			break
		}
	}
	return b.String()
}

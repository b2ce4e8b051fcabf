package rs

import (
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/proto/wire"
)

// passNames describes, for each pass, the players that it covers.
var passNames = [...]string{
	1: "local, not skipped last time", 2: "local, skipped last time",
	3: "external, skipped last time", 4: "external, not skipped last time",
}

// AppendText appends the trace as readable text and returns the longer slice: one line per item, with its bit offset, its
// length in bits and its content.
func (t *PacketTrace) AppendText(b []byte) []byte {
	b = fmt.Appendf(b, "player info %s, viewer %d, %d bytes\n", t.Profile.Name, t.Self, t.Size)
	for k := range t.Steps {
		b = t.appendStep(b, &t.Steps[k])
	}
	if t.Err != nil {
		b = fmt.Appendf(b, "refused: %v\n", t.Err)
	}
	return b
}

func (t *PacketTrace) appendStep(b []byte, s *TraceStep) []byte {
	switch {
	case s.Kind == StepPass && s.Pass == PassBlocks:
		return fmt.Appendf(b, "blocks: %d\n", s.Players)
	case s.Kind == StepPass:
		return fmt.Appendf(b, "pass %d: %d %s\n", s.Pass, s.Players, passNames[s.Pass])
	}
	b = fmt.Appendf(b, "%8d %5d  ", s.Bit, s.Bits)
	switch s.Kind {
	case StepRun:
		return appendRunText(b, s)
	case StepChange:
		return appendChangeText(b, &s.Change)
	default:
		return t.appendBlockText(b, s)
	}
}

func appendRunText(b []byte, s *TraceStep) []byte {
	who := fmt.Sprint(s.First)
	if s.Last != s.First {
		who = fmt.Sprintf("%d..%d", s.First, s.Last)
	}
	return fmt.Appendf(b, "%-9s idle      %d of the pass, count in %d bits\n", who, s.Players, s.CountBits)
}

func appendChangeText(b []byte, ch *PlayerChange) []byte {
	b = fmt.Appendf(b, "%-9d %-9s ", ch.Index, ch.Kind)
	switch ch.Kind {
	case ChangeBlock:
		b = append(b, tileText(ch.From)...)
	case ChangeWalk, ChangeRun:
		b = fmt.Appendf(b, "%s -> %s, code %d, speed %d", tileText(ch.From), tileText(ch.To), ch.Code, ch.Speed)
	case ChangeTeleport:
		form := "near"
		if ch.Far {
			form = "far"
		}
		b = fmt.Appendf(b, "%s -> %s, %s form, speed %d", tileText(ch.From), tileText(ch.To), form, ch.Speed)
	case ChangeRemove:
		b = fmt.Appendf(b, "%s -> %s%s", tileText(ch.From), squareText(ch.ToSquare), nestedText(ch))
	case ChangeReplace:
		b = fmt.Appendf(b, "%s -> %s%s -> %s", tileText(ch.From), squareText(ch.ToSquare), nestedText(ch), tileText(ch.To))
	case ChangeAdd:
		b = fmt.Appendf(b, "%s%s -> %s", squareText(ch.ToSquare), nestedText(ch), tileText(ch.To))
	default:
		b = fmt.Appendf(b, "%s -> %s", squareText(ch.FromSquare), squareText(ch.ToSquare))
		if ch.Kind == ChangeStep {
			b = fmt.Appendf(b, ", code %d", ch.Code)
		}
	}
	if ch.Block {
		b = append(b, ", block follows"...)
	}
	return append(b, '\n')
}

// nestedText describes the second change that an entry may contain, a change of map square or plane. It returns "" if there is
// none.
func nestedText(ch *PlayerChange) string {
	if ch.Nested == ChangeNone {
		return ""
	}
	return fmt.Sprintf(" (%s from %s)", ch.Nested, squareText(ch.FromSquare))
}

func tileText(t Tile) string {
	return fmt.Sprintf("tile %d,%d plane %d", t.X, t.Z, t.Plane)
}

func squareText(s MapSquare) string {
	return fmt.Sprintf("square %d,%d plane %d", s.X(), s.Z(), s.Plane())
}

// appendBlockText appends one line for a player's block and one for each kind in it, in wire order.
func (t *PacketTrace) appendBlockText(b []byte, s *TraceStep) []byte {
	b = fmt.Appendf(b, "%-9d block     %d bytes\n", s.Change.Index, len(s.Block))
	var in Info
	r := wire.NewReader(s.Block)
	if t.Profile.ParseInfo(&r, &in) != nil {
		return b // unreachable, because the client has parsed the same bytes
	}
	for _, k := range t.Profile.BlockOrder() {
		if in.Has.Has(k) {
			b = fmt.Appendf(b, "%26s%-13s %s\n", "", k, infoText(&in, k))
		}
	}
	return b
}

// infoText returns the value that an Info has for the kind k, as text. For an unknown kind it returns "".
func infoText(in *Info, k InfoKind) string {
	switch k {
	case KindAppearance:
		return fmt.Sprintf("%d bytes: %x", len(in.Appearance), in.Appearance)
	case KindSay:
		return fmt.Sprintf("%q", TextString(in.Say))
	case KindGfx0, KindGfx1, KindGfx2, KindGfx3:
		return formatValue(in.Gfx[k-KindGfx0])
	}
	for _, f := range infoFields(in) {
		if f.kind == k {
			return formatValue(f.value)
		}
	}
	return ""
}

type infoField struct {
	kind  InfoKind
	value any
}

// infoFields returns those values of an Info that are printed with formatValue, with their kinds.
func infoFields(in *Info) []infoField {
	return []infoField{
		{KindAnim, in.Anim}, {KindHits, in.Hits}, {KindTarget, in.Target}, {KindTurn, in.Turn}, {KindExactMove, in.ExactMove},
		{KindSpeed, in.Speed}, {KindTempSpeed, in.TempSpeed}, {KindWornAnims, in.WornAnims}, {KindWornTargets, in.WornTargets},
		{KindRecolour, in.Recolour}, {KindTimerBar, in.TimerBar}, {KindClanmate, in.Clanmate}, {KindPIcon, in.PIcon},
		{KindFace, in.Face}, {KindSpotAnims, in.SpotAnims}, {KindChat, in.Chat}, {KindTransparency, in.Transparency},
		{KindHeadBars, in.HeadBars}, {KindFreeze, in.Freeze}, {KindReset, in.ResetWhat},
	}
}

// formatValue prints a value with its field names; list items are separated by semicolons.
func formatValue(v any) string {
	text := fmt.Sprintf("%+v", v)
	for _, braces := range []string{"[]", "{}"} {
		if inner, found := strings.CutPrefix(text, braces[:1]); found {
			text = strings.TrimSuffix(inner, braces[1:])
		}
	}
	return strings.ReplaceAll(text, "} {", "; ")
}

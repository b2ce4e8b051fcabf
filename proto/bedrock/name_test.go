package bedrock

import (
	"strings"
	"testing"
)

func TestEveryInputFlagHasName(t *testing.T) {
	seen := map[string]bool{}
	for f := InputFlag(0); f < InputFlagCount; f++ {
		name := f.String()
		if name == "" || seen[name] || strings.Contains(name, " ") {
			t.Errorf("flag %d is called %q", uint8(f), name)
		}
		seen[name] = true
	}
	for f, want := range map[InputFlag]string{
		InputAscend: "Ascend", InputJumpDown: "JumpDown", InputHandledTeleport: "HandledTeleport",
		InputVerticalCollision: "VerticalCollision", InputInternalUpdate: "InternalUpdate", InputFlagCount: "flag 66",
	} {
		if f.String() != want {
			t.Errorf("flag %d is called %q, wanted %q", uint8(f), f, want)
		}
	}
}

func TestIterationOverInputFlagsIsInIncreasingOrder(t *testing.T) {
	var got []InputFlag
	InputDataOf(InputSneakCurrentRaw, InputUp, InputAscend).Each(func(f InputFlag) { got = append(got, f) })
	if len(got) != 3 || got[0] != InputAscend || got[1] != InputUp || got[2] != InputSneakCurrentRaw {
		t.Errorf("got %v", got)
	}
}

func TestStringOfEnumValueIsNameOrElseNumber(t *testing.T) {
	for got, want := range map[string]string{
		FlagSneaking.String(): "Sneaking", ActorFlag(99).String(): "flag 99",
		MetaScale.String(): "Scale", MetaKey(143).String(): "key 143",
		MoveTeleport.String(): "teleport", MoveMode(9).String(): "mode 9",
		StatusSpawn.String(): "spawn", PlayStatusCode(5).String(): "status 5",
	} {
		if got != want {
			t.Errorf("%q, wanted %q", got, want)
		}
	}
}

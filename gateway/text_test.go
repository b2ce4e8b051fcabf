package gateway

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTextOfOneDoorIsReadAtTheOthers(t *testing.T) {
	for _, c := range []struct{ world, legible, western string }{
		{"hello", "hello", "hello"},
		{"J\xf6rg \x80", "Jörg €", "J\xf6rg \x80"}, // from a door with 256 letters
		{"Jörg €", "Jörg €", "J\xf6rg \x80"},       // from a door with all
		{"привет 1", "привет 1", "?????? 1"},
		{"", "", ""},
	} {
		if got := Legible(c.world); got != c.legible {
			t.Errorf("%q is legible as %q, want %q", c.world, got, c.legible)
		}
		if got := Western(c.world); got != c.western {
			t.Errorf("%q is western as %q, want %q", c.world, got, c.western)
		}
	}
}

func TestTextIsAlwaysFitForItsReaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		if !utf8.ValidString(Legible(text)) {
			t.Errorf("%q is not legible: %q", text, Legible(text))
		}
		if got := Western(text); len(got) > len(text) {
			t.Errorf("%q has grown to %q", text, got)
		}
	})
}

func TestWhatIsGainedIsCounted(t *testing.T) {
	for points, want := range map[int32]string{
		1: "You gain a point of experience.", 2: "You gain 2 points of experience.", 1<<31 - 1: "You gain 2147483647 points of experience.",
	} {
		if got := Gained(points); got != want {
			t.Errorf("%d: %q, want %q", points, got, want)
		}
	}
}

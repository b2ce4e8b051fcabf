package gateway

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTextOfAnyDoorIsConvertedForOthers(t *testing.T) {
	for _, c := range []struct{ world, utf8, windows1252 string }{
		{"hello", "hello", "hello"},
		{"J\xf6rg \x80", "Jörg €", "J\xf6rg \x80"}, // from a door of Windows-1252
		{"Jörg €", "Jörg €", "J\xf6rg \x80"},       // from a door of UTF-8
		{"привет 1", "привет 1", "?????? 1"},
		{"", "", ""},
	} {
		if got := ToUTF8(c.world); got != c.utf8 {
			t.Errorf("%q is %q in UTF-8, want %q", c.world, got, c.utf8)
		}
		if got := ToWindows1252(c.world); got != c.windows1252 {
			t.Errorf("%q is %q in Windows-1252, want %q", c.world, got, c.windows1252)
		}
	}
}

func TestConvertedTextIsValidAndNotLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		if !utf8.ValidString(ToUTF8(text)) {
			t.Errorf("%q is not UTF-8: %q", text, ToUTF8(text))
		}
		if got := ToWindows1252(text); len(got) > len(text) {
			t.Errorf("%q has grown to %q", text, got)
		}
	})
}

func TestExperienceTextUsesSingularForOnePoint(t *testing.T) {
	for points, want := range map[int32]string{
		1: "You gain a point of experience.", 2: "You gain 2 points of experience.", 1<<31 - 1: "You gain 2147483647 points of experience.",
	} {
		if got := ExperienceText(points); got != want {
			t.Errorf("%d: %q, want %q", points, got, want)
		}
	}
}

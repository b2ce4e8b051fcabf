package store

import (
	"errors"
	"testing"
	"unicode/utf8"
)

func TestEveryByteIsOneReadableCharacter(t *testing.T) {
	seen := map[string]int{}
	for b := range 256 {
		raw := string([]byte{byte(b)})
		text := ToText(raw)
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) != 1 {
			t.Errorf("byte %#x is written as %q", b, text)
		}
		if before, ok := seen[text]; ok {
			t.Errorf("bytes %#x and %#x are written alike", before, b)
		}
		seen[text] = b
		if back, err := FromText(text); err != nil || back != raw {
			t.Errorf("byte %#x came back as %q, %v", b, back, err)
		}
	}
	if got := ToText("caf\xe9 \x80 \x93x\x94"); got != "café € “x”" {
		t.Errorf("written as %q", got)
	}
}

func TestTextOfAnotherAlphabetIsRefused(t *testing.T) {
	for _, text := range []string{"Жора", "a\xffb", "\U0001F600", "\u0080"} {
		if raw, err := FromText(text); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%q was read as %q, %v", text, raw, err)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("Rustaroo")
	f.Add("J\xf6rg\x00\x81")
	f.Fuzz(func(t *testing.T, raw string) {
		if back, err := FromText(ToText(raw)); err != nil || back != raw {
			t.Fatalf("%q came back as %q, %v", raw, back, err)
		}
		if got, err := FromText(raw); err == nil && ToText(got) != raw {
			t.Fatalf("text %q was read as %q, which is written %q", raw, got, ToText(got))
		}
	})
}

package postgres

import "testing"

func TestEscapedTextHasNoZeroBytesAndUnescapesToOriginal(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"", "a", `\`, `\\`, "\x00", `\0`, `\\0`, "\\\x00", "\x00\\", "a\x00b", "日本\\n"} {
		stored := escape(text)
		for _, r := range stored {
			if r == 0 {
				t.Errorf("%q is stored as %q", text, stored)
			}
		}
		if back := unescape(stored); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
		if other, ok := seen[stored]; ok {
			t.Errorf("%q and %q are both stored as %q", text, other, stored)
		}
		seen[stored] = text
	}
}

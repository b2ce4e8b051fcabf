package content

import (
	"strings"
	"testing"
)

// scaled returns the tiny world with scale settings in its first area.
func scaled(text string) string {
	return strings.Replace(tinyTOML, "weather = { rain = 10 }", "weather = { rain = 10 }\n"+text, 1)
}

func TestContradictoryUnitScalesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tiles off the map", `tiles = { size = 0.01, base = [16383, 0] }`, "is off the map of tiles"},
		{"tiles beyond every reach", `tiles = { size = 900, base = [8000, 8000] }`, "contradict melee_reach"},
		{"blocks above the sky", `blocks = { units = 0.01, origin = [0, 319, 0], height = 0 }`, "is at block height"},
		{"giants among dwarfs", "tiles = { size = 2, base = [8000, 8000] }\nblocks = { units = 300, origin = [0, 64, 0] }", "blocks of 300 units and tiles of 2 contradict each other"},
		{"dwarfs among giants", "tiles = { size = 7, base = [8000, 8000] }\nblocks = { units = 0.1, origin = [0, 64, 0] }", "contradict each other"},
	} {
		_, _, err := LoadWorld("tiny.toml", []byte(scaled(c.text)))
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, c.want) || strings.Count(text, "\n") > 0 || !strings.HasPrefix(text, "tiny.toml:") {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

func TestConsistentUnitScalesAreAccepted(t *testing.T) {
	for _, text := range []string{
		"", `tiles = { size = 7, base = [8000, 8000] }`, `blocks = { units = 3.5, origin = [0, 64, 0] }`,
		"tiles = { size = 3.5, base = [8000, 8000] }\nblocks = { units = 3.5, origin = [0, 64, 0] }",
	} {
		if _, _, err := LoadWorld("tiny.toml", []byte(scaled(text))); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

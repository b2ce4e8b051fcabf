package content

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestLingerRulesAreReadAndInvalidOnesAreRefused(t *testing.T) {
	for text, want := range map[string]sim.LingerRules{
		"":                           {MS: 10_000, CombatMS: 20_000, RestartMS: 60_000},
		"[rules.linger]\ntime = 0\n": {CombatMS: 20_000, RestartMS: 60_000},
		"[rules.linger]\ntime = 30\ncombat = 40.5\nrestart = 5\n": {MS: 30_000, CombatMS: 40_500, RestartMS: 5_000},
	} {
		w, _, err := LoadWorld("tiny.toml", []byte(strings.Replace(tinyTOML, "[rules.combat]", text+"[rules.combat]", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if w.Rules.Linger != want {
			t.Errorf("%q gives %+v, want %+v", text, w.Rules.Linger, want)
		}
	}
}

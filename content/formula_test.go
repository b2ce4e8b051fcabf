package content

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
)

// calculate compiles and runs a formula and returns the result. Inputs that are not in set are 0.
func calculate(t *testing.T, source string, set map[combat.Input]float64) float64 {
	t.Helper()
	p, err := CompileFormula(source)
	if err != nil {
		t.Fatal(err)
	}
	var in [combat.Inputs]float64
	for i, v := range set {
		in[i] = v
	}
	return p.Run(&in)
}

func TestDamageFormulaOperatorsAndFunctionsAreEvaluated(t *testing.T) {
	in := map[combat.Input]float64{combat.InRoll: 11, combat.InWeaponDamage: 20, combat.InAttackerStrength: 30,
		combat.InVictimArmour: 7, combat.InArmed: 1}
	for _, c := range []struct {
		source string
		want   float64
	}{
		{"1", 1},
		{"0x10 + 1_000", 1016},
		{"2 + 3 * 4", 14},
		{"(2 + 3) * 4", 20},
		{"10 - 4 - 3", 3},
		{"7 / 2", 3.5},
		{"7 % 4", 3},
		{"-7 % 4", -3},
		{"-roll + +1", -10},
		{"weapon_damage - victim_armour", 13},
		{"roll <= 10 ? -1 : 5", 5},
		{"roll < 12 and armed ? 1 : 2", 1},
		{"roll < 11 or not armed ? 1 : 2", 2},
		{"!armed || roll == 11 && roll != 12 ? 1 : 2", 1},
		{"10 < roll < 12 ? 1 : 2", 1},
		{"if armed { 3 } else { 4 }", 3},
		{"min(3, 1, 2) + max(1, 5) * 10", 51},
		{"abs(-2) + floor(2.9) + ceil(0.1)", 5},
		{"floor(-2.5)", -3},
		{"clamp(50, 1, 10) + clamp(-5, 1, 10)", 11},
		{"max(1, (weapon_damage + attacker_strength / 4) * (roll > 90 ? 2 : 1) - victim_armour)", 20.5},
	} {
		if got := calculate(t, c.source, in); got != c.want {
			t.Errorf("%s = %v, want %v", c.source, got, c.want)
		}
	}
}

func TestDamageFormulaCanUseEveryInput(t *testing.T) {
	for i, name := range combat.InputNames() {
		in := combat.Input(i)
		source := name
		if in.Condition() {
			source += " ? 1 : 0"
		}
		if got := calculate(t, source, map[combat.Input]float64{in: 1}); got != 1 {
			t.Errorf("%s = %v, want 1", name, got)
		}
	}
}

func TestDivisionByZeroInDamageFormulaGivesInfinityOrNaN(t *testing.T) {
	if got := calculate(t, "1 / 0", nil); !math.IsInf(got, 1) {
		t.Errorf("1 / 0 = %v", got)
	}
	for _, source := range []string{"0 / 0", "1 % 0"} {
		if got := calculate(t, source, nil); !math.IsNaN(got) {
			t.Errorf("%s = %v", source, got)
		}
	}
	if got := calculate(t, "roll == 0 ? 4 : 5 / roll", nil); got != 4 {
		t.Errorf("the branch that is not chosen changes the result: %v", got)
	}
}

func TestInvalidDamageFormulasAreRefusedWithPosition(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"", "line 1, column 1"},
		{"1 +", "line 1"},
		{"roll\n+ strenght", `line 2, column 3: unknown name "strenght"; there are attacker_strength, `},
		{"print(1)", "unknown function print; there are min, max, abs, floor, ceil and clamp"},
		{"len([1])", "unknown function len"},
		{"abs(1, 2)", "abs takes 1 argument, not 2"},
		{"min(1)", "min takes 2 or more arguments, not 1"},
		{"clamp(1, 2)", "clamp takes 3 arguments, not 2"},
		{"2 ** 3", "operator ** is not allowed"},
		{"1..3", "operator .. is not allowed"},
		{"roll in [1]", "operator in is not allowed"},
		{"'x'", "only numbers, names"},
		{"true", "only numbers, names"},
		{"roll.x", "only numbers, names"},
		{"a.b()", "only numbers, names"},
		{"[1, 2]", "only numbers, names"},
		{"{a: 1}", "only numbers, names"},
		{"let x = 1; x", "only numbers, names"},
		{"1; 2", "only numbers, names"},
		{"nil", "only numbers, names"},
		{"roll > 1", "the result is a condition, a number is needed"},
		{"armed + 1", "line 1, column 1: this part of the formula is a condition, but a number is needed"},
		{"roll ? 1 : 2", "this part of the formula is a number, but a condition is needed"},
		{"not roll ? 1 : 2", "this part of the formula is a number, but a condition is needed"},
		{"armed ? 1 : armed", "line 1, column 13: this part of the formula is a condition, but a number is needed"},
		{"filter([1], # > 0)", "unknown function filter"},
	} {
		_, err := CompileFormula(c.source)
		switch {
		case err == nil:
			t.Errorf("%q is accepted", c.source)
		case !errors.Is(err, ErrFormula), !strings.Contains(err.Error(), c.want), strings.Contains(err.Error(), "\n"):
			t.Errorf("%q: %v\nwant %q", c.source, err, c.want)
		}
	}
}

func TestDamageFormulasBeyondLimitsAreRefused(t *testing.T) {
	chain := func(n int) string { return "1" + strings.Repeat("+1", n-1) }
	nest := func(n int) string { return strings.Repeat("abs(", n-1) + "1" + strings.Repeat(")", n-1) }
	right := func(n int) string {
		return strings.Repeat("clamp(1,2,", n-1) + "3" + strings.Repeat(")", n-1)
	}
	for _, source := range []string{chain(100), nest(32), right(32), "1" + strings.Repeat(" ", 4095)} {
		if p, err := CompileFormula(source); err != nil {
			t.Errorf("%.20q...: %v", source, err)
		} else {
			p.Run(new([combat.Inputs]float64))
		}
	}
	for _, source := range []string{chain(101), nest(33), right(33), "1" + strings.Repeat(" ", 4096),
		strings.Repeat("(", 2000) + "1", strings.Repeat("-", 4000) + "1", strings.Repeat("!", 4000) + "armed"} {
		if _, err := CompileFormula(source); !errors.Is(err, ErrFormula) {
			t.Errorf("%.20q... of %d bytes: %v", source, len(source), err)
		}
	}
}

func FuzzCompileFormula(f *testing.F) {
	f.Add("roll <= 10 ? -1 : max(1, weapon_damage - victim_armour)")
	f.Add("clamp(1 / 0, -1e308 * 10, ceil(distance) % reach)")
	f.Add("if armed and not ranged { 1 } else { 2 }")
	f.Add("roll in 1..3 | filter(# > 1)")
	f.Add("let x = '\xff'; x?.y ?? [1][0]")
	f.Fuzz(func(t *testing.T, source string) {
		p, err := CompileFormula(source)
		if err != nil {
			if !errors.Is(err, ErrFormula) {
				t.Fatalf("the error does not wrap ErrFormula: %v", err)
			}
			return
		}
		if p.String() != source {
			t.Fatalf("%q became %q", source, p)
		}
		for _, v := range []float64{0, 1, -1, 1e300} {
			var in [combat.Inputs]float64
			for i := range in {
				in[i] = v
			}
			a, b := p.Run(&in), p.Run(&in)
			if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
				t.Fatalf("%v, then %v", a, b)
			}
		}
	})
}

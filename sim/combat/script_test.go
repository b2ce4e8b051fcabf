package combat

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/rng"
)

// program compiles a damage program from inputs, numbers and operations in the order of a stack machine.
func program(t testing.TB, code ...any) *Program {
	t.Helper()
	var out []Instr
	for _, c := range code {
		switch c := c.(type) {
		case Input:
			out = append(out, Instr{Op: OpInput, Input: c})
		case float64:
			out = append(out, Instr{Op: OpNumber, Number: c})
		case Op:
			out = append(out, Instr{Op: c})
		}
	}
	p, err := NewProgram("test", out)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Specification P_AttackActor: damage formula 4 calls a script of the world.
func TestMeleeAndShotsUseDamageProgramUnderDamageFormulaFour(t *testing.T) {
	a, v := pair()
	a.Weapon = &Weapon{Damage: 20, Type: 6, Kind: OneHanded}
	v.Armour = 5
	r := Rules{Formula: Script, Program: program(t, InWeaponDamage, InVictimArmour, OpSub, InDistance, OpAdd)}
	if got := r.Melee(&a, &v, rng.New(1)); got != (AttackResult{Damage: 16, Type: 6, Hit: true}) {
		t.Errorf("20 - 5 + 1 units: %+v", got)
	}
	a.Weapon = bow()
	if got := r.Shoot(&a, &v, a.Weapon.Projectile, rng.New(1)); got != (AttackResult{Damage: 4, Type: 4, Hit: true}) {
		t.Errorf("a shot must have the projectile's type: %+v", got)
	}
	r.Program = program(t, InProjectileDamage)
	if got := r.Melee(&a, &v, rng.New(1)); got != (AttackResult{Damage: 12, Type: 4, Hit: true}) {
		t.Errorf("Melee with a bow must know the projectile: %+v", got)
	}
	a.Weapon, r.Program = &Weapon{Kind: Ranged, Damage: 8}, program(t, InWeaponDamage)
	if got := r.Shoot(&a, &v, nil, rng.New(1)); !got.Hit {
		t.Errorf("a shot must not need a projectile: %+v", got)
	}
}

func TestDamageProgramResultIsLimitedToDamageRange(t *testing.T) {
	for _, c := range []struct{ result, want float64 }{
		{1, 1}, {1.99, 1}, {0.99, Miss}, {0, Miss}, {-5, Miss}, {32766.9, 32766}, {32767, 32766}, {1e300, 32766},
		{math.NaN(), Miss}, {math.Inf(1), Miss}, {math.Inf(-1), Miss},
	} {
		a, v := pair()
		r := Rules{Formula: Script, Program: program(t, c.result)}
		if got := r.Melee(&a, &v, rng.New(1)); float64(got.Damage) != c.want || got.Hit != (c.want > 0) {
			t.Errorf("%v: %+v, want %v", c.result, got, c.want)
		}
	}
	a, v := pair()
	if got := (&Rules{Formula: Script}).Melee(&a, &v, rng.New(1)); got != missResult() {
		t.Errorf("without a program: %+v", got)
	}
}

// Every damage program consumes the same number of random draws. Otherwise a recorded fight could not be replayed with
// another program.
func TestDamageFormulaFourAlwaysDrawsThreeRandomNumbers(t *testing.T) {
	a, v := pair()
	for i, in := range []Input{InRoll, InRoll2, InRoll3} {
		r := Rules{Formula: Script, Program: program(t, in)}
		luck, again := rng.New(77), rng.New(77)
		got := r.Melee(&a, &v, luck)
		var rolls [3]int32
		for i := range rolls {
			rolls[i] = again.Between(1, 100)
		}
		if got.Damage != rolls[i] || *luck != *again {
			t.Errorf("roll %d: %+v, want %v", i+1, got, rolls)
		}
	}
}

func TestDamageProgramOperationsComputeDocumentedResults(t *testing.T) {
	for _, c := range []struct {
		code []any
		want float64
	}{
		{[]any{4.0, OpNegate}, -4},
		{[]any{0.0, OpNot}, 1}, {[]any{2.0, OpNot}, 0},
		{[]any{-4.0, OpAbs}, 4}, {[]any{-1.5, OpFloor}, -2}, {[]any{-1.5, OpCeil}, -1},
		{[]any{7.0, 2.0, OpAdd}, 9}, {[]any{7.0, 2.0, OpSub}, 5}, {[]any{7.0, 2.0, OpMul}, 14},
		{[]any{7.0, 2.0, OpDiv}, 3.5}, {[]any{-7.0, 4.0, OpMod}, -3},
		{[]any{1.0, 2.0, OpLess}, 1}, {[]any{2.0, 2.0, OpLess}, 0}, {[]any{2.0, 2.0, OpAtMost}, 1},
		{[]any{2.0, 1.0, OpMore}, 1}, {[]any{2.0, 2.0, OpMore}, 0}, {[]any{2.0, 2.0, OpAtLeast}, 1},
		{[]any{2.0, 2.0, OpEqual}, 1}, {[]any{2.0, 2.0, OpDiffers}, 0},
		{[]any{1.0, 0.0, OpAnd}, 0}, {[]any{3.0, 1.0, OpAnd}, 1}, {[]any{0.0, 5.0, OpOr}, 1}, {[]any{0.0, 0.0, OpOr}, 0},
		{[]any{7.0, 2.0, OpMin}, 2}, {[]any{7.0, 2.0, OpMax}, 7},
		{[]any{1.0, 7.0, 2.0, OpChoose}, 7}, {[]any{0.0, 7.0, 2.0, OpChoose}, 2},
		{[]any{9.0, 1.0, 5.0, OpClamp}, 5}, {[]any{-9.0, 1.0, 5.0, OpClamp}, 1}, {[]any{3.0, 1.0, 5.0, OpClamp}, 3},
	} {
		if got := program(t, c.code...).Run(new([Inputs]float64)); got != c.want {
			t.Errorf("%v = %v, want %v", c.code, got, c.want)
		}
	}
}

func TestInvalidDamageProgramsAreRefused(t *testing.T) {
	deep := make([]Instr, stackSize+1)
	for _, c := range []struct {
		fault string
		code  []Instr
	}{
		{"empty", nil},
		{"two results", []Instr{{}, {}}},
		{"no arguments", []Instr{{Op: OpAdd}}},
		{"one argument short", []Instr{{}, {}, {Op: OpClamp}}},
		{"unknown operation", []Instr{{Op: opCount}}},
		{"unknown input", []Instr{{Op: OpInput, Input: Inputs}}},
		{"too deep", deep},
		{"too long", make([]Instr, MaxProgram+1)},
	} {
		if _, err := NewProgram("", c.code); !errors.Is(err, ErrProgram) {
			t.Errorf("%s: %v", c.fault, err)
		}
	}
}

func TestAcceptedDamageProgramsRunWithoutPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := make([]Instr, rapid.IntRange(0, 60).Draw(t, "length"))
		for i := range code {
			code[i] = Instr{Op: Op(rapid.ByteRange(0, byte(opCount)).Draw(t, "op")),
				Input: Input(rapid.ByteRange(0, byte(Inputs)).Draw(t, "input")), Number: rapid.Float64().Draw(t, "number")}
		}
		if p, err := NewProgram("", code); err == nil {
			p.Run(new([Inputs]float64))
		}
	})
}

func TestInputNamesOfDamageProgramsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for i, name := range InputNames() {
		if name == "" || seen[name] {
			t.Errorf("input %d is named %q", i, name)
		}
		seen[name] = true
	}
}

func TestScriptedAttackDoesNotAllocate(t *testing.T) {
	a, v := pair()
	r, luck := Rules{Formula: Script, Program: program(t, InWeaponDamage, InRoll, OpAdd)}, rng.New(1)
	if n := testing.AllocsPerRun(100, func() { r.Melee(&a, &v, luck) }); n != 0 {
		t.Errorf("an attack makes %v allocations", n)
	}
}

func BenchmarkMeleeWithScriptFormula(b *testing.B) {
	a, v := pair()
	r, luck := Rules{Formula: Script}, rng.New(1)
	// The formula is: roll <= 10 ? -1 : max(1, weapon_damage + attacker_strength / 4 - victim_armour)
	r.Program = program(b, InRoll, 10.0, OpAtMost, 1.0, OpNegate, 1.0, InWeaponDamage, InAttackerStrength, 4.0, OpDiv, OpAdd,
		InVictimArmour, OpSub, OpMax, OpChoose)
	b.ReportAllocs()
	for b.Loop() {
		r.Melee(&a, &v, luck)
	}
}

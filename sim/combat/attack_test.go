package combat

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/rng"
)

// stream returns a random stream whose next calls of Between give the wanted values. Each draw is low, high, value.
func stream(t *testing.T, draws ...[3]int32) *rng.Stream {
	t.Helper()
search:
	for seed := range uint64(2_000_000) {
		s := rng.New(seed)
		for _, d := range draws {
			if s.Between(d[0], d[1]) != d[2] {
				continue search
			}
		}
		return rng.New(seed)
	}
	t.Fatalf("no stream found that draws %v", draws)
	return nil
}

func hits() [3]int32           { return [3]int32{1, 100, 50} }
func bonus(n int32) [3]int32   { return [3]int32{5, 8, n} }
func plain() [3]int32          { return [3]int32{1, 10, 7} }
func critical() [3]int32       { return [3]int32{1, 10, 1} }
func spread5(n int32) [3]int32 { return [3]int32{-5, 5, n} }

// The cases are the numeric examples of docs/wire/rcce.md 8, and the branches of section 6.3 that these do not cover.
func TestMeleeDamageFollowsEachBuiltInFormula(t *testing.T) {
	const none = -1 // for a world without a toughness attribute
	for _, c := range []struct {
		rule                      string
		formula                   Formula
		weapon, strength          int32 // weapon 0: bare hands
		armour, resist, toughness int32
		draws                     [][3]int32
		want                      int32
		wantCritical              bool
	}{
		{"vector: 26 - 17", Normal, 20, 30, 5, 110, 17, [][3]int32{hits(), bonus(6), plain()}, 9, false},
		{"vector: critical 52 - 17", Normal, 20, 30, 5, 110, 17, [][3]int32{hits(), bonus(6), critical()}, 35, true},
		{"vector: at least 1", Normal, 3, 30, 5, 110, 17, [][3]int32{hits(), bonus(5), plain()}, 1, false},
		{"vector: multiplied by toughness", Multiplied, 4, 10, 2, 100, 3, [][3]int32{hits(), plain()}, 34, false},
		{"vector: squared without toughness", Multiplied, 4, 10, 2, 100, none, [][3]int32{hits(), plain()}, 36, false},
		{"vector: weakness adds", Multiplied, 4, 10, 0, 90, 3, [][3]int32{hits(), plain()}, 70, false},
		{"a weakness squared protects", Multiplied, 4, 10, 0, 95, none, [][3]int32{hits(), plain()}, 15, false},
		{"too weak for the weapon", Normal, 20, 10, 0, 100, none, [][3]int32{hits(), bonus(8), plain()}, 12, false},
		{"as strong as the weapon", Normal, 20, 20, 0, 100, none, [][3]int32{hits(), spread5(-5), plain()}, 15, false},
		{"bare hands: an eighth of strength", Normal, 0, 47, 0, 100, none, [][3]int32{hits(), spread5(2), plain()}, 7, false},
		{"strength divides toward zero", Normal, 0, -15, 0, 50, none, [][3]int32{hits(), spread5(0), plain()}, 49, false},
		{"toughness divides toward zero", Normal, 20, 20, 0, 100, 15, [][3]int32{hits(), spread5(0), plain()}, 19, false},
		{"toughness of an attribute that is 0", Normal, 20, 20, 0, 100, 0, [][3]int32{hits(), spread5(0), plain()}, 20, false},
		{"no bonus for strength", NoStrength, 20, 99, 3, 100, none, [][3]int32{hits(), plain()}, 17, false},
		{"no bonus: bare hands do count", NoStrength, 0, 80, 3, 100, none, [][3]int32{hits(), spread5(5), plain()}, 12, false},
		{"multiplied: bare hands", Multiplied, 0, 80, 0, 100, none, [][3]int32{hits(), {-10, 10, 7}, critical()}, 174, true},
		{"doubling comes before armour", NoStrength, 20, 0, 15, 100, none, [][3]int32{hits(), critical()}, 25, true},
		{"damage above the wire's limit", Multiplied, 60000, 60000, 0, 100, none, [][3]int32{hits(), plain()}, 32766, false},
	} {
		a, v := pair()
		if c.weapon > 0 {
			a.Weapon = &Weapon{Damage: c.weapon, Type: 3, Kind: OneHanded}
		}
		a.Strength, a.Unarmed = c.strength, 3
		v.Armour, v.Resistances[3] = c.armour, c.resist
		v.Toughness, v.HasToughness = c.toughness, c.toughness != none
		r := Rules{Formula: c.formula}
		luck := stream(t, c.draws...)
		got := r.Melee(&a, &v, luck)
		if want := (AttackResult{Damage: c.want, Type: 3, Critical: c.wantCritical, Hit: true}); got != want {
			t.Errorf("%s: %+v, want %+v", c.rule, got, want)
		}
		again := stream(t, c.draws...)
		for _, d := range c.draws {
			again.Between(d[0], d[1])
		}
		if *luck != *again {
			t.Errorf("%s: draws other than %v were made", c.rule, c.draws)
		}
	}
}

// docs/wire/rcce.md 6.3: a missed attack has damage -1 and damage type 0, and draws no further random numbers.
func TestMissedAttackHasDamageMinusOneAndDamageTypeZero(t *testing.T) {
	a, v := pair()
	a.Weapon = &Weapon{Damage: 20, Type: 3, Kind: OneHanded}
	for _, f := range []Formula{Normal, NoStrength, Multiplied} {
		luck := stream(t, [3]int32{1, 100, 10})
		one := *luck
		one.Between(1, 100)
		if got := (&Rules{Formula: f}).Melee(&a, &v, luck); got != (AttackResult{Damage: -1}) || *luck != one {
			t.Errorf("formula %d: %+v", f, got)
		}
		if got := (&Rules{Formula: f}).Melee(&a, &v, stream(t, [3]int32{1, 100, 11})); !got.Hit {
			t.Errorf("formula %d: a roll of 11 missed", f)
		}
	}
}

// docs/wire/rcce.md 6.3: an attack has the damage type, 0..19, of the weapon. Without a weapon, or with a broken weapon, it has
// the damage type of bare hands.
func TestMeleeDamageTypeIsTypeOfWeaponOrBareHands(t *testing.T) {
	for _, c := range []struct {
		rule   string
		weapon *Weapon
		health uint8
		want   uint8
	}{
		{"weapon", &Weapon{Type: 7, Kind: TwoHanded}, 1, 7},
		{"broken weapon", &Weapon{Type: 7, Kind: TwoHanded}, 0, 5},
		{"bare hands", nil, 100, 5},
		{"a type unknown to clients", &Weapon{Type: 20, Kind: OneHanded}, 100, 0},
	} {
		a, v := pair()
		a.Weapon, a.WeaponHealth, a.Unarmed = c.weapon, c.health, 5
		r := DefaultRules()
		if got := r.Melee(&a, &v, stream(t, hits())); got.Type != c.want {
			t.Errorf("%s: type %d, want %d", c.rule, got.Type, c.want)
		}
	}
}

// docs/wire/rcce.md 6.4: strength, toughness and critical hits do not affect shots. A shot hits if the roll is at most
// HitChance.
func TestShotUsesDamageAndHitChanceOfProjectile(t *testing.T) {
	p := &Projectile{HitChance: 80, Damage: 12, Type: 4}
	a, v := pair()
	a.Weapon, a.Strength = bow(), 500
	v.Armour, v.Resistances[4], v.Toughness, v.HasToughness = 3, 104, 800, true
	r := DefaultRules()
	for _, c := range []struct {
		rule  string
		draws [][3]int32
		want  AttackResult
	}{
		{"12 + 5 - 7", [][3]int32{{1, 100, 80}, spread5(5)}, AttackResult{Damage: 10, Type: 4, Hit: true}},
		{"at least 1", [][3]int32{{1, 100, 1}, spread5(-5)}, AttackResult{Damage: 1, Type: 4, Hit: true}},
		{"a roll above the chance misses", [][3]int32{{1, 100, 81}}, AttackResult{Damage: -1}},
	} {
		luck, again := stream(t, c.draws...), stream(t, c.draws...)
		if got := r.Shoot(&a, &v, p, luck); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.rule, got, c.want)
		}
		for _, d := range c.draws {
			again.Between(d[0], d[1])
		}
		if *luck != *again {
			t.Errorf("%s: draws other than %v were made", c.rule, c.draws)
		}
	}
	if got := r.Shoot(&a, &v, nil, rng.New(1)); got != (AttackResult{Damage: -1}) {
		t.Errorf("without a projectile: %+v", got)
	}
}

// rate calls f n times and fails the test if the share of true results differs from share by more than five standard
// deviations.
func rate(t *testing.T, what string, n int, share float64, f func() bool) {
	t.Helper()
	count := 0
	for range n {
		if f() {
			count++
		}
	}
	mean, sigma := float64(n)*share, math.Sqrt(float64(n)*share*(1-share))
	if math.Abs(float64(count)-mean) > 5*sigma {
		t.Errorf("%s: %d of %d, want %.0f give or take %.0f", what, count, n, mean, 5*sigma)
	}
}

// Specification P_AttackActor: 90 % hit, 1 in 10 of the hits critical; docs/wire/rcce.md 6.4: HitChance percent.
func TestNineOfTenAttacksHitAndOneOfTenHitsIsCritical(t *testing.T) {
	const n = 100_000
	a, v := pair()
	a.Weapon = &Weapon{Damage: 20, Kind: OneHanded}
	for _, f := range []Formula{Normal, NoStrength, Multiplied} {
		r, luck := Rules{Formula: f}, rng.New(uint64(f))
		rate(t, "hits", n, 0.90, func() bool { return r.Melee(&a, &v, luck).Hit })
		rate(t, "criticals", n, 0.09, func() bool { return r.Melee(&a, &v, luck).Critical })
	}
	r, luck := DefaultRules(), rng.New(9)
	for _, chance := range []int32{1, 35, 80, 100} {
		p := &Projectile{HitChance: chance}
		rate(t, "projectile hits", n, float64(chance)/100, func() bool { return r.Shoot(&a, &v, p, luck).Hit })
	}
}

// anyFighter has arbitrary attributes, far beyond the limits of records and world files.
func anyFighter(t *rapid.T, name string) *Fighter {
	num := rapid.OneOf(rapid.Int32(), rapid.Int32Range(0, 65535), rapid.SampledFrom([]int32{math.MinInt32, math.MaxInt32, 0}))
	f := &Fighter{
		Strength: num.Draw(t, name+" strength"), Toughness: num.Draw(t, name+" toughness"),
		HasToughness: rapid.Bool().Draw(t, name+" has toughness"), Armour: num.Draw(t, name+" armour"),
		Level: num.Draw(t, name+" level"), Health: num.Draw(t, name+" health"),
		Unarmed: rapid.Byte().Draw(t, name+" unarmed"), WeaponHealth: rapid.Byte().Draw(t, name+" weapon health"),
		HomeFaction: rapid.Byte().Draw(t, name+" faction"), Temper: Aggressiveness(rapid.Byte().Draw(t, name+" temper")),
		Radius: rapid.Float32().Draw(t, name+" radius"),
	}
	f.Pos.X, f.Pos.Y = rapid.Float32().Draw(t, name+" x"), rapid.Float32().Draw(t, name+" y")
	if rapid.Bool().Draw(t, name+" resists") {
		f.Resistances = new([DamageTypes]int32)
		for i := range f.Resistances {
			f.Resistances[i] = num.Draw(t, name+" resistance")
		}
	}
	if rapid.Bool().Draw(t, name+" armed") {
		f.Weapon = &Weapon{Damage: num.Draw(t, name+" damage"), Type: rapid.Byte().Draw(t, name+" type"),
			Kind: WeaponKind(rapid.ByteRange(0, 4).Draw(t, name+" kind"))}
	}
	return f
}

// docs/wire/rcce.md 8, examples V15 to V18: no attack causes damage for which damage plus 1 exceeds a signed 16-bit
// number.
func TestDamageFitsPacketFieldForAnyAttributes(t *testing.T) {
	program, err := NewProgram("", []Instr{{Op: OpInput, Input: InAttackerStrength}, {Op: OpInput, Input: InDistance}, {Op: OpMul}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, v := anyFighter(t, "attacker"), anyFighter(t, "victim")
		r := Rules{Formula: Formula(rapid.ByteRange(0, 5).Draw(t, "formula")), Program: program, MeleeReach: 7}
		luck := rng.New(rapid.Uint64().Draw(t, "seed"))
		p := &Projectile{HitChance: rapid.Int32().Draw(t, "chance"), Damage: rapid.Int32().Draw(t, "damage"), Type: rapid.Byte().Draw(t, "type")}
		r.CheckAttack(a, v)
		for _, b := range []AttackResult{r.Melee(a, v, luck), r.Shoot(a, v, p, luck), r.Shoot(a, v, nil, luck)} {
			switch {
			case b.Hit && (b.Damage < 1 || b.Damage > 32766), !b.Hit && b != (AttackResult{Damage: -1}), b.Type > 19:
				t.Fatalf("%+v", b)
			}
		}
	})
}

func BenchmarkMelee(b *testing.B) {
	a, v := pair()
	a.Weapon, a.Strength = &Weapon{Damage: 20, Kind: OneHanded}, 30
	r, luck := DefaultRules(), rng.New(1)
	b.ReportAllocs()
	for b.Loop() {
		r.Melee(&a, &v, luck)
	}
}

package combat

import (
	"errors"
	"fmt"
	"math"
)

// Input identifies a variable that a damage program can read, such as the attacker's strength. Damage programs are used if the world's
// damage formula is Script. InputNames returns the names of the variables.
type Input uint8

// Values of Input. An input that is a condition is 1 if the condition is true, else 0.
const (
	InAttackerStrength Input = iota // value of the attacker's strength attribute
	InAttackerToughness
	InAttackerLevel
	InAttackerHealth
	InAttackerArmour
	InAttackerPlayer // 1 if the attacker is a player, else 0
	InVictimStrength
	InVictimToughness
	InVictimLevel
	InVictimHealth
	InVictimArmour
	InVictimPlayer     // 1 if the victim is a player, else 0
	InArmed            // 1 if the attacker holds an unbroken weapon, else 0
	InRanged           // 1 if the attacker holds a ranged weapon, else 0
	InWeaponDamage     // damage of the attacker's weapon in points; 0 for bare hands
	InProjectileDamage // damage of the projectile in points; 0 without a projectile
	InHitChance        // percent hit chance of the projectile; 100 without one
	InResistance       // percent resistance of the victim to the attack's damage type, 100 is neutral
	InDistance         // distance between attacker and victim in world units; a height difference counts one fifth
	InReach            // maximum distance of an attack by formulas 1 to 3, world units
	InRoll             // random number 1..100, new for each attack
	InRoll2            // random number 1..100, independent of InRoll
	InRoll3            // random number 1..100, independent of InRoll and InRoll2
	Inputs             // number of inputs of a program
)

// InputNames returns the names that the inputs have in the text of a damage formula, indexed by Input.
func InputNames() [Inputs]string {
	return [Inputs]string{
		InAttackerStrength: "attacker_strength", InAttackerToughness: "attacker_toughness",
		InAttackerLevel: "attacker_level", InAttackerHealth: "attacker_health",
		InAttackerArmour: "attacker_armour", InAttackerPlayer: "attacker_player",
		InVictimStrength: "victim_strength", InVictimToughness: "victim_toughness",
		InVictimLevel: "victim_level", InVictimHealth: "victim_health",
		InVictimArmour: "victim_armour", InVictimPlayer: "victim_player",
		InArmed: "armed", InRanged: "ranged",
		InWeaponDamage: "weapon_damage", InProjectileDamage: "projectile_damage",
		InHitChance: "hit_chance", InResistance: "resistance",
		InDistance: "distance", InReach: "reach",
		InRoll: "roll", InRoll2: "roll2", InRoll3: "roll3",
	}
}

// Condition reports whether the input is a condition, which is 1 or 0, and not a quantity.
func (i Input) Condition() bool {
	switch i {
	case InAttackerPlayer, InVictimPlayer, InArmed, InRanged:
		return true
	}
	return false
}

// Limits of a compiled damage formula.
const (
	MaxProgram = 400 // maximum instructions of a program: twice the nodes that a formula may have
	stackSize  = 72  // maximum numbers on the stack: two for each of 32 nested expressions, and 8 in reserve
)

// Op says what one instruction of a damage formula computes. An instruction takes its arguments from a stack and puts its result
// there.
type Op uint8

// Values of Op. x, y and z are the arguments in the order in which they were pushed. As a condition, 0 is false and any other
// number is true. Comparisons push 1 or 0.
const (
	OpNumber  Op = iota // pushes Instr.Number
	OpInput             // pushes the value of Instr.Input
	OpNegate            // replaces x by -x
	OpNot               // replaces x by 1 if x is 0, else by 0
	OpAbs               // replaces x by |x|
	OpFloor             // largest whole number not above x
	OpCeil              // smallest whole number not below x
	OpAdd               // x + y
	OpSub               // x - y
	OpMul               // x * y
	OpDiv               // x / y
	OpMod               // remainder of x / y, with the sign of x
	OpLess              // x < y
	OpAtMost            // x <= y
	OpMore              // x > y
	OpAtLeast           // x >= y
	OpEqual             // x = y
	OpDiffers           // x != y
	OpAnd               // 1 if x and y are true, else 0
	OpOr                // 1 if x or y is true, else 0
	OpMin               // the smaller of x and y
	OpMax               // the larger of x and y
	OpChoose            // y if x is true, else z
	OpClamp             // x clamped to y..z
	opCount
)

// arity returns the number of arguments that an operation pops from the stack.
func (op Op) arity() int {
	switch {
	case op <= OpInput:
		return 0
	case op <= OpCeil:
		return 1
	case op <= OpMax:
		return 2
	}
	return 3
}

// Instr is one instruction of a damage formula that was compiled for a stack machine.
type Instr struct {
	Op     Op
	Input  Input   // input pushed by OpInput
	Number float64 // constant pushed by OpNumber
}

// Program is a compiled damage formula: instructions for a stack machine. There are no jumps, so the time that a formula takes
// depends only on its length. It is plain, immutable data that all areas share; a formula compiled to Go closures would need
// memory on the heap, or variables shared between areas. Create a Program with NewProgram.
type Program struct {
	source string // text of the formula
	code   []Instr
}

// ErrProgram is the error that every error of NewProgram wraps.
var ErrProgram = errors.New("invalid compiled damage formula")

// NewProgram checks the instructions and returns the program, which retains the slice code. A program that NewProgram has
// accepted never panics and never exceeds its stack. The parameter source is the text that String returns.
func NewProgram(source string, code []Instr) (*Program, error) {
	if len(code) > MaxProgram {
		return nil, fmt.Errorf("%w: the program has %d instructions, at most %d are allowed", ErrProgram, len(code), MaxProgram)
	}
	depth := 0
	for i, in := range code {
		if in.Op >= opCount || in.Op == OpInput && in.Input >= Inputs {
			return nil, fmt.Errorf("%w: instruction %d has an unknown operation or input: operation %d, input %d", ErrProgram, i, in.Op, in.Input)
		}
		if depth < in.Op.arity() {
			return nil, fmt.Errorf("%w: instruction %d has fewer arguments on the stack than its operation needs", ErrProgram, i)
		}
		depth += 1 - in.Op.arity()
		if depth > stackSize {
			return nil, fmt.Errorf("%w: at instruction %d more than %d numbers are on the stack", ErrProgram, i, stackSize)
		}
	}
	if depth != 1 {
		return nil, fmt.Errorf("%w: the program leaves %d numbers on the stack, but must leave exactly 1", ErrProgram, depth)
	}
	return &Program{source: source, code: code}, nil
}

// String returns the text from which the formula was compiled.
func (p *Program) String() string { return p.source }

// Run evaluates the formula. The result may be any float64, including NaN and infinities. It does not allocate.
func (p *Program) Run(in *[Inputs]float64) float64 {
	var stack [stackSize + 1]float64 // stack[0] is unused
	top := 0
	for i := range p.code {
		c := &p.code[i]
		switch c.Op.arity() {
		case 0:
			top++
			if c.Op == OpInput {
				stack[top] = in[c.Input]
			} else {
				stack[top] = c.Number
			}
		case 1:
			stack[top] = unary(c.Op, stack[top])
		case 2:
			top--
			stack[top] = binary(c.Op, stack[top], stack[top+1])
		default:
			top -= 2
			stack[top] = ternary(c.Op, stack[top], stack[top+1], stack[top+2])
		}
	}
	return stack[top]
}

func unary(op Op, x float64) float64 {
	switch op {
	case OpNegate:
		return -x
	case OpNot:
		return boolToFloat(x == 0)
	case OpAbs:
		return math.Abs(x)
	case OpFloor:
		return math.Floor(x)
	}
	return math.Ceil(x)
}

func binary(op Op, x, y float64) float64 {
	switch op {
	case OpAdd:
		return x + y
	case OpSub:
		return x - y
	case OpMul:
		return float64(x * y)
	case OpDiv:
		return x / y
	case OpMod:
		return math.Mod(x, y)
	case OpMin:
		return min(x, y)
	case OpMax:
		return max(x, y)
	}
	return boolToFloat(compare(op, x, y))
}

func compare(op Op, x, y float64) bool {
	switch op {
	case OpLess:
		return x < y
	case OpAtMost:
		return x <= y
	case OpMore:
		return x > y
	case OpAtLeast:
		return x >= y
	case OpEqual:
		return x == y
	case OpDiffers:
		return x != y
	case OpAnd:
		return x != 0 && y != 0
	}
	return x != 0 || y != 0
}

func ternary(op Op, x, y, z float64) float64 {
	if op == OpClamp {
		return min(max(x, y), z)
	}
	if x != 0 {
		return y
	}
	return z
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// GameRuleKind is the type of a game rule's value.
type GameRuleKind uint32

// Values of GameRuleKind: the type of a game rule's value.
const (
	RuleBool  GameRuleKind = 1 // the rule is on or off
	RuleInt   GameRuleKind = 2 // the rule is an integer
	RuleFloat GameRuleKind = 3 // the rule is a float
)

// GameRule is a setting of the world, such as "naturalregeneration".
//
//	size  field     encoding         range
//	      Name      str              lower case
//	1     Editable  bool             players with permission may change it
//	      Kind      varu32           1 bool, 2 int, 3 float
//	1, 4  value     bool, i32 or f32
//
// Source: docs/wire/bedrock.md, StartGame.
type GameRule struct {
	Name     string       // name in lower case
	Editable bool         // players with permission may change the rule
	Kind     GameRuleKind // type of the value, which selects Bool, Int or Float
	Bool     bool         // value of RuleBool
	Int      int32        // value of RuleInt
	Float    float32      // value of RuleFloat
}

func readGameRule(r *wire.Reader) GameRule {
	g := GameRule{Name: r.VarStr(), Editable: r.Bool(), Kind: GameRuleKind(r.VarU32())}
	switch g.Kind {
	case RuleBool:
		g.Bool = r.Bool()
	case RuleInt:
		g.Int = r.I32()
	case RuleFloat:
		g.Float = r.F32()
	default:
		r.CheckRange(false, "kind of a game rule")
	}
	return g
}

func appendGameRule(b []byte, g GameRule) []byte {
	b = wire.VarU32(wire.Bool(wire.VarStr(b, g.Name), g.Editable), uint32(g.Kind))
	switch g.Kind {
	case RuleInt:
		return wire.I32(b, g.Int)
	case RuleFloat:
		return wire.F32(b, g.Float)
	default:
		return wire.Bool(b, g.Bool)
	}
}

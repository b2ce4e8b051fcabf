package content

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/truestep-io/truestep/sim/combat"
)

// Limits of a formula.
const (
	maxFormulaBytes = 4096
	maxFormulaNodes = 200 // maximum number of nodes of a formula: numbers, names, operators and calls
	maxFormulaDepth = 32  // maximum depth of nesting in a formula
)

// ErrFormula is the error that every error of CompileFormula wraps.
var ErrFormula = errors.New("the damage formula is not valid")

// CompileFormula compiles the damage formula of combat formula 4. A formula is one expression with a numeric result:
//
//	roll <= 10 ? -1 : max(1, (weapon_damage + attacker_strength / 4) * (roll2 > 90 ? 2 : 1) - victim_armour)
//
// It may contain numbers, the names of combat.InputNames, + - * / and % (remainder), comparisons, and, or, not, a ? b :
// c, and the functions min, max, abs, floor, ceil and clamp(x, low, high). Numbers are float64; conditions are not
// numbers. The result is truncated toward zero and limited to combat.MaxDamage. A result that is below 1, infinite (such
// as x / 0) or undefined (such as 0 / 0) is a miss. There are no loops, so the cost of a formula is its number of nodes,
// which is at most 200, in at most 32 levels and 4096 bytes.
//
// Errors wrap ErrFormula and contain line and column, both counted from 1.
func CompileFormula(source string) (*combat.Program, error) {
	if len(source) > maxFormulaBytes {
		return nil, fmt.Errorf("%w: the formula has %d bytes, at most %d are allowed", ErrFormula, len(source), maxFormulaBytes)
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, parseError(source, err)
	}
	c := formulaCompiler{source: source}
	if c.compileNode(tree.Node, 1) == aCondition {
		c.fail(tree.Node, "the result is a condition, a number is needed: write c ? 1 : 0")
	}
	if c.err != nil {
		return nil, c.err
	}
	return combat.NewProgram(source, c.code)
}

// parseError converts the multi-line error of the expression parser to a formulaError with position and message.
func parseError(source string, err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		return formulaError(source, at.From, at.Message)
	}
	return fmt.Errorf("%w: %w", ErrFormula, err)
}

// formulaError returns an error about the character with index char of the source.
func formulaError(source string, char int, message string) error {
	line, column := formulaPlace(source, char)
	return fmt.Errorf("%w: line %d, column %d: %s", ErrFormula, line, column, message)
}

// formulaPlace converts the index of a character, from 0, to a line and column, from 1.
func formulaPlace(source string, char int) (line, column int) {
	before := []rune(source)
	before = before[:min(max(char, 0), len(before))]
	text := string(before)
	return 1 + strings.Count(text, "\n"), 1 + len([]rune(text[strings.LastIndexByte(text, '\n')+1:]))
}

// formulaKind says whether the result of an expression is a number or a condition.
type formulaKind uint8

const (
	aNumber formulaKind = iota
	aCondition
)

// String returns "a number" or "a condition", for error messages.
func (k formulaKind) String() string { return [...]string{"a number", "a condition"}[k] }

// formulaCompiler traverses the syntax tree and emits the instructions in stack order. After an error it continues, but
// only the first error is reported.
type formulaCompiler struct {
	source string
	code   []combat.Instr
	nodes  int
	err    error
}

func (c *formulaCompiler) fail(n ast.Node, format string, args ...any) formulaKind {
	if c.err == nil {
		c.err = formulaError(c.source, n.Location().From, fmt.Sprintf(format, args...))
	}
	return aNumber
}

func (c *formulaCompiler) emit(op combat.Op) { c.code = append(c.code, combat.Instr{Op: op}) }

// compileNode emits the instructions of node n and returns the type of the node's result. The parameter depth is the
// nesting level of n, which is 1 for the whole formula.
func (c *formulaCompiler) compileNode(n ast.Node, depth int) formulaKind {
	c.nodes++
	switch {
	case c.err != nil:
		return aNumber
	case c.nodes > maxFormulaNodes:
		return c.fail(n, "the formula is longer than %d numbers, names and operators", maxFormulaNodes)
	case depth > maxFormulaDepth:
		return c.fail(n, "the formula is nested deeper than %d levels", maxFormulaDepth)
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return c.number(float64(n.Value))
	case *ast.FloatNode:
		return c.number(n.Value)
	case *ast.IdentifierNode:
		return c.name(n)
	case *ast.UnaryNode:
		return c.unary(n, depth)
	case *ast.BinaryNode:
		return c.binary(n, depth)
	case *ast.ConditionalNode:
		return c.compileTernary(n, depth)
	case *ast.BuiltinNode:
		return c.compileCall(n, n.Name, n.Arguments, depth)
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.compileCall(n, f.Value, n.Arguments, depth)
		}
	}
	return c.fail(n, "only numbers, names, + - * / %%, comparisons, and, or, not, a ? b : c and functions are allowed")
}

func (c *formulaCompiler) number(v float64) formulaKind {
	c.code = append(c.code, combat.Instr{Op: combat.OpNumber, Number: v})
	return aNumber
}

func (c *formulaCompiler) name(n *ast.IdentifierNode) formulaKind {
	names := combat.InputNames()
	for i, name := range names {
		if name == n.Value {
			in := combat.Input(i)
			c.code = append(c.code, combat.Instr{Op: combat.OpInput, Input: in})
			if in.Condition() {
				return aCondition
			}
			return aNumber
		}
	}
	return c.fail(n, "unknown name %q; there are %s", n.Value, strings.Join(names[:], ", "))
}

// compileTyped compiles an operand. If the type of its result is not the type want, it reports an error.
func (c *formulaCompiler) compileTyped(n ast.Node, want formulaKind, depth int) {
	if got := c.compileNode(n, depth); got != want && c.err == nil {
		c.fail(n, "this part of the formula is %s, but %s is needed", got, want)
	}
}

func (c *formulaCompiler) unary(n *ast.UnaryNode, depth int) formulaKind {
	switch n.Operator {
	case "+":
		c.compileTyped(n.Node, aNumber, depth+1)
		return aNumber
	case "-":
		c.compileTyped(n.Node, aNumber, depth+1)
		c.emit(combat.OpNegate)
		return aNumber
	case "not", "!":
		c.compileTyped(n.Node, aCondition, depth+1)
		c.emit(combat.OpNot)
		return aCondition
	}
	return c.fail(n, "operator %s is not allowed", n.Operator)
}

// formulaOperator is a binary operator with the types of its operands and result.
type formulaOperator struct {
	op          combat.Op
	takes, give formulaKind
}

func formulaOperatorOf(sign string) (formulaOperator, bool) {
	switch sign {
	case "+":
		return formulaOperator{combat.OpAdd, aNumber, aNumber}, true
	case "-":
		return formulaOperator{combat.OpSub, aNumber, aNumber}, true
	case "*":
		return formulaOperator{combat.OpMul, aNumber, aNumber}, true
	case "/":
		return formulaOperator{combat.OpDiv, aNumber, aNumber}, true
	case "%":
		return formulaOperator{combat.OpMod, aNumber, aNumber}, true
	case "<":
		return formulaOperator{combat.OpLess, aNumber, aCondition}, true
	case "<=":
		return formulaOperator{combat.OpAtMost, aNumber, aCondition}, true
	case ">":
		return formulaOperator{combat.OpMore, aNumber, aCondition}, true
	case ">=":
		return formulaOperator{combat.OpAtLeast, aNumber, aCondition}, true
	case "==":
		return formulaOperator{combat.OpEqual, aNumber, aCondition}, true
	case "!=":
		return formulaOperator{combat.OpDiffers, aNumber, aCondition}, true
	case "and", "&&":
		return formulaOperator{combat.OpAnd, aCondition, aCondition}, true
	case "or", "||":
		return formulaOperator{combat.OpOr, aCondition, aCondition}, true
	}
	return formulaOperator{}, false
}

func (c *formulaCompiler) binary(n *ast.BinaryNode, depth int) formulaKind {
	o, ok := formulaOperatorOf(n.Operator)
	if !ok {
		return c.fail(n, "operator %s is not allowed; there are + - * / %% < <= > >= == != and or", n.Operator)
	}
	c.compileTyped(n.Left, o.takes, depth) // same depth: a + b + c needs no more depth than a + b, because the left operand is evaluated first
	c.compileTyped(n.Right, o.takes, depth+1)
	c.emit(o.op)
	return o.give
}

// compileTernary compiles a ? b : c. The program always evaluates both branches, which is safe because expressions cannot
// fail and have no side effects.
func (c *formulaCompiler) compileTernary(n *ast.ConditionalNode, depth int) formulaKind {
	c.compileTyped(n.Cond, aCondition, depth+1)
	give := c.compileNode(n.Exp1, depth+1)
	c.compileTyped(n.Exp2, give, depth+1)
	c.emit(combat.OpChoose)
	return give
}

// compileCall compiles a function call. min and max take two or more arguments.
func (c *formulaCompiler) compileCall(n ast.Node, name string, args []ast.Node, depth int) formulaKind {
	least, maximum, op := 1, 1, combat.OpAbs
	switch name {
	case "abs":
	case "floor":
		op = combat.OpFloor
	case "ceil":
		op = combat.OpCeil
	case "min":
		least, maximum, op = 2, math.MaxInt, combat.OpMin
	case "max":
		least, maximum, op = 2, math.MaxInt, combat.OpMax
	case "clamp":
		least, maximum, op = 3, 3, combat.OpClamp
	default:
		return c.fail(n, "unknown function %s; there are min, max, abs, floor, ceil and clamp", name)
	}
	if len(args) < least || len(args) > maximum {
		return c.fail(n, "%s takes %s, not %d", name, formulaArity(least, maximum), len(args))
	}
	for i, arg := range args {
		c.compileTyped(arg, aNumber, depth+1)
		if maximum == math.MaxInt && i > 0 {
			c.emit(op)
		}
	}
	if maximum != math.MaxInt {
		c.emit(op)
	}
	return aNumber
}

func formulaArity(least, maximum int) string {
	switch {
	case maximum > least:
		return fmt.Sprintf("%d or more arguments", least)
	case least == 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", least)
}

package bedrock

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// ItemStackRequest requests changes of item stacks, inside a PlayerAuthInput. Most requests report the wear of a tool
// that breaks a block. ParsePlayerAuthInput validates the actions and keeps them as bytes; Truestep does not apply them
// to an inventory.
//
//	size  field    encoding  range
//	      ID       var32     echoed in the answer
//	      Actions  list      {varu32 kind 0..17, u8 legacy kind, body depends on kind}
//	      Names    list str  new names of items
//	4     Cause    i32       reason for filtering the names
//
// Source: docs/wire/bedrock.md, PlayerAuthInput.
type ItemStackRequest struct {
	ID      int32         // number that the answer repeats
	Actions []StackAction // steps of the request, in order
	Names   []string      // new names of items
	Cause   int32         // reason for filtering the names
}

// StackAction is one step of an ItemStackRequest, such as moving or crafting items.
type StackAction struct {
	Kind   StackActionKind // what the step does, for example StackTake
	Legacy uint8           // kind in an older numbering, not validated
	Body   []byte          // body of the action, borrowed after parsing; nil if the kind has no body
}

// StackActionKind is the type of a StackAction.
type StackActionKind uint32

// Values of StackActionKind: the actions of an ItemStackRequest.
const (
	StackTake              StackActionKind = 0  // move items from a slot to the cursor
	StackPlace             StackActionKind = 1  // move items from the cursor or a slot into a slot
	StackSwap              StackActionKind = 2  // exchange the contents of two slots
	StackDrop              StackActionKind = 3  // drop items on the ground
	StackDestroy           StackActionKind = 4  // delete items, in creative mode
	StackConsume           StackActionKind = 5  // use up the ingredients of a recipe
	StackCreate            StackActionKind = 6  // create an item of a recipe with several results
	StackLabTableCombine   StackActionKind = 7  // combine items at a lab table
	StackBeaconPayment     StackActionKind = 8  // pay a beacon for its effects
	StackMineBlock         StackActionKind = 9  // report the wear of the tool that breaks a block
	StackCraftRecipe       StackActionKind = 10 // craft by a recipe of the server
	StackCraftRecipeAuto   StackActionKind = 11 // craft by the recipe book, which finds the ingredients itself
	StackCraftCreative     StackActionKind = 12 // take an item from the creative inventory
	StackCraftOptional     StackActionKind = 13 // rename an item, or use an anvil or a cartography table
	StackCraftGrindstone   StackActionKind = 14 // remove enchantments with a grindstone
	StackCraftLoom         StackActionKind = 15 // apply a pattern to a banner with a loom
	StackNotImplemented    StackActionKind = 16 // a recipe for which the client has no other action
	StackResultsDeprecated StackActionKind = 17 // results that the client expects from a recipe
)

// Letters of the table stackBodies. Each stands for the type of a field.
const (
	bodyU8          = 'b'
	bodyBool        = 't'
	bodyI32         = 'i'
	bodyVarU32      = 'v'
	bodyVar32       = 'z'
	bodyText        = 'x'
	bodySlot        = 's' // u8 container, opt u32 dynamic container, u8 slot, i32 stack id
	bodyIngredients = 'r' // list of ingredients of an automatic recipe
	bodyResults     = 'd' // list of crafted items
)

// stackBodies describes the body of each kind of StackAction. Each letter stands for one field, in the order on the wire, and
// names the field's type.
var stackBodies = [...]string{
	StackTake:              "bss",
	StackPlace:             "bss",
	StackSwap:              "ss",
	StackDrop:              "bst",
	StackDestroy:           "bs",
	StackConsume:           "bs",
	StackCreate:            "b",
	StackLabTableCombine:   "",
	StackBeaconPayment:     "zz",
	StackMineBlock:         "zzi", // fields: hotbar slot, predicted durability and stack id
	StackCraftRecipe:       "vb",
	StackCraftRecipeAuto:   "vbr",
	StackCraftCreative:     "vb",
	StackCraftOptional:     "vi",
	StackCraftGrindstone:   "ibz",
	StackCraftLoom:         "xb",
	StackNotImplemented:    "",
	StackResultsDeprecated: "db",
}

// Maximum and minimum sizes of the parts of an ItemStackRequest.
const (
	maxStackActions  = 128 // maximum number of actions; chosen well above the few dozen that crafting by the recipe book needs
	minStackAction   = 2   // bytes of the shortest action: kind and legacy kind
	maxStackNames    = 16  // maximum number of names; chosen well above 1, the number that an anvil sends
	maxStackName     = 512 // maximum bytes of a name; chosen without measurements
	maxStackElements = 64  // maximum number of ingredients or results
	minStackElement  = 4   // bytes of the shortest element: type, legacy type and a count
)

func readItemStackRequest(r *wire.Reader, input []byte) *ItemStackRequest {
	q := &ItemStackRequest{ID: r.VarI32()}
	if n := r.VarCount(minStackAction, maxStackActions); n > 0 {
		q.Actions = make([]StackAction, n)
	}
	for i := 0; i < len(q.Actions) && r.Err() == nil; i++ {
		q.Actions[i] = readStackAction(r, input)
	}
	if n := r.VarCount(1, maxStackNames); n > 0 {
		q.Names = make([]string, n)
	}
	for i := range q.Names {
		q.Names[i] = r.VarStrMax(maxStackName)
	}
	q.Cause = r.I32()
	return q
}

func appendItemStackRequest(b []byte, q *ItemStackRequest) []byte {
	b = wire.VarU32(wire.VarI32(b, q.ID), uint32(len(q.Actions)))
	for _, a := range q.Actions {
		b = append(append(wire.VarU32(b, uint32(a.Kind)), a.Legacy), a.Body...)
	}
	b = wire.VarU32(b, uint32(len(q.Names)))
	for _, name := range q.Names {
		b = wire.VarStr(b, name)
	}
	return wire.I32(b, q.Cause)
}

func readStackAction(r *wire.Reader, input []byte) StackAction {
	a := StackAction{Kind: StackActionKind(r.VarU32()), Legacy: r.U8()}
	if int64(a.Kind) >= int64(len(stackBodies)) {
		r.Fail(fmt.Errorf("unknown kind %d of an item stack action: %w", a.Kind, wire.ErrRange))
		return StackAction{}
	}
	from := r.Offset()
	for _, field := range []byte(stackBodies[a.Kind]) {
		skipStackField(r, field)
	}
	if to := r.Offset(); to > from && r.Err() == nil {
		a.Body = input[from:to:to]
	}
	return a
}

func skipStackField(r *wire.Reader, field byte) {
	switch field {
	case bodyU8:
		r.U8()
	case bodyBool:
		r.Bool()
	case bodyI32:
		r.I32()
	case bodyVarU32:
		r.VarU32()
	case bodyVar32:
		r.VarI32()
	case bodyText:
		r.VarBytes()
	case bodySlot:
		skipStackSlot(r)
	case bodyIngredients:
		for n := r.VarCount(minStackElement, maxStackElements); n > 0 && r.Err() == nil; n-- {
			skipIngredient(r)
		}
	case bodyResults:
		for n := r.VarCount(minStackElement, maxStackElements); n > 0 && r.Err() == nil; n-- {
			skipResult(r)
		}
	}
}

func skipStackSlot(r *wire.Reader) {
	readContainerName(r)
	r.U8()
	r.I32()
}

// skipIngredient reads past an ingredient of a crafting action. Its fields are a varu32 type (0 none, 1 name, 2 expression, 3
// tag), a u8 legacy type, the fields that belong to the type, and a u16 count.
func skipIngredient(r *wire.Reader) {
	kind := r.VarU32()
	r.U8()
	switch kind {
	case 0:
	case 1:
		r.VarBytes()
		r.VarI32()
	case 2:
		r.VarBytes()
		r.U16()
	case 3:
		r.VarBytes()
	default:
		r.Fail(fmt.Errorf("unknown type %d of a recipe ingredient: %w", kind, wire.ErrRange))
	}
	r.U16()
}

// skipResult reads past a result of a crafting action. Its fields are a varu32 type (0 none, 1 name), a u8 legacy type, for
// type 1 a str and a var32 metadata, an i16 count, a varu32 block id, and the bytes of the item's field Extra.
func skipResult(r *wire.Reader) {
	kind := r.VarU32()
	r.U8()
	r.CheckRange(kind <= 1, "type of a crafting result")
	if kind == 1 {
		r.VarBytes()
		r.VarI32()
	}
	r.U16()
	r.VarU32()
	r.VarBytes()
}

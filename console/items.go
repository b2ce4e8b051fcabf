package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// nameOrID names an item, an area or another element of the world in a request. In JSON it is a number, which is an id,
// or a string, which is a name or an id.
type nameOrID string

// UnmarshalJSON implements json.Unmarshaler. It accepts a JSON string or a JSON number.
func (n *nameOrID) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*n = nameOrID(strings.TrimSpace(text))
		return nil
	}
	if _, err := strconv.ParseUint(string(bytes.TrimSpace(b)), 10, 16); err != nil {
		return &json.UnmarshalTypeError{Value: string(b[:min(len(b), 20)]), Type: reflect.TypeFor[nameOrID]()}
	}
	*n = nameOrID(bytes.TrimSpace(b))
	return nil
}

// choice is an item, attribute or other element of the world that a nameOrID may select.
type choice struct {
	id    int      // id of the element
	names []string // names of the element
}

// pick returns the index of the element of choices that n selects: the one whose name equals n, ignoring case, or else the one
// whose id equals n. Names come first, because a world may have an item named "7". It is an error if no element matches or
// several do. The parameters field and kind are for the text of the error: the name of the request field, and a noun such as "an
// item".
func (n nameOrID) pick(field, kind string, choices []choice) (int, error) {
	if n == "" {
		return 0, badRequest("%q is missing: the name or the number of %s", field, kind)
	}
	var found []int
	for i := range choices {
		for _, name := range choices[i].names {
			if name != "" && strings.EqualFold(name, string(n)) {
				found = append(found, i)
				break
			}
		}
	}
	if len(found) == 0 {
		for i := range choices {
			if strconv.Itoa(choices[i].id) == string(n) {
				found = append(found, i)
			}
		}
	}
	switch len(found) {
	case 0:
		return 0, badRequest("%q: this world has no %s %.100q", field, strings.TrimPrefix(strings.TrimPrefix(kind, "an "), "a "), string(n))
	case 1:
		return found[0], nil
	}
	var ids []string
	for _, i := range found[:min(len(found), 10)] {
		ids = append(ids, strconv.Itoa(choices[i].id))
	}
	return 0, badRequest("%q: the name %.100q is used %d times in this world: give one of the numbers %s", field, string(n), len(found), strings.Join(ids, ", "))
}

// findItem returns the item of the world that n names. The parameter field is the name of the request field, for errors.
func (c *Console) findItem(field string, n nameOrID) (*sim.Item, error) {
	items := c.World.Def().Items
	choices := make([]choice, len(items))
	for i := range items {
		choices[i] = choice{int(items[i].ID), []string{items[i].Name}}
	}
	i, err := n.pick(field, "an item", choices)
	if err != nil {
		return nil, err
	}
	return &items[i], nil
}

// amountText returns a number of items as text for the audit log, such as "3 Bread".
func amountText(amount uint16, item *sim.Item) string { return fmt.Sprintf("%d %s", amount, item.Name) }

// give handles POST /players/{entity}/give. It gives a player a number of items of one kind.
func (k *call) give() (any, error) {
	var body struct {
		Item   nameOrID `json:"item"`   // name or id of the item
		Amount *uint16  `json:"amount"` // number of items; null for 1
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	item, err := k.findItem("item", body.Item)
	if err != nil {
		return nil, err
	}
	amount := uint16(1)
	if body.Amount != nil {
		amount = *body.Amount
	}
	if amount == 0 {
		return nil, badRequest(`"amount" must be 1..65535`)
	}
	k.entry.Detail = amountText(amount, item)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.Hub.Give(p.Entity, item.ID, amount)
}

// take handles POST /players/{entity}/take. It takes items of one kind from a player.
func (k *call) take() (any, error) {
	var body struct {
		Item   nameOrID `json:"item"`   // name or id of the item
		Amount *uint16  `json:"amount"` // number of items; null for 1
		All    bool     `json:"all"`    // take all items of that kind
		Slot   *int     `json:"slot"`   // inventory slot to take from; null for any slot
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	item, err := k.findItem("item", body.Item)
	if err != nil {
		return nil, err
	}
	amount := uint16(1)
	switch {
	case body.All && body.Amount != nil:
		return nil, badRequest(`"all" and "amount" exclude each other`)
	case body.All:
		amount = 0
	case body.Amount != nil:
		if amount = *body.Amount; amount == 0 {
			return nil, badRequest(`"amount" must be 1..65535; "all" takes all`)
		}
	}
	slot := uint8(sim.AnySlot)
	if body.Slot != nil {
		if *body.Slot < 0 || *body.Slot >= sim.SlotCount {
			return nil, badRequest(`"slot" must be 0..%d`, sim.SlotCount-1)
		}
		slot = uint8(*body.Slot)
	}
	k.entry.Detail = amountText(amount, item)
	if amount == 0 {
		k.entry.Detail = "all " + item.Name
	}
	if body.Slot != nil {
		k.entry.Detail += fmt.Sprintf(" in slot %d", slot)
	}
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.Hub.Take(p.Entity, item.ID, amount, slot)
}

// attributeChoices returns the attributes of the world that have a name.
func attributeChoices(w *sim.World) []choice {
	var list []choice
	for i := range w.Attributes {
		if w.Attributes[i].Name != "" {
			list = append(list, choice{i, []string{w.Attributes[i].Name}})
		}
	}
	return list
}

// setAttribute handles POST /players/{entity}/attribute. It sets the value or the maximum of a player's attribute, or
// both.
func (k *call) setAttribute() (any, error) {
	var body struct {
		Attribute nameOrID `json:"attribute"` // name or index of the attribute
		Value     *int32   `json:"value"`     // new value; null leaves it as it is
		Max       *int32   `json:"max"`       // new maximum; null leaves it as it is
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	w := k.World.Def()
	choices := attributeChoices(w)
	i, err := body.Attribute.pick("attribute", "an attribute", choices)
	if err != nil {
		return nil, err
	}
	index := choices[i].id
	value, maximum := int32(-1), int32(-1)
	var parts []string
	for _, f := range []struct {
		name string
		from *int32
		to   *int32
	}{{"value", body.Value, &value}, {"max", body.Max, &maximum}} {
		if f.from == nil {
			continue
		}
		if *f.from < 0 || *f.from > sim.MaxAttribute {
			return nil, badRequest("%q must be 0..%d", f.name, sim.MaxAttribute)
		}
		*f.to = *f.from
		parts = append(parts, fmt.Sprintf("%s %d", f.name, *f.from))
	}
	if len(parts) == 0 {
		return nil, badRequest(`"value" or "max" is required`)
	}
	k.entry.Detail = w.Attributes[index].Name + ": " + strings.Join(parts, ", ")
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	record, err := k.Hub.Record(k.r.Context(), p.Entity)
	if err != nil {
		return nil, err
	}
	err = k.Hub.SetAttribute(p.Entity, uint8(index), value, maximum)
	if err == session.ErrInvalid {
		err = attributeError(w, record.Template, index, record.Attr[index])
	}
	return okBody{true}, err
}

// attributeError returns the error response to a request whose value for an attribute the area has refused. Its text has the
// allowed range. The parameter has is the attribute as it is at present.
func attributeError(w *sim.World, template uint16, index int, has combat.Attribute) error {
	t := w.Template(template)
	if t == nil {
		return session.ErrInvalid
	}
	lowest, highest, _ := w.AttributeRange(t, index)
	return badRequest("%s must be %d..%d and at most its maximum, now %d; the maximum may be up to %d", w.Attributes[index].Name, lowest, highest, has.Max, sim.MaxAttribute)
}

// sheetBody is one attribute of a player in a response.
type sheetBody struct {
	Index  int    `json:"index"`  // index of the attribute in the world's list
	Name   string `json:"name"`   // name of the attribute, such as "Health"
	Value  int32  `json:"value"`  // present value
	Max    int32  `json:"max"`    // largest possible value
	Hidden bool   `json:"hidden"` // clients do not show the attribute
}

// sheetBodies returns the attributes of a character, leaving out those that have no name in the world.
func sheetBodies(w *sim.World, of *sim.Character) []sheetBody {
	list := []sheetBody{}
	for i := range w.Attributes {
		if a := &w.Attributes[i]; a.Name != "" {
			list = append(list, sheetBody{i, a.Name, of.Attr[i].Value, of.Attr[i].Max, a.Hidden})
		}
	}
	return list
}

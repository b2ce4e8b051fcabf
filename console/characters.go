package console

import (
	"encoding/json"
	"strings"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
)

// editBody is the request to change a stored character. A field that is null or missing leaves the value as it is.
type editBody struct {
	Kick       bool            `json:"kick"`       // disconnect the player first if it is in the world
	Name       *string         `json:"name"`       // new name
	Area       *string         `json:"area"`       // name of the new area; needs X, Y and Z
	X          *float32        `json:"x"`          // new position in Area: east, in world units
	Y          *float32        `json:"y"`          // height, in world units
	Z          *float32        `json:"z"`          // north, in world units
	Level      *int32          `json:"level"`      // new level
	XP         *int32          `json:"xp"`         // new experience points
	Gold       *int32          `json:"gold"`       // new amount of gold
	Reputation *int32          `json:"reputation"` // new reputation
	Attributes []attributeBody `json:"attributes"` // attributes to set
	Items      []itemBody      `json:"items"`      // inventory slots to set
	Take       []amountBody    `json:"take"`       // items to remove from any slots
	Give       []amountBody    `json:"give"`       // items to add to the backpack
}

// amountBody names a kind of item and the number of items to take or give. The items may be in any inventory slots.
type amountBody struct {
	Item   nameOrID `json:"item"`   // name or id of the item
	Amount uint16   `json:"amount"` // number of items; 0 in the list "take" takes all
}

// attributeBody sets one attribute of a stored character.
type attributeBody struct {
	Index int    `json:"index"` // index of the attribute in the world's list
	Value *int32 `json:"value"` // new value; null leaves it as it is
	Max   *int32 `json:"max"`   // new maximum; null leaves it as it is
}

// itemBody sets the content of one inventory slot of a stored character.
type itemBody struct {
	Slot   int    `json:"slot"`   // inventory slot, 0 to sim.SlotCount-1
	Item   uint16 `json:"item"`   // id of the kind of item
	Amount uint16 `json:"amount"` // number of items; 0 empties the slot
	Health uint8  `json:"health"` // condition of the item, 0 (broken) to 100
}

// change converts a request to a session.CharacterChange. The items in "take" and "give" are looked up in the running
// world. While the server is stopped there is no such world, and the request must not have these fields.
func (c *Console) change(b *editBody) (*session.CharacterChange, error) {
	x := &session.CharacterChange{Name: b.Name, Area: b.Area, Level: b.Level, XP: b.XP, Gold: b.Gold, Reputation: b.Reputation}
	if b.X != nil || b.Y != nil || b.Z != nil {
		if b.X == nil || b.Y == nil || b.Z == nil {
			return nil, badRequest(`"x", "y" and "z" must be given together`)
		}
		x.Pos = &geom.Vec{X: *b.X, Y: *b.Y, Z: *b.Z}
	}
	if b.Area != nil && x.Pos == nil {
		return nil, badRequest(`"area" needs the position in it: "x", "y" and "z"`)
	}
	for _, a := range b.Attributes {
		x.Attributes = append(x.Attributes, session.AttributeChange(a))
	}
	for _, list := range []struct {
		field string
		from  []amountBody
		to    *[]session.ItemAmount
	}{{"take", b.Take, &x.Take}, {"give", b.Give, &x.Give}} {
		for _, n := range list.from {
			if c.World == nil {
				return nil, badRequest(`"give" and "take" need a running server, whose world says which items stack: set slots with "items" instead`)
			}
			item, err := c.findItem(list.field, n.Item)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, session.ItemAmount{Item: item.ID, Amount: n.Amount})
		}
	}
	for _, i := range b.Items {
		x.Items = append(x.Items, session.ItemChange(i))
	}
	return x, nil
}

// describe returns the changed fields as text for the audit log.
func (b *editBody) describe() string {
	plain := *b
	plain.Kick = false
	text, err := json.Marshal(plain)
	if err != nil {
		return ""
	}
	var fields map[string]any
	if json.Unmarshal(text, &fields) != nil {
		return ""
	}
	var parts []string
	for _, key := range sortedKeys(fields) {
		if v := fields[key]; v != nil && v != false {
			value, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
			parts = append(parts, key+" "+string(value))
		}
	}
	return strings.Join(parts, ", ")
}

// editCharacter handles POST /accounts/{account}/characters/{character}. It changes a stored character.
func (k *call) editCharacter() (any, error) {
	var body editBody
	name, character, err := k.characterName(&body)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = body.describe()
	change, err := k.change(&body)
	if err != nil {
		return nil, err
	}
	c, err := k.keeper().EditCharacter(k.r.Context(), name, character, change, body.Kick)
	if err != nil {
		return nil, err
	}
	return k.characterBody(c)
}

// characterName returns the account and the character that the URL path names. If body is not nil, it also decodes the
// JSON of the request into body.
func (k *call) characterName(body any) (account, character string, err error) {
	if account, err = k.accountName(); err != nil {
		return "", "", err
	}
	character = k.r.PathValue("character")
	k.entry.Player = character
	if body == nil {
		return account, character, nil
	}
	return account, character, readBody(k.w, k.r, body)
}

// moveCharacter handles POST /accounts/{account}/characters/{character}/move. It moves a stored character to another
// account.
func (k *call) moveCharacter() (any, error) {
	var body struct {
		To   string `json:"to"`   // account that receives the character
		Kick bool   `json:"kick"` // disconnect the players of both accounts first
	}
	name, character, err := k.characterName(&body)
	if err != nil {
		return nil, err
	}
	to, err := parseText("to", body.To, 1, maxAccount)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = "to the account " + to
	return okBody{true}, k.keeper().MoveCharacter(k.r.Context(), name, character, to, body.Kick)
}

// deleteCharacter handles DELETE /accounts/{account}/characters/{character}. It deletes a stored character.
func (k *call) deleteCharacter() (any, error) {
	name, character, err := k.characterName(nil)
	if err != nil {
		return nil, err
	}
	kick, err := k.parseKick()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.keeper().DeleteCharacter(k.r.Context(), name, character, kick)
}

package console

import (
	"encoding/json"
	"strings"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/geom"
)

type editBody struct {
	Kick       bool            `json:"kick"`
	Name       *string         `json:"name"`
	Area       *string         `json:"area"`
	X          *float32        `json:"x"`
	Y          *float32        `json:"y"`
	Z          *float32        `json:"z"`
	Level      *int32          `json:"level"`
	XP         *int32          `json:"xp"`
	Gold       *int32          `json:"gold"`
	Reputation *int32          `json:"reputation"`
	Attributes []attributeBody `json:"attributes"`
	Items      []itemBody      `json:"items"`
	Take       []amountBody    `json:"take"`
	Give       []amountBody    `json:"give"`
}

// amountBody is a number of items of a kind, wherever they are. Amount 0 of Take means all.
type amountBody struct {
	Item   nameOrID `json:"item"`
	Amount uint16   `json:"amount"`
}

type attributeBody struct {
	Index int    `json:"index"`
	Value *int32 `json:"value"`
	Max   *int32 `json:"max"`
}

type itemBody struct {
	Slot   int    `json:"slot"`
	Item   uint16 `json:"item"`
	Amount uint16 `json:"amount"`
	Health uint8  `json:"health"`
}

// change converts the body. Names are those of the world, which an account of a stopped server has none of.
func (c *Console) change(b *editBody) (*session.CharacterChange, error) {
	x := &session.CharacterChange{Name: b.Name, Area: b.Area, Level: b.Level, XP: b.XP, Gold: b.Gold, Reputation: b.Reputation}
	if b.X != nil || b.Y != nil || b.Z != nil {
		if b.X == nil || b.Y == nil || b.Z == nil {
			return nil, badRequest(`"x", "y" and "z" belong together`)
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
				return nil, badRequest(`items are given and taken while the server runs, because its world says which of them stack: set "items" instead`)
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

// describe returns the changed fields for the audit.
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

// editCharacter handles POST /accounts/{account}/characters/{character}.
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

// characterName reads the body, and returns the account and the character in the path.
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

// moveCharacter handles POST /accounts/{account}/characters/{character}/move.
func (k *call) moveCharacter() (any, error) {
	var body struct {
		To   string `json:"to"`
		Kick bool   `json:"kick"`
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

// deleteCharacter handles DELETE /accounts/{account}/characters/{character}.
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

package adminclient

import (
	"fmt"
	"strconv"
	"strings"
)

// PlayerArgs holds the arguments that name a player in the world or a stored character.
type PlayerArgs struct {
	// Player is the name, account or entity id of a player in the world, or the account of a stored character.
	Player    string `arg:"" help:"Name, account or entity of a player in the world; or the account of one who is not."`
	Character string `help:"Which character of an account whose player is not in the world, if it has several." placeholder:"NAME"`
}

// change performs an action on the player in the world, or changes the stored character, that w names. For a player it posts the
// parameter body to /players/{entity}/ACTION, where ACTION is the parameter action. For a stored character it calls the function edit
// and posts the result. Then it prints a line: the format string done with the name of the player or character and then args as its
// arguments.
func (w *PlayerArgs) change(a *Access, to Output, action string, body any, edit func(*client) (any, error), done string, args ...any) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	p, err := c.lookUp(w.Player)
	if err != nil {
		return err
	}
	if p != nil {
		return c.act("POST", fmt.Sprintf("/players/%d/%s", p.Entity, action), body, done, append([]any{p.Name}, args...)...)
	}
	character, err := w.stored(c)
	if err != nil {
		return err
	}
	change, err := edit(c)
	if err != nil {
		return err
	}
	path := "/accounts/" + segment(w.Player) + "/characters/" + segment(character)
	return c.act("POST", path, change, done+" (stored, not in the world)", append([]any{character}, args...)...)
}

// stored returns the name of the stored character that w names. No player in the world has the name w.Player, so it must be the
// name of an account.
func (w *PlayerArgs) stored(c *client) (string, error) {
	var account struct{ Characters []struct{ Name string } }
	if err := c.ask("GET", "/accounts/"+segment(w.Player), nil, &account); err != nil {
		if e, ok := err.(*Error); ok && e.missing {
			return "", problem("%q is neither in the world nor an account; see truestep admin players and truestep account find", w.Player)
		}
		return "", err
	}
	var names []string
	for _, character := range account.Characters {
		if w.Character == "" && len(account.Characters) == 1 || strings.EqualFold(character.Name, w.Character) {
			return character.Name, nil
		}
		names = append(names, character.Name)
	}
	switch {
	case len(names) == 0:
		return "", problem("the account %s has no characters", w.Player)
	case w.Character == "":
		return "", problem("the account %s has several characters: name one with --character: %s", w.Player, strings.Join(names, ", "))
	}
	return "", problem("the account %s has no character %s; its characters are %s", w.Player, w.Character, strings.Join(names, ", "))
}

// amount is a number of items in a request that changes a stored character.
type amount struct {
	Item   string `json:"item"`   // name or id of the item
	Amount uint16 `json:"amount"` // number of items; 0 to take all
}

// Give is the command "truestep admin give", which gives items to a player or a stored character.
type Give struct {
	PlayerArgs
	Item   string `arg:"" help:"Name or number of an item of the world."`
	Amount uint16 `help:"How many; default 1." default:"1" placeholder:"N"`
}

// Run gives the items.
func (g *Give) Run(a *Access, to Output) error {
	if g.Amount == 0 {
		return problem("--amount 0: must be 1 to 65535")
	}
	n := amount{g.Item, g.Amount}
	edit := func(*client) (any, error) { return map[string]any{"give": []amount{n}}, nil }
	return g.change(a, to, "give", n, edit, "%s has %d more of %s", g.Amount, g.Item)
}

// Take is the command "truestep admin take", which takes items from a player or a stored character.
type Take struct {
	PlayerArgs
	Item string `arg:"" help:"Name or number of an item of the world."`
	// Amount is the number of items to take; 0 takes one. Items in the backpack are taken before worn ones.
	Amount uint16 `help:"How many, first from the backpack, then worn ones; default 1." placeholder:"N" xor:"amount"`
	// All is true to take every item of the kind.
	All bool `help:"All of that kind." xor:"amount"`
}

// Run takes the items.
func (t *Take) Run(a *Access, to Output) error {
	n := amount{t.Item, max(t.Amount, 1)}
	body := map[string]any{"item": n.Item, "amount": n.Amount}
	text := strconv.Itoa(int(n.Amount)) + " less"
	if t.All {
		n.Amount = 0
		body = map[string]any{"item": n.Item, "all": true}
		text = "none"
	}
	edit := func(*client) (any, error) { return map[string]any{"take": []amount{n}}, nil }
	return t.change(a, to, "take", body, edit, "%s has %s of %s", text, t.Item)
}

// Attribute is the command "truestep admin attribute", which sets an attribute of a player or a stored character.
type Attribute struct {
	PlayerArgs
	Attribute string `arg:"" help:"Name or number of an attribute of the world, such as Health."`
	// Value is the new value; nil leaves the value as it is.
	Value *int32 `arg:"" optional:"" help:"The value; may be left out with --max."`
	// Max is the new maximum; nil leaves the maximum as it is.
	Max *int32 `help:"The maximum; without it, it stays." placeholder:"N"`
}

// Run sets the attribute.
func (t *Attribute) Run(a *Access, to Output) error {
	var parts []string
	body, change := map[string]any{"attribute": t.Attribute}, map[string]any{}
	for _, f := range []struct {
		key, text string
		value     *int32
	}{{"value", "", t.Value}, {"max", "maximum ", t.Max}} {
		if f.value != nil {
			body[f.key], change[f.key] = *f.value, *f.value
			parts = append(parts, f.text+strconv.Itoa(int(*f.value)))
		}
	}
	if len(parts) == 0 {
		return problem("give a value, a maximum with --max, or both")
	}
	edit := func(c *client) (any, error) {
		index, err := c.attribute(t.Attribute)
		if err != nil {
			return nil, err
		}
		change["index"] = index
		return map[string]any{"attributes": []any{change}}, nil
	}
	return t.change(a, to, "attribute", body, edit, "%s has %s %s", t.Attribute, strings.Join(parts, ", "))
}

// attribute returns the index of an attribute in the world's list. The parameter name is the attribute's name, or that index as
// text.
func (c *client) attribute(name string) (int, error) {
	var world struct {
		Attributes []struct {
			ID   int
			Name string
		}
	}
	if err := c.ask("GET", "/world", nil, &world); err != nil {
		return 0, err
	}
	var names []string
	for _, a := range world.Attributes {
		if strings.EqualFold(a.Name, name) || strconv.Itoa(a.ID) == name {
			return a.ID, nil
		}
		names = append(names, a.Name)
	}
	return 0, problem("this world has no attribute %q; its attributes are %s", name, strings.Join(names, ", "))
}

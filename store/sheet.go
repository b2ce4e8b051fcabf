package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// A sheet is a character without its ID and name, encoded as one JSON object. All backends store characters in this form. Zeros
// at the end of a list are omitted, and so are empty slots.
//
//	{"door":"rcce","level":3,"area":"Village","pos":[12.5,0,-3],"attr":[[80,100],[0,0],[7,30]],
//	 "inventory":[{"slot":0,"item":4,"amount":1,"health":97}],"bar":{"0":"Sfire"}}
type sheet struct {
	Door     string     `json:"door,omitempty"`    // door through which the character was created
	Tag      string     `json:"tag,omitempty"`     // text that clients display under the name
	GM       bool       `json:"gm,omitempty"`      // game master
	Version  uint64     `json:"version,omitempty"` // grows with each save: of two records, that with the greater version is newer
	Template uint16     `json:"template"`          // id of the character's template
	Level    int32      `json:"level"`             // level of the character
	XP       int32      `json:"xp"`                // experience points
	XPBar    uint8      `json:"xp_bar,omitempty"`  // experience bar of the client, 0..255
	Gold     int32      `json:"gold"`              // money of the character
	Repute   int32      `json:"repute"`            // reputation points
	Area     string     `json:"area"`              // name of the area in which the character is
	Pos      [3]float32 `json:"pos"`               // position x, y, z in world units
	Yaw      float32    `json:"yaw,omitempty"`     // direction that the character faces, degrees
	Gender   uint8      `json:"gender,omitempty"`  // 0 male, 1 female
	Face     uint8      `json:"face,omitempty"`    // number of the face among those of the template, 0..4
	Hair     uint8      `json:"hair,omitempty"`    // number of the hair style among those of the template, 0..4
	Beard    uint8      `json:"beard,omitempty"`   // number of the beard among those of the template, 0..4
	Body     uint8      `json:"body,omitempty"`    // number of the body among those of the template, 0..4
	Attr     [][2]int32 `json:"attr,omitempty"`    // value and maximum of each attribute
	Resist   []int32    `json:"resist,omitempty"`  // resistance to each damage type in percent; 100 is neutral
	Faction  uint8      `json:"faction"`           // index of the character's faction, 0..99
	// Ratings is the standing with each faction. Stored ratings may be 0..255; the rules use 0..200, and 100 is neutral. The
	// type is not []uint8, because JSON encodes that as base64.
	Ratings        []uint16       `json:"ratings,omitempty"`
	Inventory      []sheetItem    `json:"inventory,omitempty"`        // inventory slots that are not empty
	Fields         []sheetField   `json:"fields,omitempty"`           // integers that the game declared
	Dropped        []sheetDropped `json:"dropped,omitempty"`          // items on the ground that the player dropped
	Pets           []sheetPet     `json:"pets,omitempty"`             // pets of the player, including one that it rides
	LastPortalArea string         `json:"last_portal_area,omitempty"` // area of the portal that the player used last; "" for none
	LastPortal     int32          `json:"last_portal,omitempty"`      // index of the portal in LastPortalArea that the player used last
	Bar            map[int]string `json:"bar,omitempty"`              // action bar entries by slot
}

// sheetItem is an inventory slot and its items.
type sheetItem struct {
	Slot int `json:"slot"` // inventory slot, 0..sim.SlotCount-1
	sheetStack
}

// sheetField is the value of a field that the game declared.
type sheetField struct {
	Name  string `json:"name"`  // name of the field, as the game declared it
	Value int32  `json:"value"` // value of the field for this character
}

// sheetDropped is an item on the ground that the character's player dropped.
type sheetDropped struct {
	Handle uint32 `json:"handle,omitempty"` // sim.GroundItem.Handle; 0 if the item is not on the ground any more and the player's inventory has no room for it
	sheetStack
}

// sheetStack is a stack of equal items.
type sheetStack struct {
	Item   uint16   `json:"item"`           // id of the kind of item
	Amount uint16   `json:"amount"`         // number of items
	Health uint8    `json:"health"`         // condition of the items, 0 broken to 100 undamaged
	Attr   *[]int16 `json:"attr,omitempty"` // nil if the item has the attributes of its template
}

// sheetPet is a pet of the character.
type sheetPet struct {
	Template uint16 `json:"template"`         // id of the pet's template
	Name     string `json:"name,omitempty"`   // "" for the name of the template's race
	Health   int32  `json:"health,omitempty"` // current health; 0 for full health
}

// EncodeSheet returns the JSON form of c, the sheet. It writes coordinates that are not finite as 0 and invalid UTF-8 as
// U+FFFD, so that one such value does not prevent a whole batch from being saved. It omits inventory slots with amount 0.
func EncodeSheet(c *sim.Character) ([]byte, error) {
	s := sheet{
		Door: c.Door, Tag: c.Tag, GM: c.GM, Version: c.Version, Template: c.Template,
		Level: c.Level, XP: c.XP, XPBar: c.XPBar, Gold: c.Gold, Repute: c.Reputation,
		Area: c.Area, Pos: [3]float32{finite(c.Pos.X), finite(c.Pos.Y), finite(c.Pos.Z)}, Yaw: finite(c.Yaw),
		Gender: c.Appearance.Gender, Face: c.Appearance.Face, Hair: c.Appearance.Hair, Beard: c.Appearance.Beard, Body: c.Appearance.Body,
		Faction: c.HomeFaction, LastPortalArea: c.LastPortalArea, LastPortal: c.LastPortal,
	}
	for _, a := range c.Attr {
		s.Attr = append(s.Attr, [2]int32{a.Value, a.Max})
	}
	s.Attr = trimZeros(s.Attr)
	s.Resist = trimZeros(c.Resist[:])
	for _, r := range c.Ratings {
		s.Ratings = append(s.Ratings, uint16(r))
	}
	s.Ratings = trimZeros(s.Ratings)
	for slot, stack := range c.Inventory {
		if stack.Empty() {
			continue
		}
		s.Inventory = append(s.Inventory, sheetItem{slot, encodeStack(stack)})
	}
	for _, f := range c.Fields {
		s.Fields = append(s.Fields, sheetField{f.Name, f.Value})
	}
	for _, d := range c.Dropped {
		s.Dropped = append(s.Dropped, sheetDropped{d.Handle, encodeStack(d.Stack)})
	}
	for _, p := range c.Pets {
		s.Pets = append(s.Pets, sheetPet{Template: p.Template, Name: p.Name, Health: p.Health})
	}
	for slot, entry := range c.ActionBar {
		if entry == "" {
			continue
		}
		if s.Bar == nil {
			s.Bar = make(map[int]string)
		}
		s.Bar[slot] = entry
	}
	return json.Marshal(s)
}

func encodeStack(s sim.ItemStack) sheetStack {
	out := sheetStack{Item: s.Item, Amount: s.Amount, Health: s.Health}
	if s.Attr != nil {
		attr := trimZeros(s.Attr[:])
		out.Attr = &attr
	}
	return out
}

// DecodeSheet decodes the JSON form of a character (a sheet) into a character without ID and name. Operators may edit sheets
// by hand, so an unknown key or a list that is too long results in ErrCorrupt.
func DecodeSheet(data []byte) (*sim.Character, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s sheet
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("decode the JSON of a character record: %v: %w", err, ErrCorrupt)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("decode the JSON of a character record: more than one JSON object: %w", ErrCorrupt)
	}
	c, err := s.character()
	if err != nil {
		return nil, fmt.Errorf("decode the JSON of a character record: %w", err)
	}
	return c, nil
}

func (s *sheet) character() (*sim.Character, error) {
	if len(s.Attr) > combat.Attributes || len(s.Resist) > combat.DamageTypes || len(s.Ratings) > combat.Factions {
		return nil, fmt.Errorf("the list attr, resist or ratings has more entries than there are attributes, damage types or factions: %w", ErrCorrupt)
	}
	c := &sim.Character{
		Door: s.Door, Tag: s.Tag, GM: s.GM, Version: s.Version, Template: s.Template, Level: s.Level, XP: s.XP, XPBar: s.XPBar, Gold: s.Gold, Reputation: s.Repute,
		Area: s.Area, Pos: geom.Vec{X: s.Pos[0], Y: s.Pos[1], Z: s.Pos[2]}, Yaw: s.Yaw,
		Appearance:  sim.Appearance{Gender: s.Gender, Face: s.Face, Hair: s.Hair, Beard: s.Beard, Body: s.Body},
		HomeFaction: s.Faction, LastPortalArea: s.LastPortalArea, LastPortal: s.LastPortal,
	}
	for i, a := range s.Attr {
		c.Attr[i] = combat.Attribute{Value: a[0], Max: a[1]}
	}
	copy(c.Resist[:], s.Resist)
	for i, r := range s.Ratings {
		if r > math.MaxUint8 {
			return nil, fmt.Errorf("the rating with faction %d is %d, more than 255: %w", i, r, ErrCorrupt)
		}
		c.Ratings[i] = uint8(r)
	}
	for _, f := range s.Fields {
		c.Fields = append(c.Fields, sim.SavedField{Name: f.Name, Value: f.Value})
	}
	for _, p := range s.Pets {
		c.Pets = append(c.Pets, sim.Pet{Template: p.Template, Name: p.Name, Health: p.Health})
	}
	for slot, entry := range s.Bar {
		if slot < 0 || slot >= len(c.ActionBar) {
			return nil, fmt.Errorf("action bar slot %d is outside 0..%d: %w", slot, len(c.ActionBar)-1, ErrCorrupt)
		}
		c.ActionBar[slot] = entry
	}
	return c, s.decodeItems(c)
}

// decodeItems sets the inventory and the dropped items of c from the sheet.
func (s *sheet) decodeItems(c *sim.Character) error {
	for _, it := range s.Inventory {
		if it.Slot < 0 || it.Slot >= sim.SlotCount {
			return fmt.Errorf("inventory slot %d is outside 0..%d: %w", it.Slot, sim.SlotCount-1, ErrCorrupt)
		}
		stack, err := it.decode()
		if err != nil {
			return fmt.Errorf("decode inventory slot %d: %w", it.Slot, err)
		}
		c.Inventory[it.Slot] = stack
	}
	for i := range s.Dropped {
		stack, err := s.Dropped[i].decode()
		if err != nil {
			return fmt.Errorf("decode dropped item %d: %w", i, err)
		}
		c.Dropped = append(c.Dropped, sim.DroppedItem{Handle: s.Dropped[i].Handle, Stack: stack})
	}
	return nil
}

func (s *sheetStack) decode() (sim.ItemStack, error) {
	stack := sim.ItemStack{Item: s.Item, Amount: s.Amount, Health: s.Health}
	if s.Attr == nil {
		return stack, nil
	}
	if len(*s.Attr) > combat.Attributes {
		return stack, fmt.Errorf("the list attr of an item has more entries than there are attributes: %w", ErrCorrupt)
	}
	stack.Attr = new([combat.Attributes]int16)
	copy(stack.Attr[:], *s.Attr)
	return stack, nil
}

// trimZeros returns s without the zero values at its end.
func trimZeros[T comparable](s []T) []T {
	var zero T
	n := len(s)
	for n > 0 && s[n-1] == zero {
		n--
	}
	return s[:n]
}

func finite(f float32) float32 {
	if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
		return 0
	}
	return f
}

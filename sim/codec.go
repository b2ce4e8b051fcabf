package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// codec writes plain data to bytes or reads it back. One function per type lists the fields for both directions, so that
// writing and reading cannot disagree. Writing leaves the data unchanged, because other goroutines may read it meanwhile.
// After the first error, reading returns zeros.
type codec struct {
	b       []byte // bytes written so far, or bytes left to read
	reading bool
	err     error
}

var errSnapshot = errors.New("the data is not a snapshot of an area, or it is truncated or damaged")

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// num reads or writes an integer of any type as a zigzag varint. Reading a number that the type cannot hold is an error.
func num[T integer](c *codec, p *T) {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, int64(*p))
		return
	}
	v, n := binary.Varint(c.b)
	if n <= 0 || int64(T(v)) != v || n > 1 && c.b[n-1] == 0 { // a varint of several bytes whose last byte is 0 is longer than necessary
		c.fail()
		*p = 0
		return
	}
	c.b = c.b[n:]
	*p = T(v)
}

func (c *codec) fail() {
	if c.err == nil {
		c.err = errSnapshot
	}
	c.b = nil
}

func (c *codec) f32(ps ...*float32) {
	if !c.reading {
		b := c.b // a local slice stays in registers
		for _, p := range ps {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*p))
		}
		c.b = b
		return
	}
	for _, p := range ps {
		if len(c.b) < 4 {
			c.fail()
			*p = 0
			continue
		}
		*p = math.Float32frombits(binary.LittleEndian.Uint32(c.b))
		c.b = c.b[4:]
	}
}

func (c *codec) vec(ps ...*geom.Vec) {
	for _, p := range ps {
		c.f32(&p.X, &p.Y, &p.Z)
	}
}

// tile reads or writes a tile. Reading a tile outside the valid range is an error.
func (c *codec) tile(p *move.Tile) {
	num(c, &p.X)
	num(c, &p.Z)
	if !p.Valid() {
		c.fail()
		*p = move.Tile{}
	}
}

func (c *codec) flag(ps ...*bool) {
	if !c.reading {
		b := c.b
		for _, p := range ps {
			v := byte(0)
			if *p {
				v = 1 << 1 // 1 as num writes it
			}
			b = append(b, v)
		}
		c.b = b
		return
	}
	for _, p := range ps {
		v := uint8(0)
		num(c, &v)
		if v > 1 {
			c.fail()
			v = 0
		}
		*p = v != 0
	}
}

func (c *codec) str(ps ...*string) {
	for _, p := range ps {
		n := len(*p)
		num(c, &n)
		if !c.reading {
			c.b = append(c.b, *p...)
			continue
		}
		if n < 0 || n > len(c.b) {
			c.fail()
			n = 0
		}
		*p = string(c.b[:n])
		c.b = c.b[n:]
	}
}

// lengthOf reads or writes the number of records of a list, each of which takes at least size bytes. When reading, it is an
// error if the bytes left are too few for that number of records (see length).
func (c *codec) lengthOf(n, size int) int {
	n = c.length(n)
	if c.reading && n > len(c.b)/size {
		c.fail()
		return 0
	}
	return n
}

// length reads or writes the number of records of a list, each of which takes at least one byte. When reading, a number above the
// number of bytes left is an error, so that damaged data cannot cause a large allocation.
func (c *codec) length(n int) int {
	num(c, &n)
	if c.reading && (n < 0 || n > len(c.b)) {
		c.fail()
		return 0
	}
	return n
}

func (c *codec) attrs(p *[combat.Attributes]combat.Attribute) {
	for i := range p {
		num(c, &p[i].Value)
		num(c, &p[i].Max)
	}
}

func (c *codec) appearance(p *Appearance) {
	num(c, &p.Gender)
	num(c, &p.Face)
	num(c, &p.Hair)
	num(c, &p.Beard)
	num(c, &p.Body)
}

func (c *codec) stack(s *ItemStack) {
	num(c, &s.Amount)
	if s.Amount == 0 {
		if c.reading {
			*s = ItemStack{}
		}
		return
	}
	num(c, &s.Item)
	num(c, &s.Health)
	own := s.Attr != nil
	c.flag(&own)
	if !own {
		return
	}
	if c.reading {
		s.Attr = new([combat.Attributes]int16)
	}
	for i := range s.Attr {
		num(c, &s.Attr[i])
	}
}

func (c *codec) inventory(inv *Inventory) {
	for i := range inv {
		c.stack(&inv[i])
	}
}

// bytes reads or writes a list of fixed length, each byte as num does.
func (c *codec) bytes(p []uint8) {
	if !c.reading {
		b := c.b // a local slice stays in registers
		for _, v := range p {
			if v < 1<<6 {
				b = append(b, v<<1)
			} else {
				b = append(b, v<<1|1<<7, v>>6)
			}
		}
		c.b = b
		return
	}
	for i := range p {
		num(c, &p[i])
	}
}

// character reads or writes every field of a character record.
func (c *codec) character(p *Character) {
	num(c, &p.ID)
	num(c, &p.Version)
	c.str(&p.Name, &p.Tag, &p.Door, &p.Area, &p.LastPortalArea)
	c.flag(&p.GM)
	c.appearance(&p.Appearance)
	num(c, &p.Level)
	num(c, &p.XP)
	num(c, &p.XPBar)
	num(c, &p.Gold)
	num(c, &p.Reputation)
	num(c, &p.Template)
	c.vec(&p.Pos)
	c.f32(&p.Yaw)
	c.attrs(&p.Attr)
	for i := range p.Resist {
		num(c, &p.Resist[i])
	}
	num(c, &p.HomeFaction)
	c.bytes(p.Ratings[:])
	c.inventory(&p.Inventory)
	c.savedFields(&p.Fields)
	c.droppedItems(&p.Dropped)
	c.petList(&p.Pets)
	num(c, &p.LastPortal)
	for i := range p.ActionBar {
		c.str(&p.ActionBar[i])
	}
}

func (c *codec) droppedItems(list *[]DroppedItem) {
	n := c.lengthOf(len(*list), 2) // the shortest item has 2 bytes
	if c.reading {
		*list = nil
		if n > 0 {
			*list = make([]DroppedItem, n)
		}
	}
	for i := range *list {
		num(c, &(*list)[i].Handle)
		c.stack(&(*list)[i].Stack)
	}
}

func (c *codec) petList(list *[]Pet) {
	n := c.length(len(*list))
	if c.reading {
		*list = nil
		if n > 0 {
			*list = make([]Pet, n)
		}
	}
	for i := range *list {
		c.pet(&(*list)[i])
	}
}

func (c *codec) pet(p *Pet) {
	num(c, &p.Template)
	c.str(&p.Name)
	num(c, &p.Health)
}

func (c *codec) done() error {
	if c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("the snapshot is followed by %d extra bytes", len(c.b))
	}
	return c.err
}

package bedrock

import "fmt"

// SkinColor is red, green and blue.
type SkinColor [3]uint8

// SkinColors are what PaintedSkin paints with.
type SkinColors struct {
	Hair, Face, Shirt, Trousers, Shoes SkinColor
	LongHair                           bool // down to the neck, all around
	Beard                              bool // in the colour of the hair
}

// limb is a box of the usual body: where its picture begins in the skin, and the box's size in pixels. The picture is
// the top and the bottom beside each other, depth high, and below them the four sides, right, front, left and back.
type limb struct{ x, y, wide, tall, deep int }

// The body as skins of 64 by 64 pixels lay it out. Source: the layout that any editor of skins shows.
var (
	skinHead = limb{0, 0, 8, 8, 8}
	skinBody = limb{16, 16, 8, 12, 4}
	skinLimb = [4]limb{{40, 16, 4, 12, 4}, {32, 48, 4, 12, 4}, {0, 16, 4, 12, 4}, {16, 48, 4, 12, 4}} // arms, then legs
)

// PaintedSkin is a simple person: face and hands, hair, eyes, shirt, trousers and shoes in the colours given. Each call
// makes pixels of its own; equal colours give the same skin, under the same id.
func PaintedSkin(c SkinColors) Skin {
	s := PlainSkin()
	s.SkinID = fmt.Sprintf("truestep.%x.%x.%x.%x.%x.%t.%t", c.Hair, c.Face, c.Shirt, c.Trousers, c.Shoes, c.LongHair, c.Beard)
	s.FullID = s.SkinID
	p := painter(make([]byte, plainSide*plainSide*skinPixel))
	p.head(c)
	p.limb(skinBody, 0, 12, c.Shirt)
	for i, l := range skinLimb {
		if i < 2 {
			p.limb(l, 0, 8, c.Shirt)
			p.limb(l, 8, 12, c.Face)
			p.square(l.x+l.deep+l.wide, l.y, l.wide, l.deep, c.Face) // the palm
			continue
		}
		p.limb(l, 0, 9, c.Trousers)
		p.limb(l, 9, 12, c.Shoes)
		p.square(l.x+l.deep+l.wide, l.y, l.wide, l.deep, c.Shoes)
	}
	s.Image = SkinImage{Width: plainSide, Height: plainSide, Pixels: p}
	return s
}

// painter is the pixels of a skin, all of them clear at first.
type painter []byte

// square fills a rectangle.
func (p painter) square(x, y, wide, tall int, c SkinColor) {
	for row := y; row < y+tall; row++ {
		for col := x; col < x+wide; col++ {
			copy(p[(row*plainSide+col)*skinPixel:], []byte{c[0], c[1], c[2], 0xff})
		}
	}
}

// limb fills the sides of a box from one row to another, and its ends if they are reached.
func (p painter) limb(l limb, from, to int, c SkinColor) {
	p.square(l.x, l.y+l.deep+from, 2*(l.wide+l.deep), to-from, c)
	if from == 0 {
		p.square(l.x+l.deep, l.y, l.wide, l.deep, c)
	}
	if to == l.tall {
		p.square(l.x+l.deep+l.wide, l.y, l.wide, l.deep, c)
	}
}

func (p painter) head(c SkinColors) {
	const front, eyes = 8, 12 // column of the face, and row of the eyes
	p.limb(skinHead, 0, 8, c.Face)
	p.limb(skinHead, 0, 2, c.Hair)
	p.square(24, 8, 8, 5, c.Hair) // the back of the head
	if c.LongHair {
		p.square(0, 8, 8, 7, c.Hair)
		p.square(16, 8, 16, 7, c.Hair)
		p.square(front, 8, 1, 7, c.Hair)
		p.square(front+7, 8, 1, 7, c.Hair)
	}
	if c.Beard {
		p.square(front, 14, 8, 2, c.Hair)
	}
	white, pupil := SkinColor{0xf4, 0xf4, 0xf4}, SkinColor{0x2c, 0x3a, 0x52}
	p.square(front+1, eyes, 2, 1, white)
	p.square(front+5, eyes, 2, 1, white)
	p.square(front+2, eyes, 1, 1, pupil)
	p.square(front+5, eyes, 1, 1, pupil)
}

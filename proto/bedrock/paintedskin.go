package bedrock

import "fmt"

// SkinColor is a colour as red, green and blue, 0..255 each.
type SkinColor [3]uint8

// SkinColors are the colours of a PaintedSkin.
type SkinColors struct {
	Hair, Face, Shirt, Trousers, Shoes SkinColor // colour of each part; Face is also the colour of the hands
	LongHair                           bool      // hair that reaches the neck on all sides
	Beard                              bool      // a beard in the colour of the hair
}

// skinBox is a box of the standard body model, such as the head. All fields are in pixels. The fields x and y are the top left
// corner of the box's texture in the image of the skin. This texture has two bands, one above the other. The upper band is
// depth pixels high and contains the top and the bottom face, side by side. The lower band is height pixels high and contains
// the four sides: right, front, left, back.
type skinBox struct{ x, y, width, height, depth int }

// Boxes of the standard body model, for a skin of 64 by 64 pixels. The numbers are those that skin editors use.
var (
	headBox   = skinBox{0, 0, 8, 8, 8}
	bodyBox   = skinBox{16, 16, 8, 12, 4}
	limbBoxes = [4]skinBox{{40, 16, 4, 12, 4}, {32, 48, 4, 12, 4}, {0, 16, 4, 12, 4}, {16, 48, 4, 12, 4}} // two arms, then two legs
)

// PaintedSkin returns a simple human skin: face and hands, hair, eyes, shirt, trousers and shoes in the given colours.
// Each call allocates its own pixels; equal colours give the same skin with the same id.
func PaintedSkin(c SkinColors) Skin {
	s := PlainSkin()
	s.SkinID = fmt.Sprintf("truestep.%x.%x.%x.%x.%x.%t.%t", c.Hair, c.Face, c.Shirt, c.Trousers, c.Shoes, c.LongHair, c.Beard)
	s.FullID = s.SkinID
	p := painter(make([]byte, plainSkinSide*plainSkinSide*skinPixel))
	p.fillHead(c)
	p.fillBox(bodyBox, 0, 12, c.Shirt)
	for i, l := range limbBoxes {
		if i < 2 {
			p.fillBox(l, 0, 8, c.Shirt)
			p.fillBox(l, 8, 12, c.Face)
			p.fillRect(l.x+l.depth+l.width, l.y, l.width, l.depth, c.Face) // palm of the hand
			continue
		}
		p.fillBox(l, 0, 9, c.Trousers)
		p.fillBox(l, 9, 12, c.Shoes)
		p.fillRect(l.x+l.depth+l.width, l.y, l.width, l.depth, c.Shoes)
	}
	s.Image = SkinImage{Width: plainSkinSide, Height: plainSkinSide, Pixels: p}
	return s
}

// painter holds the RGBA pixels of a skin. They are transparent at first.
type painter []byte

// fillRect fills a rectangle with a colour. The coordinates x and y are its top left corner, wide and tall its size, all in
// pixels.
func (p painter) fillRect(x, y, wide, tall int, c SkinColor) {
	for row := y; row < y+tall; row++ {
		for col := x; col < x+wide; col++ {
			copy(p[(row*plainSkinSide+col)*skinPixel:], []byte{c[0], c[1], c[2], 0xff})
		}
	}
}

// fillBox fills a part of a box with a colour: on all four sides the pixel rows first..end-1, counted from the top of the
// box. If row 0 is among them, it also fills the top face. If the last row is among them, it also fills the bottom face.
func (p painter) fillBox(l skinBox, first, end int, c SkinColor) {
	p.fillRect(l.x, l.y+l.depth+first, 2*(l.width+l.depth), end-first, c)
	if first == 0 {
		p.fillRect(l.x+l.depth, l.y, l.width, l.depth, c)
	}
	if end == l.height {
		p.fillRect(l.x+l.depth+l.width, l.y, l.width, l.depth, c)
	}
}

func (p painter) fillHead(c SkinColors) {
	const front, eyes = 8, 12 // column of the face, and row of the eyes
	p.fillBox(headBox, 0, 8, c.Face)
	p.fillBox(headBox, 0, 2, c.Hair)
	p.fillRect(24, 8, 8, 5, c.Hair) // back of the head
	if c.LongHair {
		p.fillRect(0, 8, 8, 7, c.Hair)
		p.fillRect(16, 8, 16, 7, c.Hair)
		p.fillRect(front, 8, 1, 7, c.Hair)
		p.fillRect(front+7, 8, 1, 7, c.Hair)
	}
	if c.Beard {
		p.fillRect(front, 14, 8, 2, c.Hair)
	}
	white, pupil := SkinColor{0xf4, 0xf4, 0xf4}, SkinColor{0x2c, 0x3a, 0x52}
	p.fillRect(front+1, eyes, 2, 1, white)
	p.fillRect(front+5, eyes, 2, 1, white)
	p.fillRect(front+2, eyes, 1, 1, pupil)
	p.fillRect(front+5, eyes, 1, 1, pupil)
}

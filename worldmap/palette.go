package worldmap

import (
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Theme selects the colours of a map: light or dark.
type Theme uint8

// Values of Theme, as in the console.
const (
	Light Theme = iota // colours for the light theme of the console, and for pictures
	Dark               // colours for the dark theme of the console
)

// ThemeWords are the names of the themes in URLs and command line flags, indexed by Theme.
var ThemeWords = []string{"light", "dark"}

// colour is the red, green and blue part of a colour, each 0..255.
type colour [3]float32

func rgb(hex uint32) colour {
	return colour{float32(hex >> 16), float32(hex >> 8 & 0xff), float32(hex & 0xff)}
}

// over returns the colour that results when the colour o is painted over c with opacity t, 0..1.
func (c colour) over(o colour, t float32) colour {
	return colour{mix(c[0], o[0], t), mix(c[1], o[1], t), mix(c[2], o[2], t)}
}

func (c colour) times(f float32) colour { return colour{c[0] * f, c[1] * f, c[2] * f} }

// tint describes the colour of a kind of ground: two colours between which the ground varies, and the colour of the small specks
// on it.
type tint struct{ low, high, speck colour }

// palette contains the colours of one theme. The console uses some of these colours too, in console/web/src/styles/tokens.css:
// outside as --map-outside, wall as --map-solid, and wallEdge as --map-solid-edge.
type palette struct {
	outside, void         colour
	style                 [7]tint // colours of the ground, by appearance.GroundStyle
	rock, dirt, wood, ice tint
	brick, slime          tint
	trail, trailEdge      colour
	beach                 colour
	shallow, deep, shore  colour
	lava, lavaDeep, crust colour
	wall, wallEdge        colour
	canopy, canopyLight   colour
	shadow                colour
	contour               colour
	text, halo, portal    colour
	shade                 float32 // strength of the shading of slopes; 0 means no shading
	picture               float32 // factor for the brightness of the operator's pictures
}

var palettes = [...]palette{
	Light: {
		outside: rgb(0xe4e7ea), void: rgb(0xd3d9e2),
		style: [7]tint{
			{rgb(0xc6d7ac), rgb(0xdce5c3), rgb(0xb2c795)},
			{rgb(0xbfd3a3), rgb(0xdbe6c0), rgb(0xabc28c)},
			{rgb(0xcfc9a8), rgb(0xdfdcc4), rgb(0xc3aebb)},
			{rgb(0xb3ca9b), rgb(0xcbdab1), rgb(0x9fba85)},
			{rgb(0xe6d5ad), rgb(0xf2e6c9), rgb(0xd6c193)},
			{rgb(0xe6ecf2), rgb(0xf8fafb), rgb(0xd8e1ea)},
			{rgb(0xc9c6c0), rgb(0xdcdad4), rgb(0xb5b1aa)},
		},
		rock: tint{rgb(0xc3c0ba), rgb(0xd5d2cc), rgb(0xaeaaa3)},
		dirt: tint{rgb(0xd0bc9b), rgb(0xdecdb0), rgb(0xbfa985)},
		wood: tint{rgb(0xc9a777), rgb(0xd8bb91), rgb(0xb08e5f)},
		ice:  tint{rgb(0xc4e2f1), rgb(0xddf0f8), rgb(0xaed4e8)},

		brick: tint{rgb(0xc99b86), rgb(0xd8b09d), rgb(0xb5846e)},
		slime: tint{rgb(0x9fd39a), rgb(0xb9e2b3), rgb(0x86c081)},
		trail: rgb(0xe0cb9c), trailEdge: rgb(0x9a8a58),
		beach:   rgb(0xefe3c2),
		shallow: rgb(0xa9d6de), deep: rgb(0x5b9cc4), shore: rgb(0x4b88ab),
		lava: rgb(0xffb03b), lavaDeep: rgb(0xd9431e), crust: rgb(0x5d3b33),
		wall: rgb(0xa89c8c), wallEdge: rgb(0x6a6056),
		canopy: rgb(0x7fa46b), canopyLight: rgb(0xa3c389),
		shadow: rgb(0x3a4436), contour: rgb(0x6b6a4c),
		text: rgb(0x19202c), halo: rgb(0xffffff), portal: rgb(0x7a4bb8),
		shade: 0.85, picture: 1,
	},
	Dark: {
		outside: rgb(0x0b0e12), void: rgb(0x07090c),
		style: [7]tint{
			{rgb(0x1e2d22), rgb(0x2f4332), rgb(0x39503c)},
			{rgb(0x1c2e22), rgb(0x304733), rgb(0x3a543c)},
			{rgb(0x26261d), rgb(0x323126), rgb(0x3c3139)},
			{rgb(0x15231a), rgb(0x1e2f22), rgb(0x26392a)},
			{rgb(0x37301f), rgb(0x453c28), rgb(0x524730)},
			{rgb(0x2c3742), rgb(0x3a4753), rgb(0x46545f)},
			{rgb(0x26282b), rgb(0x33363a), rgb(0x3e4145)},
		},
		rock: tint{rgb(0x2b2d30), rgb(0x383b3f), rgb(0x44474b)},
		dirt: tint{rgb(0x31291e), rgb(0x3d3327), rgb(0x483d2f)},
		wood: tint{rgb(0x40311f), rgb(0x4d3c28), rgb(0x5a4630)},
		ice:  tint{rgb(0x23404f), rgb(0x2e5164), rgb(0x396175)},

		brick: tint{rgb(0x40281f), rgb(0x4e3328), rgb(0x5a3c30)},
		slime: tint{rgb(0x1f4226), rgb(0x2a5432), rgb(0x34633c)},
		trail: rgb(0x5d5238), trailEdge: rgb(0x0d0f09),
		beach:   rgb(0x4a442f),
		shallow: rgb(0x1f5566), deep: rgb(0x0f2d48), shore: rgb(0x3f86a3),
		lava: rgb(0xff8a2a), lavaDeep: rgb(0x9b260f), crust: rgb(0x1c0f0c),
		wall: rgb(0x59616d), wallEdge: rgb(0x939dab),
		canopy: rgb(0x1a3220), canopyLight: rgb(0x44694a),
		shadow: rgb(0x000000), contour: rgb(0x8a8d70),
		text: rgb(0xe6eaf1), halo: rgb(0x0c0f14), portal: rgb(0xb79af0),
		shade: 1.1, picture: 0.62,
	},
}

// ground returns the colours of a block as seen from above. The parameter style selects the colours of grass.
func (p *palette) ground(id terrain.BlockID, style appearance.GroundStyle) *tint {
	switch id {
	case terrain.Stone, terrain.Bedrock, terrain.Cobblestone, terrain.StoneBricks, terrain.Gravel, terrain.SmoothStoneSlab,
		terrain.SmoothStoneSlabTop, terrain.SmoothStoneSlabInWater, terrain.SmoothStoneSlabTopInWater:
		return &p.rock
	case terrain.Dirt, terrain.SoulSand:
		return &p.dirt
	case terrain.OakPlanks, terrain.OakLog, terrain.Bed, terrain.BedHead, terrain.Scaffolding:
		return &p.wood
	case terrain.Bricks, terrain.Honey:
		return &p.brick
	case terrain.Sand:
		return &p.style[appearance.SandStyle]
	case terrain.PowderSnow:
		return &p.style[appearance.SnowStyle]
	case terrain.Ice, terrain.PackedIce, terrain.BlueIce, terrain.Glass:
		return &p.ice
	case terrain.Slime:
		return &p.slime
	}
	return &p.style[min(int(style), len(p.style)-1)]
}

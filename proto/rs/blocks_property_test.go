package rs

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
	"pgregory.net/rapid"
)

// Every value of every kind of a profile is written and parsed back unchanged; every shorter prefix is refused.
func TestPlayerInfoBlockOfEveryKindRoundTripsInEveryProfile(t *testing.T) {
	for _, p := range Profiles() {
		for _, k := range p.BlockOrder() {
			t.Run(p.Name+"/"+k.String(), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := &Info{Has: InfoKindsOf(k)}
					drawKind(t, p, k, in)
					b := p.AppendInfo(nil, in)
					if head := p.AppendBlock(p.AppendMask(nil, in.Has), k, in); !bytes.Equal(head, b) {
						t.Fatalf("mask and block are %x, info is %x", head, b)
					}
					checkRoundTrip(t, p, b, in)
				})
			})
		}
	}
}

func TestPlayerInfoWithAnyCombinationOfBlocksRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(Profiles()).Draw(t, "profile")
		in := &Info{}
		for _, k := range rapid.SliceOfDistinct(rapid.SampledFrom(p.BlockOrder()), rapid.ID).Draw(t, "kinds") {
			in.Has = in.Has.With(k)
			drawKind(t, p, k, in)
		}
		checkRoundTrip(t, p, p.AppendInfo(nil, in), in)
	})
}

func checkRoundTrip(t *rapid.T, p *Profile, b []byte, want *Info) {
	var in Info
	r := wire.NewReader(b)
	if err := p.ParseInfo(&r, &in); err != nil || r.Left() != 0 {
		t.Fatalf("%x: %v, %d bytes left", b, err, r.Left())
	}
	if !reflect.DeepEqual(&in, want) {
		t.Fatalf("%x read as\n%+v, want\n%+v", b, in, *want)
	}
	for n := range min(len(b), 16) {
		r := wire.NewReader(b[:len(b)-1-n])
		if err := p.ParseInfo(&r, &in); err == nil {
			t.Fatalf("%x without its last %d bytes is accepted", b, n+1)
		}
	}
}

// drawKind sets a random value of kind k that p can encode.
func drawKind(t *rapid.T, p *Profile, k InfoKind, in *Info) {
	osrs := p == ProfileOSRS239
	switch k {
	case KindAppearance:
		in.Appearance = drawBytes(t, 1, 255)
	case KindSay:
		in.Say = rapid.SliceOfN(rapid.ByteRange(1, 255), 1, 80).Draw(t, "say")
	case KindAnim:
		in.Anim = Anim{Seq: [4]uint16{u16(t), None, None, None}, Delay: u8(t)}
		for i := 1; i < 4 && !osrs; i++ {
			in.Anim.Seq[i] = u16(t)
		}
	case KindGfx0, KindGfx1, KindGfx2, KindGfx3:
		in.Gfx[k-KindGfx0] = Gfx{u16(t), u16(t), u16(t), u8(t) % 8, u8(t) % 16, drawBool(t)}
	case KindHits:
		in.Hits = drawList(t, func() Hit { return drawHit(t, osrs) })
	case KindTarget:
		in.Target = u16(t)
	case KindTurn:
		in.Turn = u16(t) % 16384
	case KindExactMove:
		in.ExactMove = ExactMove{int8(u8(t)), int8(u8(t)), int8(u8(t)), int8(u8(t)), u16(t), u16(t), u16(t)}
		if !osrs {
			in.ExactMove.Dir %= 4
		}
	case KindSpeed:
		in.Speed = rapid.SampledFrom([]int8{-1, 0, 1, 2}).Draw(t, "speed")
	case KindTempSpeed:
		in.TempSpeed = rapid.SampledFrom([]int8{-1, 0, 1, 2, 127}).Draw(t, "temporary speed")
	case KindWornAnims:
		in.WornAnims = drawList(t, func() WornAnim { return WornAnim{u16(t), u8(t), u16(t)} })
	case KindWornTargets:
		in.WornTargets = drawList(t, func() WornTarget { return drawWornTarget(t) })
	case KindRecolour:
		in.Recolour = Recolour{int8(u8(t)), int8(u8(t)), int8(u8(t)), u8(t), u16(t), u16(t)}
	case KindTimerBar:
		in.TimerBar = TimerBar{u16(t) % 32768, drawBool(t), u8(t), u8(t)}
	case KindClanmate:
		in.Clanmate = drawBool(t)
	case KindPIcon:
		in.PIcon = drawBool(t)
	default:
		drawOSRS(t, k, in)
	}
}

// drawOSRS sets a random value of a kind that only OSRS has.
func drawOSRS(t *rapid.T, k InfoKind, in *Info) {
	switch k {
	case KindFace:
		in.Face = drawFace(t)
	case KindSpotAnims:
		in.SpotAnims = drawList(t, func() SpotAnim { return SpotAnim{u8(t), u16(t), u16(t), u16(t)} })
	case KindChat:
		in.Chat = Chat{Colour: u8(t) % 24, Effect: u8(t), ModIcon: u8(t), Auto: drawBool(t), Packed: drawBytes(t, 1, 100)}
		for i := 0; in.Chat.Colour >= 13 && in.Chat.Colour <= 20 && i < int(in.Chat.Colour)-12; i++ {
			in.Chat.Pattern[i] = u8(t)
		}
	case KindTransparency:
		in.Transparency = Transparency{u16(t), u16(t), u8(t), u8(t), drawBool(t)}
	case KindHeadBars:
		in.HeadBars = drawList(t, func() HeadBar { return drawHeadBar(t) })
	case KindFreeze:
		in.Freeze = Freeze{u16(t), u16(t), drawBool(t)}
	case KindReset:
		in.ResetWhat = u8(t)
	default:
		t.Fatalf("no generator for %v", k)
	}
}

func drawHit(t *rapid.T, osrs bool) Hit {
	h := Hit{Delay: smart(t)}
	switch form := u8(t) % 3; {
	case osrs:
		h.Type, h.Amount, h.Limit = smart(t), smart(t), smart(t)
		return h
	case form == 0:
		h.Type, h.Amount = smart(t)%hitHidden, smart(t)
	case form == 1:
		h.Soaked, h.Type, h.Amount, h.SoakType, h.SoakAmount = true, smart(t), smart(t), smart(t), smart(t)
	default:
		h.Hidden = true
	}
	h.HP = u8(t)
	return h
}

func drawWornTarget(t *rapid.T) WornTarget {
	w := WornTarget{Target: uint32(u16(t)) % 0xc000, Slots: u16(t)}
	if drawBool(t) {
		w.Target = 0xc0000000 | rapid.Uint32().Draw(t, "long target")
	}
	return w
}

func drawFace(t *rapid.T) Face {
	f := Face{Kind: u8(t) % 4, WalkMode: u8(t) % 8, Instant: drawBool(t)}
	switch f.Kind {
	case FaceEntity:
		f.Entity, f.Index, f.Fallback = u8(t)%4, rapid.Int32Min(-1).Draw(t, "index"), smart(t)
	case FaceLoc:
		f.X, f.Z, f.SizeX, f.SizeZ = smart(t), smart(t), u8(t)%16, u8(t)%16
	case FaceAngle:
		f.Angle = smart(t)
	}
	return f
}

func drawHeadBar(t *rapid.T) HeadBar {
	h := HeadBar{Type: smart(t), EndTime: rapid.SampledFrom([]uint16{0, 1, smart(t), HeadBarRemoved}).Draw(t, "end")}
	if h.EndTime != HeadBarRemoved {
		h.StartTime, h.StartFill = smart(t), u8(t)
		if h.EndTime > 0 {
			h.EndFill = u8(t)
		}
	}
	return h
}

func u8(t *rapid.T) uint8      { return rapid.Uint8().Draw(t, "u8") }
func u16(t *rapid.T) uint16    { return rapid.Uint16().Draw(t, "u16") }
func smart(t *rapid.T) uint16  { return rapid.Uint16Max(32767).Draw(t, "smart") }
func drawBool(t *rapid.T) bool { return rapid.Bool().Draw(t, "bool") }

func drawBytes(t *rapid.T, least, most int) []byte {
	return rapid.SliceOfN(rapid.Byte(), least, most).Draw(t, "bytes")
}

// drawList draws a list of up to 4 items; TestAppendPlayerInfoTruncatesListsTo255Elements covers long lists.
func drawList[T any](t *rapid.T, item func() T) []T {
	n := rapid.IntRange(0, 4).Draw(t, "count")
	var list []T
	for range n {
		list = append(list, item())
	}
	return list
}

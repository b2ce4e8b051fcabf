package rcce

import "github.com/truestep-io/truestep/proto/wire"

// Values of the field Weather of ChangeArea and WeatherChange. Source: RealmCrafter specification, section 3.4.
const (
	WeatherSun   = 0 // clear sky
	WeatherRain  = 1 // rain
	WeatherSnow  = 2 // snow
	WeatherFog   = 3 // fog
	WeatherStorm = 4 // storm
	WeatherWind  = 5 // wind
)

// Values of ChangeArea.Gravity: the gravity in percent of the normal gravity, plus 200.
const (
	GravityNormal = 300 // gravity 100 percent
	GravityNone   = 200 // gravity 0 percent: actors are weightless
)

// ChangeArea moves the client's player to an area and a position. Type 9, server to client. It must be sent before the NewActor
// packets of that area, because clients drop a NewActor whose Area differs from that of the last ChangeArea. When a client
// receives ChangeArea, it removes all items on the ground and, if Area is a new one, all other actors.
//
//	off  size  field    encoding  unit and range
//	0    4     X        f32       world units
//	4    4     Y        f32       world units
//	8    4     Z        f32       world units
//	12   4     Yaw      f32       degrees
//	16   1     PvP      u8        1 if players may fight each other
//	17   2     Gravity  u16       300 normal, 200 weightless
//	19   4     Area     u32       handle of this instance of the area, any number but 0
//	23   1     Weather  u8        WeatherSun..WeatherWind
//	24   1+n   Name     str8      name of the area, also of the file on the client
//
// Source: docs/wire/rcce.md#changearea.
type ChangeArea struct {
	X, Y, Z, Yaw float32 // new position of the player in world units; Yaw in degrees
	PvP          uint8   // 1 if players may fight each other, otherwise 0
	Gravity      uint16  // GravityNormal, GravityNone, or another percentage of the normal gravity plus 200
	Area         uint32  // handle of this instance of the area, not 0
	Weather      uint8   // WeatherSun..WeatherWind
	Name         string  // name of the area, and of its file on the client; at most 255 bytes
}

// ParseChangeArea decodes the payload of a packet of type 9 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseChangeArea(b []byte) (ChangeArea, error) {
	r := newReader(b)
	p := readChangeArea(&r)
	return p, r.done("ChangeArea")
}

func readChangeArea(r *reader) ChangeArea {
	return ChangeArea{
		X:       r.f32("X"),
		Y:       r.f32("Y"),
		Z:       r.f32("Z"),
		Yaw:     r.f32("Yaw"),
		PvP:     r.u8("PvP"),
		Gravity: r.u16("Gravity"),
		Area:    r.u32("Area"),
		Weather: r.u8("Weather"),
		Name:    r.str8("Name"),
	}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ChangeArea) Append(b []byte) []byte {
	b = append(b, uint8(TypeChangeArea))
	b = wire.F32(b, p.X)
	b = wire.F32(b, p.Y)
	b = wire.F32(b, p.Z)
	b = wire.F32(b, p.Yaw)
	b = append(b, p.PvP)
	b = wire.U16(b, p.Gravity)
	b = wire.U32(b, p.Area)
	b = append(b, p.Weather)
	return wire.Str8(b, p.Name)
}

// ChangeAreaRequest acknowledges a ChangeArea. Despite its name it requests nothing. Type 9, client to server. Servers ignore the
// payload. Current RealmCrafter clients do not send this packet, so a server must not wait for it without a timeout.
//
//	off  size  field  encoding  unit and range
//	0    rest  Echo   bytes     meaningless
//
// Source: docs/wire/rcce.md#changearea.
type ChangeAreaRequest struct{ Echo string } // payload, any bytes

// ParseChangeAreaRequest decodes the payload of a packet of type 9 from a client. It accepts any payload.
func ParseChangeAreaRequest(b []byte) (ChangeAreaRequest, error) {
	r := newReader(b)
	p := readChangeAreaRequest(&r)
	return p, r.done("ChangeAreaRequest")
}

func readChangeAreaRequest(r *reader) ChangeAreaRequest {
	return ChangeAreaRequest{Echo: r.rest("Echo")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ChangeAreaRequest) Append(b []byte) []byte {
	return append(append(b, uint8(TypeChangeArea)), p.Echo...)
}

// WeatherChange changes the weather of an area. Type 17, server to client. Clients in other areas ignore it.
//
//	off  size  field    encoding  unit and range
//	0    4     Area     u32       handle, as in ChangeArea
//	4    1     Weather  u8        WeatherSun..WeatherWind
//
// Source: docs/wire/rcce.md#weatherchange.
type WeatherChange struct {
	Area    uint32 // handle of the area, as in ChangeArea
	Weather uint8  // WeatherSun..WeatherWind
}

// ParseWeatherChange decodes the payload of a packet of type 17. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseWeatherChange(b []byte) (WeatherChange, error) {
	r := newReader(b)
	p := readWeatherChange(&r)
	return p, r.done("WeatherChange")
}

func readWeatherChange(r *reader) WeatherChange {
	return WeatherChange{Area: r.u32("Area"), Weather: r.u8("Weather")}
}

// Append appends the message, 6 bytes including its type, to b and returns the longer slice.
func (p WeatherChange) Append(b []byte) []byte {
	b = wire.U32(append(b, uint8(TypeWeatherChange)), p.Area)
	return append(b, p.Weather)
}

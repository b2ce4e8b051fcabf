package rcce

import (
	"github.com/truestep-io/truestep/internal/cp1252"
	proto "github.com/truestep-io/truestep/proto/rcce"
)

// Text in packets is Windows-1252; text inside the server is UTF-8. decodePacket and encodeText convert it, except the text of
// action bar slots. Password hashes are ASCII and are not converted.

// decodePacket returns a client's packet with its texts converted to UTF-8.
func decodePacket(p proto.Packet) proto.Packet {
	switch p := p.(type) {
	case proto.CreateAccountRequest:
		p.User, p.Email = cp1252.Decode(p.User), cp1252.Decode(p.Email)
		return p
	case proto.VerifyAccountRequest:
		p.User = cp1252.Decode(p.User)
		return p
	case proto.FetchCharacterRequest:
		p.User = cp1252.Decode(p.User)
		return p
	case proto.CreateCharacterRequest:
		p.User, p.Name = cp1252.Decode(p.User), cp1252.Decode(p.Name)
		return p
	case proto.DeleteCharacterRequest:
		p.User = cp1252.Decode(p.User)
		return p
	case proto.ChangePasswordRequest:
		p.User = cp1252.Decode(p.User)
		return p
	case proto.StartGameRequest:
		p.User = cp1252.Decode(p.User)
		return p
	case proto.ChatMessageRequest:
		p.Text = cp1252.Decode(p.Text)
		return p
	}
	return p
}

// encodeText returns text in Windows-1252, one byte per character. It replaces a character that Windows-1252 does not contain by
// '?'.
func encodeText(text string) string { return cp1252.Encode(text) }

// encodeTexts converts every element of list to Windows-1252. It changes list and returns it.
func encodeTexts(list []string) []string {
	for i := range list {
		list[i] = encodeText(list[i])
	}
	return list
}

// shorten cuts text after n characters.
func shorten(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

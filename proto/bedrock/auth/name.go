package auth

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxPlayerName is the maximum length of a player name (rule VE-2 of docs/wire/bedrock.md).
const MaxPlayerName = 16 // in characters

// cleanName trims a name and validates it by rule VE-2 of docs/wire/bedrock.md. The name must have 1..MaxPlayerName characters.
// It must not contain (1) control or format characters, which change the text direction or are invisible, (2) line breaks, or
// (3) the section sign that colours text. The caller checks that a name is unique on the server. Errors wrap ErrName.
func cleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxPlayerName {
		return "", fmt.Errorf("player name has %d characters, must have 1..%d: %w", n, MaxPlayerName, ErrName)
	}
	for _, c := range name {
		if c == '§' || c == utf8.RuneError || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return "", fmt.Errorf("player name %q has invalid UTF-8, a control or invisible character, a line break or a section sign: %w", name, ErrName)
		}
	}
	return name, nil
}

// namespaceURL is the UUID namespace of URLs, RFC 9562 section 6.6.
const namespaceURL = "\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"

// OfflineUUID returns the UUID of a player with a self-signed identity, as the bedrock-protocol npm client computes it. It is
// the version 3 UUID of the unchanged name, in the namespace of URLs.
func OfflineUUID(name string) [16]byte { return newUUIDv3(namespaceURL + name) }

// xboxUUID returns the UUID of an Xbox account whose token has none, derived from the XUID.
func xboxUUID(xuid string) [16]byte { return newUUIDv3("pocket-auth-1-xuid:" + xuid) }

// newUUIDv3 returns the version 3 UUID of a text, which consists of a namespace and a name. The standard requires the hash MD5;
// it is not used for security here.
func newUUIDv3(of string) [16]byte {
	id := md5.Sum([]byte(of))
	id[6] = id[6]&0x0f | 0x30
	id[8] = id[8]&0x3f | 0x80
	return id
}

// parseUUID parses the text form of a UUID, 36 characters. ok is false for any other text and for the UUID of all zeros.
func parseUUID(text string) (id [16]byte, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(text[:8]+text[9:13]+text[14:18]+text[19:23]+text[24:]))
	return id, err == nil && id != [16]byte{}
}

// formatUUID returns the text form of a UUID.
func formatUUID(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// isXUID reports whether text is the number of an Xbox account: a decimal number above 0 with at most 20 digits.
func isXUID(text string) bool {
	if len(text) < 1 || len(text) > 20 || text[0] == '0' {
		return false
	}
	return strings.Trim(text, "0123456789") == ""
}

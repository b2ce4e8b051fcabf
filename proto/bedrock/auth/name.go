package auth

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the longest name of a player, rule VE-2.
const MaxName = 16 // characters

// cleanName trims a name and checks it, rule VE-2: 1..MaxName characters, none of them a control or format character
// (such as turn the direction of text, or cannot be seen), a line break, or the section sign that colours text. That a
// name is on a server once is the business of the server. Errors wrap ErrName.
func cleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxName {
		return "", fmt.Errorf("name of %d characters: %w", n, ErrName)
	}
	for _, c := range name {
		if c == '§' || c == utf8.RuneError || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return "", fmt.Errorf("name %q: %w", name, ErrName)
		}
	}
	return name, nil
}

// namespaceURL is the UUID namespace of URLs, RFC 9562 section 6.6.
const namespaceURL = "\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"

// OfflineUUID is the identity of a player whose name nobody vouches for: the UUID of version 3 of the name as it is, in
// the namespace of URLs. The npm client derives its own in the same way.
func OfflineUUID(name string) [16]byte { return newUUIDv3(namespaceURL + name) }

// xboxUUID is the identity that the XUID of an Xbox account stands for.
func xboxUUID(xuid string) [16]byte { return newUUIDv3("pocket-auth-1-xuid:" + xuid) }

// uuid3 is a UUID of version 3: MD5 is what the standard says, and not there to keep anything secret.
func newUUIDv3(of string) [16]byte {
	id := md5.Sum([]byte(of))
	id[6] = id[6]&0x0f | 0x30
	id[8] = id[8]&0x3f | 0x80
	return id
}

// parseUUID reads the text form of a UUID, 36 characters.
func parseUUID(text string) (id [16]byte, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(text[:8]+text[9:13]+text[14:18]+text[19:23]+text[24:]))
	return id, err == nil && id != [16]byte{}
}

// formatUUID is the text form of a UUID.
func formatUUID(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// isXUID tells whether text is the number of an Xbox account: decimal, above 0, at most 20 digits.
func isXUID(text string) bool {
	if len(text) < 1 || len(text) > 20 || text[0] == '0' {
		return false
	}
	return strings.Trim(text, "0123456789") == ""
}

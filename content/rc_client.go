package content

import (
	"strings"

	"github.com/truestep-io/truestep/internal/cp1252"
)

// The files in Game Data that contain copies of server settings for clients. A server only compares them with its own
// settings. Source: RealmCrafter data specification, section 7.2.

// rcCombat is the content of Game Data/Combat.dat. The file stores DamageInfoStyle in two bytes, of which clients read
// the first.
type rcCombat struct {
	CombatDelay     uint16 // minimum ms between two attacks of one actor
	DamageInfoStyle uint8  // how clients show damage: 1 not at all, 2 in the chat, 3 as a floating number
}

func parseCombat(c *cursor) (rcCombat, error) {
	r := rcCombat{CombatDelay: c.u16("combatDelay"), DamageInfoStyle: c.u8("damageInfoStyle")}
	if c.unread() > 0 {
		c.u8("damageInfoStyle high byte")
	}
	return r, c.doneLenient()
}

// rcOther is the content of Game Data/Other.dat. Shorter files are normal; fields that they lack are 0.
type rcOther struct {
	HideNametags                 uint8 // name tags of actors: 0 always shown, 1 never, 2 on the selected actor
	DisableCollisions            bool  // clients switch collisions off
	ViewMode                     uint8 // camera: 1 first person, 2 both, 3 third person
	ServerPort                   int32 // copy of the UDP port of the server
	RequireMemorise              bool  // copy of the flag that spells must be memorised before use
	UseBubbles                   uint8 // speech bubbles: 1 never, 2 as well as chat text, 3 in place of chat text
	BubblesR, BubblesG, BubblesB uint8 // colour of speech bubbles
}

// otherSize is the length in bytes of an Other.dat that has all fields.
const otherSize = 12

func parseOther(c *cursor) (rcOther, error) {
	if n := len(c.b); n < otherSize {
		c.warn("SHORT-OPTIONAL", "the file has %d of %d bytes: the last %d are read as 0", n, otherSize, otherSize-n)
		c.b = append(c.b[:n:n], make([]byte, otherSize-n)...)
	}
	r := rcOther{
		HideNametags: c.u8("hideNametags"), DisableCollisions: c.boolByte("disableCollisions"), ViewMode: c.u8("viewMode"),
		ServerPort: c.i32("serverPort"), RequireMemorise: c.boolByte("requireMemorise"), UseBubbles: c.u8("useBubbles"),
		BubblesR: c.u8("bubblesR"), BubblesG: c.u8("bubblesG"), BubblesB: c.u8("bubblesB"),
	}
	return r, c.doneLenient()
}

// textLines splits a text file in Windows-1252 into lines of UTF-8. Lines end with LF, CR is removed, and the last line
// may lack the line end.
func textLines(b []byte) []string {
	s := strings.ReplaceAll(cp1252.Decode(string(b)), "\r", "")
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// nameFilter returns the words in Names Filter.txt, in lower case. Character names must not contain them.
func nameFilter(b []byte) []string {
	var words []string
	for _, line := range textLines(b) {
		if line = strings.TrimSpace(line); line != "" && line[0] != ';' {
			words = append(words, lowerASCII(line))
		}
	}
	return words
}

package gateway

import (
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The world passes text on as it came in: Windows-1252 from clients with one byte per letter, UTF-8 from all others. Text
// that is valid UTF-8 is taken for UTF-8. Western European text in Windows-1252 is practically never valid UTF-8.

// ToUTF8 converts a text of the world for clients that read UTF-8.
func ToUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	s, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return text
	}
	return s
}

// ToWindows1252 converts a text of the world for clients that read Windows-1252. Letters that it lacks become "?".
func ToWindows1252(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if ascii || !utf8.ValidString(text) {
		return text
	}
	b := make([]byte, 0, len(text))
	for _, r := range text {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}
		b = append(b, c)
	}
	return string(b)
}

// ExperienceText tells a player about gained experience, at doors whose protocols have no packet for it. points > 0.
func ExperienceText(points int32) string {
	if points == 1 {
		return "You gain a point of experience."
	}
	return "You gain " + strconv.Itoa(int(points)) + " points of experience."
}

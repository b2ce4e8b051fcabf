package gateway

import (
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The world hands on text as it came in: in Windows-1252 from doors whose clients have 256 letters, in UTF-8 from those
// whose clients have all. A line that is valid UTF-8 is taken for it; a line of Western European letters never is by
// accident, unless somebody means to write such nonsense as "Ã¤".

// Legible is a text of the world for clients that read UTF-8.
func Legible(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	s, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return text
	}
	return s
}

// Western is a text of the world for clients that read Windows-1252. A letter that they do not have is a question mark.
func Western(text string) string {
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

// Gained is what a player reads who gained experience, at doors whose protocols have no word for it. points > 0.
func Gained(points int32) string {
	if points == 1 {
		return "You gain a point of experience."
	}
	return "You gain " + strconv.Itoa(int(points)) + " points of experience."
}

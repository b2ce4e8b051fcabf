package content

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // a format of images
	_ "image/png"  // a format of images
	"io/fs"
	"strings"
	"unicode"

	"github.com/truestep-io/truestep/content/appearance"
)

// maxMapPixels is the maximum number of pixels of an image on a map: 2048 x 2048, which need 16 MiB of memory.
const maxMapPixels = 1 << 22

// readMap reads the table map of an area, which says how maps for operators show the area. It does not affect the game,
// so its picture is not part of the world's ContentHash.
func (b *builder) readMap(t *table) (m appearance.MapStyle) {
	if t == nil {
		return m
	}
	if i, ok := t.choice("ground", appearance.GroundStyleWords); ok {
		m.Style = appearance.GroundStyle(i)
	}
	name, hasPicture := t.rawString("picture")
	if hasPicture {
		t.require("corner", "[x, z]")
		t.require("size", "[width, depth]")
	}
	corner, size := t.coords("corner", 2, -maxCoord, maxCoord), t.coords("size", 2, 0.1, 2*maxCoord)
	if !hasPicture && (corner != nil || size != nil) {
		t.require("picture", `"map.png"`)
	}
	if hasPicture && corner != nil && size != nil {
		text, err := b.readMapPicture(name)
		if err != nil {
			t.fail("picture", "picture %q: %v", name, err)
		}
		m.Picture = &appearance.MapPicture{File: text, X: corner[0], Z: corner[1], Width: size[0], Height: size[1]}
	}
	t.reportUnknownKeys()
	return m
}

// readMapPicture returns the content of an image file in the folder of the world file, after checking that it can be
// decoded.
func (b *builder) readMapPicture(name string) (string, error) {
	if b.files == nil {
		return "", errors.New("the world was loaded without a folder from which a picture could be read: remove the picture, or load the world from its file")
	}
	info, err := fs.Stat(b.files, name)
	if err != nil {
		return "", fileErr(err)
	}
	if info.Size() > maxPicture {
		return "", fmt.Errorf("the file has %d bytes: use an image of at most %d bytes", info.Size(), maxPicture)
	}
	raw, err := fs.ReadFile(b.files, name)
	if err != nil {
		return "", fileErr(err)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("the file is not a PNG or JPEG image: %w", err)
	}
	if int64(config.Width)*int64(config.Height) > maxMapPixels {
		return "", fmt.Errorf("the image has %d x %d pixels, more than %d in all: make it smaller", config.Width, config.Height, maxMapPixels)
	}
	if _, _, err := image.Decode(bytes.NewReader(raw)); err != nil {
		return "", fmt.Errorf("the image is damaged: %w", err)
	}
	return string(raw), nil
}

// nameOf returns the name of an element whose name appears only in messages and on maps, or "" if it has none. Any name is
// accepted; a long one is truncated, and characters that cannot be printed are removed.
func nameOf(t *table) string {
	v, _ := t.get("name")
	s, _ := v.(string)
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s))
	return string(letters[:min(len(letters), maxName)])
}

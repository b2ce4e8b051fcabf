package content

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/truestep-io/truestep/content/appearance"
)

// mapped returns the source of the tiny world with a map table of its first area.
func mapped(keys string) []byte {
	return []byte(strings.Replace(tinyTOML, "weather = { rain = 10 }", "weather = { rain = 10 }\nmap = { "+keys+" }", 1))
}

func pictureFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	img.Set(1, 1, color.NRGBA{R: 9, A: 255})
	var asPNG, asJPEG bytes.Buffer
	if err := png.Encode(&asPNG, img); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&asJPEG, img, nil); err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"map.png": {Data: asPNG.Bytes()}, "map.jpg": {Data: asJPEG.Bytes()}, "text.png": {Data: []byte("no picture")},
		"cut.png": {Data: asPNG.Bytes()[:asPNG.Len()-20]},
	}
}

func TestMapPictureInWorldFileDoesNotChangeContentHash(t *testing.T) {
	files := pictureFiles(t)
	src := mapped(`ground = "forest", picture = "map.png", corner = [-10, 20], size = [30, 40]`)
	w, _, err := LoadWorldFiles("tiny.toml", src, files)
	if err != nil {
		t.Fatal(err)
	}
	m := w.Appearance.MapOf(0)
	if m.Style != appearance.ForestStyle || m.Picture == nil || m.Picture.X != -10 || m.Picture.Z != 20 || m.Picture.Width != 30 || m.Picture.Height != 40 || m.Picture.File != string(files["map.png"].Data) {
		t.Errorf("%+v", m)
	}
	if other := w.Appearance.MapOf(1); other.Style != appearance.GrassStyle || other.Picture != nil {
		t.Errorf("an area without the table: %+v", other)
	}
	if m := w.Appearance.MapOf(99); m.Picture != nil {
		t.Errorf("no area: %+v", m)
	}
	files["map.png"] = files["map.jpg"]
	again, _, err := LoadWorldFiles("tiny.toml", src, files)
	if err != nil || again.ContentHash != w.ContentHash {
		t.Errorf("another picture, as JPEG: %v, hashes %x and %x", err, again.ContentHash, w.ContentHash)
	}
}

func TestInvalidMapOfAreaIsRefusedWithReason(t *testing.T) {
	files := pictureFiles(t)
	const place = `, corner = [0, 0], size = [9, 9]`
	for _, c := range []struct{ keys, says string }{
		{`ground = "jungle"`, `ground "jungle" is unknown: use one of grass, meadow, moor`},
		{`picture = "map.png"`, `corner is missing`},
		{`picture = "map.png", corner = [0, 0]`, `size is missing`},
		{`corner = [0, 0], size = [1, 1]`, `picture is missing`},
		{`picture = "none.png"` + place, `picture "none.png": file does not exist`},
		{`picture = "text.png"` + place, `not a PNG or JPEG image`},
		{`picture = "cut.png"` + place, `the image is damaged`},
		{`picture = "map.png", corner = [0, 0], size = [0, 9]`, `size contains 0`},
		{`colour = "red"`, `unknown key`},
	} {
		if _, _, err := LoadWorldFiles("tiny.toml", mapped(c.keys), files); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.keys, err, c.says)
		}
	}
}

func TestWaterAndZonesHaveConfiguredNamesOnMaps(t *testing.T) {
	w := DefaultWorld()
	vale := w.Appearance.MapOf(int(w.AreaNamed("Truestep Vale")))
	if len(vale.WaterNames) != 1 || vale.WaterNames[0] != "Mill pond" || len(vale.ZoneNames) != 2 {
		t.Errorf("%q, %q", vale.WaterNames, vale.ZoneNames)
	}
}

// clientArea returns a client's area file with two terrains, a scenery object and an emitter.
func clientArea() []byte {
	w := fileWriter{}
	w.b = make([]byte, rcAreaHead)
	w.u16(1)
	w.b = append(w.b, make([]byte, rcSceneryFixed)...)
	w.str("light.png", "")
	w.b = append(w.b, make([]byte, rcSceneryEnd)...)
	w.u16(1)
	w.b = append(w.b, make([]byte, rcClientWater)...)
	w.u16(0)
	w.u16(1)
	w.str("smoke")
	w.b = append(w.b, make([]byte, rcEmitterFixed)...)
	w.u16(2)
	for _, size := range []float32{4, 10} {
		w.u16(1, 2)
		w.i32(2)
		w.f32(0, 0.25, 0.5, 0, 0.25, 0.5, 1, 1, 1)
		w.f32(-20, 3, -30, 0, 0, 0, size, 100, size)
		w.f32(1)
		w.i32(0)
		w.u8(0, 0)
	}
	w.u16(0)
	return w.b
}

func TestMapOfRealmCrafterProjectHasHeightsOfLargestTerrain(t *testing.T) {
	files := smallProject().files()
	plain, _, err := LoadProject(files, ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	id := plain.World.AreaNamed("meadow")
	name := "Areas/" + plain.World.Areas[id].Name + ".dat"
	files[name] = &fstest.MapFile{Data: clientArea()}
	p, warnings, err := LoadProject(files, ProjectOptions{})
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	r := p.World.Appearance.MapOf(int(id)).Relief
	if r == nil || r.X != -20 || r.Z != -30 || r.StepX != 10 || r.Width != 3 || r.Depth != 3 || r.Lowest != 3 || r.Range != 100 || r.Heights[4] != 28 || r.Heights[8] != 103 {
		t.Errorf("%+v", r)
	}
	if p.World.ContentHash != plain.World.ContentHash {
		t.Error("a file that only clients read changes the content hash")
	}
	for n := range clientArea() {
		files[name] = &fstest.MapFile{Data: clientArea()[:n]}
		p, warnings, err := LoadProject(files, ProjectOptions{})
		if err != nil {
			t.Fatalf("%d bytes of a client's area file: %v", n, err)
		}
		whole := n >= len(clientArea())-2 // the rest is sound zones, which are not read
		if got := p.World.Appearance.MapOf(int(id)).Relief; !whole && (len(warnings) != 1 || got != nil) {
			t.Fatalf("%d bytes of a client's area file: %v, relief %v", n, warnings, got)
		}
	}
}

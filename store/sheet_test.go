package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// TestEncodedCharacterSheetEqualsDocumentedExample checks the example in sheet.go.
func TestEncodedCharacterSheetEqualsDocumentedExample(t *testing.T) {
	c := &sim.Character{Door: "rcce", Level: 3, Area: "Village", Pos: geom.Vec{X: 12.5, Z: -3}}
	c.Attr[0].Value, c.Attr[0].Max = 80, 100
	c.Attr[2].Value, c.Attr[2].Max = 7, 30
	c.Inventory[0] = sim.ItemStack{Item: 4, Amount: 1, Health: 97}
	c.Inventory[1] = sim.ItemStack{Item: 9, Health: 50} // an amount of 0 means an empty slot, which the sheet omits
	c.ActionBar[0] = "Sfire"
	got, err := EncodeSheet(c)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"door":"rcce","template":0,"level":3,"xp":0,"gold":0,"repute":0,"area":"Village","pos":[12.5,0,-3],` +
		`"attr":[[80,100],[0,0],[7,30]],"faction":0,"inventory":[{"slot":0,"item":4,"amount":1,"health":97}],"bar":{"0":"Sfire"}}`
	if string(got) != want {
		t.Errorf("sheet is\n%s, want\n%s", got, want)
	}
}

func TestDamagedCharacterSheetIsRefused(t *testing.T) {
	many := strings.Repeat("0,", 100) + "1"
	for name, sheet := range map[string]string{
		"empty":               ``,
		"cut":                 `{"gold":5`,
		"a list":              `[]`,
		"two objects":         `{} {}`,
		"an unknown key":      `{"glod":5}`,
		"a number too large":  `{"gold":3000000000}`,
		"a negative template": `{"template":-1}`,
		"too many ratings":    `{"ratings":[` + many + `]}`,
		"a rating above 255":  `{"ratings":[256]}`,
		"too many resists":    `{"resist":[` + many + `]}`,
		"slot 46":             `{"inventory":[{"slot":46,"item":1,"amount":1,"health":1}]}`,
		"slot -1":             `{"inventory":[{"slot":-1,"item":1,"amount":1,"health":1}]}`,
		"too long item":       `{"inventory":[{"slot":0,"item":1,"amount":1,"health":1,"attr":[` + many + `]}]}`,
		"too long drop":       `{"dropped":[{"item":1,"amount":1,"health":1,"attr":[` + many + `]}]}`,
		"action bar slot 36":  `{"bar":{"36":"x"}}`,
	} {
		if c, err := DecodeSheet([]byte(sheet)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
}

func FuzzDecodeSheet(f *testing.F) {
	f.Add([]byte(`{"level":3,"attr":[[80,100]],"inventory":[{"slot":0,"item":4,"amount":1,"health":97,"attr":[]}],"bar":{"0":"Sfire"}}`))
	f.Add([]byte(`{"pets":[{"template":1,"name":"é"}],"pos":[1e30,-0,1],"ratings":[200]}`))
	f.Add([]byte(`{"dropped":[{"handle":7,"item":4,"amount":1,"health":97,"attr":[0,3]},{"item":1,"amount":2,"health":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeSheet(data)
		if err != nil {
			return
		}
		once, err := EncodeSheet(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeSheet(once)
		if err != nil {
			t.Fatalf("decoding an encoded sheet %s: %v", once, err)
		}
		if twice, err := EncodeSheet(back); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s, %v", once, twice, err)
		}
	})
}

func BenchmarkSheet(b *testing.B) {
	c := &sim.Character{Name: "Ada", Door: "rcce", Level: 3, Area: "Village"}
	for i := range 8 {
		c.Attr[i].Value, c.Attr[i].Max = 50, 100
		c.Inventory[i] = sim.ItemStack{Item: uint16(i), Amount: 1, Health: 100}
	}
	for i := range c.Ratings {
		c.Ratings[i] = 100
	}
	for i := range c.Resist {
		c.Resist[i] = 100
	}
	sheet, err := EncodeSheet(c)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := EncodeSheet(c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(sheet)), "bytes/character")
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := DecodeSheet(sheet); err != nil {
				b.Fatal(err)
			}
		}
	})
}

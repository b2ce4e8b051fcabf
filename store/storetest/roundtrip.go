package storetest

import (
	"math"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// letters contains all characters of Latin-1 including control characters such as NUL, and characters of one to four
// bytes in UTF-8.
var letters = func() []rune {
	list := []rune("Жора 日本 \U0001F600 \u2028 \ufffd")
	for r := range rune(256) {
		list = append(list, r)
	}
	return list
}()

// anyText returns the text of all letters, rotated by n characters, so that each n gives another text.
func anyText(n int) string {
	return string(letters[n%len(letters):]) + string(letters[:n%len(letters)])
}

// fill sets every field of v to a value that is not zero and differs from the values of the fields beside it. It uses reflection,
// so that a record field that is added later, but not stored, makes the test fail.
func fill(v reflect.Value, next *int) {
	*next++
	n := *next
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n%100+1) * int64(1-n%2*2)) // positive and negative values alternate
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(n%100 + 1))
	case reflect.Float32:
		v.SetFloat(float64(float32(n) + 1.0/3))
	case reflect.String:
		v.SetString(anyText(n))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), next)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range 3 {
			fill(v.Index(i), next)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next)
	default:
		panic("storetest: fill does not support the type of a record's field: " + v.Type().String())
	}
}

// full returns a character with every field set.
func full(name string) *sim.Character {
	c := new(sim.Character)
	fill(reflect.ValueOf(c).Elem(), new(int))
	c.Name = name
	return c
}

func textRoundTrips(t *testing.T, open Open) {
	b := begin(t, open)
	text := anyText(0)
	want := store.Account{Name: text, Secret: text, Email: text, Ignore: []string{text}}
	id, err := b.CreateAccount(b.ctx, want)
	b.must(err)
	b.character(id, text)
	b.reopen()
	got, err := b.Account(b.ctx, text)
	b.must(err)
	if got.Name != want.Name || got.Secret != want.Secret || got.Email != want.Email || got.Ignore[0] != text {
		t.Errorf("account came back as %+v", *got)
	}
	if b.names(id) != text {
		t.Errorf("character came back as %q", b.names(id))
	}
}

func invalidUTF8IsRefused(t *testing.T, open Open) {
	b := begin(t, open)
	const bad = "J\xf6rg"
	for _, a := range []store.Account{{Name: bad}, {Name: "a", Secret: bad}, {Name: "a", Email: bad}, {Name: "a", Ignore: []string{bad}}} {
		_, err := b.CreateAccount(b.ctx, a)
		b.mustBe(err, store.ErrText)
		_, err = b.ImportAccounts(b.ctx, []store.Import{{Account: a}})
		b.mustBe(err, store.ErrText)
	}
	id := b.account("a")
	_, err := b.CreateCharacter(b.ctx, id, &sim.Character{Name: bad}, 1)
	b.mustBe(err, store.ErrText)
	b.mustBe(b.SetSecret(b.ctx, id, bad), store.ErrText)
	_, err = b.Account(b.ctx, bad)
	b.mustBe(err, store.ErrNotFound)

	// A record with a text that is not valid UTF-8 must not prevent its batch from being saved.
	c := b.character(id, "c")
	c.Tag, c.Gold = bad, 7
	b.must(b.SaveCharacters(b.ctx, nil, []*sim.Character{c}))
	if got := b.roster(id)[0]; got.Tag != "J\ufffdrg" || got.Gold != 7 {
		t.Errorf("the loaded character has the tag %q and %d gold, want %q and 7", got.Tag, got.Gold, "J\ufffdrg")
	}
}

func charactersRoundTrip(t *testing.T, open Open) {
	extreme := full("Extreme")
	extreme.Gold, extreme.XP, extreme.Reputation = math.MaxInt32, math.MinInt32, math.MinInt32
	extreme.Attr[0].Value, extreme.Attr[39].Max = math.MinInt32, math.MaxInt32
	extreme.Ratings[0], extreme.Ratings[99] = 255, 0
	extreme.Pos = geom.Vec{X: -99999.99, Y: math.SmallestNonzeroFloat32, Z: math.MaxFloat32}
	extreme.Inventory[3] = sim.ItemStack{Item: 65534, Amount: 65535, Attr: new([40]int16)} // has its own attributes, all of them 0
	extreme.Inventory[45] = sim.ItemStack{Item: 1, Amount: 1}
	extreme.Inventory[7] = sim.ItemStack{}
	for _, want := range []*sim.Character{full("Full"), extreme, {Name: "Zero"}} {
		t.Run(want.Name, func(t *testing.T) {
			b := begin(t, open)
			id := b.account("owner")
			made, err := b.CreateCharacter(b.ctx, id, want, 1)
			b.must(err)
			want.ID = made
			b.reopen()
			same(t, b.roster(id)[0], want, "created")

			fresh := b.character(id, "Other"+want.Name)
			saved := *want
			saved.ID, saved.Name = fresh.ID, fresh.Name
			b.must(b.SaveCharacters(b.ctx, nil, []*sim.Character{&saved}))
			b.reopen()
			same(t, b.roster(id)[1], &saved, "saved")
			one, err := b.Character(b.ctx, saved.ID)
			b.must(err)
			same(t, one, &saved, "read by its id")
			_, err = b.Character(b.ctx, saved.ID+1)
			b.mustBe(err, store.ErrNotFound)
			owner, err := b.Owner(b.ctx, saved.ID)
			b.must(err)
			if owner != id {
				t.Errorf("the owner is account %d, want %d", owner, id)
			}
			_, err = b.Owner(b.ctx, saved.ID+1)
			b.mustBe(err, store.ErrNotFound)
		})
	}
}

func same(t *testing.T, got, want *sim.Character, how string) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, w := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range g.NumField() {
		if a, b := g.Field(i).Interface(), w.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %s came back as %v, want %v", how, g.Type().Field(i).Name, a, b)
		}
	}
}

func notANumberIsStoredAsZero(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("owner")
	c := b.character(id, "Lost")
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	c.Pos, c.Yaw, c.Gold = geom.Vec{X: nan, Y: inf, Z: 7}, nan, 5
	b.must(b.SaveCharacters(b.ctx, nil, []*sim.Character{c}))
	got := b.roster(id)[0]
	if got.Pos != (geom.Vec{Z: 7}) || got.Yaw != 0 || got.Gold != 5 {
		t.Errorf("came back at %v, yaw %v, gold %d", got.Pos, got.Yaw, got.Gold)
	}
}

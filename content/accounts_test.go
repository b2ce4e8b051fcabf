package content

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// jsonInstance and the types below are accounts as in the examples of the RealmCrafter data specification. Their maps
// omit zeros.
type jsonInstance struct {
	Actor                            uint16
	Area, Name, Tag                  string
	TeamID                           int32 `json:"teamId"`
	X, Y, Z                          float32
	Gender                           uint8
	XP                               int32 `json:"xp"`
	XPBarLevel                       uint8 `json:"xpBarLevel"`
	Level, Face, Hair, Beard, Body   uint16
	AttributeValue, AttributeMaximum map[string]uint16
	Resistances                      map[string]uint16
	Inventory                        map[string]struct {
		ID         uint16 `json:"id"`
		Attributes map[string]int
		Health     uint8
		Amount     uint16
	}
	Script, DeathScript string
	Reputation          int16
	Gold                int32
	HomeFaction         uint8
	FactionRatings      map[string]uint8
	ScriptGlobals       map[string]string
	KnownSpells         map[string]struct {
		ID    uint16 `json:"id"`
		Level uint16
	}
	MemorisedSpells map[string]uint16
	LastPortalArea  string
	LastPortal      uint16
	LastPortalTime  int32
	Pets            []jsonInstance
}

type jsonCharacter struct {
	jsonInstance
	Quests    map[string]struct{ Name, Status string }
	ActionBar map[string]string
}

type jsonAccount struct {
	User, Password, Email string
	GM, Banned            uint8
	Ignore                string
	Characters            []jsonCharacter
}

// accountWriter is an independent encoder for Accounts.dat.
type accountWriter struct {
	fileWriter
	version uint8
}

func writeAccounts(list []jsonAccount, version uint8) []byte {
	w := &accountWriter{version: version}
	if version > 0 {
		w.i32(accountsMagic)
		w.u8(version)
	}
	for _, a := range list {
		w.str(a.User, a.Password, a.Email)
		w.u8(a.GM, a.Banned)
		w.str(a.Ignore)
		w.u8(uint8(len(a.Characters)))
		for _, c := range a.Characters {
			w.character(c)
		}
	}
	return w.b
}

func (w *accountWriter) character(c jsonCharacter) {
	w.instance(c.jsonInstance)
	for i := range questSlots {
		q := c.Quests[strconv.Itoa(i)]
		w.str(q.Name, q.Status)
	}
	for i := range 36 {
		w.str(c.ActionBar[strconv.Itoa(i)])
	}
}

func (w *accountWriter) instance(c jsonInstance) {
	w.u16(c.Actor)
	w.str(c.Area, c.Name, c.Tag)
	w.i32(c.TeamID)
	w.f32(c.X, c.Y, c.Z)
	w.u8(c.Gender)
	w.i32(c.XP)
	w.u8(c.XPBarLevel)
	w.u16(c.Level, c.Face, c.Hair, c.Beard, c.Body)
	for i := range 40 {
		w.u16(c.AttributeValue[strconv.Itoa(i)], c.AttributeMaximum[strconv.Itoa(i)])
	}
	for i := range 20 {
		w.u16(c.Resistances[strconv.Itoa(i)])
	}
	for i := range sim.SlotCount {
		s, ok := c.Inventory[strconv.Itoa(i)]
		if !ok {
			w.u16(noItem, 0)
			continue
		}
		w.u16(s.ID)
		for j := range 40 {
			w.u16(uint16(s.Attributes[strconv.Itoa(j)] + itemOffset))
		}
		w.u8(s.Health)
		w.u16(s.Amount)
	}
	w.str(c.Script, c.DeathScript)
	w.u16(uint16(c.Reputation))
	w.i32(c.Gold)
	w.u8(uint8(len(c.Pets)), c.HomeFaction)
	for i := range 100 {
		w.u8(c.FactionRatings[strconv.Itoa(i)])
	}
	for i := range 10 {
		w.str(c.ScriptGlobals[strconv.Itoa(i)])
	}
	for i := range spellSlots {
		s := c.KnownSpells[strconv.Itoa(i)]
		w.u16(s.ID, s.Level)
	}
	for i := range 10 {
		s, ok := c.MemorisedSpells[strconv.Itoa(i)]
		if !ok {
			s = 5000
		}
		w.u16(s)
	}
	if w.version > 0 {
		w.str(c.LastPortalArea)
		w.u16(c.LastPortal)
		w.i32(c.LastPortalTime)
	}
	for _, p := range c.Pets {
		w.instance(p)
	}
}

// sampleAccounts returns two accounts like those in the examples of the RealmCrafter data specification.
func sampleAccounts() []jsonAccount {
	pet := jsonInstance{Actor: 1, Name: "Stag", Level: 1, AttributeValue: map[string]uint16{"0": 80}, AttributeMaximum: map[string]uint16{"0": 100}}
	c := jsonCharacter{jsonInstance: jsonInstance{
		Actor: 0, Area: "Meadow", Name: "Vector", X: -52.5, Y: 3.25, Z: 88, Gender: 1, XP: 1234, XPBarLevel: 5, Level: 3, Face: 1, Body: 2,
		AttributeValue: map[string]uint16{"0": 80, "4": 30}, AttributeMaximum: map[string]uint16{"0": 100, "4": 100},
		Reputation: -10, Gold: 50, Pets: []jsonInstance{pet},
	}}
	return []jsonAccount{
		{User: "rustbot", Password: strings.Repeat("0a", 16), Email: "rust@bot.com", Ignore: "bob,eve,", Characters: []jsonCharacter{c}},
		{User: "old", Password: "gone", GM: 1, Banned: 1},
	}
}

func TestAccountsFilesCapturedFromRealmCrafterAreDecoded(t *testing.T) {
	project, want := realProject(t), expected(t)
	var v struct {
		Accounts []jsonAccount
		V0, V1   struct {
			Size   int
			SHA256 string `json:"sha256"`
		}
	}
	if err := json.Unmarshal(want.Accounts, &v); err != nil {
		t.Fatal(err)
	}
	p, _, err := LoadProject(project, ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for version, sum := range map[uint8]struct {
		size int
		hash string
	}{0: {v.V0.Size, v.V0.SHA256}, 1: {v.V1.Size, v.V1.SHA256}} {
		b := writeAccounts(v.Accounts, version)
		got := sha256.Sum256(b)
		if len(b) != sum.size || hex.EncodeToString(got[:]) != sum.hash {
			t.Fatalf("version %d: wrote %d bytes with hash %x, want %d with %s", version, len(b), got, sum.size, sum.hash)
		}
		list, warnings, err := ReadAccounts(b, p.World)
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		for _, w := range warnings {
			t.Errorf("version %d: %s", version, w)
		}
		checkVectorAccounts(t, list)
	}
}

// All text in Accounts.dat is Windows-1252. An item in the action bar is an 'I' and two bytes, which must not be converted.
func TestImportedAccountTextIsConvertedToUTF8(t *testing.T) {
	accounts := sampleAccounts()
	a := &accounts[0]
	a.User, a.Email, a.Ignore = "J\xf6rg", "j\xf6rg@x", "M\xfcller,bob,"
	c := &a.Characters[0]
	c.Name, c.Tag, c.Pets[0].Name = "J\xf6rg", "K\xf6nig", "Bl\xe4\xdf"
	c.ActionBar = map[string]string{"0": "SFeuersto\xdf \x80", "1": "I\xc3\xa9", "2": "I\x81\x00"}
	list, _, err := ReadAccounts(writeAccounts(accounts, 1), accountWorld(t))
	if err != nil {
		t.Fatal(err)
	}
	got := list[0]
	if got.Name != "Jörg" || got.Email != "jörg@x" || !slices.Equal(got.Ignore, []string{"Müller", "bob"}) {
		t.Errorf("the account is %+v", got)
	}
	ch := got.Characters[0]
	if ch.Name != "Jörg" || ch.Tag != "König" || ch.Pets[0].Name != "Bläß" {
		t.Errorf("the character is %q, %q, %q", ch.Name, ch.Tag, ch.Pets[0].Name)
	}
	if ch.ActionBar[0] != "SFeuerstoß €" || ch.ActionBar[1] != "IÃ©" || ch.ActionBar[2] != "I\u0081\x00" {
		t.Errorf("the action bar is %q", ch.ActionBar[:3])
	}
}

func checkVectorAccounts(t *testing.T, list []Account) {
	t.Helper()
	if len(list) != 2 || len(list[0].Characters) != 1 || len(list[1].Characters) != 0 {
		t.Fatalf("read %+v", list)
	}
	bot, old := list[0], list[1]
	if bot.Name != "rustbot" || bot.Kind != SecretSalted || bot.GM || bot.Banned || !slices.Equal(bot.Ignore, []string{"bob"}) {
		t.Errorf("account %+v", bot)
	}
	if old.Name != "old" || old.Kind != SecretMD5 || !old.GM || !old.Banned {
		t.Errorf("account %+v", old)
	}
	c := bot.Characters[0]
	if c.Name != "Vector" || c.Area != "Plains" || c.Pos.X != -52.5 || c.Appearance != (sim.Appearance{Gender: 1, Face: 1, Body: 2}) ||
		c.XP != 1234 || c.XPBar != 5 || c.Level != 3 || c.Gold != 50 || c.Reputation != -10 || c.Resist[3] != 110 || c.Ratings[1] != 100 {
		t.Errorf("character %+v", c)
	}
	if a := c.Attr[0]; a.Value != 80 || a.Max != 100 {
		t.Errorf("health %+v", a)
	}
	sword, helmet := c.Inventory[0], c.Inventory[14]
	if sword.Item != 3 || sword.Amount != 1 || sword.Health != 99 || sword.Attr == nil || sword.Attr[2] != -5 {
		t.Errorf("sword %+v", sword)
	}
	if helmet.Item != 1 || helmet.Amount != 2 || helmet.Attr != nil {
		t.Errorf("helmet %+v", helmet)
	}
	if len(c.Pets) != 1 || c.Pets[0] != (sim.Pet{Template: 1, Health: 100}) {
		t.Errorf("pets %+v", c.Pets)
	}
	if c.ActionBar[0] != "SFireball" || c.ActionBar[35] != "I\x03\x00" {
		t.Errorf("action bar %q", c.ActionBar)
	}
}

// accountWorld returns a world with the two templates and the area of sampleAccounts.
func accountWorld(t testing.TB) *World {
	t.Helper()
	p, _, err := LoadProject(smallProject().files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p.World
}

func TestWrittenAccountsFileIsReadUnchanged(t *testing.T) {
	w := accountWorld(t)
	for version := range uint8(2) {
		list, warnings, err := ReadAccounts(writeAccounts(sampleAccounts(), version), w)
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		if len(list) != 2 || list[0].Characters[0].Pos.Z != 88 || list[0].Characters[0].Pets[0].Health != 80 {
			t.Errorf("version %d: read %+v", version, list)
		}
		if len(warnings) != 1 || warnings[0].Code != "ACCOUNT-SECRET" {
			t.Errorf("version %d: warnings %v, want one about the secret of old", version, warnings)
		}
	}
}

func TestEmptyAccountsFileIsValid(t *testing.T) {
	for _, b := range [][]byte{nil, writeAccounts(nil, 1)} {
		if list, _, err := ReadAccounts(b, DefaultWorld()); err != nil || len(list) != 0 {
			t.Errorf("%x: %v, %v", b, list, err)
		}
	}
}

// When an account is created, the RealmCrafter server appends only three strings and one zero byte to the file. When it saves
// the whole file next, it writes the account in the complete format.
func TestAccountsWithoutCharactersAtEndOfFileAreRead(t *testing.T) {
	w := accountWorld(t)
	var tail fileWriter
	for _, name := range []string{"new", "newer"} {
		tail.str(name, strings.Repeat("ab", 16), name+"@bot.com")
		tail.u8(0)
	}
	for version := range uint8(2) {
		b := append(writeAccounts(sampleAccounts(), version), tail.b...)
		list, warnings, err := ReadAccounts(b, w)
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		if len(list) != 4 || list[2].Name != "new" || list[3].Email != "newer@bot.com" || list[3].Kind != SecretMD5 || list[3].GM {
			t.Errorf("version %d: read %+v", version, list)
		}
		if n := countCode(warnings, "ACCOUNT-TAIL"); n != 2 {
			t.Errorf("version %d: %d warnings about short accounts, want 2", version, n)
		}
		if _, _, err := ReadAccounts(b[:len(b)-1], w); err == nil {
			t.Errorf("version %d: a truncated short account was accepted", version)
		}
	}
}

func countCode(warnings []Warning, code string) (n int) {
	for _, w := range warnings {
		if w.Code == code {
			n++
		}
	}
	return n
}

func TestUnknownReferencesInAccountsCauseWarnings(t *testing.T) {
	w := accountWorld(t)
	list := sampleAccounts()
	list[1].User = "RUSTBOT"
	c := &list[0].Characters[0]
	c.Area, c.Pets[0].Actor = "Atlantis", 99
	c.Inventory = map[string]struct {
		ID         uint16 `json:"id"`
		Attributes map[string]int
		Health     uint8
		Amount     uint16
	}{"3": {ID: 777, Health: 50, Amount: 1}, "14": {ID: 0, Health: 50, Amount: 1}}
	stranger := *c
	stranger.Actor = 42
	list[0].Characters = append(list[0].Characters, stranger)
	got, warnings, err := ReadAccounts(writeAccounts(list, 1), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"ACCOUNT-DUPLICATE", "CHARACTER-AREA", "CHARACTER-PET", "CHARACTER-ITEM", "CHARACTER-TEMPLATE"} {
		if countCode(warnings, code) != 1 {
			t.Errorf("%d warnings %s, want 1; all: %v", countCode(warnings, code), code, warnings)
		}
	}
	if len(got) != 1 || len(got[0].Characters) != 1 {
		t.Fatalf("read %+v", got)
	}
	if inv := got[0].Characters[0].Inventory; !inv[3].Empty() || inv[14].Item != 0 || inv[14].Amount != 1 {
		t.Errorf("inventory %+v: item 777 is unknown, item 0 is a real item", inv)
	}
}

func TestInvalidAccountsFilesAreRefused(t *testing.T) {
	deep := sampleAccounts()
	chain := jsonInstance{Actor: 1}
	for range maxPetDepth {
		chain = jsonInstance{Actor: 1, Pets: []jsonInstance{chain}}
	}
	deep[0].Characters[0].Pets = []jsonInstance{chain}
	many := sampleAccounts()
	many[0].Characters[0].Pets = make([]jsonInstance, maxPets+1)
	newer := writeAccounts(nil, 1)
	newer[4] = 2
	whole := writeAccounts(sampleAccounts(), 0)
	tests := map[string]struct {
		b    []byte
		want string
	}{
		"pets of pets of pets of pets of pets": {writeAccounts(deep, 1), "pets that have pets are nested deeper than 4 levels"},
		"too many pets":                        {writeAccounts(many, 0), "the number of pets, 33, is outside 0..32"},
		"a newer version":                      {newer, "offset 4: the file has version 2"},
		"a file that is cut":                   {whole[:5000], "account 0"},
		"a text file":                          {[]byte("user = bob\n"), "offset 0: account 0: user: the string length"},
	}
	for name, tt := range tests {
		list, _, err := ReadAccounts(tt.b, DefaultWorld())
		if err == nil || !strings.Contains(err.Error(), tt.want) || list != nil {
			t.Errorf("%s: %v, want an error with %q", name, err, tt.want)
		}
	}
}

func FuzzReadAccounts(f *testing.F) {
	f.Add(writeAccounts(sampleAccounts(), 0))
	f.Add(writeAccounts(sampleAccounts(), 1))
	f.Add(writeAccounts(sampleAccounts()[1:], 1)) // small seed inputs let short fuzz runs find more
	w := accountWorld(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		list, _, err := ReadAccounts(b, w)
		if err != nil && list != nil {
			t.Fatal("both an error and accounts were returned")
		}
		for _, a := range list {
			for _, c := range a.Characters {
				if w.Template(c.Template) == nil || c.HomeFaction >= 100 || c.Appearance.Gender > 1 {
					t.Fatalf("accepted %+v", c)
				}
			}
		}
	})
}

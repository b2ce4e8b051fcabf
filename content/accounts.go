package content

import (
	"errors"
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// accountsFile is the path of the accounts file inside a project. Messages about the file begin with this path.
const accountsFile = serverData + "/Accounts.dat"

// Account is one account of a RealmCrafter server, with those of its characters that this world can import.
type Account struct {
	Name       string           // account name, unique if ASCII case is ignored
	Secret     string           // password secret as stored in the file, in the format of Kind
	Kind       SecretKind       // format of Secret
	Email      string           // e-mail address; may be ""
	GM, Banned bool             // GM: the account is a game master; Banned: it may not log in
	Ignore     []string         // names of the accounts that this account ignores
	Characters []*sim.Character // the imported characters
}

// SecretKind is the format in which a password is stored.
type SecretKind uint8

// Values of SecretKind. Clients send the MD5 of the password as 32 lower-case hexadecimal digits (md5hex).
const (
	SecretNone   SecretKind = iota // the account has no usable password: login is impossible
	SecretMD5                      // the hexadecimal MD5 of the password, which must be hashed before it is stored
	SecretSalted                   // "$1$", 16 characters of salt, "$", then the hexadecimal SHA-256 of the salt followed by the MD5 text
)

// ReadAccounts reads Accounts.dat of a RealmCrafter server, version 0 or 1, for world w. An empty file is valid.
//
// Data that the world cannot import is omitted with a warning: characters of unknown templates, unknown items, the second of two
// accounts with the same name. Positions are imported even if the world does not have their area. The portal that a character
// used last is not imported, because the time until which it is locked refers to the clock of the old server process. Quests,
// spells and script variables are omitted.
//
// Files often end with accounts that were created after the last full save. Such accounts have no characters and are
// imported. If the file is damaged in any other way, ReadAccounts returns no accounts and an error with the offset of the
// damage.
func ReadAccounts(b []byte, w *World) ([]Account, []Warning, error) {
	c := newCursor(accountsFile, b)
	raw, err := parseAccounts(c)
	if err != nil {
		return nil, nil, err
	}
	im := &importer{w: w.World, warnings: c.warnings}
	var list []Account
	for i := range raw {
		if a, ok := im.importAccount(&raw[i], list); ok {
			list = append(list, a)
		}
	}
	return list, im.warnings, nil
}

// importer converts the accounts and characters in a file to those of world w.
type importer struct {
	w        *sim.World
	warnings []Warning
}

func (im *importer) warn(code, where, format string, args ...any) {
	im.warnings = append(im.warnings, Warning{code, accountsFile, where, fmt.Sprintf(format, args...)})
}

func (im *importer) importAccount(r *rcAccount, others []Account) (Account, bool) {
	where := "account " + r.User
	for i := range others {
		if sim.EqualFold(others[i].Name, r.User) {
			im.warn("ACCOUNT-DUPLICATE", where, "another account has the same name: this account is not imported")
			return Account{}, false
		}
	}
	if r.User == "" {
		im.warn("ACCOUNT-NAMELESS", where, "the account has no name: it is not imported")
		return Account{}, false
	}
	a := Account{
		Name: r.User, Secret: r.Password, Kind: secretKind(r.Password), Email: r.Email, GM: r.GM, Banned: r.Banned,
	}
	if a.Kind == SecretNone {
		im.warn("ACCOUNT-SECRET", where, "the password has an unknown format: no player can log in to the account until a new password is set")
	}
	for name := range strings.SplitSeq(r.Ignore, ",") {
		if name != "" {
			a.Ignore = append(a.Ignore, name)
		}
	}
	for i := range r.Characters {
		if ch, ok := im.importCharacter(&r.Characters[i], where, r.GM); ok {
			a.Characters = append(a.Characters, ch)
		}
	}
	return a, true
}

func secretKind(s string) SecretKind {
	const prefix, salt, md5Hex, shaHex = 3, 16, 32, 64
	switch {
	case len(s) == md5Hex && isHex(s):
		return SecretMD5
	case len(s) == prefix+salt+1+shaHex && strings.HasPrefix(s, "$1$") && s[prefix+salt] == '$' && isHex(s[prefix+salt+1:]):
		return SecretSalted
	}
	return SecretNone
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// importCharacter converts a stored character to a character record. It returns false if the world has no template for
// the character.
func (im *importer) importCharacter(r *rcCharacter, account string, gm bool) (*sim.Character, bool) {
	in := &r.Instance
	where := account + ": character " + in.Name
	if im.w.Template(in.Actor) == nil {
		im.warn("CHARACTER-TEMPLATE", where, "the character's template, actor %d, does not exist: the character is not imported", in.Actor)
		return nil, false
	}
	if in.Name == "" {
		im.warn("CHARACTER-NAMELESS", where, "the character has no name: it is not imported")
		return nil, false
	}
	if im.w.AreaNamed(in.Area) == sim.NoArea {
		im.warn("CHARACTER-AREA", where, "area '%s' does not exist: the character enters the world at the start of its template", in.Area)
	}
	c := &sim.Character{
		Name: in.Name, Tag: in.Tag, Door: "rcce", GM: gm,
		Appearance: sim.Appearance{
			Gender: zeroIfAbove(in.Gender, 1), Face: clampAppearance(in.Face), Hair: clampAppearance(in.Hair), Beard: clampAppearance(in.Beard), Body: clampAppearance(in.Body),
		},
		Level: max(1, int32(in.Level)), XP: max(0, in.XP), XPBar: in.XPBarLevel, Gold: max(0, in.Gold), Reputation: int32(in.Reputation),
		Template: in.Actor, Area: in.Area, Pos: in.Pos,
		Attr: attributesOf(in), HomeFaction: zeroIfAbove(in.HomeFaction, combat.Factions-1), Ratings: in.Ratings,
		ActionBar: r.ActionBar,
	}
	for i, v := range in.Resistances {
		c.Resist[i] = int32(v)
	}
	for i, v := range c.Ratings {
		c.Ratings[i] = min(v, 200)
	}
	im.importInventory(in, c, where)
	im.importPets(in, c, where)
	return c, true
}

// zeroIfAbove returns v, or 0 if v is greater than the parameter maximum, the highest valid value.
func zeroIfAbove(v, maximum uint8) uint8 {
	if v > maximum {
		return 0
	}
	return v
}

// clampAppearance returns v, the index of a face, hair, beard or body, if it is 0 to 4. Other indices do not exist and
// become 0.
func clampAppearance(v uint16) uint8 {
	if v > 4 {
		return 0
	}
	return uint8(v)
}

// attributesOf returns the attributes of a stored actor. The RealmCrafter server stores negative values modulo 65536;
// they become 0.
func attributesOf(in *rcInstance) (attr [combat.Attributes]combat.Attribute) {
	for i := range attr {
		v, maximum := in.AttributeValue[i], in.AttributeMaximum[i]
		if maximum > maxValue {
			maximum = 0
		}
		if v > maxValue {
			v = 0
		}
		attr[i] = combat.Attribute{Value: int32(min(v, maximum)), Max: int32(maximum)}
	}
	return attr
}

func (im *importer) importInventory(in *rcInstance, c *sim.Character, where string) {
	for slot, s := range in.Inventory {
		if s.Item.ID == noItem || s.Amount == 0 {
			continue
		}
		it := im.w.Item(s.Item.ID)
		if it == nil {
			im.warn("CHARACTER-ITEM", where, "item %[2]d in slot %[1]d does not exist: the slot is imported empty", slot, s.Item.ID)
			continue
		}
		c.Inventory[slot] = sim.ItemStack{
			Item: it.ID, Amount: s.Amount, Health: min(s.Item.Health, 100), Attr: ownAttributes(it, &s.Item),
		}
	}
}

// ownAttributes returns the attributes of a stored item if they differ from those of its kind, otherwise nil.
func ownAttributes(it *sim.Item, s *rcItemState) *[combat.Attributes]int16 {
	var own [combat.Attributes]int16
	for i, v := range s.Attributes {
		own[i] = int16(min(v, maxValue))
	}
	if own == it.Attr {
		return nil
	}
	return &own
}

func (im *importer) importPets(in *rcInstance, c *sim.Character, where string) {
	for i := range in.Pets {
		p := &in.Pets[i]
		tpl := im.w.Template(p.Actor)
		if tpl == nil {
			im.warn("CHARACTER-PET", where, "the template of pet %s, actor %d, does not exist: the pet is not imported", p.Name, p.Actor)
			continue
		}
		pet := sim.Pet{Template: p.Actor, Name: p.Name}
		if p.Name == tpl.Race {
			pet.Name = ""
		}
		if h := im.w.Roles.Health; h >= 0 {
			pet.Health = attributesOf(p)[h].Value
		}
		c.Pets = append(c.Pets, pet)
	}
}

// parseAccounts reads the whole file: an optional header, then accounts to its end.
func parseAccounts(c *cursor) ([]rcAccount, error) {
	version := parseAccountsHeader(c)
	var list []rcAccount
	for c.hasMore() {
		c.beginRecord("account", len(list))
		start := c.off
		a := parseAccount(c, version)
		if c.err == nil {
			list = append(list, a)
			continue
		}
		if tail := parseNewAccounts(c.b[start:]); tail != nil {
			*c = cursor{file: c.file, b: c.b, off: len(c.b), warnings: c.warnings}
			for i := range tail {
				c.beginRecord("account", len(list)+i)
				c.warn("ACCOUNT-TAIL", "account %s was created after the last full save: it is imported without characters", tail[i].User)
			}
			return append(list, tail...), nil
		}
	}
	return list, c.done()
}

// errNotShortFormat says that the rest of the accounts file does not consist of accounts in the short format, in which the
// RealmCrafter server appends new accounts.
var errNotShortFormat = errors.New("the rest of the accounts file is not a list of new accounts, each with user, password, e-mail and a zero byte")

// parseNewAccounts reads accounts in the short format in which the RealmCrafter server appends new ones: user, password,
// e-mail and one zero byte. It returns nil unless b consists entirely of such accounts.
func parseNewAccounts(b []byte) []rcAccount {
	c := newCursor(accountsFile, b)
	var list []rcAccount
	for c.hasMore() {
		a := rcAccount{User: c.str("user", nameLimit), Password: c.str("password", nameLimit), Email: c.str("email", nameLimit)}
		if c.u8("end") != 0 && c.err == nil {
			c.err = errNotShortFormat
		}
		list = append(list, a)
	}
	if c.err != nil {
		return nil
	}
	return list
}

package content

// This file decodes files that a server does not read, so that the tests can decode the default project completely.

// rcOwned is one slot of an ownership file: scenery owned by an account, and the items in it.
type rcOwned struct {
	Exists    bool
	Account   string
	Character uint8
	Items     []rcOwnedItem
}

type rcOwnedItem struct {
	Item   rcItemState
	Amount uint16
}

// ownedSlots is the number of entries in the table of an ownership file.
const ownedSlots = 500

func parseOwnership(c *cursor) ([]rcOwned, error) {
	list := parseTable(c, "scenery", ownedSlots, func(c *cursor) rcOwned {
		o := rcOwned{Exists: c.boolByte("exists")}
		if !o.Exists {
			return o
		}
		o.Account, o.Character = c.str("account", nameLimit), c.u8("character")
		n := int(c.u8("itemCount"))
		for i := 0; i < n && c.err == nil; i++ {
			o.Items = append(o.Items, rcOwnedItem{parseItemState(c), c.u16("amount")})
		}
		return o
	})
	return list, c.done()
}

// rcMoney is Game Data/Money.dat: names of the coins, and the value of each coin in units of the previous one.
type rcMoney struct {
	Names       [4]string
	Multipliers [3]uint16
}

func parseMoney(c *cursor) (rcMoney, error) {
	var m rcMoney
	m.Names[0] = c.strAt(field{"tierName", 1}, nameLimit)
	for i := range m.Multipliers {
		m.Names[i+1] = c.strAt(field{"tierName", i + 2}, nameLimit)
		m.Multipliers[i] = c.u16At(field{"tierMultiplier", i + 2})
	}
	return m, c.doneLenient()
}

// parseSuperglobals reads Superglobals.dat, the variables of scripts.
func parseSuperglobals(c *cursor) (values [100]string, err error) {
	c.strs("values", values[:], 65_536)
	return values, c.done()
}

// rcPatch is one record of Files.dat, the list of files that clients update.
type rcPatch struct {
	Name     string
	Checksum int32
}

func parsePatches(c *cursor) ([]rcPatch, error) {
	var list []rcPatch
	for c.hasMore() {
		c.beginRecord("record", len(list))
		list = append(list, rcPatch{c.str("name", nameLimit), c.i32("checksum")})
	}
	return list, c.done()
}

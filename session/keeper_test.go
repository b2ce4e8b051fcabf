package session

import (
	"crypto/md5"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

func TestKeeperChangesAccountsOfRunningServerAndOfDataFolder(t *testing.T) {
	for name, keeper := range map[string]func(r *testServer) *Keeper{
		"running server": func(r *testServer) *Keeper { return r.Keeper() },
		"data folder":    func(r *testServer) *Keeper { return NewKeeper(r.disk) },
	} {
		t.Run(name, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				r.player("Ada")
				r.player("Bea")
				_, err := r.disk.CreateAccount(r.ctx, store.Account{Name: "bedrock:bea"})
				r.must(err)
				k := keeper(r)
				k.cost = cheap
				for account, want := range map[string]error{"bedrock:bea": ErrNoSecret, "nobody": store.ErrNotFound} {
					_, err = k.ResetSecret(r.ctx, account, "")
					r.mustBe(err, want)
				}
				_, err = k.ResetSecret(r.ctx, "Ada", "two\nlines")
				r.mustBe(err, ErrInvalid)
				password, err := k.ResetSecret(r.ctx, "Ada", "")
				r.must(err)
				sum := md5.Sum([]byte(password))
				if _, err := r.Login(r.ctx, r.peer(), "Ada", hex.EncodeToString(sum[:])); err != nil || len(password) < 16 {
					t.Errorf("login with the password %q: %v", password, err)
				}
				r.mustBe(k.MoveCharacter(r.ctx, "Ada", "Ada", "ADA", false), ErrSameAccount)
				r.mustBe(k.MoveCharacter(r.ctx, "Ada", "Bea", "Bea", false), ErrNoCharacter)
				r.must(k.MoveCharacter(r.ctx, "Ada", "ADA", "Bea", false))
				a, err := k.Account(r.ctx, "BEA")
				r.must(err)
				if len(a.Characters) != 2 || a.Characters[1].Name != "Ada" || a.Online {
					t.Errorf("after the move the account is %+v", a)
				}
				r.must(k.DeleteCharacter(r.ctx, "Bea", "Ada", false))
				r.mustBe(k.DeleteCharacter(r.ctx, "Bea", "Ada", false), ErrNoCharacter)
				for character, want := range map[string]bool{"BEA": true, "Ada": false} {
					if has, err := k.HasCharacter(r.ctx, character); err != nil || has != want {
						t.Errorf("a character %s exists: %v, %v", character, has, err)
					}
				}
				r.must(k.Merge(r.ctx, "Bea", "bedrock:bea", false))
				_, err = k.Account(r.ctx, "Bea")
				r.mustBe(err, store.ErrNotFound)
				if gone, err := k.Delete(r.ctx, "bedrock:bea", false); err != nil || !slices.Equal(gone, []string{"Bea"}) {
					t.Errorf("deleted were the characters %q, %v", gone, err)
				}
			})
		})
	}
}

func TestKeeperListsAddressesOfOneAccount(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.join("Ada")
		r.join("Bea")
		r.known.save(r.ctx)
		if list, err := r.Keeper().KnownAddresses(r.ctx, "ADA"); err != nil || len(list) != 1 || list[0].Account != "ada" || list[0].Addr != r.peer().Addr {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func TestChangeOfStoredCharacterIsCheckedAndInvalidOneChangesNothing(t *testing.T) {
	withMarket(t, func(r *testServer) {
		l := r.player("Ada")
		before := *r.stored(l)
		for want, x := range map[string]CharacterChange{
			`the name "" is not allowed`:                         {Name: new("")},
			`the name "<b>" is not allowed`:                      {Name: new("<b>")},
			`"a\nb" cannot be the name of an area`:               {Area: new("a\nb")},
			`there is no area "Atlantis"`:                        {Area: new("Atlantis")},
			"each coordinate of the position must be within ":    {Pos: &geom.Vec{Y: float32(math.NaN())}},
			"gold -1: must be 0..2147483647":                     {Gold: new(int32(-1))},
			"level 0: must be 1..65536":                          {Level: new(int32(0))},
			"reputation 32768: must be -32768..32767":            {Reputation: new(int32(32768))},
			"attribute number 40 is out of range":                {Attributes: []AttributeChange{{Index: 40}}},
			"attribute 0: value 5 and maximum 4":                 {Attributes: []AttributeChange{{Index: 0, Value: new(int32(5)), Max: new(int32(4))}}},
			"inventory slot 46: the slot must be 0..":            {Items: []ItemChange{{Slot: sim.SlotCount, Amount: 1}}},
			"inventory slot 20: there is no item 60000":          {Items: []ItemChange{{Slot: 20, Item: 60000, Amount: 1}}},
			"does not stack, so the amount must be 1":            {Items: []ItemChange{{Slot: 20, Item: testSword, Amount: 2}}},
			"inventory slot 20: item health 101: must be 1..100": {Items: []ItemChange{{Slot: 20, Item: testSword, Amount: 1, Health: 101}}},
		} {
			x.XP = new(int32(7))
			if _, err := r.Keeper().EditCharacter(r.ctx, "Ada", "Ada", &x, false); !isInvalidChange(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		if after := *r.stored(l); after.XP != before.XP || after.Version != before.Version {
			t.Errorf("the record is %+v, was %+v", after, before)
		}
		x := CharacterChange{
			Name: new("Eve"), Area: new("EAST"), Pos: &geom.Vec{X: 3}, Level: new(int32(4)), XP: new(int32(5)), Gold: new(int32(6)), Reputation: new(int32(-7)),
			Items: []ItemChange{{Slot: 20, Item: testHerb, Amount: 8}, {Slot: 21, Item: testSword, Amount: 1, Health: 9}, {Slot: 22}},
		}
		_, err := r.Keeper().EditCharacter(r.ctx, "Ada", "Ada", &x, false)
		r.must(err)
		c := r.stored(l)
		slots := [3]sim.ItemStack{{Item: testHerb, Amount: 8, Health: 100}, {Item: testSword, Amount: 1, Health: 9}, {}}
		if c.Name != "Eve" || c.Area != "East" || c.Pos != *x.Pos || c.Level != 4 || c.XP != 5 || c.Gold != 6 || c.Reputation != -7 || [3]sim.ItemStack(c.Inventory[20:23]) != slots {
			t.Errorf("the changed record is %+v", c)
		}
	})
}

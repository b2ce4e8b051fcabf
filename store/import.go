package store

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// Add imports one account with the functions of a backend: account inserts the account, and character inserts a character into a slot of it. If
// one of them returns ErrAccountExists or ErrNameTaken, the record is skipped and the transaction must still be usable. All other errors are
// returned.
func (d *Imported) Add(in *Import, account func(*Account) (AccountID, error), character func(AccountID, int, *sim.Character) (sim.CharacterID, error)) error {
	skip := func(character string, why error) {
		d.Skipped = append(d.Skipped, Skipped{Account: in.Account.Name, Character: character, Why: why})
	}
	id, err := account(&in.Account)
	if errors.Is(err, ErrAccountExists) {
		skip("", err)
		return nil
	}
	if err != nil {
		return err
	}
	d.Accounts++
	slot := 0
	for _, c := range in.Characters {
		if slot >= MaxCharacters {
			skip(c.Name, ErrTooMany)
			continue
		}
		_, err := character(id, slot, c)
		if errors.Is(err, ErrNameTaken) {
			skip(c.Name, err)
			continue
		}
		if err != nil {
			return err
		}
		slot++
		d.Characters++
	}
	return nil
}

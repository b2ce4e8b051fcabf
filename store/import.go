package store

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// Add imports one account of another server. The function account inserts the account into the backend, and the function
// character inserts a character into a slot of the account. If one of them returns ErrAccountExists or ErrNameTaken, Add skips
// that account or character and goes on, so the transaction of the backend must still be usable. Add also skips characters beyond
// MaxCharacters. It returns all other errors.
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

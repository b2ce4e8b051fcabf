package store

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// Add imports one account of another server. It calls insertAccount once, and insertCharacter for each character with the slot
// for that character. If one of them returns ErrAccountExists or ErrNameTaken, Add skips that account or character and continues.
// After these errors the functions must leave the backend's transaction usable, for example by a savepoint. Add also skips characters
// beyond MaxCharacters. It returns all other errors.
func (d *Imported) Add(in *Import, insertAccount func(*Account) (AccountID, error), insertCharacter func(AccountID, int, *sim.Character) (sim.CharacterID, error)) error {
	skip := func(character string, why error) {
		d.Skipped = append(d.Skipped, Skipped{Account: in.Account.Name, Character: character, Why: why})
	}
	id, err := insertAccount(&in.Account)
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
		_, err := insertCharacter(id, slot, c)
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

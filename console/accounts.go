package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// accountRoutes are the calls about stored accounts. While the server is stopped, the command truestep account uses
// them through NewAccountHandler.
var accountRoutes = []route{
	{"GET", "/accounts", Moderator, "", (*call).accounts},
	{"GET", "/accounts/{account}", Moderator, "", (*call).account},
	{"DELETE", "/accounts/{account}", Admin, "delete_account", (*call).deleteAccount},
	{"POST", "/accounts/{account}/secret", Admin, "reset_secret", (*call).resetSecret},
	{"POST", "/accounts/{account}/export", Admin, "export_account", (*call).exportAccount},
	{"POST", "/accounts/{account}/merge", Admin, "merge_account", (*call).mergeAccount},
	{"POST", "/accounts/{account}/characters/{character}", Admin, "edit_character", (*call).editCharacter},
	{"POST", "/accounts/{account}/characters/{character}/move", Admin, "move_character", (*call).moveCharacter},
	{"DELETE", "/accounts/{account}/characters/{character}", Admin, "delete_character", (*call).deleteCharacter},
}

// keeper returns the session.Keeper that reads and changes stored accounts. While the server runs, it is the one of the hub.
// Otherwise it is the one that was passed to NewAccountHandler.
func (c *Console) keeper() *session.Keeper {
	if c.Hub == nil {
		return c.stopped
	}
	return c.Hub.Keeper()
}

// accountsBody is the response of GET /accounts: one page of accounts.
type accountsBody struct {
	Accounts []foundBody `json:"accounts"` // accounts of the page, sorted by name
	Next     *string     `json:"next"`     // value of the query parameter "after" for the next page; null on the last page
}

// foundBody is one account in the response of GET /accounts.
type foundBody struct {
	Name       string    `json:"name"`       // name of the account
	Banned     bool      `json:"banned"`     // the account cannot log in
	Frozen     bool      `json:"frozen"`     // an operator has frozen the player, who can then only chat
	GM         bool      `json:"gm"`         // the account has the rights of a game master
	Doors      []string  `json:"doors"`      // names of the doors that its characters play through, sorted
	Characters []string  `json:"characters"` // names of the characters in the order of the roster
	CreatedAt  timestamp `json:"createdAt"`  // time at which the account was created
	LastSeen   timestamp `json:"lastSeen"`   // time of the last save of a character; CreatedAt if there is none
}

// defaultFound is the default number of accounts per page.
const defaultFound = 100

// accounts handles GET /accounts. It returns accounts that match a filter, sorted by name.
func (k *call) accounts() (any, error) {
	ask, err := k.parseQuery("q", "door", "banned", "seenSince", "seenBefore", "after", "limit")
	if err != nil {
		return nil, err
	}
	f := store.Filter{Prefix: ask.Get("q"), Door: ask.Get("door"), After: ask.Get("after")}
	if f.Banned, err = parseBool(ask, "banned"); err != nil {
		return nil, err
	}
	for key, to := range map[string]*time.Time{"seenSince": &f.SeenSince, "seenBefore": &f.SeenBefore} {
		if text := ask.Get(key); text != "" {
			if *to, err = time.Parse(time.RFC3339, text); err != nil {
				return nil, badRequest("%q must be a time such as 2026-01-02T03:04:05Z", key)
			}
		}
	}
	limit, err := parseNumber(ask, "limit", defaultFound, 1, store.MaxFound)
	if err != nil {
		return nil, err
	}
	f.Limit = int(limit)
	list, err := k.keeper().Find(k.r.Context(), f)
	if err != nil {
		return nil, err
	}
	b := accountsBody{Accounts: make([]foundBody, 0, len(list))}
	for i := range list {
		a := &list[i]
		b.Accounts = append(b.Accounts, foundBody{a.Name, a.Banned, a.Frozen, a.GM, orEmpty(a.Doors), orEmpty(a.Characters), timestamp(a.CreatedAt), timestamp(a.LastSeen)})
	}
	if len(list) == f.Limit {
		b.Next = &list[len(list)-1].Name
	}
	return b, nil
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// accountBody is an account with its characters in a response.
type accountBody struct {
	Name       string          `json:"name"`       // name of the account
	Email      string          `json:"email"`      // email address; empty if none was given
	Secret     bool            `json:"hasSecret"`  // the player logs in with a password; false if the door verifies the identity
	GM         bool            `json:"gm"`         // the account has the rights of a game master
	Banned     bool            `json:"banned"`     // the account cannot log in
	Frozen     bool            `json:"frozen"`     // an operator has frozen the player, who can then only chat
	Ignore     []string        `json:"ignore"`     // names of accounts whose chat the player does not want to see
	CreatedAt  timestamp       `json:"createdAt"`  // time at which the account was created
	Online     bool            `json:"online"`     // a player of the account is in the world, or its last save is pending
	Characters []characterBody `json:"characters"` // in the order of the roster
}

// characterBody is a stored character in a response.
type characterBody struct {
	ID    sim.CharacterID `json:"id"`    // id of the character, unique in the store
	Name  string          `json:"name"`  // name of the character
	Items []slotBody      `json:"items"` // inventory slots that are not empty, by slot
	Sheet json.RawMessage `json:"sheet"` // everything that is stored of the character, as JSON of package store
}

// account handles GET /accounts/{account}. It returns one account with its characters.
func (k *call) account() (any, error) {
	name, err := k.accountName()
	if err != nil {
		return nil, err
	}
	return k.accountBody(name)
}

// accountName returns the account name from the path of the request's URL. Errors wrap store.ErrNotFound.
func (k *call) accountName() (string, error) {
	name := k.r.PathValue("account")
	if name == "" || utf8.RuneCountInString(name) > maxAccount || !utf8.ValidString(name) {
		return "", store.ErrNotFound
	}
	k.entry.Account = name
	return name, nil
}

func (k *call) accountBody(name string) (*accountBody, error) {
	a, err := k.keeper().Account(k.r.Context(), name)
	if err != nil {
		return nil, err
	}
	b := &accountBody{Name: a.Name, Email: a.Email, Secret: a.Secret != "", GM: a.GM, Banned: a.Banned, Frozen: a.Frozen, Ignore: orEmpty(a.Ignore),
		CreatedAt: timestamp(a.CreatedAt), Online: a.Online, Characters: []characterBody{}}
	for _, c := range a.Characters {
		body, err := k.characterBody(c)
		if err != nil {
			return nil, err
		}
		b.Characters = append(b.Characters, *body)
	}
	return b, nil
}

func (c *Console) characterBody(of *sim.Character) (*characterBody, error) {
	sheet, err := store.EncodeSheet(of)
	if err != nil {
		return nil, err
	}
	b := &characterBody{ID: of.ID, Name: of.Name, Items: []slotBody{}, Sheet: sheet}
	for slot, s := range of.Inventory {
		if s.Empty() {
			continue
		}
		item := slotBody{Slot: slot, ItemID: s.Item, Amount: s.Amount, Health: s.Health, Worn: slot < sim.SlotBackpack}
		if c.World != nil {
			if def := c.World.Def().Item(s.Item); def != nil {
				item.Item = def.Name
			}
		}
		b.Items = append(b.Items, item)
	}
	return b, nil
}

// accountError converts an error of a session.Keeper to the error response of the API. It returns nil for other errors.
func accountError(err error) *apiError {
	if invalid, ok := errors.AsType[*session.InvalidChange](err); ok {
		return &apiError{http.StatusBadRequest, codeBadRequest, invalid.Why}
	}
	conflict := func(text string) *apiError { return &apiError{http.StatusConflict, codeConflict, text} }
	switch {
	case errors.Is(err, session.ErrOnline):
		return conflict("a player of the account is in the world and the next save would overwrite the change: disconnect the player first (kick)")
	case errors.Is(err, session.ErrBusy):
		return conflict("the account is being used or saved just now: try again")
	case errors.Is(err, session.ErrNoCharacter):
		return &apiError{http.StatusNotFound, codeNotFound, "the account has no such character"}
	case errors.Is(err, session.ErrSameAccount):
		return conflict("both are the same account")
	case errors.Is(err, session.ErrBannedMerge):
		return conflict(session.ErrBannedMerge.Error())
	case errors.Is(err, session.ErrNoSecret):
		return conflict("players of this account log in without a password")
	case errors.Is(err, store.ErrTooMany):
		return conflict(fmt.Sprintf("an account has at most %d characters", store.MaxCharacters))
	case errors.Is(err, store.ErrNameTaken):
		return conflict("another character has this name")
	case errors.Is(err, store.ErrOutdated):
		return conflict("the character was saved meanwhile: try again")
	}
	return nil
}

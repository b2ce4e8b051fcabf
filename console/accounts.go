package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// accountRoutes are the calls about stored accounts. truestep account uses them for a server that does not run, too (NewAccountHandler).
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

// keeper returns the keeper by which the console shows and changes stored accounts: that of the hub, or that of a data folder
// without a server.
func (c *Console) keeper() *session.Keeper {
	if c.Hub == nil {
		return c.stopped
	}
	return c.Hub.Keeper()
}

type accountsBody struct {
	Accounts []foundBody `json:"accounts"`
	Next     *string     `json:"next"` // value of the query parameter after for the next page
}

type foundBody struct {
	Name       string    `json:"name"`
	Banned     bool      `json:"banned"`
	Frozen     bool      `json:"frozen"`
	GM         bool      `json:"gm"`
	Doors      []string  `json:"doors"`
	Characters []string  `json:"characters"`
	CreatedAt  timestamp `json:"createdAt"`
	LastSeen   timestamp `json:"lastSeen"`
}

// defaultFound is the default number of accounts of a page.
const defaultFound = 100

// accounts handles GET /accounts. It returns accounts that match a filter, sorted by name.
func (k *call) accounts() (any, error) {
	ask, err := k.parseQuery("q", "door", "banned", "seenSince", "seenBefore", "after", "limit")
	if err != nil {
		return nil, err
	}
	f := store.Filter{Prefix: ask.Get("q"), Door: ask.Get("door"), After: ask.Get("after")}
	switch ask.Get("banned") {
	case "":
	case "true", "false":
		banned := ask.Get("banned") == "true"
		f.Banned = &banned
	default:
		return nil, badRequest(`"banned" must be true or false`)
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

// accountBody is an account with its characters.
type accountBody struct {
	Name       string          `json:"name"`
	Email      string          `json:"email"`
	Secret     bool            `json:"hasSecret"` // players log in with a password
	GM         bool            `json:"gm"`
	Banned     bool            `json:"banned"`
	Frozen     bool            `json:"frozen"`
	Ignore     []string        `json:"ignore"`
	CreatedAt  timestamp       `json:"createdAt"`
	Online     bool            `json:"online"` // a player of the account is in the world
	Characters []characterBody `json:"characters"`
}

type characterBody struct {
	ID    sim.CharacterID `json:"id"`
	Name  string          `json:"name"`
	Items []slotBody      `json:"items"`
	Sheet json.RawMessage `json:"sheet"` // everything stored of the character
}

// account handles GET /accounts/{account}.
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

type secretBody struct {
	Secret string `json:"secret"`
}

// resetSecret handles POST /accounts/{account}/secret. The password is in the response only.
func (k *call) resetSecret() (any, error) {
	var body secretBody
	name, err := k.accountName()
	if err == nil {
		err = readBody(k.w, k.r, &body)
	}
	if err != nil {
		return nil, err
	}
	password, err := k.keeper().ResetSecret(k.r.Context(), name, body.Secret)
	if errors.Is(err, session.ErrInvalid) {
		err = badRequest(`"secret" must have 1 to 256 bytes and no control characters`)
	}
	return secretBody{password}, err
}

type editBody struct {
	Kick       bool            `json:"kick"`
	Name       *string         `json:"name"`
	Area       *string         `json:"area"`
	X          *float32        `json:"x"`
	Y          *float32        `json:"y"`
	Z          *float32        `json:"z"`
	Level      *int32          `json:"level"`
	XP         *int32          `json:"xp"`
	Gold       *int32          `json:"gold"`
	Reputation *int32          `json:"reputation"`
	Attributes []attributeBody `json:"attributes"`
	Items      []itemBody      `json:"items"`
	Take       []amountBody    `json:"take"`
	Give       []amountBody    `json:"give"`
}

// amountBody is a number of items of a kind, wherever they are. Amount 0 of Take means all.
type amountBody struct {
	Item   nameOrID `json:"item"`
	Amount uint16   `json:"amount"`
}

type attributeBody struct {
	Index int    `json:"index"`
	Value *int32 `json:"value"`
	Max   *int32 `json:"max"`
}

type itemBody struct {
	Slot   int    `json:"slot"`
	Item   uint16 `json:"item"`
	Amount uint16 `json:"amount"`
	Health uint8  `json:"health"`
}

// change converts the body. Names are those of the world, which an account of a stopped server has none of.
func (c *Console) change(b *editBody) (*session.CharacterChange, error) {
	x := &session.CharacterChange{Name: b.Name, Area: b.Area, Level: b.Level, XP: b.XP, Gold: b.Gold, Reputation: b.Reputation}
	if b.X != nil || b.Y != nil || b.Z != nil {
		if b.X == nil || b.Y == nil || b.Z == nil {
			return nil, badRequest(`"x", "y" and "z" belong together`)
		}
		x.Pos = &geom.Vec{X: *b.X, Y: *b.Y, Z: *b.Z}
	}
	if b.Area != nil && x.Pos == nil {
		return nil, badRequest(`"area" needs the position in it: "x", "y" and "z"`)
	}
	for _, a := range b.Attributes {
		x.Attributes = append(x.Attributes, session.AttributeChange(a))
	}
	for _, list := range []struct {
		field string
		from  []amountBody
		to    *[]session.ItemAmount
	}{{"take", b.Take, &x.Take}, {"give", b.Give, &x.Give}} {
		for _, n := range list.from {
			if c.World == nil {
				return nil, badRequest(`items are given and taken while the server runs, because its world says which of them stack: set "items" instead`)
			}
			item, err := c.findItem(list.field, n.Item)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, session.ItemAmount{Item: item.ID, Amount: n.Amount})
		}
	}
	for _, i := range b.Items {
		x.Items = append(x.Items, session.ItemChange(i))
	}
	return x, nil
}

// describe returns the changed fields for the audit.
func (b *editBody) describe() string {
	plain := *b
	plain.Kick = false
	text, err := json.Marshal(plain)
	if err != nil {
		return ""
	}
	var fields map[string]any
	if json.Unmarshal(text, &fields) != nil {
		return ""
	}
	var parts []string
	for _, key := range sortedKeys(fields) {
		if v := fields[key]; v != nil && v != false {
			value, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
			parts = append(parts, key+" "+string(value))
		}
	}
	return strings.Join(parts, ", ")
}

// editCharacter handles POST /accounts/{account}/characters/{character}.
func (k *call) editCharacter() (any, error) {
	var body editBody
	name, character, err := k.characterName(&body)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = body.describe()
	change, err := k.change(&body)
	if err != nil {
		return nil, err
	}
	c, err := k.keeper().EditCharacter(k.r.Context(), name, character, change, body.Kick)
	if err != nil {
		return nil, err
	}
	return k.characterBody(c)
}

// characterName reads the body, and returns the account and the character in the path.
func (k *call) characterName(body any) (account, character string, err error) {
	if account, err = k.accountName(); err != nil {
		return "", "", err
	}
	character = k.r.PathValue("character")
	k.entry.Player = character
	if body == nil {
		return account, character, nil
	}
	return account, character, readBody(k.w, k.r, body)
}

// moveCharacter handles POST /accounts/{account}/characters/{character}/move.
func (k *call) moveCharacter() (any, error) {
	var body struct {
		To   string `json:"to"`
		Kick bool   `json:"kick"`
	}
	name, character, err := k.characterName(&body)
	if err != nil {
		return nil, err
	}
	to, err := parseText("to", body.To, 1, maxAccount)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = "to the account " + to
	return okBody{true}, k.keeper().MoveCharacter(k.r.Context(), name, character, to, body.Kick)
}

// deleteCharacter handles DELETE /accounts/{account}/characters/{character}.
func (k *call) deleteCharacter() (any, error) {
	name, character, err := k.characterName(nil)
	if err != nil {
		return nil, err
	}
	kick, err := k.parseKick()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.keeper().DeleteCharacter(k.r.Context(), name, character, kick)
}

// parseKick parses the query parameter kick of a DELETE.
func (k *call) parseKick() (bool, error) {
	ask, err := k.parseQuery("kick")
	if err != nil {
		return false, err
	}
	switch ask.Get("kick") {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, badRequest(`"kick" must be true or false`)
}

// mergeAccount handles POST /accounts/{account}/merge.
func (k *call) mergeAccount() (any, error) {
	var body struct {
		Into string `json:"into"`
		Kick bool   `json:"kick"`
	}
	name, err := k.accountName()
	if err == nil {
		err = readBody(k.w, k.r, &body)
	}
	if err != nil {
		return nil, err
	}
	into, err := parseText("into", body.Into, 1, maxAccount)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = "into the account " + into
	if a, err := k.keeper().Account(k.r.Context(), name); err == nil {
		name = a.Name // as it was registered: the chat log ignores the case of ASCII letters only
	}
	if err := k.keeper().Merge(k.r.Context(), name, into, body.Kick); err != nil {
		return nil, err
	}
	if err := k.Chat.Rename(k.r.Context(), name, into); err != nil {
		return nil, fmt.Errorf("the accounts are merged, but the lines of chat still have the old name: %w", err)
	}
	return okBody{true}, nil
}

type deletedBody struct {
	OK         bool     `json:"ok"`
	Characters []string `json:"characters"` // names of the deleted characters
	Journal    int64    `json:"journal"`    // number of deleted rows of the journal
	Chat       int64    `json:"chat"`       // number of deleted lines of chat
}

// deleteAccount handles DELETE /accounts/{account}.
func (k *call) deleteAccount() (any, error) {
	name, err := k.accountName()
	if err != nil {
		return nil, err
	}
	kick, err := k.parseKick()
	if err != nil {
		return nil, err
	}
	a, err := k.keeper().Account(k.r.Context(), name)
	if err != nil {
		return nil, err
	}
	name = a.Name // as it was registered: journal and chat log ignore the case of ASCII letters only
	characters, err := k.keeper().Delete(k.r.Context(), name, kick)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = fmt.Sprintf("%d characters", len(characters))
	n, err := k.Journal.Forget(k.r.Context(), name, characters)
	if err != nil {
		err = fmt.Errorf("the account is deleted, but its entries in the journal are not: %w", err)
	}
	lines, failed := k.Chat.Forget(k.r.Context(), name)
	if failed != nil {
		err = errors.Join(err, fmt.Errorf("the account is deleted, but its lines of chat are not: %w", failed))
	}
	if err != nil {
		return nil, err
	}
	return deletedBody{true, orEmpty(characters), n, lines}, nil
}

// exportBody is the response with all stored data about the player of an account, for a request of that person.
type exportBody struct {
	Version   int             `json:"truestepExport"` // version of the format, 1
	At        timestamp       `json:"exportedAt"`
	Account   *accountBody    `json:"account"`
	Access    []exportedRule  `json:"access"` // bans, mutes, whitelist
	Addresses []addressBody   `json:"addresses"`
	Journal   *journal.Person `json:"journal"`
	Chat      []chatlog.Line  `json:"chat"` // lines of the player and messages of operators to it, newest first
}

type exportedRule struct {
	Kind   string     `json:"kind"` // "ban", "mute" or "whitelisted"
	Reason string     `json:"reason"`
	By     string     `json:"by"`
	Since  *timestamp `json:"since"`
	Until  *timestamp `json:"until"`
}

type addressBody struct {
	Addr string    `json:"addr"`
	At   timestamp `json:"at"` // newest login from there
}

// exportAccount handles POST /accounts/{account}/export.
func (k *call) exportAccount() (any, error) {
	name, err := k.accountName()
	if err != nil {
		return nil, err
	}
	b := exportBody{Version: 1, At: timestamp(k.clock().UTC()), Addresses: []addressBody{}, Access: []exportedRule{}}
	if b.Account, err = k.accountBody(name); err != nil {
		return nil, err
	}
	rules, err := k.keeper().AccessRules(k.r.Context(), b.Account.Name)
	if err != nil {
		return nil, err
	}
	for i := range rules {
		r := &rules[i]
		b.Access = append(b.Access, exportedRule{string(r.Kind), r.Reason, r.By, orNull(timestamp(r.Since), timestamp{}), orNull(timestamp(r.Until), timestamp{})})
	}
	known, err := k.keeper().KnownAddresses(k.r.Context(), b.Account.Name)
	if err != nil {
		return nil, err
	}
	for _, a := range known {
		b.Addresses = append(b.Addresses, addressBody{addrText(a.Addr), timestamp(a.At)})
	}
	var names []string
	for _, c := range b.Account.Characters {
		names = append(names, c.Name)
	}
	if b.Journal, err = k.Journal.Person(k.r.Context(), b.Account.Name, names); err != nil {
		return nil, err
	}
	b.Chat, err = k.Chat.Person(k.r.Context(), b.Account.Name)
	return b, err
}

// accountError returns the response for an error of a session.Keeper, nil for other errors.
func accountError(err error) *apiError {
	if invalid, ok := errors.AsType[*session.InvalidChange](err); ok {
		return &apiError{http.StatusBadRequest, codeBadRequest, invalid.Why}
	}
	conflict := func(text string) *apiError { return &apiError{http.StatusConflict, codeConflict, text} }
	switch {
	case errors.Is(err, session.ErrOnline):
		return conflict("a player of the account is in the world, who would be stored over the change: send the player away first (kick)")
	case errors.Is(err, session.ErrBusy):
		return conflict("the account is being used or saved just now: try again")
	case errors.Is(err, session.ErrNoCharacter):
		return &apiError{http.StatusNotFound, codeNotFound, "the account has no such character"}
	case errors.Is(err, session.ErrSameAccount):
		return conflict("both are the same account")
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

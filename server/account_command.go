package server

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
)

// Accounts contains the commands about stored accounts.
type Accounts struct {
	Find            AccountFind            `cmd:"" help:"Find accounts."`
	Show            AccountShow            `cmd:"" help:"Show an account with its characters."`
	ResetSecret     AccountResetSecret     `cmd:"" name:"reset-secret" help:"Give an account a new password."`
	Edit            AccountEdit            `cmd:"" help:"Change a character: name, place, attributes, items."`
	Move            AccountMove            `cmd:"" help:"Move a character to another account."`
	Merge           AccountMerge           `cmd:"" help:"Move all characters of an account to another one and delete the first."`
	Export          AccountExport          `cmd:"" help:"Write everything that is stored about a person to a file."`
	Delete          AccountDelete          `cmd:"" help:"Delete an account with its characters and chat, and its player from the journal."`
	DeleteCharacter AccountDeleteCharacter `cmd:"" name:"delete-character" help:"Delete a character."`
}

// AccountFind is the command "truestep account find", which finds accounts.
type AccountFind struct {
	Prefix     string        `arg:"" optional:"" help:"Start of the name of the account or of a character."`
	Door       string        `help:"Only accounts with a character of this door: rcce, rs, bedrock, web." placeholder:"DOOR"`
	Banned     bool          `help:"Only banned accounts."`
	SeenWithin time.Duration `help:"Only accounts seen within this time, such as 7d." placeholder:"TIME"`
	UnseenFor  time.Duration `help:"Only accounts not seen for this time, such as 180d." placeholder:"TIME"`
	Limit      int           `help:"Largest number of accounts, at most 1000." default:"100" placeholder:"N"`
	AccountAccess
}

// Run finds accounts and prints them.
func (c *AccountFind) Run(to Output) error {
	q := url.Values{"limit": {strconv.Itoa(c.Limit)}}
	for key, value := range map[string]string{"q": c.Prefix, "door": c.Door} {
		if value != "" {
			q.Set(key, value)
		}
	}
	if c.Banned {
		q.Set("banned", "true")
	}
	for key, ago := range map[string]time.Duration{"seenSince": c.SeenWithin, "seenBefore": c.UnseenFor} {
		if ago > 0 {
			q.Set(key, time.Now().Add(-ago).UTC().Format(time.RFC3339))
		}
	}
	var found struct {
		Accounts []struct {
			Name              string
			Banned, Frozen    bool
			Doors, Characters []string
			LastSeen          time.Time
		}
		Next *string
	}
	answer, err := c.read("GET", "/accounts", q, &found)
	if err != nil || c.JSON {
		return c.orJSON(to, answer, err)
	}
	if len(found.Accounts) == 0 {
		return c.done(to, nil, "no account matches")
	}
	var rows [][]string
	for _, a := range found.Accounts {
		state := ""
		if a.Banned {
			state = "banned"
		} else if a.Frozen {
			state = "frozen"
		}
		rows = append(rows, []string{terminal.Printable(a.Name), state, strings.Join(a.Doors, " "), a.LastSeen.UTC().Format("2006-01-02 15:04"), terminal.Printable(strings.Join(a.Characters, ", "))})
	}
	for _, line := range terminal.Table([]terminal.Column{{Title: "ACCOUNT"}, {Title: "STATE"}, {Title: "DOORS"}, {Title: "LAST SEEN, UTC"}, {Title: "CHARACTERS"}}, rows) {
		fmt.Fprintln(to.Out, line)
	}
	if found.Next != nil {
		fmt.Fprintf(to.Err, "more accounts match: use --limit or a longer start of the name\n")
	}
	return nil
}

func (a *AccountAccess) orJSON(to Output, answer []byte, err error) error {
	if err != nil {
		return err
	}
	return a.done(to, answer, "")
}

// shownAccount is an account in a response of the API. It contains only those fields that the commands print.
type shownAccount struct {
	Name, Email                           string
	HasSecret, GM, Banned, Frozen, Online bool
	CreatedAt                             time.Time // when the account was created
	Characters                            []shownCharacter
}

// shownCharacter is a character in a response of the API. It contains only those fields that the commands print.
type shownCharacter struct {
	ID    int64      // id of the stored character
	Name  string     // name of the character
	Items []struct { // items in the inventory
		Slot, ItemID, Amount, Health int
		Item                         string
		Worn                         bool
	}
	Sheet struct { // the values of the character that "truestep account show" prints
		Door, Area      string
		Level, XP, Gold int
		Pos             [3]float32
		Attr            [][2]int
	}
}

// AccountShow is the command "truestep account show", which prints an account.
type AccountShow struct {
	Account string `arg:"" help:"Name of the account."`
	AccountAccess
}

// Run prints the account.
func (c *AccountShow) Run(to Output) error {
	var a shownAccount
	answer, err := c.read("GET", accountPath(c.Account), nil, &a)
	if err != nil || c.JSON {
		return c.orJSON(to, answer, err)
	}
	var state []string
	for _, s := range []struct {
		is   bool
		text string
	}{{a.Online, "in the world"}, {a.Banned, "banned"}, {a.Frozen, "frozen"}, {a.GM, "game master"}, {!a.HasSecret, "no password"}} {
		if s.is {
			state = append(state, s.text)
		}
	}
	fmt.Fprintf(to.Out, "account %s, created %s%s\n", terminal.Printable(a.Name), a.CreatedAt.UTC().Format("2006-01-02 15:04 UTC"), prefixed(", ", strings.Join(state, ", ")))
	if a.Email != "" {
		fmt.Fprintf(to.Out, "e-mail %s\n", terminal.Printable(a.Email))
	}
	for i := range a.Characters {
		a.Characters[i].print(to)
	}
	return nil
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func (c *shownCharacter) print(to Output) {
	s := &c.Sheet
	fmt.Fprintf(to.Out, "\n%s  %s, level %d, %d xp, %d gold, in %s at %.1f, %.1f, %.1f\n", terminal.Printable(c.Name), s.Door, s.Level, s.XP, s.Gold, terminal.Printable(s.Area), s.Pos[0], s.Pos[1], s.Pos[2])
	var attributes []string
	for i, a := range s.Attr {
		if a[0] != 0 {
			attributes = append(attributes, fmt.Sprintf("%d=%d/%d", i, a[0], a[1]))
		}
	}
	if len(attributes) > 0 {
		fmt.Fprintf(to.Out, "  attributes %s\n", strings.Join(attributes, " "))
	}
	for _, item := range c.Items {
		worn := ""
		if item.Worn {
			worn = ", worn"
		}
		fmt.Fprintf(to.Out, "  slot %2d  %d x item %d%s, %d %%%s\n", item.Slot, item.Amount, item.ItemID, prefixed(" ", terminal.Printable(item.Item)), item.Health, worn)
	}
}

// AccountResetSecret is the command "truestep account reset-secret", which gives an account a new password.
type AccountResetSecret struct {
	Account string `arg:"" help:"Name of the account."`
	Secret  string `help:"The new password; without it a random one is made. Other users of the machine may see the command line." placeholder:"PASSWORD"`
	AccountAccess
}

// Run resets the password and prints it.
func (c *AccountResetSecret) Run(to Output) error {
	var made struct{ Secret string }
	answer, err := c.change("POST", accountPath(c.Account, "secret"), nil, map[string]any{"secret": c.Secret}, &made)
	if err != nil {
		return err
	}
	return c.done(to, answer, "the password of %s is %s", c.Account, made.Secret)
}

// AccountEdit is the command "truestep account edit", which changes a stored character.
type AccountEdit struct {
	Account    string   `arg:"" help:"Name of the account."`
	Character  string   `arg:"" help:"Name of the character."`
	Rename     string   `help:"New name of the character." placeholder:"NAME"`
	Area       string   `help:"Area in which the character enters; needs --pos." placeholder:"NAME"`
	Pos        string   `help:"Position in world units." placeholder:"X,Y,Z"`
	Level      *int32   `help:"Level." placeholder:"N"`
	XP         *int32   `name:"xp" help:"Experience." placeholder:"N"`
	Gold       *int32   `help:"Gold." placeholder:"N"`
	Reputation *int32   `help:"Reputation." placeholder:"N"`
	Attribute  []string `help:"Attribute INDEX: its value, and its maximum if given. May be repeated." placeholder:"INDEX=VALUE[/MAX]" sep:"none"`
	Item       []string `help:"Content of an inventory slot; amount 0 empties it. May be repeated." placeholder:"SLOT=ITEM[xAMOUNT]" sep:"none"`
	Kick       bool     `help:"Send the player away first if it is in the world."`
	AccountAccess
}

// Run changes the character.
func (c *AccountEdit) Run(to Output) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	answer, err := c.change("POST", accountPath(c.Account, "characters", c.Character), nil, body, nil)
	if err != nil || c.JSON {
		return c.orJSON(to, answer, err)
	}
	var edited shownCharacter
	if err := json.Unmarshal(answer, &edited); err != nil {
		return problem("account: cannot decode the response of the server's console: %w", err)
	}
	fmt.Fprintf(to.Out, "the character is now\n")
	edited.print(to)
	return nil
}

func (c *AccountEdit) body() (map[string]any, error) {
	body := map[string]any{}
	for key, value := range map[string]string{"name": c.Rename, "area": c.Area} {
		if value != "" {
			body[key] = value
		}
	}
	for key, value := range map[string]*int32{"level": c.Level, "xp": c.XP, "gold": c.Gold, "reputation": c.Reputation} {
		if value != nil {
			body[key] = *value
		}
	}
	if c.Pos != "" {
		parts := strings.Split(c.Pos, ",")
		if len(parts) != 3 {
			return nil, problem("account: --pos %q: give it as X,Y,Z, such as 12.5,0,-3", c.Pos)
		}
		for i, key := range []string{"x", "y", "z"} {
			v, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 32)
			if err != nil {
				return nil, problem("account: --pos %q: %q is not a number", c.Pos, parts[i])
			}
			body[key] = v
		}
	}
	var attributes, items []map[string]any
	for _, text := range c.Attribute {
		index, value, ok := strings.Cut(text, "=")
		value, most, hasMax := strings.Cut(value, "/")
		a := map[string]any{}
		ok = ok && setNumber(a, "index", index) && setNumber(a, "value", value) && (!hasMax || setNumber(a, "max", most))
		if !ok {
			return nil, problem("account: --attribute %q: give it as INDEX=VALUE or INDEX=VALUE/MAX, such as 0=80/100", text)
		}
		attributes = append(attributes, a)
	}
	for _, text := range c.Item {
		slot, item, ok := strings.Cut(text, "=")
		item, amount, hasAmount := strings.Cut(item, "x")
		if !hasAmount {
			amount = "1"
		}
		i := map[string]any{}
		if !ok || !setNumber(i, "slot", slot) || !setNumber(i, "item", item) || !setNumber(i, "amount", amount) {
			return nil, problem("account: --item %q: give it as SLOT=ITEM or SLOT=ITEMxAMOUNT, such as 20=9x5", text)
		}
		items = append(items, i)
	}
	if attributes != nil {
		body["attributes"] = attributes
	}
	if items != nil {
		body["items"] = items
	}
	if len(body) == 0 {
		return nil, problem("account: nothing to change: give --rename, --area and --pos, --level, --gold, --attribute or --item; see truestep account edit --help")
	}
	body["kick"] = c.Kick
	return body, nil
}

// setNumber parses text as an integer and stores it in m under key. It returns false if text is not an integer.
func setNumber(m map[string]any, key, text string) bool {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	m[key] = n
	return err == nil
}

// AccountMove is the command "truestep account move", which moves a character.
type AccountMove struct {
	Account   string `arg:"" help:"Name of the account that has the character."`
	Character string `arg:"" help:"Name of the character."`
	To        string `arg:"" help:"Name of the account that gets it."`
	Kick      bool   `help:"Send players of both accounts away first if they are in the world."`
	AccountAccess
}

// Run moves the character.
func (c *AccountMove) Run(to Output) error {
	answer, err := c.change("POST", accountPath(c.Account, "characters", c.Character, "move"), nil, map[string]any{"to": c.To, "kick": c.Kick}, nil)
	if err != nil {
		return err
	}
	return c.done(to, answer, "%s belongs to the account %s now", c.Character, c.To)
}

// AccountMerge is the command "truestep account merge", which merges an account into another.
type AccountMerge struct {
	From string `arg:"" help:"Account whose characters are moved, and which is deleted."`
	Into string `arg:"" help:"Account that gets the characters; its password stays."`
	Kick bool   `help:"Send players of both accounts away first if they are in the world."`
	AccountAccess
}

// Run merges the accounts.
func (c *AccountMerge) Run(to Output) error {
	answer, err := c.change("POST", accountPath(c.From, "merge"), nil, map[string]any{"into": c.Into, "kick": c.Kick}, nil)
	if err != nil {
		return err
	}
	return c.done(to, answer, "%s is merged into %s", c.From, c.Into)
}

// AccountExport is the command "truestep account export", which prints all stored data of an account.
type AccountExport struct {
	Account string `arg:"" help:"Name of the account."`
	File    string `arg:"" optional:"" help:"File to write, which must not exist; without it standard output."`
	AccountAccess
}

// Run writes the export.
func (c *AccountExport) Run(to Output) error {
	if _, err := os.Lstat(c.File); c.File != "" && err == nil {
		return problem("account: %s exists already: name another file", c.File)
	}
	answer, err := c.read("POST", accountPath(c.Account, "export"), nil, nil)
	if err != nil {
		return err
	}
	if c.File == "" {
		_, err := to.Out.Write(answer)
		return err
	}
	if err := writeNew(c.File, answer); err != nil {
		return problem("account: %w", err)
	}
	fmt.Fprintf(to.Out, "%s: everything that is known of %s, %d bytes\n", c.File, c.Account, len(answer))
	return nil
}

// AccountDelete is the command "truestep account delete", which deletes an account.
type AccountDelete struct {
	Account   string   `arg:"" help:"Name of the account."`
	Yes       bool     `help:"Delete it; without this only say what would be deleted."`
	Kick      bool     `help:"Send the player away first if it is in the world."`
	Character []string `help:"Name of a character of an account that was deleted before, to remove the name from the journal too. May be repeated." placeholder:"NAME" sep:"none"`
	AccountAccess
}

// Run deletes the account. If it was deleted before, Run deletes what is left of it in the journal and the chat log.
func (c *AccountDelete) Run(to Output) error {
	if !c.Yes {
		var a shownAccount
		if _, err := c.read("GET", accountPath(c.Account), nil, &a); err != nil {
			return err
		}
		var names []string
		for i := range a.Characters {
			names = append(names, a.Characters[i].Name)
		}
		return problem("account: this deletes the account %s with %s%s for good: repeat the command with --yes", a.Name, terminal.Count(len(names), "character"), prefixed(": ", strings.Join(names, ", ")))
	}
	var deleted struct {
		DeletedBefore bool
		Characters    []string
		Journal       int64
		Chat          int64
	}
	query := url.Values{"character": c.Character}
	if c.Kick {
		query.Set("kick", "true")
	}
	answer, err := c.change("DELETE", accountPath(c.Account), query, nil, &deleted)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("deleted the account %s with %s", c.Account, terminal.Count(len(deleted.Characters), "character"))
	if len(deleted.Characters) > 0 {
		what += " (" + terminal.Printable(strings.Join(deleted.Characters, ", ")) + ")"
	}
	if deleted.DeletedBefore {
		what = fmt.Sprintf("the account %s was deleted before; deleted the rest of it", c.Account)
	}
	return c.done(to, answer, "%s, and its traces in %s of the journal and %s of chat; backups and tapes have them until they are deleted themselves",
		what, terminal.Count(int(deleted.Journal), "row"), terminal.Count(int(deleted.Chat), "line"))
}

func kickQuery(kick bool) url.Values {
	if !kick {
		return nil
	}
	return url.Values{"kick": {"true"}}
}

// AccountDeleteCharacter is the command "truestep account delete-character", which deletes a character.
type AccountDeleteCharacter struct {
	Account   string `arg:"" help:"Name of the account."`
	Character string `arg:"" help:"Name of the character."`
	Kick      bool   `help:"Send the player away first if it is in the world."`
	AccountAccess
}

// Run deletes the character.
func (c *AccountDeleteCharacter) Run(to Output) error {
	answer, err := c.change("DELETE", accountPath(c.Account, "characters", c.Character), kickQuery(c.Kick), nil, nil)
	if err != nil {
		return err
	}
	return c.done(to, answer, "deleted the character %s", c.Character)
}

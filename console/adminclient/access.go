package adminclient

import (
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// rule is a ban, a mute or a whitelist entry, as the API returns it.
type rule struct {
	Account, Network *string
	Reason, By       string
	Since, Until     *time.Time
}

// rows returns the cells of a table with one row per rule and the columns account or network, since, until, operator, reason.
func rows(rules []rule) (cells [][]string) {
	for i := range rules {
		r := &rules[i]
		by := r.By
		if by == "" {
			by = "not known"
		}
		cells = append(cells, []string{text(r.Account) + text(r.Network), when(r.Since, "not known"), when(r.Until, "for ever"), by, r.Reason})
	}
	return cells
}

// Period holds the flags of a ban or a mute: its duration and its reason.
type Period struct {
	// For is how long the ban or mute is in force. If For is 0, it is in force until it is lifted.
	For time.Duration `help:"How long, such as 12h or 30d; without it, until it is lifted." placeholder:"TIME"`
	// Reason is why the account or network is banned or muted; "" gives no reason.
	Reason string `help:"Why; the player is shown it if its client can." placeholder:"TEXT"`
}

// text returns the duration of the ban or mute as the API expects it, such as "30d". It returns "" for one without an end.
func (p *Period) text() string {
	if p.For == 0 {
		return ""
	}
	return duration.Format(p.For)
}

// end says how long a ban or a mute is in force. The text is the end of a sentence, such as "for 30d".
func (p *Period) end() string {
	if p.For == 0 {
		return "until it is lifted"
	}
	return "for " + duration.Format(p.For)
}

// Ban is the command "truestep admin ban", which bans an account or a network.
type Ban struct {
	// Target is the account to ban. If Net is true, it is the address or network to ban.
	Target string `arg:"" name:"whom" help:"Account; or with --network an address or network."`
	// Net is true if Target is an address or a network.
	Net bool `name:"network" help:"WHOM is an address such as 192.0.2.1 or a network such as 192.0.2.0/24. An IPv6 address means its /64."`
	Period
}

// Run bans the account or network.
func (b *Ban) Run(a *Access, to Output) error {
	key := "account"
	if b.Net {
		key = "network"
	}
	return a.do(to, "POST", "/bans", map[string]any{key: b.Target, "reason": b.Reason, "for": b.text()}, "%s is banned %s", b.Target, b.end())
}

// Unban is the command "truestep admin unban", which lifts a ban.
type Unban struct {
	Target string `arg:"" name:"whom" help:"Account, address or network."`
}

// Run lifts the ban.
func (u *Unban) Run(a *Access, to Output) error {
	return a.do(to, "DELETE", "/bans/"+segment(u.Target), nil, "%s is not banned", u.Target)
}

// Bans is the command "truestep admin bans", which prints the bans.
type Bans struct{}

// Run prints the bans.
func (*Bans) Run(a *Access, to Output) error {
	return list(a, to, "/bans", func(c *client, b *struct{ Bans []rule }) error {
		if len(b.Bans) == 0 {
			return c.say("nobody is banned")
		}
		return c.table("BANNED SINCE UNTIL BY REASON", rows(b.Bans))
	})
}

// Mute is the command "truestep admin mute", which mutes an account.
type Mute struct {
	Account string `arg:"" help:"Account."`
	Period
}

// Run mutes the account.
func (m *Mute) Run(a *Access, to Output) error {
	return a.do(to, "POST", "/mutes", map[string]any{"account": m.Account, "reason": m.Reason, "for": m.text()}, "%s is muted %s", m.Account, m.end())
}

// Unmute is the command "truestep admin unmute", which lifts a mute.
type Unmute struct {
	Account string `arg:"" help:"Account."`
}

// Run lifts the mute.
func (u *Unmute) Run(a *Access, to Output) error {
	return a.do(to, "DELETE", "/mutes/"+segment(u.Account), nil, "%s may talk again", u.Account)
}

// Mutes is the command "truestep admin mutes", which prints the mutes.
type Mutes struct{}

// Run prints the mutes.
func (*Mutes) Run(a *Access, to Output) error {
	return list(a, to, "/mutes", func(c *client, b *struct{ Mutes []rule }) error {
		if len(b.Mutes) == 0 {
			return c.say("nobody is muted")
		}
		return c.table("MUTED SINCE UNTIL BY REASON", rows(b.Mutes))
	})
}

// Whitelist is the group of commands "truestep admin whitelist", which switch, change and print the whitelist.
type Whitelist struct {
	On     WhitelistOn     `cmd:"" help:"Admit whitelisted accounts only. Players in the world stay."`
	Off    WhitelistOff    `cmd:"" help:"Admit all accounts."`
	Add    WhitelistAdd    `cmd:"" help:"Put accounts on the whitelist; they need not exist yet."`
	Remove WhitelistRemove `cmd:"" help:"Take accounts off the whitelist."`
	List   WhitelistList   `cmd:"" help:"List the whitelisted accounts."`
}

// WhitelistOn is the command "truestep admin whitelist on", which switches the whitelist on.
type WhitelistOn struct{}

// Run switches the whitelist on.
func (*WhitelistOn) Run(a *Access, to Output) error {
	return a.do(to, "POST", "/whitelist", map[string]any{"on": true}, "the whitelist is on: only accounts on it can log in")
}

// WhitelistOff is the command "truestep admin whitelist off", which switches the whitelist off.
type WhitelistOff struct{}

// Run switches the whitelist off.
func (*WhitelistOff) Run(a *Access, to Output) error {
	return a.do(to, "POST", "/whitelist", map[string]any{"on": false}, "the whitelist is off: every account can log in")
}

// WhitelistAdd is the command "truestep admin whitelist add", which adds accounts to the whitelist.
type WhitelistAdd struct {
	Accounts []string `arg:"" name:"account" help:"Names of accounts."`
}

// Run adds the accounts to the whitelist.
func (w *WhitelistAdd) Run(a *Access, to Output) error {
	for _, account := range w.Accounts {
		if err := a.do(to, "POST", "/whitelist/accounts", map[string]any{"account": account}, "%s is on the whitelist", account); err != nil {
			return err
		}
	}
	return nil
}

// WhitelistRemove is the command "truestep admin whitelist remove", which removes accounts from the whitelist.
type WhitelistRemove struct {
	Accounts []string `arg:"" name:"account" help:"Names of accounts."`
}

// Run removes the accounts from the whitelist.
func (w *WhitelistRemove) Run(a *Access, to Output) error {
	for _, account := range w.Accounts {
		if err := a.do(to, "DELETE", "/whitelist/accounts/"+segment(account), nil, "%s is not on the whitelist any more", account); err != nil {
			return err
		}
	}
	return nil
}

// WhitelistList is the command "truestep admin whitelist list", which prints the whitelisted accounts.
type WhitelistList struct{}

// Run prints the whitelisted accounts.
func (*WhitelistList) Run(a *Access, to Output) error {
	return list(a, to, "/whitelist", func(c *client, b *struct {
		On       bool
		Accounts []rule
	}) error {
		state := "off: every account can log in"
		if b.On {
			state = "on: only these accounts can log in"
		}
		if err := c.say("the whitelist is %s", state); err != nil || len(b.Accounts) == 0 {
			return err
		}
		var cells [][]string
		for _, r := range rows(b.Accounts) {
			cells = append(cells, []string{r[0], r[1], r[3]})
		}
		return c.table("ACCOUNT SINCE BY", cells)
	})
}

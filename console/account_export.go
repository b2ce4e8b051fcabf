package console

import (
	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
)

// exportBody holds all stored data about the person behind an account. Operators export it when the person asks for
// their data.
type exportBody struct {
	Version   int             `json:"truestepExport"` // version of the format, 1
	At        timestamp       `json:"exportedAt"`     // time of the export
	Account   *accountBody    `json:"account"`        // account with its characters
	Access    []exportedRule  `json:"access"`         // bans, mutes and whitelist entry of the account
	Addresses []addressBody   `json:"addresses"`      // network addresses from which the account logged in lately
	Journal   *journal.Person `json:"journal"`        // what the journal has about the player
	Chat      []chatlog.Line  `json:"chat"`           // chat of the player and messages of operators to the player, newest first
}

// exportedRule is a ban, a mute or a whitelist entry of the exported account.
type exportedRule struct {
	Kind   string     `json:"kind"`   // "ban", "mute" or "whitelisted"
	Reason string     `json:"reason"` // reason that the operator gave; may be empty
	By     string     `json:"by"`     // operator who made the rule; empty if not known
	Since  *timestamp `json:"since"`  // time at which the rule was made; null if not known
	Until  *timestamp `json:"until"`  // time at which the rule ends; null for a rule without an end
}

// addressBody is a network address from which the exported account logged in.
type addressBody struct {
	Addr string    `json:"addr"` // IP address
	At   timestamp `json:"at"`   // time of the newest login from this address
}

// exportAccount handles POST /accounts/{account}/export. It returns all stored data about the person behind the account.
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

package console

import (
	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
)

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

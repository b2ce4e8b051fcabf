package console

import (
	"unicode/utf8"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

type bansBody struct {
	Bans []banBody `json:"bans"`
}

type banBody struct {
	Account string `json:"account"`
}

// bans handles GET /bans. It returns the banned accounts, sorted by name.
func (k *call) bans() (any, error) {
	list, err := k.Hub.Banned(k.r.Context())
	if err != nil {
		return nil, err
	}
	b := bansBody{Bans: make([]banBody, 0, len(list))}
	for i := range list {
		b.Bans = append(b.Bans, banBody{list[i].Name})
	}
	return b, nil
}

// maxAccount is the maximum length of an account name in a request, in characters.
const maxAccount = 100

// ban handles POST /bans.
func (k *call) ban() (any, error) {
	var body struct {
		Account string `json:"account"`
		Reason  string `json:"reason"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	account, err := parseText("account", body.Account, 1, maxAccount)
	if err != nil {
		return nil, err
	}
	k.entry.Account = account
	why, err := parseText("reason", body.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = why
	for _, p := range k.Hub.Players() {
		if sim.EqualFold(p.Account, account) {
			k.entry.Player = p.Name
		}
	}
	return okBody{true}, k.Hub.Ban(k.r.Context(), account, why)
}

// pardon handles DELETE /bans/{account}.
func (k *call) pardon() (any, error) {
	account := k.r.PathValue("account")
	if account == "" || utf8.RuneCountInString(account) > maxAccount {
		return nil, store.ErrNotFound
	}
	k.entry.Account = account
	return okBody{true}, k.Hub.Pardon(k.r.Context(), account)
}

type auditBody struct {
	Entries []journal.OperatorAction `json:"entries"`
	Next    *int64                   `json:"next"` // value of the query parameter before for the next page
}

// audit handles GET /audit. It returns the actions that operators performed or attempted, newest first.
func (k *call) audit() (any, error) {
	ask, err := k.parseQuery("before", "limit")
	if err != nil {
		return nil, err
	}
	before, limit, err := parsePaging(ask)
	if err != nil {
		return nil, err
	}
	list, err := k.Journal.OperatorActions(k.r.Context(), before, limit)
	if err != nil {
		return nil, err
	}
	b := auditBody{Entries: list}
	if b.Entries == nil {
		b.Entries = []journal.OperatorAction{}
	}
	if len(list) == limit {
		b.Next = &list[len(list)-1].ID
	}
	return b, nil
}

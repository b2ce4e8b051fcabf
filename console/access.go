package console

import (
	"errors"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// ruleBody describes a ban, a mute or a whitelisted account in a response.
type ruleBody struct {
	Account *string    `json:"account"` // account of the rule; null for a banned network
	Network *string    `json:"network"` // banned network, such as "192.0.2.0/24"; null if the rule is about an account
	Reason  string     `json:"reason"`  // reason that the operator gave; may be empty
	By      string     `json:"by"`      // operator who made the rule, such as "ann (console)"; empty if not known
	Since   *timestamp `json:"since"`   // time at which the rule was made; null if not known
	Until   *timestamp `json:"until"`   // time at which the rule ends; null for a rule without an end
}

func describeRules(list []store.AccessRule) []ruleBody {
	bodies := make([]ruleBody, 0, len(list))
	for i := range list {
		r := &list[i]
		bodies = append(bodies, ruleBody{
			Account: orNull(r.Account, ""), Network: orNull(r.NetworkText(), ""), Reason: r.Reason, By: r.By,
			Since: timestampOrNull(r.Since), Until: timestampOrNull(r.Until),
		})
	}
	return bodies
}

// bans handles GET /bans. It returns all bans of accounts and networks.
func (k *call) bans() (any, error) {
	list, err := k.Hub.Rules(k.r.Context(), store.AccessBan)
	return struct {
		Bans []ruleBody `json:"bans"`
	}{describeRules(list)}, err
}

// mutes handles GET /mutes. It returns the muted accounts.
func (k *call) mutes() (any, error) {
	list, err := k.Hub.Rules(k.r.Context(), store.AccessMute)
	return struct {
		Mutes []ruleBody `json:"mutes"`
	}{describeRules(list)}, err
}

// whitelist handles GET /whitelist. It returns the whitelisted accounts, and whether the whitelist is on.
func (k *call) whitelist() (any, error) {
	list, err := k.Hub.Rules(k.r.Context(), store.AccessWhitelisted)
	return struct {
		On       bool       `json:"on"` // only whitelisted accounts can log in
		Accounts []ruleBody `json:"accounts"`
	}{k.Hub.Whitelist(), describeRules(list)}, err
}

// maxAccount is the maximum length of an account name in a request, in characters.
const maxAccount = 100

// ban handles POST /bans. It bans an account or a network.
func (k *call) ban() (any, error) {
	var body struct {
		Account string `json:"account"` // account to ban; empty if Network is given
		Network string `json:"network"` // address or network in CIDR notation to ban; empty if Account is given
		Reason  string `json:"reason"`
		For     string `json:"for"` // period of the ban, such as "30d"; empty for a ban without an end
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	r := store.AccessRule{Kind: store.AccessBan}
	if strings.TrimSpace(body.Network) == "" {
		return k.restrictAccount(r, body.Account, body.Reason, body.For)
	}
	if body.Account != "" {
		return nil, badRequest(`give either "account" or "network"`)
	}
	var err error
	if r.Network, err = parseNetwork(body.Network); err != nil {
		return nil, err
	}
	return k.restrict(r, body.Reason, body.For)
}

// mute handles POST /mutes. It mutes an account: the account's players cannot chat.
func (k *call) mute() (any, error) {
	var body struct {
		Account string `json:"account"`
		Reason  string `json:"reason"`
		For     string `json:"for"` // period of the mute, such as "1h"; empty for a mute without an end
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	return k.restrictAccount(store.AccessRule{Kind: store.AccessMute}, body.Account, body.Reason, body.For)
}

// admitAccount handles POST /whitelist/accounts. It adds an account to the whitelist.
func (k *call) admitAccount() (any, error) {
	var body struct {
		Account string `json:"account"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	return k.restrictAccount(store.AccessRule{Kind: store.AccessWhitelisted}, body.Account, "", "")
}

// switchWhitelist handles POST /whitelist. It switches the whitelist on or off.
func (k *call) switchWhitelist() (any, error) {
	var body struct {
		On *bool `json:"on"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	r := store.AccessRule{Kind: store.AccessWhitelist}
	switch {
	case body.On == nil:
		return nil, badRequest(`"on" is missing: true or false`)
	case *body.On:
		k.entry.Detail = "on"
		return k.restrict(r, "", "")
	}
	k.entry.Detail = "off"
	if err := k.Hub.Lift(k.r.Context(), r); !errors.Is(err, store.ErrNotFound) {
		return okBody{true}, err
	}
	return okBody{true}, nil // it is off already
}

// restrictAccount stores the rule r for an account: a ban, a mute or a whitelist entry. The parameter period is how long the rule
// holds, such as "30d"; "" means without an end.
func (k *call) restrictAccount(r store.AccessRule, account, reason, period string) (any, error) {
	var err error
	if r.Account, err = parseText("account", account, 1, maxAccount); err != nil {
		return nil, err
	}
	k.setAccount(r.Account)
	return k.restrict(r, reason, period)
}

// setAccount completes the audit entry of the call with the account that the call is about. If a player of the account is in the
// world, the audit entry also gets the player's name.
func (k *call) setAccount(account string) {
	k.entry.Account = account
	for _, p := range k.Hub.Players() {
		if sim.EqualFold(p.Account, account) {
			k.entry.Player = p.Name
		}
	}
}

// restrict stores the rule r with a reason. The rule is a ban, a mute or a whitelist entry, or it switches the whitelist on. The
// parameter period is how long the rule holds, such as "30d"; "" means without an end.
func (k *call) restrict(r store.AccessRule, reason, period string) (any, error) {
	var err error
	if r.Reason, err = parseText("reason", reason, 0, maxReason); err != nil {
		return nil, err
	}
	if r.Until, err = k.parsePeriod(period); err != nil {
		return nil, err
	}
	if r.Kind != store.AccessWhitelist {
		k.entry.Detail = ruleDetail(&r, period)
	}
	r.By = k.entry.Operator
	_, err = k.Hub.Restrict(k.r.Context(), r)
	if errors.Is(err, session.ErrInvalid) && r.Network.IsValid() {
		err = badRequest(`"network": a banned network must have at least /8, of IPv6 /16`)
	}
	return okBody{true}, err
}

// ruleDetail describes a ban, a mute or a whitelist entry for the audit log: its network, its duration and its reason. The
// parameter period is the duration, such as "30d", or "" if there is no end.
func ruleDetail(r *store.AccessRule, period string) string {
	text := r.NetworkText()
	if period != "" {
		text = strings.TrimSpace(text + " for " + period)
	}
	switch {
	case text == "":
		return r.Reason
	case r.Reason == "":
		return text
	}
	return text + ": " + r.Reason
}

// maxPeriod is the longest period of a ban or a mute. A longer period must be a typing error: for a ban without an end the
// operator gives no period.
const maxPeriod = 100 * 365 * 24 * time.Hour

// parsePeriod parses a duration such as "30d" and returns the time at which it ends if it begins now. For "" it returns
// the zero time.
func (k *call) parsePeriod(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	d, err := duration.Parse(text)
	switch {
	case err != nil:
		return time.Time{}, badRequest(`"for": %v`, err)
	case d < time.Second || d > maxPeriod:
		return time.Time{}, badRequest(`"for" must be between 1s and 36500d; leave it out for a rule without an end`)
	}
	return time.Now().Add(d), nil
}

// parseNetwork parses an IP address, or a network in CIDR notation. An address becomes a network of that one address.
func parseNetwork(text string) (netip.Prefix, error) {
	text = strings.TrimSpace(text)
	if a, err := netip.ParseAddr(text); err == nil {
		a = a.Unmap().WithZone("")
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return p, badRequest(`"network": %.50q is neither an address such as 192.0.2.1 nor a network such as 192.0.2.0/24 or 2001:db8::/64`, text)
	}
	return p, nil
}

// pardon handles DELETE /bans/{account}. It lifts the ban of an account, or of the network that the path has in place of
// the account.
func (k *call) pardon() (any, error) {
	name, err := k.pathAccount()
	if err != nil {
		return nil, err
	}
	err = k.Hub.Pardon(k.r.Context(), name)
	network, wrong := parseNetwork(name)
	if !errors.Is(err, store.ErrNotFound) || wrong != nil {
		k.entry.Account = name
		return okBody{true}, err
	}
	k.entry.Detail = network.String()
	err = k.Hub.Lift(k.r.Context(), store.AccessRule{Kind: store.AccessBan, Network: network})
	if errors.Is(err, store.ErrNotFound) {
		err = notFound("%s is not banned", network)
	}
	return okBody{true}, err
}

// unmute handles DELETE /mutes/{account}. It lifts the mute of an account.
func (k *call) unmute() (any, error) { return k.lift(store.AccessMute, "%.50q is not muted") }

// excludeAccount handles DELETE /whitelist/accounts/{account}. It removes an account from the whitelist.
func (k *call) excludeAccount() (any, error) {
	return k.lift(store.AccessWhitelisted, "%.50q is not on the whitelist")
}

// lift deletes the entry of the given kind (a mute or a whitelist entry) of the account in the URL path. If there is none,
// lift returns an error. The parameter missing is the format string of that error; its only verb is for the account name.
func (k *call) lift(kind store.AccessKind, missing string) (any, error) {
	name, err := k.pathAccount()
	if err != nil {
		return nil, err
	}
	k.setAccount(name)
	err = k.Hub.Lift(k.r.Context(), store.AccessRule{Kind: kind, Account: name})
	if errors.Is(err, store.ErrNotFound) {
		err = notFound(missing, name)
	}
	return okBody{true}, err
}

// pathAccount returns the account name in the URL path of the request.
func (k *call) pathAccount() (string, error) {
	name := k.r.PathValue("account")
	if name == "" || utf8.RuneCountInString(name) > maxAccount {
		return "", store.ErrNotFound
	}
	return name, nil
}

package console

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/session"
)

// secretBody holds a password. It is both the request and the response of POST /accounts/{account}/secret.
type secretBody struct {
	Secret string `json:"secret"` // new password in plain text; empty in a request to generate a random one
}

// resetSecret handles POST /accounts/{account}/secret. It sets the password of an account and returns it. No log contains
// the password.
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

// mergeAccount handles POST /accounts/{account}/merge. It moves the characters of the account in the URL path to another
// account, and then deletes the account in the path.
func (k *call) mergeAccount() (any, error) {
	var body struct {
		Into string `json:"into"` // account that receives the characters
		Kick bool   `json:"kick"` // disconnect the players of both accounts first
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
		return nil, fmt.Errorf("the accounts are merged, but the chat log still has the name of the merged account: %w", err)
	}
	return okBody{true}, nil
}

// deletedBody is the response of DELETE /accounts/{account}.
type deletedBody struct {
	OK         bool     `json:"ok"`         // always true
	Characters []string `json:"characters"` // names of the deleted characters
	Journal    int64    `json:"journal"`    // number of deleted rows of the journal
	Chat       int64    `json:"chat"`       // number of deleted lines of chat
}

// deleteAccount handles DELETE /accounts/{account}. It deletes the account with its characters, journal entries and lines
// of chat.
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
		err = fmt.Errorf("the account is deleted, but its entries in the journal could not be deleted: %w", err)
	}
	lines, failed := k.Chat.Forget(k.r.Context(), name)
	if failed != nil {
		err = errors.Join(err, fmt.Errorf("the account is deleted, but its lines in the chat log could not be deleted: %w", failed))
	}
	if err != nil {
		return nil, err
	}
	return deletedBody{true, orEmpty(characters), n, lines}, nil
}

// parseKick returns the value of the query parameter kick of a DELETE request: whether to disconnect players of the account
// before the deletion. If the parameter is missing, the result is false.
func (k *call) parseKick() (bool, error) {
	ask, err := k.parseQuery("kick")
	if err != nil {
		return false, err
	}
	kick, err := parseBool(ask, "kick")
	return kick != nil && *kick, err
}

package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// finishTimeout is the maximum duration of a deletion or a merge. It is shorter than the WriteTimeout of the console's HTTP server,
// so that the answer can be sent.
const finishTimeout = 25 * time.Second

// finishing returns the context for a deletion or a merge. The context does not end when the client disconnects, because
// the call must not stop between the deletion of the account and that of its other data.
func (k *call) finishing() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(k.r.Context()), finishTimeout)
}

// leftError handles an error that left data of a deleted or merged account in the store, the journal or the chat log. It logs the
// error and returns the response. The parameter name is the account. The parameter text tells the operator which data is left and
// what to do.
func (k *call) leftError(name string, err error, text string) error {
	k.log.Error("console: an account was deleted or merged, but not all of its data could be removed or renamed; repeat the action", telemetry.FieldAccount, name, telemetry.FieldErr, err)
	return &apiError{http.StatusInternalServerError, codeInternal, text + "; see the server's log"}
}

// secretBody holds a password. It is both the request and the response of POST /accounts/{account}/secret.
type secretBody struct {
	Secret string `json:"secret"` // new password in plain text; if it is empty, the server generates a random one
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
	ctx, cancel := k.finishing()
	defer cancel()
	a, err := k.keeper().Account(ctx, name)
	merged := errors.Is(err, store.ErrNotFound) // the accounts were merged before: by a call that could not change the chat log, or through another node
	switch {
	case merged:
		_, err = k.keeper().Account(ctx, into)
	case err == nil:
		name = a.Name // the registered spelling, because the chat log ignores case only for ASCII letters
		err = k.keeper().Merge(ctx, name, into, body.Kick)
	}
	rules := 0
	if merged && err == nil {
		rules, err = k.keeper().DropAccessRules(ctx, name)
	}
	if err != nil && !errors.Is(err, session.ErrRulesLeft) {
		return nil, err
	}
	lines, chatErr := k.Chat.Rename(ctx, name, into)
	switch {
	case err != nil:
		return nil, k.leftError(name, errors.Join(err, chatErr), fmt.Sprintf("the accounts are merged, but bans, mutes or a whitelist entry with the name %s are left: repeat the merge", name))
	case chatErr != nil:
		return nil, k.leftError(name, chatErr, fmt.Sprintf("the accounts are merged, but lines of the chat log still have the name %s: repeat the merge", name))
	case merged && lines == 0 && rules == 0:
		return nil, store.ErrNotFound
	}
	return okBody{true}, nil
}

// deletedBody is the response of DELETE /accounts/{account}.
type deletedBody struct {
	OK         bool     `json:"ok"`         // always true
	Characters []string `json:"characters"` // names of the deleted characters; if the account was deleted before, the given names
	Journal    int64    `json:"journal"`    // number of deleted and changed rows of the journal
	Chat       int64    `json:"chat"`       // number of deleted and changed lines of chat

	DeletedBefore bool `json:"deletedBefore"` // the account did not exist any more, and only the rest of its data was deleted
}

// deleteAccount handles DELETE /accounts/{account}. It deletes the account with its characters, journal entries and lines of chat. If
// the account does not exist any more, because an earlier call could not delete everything or another node of the cluster has deleted
// the account, the call deletes what is left: bans, mutes and whitelist entry of the account, and its data in the journal and the
// chat log of this server.
func (k *call) deleteAccount() (any, error) {
	name, err := k.accountName()
	if err != nil {
		return nil, err
	}
	ask, err := k.parseQueryList("character", "kick", "character")
	if err != nil {
		return nil, err
	}
	kick, err := parseBool(ask, "kick")
	if err != nil {
		return nil, err
	}
	characters, err := parseNames("character", ask["character"])
	if err != nil {
		return nil, err
	}
	ctx, cancel := k.finishing()
	defer cancel()
	a, err := k.keeper().Account(ctx, name)
	if err == nil {
		if len(characters) > 0 {
			return nil, &apiError{http.StatusConflict, codeConflict, `the account exists, so its characters are known: leave out "character"`}
		}
		name = a.Name // the registered spelling, because journal and chat log ignore case only for ASCII letters
		characters, err = k.keeper().Delete(ctx, name, kick != nil && *kick)
	}
	if errors.Is(err, store.ErrUnavailable) && !errors.Is(err, session.ErrRulesLeft) && len(characters) > 0 {
		return nil, &apiError{http.StatusServiceUnavailable, codeUnavailable, fmt.Sprintf("the database cannot be reached: the account may be deleted or not. Repeat the deletion; if there is no such account then, give its characters, %q", characters)}
	}
	deletedBefore, rules := errors.Is(err, store.ErrNotFound), 0
	if deletedBefore {
		if err = k.checkDeleted(ctx, characters); err == nil {
			rules, err = k.keeper().DropAccessRules(ctx, name)
		}
	}
	if err != nil && !errors.Is(err, session.ErrRulesLeft) {
		return nil, err
	}
	k.entry.Detail = fmt.Sprintf("%d characters", len(characters))
	if deletedBefore {
		k.entry.Detail = "the rest of an account that was deleted before"
	}
	rows, journalErr := k.Journal.Forget(ctx, name, characters)
	lines, chatErr := k.Chat.Forget(ctx, name)
	switch {
	case journalErr != nil && len(characters) > 0:
		return nil, k.leftError(name, errors.Join(err, journalErr, chatErr), fmt.Sprintf("the account is deleted, but its data in the journal is not: repeat the deletion and give its characters, %q", characters))
	case journalErr != nil || chatErr != nil:
		return nil, k.leftError(name, errors.Join(err, journalErr, chatErr), "the account is deleted, but not all of its data in the journal and the chat log: repeat the deletion")
	case err != nil:
		return nil, k.leftError(name, err, fmt.Sprintf("the account is deleted with its characters, %q, but not all of its bans, mutes and its whitelist entry: repeat the deletion", orEmpty(characters)))
	case deletedBefore && rules == 0 && rows == 0 && lines == 0:
		return nil, notFound("there is no such account, and the journal and the chat log of this server have no data of it")
	}
	return deletedBody{true, orEmpty(characters), rows, lines, deletedBefore}, nil
}

// checkDeleted returns an error if a character with one of the names exists. Then the operator has mistyped the name of an account,
// or another player has taken the name of a deleted character since. In the second case the journal may have entries of the new
// character under that name, which must not be deleted.
func (k *call) checkDeleted(ctx context.Context, characters []string) error {
	for _, name := range characters {
		exists, err := k.keeper().HasCharacter(ctx, name)
		if err != nil {
			return err
		}
		if exists {
			return &apiError{http.StatusConflict, codeConflict, fmt.Sprintf(`there is no such account, but a character %q exists: check both names; if another player has taken the name since, leave it out of "character"`, name)}
		}
	}
	return nil
}

// parseNames returns the names of characters in a query. The parameter key is their query parameter, for errors.
func parseNames(key string, list []string) (names []string, err error) {
	if len(list) > store.MaxCharacters {
		return nil, badRequest("%q occurs %d times; an account has at most %d characters", key, len(list), store.MaxCharacters)
	}
	for _, name := range list {
		if name, err = parseText(key, name, 1, maxAccount); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
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

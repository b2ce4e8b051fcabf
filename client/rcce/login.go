package rcce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
)

const (
	answerTimeout = 10 * time.Second        // wait for the answer to an account packet, before the packet is sent again
	enterTimeout  = 15 * time.Second        // maximum wait for all answers to StartGame
	lateAnswer    = 1200 * time.Millisecond // known clients mistake an answer after this time for that to their next request (docs/wire/rcce.md 4)
	startParts    = 13                      // answers to StartGame: the own actor and twelve parts of the action bar (docs/wire/rcce.md 3.3)

	maxTemplates = 4 // number of templates that NewCharacter tries; a server may throttle after five refusals (docs/wire/rcce.md 3.2)
	maxNames     = 3 // number of character names that NewCharacter tries
	maxAsked     = 4 // number of times that a login is sent on one connection, as players repeat a login that is not answered
)

// RefusedError reports that the server has refused a request, such as a login.
type RefusedError struct {
	Request string // name of the request packet
	Answer  byte   // answer of the server, one of proto/rcce's Reply constants
}

// Error returns the name of the refused request and the reason for the refusal.
func (e *RefusedError) Error() string {
	why := map[byte]string{
		proto.ReplyNo:       "the server gives no reason",
		proto.ReplyPassword: "unknown account, wrong password or too many attempts",
		proto.ReplyBanned:   "the account is banned",
		proto.ReplyOnline:   "the account is in the world already",
		proto.ReplyName:     "the name is bad or taken",
	}[e.Answer]
	return fmt.Sprintf("the server refuses %s: %s", e.Request, why)
}

func refusedWith(err error, answer byte) bool {
	var r *RefusedError
	return errors.As(err, &r) && r.Answer == answer
}

// Join logs in and enters the world with the first character of the account. It creates the account and the character if they do
// not exist.
func (c *Client) Join(ctx context.Context) error {
	if err := c.CreateAccount(ctx); err != nil && !refusedWith(err, proto.ReplyNo) {
		return err
	}
	roster, err := c.Login(ctx)
	if err != nil {
		return err
	}
	if len(roster) == 0 {
		if err := c.NewCharacter(ctx); err != nil {
			return err
		}
	}
	if err := c.FetchCharacter(ctx, 0); err != nil {
		return err
	}
	return c.Enter(ctx, 0)
}

// CreateAccount registers the account. If the account exists or its name is not valid, the error is a RefusedError with ReplyNo.
func (c *Client) CreateAccount(ctx context.Context) error {
	var result byte
	err := c.ask(ctx, proto.CreateAccountRequest{User: c.opt.User, MD5: c.hash, Email: c.opt.Email},
		func(p proto.Packet) bool {
			a, ok := p.(proto.CreateAccount)
			result = a.Result
			return ok
		})
	return requestError("CreateAccount", err, result)
}

// ask sends a request until the server answers, at most maxAsked times. It is for requests that have no additional effect if they
// are repeated.
func (c *Client) ask(ctx context.Context, p proto.Packet, answer func(proto.Packet) bool) (err error) {
	for range maxAsked {
		if err = c.request(ctx, p, answerTimeout, answer); !errors.Is(err, ErrNoAnswer) {
			return err
		}
	}
	return err
}

// requestError returns the error of a request. If err is not nil, it returns err with the name of the request. Otherwise the
// result depends on the server's answer, the parameter result: nil for ReplyYes, else a RefusedError.
func requestError(request string, err error, result byte) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", request, err)
	case result != proto.ReplyYes:
		return &RefusedError{request, result}
	}
	return nil
}

// Login logs in to the account and returns its characters. If the password is wrong, the error is a RefusedError with
// ReplyPassword.
func (c *Client) Login(ctx context.Context) ([]proto.RosterEntry, error) {
	var answer proto.VerifyAccount
	err := c.ask(ctx, proto.VerifyAccountRequest{User: c.opt.User, MD5: c.hash},
		func(p proto.Packet) (ok bool) {
			answer, ok = p.(proto.VerifyAccount)
			return ok
		})
	return answer.Roster, requestError("VerifyAccount", err, answer.Result)
}

// NewCharacter creates the character that the options describe. Like known clients, it tries the next template if the server
// refuses the template, and another name if the name is taken.
func (c *Client) NewCharacter(ctx context.Context) error {
	template, name := c.opt.Template, c.opt.Character
	var err error
	for templates, names := 1, 1; templates <= maxTemplates && names <= maxNames; {
		err = c.createCharacter(ctx, template, name)
		switch {
		case refusedWith(err, proto.ReplyNo):
			templates++
			template++
		case refusedWith(err, proto.ReplyName):
			name = fmt.Sprintf("%s%d", c.opt.Character, names)
			names++
		default:
			return err
		}
	}
	return err
}

func (c *Client) createCharacter(ctx context.Context, template uint16, name string) error {
	var result byte
	err := c.request(ctx, proto.CreateCharacterRequest{User: c.opt.User, MD5: c.hash, Template: template, Name: name}, answerTimeout,
		func(p proto.Packet) bool {
			a, ok := p.(proto.CreateCharacter)
			result = a.Result
			return ok
		})
	return requestError("CreateCharacter", err, result)
}

// FetchCharacter requests the data of a character. The client takes the character's health and speed from the answer. The
// parameter index is the position of the character in the account's list.
func (c *Client) FetchCharacter(ctx context.Context, index int) error {
	result := byte(proto.ReplyYes)
	err := c.request(ctx, proto.FetchCharacterRequest{User: c.opt.User, MD5: c.hash, Index: uint8(index)}, answerTimeout,
		func(p proto.Packet) bool {
			switch p.(type) {
			case proto.FetchCharacterRefused:
				result = proto.ReplyNo
				return true
			case proto.FetchCharacterEnd:
				return true
			}
			return false
		})
	return requestError("FetchCharacter", err, result)
}

// Enter lets a character enter the world. The parameter index is the position of the character in the account's list. Unless
// Options.SameConnection is set, Enter first closes the connection, pauses, and opens a second one, as known clients do.
func (c *Client) Enter(ctx context.Context, index int) error {
	if !c.opt.SameConnection {
		if err := c.reconnect(ctx); err != nil {
			return err
		}
	}
	result := byte(proto.ReplyYes)
	var parts []uint8
	err := c.request(ctx, proto.StartGameRequest{User: c.opt.User, MD5: c.hash, Index: uint8(index)}, enterTimeout,
		func(p proto.Packet) bool {
			switch p := p.(type) {
			case proto.StartGameRefused:
				result = proto.ReplyNo
				return true
			case proto.StartGameActor:
				parts = append(parts, 0xff)
			case proto.StartGameBar:
				parts = append(parts, p.Start)
			}
			return len(parts) == startParts
		})
	if err == nil && result == proto.ReplyYes {
		slices.Sort(parts)
		if len(slices.Compact(parts)) != startParts || c.world.Self.RuntimeID == 0 {
			err = errors.New("the server's answers to StartGame are incomplete: the runtime id of the player or a part of the action bar is missing")
		}
	}
	return requestError("StartGame", err, result)
}

func (c *Client) reconnect(ctx context.Context) error {
	c.disconnect()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(reconnectPause):
	}
	return c.connect(ctx)
}

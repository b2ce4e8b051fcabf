//go:build linux

package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/client/rcce"
)

// ErrNotJoined is the error of Err for a client that has not entered the world yet, or whose connection the test has ended.
var ErrNotJoined = errors.New("the client is not in the world")

// EnterRcce makes a RealmCrafter client log in and enter the world with the only character of its account. If first is set, it
// creates the account and the character before.
func EnterRcce(ctx context.Context, c *rcce.Client, first bool) error {
	if first {
		return c.Join(ctx)
	}
	if _, err := c.Login(ctx); err != nil {
		return err
	}
	if err := c.FetchCharacter(ctx, 0); err != nil {
		return err
	}
	return c.Enter(ctx, 0)
}

// Err returns nil while a client plays, and otherwise an error with the reason. The parameter joined says whether the client has been in
// the world. The channel over, which has a capacity of one, receives the result of the client's method Play. Err puts the result back
// into the channel for later calls.
func Err(joined bool, over chan error) error {
	if !joined {
		return ErrNotJoined
	}
	select {
	case err := <-over:
		over <- err
		if err == nil { // Play ended without an error: the connection was cut, and the client has not logged in again
			return ErrNotJoined
		}
		return fmt.Errorf("the client has lost its connection: %w", err)
	default:
		return nil
	}
}

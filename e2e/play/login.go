//go:build linux

package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/client/rcce"
)

// ErrNotJoined is returned by Err for a client that has not entered the world or was cut off on purpose.
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

// Err returns nil while a client plays. Otherwise it returns an error with the reason. The parameter joined says whether the
// client has been in the world. The channel over has a capacity of one and receives the result of the client's method Play. Err
// puts a result that it has received back into the channel.
func Err(joined bool, over chan error) error {
	if !joined {
		return ErrNotJoined
	}
	select {
	case err := <-over:
		over <- err
		if err == nil { // Play ended without an error because the connection was cut, and the client did not log in again
			return ErrNotJoined
		}
		return fmt.Errorf("the client has lost its connection: %w", err)
	default:
		return nil
	}
}

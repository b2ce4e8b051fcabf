//go:build linux

package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/client/rcce"
)

// ErrNotJoined is the error of a client that is not in the world.
var ErrNotJoined = errors.New("the client is not in the world")

// EnterRcce lets a RealmCrafter client enter the world with the only character of its account. If first is set, it creates both before.
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

// Err returns nil while a client plays, and otherwise an error that says why it does not. joined is set once the client has been in the
// world; over has room for one result, and is sent that of the client's method Play, which remains in it.
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
		return fmt.Errorf("connection lost: %w", err)
	default:
		return nil
	}
}

package bedrock

import (
	"context"
	"errors"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// refuseBusy disconnects a client because the server is overloaded.
func (c *conn) refuseBusy() {
	c.w.g.door.Bad.With("overload").Inc()
	c.kick("The server is busy. Please try again.")
}

// isFull reports whether the player limit is reached.
func (g *Gateway) isFull() bool { return g.players.Load() >= int64(g.opt.MaxPlayers) }

// refuseFull disconnects a client because the server is full.
func (c *conn) refuseFull() {
	c.reportFault("full", nil)
	send(c, proto.PlayStatus{Status: proto.StatusServerFull})
	c.flushAndClose()
}

// refuseLogin disconnects a client whose login has failed with err. The client displays a text that explains err.
func (c *conn) refuseLogin(err error) {
	if c.closed {
		return
	}
	if c.session != nil && c.session.KickMessage() != "" { // an operator has removed the player before its first frame
		c.kick(c.farewellText())
		return
	}
	if why, ok := errors.AsType[*auth.Refusal](err); ok {
		c.reportFault("refused_"+why.Name(), err)
		c.disconnect(proto.DisconnectNotAuthenticated, authRefusalText(why))
		return
	}
	for _, r := range loginRefusals {
		if errors.Is(err, r.err) {
			c.reportFault("refused_"+r.name, err)
			c.disconnect(r.reason, session.AccessText(err, r.text))
			return
		}
	}
	c.w.g.log.Error("login refused after an internal error", telemetry.FieldErr, err)
	c.disconnect(proto.DisconnectUnknown, "The server could not let you in. Please try again.")
}

// Errors for which the door itself refuses a login. Other errors come from packages auth and session.
var (
	errAreaFull        = errors.New("the area of the character has the maximum number of players")
	errVerifyQueueFull = errors.New("too many logins are waiting to be verified")
)

// loginRefusals lists the errors for which a login is refused. Each has the name of its metric, a disconnect reason and a text
// for the player. An error that is not listed is an internal one.
var loginRefusals = []struct {
	err    error
	name   string
	reason proto.DisconnectReason
	text   string
}{
	{errAreaFull, "area_full", proto.DisconnectServerFull, "The world is full. Please try again later."},
	{errVerifyQueueFull, "waiting", proto.DisconnectUnknown, "The server is busy. Please try again."},
	{session.ErrOnline, "online", proto.DisconnectLoggedInElsewhere, "A player of that name is already in the world."},
	{session.ErrBusy, "busy", proto.DisconnectLoggedInElsewhere, "A player of that name is already in the world."},
	{session.ErrBanned, "banned", proto.DisconnectNotAllowed, "You are banned from this server."},
	{session.ErrNotWhitelisted, "not_whitelisted", proto.DisconnectNotAllowed, "You are not on the whitelist of this server."},
	{session.ErrThrottled, "throttled", proto.DisconnectNotAllowed, "Too many logins from your address. Please wait a minute."},
	{session.ErrAccountsClosed, "accounts_closed", proto.DisconnectNotAllowed, "This server takes no new players."},
	{session.ErrUnavailable, "store_unavailable", proto.DisconnectUnknown, "The server cannot reach its stored players at present. Please try again."},
	{session.ErrNoLead, "no_leader", proto.DisconnectUnknown, "A part of the world is not available at present. Please try again."},
	{session.ErrClosed, "closing", proto.DisconnectServerShutdown, "The server is closing."},
	{context.Canceled, "closing", proto.DisconnectServerShutdown, "The server is closing."},
	{session.ErrName, "name", proto.DisconnectInvalidName, "That name is not allowed here."},
	{session.ErrNameTaken, "name", proto.DisconnectInvalidName, "That name is not allowed here."},
	{session.ErrInvalid, "name", proto.DisconnectInvalidName, "That name is not allowed here."},
	{session.ErrDenied, "denied", proto.DisconnectNotAuthenticated, "That name belongs to another player."},
}

// authRefusalText returns the text that a client shows to its player if its login is not valid.
func authRefusalText(why *auth.Refusal) string {
	if errors.Is(why, auth.ErrNoKeys) {
		return "This server checks logins and has no keys to do so. Tell its operator."
	}
	return "Your login is not valid here: " + why.Error() + "."
}

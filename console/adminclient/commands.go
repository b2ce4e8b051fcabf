package adminclient

// Commands are the commands of truestep admin.
type Commands struct {
	Access

	Players   Players   `cmd:"" help:"List the players in the world."`
	Message   Message   `cmd:"" help:"Send a message to a player."`
	Announce  Announce  `cmd:"" help:"Show a text to all players, or to those of an area."`
	Kick      Kick      `cmd:"" help:"Disconnect a player."`
	Give      Give      `cmd:"" help:"Give items to a player or a stored character."`
	Take      Take      `cmd:"" help:"Take items from a player or a stored character."`
	Attribute Attribute `cmd:"" help:"Set an attribute of a player or a stored character."`
	NPCs      NPCs      `cmd:"" name:"npcs" help:"List NPCs."`
	Spawn     Spawn     `cmd:"" help:"Spawn an NPC."`
	Remove    Remove    `cmd:"" help:"Remove NPCs."`
	Mute      Mute      `cmd:"" help:"Refuse the chat of an account."`
	Unmute    Unmute    `cmd:"" help:"Allow the chat of an account again."`
	Mutes     Mutes     `cmd:"" help:"List the muted accounts."`
	Ban       Ban       `cmd:"" help:"Refuse the logins of an account, an address or a network."`
	Unban     Unban     `cmd:"" help:"Lift a ban."`
	Bans      Bans      `cmd:"" help:"List the bans."`
	Whitelist Whitelist `cmd:"" help:"Admit only some accounts."`
	Chat      Chat      `cmd:"" help:"Search what players and operators said."`
	Reload    Reload    `cmd:"" help:"Read the settings and the world file again, and say what needs a restart."`
	Restart   Restart   `cmd:"" help:"Restart the server after a countdown."`
	Stop      Stop      `cmd:"" help:"Stop the server after a countdown."`
	Cancel    Cancel    `cmd:"" help:"Cancel the countdown of a restart or stop."`
	Audit     Audit     `cmd:"" help:"List what operators did."`
}

// do calls the API. The body is nil for a request without one. If the call succeeds, do prints one line, which it formats from
// done and args.
func (a *Access) do(to Output, method, path string, body any, done string, args ...any) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	return c.act(method, path, body, done, args...)
}

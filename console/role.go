package console

import "fmt"

// Role is the set of rights of an operator. Each role includes the rights of the previous one.
type Role uint8

const (
	NoRole    Role = iota // the caller is not logged in
	Viewer                // may view players, corrections and live maps
	Moderator             // may also message, teleport, freeze, kick and mute players, announce, and read bans, audit and chat

	// Admin may also ban and pardon, switch the whitelist, change items and attributes of players, spawn and remove NPCs, edit
	// accounts, drain nodes of a cluster and move areas, and stop, restart and reload the server.
	Admin
)

var roleNames = [...]string{NoRole: "none", Viewer: "viewer", Moderator: "moderator", Admin: "admin"}

// String returns the role's name in the file of operators and in responses.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "invalid"
}

// ParseRole returns the role of that name: viewer, moderator or admin.
func ParseRole(name string) (Role, error) {
	for r := Viewer; r <= Admin; r++ {
		if roleNames[r] == name {
			return r, nil
		}
	}
	return NoRole, fmt.Errorf("role %q: must be viewer, moderator or admin", name)
}

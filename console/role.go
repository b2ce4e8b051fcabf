package console

import "fmt"

// Role is what an operator may do. Each includes the one before it.
type Role uint8

// Roles.
const (
	NoRole    Role = iota // not logged in
	Viewer                // looks
	Moderator             // and sends messages, teleports, freezes, kicks; reads bans and the audit
	Admin                 // and bans and pardons
)

var roleNames = [...]string{NoRole: "none", Viewer: "viewer", Moderator: "moderator", Admin: "admin"}

// String is the role's name, as tokens and answers write it.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "invalid"
}

// ParseRole is the role of that name: viewer, moderator or admin.
func ParseRole(name string) (Role, error) {
	for r := Viewer; r <= Admin; r++ {
		if roleNames[r] == name {
			return r, nil
		}
	}
	return NoRole, fmt.Errorf("role %q: must be viewer, moderator or admin", name)
}

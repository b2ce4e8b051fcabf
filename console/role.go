package console

import "fmt"

// Role is the set of rights of an operator. Each role includes the one before it.
type Role uint8

// Roles.
const (
	NoRole    Role = iota // not logged in
	Viewer                // reads
	Moderator             // also sends messages, teleports, freezes, kicks; reads bans and the audit
	Admin                 // also bans and pardons
)

var roleNames = [...]string{NoRole: "none", Viewer: "viewer", Moderator: "moderator", Admin: "admin"}

// String returns the role's name in the file of operators and in answers.
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

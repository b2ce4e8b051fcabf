package move

// Authority is the rule by which an actor's movement is judged. A player has the authority of the door it joined
// through.
type Authority uint8

// The authorities.
const (
	ByClaim Authority = iota // the client says where it is
	ByPath                   // the client says on which tile it wants to stand
	ByInput                  // the client says what its player pressed, and predicts where that leads
	authorities
)

// Valid reports whether a is a known authority.
func (a Authority) Valid() bool { return a < authorities }

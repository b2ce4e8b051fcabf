package move

// Authority is the rule by which an actor's movement is judged. A player has the authority of the door it joined
// through.
type Authority uint8

// Values of Authority: the rule by which an actor's movement is judged.
const (
	ByClaim Authority = iota // the client sends its position
	ByPath                   // the client sends the tile it wants to reach
	ByInput                  // the client sends its player's inputs and the positions that it predicts
	authorities
)

// Valid reports whether a is a known authority.
func (a Authority) Valid() bool { return a < authorities }

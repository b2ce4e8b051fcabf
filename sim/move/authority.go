package move

// Authority is the rule by which an actor's movement is judged. A player has the authority of the door through which it
// joined.
type Authority uint8

// Values of Authority: claim, path and predict (see the package comment).
const (
	ByClaim Authority = iota // claim: the client sends its position
	ByPath                   // path: the client sends the tile that it wants to reach
	ByInput                  // predict: the client sends its player's inputs and the positions that it predicts
	authorities
)

// Valid reports whether a is a known authority.
func (a Authority) Valid() bool { return a < authorities }

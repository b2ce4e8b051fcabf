package move

// Authority is the rule by which an actor's movement is judged. A player has that of the door he came through.
type Authority uint8

// Authorities.
const (
	ByClaim Authority = iota // the client says where it is
	ByPath                   // the client says on which tile it wants to stand
	ByInput                  // the client says what its player pressed, and predicts where that leads
	authorities
)

// Valid tells whether a is one of them.
func (a Authority) Valid() bool { return a < authorities }

package bedrock

// Version is a number of the game protocol: what a client names in RequestNetworkSettings.
type Version int32

// The versions whose packets this package knows. They differ in the packets that carry inputs and item transactions.
const (
	V2169 Version = 2169 // Minecraft 1.26.45
	V2193 Version = 2193 // Minecraft 1.26.51
)

// Versions lists what is known, oldest first.
func Versions() []Version { return []Version{V2169, V2193} }

// Known tells whether packets of v can be parsed and appended.
func (v Version) Known() bool { return v == V2169 || v == V2193 }

// Game is the name of the game's release that speaks v, "" for an unknown version.
func (v Version) Game() string {
	switch v {
	case V2169:
		return "1.26.45"
	case V2193:
		return "1.26.51"
	}
	return ""
}

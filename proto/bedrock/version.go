package bedrock

// Version is a game protocol version, as a client announces it in RequestNetworkSettings.
type Version int32

// Supported protocol versions. Only PlayerAuthInput, InventoryTransaction and MoveActorDelta differ between them.
const (
	V2169 Version = 2169 // protocol of Minecraft 1.26.45
	V2193 Version = 2193 // protocol of Minecraft 1.26.51
)

// Versions lists the supported versions, oldest first.
func Versions() []Version { return []Version{V2169, V2193} }

// IsSupported reports whether this package can parse and append packets of version v.
func (v Version) IsSupported() bool { return v == V2169 || v == V2193 }

// GameVersion returns the version of the game that uses protocol v, or "" if the protocol is not supported.
func (v Version) GameVersion() string {
	switch v {
	case V2169:
		return "1.26.45"
	case V2193:
		return "1.26.51"
	}
	return ""
}

package gateway

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/telemetry"
)

// KeyFolder returns the folder from which a door reads its key file: SharedKeys if the file is there, else DataDir. The nodes of a
// cluster must use the same keys, because a client that knows the key of one node, or has data signed with it, may connect to another
// node. KeyFolder therefore logs a warning if this node has a key of its own, which the other nodes do not have.
func (h *Host) KeyFolder(door, file string) string {
	if h.SharedKeys == "" {
		return h.DataDir
	}
	shared, own := filepath.Join(h.SharedKeys, file), filepath.Join(h.DataDir, file)
	used, err := os.ReadFile(shared)
	if errors.Is(err, fs.ErrNotExist) {
		h.Log.Warn("this node of the cluster uses a key of its own, so clients of other nodes cannot use this node's door: run truestep cluster keys again with all nodes, and copy the file to each node",
			telemetry.FieldDoor, door, "own", own, "missing", shared)
		return h.DataDir
	}
	if former, ownErr := os.ReadFile(own); err == nil && ownErr == nil && !bytes.Equal(bytes.TrimSpace(former), bytes.TrimSpace(used)) {
		h.Log.Warn("this node uses the key of its cluster instead of its own former key, which its clients may know: to keep a server's keys in a new cluster, use truestep cluster keys --from; if the former key is not needed, move it away",
			telemetry.FieldDoor, door, "used", shared, "former", own)
	}
	return h.SharedKeys
}

package console

import "os"

// writableByAll returns false: Windows keeps permissions in access control lists, which file modes do not show.
func writableByAll(os.FileMode) bool { return false }

package console

import "os"

// writableByAll returns false, because Windows keeps permissions in access control lists and file modes do not show them.
func writableByAll(os.FileMode) bool { return false }

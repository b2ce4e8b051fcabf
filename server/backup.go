package server

import (
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/journal"
)

// BackupFiles returns the names of the files of a data folder that a server needs besides the database: keys, operators and their
// logins if keys is set, and the journal if withJournal is set.
func BackupFiles(keys, withJournal bool) (files []string) {
	if keys {
		files = append(files, rs.KeyFile, rs.PublicFile, web.KeyFile, console.TokensFile, console.LoginsFile)
	}
	if withJournal {
		files = append(files, journal.FileName)
	}
	return files
}

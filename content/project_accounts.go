package content

import (
	"fmt"
	"io/fs"
)

// AccountsFile returns the content of a project's Accounts.dat, for ReadAccounts. fsys is as for LoadProject. If the file
// does not exist, for example because no player has logged in to that server yet, the error wraps fs.ErrNotExist.
func AccountsFile(fsys fs.FS) ([]byte, error) {
	files, err := openProject(fsys)
	if err != nil {
		return nil, err
	}
	b, ok := files.optional(accountsFile)
	if err := files.problems.err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", accountsFile, fs.ErrNotExist)
	}
	return b, nil
}

package content

import (
	"fmt"
	"io/fs"
)

// AccountsFile returns the bytes of a project's Accounts.dat, for ReadAccounts. fsys is as for LoadProject. The error
// wraps fs.ErrNotExist if there is none, as on a server that was never played on.
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

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/server"
)

// tokenCmd groups the commands about operators of the console. A running server applies a change within seconds.
type tokenCmd struct {
	Add    tokenAddCmd    `cmd:"" help:"Create a token for an operator and print it."`
	List   tokenListCmd   `cmd:"" help:"List the operators who have a token."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke the token of an operator and end its logins."`
}

// Help returns the text that is printed below the flags of the command.
func (tokenCmd) Help() string { return helpText("token") }

// tokenFile holds the flag that selects the data folder, in which the file of operators is.
type tokenFile struct {
	DataDir string `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
}

func (f *tokenFile) path() string { return filepath.Join(f.DataDir, console.TokensFile) }

// check returns an error if the data folder does not exist, so that a mistyped name does not create a folder.
func (f *tokenFile) check() error {
	if _, err := os.Stat(f.DataDir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s: name the folder of a server's data with --data-dir DIR, or start the server once to create the folder", f.DataDir)
	}
	return nil
}

type tokenAddCmd struct {
	Name    string        `arg:"" help:"Name of the operator, for lists and the audit."`
	Role    string        `help:"Rights of the token: viewer, moderator or admin." enum:"viewer,moderator,admin" placeholder:"ROLE" required:""`
	Expires time.Duration `help:"How long it is valid, such as 30d; without it, until it is revoked."`
	tokenFile
}

// Run creates the token and prints it. Standard output has only the token, for scripts.
func (c *tokenAddCmd) Run(to std) error {
	if c.Expires < 0 {
		return usage(fmt.Errorf("--expires %v: must be positive, such as 30d", c.Expires))
	}
	role, err := console.ParseRole(c.Role)
	if err = errors.Join(err, c.check()); err != nil {
		return usage(err)
	}
	token, err := console.AddOperator(c.path(), c.Name, role, c.Expires)
	err = gateway.WithFix(err, server.OtherData)
	if errors.Is(err, console.ErrOperatorExists) {
		err = fmt.Errorf("%w: revoke the old token first with truestep token revoke %s", err, c.Name)
	}
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(to.err, "Token of %s, %s. The server of %s accepts it. It is shown only this once:\n", c.Name, role, c.DataDir)
	fmt.Fprintln(to.out, token)
	return nil
}

type tokenListCmd struct {
	tokenFile
}

// Run lists the operators, without their tokens.
func (c *tokenListCmd) Run(to std) error {
	if err := c.check(); err != nil {
		return usage(err)
	}
	list, err := console.Operators(c.path())
	if err != nil {
		return usage(gateway.WithFix(err, server.OtherData))
	}
	if len(list) == 0 {
		fmt.Fprintf(to.out, "there are no tokens for the server of %s; truestep token add makes one\n", c.DataDir)
		return nil
	}
	w := tabwriter.NewWriter(to.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tROLE\tSINCE\tEXPIRES")
	for i := range list {
		o := &list[i]
		expires := "never"
		if !o.Expires.IsZero() {
			expires = o.Expires.Format(time.DateTime)
			if o.Expired(time.Now()) {
				expires += " (expired)"
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", o.Name, o.Role, o.Created.Format(time.DateTime), expires)
	}
	return w.Flush()
}

type tokenRevokeCmd struct {
	Name string `arg:"" help:"Name of the operator."`
	tokenFile
}

// Run revokes the token.
func (c *tokenRevokeCmd) Run(to std) error {
	if err := c.check(); err != nil {
		return usage(err)
	}
	if err := console.RevokeOperator(c.path(), c.Name); err != nil {
		if errors.Is(err, console.ErrNoOperator) {
			err = fmt.Errorf("%w; list all operators with truestep token list", err)
		}
		return usage(gateway.WithFix(err, server.OtherData))
	}
	fmt.Fprintf(to.out, "%s has no token any more\n", c.Name)
	return nil
}

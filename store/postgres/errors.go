package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Error codes of PostgreSQL (SQLSTATE). Source: PostgreSQL 15 documentation, appendix A.
const (
	invalidParameter = "22023"
	invalidPassword  = "28P01"
	invalidRole      = "28000"
	noDatabase       = "3D000"
	noPrivilege      = "42501"
	noSchema         = "3F000"
	readOnly         = "25006"
	idleTransaction  = "25P03"
	uniqueViolation  = "23505"
	serialization    = "40001"
	deadlock         = "40P01"
	tooMany          = "53300"
)

// sqlState returns the SQLSTATE code of an error of the PostgreSQL server, or "" for any other error.
func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// isLost reports whether an error means that the primary server cannot be reached or has closed the connection, for example because
// a transaction was idle for too long (idleLimit). It also returns true if the server refused a write because it is read-only: after a fail-over the former primary is read-only.
func isLost(err error) bool {
	if code := sqlState(err); code != "" {
		return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P") || code == readOnly || code == idleTransaction || code == tooMany
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) {
		return true
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	_, ok := errors.AsType[net.Error](err)
	return ok
}

// isConflict reports whether the server aborted a transaction because it conflicted with another one, so that the
// transaction can be repeated.
func isConflict(err error) bool {
	code := sqlState(err)
	return code == serialization || code == deadlock
}

// lineError is an error with the text of another error as one line.
type lineError struct {
	text string
	err  error
}

// Error returns the text, which is one line.
func (e *lineError) Error() string { return e.text }

// Unwrap returns the original error.
func (e *lineError) Unwrap() error { return e.err }

// oneLine wraps err so that its text is one line. It returns nil for nil. If the driver attempted to connect several
// times, with and without TLS, the text is that of the first attempt.
func oneLine(err error) error {
	if err == nil {
		return nil
	}
	if c, ok := errors.AsType[*pgconn.ConnectError](err); ok && c.Unwrap() != nil {
		first, _, _ := strings.Cut(c.Unwrap().Error(), "\n")
		if _, reason, found := strings.Cut(first, "dial error: "); found {
			first = reason
		}
		return &lineError{"cannot connect: " + first, err}
	}
	if !strings.Contains(err.Error(), "\n") {
		return err
	}
	return &lineError{strings.Join(strings.Fields(err.Error()), " "), err}
}

// startError converts an error of Open to an error whose text is one line and says what the operator can do.
func (s *Store) startError(c *pgx.ConnConfig, err error) error {
	if text := s.explain(c, err); text != "" {
		return &lineError{text, err}
	}
	return oneLine(err)
}

// explain returns the message for the operator about an error of Open, or "" if the error's own text suffices.
func (s *Store) explain(c *pgx.ConnConfig, err error) string {
	at, user := "PostgreSQL at "+address(c), c.User
	if c.Password == "" && strings.Contains(err.Error(), "password") {
		return fmt.Sprintf("%s asks %q for a password: set it in the variable PGPASSWORD, in a password file (PGPASSFILE), or in the URL", at, user)
	}
	switch sqlState(err) {
	case invalidPassword:
		return fmt.Sprintf("%s refuses the password of %q: set the right one in the variable PGPASSWORD, in a password file (PGPASSFILE), or in the URL", at, user)
	case invalidRole:
		return fmt.Sprintf("%s does not let %q in (%s): create the role with createuser --pwprompt %s, and allow it in pg_hba.conf", at, user, messageOf(err), user)
	case noDatabase:
		return fmt.Sprintf("%s has no database %q: create it with createdb --encoding UTF8 --template template0 --owner %s %s", at, c.Database, user, c.Database)
	case noPrivilege:
		return fmt.Sprintf("%q lacks privileges that it needs in %s (%s): make it the owner with ALTER DATABASE %s OWNER TO %s", user, s.where, messageOf(err), c.Database, user)
	case noSchema:
		return fmt.Sprintf("%s has none of the schemas of its search_path: create the schema, or remove search_path from the URL", s.where)
	case readOnly:
		return fmt.Sprintf("%s is read-only: name the primary server, or several hosts with target_session_attrs=read-write in the URL", s.where)
	case tooMany:
		return fmt.Sprintf("%s has no free connection for %q: raise its max_connections", at, user)
	}
	return explainConnection(c, at, err)
}

// explainConnection returns the message for the operator about a failed connection, or "" for any other error.
func explainConnection(c *pgx.ConnConfig, at string, err error) string {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); !ok {
		return ""
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("the host %q of PostgreSQL cannot be found (%s): correct the host in --store, or the name service", c.Host, dns.Err)
	}
	if cert, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Sprintf("the certificate of %s is not trusted (%v): name the certificate of its authority with sslrootcert in the URL, and the host as the certificate does", at, cert.Err)
	}
	if host, ok := errors.AsType[x509.HostnameError](err); ok {
		return fmt.Sprintf("the certificate of %s is of another host (%v): name the host as the certificate does", at, host)
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT):
		return fmt.Sprintf("nothing answers at the address of %s: start PostgreSQL, or name another host or port in --store", at)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s does not answer: check its host, port and firewall", at)
	case strings.Contains(err.Error(), "server refused TLS"):
		return fmt.Sprintf("%s does not offer TLS, which sslmode in the URL requires: turn it on with ssl = on in postgresql.conf", at)
	}
	return fmt.Sprintf("cannot connect to %s: %s", at, messageOf(err))
}

// messageOf returns the message of an error as one line: the PostgreSQL server's message if there is one, or the cause
// of a failed connection.
func messageOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Message
	}
	if e, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		if inner := e.Unwrap(); inner != nil {
			err = inner
		}
	}
	return oneLine(err).Error()
}

package rcce

import "github.com/truestep-io/truestep/proto/wire"

// NewClient announces a client. Type 0, client to server, without a payload. A client sends it first on each connection. Servers
// ignore it.
//
// Source: docs/wire/rcce.md#newclient.
type NewClient struct{}

// ParseNewClient decodes the payload of a packet of type 0. Errors wrap wire.ErrTrailing.
func ParseNewClient(b []byte) (NewClient, error) {
	r := newReader(b)
	return NewClient{}, r.done("NewClient")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (NewClient) Append(b []byte) []byte { return append(b, uint8(TypeNewClient)) }

// CreateAccountRequest asks the server to create an account. Type 1, client to server.
//
//	off  size  field  encoding  unit and range
//	0    1+n   User   str8      compared without case
//	     1+n   MD5    str8      32 lower-case hex digits: MD5 of the password
//	     1+n   Email  str8      in the form of EncodeEmail; the struct holds plain text
//
// Source: docs/wire/rcce.md#createaccount.
type CreateAccountRequest struct {
	User, MD5 string // account name, and MD5 of the password in 32 lower-case hex digits
	Email     string // e-mail address in plain text; encoded on the wire, see EncodeEmail
}

// ParseCreateAccountRequest decodes the payload of a packet of type 1 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseCreateAccountRequest(b []byte) (CreateAccountRequest, error) {
	r := newReader(b)
	p := readCreateAccountRequest(&r)
	return p, r.done("CreateAccountRequest")
}

func readCreateAccountRequest(r *reader) CreateAccountRequest {
	return CreateAccountRequest{User: r.str8("User"), MD5: r.str8("MD5"), Email: r.email("Email")}
}

// email reads an e-mail address in the form of EncodeEmail and returns it decoded.
func (r *reader) email(name string) string {
	start := r.Offset()
	v := DecodeEmail(r.Str8())
	r.note(name, KindEmail, start)
	return v
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p CreateAccountRequest) Append(b []byte) []byte {
	b = wire.Str8(append(b, uint8(TypeCreateAccount)), p.User)
	return wire.Str8(wire.Str8(b, p.MD5), EncodeEmail(p.Email))
}

// CreateAccount tells a client whether the account of its CreateAccountRequest was created. Type 1, server to client. If the
// server allows no new accounts, it does not answer the request.
//
//	off  size  field   encoding  unit and range
//	0    1     Result  u8        'Y' created, 'N' exists already or invalid
//
// Source: docs/wire/rcce.md#createaccount.
type CreateAccount struct {
	Result uint8 // ReplyYes or ReplyNo
}

// ParseCreateAccount decodes the payload of a packet of type 1 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort,
// wire.ErrRange (an unknown letter) or wire.ErrTrailing.
func ParseCreateAccount(b []byte) (CreateAccount, error) {
	r := newReader(b)
	p := readCreateAccount(&r)
	return p, r.done("CreateAccount")
}

func readCreateAccount(r *reader) CreateAccount {
	return CreateAccount{Result: r.letter("Result", "YN")}
}

// Append appends the message, 2 bytes including its type, to b and returns the longer slice.
func (p CreateAccount) Append(b []byte) []byte { return append(b, uint8(TypeCreateAccount), p.Result) }

// VerifyAccountRequest asks the server to log in an account and to list its characters. Type 2, client to server.
//
//	off  size  field  encoding  unit and range
//	0    1+n   User   str8      compared without case
//	     1+n   MD5    str8      32 lower-case hex digits: MD5 of the password
//
// Source: docs/wire/rcce.md#verifyaccount.
type VerifyAccountRequest struct{ User, MD5 string } // account name; MD5 of the password, 32 lower-case hex digits

// ParseVerifyAccountRequest decodes the payload of a packet of type 2 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseVerifyAccountRequest(b []byte) (VerifyAccountRequest, error) {
	r := newReader(b)
	p := readVerifyAccountRequest(&r)
	return p, r.done("VerifyAccountRequest")
}

func readVerifyAccountRequest(r *reader) VerifyAccountRequest {
	return VerifyAccountRequest{User: r.str8("User"), MD5: r.str8("MD5")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p VerifyAccountRequest) Append(b []byte) []byte {
	return wire.Str8(wire.Str8(append(b, uint8(TypeVerifyAccount)), p.User), p.MD5)
}

// VerifyAccount tells a client whether the login in its VerifyAccountRequest succeeded, and lists the characters of
// the account. Type 2, server to client.
//
//	off  size     field   encoding  unit and range
//	0    1        Result  u8        'Y', 'P', 'N', 'B' or 'L'; see the Reply constants
//	1    n x 8+m  Roster            with 'Y' only: 0..10 entries to the end; see RosterEntry
//
// The letter 'N' says that the account does not exist. A server should send 'P' instead, so that clients cannot find out which
// accounts exist.
//
// Source: docs/wire/rcce.md#verifyaccount ('N': source code of RealmCrafter's server).
type VerifyAccount struct {
	Result uint8         // Reply constant, for example ReplyYes
	Roster []RosterEntry // characters of the account; nil unless Result is 'Y'
}

// ParseVerifyAccount decodes the payload of a packet of type 2 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort,
// wire.ErrRange (an unknown letter) or wire.ErrTrailing (an eleventh character).
func ParseVerifyAccount(b []byte) (VerifyAccount, error) {
	r := newReader(b)
	p := readVerifyAccount(&r)
	return p, r.done("VerifyAccount")
}

func readVerifyAccount(r *reader) VerifyAccount {
	p := VerifyAccount{Result: r.letter("Result", "YPNBL")}
	if p.Result == ReplyYes {
		p.Roster = readRoster(r)
	}
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p VerifyAccount) Append(b []byte) []byte {
	return appendRoster(append(b, uint8(TypeVerifyAccount), p.Result), p.Roster)
}

// ChangePasswordRequest asks the server to change the password of an account. Type 6, client to server. No known client sends it.
// The RealmCrafter server has an error here: it reads the new password from a wrong offset. This type has the layout that was
// intended.
//
//	off  size  field   encoding  unit and range
//	0    1+n   User    str8      compared without case
//	     1+n   OldMD5  str8      32 lower-case hex digits
//	     1+n   NewMD5  str8      32 lower-case hex digits
//
// Source: docs/wire/rcce.md#changepassword (source code of RealmCrafter's server).
type ChangePasswordRequest struct{ User, OldMD5, NewMD5 string } // account name; MD5 of the old and of the new password

// ParseChangePasswordRequest decodes the payload of a packet of type 6 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseChangePasswordRequest(b []byte) (ChangePasswordRequest, error) {
	r := newReader(b)
	p := readChangePasswordRequest(&r)
	return p, r.done("ChangePasswordRequest")
}

func readChangePasswordRequest(r *reader) ChangePasswordRequest {
	return ChangePasswordRequest{User: r.str8("User"), OldMD5: r.str8("OldMD5"), NewMD5: r.str8("NewMD5")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ChangePasswordRequest) Append(b []byte) []byte {
	b = wire.Str8(append(b, uint8(TypeChangePassword)), p.User)
	return wire.Str8(wire.Str8(b, p.OldMD5), p.NewMD5)
}

// ChangePassword is the answer to ChangePasswordRequest: it tells a client whether the password was changed. Type 6, server to
// client.
//
//	off  size  field   encoding  unit and range
//	0    1     Result  u8        'Y' changed, 'P' wrong password, 'N' no such account
//
// Source: docs/wire/rcce.md#changepassword (source code of RealmCrafter's server).
type ChangePassword struct{ Result uint8 } // ReplyYes, ReplyPassword or ReplyNo

// ParseChangePassword decodes the payload of a packet of type 6 from a server. b is borrowed, not kept. Errors wrap
// wire.ErrShort, wire.ErrRange (an unknown letter) or wire.ErrTrailing.
func ParseChangePassword(b []byte) (ChangePassword, error) {
	r := newReader(b)
	p := readChangePassword(&r)
	return p, r.done("ChangePassword")
}

func readChangePassword(r *reader) ChangePassword {
	return ChangePassword{Result: r.letter("Result", "YPN")}
}

// Append appends the message, 2 bytes including its type, to b and returns the longer slice.
func (p ChangePassword) Append(b []byte) []byte {
	return append(b, uint8(TypeChangePassword), p.Result)
}

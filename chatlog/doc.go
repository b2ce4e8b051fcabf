// Package chatlog stores the chat of a server for a limited time: each line that players were shown, with the time, the place and the
// speaker; announcements and messages of operators; and lines that were withheld because the speaker was muted or too fast.
//
//	frames --Watch--+
//	withheld lines, +--Add--> queue --every 250 ms--> chat.sqlite (WAL) <-- Search, Person
//	operators ------+
//
// The log never blocks an area: a full feed misses frames, which is counted; a full queue drops lines, which is counted and logged
// once. When the file is full, the oldest lines of the account with the most lines are deleted. Deleted lines cannot be recovered from
// the file: SQLite overwrites them (secure_delete), also in the index of words, and the write-ahead log is emptied afterwards.
//
// A nil *Log stores nothing; its methods may be called.
//
// A Log owns two goroutines: one reads frames, one writes the file. Close ends both. Call it after the world has stopped.
package chatlog

import (
	"embed"
	"errors"

	"github.com/truestep-io/truestep/internal/sqlitefile"
)

// FileName is the name of the chat log in the data folder.
const FileName = "chat.sqlite"

// Errors that a caller branches on. The returned errors wrap them; those about the file name it.
var (
	ErrOff     = errors.New("the server stores no chat")
	ErrNoWord  = errors.New("the text to search for has no word: a word begins with a letter or a digit")
	ErrMissing = errors.New("the chat log does not exist")
	ErrDamaged = errors.New("the chat log is damaged")
	ErrForeign = errors.New("the file is not a Truestep chat log")
	ErrVersion = errors.New("the chat log was written by another version of Truestep")
)

// migrations are applied in order, each in its own transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

var fileKind = sqlitefile.Kind{
	Name: "chat log", ApplicationID: 0x54525343, Schema: 1, Migrations: migrations,
	Pragmas: []string{"secure_delete(1)"},
	Missing: ErrMissing, Damaged: ErrDamaged, Foreign: ErrForeign, Version: ErrVersion,
}

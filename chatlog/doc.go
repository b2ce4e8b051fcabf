// Package chatlog stores the chat of a server for a limited time: each line that players said, with its time, position
// and speaker; announcements and messages of operators; and lines that no player received, because the speaker was
// muted or sent lines too fast.
//
//	frames --Watch--+
//	withheld lines, +--Add--> queue --every 250 ms--> chat.sqlite (WAL) <-- Search, Person
//	operators ------+
//
// The log never blocks an area. When the log's frame feed is full, the log misses frames, and a metric counts them. When the
// queue is full, lines are dropped, counted and logged once. When the file is full, the oldest lines of the account with the
// most lines are deleted. Deleted lines cannot be recovered from the file: SQLite overwrites them with zeros (secure_delete),
// also in the full-text index, and the write-ahead log is emptied afterwards.
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

// Errors of this package, which callers can test with errors.Is. Returned errors wrap them. An error about the file contains its
// name.
var (
	ErrOff     = errors.New("this server stores no chat: chat-retain is 0")
	ErrNoWord  = errors.New("the text to search for has no word: a word begins with a letter or a digit")
	ErrMissing = errors.New("the chat log does not exist")
	ErrDamaged = errors.New("the chat log is damaged")
	ErrForeign = errors.New("the file is not a Truestep chat log")
	ErrVersion = errors.New("the chat log was written by another version of Truestep")
)

// migrations are the SQL files that create and change the tables of the chat log. They are applied in order, each in its own
// transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

// fileKind describes a chat log file for package sqlitefile: its application ID, schema version, migrations and errors.
var fileKind = sqlitefile.Kind{
	Name: "chat log", ApplicationID: 0x54525343, Schema: 1, Migrations: migrations,
	Pragmas: []string{"secure_delete(1)"},
	Missing: ErrMissing, Damaged: ErrDamaged, Foreign: ErrForeign, Version: ErrVersion,
}

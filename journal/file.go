package journal

import (
	"embed"

	"github.com/pressly/goose/v3"

	"github.com/truestep-io/truestep/internal/sqlitefile"
)

// migrations are applied in order, each in its own transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

const (
	currentSchema  = 6          // version of the newest migration
	oldestSchema   = 1          // oldest schema version that a Reader supports
	heldBackSchema = 3          // first version with the table held_back
	seenSchema     = 4          // first version that stores at which position the target of an attack was judged
	lateSchema     = 5          // first version that stores how far the server was behind its schedule
	applicationID  = 0x5452534a // application_id of the file: "TRSJ", set by the first migration
)

// fileKind describes a journal file for package sqlitefile: its application ID, schema version, migrations and errors.
var fileKind = sqlitefile.Kind{
	Name: "journal", ApplicationID: applicationID, Schema: currentSchema, Migrations: migrations,
	GoMigrations: []*goose.Migration{goose.NewGoMigration(2, &goose.GoFunc{RunTx: repairTexts}, nil)},
	Missing:      ErrMissing, Damaged: ErrDamaged, Foreign: ErrForeign, Version: ErrVersion,
}

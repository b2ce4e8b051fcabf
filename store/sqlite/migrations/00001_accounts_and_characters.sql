-- +goose Up
-- +goose StatementBegin

-- Marks the file as ours ("TRST"), so that another program's database is never taken for one.
PRAGMA application_id = 1414681428;
-- +goose StatementEnd

-- Texts are UTF-8. NOCASE folds ASCII letters only, which is how names compare.

-- +goose StatementBegin
CREATE TABLE accounts (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
    secret     TEXT    NOT NULL,                         -- hash, PHC form
    email      TEXT    NOT NULL,
    gm         INTEGER NOT NULL CHECK (gm IN (0, 1)),
    banned     INTEGER NOT NULL CHECK (banned IN (0, 1)),
    ignores    TEXT    NOT NULL CHECK (json_valid(ignores)), -- JSON array of account names
    created_ms INTEGER NOT NULL                          -- ms since 1970, UTC
) STRICT;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TABLE characters (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    account  INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    slot     INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 9), -- place in the roster, without holes
    name     TEXT    NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
    saved_ms INTEGER NOT NULL,                              -- ms since 1970, UTC
    sheet    TEXT    NOT NULL CHECK (json_valid(sheet)),    -- everything else, see store.EncodeSheet
    -- For people who look into the file; the sheet is what counts.
    area     TEXT    GENERATED ALWAYS AS (json_extract(sheet, '$.area')) VIRTUAL,
    level    INTEGER GENERATED ALWAYS AS (json_extract(sheet, '$.level')) VIRTUAL,
    gold     INTEGER GENERATED ALWAYS AS (json_extract(sheet, '$.gold')) VIRTUAL,
    UNIQUE (account, slot)
) STRICT;
-- +goose StatementEnd

-- +goose Down
DROP TABLE characters;
DROP TABLE accounts;

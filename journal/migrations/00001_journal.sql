-- +goose Up
-- +goose StatementBegin

-- Marks the file as ours ("TRSJ"), so that another program's database is never taken for one.
PRAGMA application_id = 1414681418;
-- +goose StatementEnd

-- Times are ms since 1970, UTC. Positions are world units, NULL where the entry has none. NOCASE folds ASCII letters
-- only, which is how names compare.

-- +goose StatementBegin
CREATE TABLE entries (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms      INTEGER NOT NULL,                -- of the last one that the entry stands for
    first_ms   INTEGER NOT NULL,                -- of the first
    area       TEXT    NOT NULL,
    area_id    INTEGER NOT NULL,
    tick       INTEGER NOT NULL,
    verdict    TEXT    NOT NULL,                -- held, corrected, refused
    reason     TEXT    NOT NULL,                -- too_fast, mispredicted...
    entity     INTEGER NOT NULL,                -- within one run of the server
    player     TEXT    NOT NULL COLLATE NOCASE,
    account    TEXT    NOT NULL COLLATE NOCASE,
    door       TEXT    NOT NULL,                -- rcce, rs, bedrock
    rtt_ms     INTEGER,                         -- NULL: not known
    asked      REAL    NOT NULL,
    allowed    REAL    NOT NULL,
    unit       TEXT    NOT NULL,                -- of both; empty: the rule has no figures
    from_x     REAL, from_y REAL, from_z REAL,  -- asked for
    pos_x      REAL, pos_y  REAL, pos_z  REAL,  -- where the player was held, put or stood
    other      TEXT    NOT NULL,                -- target
    times      INTEGER NOT NULL
) STRICT;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE INDEX entries_player ON entries (player, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_account ON entries (account, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_reason ON entries (reason, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_entity ON entries (entity, at_ms);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_at ON entries (at_ms);
-- +goose StatementEnd

-- What else happened to a player within five seconds of one of his entries. Entity 0: frames of the area were missed.
-- +goose StatementBegin
CREATE TABLE around (
    id      INTEGER PRIMARY KEY,
    at_ms   INTEGER NOT NULL,
    area_id INTEGER NOT NULL,
    tick    INTEGER NOT NULL,
    entity  INTEGER NOT NULL,
    account TEXT    NOT NULL COLLATE NOCASE,
    kind    TEXT    NOT NULL,
    text    TEXT    NOT NULL
) STRICT;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE INDEX around_entity ON around (entity, at_ms);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX around_account ON around (account, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX around_at ON around (at_ms);
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TABLE deeds (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms    INTEGER NOT NULL,
    operator TEXT    NOT NULL,
    role     TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    player   TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    detail   TEXT    NOT NULL,
    result   TEXT    NOT NULL
) STRICT;
-- +goose StatementEnd

-- +goose Down
DROP TABLE deeds;
DROP TABLE around;
DROP TABLE entries;

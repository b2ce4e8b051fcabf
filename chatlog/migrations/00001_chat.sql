-- +goose Up
-- +goose StatementBegin

-- Marks the file as ours ("TRSC"), so that another program's database is never taken for one.
PRAGMA application_id = 1414681411;
-- +goose StatementEnd

-- Times are ms since 1970, UTC. NOCASE folds ASCII letters only, which is how names compare.

-- +goose StatementBegin
CREATE TABLE lines (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms      INTEGER NOT NULL,
    channel    TEXT    NOT NULL,                -- area, announcement, message
    area       TEXT    NOT NULL,                -- empty: all areas
    pos_x      REAL, pos_y REAL, pos_z REAL,    -- place of the speaker in world units; NULL: not known
    account    TEXT    NOT NULL COLLATE NOCASE, -- of the speaker; empty: an operator
    player     TEXT    NOT NULL COLLATE NOCASE, -- character of the speaker
    door       TEXT    NOT NULL,                -- of the speaker
    operator   TEXT    NOT NULL,                -- of an announcement or message
    to_account TEXT    NOT NULL COLLATE NOCASE, -- recipient of a message
    to_player  TEXT    NOT NULL COLLATE NOCASE, -- character of the recipient
    told       INTEGER NOT NULL,                -- number of players to whom an announcement was sent
    text       TEXT    NOT NULL,
    withheld   TEXT    NOT NULL                 -- why no player was shown the line: muted, rate_limit, area_limit, busy; empty: it was shown
) STRICT;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX lines_at ON lines (at_ms);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX lines_account ON lines (account, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX lines_player ON lines (player, id);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX lines_to_account ON lines (to_account, id) WHERE to_account <> '';
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX lines_to_player ON lines (to_player, id) WHERE to_player <> '';
-- +goose StatementEnd

-- The words of the texts. secure-delete removes the words of a deleted line from the index at once, not at a later merge.
-- +goose StatementBegin
CREATE VIRTUAL TABLE words USING fts5(text, content = 'lines', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
-- +goose StatementEnd
-- +goose StatementBegin
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lines_insert AFTER INSERT ON lines BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lines_delete AFTER DELETE ON lines BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE words;
DROP TABLE lines;

-- +goose Up
-- One row: what the database contains. Its numbers are compared with truestep.db-ledger, which names the last commit, so that a
-- lost part of the database is noticed. Programs that edit the tables with SQL need not care: triggers keep the counts.

-- +goose StatementBegin
CREATE TABLE store (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    id           TEXT    NOT NULL,                          -- random, of this database
    generation   INTEGER NOT NULL,                          -- commits of the server
    committed_ms INTEGER NOT NULL,                          -- time of the last one, ms since 1970, UTC
    checkpointed INTEGER NOT NULL,                          -- generation that truestep.db had without its log when that was begun
    in_use       INTEGER NOT NULL CHECK (in_use IN (0, 1)), -- 0: closed properly, the file is complete without a log
    accounts     INTEGER NOT NULL,
    characters   INTEGER NOT NULL
) STRICT;
-- +goose StatementEnd

-- +goose StatementBegin
INSERT INTO store SELECT 1, lower(hex(randomblob(16))), 0, 0, 0, 0, (SELECT count(*) FROM accounts), (SELECT count(*) FROM characters);
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER account_added AFTER INSERT ON accounts BEGIN UPDATE store SET accounts = accounts + 1; END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER account_removed AFTER DELETE ON accounts BEGIN UPDATE store SET accounts = accounts - 1; END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER character_added AFTER INSERT ON characters BEGIN UPDATE store SET characters = characters + 1; END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER character_removed AFTER DELETE ON characters BEGIN UPDATE store SET characters = characters - 1; END;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DROP TRIGGER account_added;
-- +goose StatementEnd
-- +goose StatementBegin
DROP TRIGGER account_removed;
-- +goose StatementEnd
-- +goose StatementBegin
DROP TRIGGER character_added;
-- +goose StatementEnd
-- +goose StatementBegin
DROP TRIGGER character_removed;
-- +goose StatementEnd
-- +goose StatementBegin
DROP TABLE store;
-- +goose StatementEnd

-- +goose Up
-- Connections and logins that were held back: at most some rows a minute, see held_back.go.
-- +goose StatementBegin
CREATE TABLE held_back (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms    INTEGER NOT NULL, -- of the last one that the row stands for
    since_ms INTEGER NOT NULL, -- of the first one, with no pause of ten minutes since
    kind     TEXT    NOT NULL, -- connection, login, account
    door     TEXT    NOT NULL,
    budget   TEXT    NOT NULL,
    network  TEXT    NOT NULL, -- /24 or /48; empty: several
    account  TEXT    NOT NULL, -- that was tried; empty: the budget is not one of an account
    times    INTEGER NOT NULL  -- number within the minute
) STRICT;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX held_back_at ON held_back (at_ms);
-- +goose StatementEnd

-- +goose Down
DROP TABLE held_back;

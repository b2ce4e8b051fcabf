-- +goose Up
-- Bans, mutes and the whitelist. accounts.banned stays: it says that an account has a ban, of which this table has the
-- reason, operator and times. A banned account without a row was banned by an older version or is imported so: until it is pardoned.
-- +goose StatementBegin
CREATE TABLE access_rules (
    kind       TEXT    NOT NULL,                -- ban, mute, whitelisted, whitelist; see store.AccessKind
    account    TEXT    NOT NULL COLLATE NOCASE, -- name of an account, which need not exist; '' for a network
    network    TEXT    NOT NULL,                -- 192.0.2.0/24; '' for an account
    reason     TEXT    NOT NULL,
    "by"       TEXT    NOT NULL,                -- operator, '' if not known
    since_ms   INTEGER NOT NULL,                -- ms since 1970, 0 if not known
    until_ms   INTEGER NOT NULL,                -- ms since 1970, 0 for no end
    sum        INTEGER NOT NULL,                -- CRC-32C of the other columns but the account, which may be renamed
    PRIMARY KEY (kind, account, network)
) WITHOUT ROWID, STRICT;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER account_renamed AFTER UPDATE OF name ON accounts WHEN NEW.name IS NOT OLD.name BEGIN
    UPDATE OR REPLACE access_rules SET account = NEW.name WHERE account = OLD.name AND account <> '';
END;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DROP TRIGGER account_renamed;
-- +goose StatementEnd
-- +goose StatementBegin
DROP TABLE access_rules;
-- +goose StatementEnd

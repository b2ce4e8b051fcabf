-- +goose Up
-- Addresses from which accounts have logged in. A row whose checksum does not fit is ignored: such a client then waits like an unknown one.
-- +goose StatementBegin
CREATE TABLE known_addresses (
    account TEXT NOT NULL,    -- name of the account in the form under which names are compared
    addr    BLOB NOT NULL,    -- IPv4 address (4 bytes) or IPv6 /64 (16 bytes)
    at_ms   INTEGER NOT NULL, -- time of the newest login, ms since 1970
    sum     INTEGER NOT NULL, -- CRC-32C of the other columns
    PRIMARY KEY (account, addr)
) WITHOUT ROWID;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DROP TABLE known_addresses;
-- +goose StatementEnd

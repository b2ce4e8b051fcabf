-- +goose Up
-- Accounts with a player in the world, and the process of a cluster through which it entered. Empty for a single server.
CREATE TABLE sessions (
    account     bigint      PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    node        text        NOT NULL, -- name of the node
    incarnation bigint      NOT NULL, -- of the node's process; a later one is greater
    since       timestamptz NOT NULL  -- time of the claim
) WITH (fillfactor = 50);

-- +goose Down
DROP TABLE sessions;

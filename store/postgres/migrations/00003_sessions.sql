-- +goose Up
-- Accounts with a player in the world, and the process of a cluster through which it entered. Empty for a single server.
CREATE TABLE sessions (
    account     bigint      PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    node        text        NOT NULL, -- name of the node
    incarnation bigint      NOT NULL, -- of the node's process; a later one is greater
    since       timestamptz NOT NULL  -- time of the claim
) WITH (fillfactor = 50);

-- Serial numbers of entities that the nodes of a cluster have reserved for their players.
CREATE TABLE entity_serials (
    node   text   PRIMARY KEY, -- name of the node
    serial bigint NOT NULL     -- greatest reserved number
);

ALTER TABLE areas ADD COLUMN tick bigint NOT NULL DEFAULT 0; -- newest tick up to which all records are stored, as far as owners have said

-- +goose Down
ALTER TABLE areas DROP COLUMN tick;
DROP TABLE entity_serials;
DROP TABLE sessions;

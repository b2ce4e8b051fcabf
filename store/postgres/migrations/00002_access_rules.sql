-- +goose Up
-- Bans, mutes and the whitelist. accounts.banned says that an account has a ban, of which this table has the reason, operator and times;
-- a banned account without a row here is banned until it is pardoned.
CREATE TABLE access_rules (
    kind    text NOT NULL, -- ban, mute, whitelisted, whitelist; see store.AccessKind
    account text COLLATE "C" NOT NULL, -- name of an account, which need not exist; '' for a network
    network text NOT NULL, -- 192.0.2.0/24; '' for an account
    reason  text NOT NULL,
    by      text NOT NULL, -- operator, '' if not known
    since   timestamptz,   -- NULL if not known
    until   timestamptz    -- NULL for no end
);
CREATE UNIQUE INDEX access_rule_keys ON access_rules (kind, lower(account), network);

-- +goose Down
DROP TABLE access_rules;

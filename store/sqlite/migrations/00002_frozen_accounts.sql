-- +goose Up
-- An operator's freeze lasts until an operator lifts it, also over a restart of the server.
-- +goose StatementBegin
ALTER TABLE accounts ADD COLUMN frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1));
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
ALTER TABLE accounts DROP COLUMN frozen;
-- +goose StatementEnd

-- +goose Up
-- Refused attacks that were judged by where their target was on the attacker's screen: ago_ms before, at seen; the target is at other_x.
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN ago_ms INTEGER NOT NULL DEFAULT 0; -- 0: judged by where the target is
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN seen_x REAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN seen_y REAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN seen_z REAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN other_x REAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN other_y REAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN other_z REAL;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE entries DROP COLUMN other_z;
ALTER TABLE entries DROP COLUMN other_y;
ALTER TABLE entries DROP COLUMN other_x;
ALTER TABLE entries DROP COLUMN seen_z;
ALTER TABLE entries DROP COLUMN seen_y;
ALTER TABLE entries DROP COLUMN seen_x;
ALTER TABLE entries DROP COLUMN ago_ms;

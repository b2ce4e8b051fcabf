-- +goose Up
-- Decisions that an area made while it was behind its schedule: late_times of times, by at most late_ms. They are the server's doing.
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN late_ms INTEGER NOT NULL DEFAULT 0;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE entries ADD COLUMN late_times INTEGER NOT NULL DEFAULT 0;
-- +goose StatementEnd

-- Groups of entries by player and reason are read from this index alone: reading and sorting all rows takes seconds.
-- +goose StatementBegin
CREATE INDEX entries_group ON entries (account, player, reason, at_ms, first_ms, times, late_times, verdict, area);
-- +goose StatementEnd

-- +goose Down
DROP INDEX entries_group;
ALTER TABLE entries DROP COLUMN late_times;
ALTER TABLE entries DROP COLUMN late_ms;

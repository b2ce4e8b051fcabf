-- +goose Up
-- Queries list entries by at_ms, newest first. An index that ends with at_ms has the rows of one player or reason in that order: no row
-- is read that is not listed.
-- +goose StatementBegin
DROP INDEX entries_player;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_player ON entries (player, at_ms);
-- +goose StatementEnd
-- +goose StatementBegin
DROP INDEX entries_reason;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_reason ON entries (reason, at_ms);
-- +goose StatementEnd

-- Other queries read this index from its end and skip entries of other areas, verdicts and reasons without reading their rows.
-- +goose StatementBegin
DROP INDEX entries_at;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX entries_at ON entries (at_ms, id, area, verdict, reason);
-- +goose StatementEnd

-- +goose Down
DROP INDEX entries_player;
CREATE INDEX entries_player ON entries (player, id);
DROP INDEX entries_reason;
CREATE INDEX entries_reason ON entries (reason, id);
DROP INDEX entries_at;
CREATE INDEX entries_at ON entries (at_ms);

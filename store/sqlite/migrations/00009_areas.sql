-- +goose Up
-- The greatest epoch in which a process has owned an area and stored records: owners of earlier epochs are refused. Empty on a single machine.
-- +goose StatementBegin
CREATE TABLE areas (
    area  INTEGER PRIMARY KEY, -- index of the area in the world
    epoch INTEGER NOT NULL
) STRICT;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DROP TABLE areas;
-- +goose StatementEnd

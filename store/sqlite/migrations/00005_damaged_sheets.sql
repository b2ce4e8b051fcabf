-- +goose Up
-- A sheet that is not JSON any more, because the disk damaged it, must not make every look at the table fail.
-- +goose StatementBegin
ALTER TABLE characters DROP COLUMN area;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters DROP COLUMN level;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters DROP COLUMN gold;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters ADD COLUMN area TEXT GENERATED ALWAYS AS (iif(json_valid(sheet), json_extract(sheet, '$.area'), NULL)) VIRTUAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters ADD COLUMN level INTEGER GENERATED ALWAYS AS (iif(json_valid(sheet), json_extract(sheet, '$.level'), NULL)) VIRTUAL;
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters ADD COLUMN gold INTEGER GENERATED ALWAYS AS (iif(json_valid(sheet), json_extract(sheet, '$.gold'), NULL)) VIRTUAL;
-- +goose StatementEnd

-- +goose Down
-- The columns stay as they are: an older version reads them, too.
-- +goose StatementBegin
SELECT 1;
-- +goose StatementEnd

-- +goose Up
-- For people who look into the file. The columns area, level and gold of the table characters showed the same, but SQLite computed
-- them at each save of a character, which took almost half of its time.
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
CREATE VIEW character_overview AS SELECT c.id, c.name, a.name AS account, c.slot, c.saved_ms,
    CASE WHEN json_valid(c.sheet) THEN json_extract(c.sheet, '$.area') END AS area,
    CASE WHEN json_valid(c.sheet) THEN json_extract(c.sheet, '$.level') END AS level,
    CASE WHEN json_valid(c.sheet) THEN json_extract(c.sheet, '$.gold') END AS gold
FROM characters c JOIN accounts a ON a.id = c.account;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DROP VIEW character_overview;
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

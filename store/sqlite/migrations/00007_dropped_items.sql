-- +goose Up
-- Sheets may have the key "dropped", which older versions of the program take for damage: they must refuse the file.
-- +goose StatementBegin
SELECT 1;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT 1;
-- +goose StatementEnd

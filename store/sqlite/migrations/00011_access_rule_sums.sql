-- +goose Up
-- The account of a rule had no checksum: a flipped bit in a name lifted a ban without a trace.
-- +goose StatementBegin
ALTER TABLE access_rules ADD COLUMN account_sum INTEGER; -- CRC-32C of the account; NULL: not known, the next start computes it
-- +goose StatementEnd
-- +goose StatementBegin
DROP TRIGGER account_renamed;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_renamed AFTER UPDATE OF name ON accounts WHEN NEW.name IS NOT OLD.name BEGIN
    UPDATE OR REPLACE access_rules SET account = NEW.name, account_sum = NULL WHERE account = OLD.name AND account <> '';
END;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT 1;
-- +goose StatementEnd

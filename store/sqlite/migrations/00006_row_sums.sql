-- +goose Up
-- Checksums of rows, see checksum.go. The indexes hold them a second time, on other pages, so that a row that is older than its last
-- save, or missing, is noticed and named. Table store has their totals. Programs that edit the tables with SQL need not care:
-- triggers clear the checksum of a row that they change, and the next start computes it again.

-- +goose StatementBegin
ALTER TABLE accounts ADD COLUMN sum INTEGER;         -- CRC-32C of the other columns; NULL: not known
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters ADD COLUMN sum INTEGER;       -- CRC-32C of id and sheet; NULL: not known
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE characters ADD COLUMN place_sum INTEGER; -- CRC-32C of id, account, slot and name; NULL: not known
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX account_sums ON accounts (id, sum);
-- +goose StatementEnd
-- +goose StatementBegin
CREATE INDEX character_sums ON characters (id, sum, place_sum);
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE store ADD COLUMN account_total INTEGER NOT NULL DEFAULT 0;   -- total of accounts.sum
-- +goose StatementEnd
-- +goose StatementBegin
ALTER TABLE store ADD COLUMN character_total INTEGER NOT NULL DEFAULT 0; -- total of characters.sum and characters.place_sum
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER account_sum_added AFTER INSERT ON accounts WHEN NEW.sum IS NOT NULL BEGIN
    UPDATE store SET account_total = account_total + NEW.sum;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_sum_changed AFTER UPDATE OF sum ON accounts BEGIN
    UPDATE store SET account_total = account_total - coalesce(OLD.sum, 0) + coalesce(NEW.sum, 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_sum_removed AFTER DELETE ON accounts WHEN OLD.sum IS NOT NULL BEGIN
    UPDATE store SET account_total = account_total - OLD.sum;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_edited AFTER UPDATE OF id, name, secret, email, gm, banned, frozen, ignores, created_ms ON accounts
WHEN NEW.sum IS OLD.sum BEGIN
    UPDATE accounts SET sum = NULL WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER character_sum_added AFTER INSERT ON characters WHEN NEW.sum IS NOT NULL OR NEW.place_sum IS NOT NULL BEGIN
    UPDATE store SET character_total = character_total + coalesce(NEW.sum, 0) + coalesce(NEW.place_sum, 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER character_sum_changed AFTER UPDATE OF sum ON characters BEGIN
    UPDATE store SET character_total = character_total - coalesce(OLD.sum, 0) + coalesce(NEW.sum, 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER character_place_sum_changed AFTER UPDATE OF place_sum ON characters BEGIN
    UPDATE store SET character_total = character_total - coalesce(OLD.place_sum, 0) + coalesce(NEW.place_sum, 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER character_sum_removed AFTER DELETE ON characters BEGIN
    UPDATE store SET character_total = character_total - coalesce(OLD.sum, 0) - coalesce(OLD.place_sum, 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER character_edited AFTER UPDATE OF sheet ON characters WHEN NEW.sum IS OLD.sum AND NEW.sheet IS NOT OLD.sheet BEGIN
    UPDATE characters SET sum = NULL WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER character_moved AFTER UPDATE OF id, account, slot, name ON characters WHEN NEW.place_sum IS OLD.place_sum BEGIN
    UPDATE characters SET sum = NULL, place_sum = NULL WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT 1;
-- +goose StatementEnd

-- +goose Up
-- The cluster whose nodes use the database: '' before the first of them has opened it, and after the content was replaced.
ALTER TABLE store
    ADD COLUMN cluster text NOT NULL DEFAULT '', -- name of the cluster
    ADD COLUMN nodes   text NOT NULL DEFAULT '', -- names of its nodes in order, separated by commas
    ADD COLUMN joined  bigint NOT NULL DEFAULT -1; -- column run when nodes last used the database, or a tape was found not to fit; -1 if never
UPDATE store SET joined = run WHERE EXISTS (SELECT FROM entity_serials); -- it is not known when

-- The greatest reserved number of a node at a time when its run had had a link to another node. A run without a link has acknowledged no
-- entry of a Raft log. Of runs before this migration it is not known whether they had a link.
ALTER TABLE entity_serials ADD COLUMN linked bigint NOT NULL DEFAULT 0;
UPDATE entity_serials SET linked = serial;

-- +goose Down
ALTER TABLE entity_serials DROP COLUMN linked;
ALTER TABLE store DROP COLUMN joined, DROP COLUMN nodes, DROP COLUMN cluster;

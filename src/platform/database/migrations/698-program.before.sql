-- Older programs go on.
-- The version of the program that has brought the tables to definitions.
ALTER TABLE schema_past ADD COLUMN program varchar(40);

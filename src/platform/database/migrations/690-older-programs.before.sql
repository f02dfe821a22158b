-- Older programs go on.
-- Of the definitions that the tables have followed: whether a program that has them can work with the tables as they are now.
ALTER TABLE schema_past ADD COLUMN "goesOn" boolean NOT NULL DEFAULT false;

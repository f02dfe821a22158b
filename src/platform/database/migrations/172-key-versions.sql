-- A new version of a key is made known to every process before one of them uses it: until then it only opens.
ALTER TABLE secret ADD COLUMN "inUse" boolean NOT NULL DEFAULT true;

-- Who took a backup: an operator, or the server by itself.
ALTER TABLE backup_run ADD COLUMN "isOwn" boolean NOT NULL DEFAULT false;

-- Backups that were taken, and the one that runs: while it does, no file is removed, so that each row of its database finds its file.
-- Whoever takes it renews "holdUntil"; one whose process has died holds nothing back after that.
CREATE TABLE backup_run (
  id bigint PRIMARY KEY DEFAULT next_id(),
  kind varchar(20) NOT NULL CHECK (kind IN ('physical', 'logical')),
  state varchar(20) NOT NULL CHECK (state IN ('running', 'done', 'failed')),
  host varchar(64) NOT NULL,
  file varchar(1000) NOT NULL,
  began timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended timestamptz,
  bytes bigint,
  reason varchar(1000),
  "holdUntil" timestamptz
);
CREATE INDEX backup_run_began ON backup_run (began);
CREATE INDEX backup_run_hold ON backup_run ("holdUntil") WHERE "holdUntil" IS NOT NULL;

-- Files that were to be removed while a backup was being taken. They go when it has ended.
CREATE TABLE file_leaving (
  key varchar(500) PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Files that rows named which an erasure has emptied: to be removed where nothing else names them. 0 waiting, 1 gone, 2 in use.
CREATE TABLE purge_file (
  "purgeId" bigint NOT NULL,
  "attachId" bigint NOT NULL,
  state smallint NOT NULL DEFAULT 0,
  PRIMARY KEY ("purgeId", "attachId")
);

-- Until when whoever is counted has to wait, where the wait grows with the count.
ALTER TABLE throttle ADD COLUMN "waitUntil" timestamptz;

-- Browsers from which somebody has signed in. What a browser holds is no credential: it only keeps the wrong passwords of
-- others from locking its owner out.
CREATE TABLE known_device (
  hash varchar(64) NOT NULL,
  "userId" bigint NOT NULL,
  "createTime" timestamptz NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (hash, "userId")
);
CREATE INDEX i_known_device_until ON known_device (until);

-- Accounts are not locked as such any more: the wrong passwords of an address or a device delay only that.
UPDATE "user" SET "lockUntil" = NULL, "failCount" = 0 WHERE "lockUntil" IS NOT NULL OR "failCount" > 0;
DELETE FROM throttle WHERE key LIKE 'login:%' OR key LIKE 'factor:%';

-- What a tenant has said of its start list: a step is done or not needed, or the list as a whole is put away (*).
CREATE TABLE start_step (
  "tenantId" varchar(12) NOT NULL,
  code varchar(40) NOT NULL,
  "userId" bigint NOT NULL,
  "time" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY ("tenantId", code)
);
-- An installation that has held an exam needs no list of how to begin.
INSERT INTO start_step ("tenantId", code, "userId")
SELECT DISTINCT "tenantId", '*', 0 FROM examination WHERE "isDeleted" = 0;

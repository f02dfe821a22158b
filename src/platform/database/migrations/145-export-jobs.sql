-- What is left to do of exports made in the background: the order as it was given, sealed, and who is at it until when.
CREATE TABLE export_job (
  "taskId" bigint PRIMARY KEY REFERENCES exporttask (id) ON DELETE CASCADE,
  kind varchar(30) NOT NULL,
  wish text NOT NULL,
  "userId" bigint NOT NULL,
  "roleIds" text NOT NULL,
  "deptIds" text NOT NULL,
  "leaseBy" varchar(40),
  "leaseUntil" timestamptz,
  tries integer NOT NULL DEFAULT 0,
  key varchar(200)
);
CREATE INDEX exporttask_taker ON exporttask ("createUser", id);
CREATE INDEX exporttask_kept ON exporttask ("keepUntil") WHERE "fileId" IS NOT NULL;

-- What was deployed of a model, version by version. Processes that run keep to the version they began with.
CREATE TABLE flow_version (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "deploymentId" bigint NOT NULL,
  version int NOT NULL,
  xml text NOT NULL,
  -- The model as it is carried out.
  graph jsonb NOT NULL,
  "createTime" timestamptz NOT NULL,
  UNIQUE ("deploymentId", version)
);

-- One run of a process. status: 1 running, 2 done, 3 ended before its time.
CREATE TABLE flow_instance (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "tenantId" varchar(12) NOT NULL,
  "versionId" bigint NOT NULL REFERENCES flow_version (id),
  -- What it is about, for example a row of `leave`.
  "businessTable" varchar(64) NOT NULL,
  "businessId" bigint NOT NULL,
  starter bigint NOT NULL,
  -- What the process was begun with: whoever does a task cannot change it.
  facts jsonb NOT NULL,
  -- What was added at its tasks.
  variables jsonb NOT NULL DEFAULT '{}',
  status int NOT NULL DEFAULT 1,
  "createTime" timestamptz NOT NULL,
  "endTime" timestamptz,
  "endUser" bigint,
  "endReason" varchar(500)
);
CREATE INDEX flow_instance_tenant ON flow_instance ("tenantId", "createTime");
CREATE INDEX flow_instance_starter ON flow_instance (starter, "createTime");
CREATE INDEX flow_instance_running ON flow_instance ("versionId") WHERE status = 1;
CREATE UNIQUE INDEX flow_instance_business ON flow_instance ("businessTable", "businessId");

-- Every step a process has come to, in the order of the ids. A task that waits has no end; one that nobody has claimed has
-- no assignee but groups.
CREATE TABLE flow_activity (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "instanceId" bigint NOT NULL REFERENCES flow_instance (id),
  "activityId" text NOT NULL,
  type varchar(20) NOT NULL,
  name text NOT NULL,
  assignee bigint,
  -- Aliases of the roles that may claim it.
  groups text[] NOT NULL DEFAULT '{}',
  "createTime" timestamptz NOT NULL,
  "claimTime" timestamptz,
  "endTime" timestamptz,
  pass boolean,
  comment varchar(500)
);
CREATE INDEX flow_activity_instance ON flow_activity ("instanceId", id);
CREATE INDEX flow_activity_todo ON flow_activity (assignee) WHERE type = 'userTask' AND "endTime" IS NULL;
CREATE INDEX flow_activity_claim ON flow_activity USING gin (groups) WHERE type = 'userTask' AND "endTime" IS NULL AND assignee IS NULL;
CREATE INDEX flow_activity_done ON flow_activity (assignee, "endTime") WHERE type = 'userTask' AND "endTime" IS NOT NULL;
-- A process stands at one task at a time.
CREATE UNIQUE INDEX flow_activity_open ON flow_activity ("instanceId") WHERE "endTime" IS NULL;

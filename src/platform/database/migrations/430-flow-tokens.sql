-- A run may stand at several steps at once: each place is a token, and what somebody has to do at one is a task. Until now one
-- row of flow_activity was place, task and history together; from now on it is history alone.
CREATE TABLE flow_token (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "instanceId" bigint NOT NULL REFERENCES flow_instance (id),
  -- Token of what it is inside of: of a sub-process, or of all repetitions of a step.
  "parentId" bigint REFERENCES flow_token (id),
  "nodeId" text NOT NULL,
  -- Line by which it came.
  "viaFlow" text,
  -- 2 waits, 3 joins others, 9 over.
  state int NOT NULL,
  -- Variables of what is inside of it.
  loc jsonb NOT NULL DEFAULT '{}',
  -- Tasks whose decisions made and ended it.
  "madeBy" bigint,
  "endedBy" bigint,
  "createTime" timestamptz NOT NULL,
  "endTime" timestamptz
);
CREATE INDEX flow_token_open ON flow_token ("instanceId") WHERE state < 9;
CREATE INDEX flow_token_made ON flow_token ("madeBy") WHERE "madeBy" IS NOT NULL;
CREATE INDEX flow_token_ended ON flow_token ("endedBy") WHERE "endedBy" IS NOT NULL;

-- Something a person has to do. state: 1 may be claimed, 2 open, 3 delegated, 4 waits for opinions asked for, 5 done, 6 sent back,
-- 7 taken back, 8 called off.
CREATE TABLE flow_task (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "instanceId" bigint NOT NULL REFERENCES flow_instance (id),
  "tokenId" bigint NOT NULL REFERENCES flow_token (id),
  "nodeId" text NOT NULL,
  name text NOT NULL,
  assignee bigint,
  owner bigint,
  "candidateUsers" bigint[] NOT NULL DEFAULT '{}',
  -- Aliases of roles, `dept:id`, `post:id`.
  "candidateGroups" text[] NOT NULL DEFAULT '{}',
  "formKey" varchar(64),
  priority int NOT NULL DEFAULT 50,
  "dueTime" timestamptz,
  state int NOT NULL,
  pass boolean,
  comment varchar(500),
  "parentTask" bigint REFERENCES flow_task (id),
  "signKind" varchar(8),
  "createTime" timestamptz NOT NULL,
  "claimTime" timestamptz,
  "endTime" timestamptz,
  "endedBy" bigint,
  -- Its decision did something that cannot be taken back.
  "isFinal" boolean NOT NULL DEFAULT false,
  "urgeCount" int NOT NULL DEFAULT 0,
  -- When somebody was told that it is overdue.
  "dueTold" timestamptz
);
CREATE INDEX flow_task_instance ON flow_task ("instanceId");
CREATE INDEX flow_task_token ON flow_task ("tokenId");
CREATE INDEX flow_task_todo ON flow_task (assignee) WHERE state IN (2, 3);
CREATE INDEX flow_task_done ON flow_task (assignee, "endTime") WHERE state IN (5, 6);
CREATE INDEX flow_task_users ON flow_task USING gin ("candidateUsers") WHERE state = 1;
CREATE INDEX flow_task_groups ON flow_task USING gin ("candidateGroups") WHERE state = 1;
CREATE INDEX flow_task_due ON flow_task ("dueTime") WHERE "dueTold" IS NULL AND state < 5;

-- What people did with a task or a run beside deciding; rows are only added.
CREATE TABLE flow_task_log (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "instanceId" bigint NOT NULL REFERENCES flow_instance (id),
  "taskId" bigint REFERENCES flow_task (id),
  act varchar(20) NOT NULL,
  "fromUser" bigint,
  "toUser" bigint,
  comment varchar(500),
  -- What a form held before it was changed.
  form jsonb,
  "time" timestamptz NOT NULL
);
CREATE INDEX flow_task_log_instance ON flow_task_log ("instanceId", id);

-- Who is told of a run without having anything to do in it.
CREATE TABLE flow_copy (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "instanceId" bigint NOT NULL REFERENCES flow_instance (id),
  "userId" bigint NOT NULL,
  "nodeId" text,
  "createTime" timestamptz NOT NULL,
  "readTime" timestamptz,
  UNIQUE ("instanceId", "userId")
);
CREATE INDEX flow_copy_user ON flow_copy ("userId", "createTime");

ALTER TABLE flow_instance
  ADD title varchar(200),
  ADD "parentInstance" bigint REFERENCES flow_instance (id),
  ADD "parentToken" bigint REFERENCES flow_token (id),
  ADD "rootInstance" bigint REFERENCES flow_instance (id),
  ADD depth int NOT NULL DEFAULT 1,
  -- What keeps it from going on, and where.
  ADD incident varchar(500),
  ADD "incidentToken" bigint REFERENCES flow_token (id),
  -- What the form of the process holds, where no table has it.
  ADD "startForm" jsonb,
  ADD "urgeTime" timestamptz,
  -- 1 agreed to, 2 refused.
  ADD "passState" int;
CREATE UNIQUE INDEX flow_instance_called ON flow_instance ("parentToken") WHERE "parentToken" IS NOT NULL;
CREATE INDEX flow_instance_parent ON flow_instance ("parentInstance") WHERE "parentInstance" IS NOT NULL;
CREATE INDEX flow_instance_incident ON flow_instance ("tenantId") WHERE incident IS NOT NULL;
-- A row may have another process when one is over.
DROP INDEX flow_instance_business;
CREATE UNIQUE INDEX flow_instance_business ON flow_instance ("businessTable", "businessId") WHERE status = 1;

ALTER TABLE flow_activity
  ALTER type TYPE varchar(40),
  ADD "tokenId" bigint REFERENCES flow_token (id),
  ADD "taskId" bigint REFERENCES flow_task (id);
DROP INDEX flow_activity_open;

-- Tasks of before keep their numbers, which people may have in their addresses.
INSERT INTO flow_token (id, "instanceId", "nodeId", state, "createTime", "endTime")
SELECT id, "instanceId", "activityId", CASE WHEN "endTime" IS NULL THEN 2 ELSE 9 END, "createTime", "endTime"
FROM flow_activity WHERE type = 'userTask';
INSERT INTO flow_task (id, "instanceId", "tokenId", "nodeId", name, assignee, "candidateGroups", state, pass, comment,
  "createTime", "claimTime", "endTime")
SELECT id, "instanceId", id, "activityId", name, assignee, groups,
  CASE WHEN "endTime" IS NULL AND assignee IS NULL THEN 1 WHEN "endTime" IS NULL THEN 2 WHEN pass IS NULL THEN 8 ELSE 5 END,
  pass, comment, "createTime", "claimTime", "endTime"
FROM flow_activity WHERE type = 'userTask';
UPDATE flow_activity SET "tokenId" = id, "taskId" = id, assignee = NULL WHERE type = 'userTask';

DROP INDEX flow_activity_todo, flow_activity_claim, flow_activity_done;
ALTER TABLE flow_activity DROP groups, DROP "claimTime", DROP pass, DROP comment;
CREATE INDEX flow_activity_token ON flow_activity ("tokenId") WHERE "endTime" IS NULL;
CREATE INDEX flow_activity_task ON flow_activity ("taskId") WHERE "taskId" IS NOT NULL;

-- One run of a job, planned by the clock or asked for by somebody.
CREATE TABLE job_instance (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "jobInfoId" bigint NOT NULL,
  -- As in the dictionary job_instance_status: 1 waiting, 3 running, 4 failed, 5 done, 9 cancelled.
  state int NOT NULL,
  -- Who asked for it; null for the clock.
  "userId" bigint,
  -- What it is given; null for what the job says.
  params text,
  -- From when on it may begin.
  "planTime" timestamptz NOT NULL,
  "startTime" timestamptz,
  "endTime" timestamptz,
  -- The worker that is at it, null for none; it counts until "leaseUntil".
  "leaseBy" uuid,
  "leaseUntil" timestamptz,
  tries int NOT NULL DEFAULT 0,
  result varchar(500)
);

CREATE INDEX job_instance_open ON job_instance ("planTime") WHERE state IN (1, 3);
CREATE INDEX job_instance_job ON job_instance ("jobInfoId") WHERE state IN (1, 3);

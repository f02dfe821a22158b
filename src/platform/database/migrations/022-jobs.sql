-- When each job of the scheduler is due next; the process that moves the time on is the one that runs it.
CREATE TABLE job_lock (
  name text PRIMARY KEY,
  "nextTime" timestamptz NOT NULL
);

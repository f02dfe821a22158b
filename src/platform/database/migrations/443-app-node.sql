-- The processes of the installation that do work in the background, with their heartbeat by the clock of the database.
CREATE TABLE app_node (
  name text PRIMARY KEY,
  "beatTime" timestamptz NOT NULL,
  "startTime" timestamptz NOT NULL
);

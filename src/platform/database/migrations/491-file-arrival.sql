-- Uploads for which a browser was given an address in the bucket, until what it has put there was looked at. `takenUntil` is the time
-- until which one process looks at it.
CREATE TABLE file_arrival (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "tenantId" varchar(12) NOT NULL,
  "userId" bigint NOT NULL,
  name varchar(100) NOT NULL,
  filename varchar(300) NOT NULL,
  size bigint NOT NULL,
  owner varchar(20) NOT NULL,
  "examId" bigint,
  "fileCode" varchar(50),
  "signTime" timestamptz NOT NULL,
  "takenUntil" timestamptz
);
CREATE INDEX file_arrival_user ON file_arrival ("userId");
CREATE INDEX file_arrival_time ON file_arrival ("signTime");

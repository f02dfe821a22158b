-- Who stands at the door of a room. An appointment as a proctor of its exam is needed besides.
CREATE TABLE room_proctor (
  "roomId" bigint NOT NULL,
  "userId" bigint NOT NULL,
  "createUser" bigint NOT NULL,
  "createTime" timestamptz NOT NULL,
  PRIMARY KEY ("roomId", "userId")
);
CREATE INDEX room_proctor_user ON room_proctor ("userId");

-- What was noted at the doors. Rows are only added: ids come from the devices, so what is sent twice counts once.
CREATE TABLE check_in (
  id text PRIMARY KEY,
  "ticketId" bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('arrive', 'absent', 'breach', 'undo')),
  undoes text,
  reason text,
  -- As the device says it, and within what the server's clock allows.
  "deviceTime" timestamptz NOT NULL,
  "time" timestamptz NOT NULL,
  "receiveTime" timestamptz NOT NULL,
  "userId" bigint NOT NULL,
  -- Why it was not taken as it stands; null for most.
  conflict text,
  -- Whether it goes into what the ticket says.
  counts boolean NOT NULL
);
CREATE INDEX check_in_ticket ON check_in ("ticketId");

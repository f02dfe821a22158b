-- Who is doing heavy work, so that nobody does much of it at once. A process that has died loses its places when their time
-- is over.
CREATE UNLOGGED TABLE work_place (
  kind varchar(20) NOT NULL,
  owner varchar(80) NOT NULL,
  slot integer NOT NULL,
  token uuid NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (kind, owner, slot)
);
CREATE INDEX work_place_token ON work_place (token);

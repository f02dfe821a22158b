-- Who changed which fields of a row, from what to what, when and why; of the entities that keep a history.
CREATE TABLE history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "tenantId" varchar(12) NOT NULL,
  entity varchar(64) NOT NULL,
  "rowId" bigint NOT NULL,
  -- add, edit, remove, or the name of a transition or of an action.
  act varchar(64) NOT NULL,
  -- { field: [before, after] }
  changes jsonb NOT NULL DEFAULT '{}',
  reason text,
  "userId" bigint,
  "time" timestamptz NOT NULL
);
CREATE INDEX history_row ON history (entity, "rowId", id);

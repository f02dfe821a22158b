-- Documents that were drawn, by the digest of everything they were drawn from. The row is there before the bytes, so that no
-- bytes are left that nobody knows; it counts when the bytes are whole.
CREATE TABLE kept_drawing (
  key varchar(200) PRIMARY KEY,
  digest varchar(64) NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  "isWhole" boolean NOT NULL DEFAULT false,
  "madeTime" timestamptz NOT NULL,
  "usedTime" timestamptz NOT NULL
);
CREATE UNIQUE INDEX kept_drawing_digest ON kept_drawing (digest) WHERE "isWhole";
CREATE INDEX kept_drawing_used ON kept_drawing ("usedTime");

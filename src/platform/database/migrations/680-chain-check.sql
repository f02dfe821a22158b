-- What became of chains of digests when they were last computed anew: by tenant and chain, the first fault in words, if any.
CREATE TABLE chain_check (
  "tenantId" text NOT NULL,
  chain text NOT NULL,
  count bigint NOT NULL,
  fault text,
  "time" timestamptz NOT NULL,
  PRIMARY KEY ("tenantId", chain)
);

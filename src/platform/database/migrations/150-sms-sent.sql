-- What went out by a provider that charges: written down before it is sent, so that no process sends it a second time.
CREATE TABLE sms_sent (
  id text PRIMARY KEY,
  "smsId" bigint NOT NULL,
  "tenantId" varchar(12) NOT NULL,
  phone text NOT NULL,
  segments integer NOT NULL,
  "time" timestamptz NOT NULL,
  "bizNo" text,
  -- When a receipt was last asked for, and whether it has been seen.
  asked timestamptz,
  told boolean NOT NULL DEFAULT false
);
CREATE INDEX sms_sent_day ON sms_sent ("tenantId", "time");
CREATE INDEX sms_sent_waiting ON sms_sent (asked) WHERE NOT told;

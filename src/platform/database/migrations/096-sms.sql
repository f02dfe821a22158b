-- The sandbox of text messages: what a provider would have sent. Phones are hashed; only who knows the number finds its messages.
CREATE TABLE sms_outbox (
  id text PRIMARY KEY,
  "phoneHash" text NOT NULL,
  content text NOT NULL,
  "time" timestamptz NOT NULL
);
CREATE INDEX sms_outbox_phone ON sms_outbox ("phoneHash", "time");

-- Codes sent to phones: one purpose each, few tries, used once.
CREATE TABLE sms_code (
  id text PRIMARY KEY,
  "tenantId" varchar(12) NOT NULL,
  "phoneHash" text NOT NULL,
  purpose text NOT NULL,
  "codeHash" text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  until timestamptz NOT NULL
);
CREATE INDEX sms_code_until ON sms_code (until);

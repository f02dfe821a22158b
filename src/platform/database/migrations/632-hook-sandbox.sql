-- What the receiver of webhooks in a demonstration was sent, and the secrets that it was handed.
CREATE TABLE hook_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "messageId" text NOT NULL,
  body text NOT NULL,
  verified boolean NOT NULL,
  replay boolean NOT NULL,
  "time" timestamptz NOT NULL
);
CREATE TABLE hook_inbox_secret (
  secret text PRIMARY KEY,
  "time" timestamptz NOT NULL
);

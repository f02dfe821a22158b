-- The second factor of an account (TOTP). `secret` holds once a first code has confirmed it; `pending` waits for that.
CREATE TABLE second_factor (
  "userId" bigint PRIMARY KEY,
  secret text,
  pending text,
  -- The time step of the last code that served: none serves twice.
  "lastStep" bigint NOT NULL DEFAULT 0,
  "confirmTime" timestamptz
);

-- Codes for whoever has lost the device: each opens one login. Keyed hashes only.
CREATE TABLE recovery_code (
  "userId" bigint NOT NULL,
  hash varchar(64) NOT NULL,
  PRIMARY KEY ("userId", hash)
);

-- A login of which the first half is done. It is no session: it serves one account, one client, once, for minutes.
CREATE TABLE login_ticket (
  hash varchar(64) PRIMARY KEY,
  "userId" bigint NOT NULL,
  "clientId" varchar(48) NOT NULL,
  "roleId" text,
  "deptId" text,
  tries integer NOT NULL DEFAULT 0,
  until timestamptz NOT NULL
);

-- Whoever owes a second factor can do nothing but set it up.
ALTER TABLE session ADD COLUMN "mustEnrol" boolean NOT NULL DEFAULT false;

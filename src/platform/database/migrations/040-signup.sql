-- Answers kept for a while, so that a repeated request changes nothing and is answered alike.
CREATE TABLE idempotency (
  "userId" bigint NOT NULL,
  path varchar(255) NOT NULL,
  key varchar(64) NOT NULL,
  "bodyHash" varchar(64) NOT NULL,
  response text,
  "lockedAt" timestamptz NOT NULL,
  "expireTime" timestamptz NOT NULL,
  PRIMARY KEY ("userId", path, key)
);

-- Last sign-up number given in an exam.
CREATE TABLE sign_serial (
  "examId" bigint PRIMARY KEY,
  last integer NOT NULL
);

-- Who is looking at a sign-up: a hint for other reviewers, no lock.
CREATE TABLE signup_claim (
  "signupId" bigint PRIMARY KEY,
  "userId" bigint NOT NULL,
  "userName" varchar(45) NOT NULL,
  until timestamptz NOT NULL
);

-- A disqualification one person asked for and a second has not confirmed yet.
CREATE TABLE signup_strike (
  "signupId" bigint PRIMARY KEY,
  "userId" bigint NOT NULL,
  reason varchar(500) NOT NULL,
  "time" timestamptz NOT NULL
);

-- One live sign-up of a person for an exam, whatever ID number the account carries.
CREATE UNIQUE INDEX signup_one_per_person ON signup ("tenantId", "examId", "userId")
  WHERE "signStatus" IN (0, 1, 9) AND "isDeleted" = 0;

-- Places taken, counted while the position is locked.
CREATE INDEX signup_places ON signup ("examId", (CASE WHEN "reduceState" IN (2, 3) THEN code2 ELSE code END))
  WHERE "signStatus" = 1 AND examine IN (0, 1, 3) AND "isDeleted" = 0;

CREATE INDEX attach_unused ON attach ("createUser", "createTime") WHERE "ownerId" IS NULL AND "isDeleted" = 0;

-- Logins at an outside provider that are under way. All that is secret is sealed or hashed; each row serves once.
CREATE TABLE oauth_state (
  hash varchar(64) PRIMARY KEY,
  -- What only the browser that began it knows.
  "browserHash" varchar(64) NOT NULL,
  "sourceId" bigint NOT NULL,
  "redirectUri" varchar(1000) NOT NULL,
  nonce varchar(100) NOT NULL,
  verifier text NOT NULL,
  -- Who links an identity; null for somebody who signs in.
  "userId" bigint,
  until timestamptz NOT NULL
);
CREATE INDEX i_oauth_state_until ON oauth_state (until);

-- Whose an outside identity is: one account of a tenant for each, and of one source one for each account.
CREATE TABLE user_oauth (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "tenantId" varchar(12) NOT NULL,
  "userId" bigint NOT NULL,
  source varchar(32) NOT NULL,
  issuer varchar(255) NOT NULL,
  uuid varchar(255) NOT NULL,
  nickname varchar(50),
  "createTime" timestamptz NOT NULL
);
CREATE UNIQUE INDEX u_user_oauth_identity ON user_oauth ("tenantId", issuer, uuid);
CREATE UNIQUE INDEX u_user_oauth_account ON user_oauth ("userId", source);

-- A waiting login says whose word it is, and belongs to the guest session it was given.
DELETE FROM oauth_login;
ALTER TABLE oauth_login
  ALTER COLUMN uuid TYPE varchar(255),
  ADD COLUMN issuer varchar(255) NOT NULL,
  ADD COLUMN "tokenHash" varchar(64) NOT NULL;
CREATE INDEX i_oauth_login_until ON oauth_login (until);

-- Permissions given to programs, on their way to a session. A code that comes twice ends what it gave.
CREATE TABLE oauth_code (
  hash varchar(64) PRIMARY KEY,
  "clientId" varchar(48) NOT NULL,
  "userId" bigint NOT NULL,
  "redirectUri" varchar(1000) NOT NULL,
  challenge varchar(43),
  until timestamptz NOT NULL,
  "spentTime" timestamptz,
  "replayTime" timestamptz,
  "sessionId" bigint
);
CREATE INDEX i_oauth_code_until ON oauth_code (until);

-- Our own page and Blade's clients may use what providers say.
UPDATE client SET "authorizedGrantTypes" = "authorizedGrantTypes" || ',social'
  WHERE "clientId" IN ('saber', 'sword', 'juxian-web') AND ',' || "authorizedGrantTypes" || ',' NOT LIKE '%,social,%';

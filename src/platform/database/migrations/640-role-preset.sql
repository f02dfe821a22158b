-- What the program has last given each of the roles that installations begin with, by which one is known that nobody has changed
-- since; and what newer versions give such a role beyond that, where somebody has changed it and is asked to decide.
CREATE TABLE role_preset (
  "roleId" bigint PRIMARY KEY,
  codes text[] NOT NULL,
  owed text[] NOT NULL DEFAULT '{}'
);

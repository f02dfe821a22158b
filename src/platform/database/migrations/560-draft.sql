-- What somebody has typed into a form that is not saved yet: one for each person, form and row; sealed as a whole.
CREATE TABLE draft (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "userId" bigint NOT NULL,
  form varchar(100) NOT NULL,
  -- Empty for a row that is not there yet.
  "rowId" varchar(64) NOT NULL,
  -- The key that the form is sent with.
  key varchar(64) NOT NULL,
  content text NOT NULL,
  "savedTime" timestamptz NOT NULL,
  UNIQUE ("userId", form, "rowId")
);
CREATE INDEX draft_saved ON draft ("savedTime");

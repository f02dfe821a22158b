-- Where the files of this installation are: one row, whose number the marker there repeats. A folder or bucket with another
-- number holds other files. `moved` is the last file that was brought to the bucket and read back, in the order of keys.
CREATE TABLE file_store (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id varchar(36) NOT NULL,
  kind varchar(5) NOT NULL CHECK (kind IN ('local', 's3')),
  place varchar(1000) NOT NULL,
  since timestamptz NOT NULL,
  moved varchar(300)
);

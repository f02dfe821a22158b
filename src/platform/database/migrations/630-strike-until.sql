-- Until when a candidate who is about to be disqualified may state the case.
ALTER TABLE signup_strike ADD COLUMN until timestamptz;

-- Files of claims were open to everybody who is signed in; they belong to the claim, and those who take part in its process read them.
UPDATE attach a SET "ownerType" = 'flow', "ownerId" = e.id, visible = 3
FROM expense e WHERE e.attachment = a.id AND a."ownerType" = 'files' AND a."ownerId" IS NULL;

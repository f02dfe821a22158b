-- A notice alone needs no template of text messages.
ALTER TABLE send ALTER COLUMN "templateId" DROP NOT NULL;

-- Notices for one exam, or for stages of one exam, name it: its staff manage them.
UPDATE notice SET "examId" = addressed."examId"
FROM (
  SELECT n.id, min(x."examId") AS "examId"
  FROM notice n
  JOIN LATERAL (
    SELECT e.id AS "examId" FROM examination e
    WHERE n.scope1 = 2 AND e.id::text = ANY(string_to_array(replace(coalesce(n.scope2, ''), ' ', ''), ','))
    UNION
    SELECT i."examId" FROM examinationitem i
    WHERE n.scope1 = 3 AND i.id::text = ANY(string_to_array(replace(coalesce(n.scope2, ''), ' ', ''), ','))
  ) x ON true
  WHERE n."examId" IS NULL AND n.scope1 IN (2, 3)
  GROUP BY n.id
  HAVING count(*) = 1
) addressed
WHERE notice.id = addressed.id;

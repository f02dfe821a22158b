-- Sign-ups keep the answers to education and degree in columns, too, where the form asks by the dictionary of that name.
UPDATE signup SET education = signup.content->>'education'
  FROM examsignitems item
  WHERE item."examId" = signup."examId" AND item."itemCode" = 'education' AND item."dictCode" = 'education'
    AND item."isDeleted" = 0 AND jsonb_typeof(signup.content->'education') = 'string';
UPDATE signup SET degree = signup.content->>'degree'
  FROM examsignitems item
  WHERE item."examId" = signup."examId" AND item."itemCode" = 'degree' AND item."dictCode" = 'degree'
    AND item."isDeleted" = 0 AND jsonb_typeof(signup.content->'degree') = 'string';

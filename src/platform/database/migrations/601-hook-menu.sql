-- Administrators of a tenant have webhooks, which stand in a part of the menu that they had nothing of.
INSERT INTO role_menu ("roleId", "menuId")
SELECT r.id, m.id FROM role r CROSS JOIN menu m
WHERE r."roleAlias" = 'admin' AND r."isDeleted" = 0 AND m.code = 'develop' AND m."isDeleted" = 0
ON CONFLICT DO NOTHING;

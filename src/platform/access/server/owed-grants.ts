import { sql } from 'kysely'
import '../../database/auth-tables.ts'
import '../../database/system-tables.ts'
import type { Live } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'

/** Roles that a newer version gives more than they have, and of which somebody has to decide. */
const owing = (db: Live) =>
  db
    .selectFrom('role as r')
    .innerJoin('role_preset as p', 'p.roleId', 'r.id')
    .where(sql<boolean>`cardinality(p.owed) > 0`)

/** How many roles wait for whoever grants rights to decide on what a newer version gives them, and where the first one is decided on. */
export async function rolesOwing(app: Parameters<typeof liveAs>[0], person: Person) {
  const roles = await owing(liveAs(app, person)).select('r.id').orderBy('r.sort').orderBy('r.id').execute()
  const [first] = roles
  return {
    num: roles.length,
    oldest: null,
    overdue: 0,
    due: null,
    ...(first && { opens: `/system/role/grant/${first.id}` }),
  }
}

/** Names of the menus and buttons that a newer version gives some roles and that they lack. */
export async function owedNames(db: Live, roleIds: readonly string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const rows = await owing(db)
    .innerJoin('menu as m', join => join.on(sql<boolean>`m.code = ANY(p.owed)`))
    .leftJoin('menu as above', 'above.id', 'm.parentId')
    .select(['m.name', 'above.name as above'])
    .distinct()
    .where('r.id', 'in', [...roleIds])
    .orderBy('above.name')
    .orderBy('m.name')
    .execute()
  return rows.map(({ name, above }) => (above ? `${above} / ${name}` : name))
}

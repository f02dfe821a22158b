import type { Kysely } from 'kysely'
import type { Person } from '../../access.ts'
import { growTree } from '../../crud/tree.ts'
import type { Database } from '../../plugins/database.ts'

/** A node of a tree; leaves have no `children`, because clients look for it to tell them apart. */
export type Node = Record<string, unknown> & { children?: Node[] }

/** What a parent is called on the wire that is none. */
export const noParent = '0'

const readMenus = (db: Kysely<Database>) =>
  db
    .selectFrom('menu')
    .select(['id', 'parentId', 'name', 'path', 'source', 'code', 'alias', 'sort', 'category', 'action', 'isOpen'])
    .select(['component', 'meta', 'remark'])
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** A menu or button as it is stored. */
export type MenuRow = Awaited<ReturnType<typeof readMenus>>[number]

/** The menus that meet a test, with everything that stands above them. */
function withParents(rows: readonly MenuRow[], isWanted: (row: MenuRow) => boolean): MenuRow[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  const kept = new Set<string>()
  for (const row of rows.filter(isWanted)) {
    for (let at: MenuRow | undefined = row; at && !kept.has(at.id); at = byId.get(at.parentId ?? '')) kept.add(at.id)
  }
  return rows.filter(row => kept.has(row.id))
}

const menuNode = (row: MenuRow): Node => ({
  ...row,
  parentId: row.parentId ?? noParent,
  path: row.path ?? '',
  source: row.source ?? '',
  component: row.component ?? '',
  remark: row.remark ?? '',
  action: row.action ?? 0,
  isOpen: row.isOpen ?? 0,
  meta: row.meta ?? {},
})

/** A node of a picker. */
export const optionNode = (id: string, parentId: string | null, title: string): Node => ({
  ...{ id, parentId: parentId ?? noParent, title, key: id, value: id },
})

const tree = (nodes: Node[]): Node[] => growTree(nodes, 'parentId', 'id') as Node[]

const isMenu = (row: MenuRow) => row.category === 1

/** The menu of a person: what the roles were granted and what stands above it, without buttons. */
export async function readRoutes(db: Kysely<Database>, { permissions }: Person): Promise<Node[]> {
  const rows = (await readMenus(db)).filter(isMenu)
  return tree(withParents(rows, row => permissions.has(row.code)).map(menuNode))
}

/** What a person may do: menus with their buttons. */
export async function readButtons(db: Kysely<Database>, { permissions }: Person): Promise<Node[]> {
  const rows = await readMenus(db)
  return tree(withParents(rows, row => permissions.has(row.code)).map(menuNode))
}

/** Every menu without buttons, as rows in a tree. */
export const readMenuTree = async (db: Kysely<Database>): Promise<Node[]> =>
  tree((await readMenus(db)).filter(isMenu).map(menuNode))

/** Every menu without buttons, as nodes of a picker. */
export const readMenuOptions = async (db: Kysely<Database>): Promise<Node[]> =>
  tree((await readMenus(db)).filter(isMenu).map(row => optionNode(row.id, row.parentId, row.name)))

/** One level of the menus without buttons. */
export async function readMenuLevel(db: Kysely<Database>, parentId: string | undefined): Promise<Node[]> {
  const rows = (await readMenus(db)).filter(isMenu)
  const above = new Set(rows.map(row => row.parentId))
  const isTop = !parentId || parentId === noParent
  return rows
    .filter(row => (isTop ? row.parentId === null : row.parentId === parentId))
    .map(row => ({ ...menuNode(row), ...(above.has(row.id) ? { hasChildren: true } : {}) }))
}

/** What somebody may grant to roles: the administrator everything, others what they have. */
export async function readGrantTree(db: Kysely<Database>, person: Person): Promise<Node[]> {
  const rows = await readMenus(db)
  const mine = grantsEverything(person) ? rows : withParents(rows, row => person.permissions.has(row.code))
  return tree(mine.map(row => optionNode(row.id, row.parentId, row.name)))
}

/** True for the one role whose grants are not limited by what it has itself. */
export const grantsEverything = (person: Person): boolean => person.roles.includes('administrator')

import { sql } from 'kysely'
import { noParent } from '#engine'
import { MenuCategory } from '#schemas/dictionaries'
import { type Branch, growTree } from '../../../crud/tree.ts'
import type { Person } from '../../http/server/access.ts'
import '../../database/system-tables.ts'
import type { Live } from '../../database/live.ts'

const readMenus = (db: Live) =>
  db
    .selectFrom('menu')
    .select(['id', 'parentId', 'name', 'path', 'source', 'code', 'alias', 'sort', 'category', 'action', 'isOpen'])
    .select(['component', 'meta', 'remark'])
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

const menuNode = (row: MenuRow) => ({
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

/** A menu as it is answered. */
type MenuNode = ReturnType<typeof menuNode>

/** A node of a picker. */
export const optionNode = (id: string, parentId: string | null, title: string) => ({
  id,
  parentId: parentId ?? noParent,
  title,
  key: id,
  value: id,
})

/** A node of a picker. */
export type OptionNode = ReturnType<typeof optionNode>

const tree = <N extends OptionNode | MenuNode>(nodes: readonly N[]): Branch<N>[] => growTree(nodes, 'parentId', 'id')

const isMenu = (row: MenuRow) => row.category === MenuCategory.menu

const menusUnder = async (db: Live, topMenuId: string): Promise<Set<string>> => {
  const rows = await db.selectFrom('topmenu_setting').select('menuId').where('topMenuId', '=', topMenuId).execute()
  return new Set(rows.map(row => row.menuId))
}

/** Menus without the branches of which nothing is left: they would lead nowhere. */
function withoutEmptyBranches(all: readonly MenuRow[], kept: readonly MenuRow[]): readonly MenuRow[] {
  const branches = new Set(all.map(row => row.parentId))
  const held = new Set(kept.map(row => row.parentId))
  const left = kept.filter(row => held.has(row.id) || !branches.has(row.id))
  return left.length === kept.length ? kept : withoutEmptyBranches(all, left)
}

/**
 * The menu of a person: what the roles were granted and what stands above it, without buttons and empty branches.
 * @param topMenuId only what this top menu leads to
 */
export async function readRoutes(db: Live, { permissions }: Person, topMenuId?: string) {
  const rows = (await readMenus(db)).filter(isMenu)
  const under = topMenuId ? await menusUnder(db, topMenuId) : null
  const isMine = (row: MenuRow) => permissions.has(row.code) && (!under || under.has(row.id))
  return tree(withoutEmptyBranches(rows, withParents(rows, isMine)).map(menuNode))
}

/** The top menus that lead to something a person may open. */
export async function readTopMenus(db: Live, { permissions }: Person) {
  const rows = await db
    .selectFrom('topmenu')
    .select(['id', 'code', 'name', 'source', 'path', 'sort'])
    // Every tenant has the same top menus, and yet clients are told whose they are.
    .select(sql<string>`topmenu."tenantId"`.as('tenantId'))
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('topmenu_setting')
          .innerJoin('menu', 'menu.id', 'topmenu_setting.menuId')
          .select('menu.id')
          .whereRef('topmenu_setting.topMenuId', '=', 'topmenu.id')
          .where(sql<boolean>`menu.code = ANY(${[...permissions]})`),
      ),
    )
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, path: row.path ?? '' }))
}

/**
 * What a person may do: menus with their buttons, each a whole row. Clients read of it what they need: where a button stands,
 * what it is called, and by its code that it is there at all.
 */
export async function readButtons(db: Live, { permissions }: Person) {
  const rows = await readMenus(db)
  return tree(withParents(rows, row => permissions.has(row.code)).map(menuNode))
}

/** Menus without buttons that somebody may open, with what stands above them; the administrator of everything all. */
async function menusFor(db: Live, person: Person): Promise<MenuRow[]> {
  const rows = (await readMenus(db)).filter(isMenu)
  return grantsEverything(person) ? rows : withParents(rows, row => person.permissions.has(row.code))
}

/** Menus without buttons as rows in a tree, as far as somebody may open them. */
export const readMenuTree = async (db: Live, person: Person) => tree((await menusFor(db, person)).map(menuNode))

const optionOf = (row: MenuRow): OptionNode => optionNode(row.id, row.parentId, row.name)

/** Menus without buttons as nodes of a picker, as far as somebody may open them. */
export const readMenuOptions = async (db: Live, person: Person) => tree((await menusFor(db, person)).map(optionOf))

/** Menus without buttons as flat choices, found by a part of the name or by ids; there are more than one page holds. */
export async function readMenuChoices(db: Live, keyword: string, ids: string) {
  const wanted = ids ? new Set(ids.split(',')) : null
  const rows = (await readMenus(db)).filter(row =>
    wanted ? wanted.has(row.id) : isMenu(row) && row.name.includes(keyword),
  )
  return rows.map(({ id, name, parentId }) => ({ id, label: name, name, parentId: parentId ?? noParent }))
}

/** One level of the menus without buttons. */
export async function readMenuLevel(db: Live, person: Person, parentId: unknown) {
  const rows = await menusFor(db, person)
  const above = new Set(rows.map(row => row.parentId))
  const isTop = !parentId || parentId === noParent
  return rows
    .filter(row => (isTop ? row.parentId === null : row.parentId === parentId))
    .map(row => ({ ...menuNode(row), ...(above.has(row.id) ? { hasChildren: true } : {}) }))
}

/** What somebody may grant to roles: the administrator everything, others what they have. */
export async function readGrantTree(db: Live, person: Person) {
  const rows = await readMenus(db)
  const mine = grantsEverything(person) ? rows : withParents(rows, row => person.permissions.has(row.code))
  return tree(mine.map(optionOf))
}

/** True for the one role whose grants are not limited by what it has itself. */
export const grantsEverything = (person: Person): boolean => person.roles.includes('administrator')

import { noParent } from '#engine'
import { menu as menuResource } from '#resources/system/menu'
import { MenuCategory } from '#schemas/dictionaries'
import { checkTree, holdTree } from '../../../crud/tree-link.ts'
import '../../database/auth-tables.ts'
import type { Live } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isGroup, menus as seeded } from '../../tenants/server/seed/menus.ts'
import type { Db } from './caller.ts'

/** A menu that stands elsewhere than in a new installation. */
interface Move {
  readonly code: string
  readonly name: string
  /** Id of the menu above it, `0` where there is none. */
  readonly parentId: string
  /** Names of the branches above it, outermost first; empty for the first level. */
  readonly from: string
  readonly to: string
}

const readRows = (db: Live) => db.selectFrom('menu').select(['id', 'code', 'name', 'parentId']).execute()
type MenuRow = Awaited<ReturnType<typeof readRows>>[number]

const seedOf = new Map(seeded.map(one => [one.code, one]))

/** Menus whose branch may be moved to where a new installation has it; buttons go with their page. */
const movable = seeded.filter(one => one.category === MenuCategory.menu && !isGroup(one.code))

/** Names of the branches above a code in a new installation, by the names that they have here. */
function seedWay(code: string, nameOf: ReadonlyMap<string, string>): string[] {
  const parent = seedOf.get(code)?.parent
  return parent ? [...seedWay(parent, nameOf), nameOf.get(parent) ?? seedOf.get(parent)?.name ?? ''] : []
}

/** Names of the branches above a row as it stands. */
function presentWay(row: MenuRow, byId: ReadonlyMap<string, MenuRow>): string[] {
  const parent = byId.get(row.parentId ?? '')
  return parent ? [...presentWay(parent, byId), parent.name] : []
}

/** The menus that stand elsewhere than in a new installation, in the order of that. Those of an installation's own are not among them. */
export async function menuMoves(db: Live): Promise<Move[]> {
  const rows = await readRows(db)
  const [byId, byCode] = [new Map(rows.map(row => [row.id, row])), new Map(rows.map(row => [row.code, row]))]
  const names = new Map(rows.map(row => [row.code, row.name]))
  return movable.flatMap(({ code, parent }) => {
    const row = byCode.get(code)
    const above = byId.get(row?.parentId ?? '')
    if (!row || (above?.code ?? null) === parent) return []
    return {
      code,
      name: row.name,
      parentId: row.parentId ?? noParent,
      from: presentWay(row, byId).join(' / '),
      to: seedWay(code, names).join(' / '),
    }
  })
}

/** The rows of branches, those that only hold others made where they are missing. @throws row.notFound for a removed one */
async function branchIds(db: Live, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const find = async () => {
    const rows =
      codes.length === 0 ? [] : await db.selectFrom('menu').select(['id', 'code']).where('code', 'in', codes).execute()
    return new Map(rows.map(row => [row.code, row.id]))
  }
  const known = await find()
  const missing = seeded.filter(one => codes.includes(one.code) && !known.has(one.code))
  if (missing.some(one => !isGroup(one.code))) throw refuse('row.notFound')
  if (missing.length === 0) return known
  const values = missing.map(({ code, name, path, source, alias, category }) => ({
    code,
    name,
    path,
    source,
    alias,
    category,
    isOpen: 0 as const,
    sort: seeded.findIndex(one => one.code === code) + 1,
  }))
  await db.insertInto('menu').values(values).execute()
  return find()
}

/**
 * Moves menus to where a new installation has them, with the order that they have there.
 * @param moves code and the branch in which each was seen
 * @throws row.changed when one of them does not stand there any more, row.notFound for a code that no menu has, input.invalid
 *   when a branch would stand below itself
 */
export async function moveMenus(db: Db, moves: readonly Pick<Move, 'code' | 'parentId'>[]): Promise<{ moved: number }> {
  return db.transaction().execute(async trx => {
    await holdTree(trx, 'menu')
    const wanted = moves.map(one => ({ ...one, seed: movable.find(({ code }) => code === one.code) }))
    const branches = await branchIds(trx, [...new Set(wanted.flatMap(({ seed }) => seed?.parent ?? []))])
    const moved: Pick<MenuRow, 'id' | 'parentId'>[] = []
    for (const { code, parentId, seed } of wanted) {
      if (!seed) throw refuse('row.notFound')
      const row = await trx
        .updateTable('menu')
        .set({ parentId: seed.parent && branches.get(seed.parent)!, sort: seeded.indexOf(seed) + 1 })
        .where('code', '=', code)
        .where('parentId', parentId === noParent ? 'is' : '=', parentId === noParent ? null : parentId)
        .returning(['id', 'parentId'])
        .executeTakeFirst()
      if (!row) throw refuse('row.changed')
      moved.push(row)
    }
    // All of them stand where they belong before it is asked whether that is a ring.
    for (const row of moved) await checkTree(trx, menuResource, row, row)
    return { moved: moves.length }
  })
}

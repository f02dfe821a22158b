import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Condition,
  dictionary,
  type Entity,
  type EntityOptions,
  entity,
  type Fields,
  integer,
  optional,
  ref,
  refs,
  sealed,
  state,
  text,
} from '#engine'
import { entities } from '#schemas'
import { type TestDatabase, testDatabase } from '../../tests/helper/app.ts'
import { bulk } from '../../tests/helper/bulk.ts'
import { structureOf } from '../../tests/helper/structure.ts'
import { openPool } from '../platform/database/database.ts'
import { dropUnused, type MigrateOptions, migrate, planSchema, requireSchema } from '../platform/database/migrate.ts'
import type { Difference } from '../platform/database/plan.ts'
import { indexesOf, tablesOf } from './table.ts'

/** What the table under test refers to; the other tables of the database stand beside it. */
const around = entities.filter(({ name }) => ['user', 'menu'].includes(name))

const phase = dictionary('phase', '阶段', { draft: [0, '草稿'], live: [1, '生效'] })
const fields = {
  title: text('名称', { maxLength: 20, unique: true }),
  phase: state('阶段', phase),
  owner: optional(ref('归属', 'user')),
  phone: optional(sealed('手机号码', { format: 'phone' })),
}
const Sheet = entity('sheet-x', '样表', fields, {
  version: true,
  uniques: [{ fields: ['phone'], where: { phase: 0 } }],
})

let database: TestDatabase
let pool: pg.Pool
beforeEach(async () => {
  await drop()
  database = await testDatabase()
  pool = openPool({ connectionString: database.url })
})
afterAll(() => drop())

async function drop(): Promise<void> {
  await pool?.end()
  await database?.drop()
}

const bring = (one: Entity, on = pool) => migrate(on, tablesOf([...around, one]))
function add(given: Record<string, unknown>) {
  const values = { owner: null, ...given }
  return pool.query(
    `INSERT INTO sheet_x (${Object.keys(values).map(name => `"${name}"`)})
     VALUES (${Object.keys(values).map((_, i) => `$${i + 1}`)}) RETURNING *`,
    Object.values(values),
  )
}

async function columns(): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = 'sheet_x'::regclass AND attnum > 0`,
  )
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

test('an entity makes its table', async () => {
  await bring(Sheet)
  expect(await columns()).toMatchObject({
    id: 'bigint',
    tenantId: 'character varying(12)',
    createTime: 'timestamp with time zone',
    version: 'integer',
    title: 'character varying(20)',
    phase: 'integer',
    owner: 'bigint',
    phone: 'text',
    phoneHash: 'character varying(64)',
  })
  const { rows } = await add({ title: 'a' })
  expect(rows[0]).toMatchObject({ tenantId: '000000', phase: 0, status: 1, isDeleted: 0, version: 0 })
  expect(rows[0].id).toMatch(/^\d{19}$/)
})

test('nothing is done when nothing changed, and once when two start together', async () => {
  const second = openPool({ connectionString: database.url })
  expect((await Promise.all([bring(Sheet), bring(Sheet, second)])).toSorted()).toEqual(['changed', 'same'])
  expect(await bring(Sheet)).toBe('same')
  await second.end()
})

test('a new field is a new column, a longer text a wider one; rows stay', async () => {
  await bring(Sheet)
  await add({ title: 'a' })
  const longer = {
    ...fields,
    title: text('名称', { maxLength: 200, unique: true }),
    size: integer('大小', { default: 3 }),
  }
  await bring(entity('sheet-x', '样表', longer, { version: true }))
  expect(await columns()).toMatchObject({ title: 'character varying(200)', size: 'integer' })
  expect((await pool.query('SELECT title, size FROM sheet_x')).rows).toEqual([{ title: 'a', size: 3 }])
})

describe('uniqueness is held by the database', () => {
  beforeEach(() => bring(Sheet))

  test('per tenant', async () => {
    await add({ title: 'a' })
    await expect(add({ title: 'a' })).rejects.toMatchObject({ code: '23505', constraint: 'u_sheet_x_tenantId_title' })
    await add({ title: 'a', tenantId: '000001' })
  })

  test('among rows that are not deleted', async () => {
    await add({ title: 'a', isDeleted: 1 })
    await add({ title: 'a', isDeleted: 1 })
    await add({ title: 'a' })
  })

  test('of a sealed field by its hash, and only where the rule has its condition', async () => {
    await add({ title: 'a', phone: 'v1:x', phoneHash: 'h', phase: 0 })
    await add({ title: 'b', phone: 'v1:y', phoneHash: 'h', phase: 1 })
    await expect(add({ title: 'c', phone: 'v1:z', phoneHash: 'h', phase: 0 })).rejects.toMatchObject({ code: '23505' })
  })

  test('until the rule changes', async () => {
    await add({ title: 'a', phone: 'v1:x', phoneHash: 'h', phase: 0 })
    await bring(entity('sheet-x', '样表', fields, { uniques: [{ fields: ['phone'], where: { phase: [1, null] } }] }))
    await add({ title: 'b', phone: 'v1:y', phoneHash: 'h', phase: 0 })
    await add({ title: 'c', phone: 'v1:y', phoneHash: 'h', phase: 1 })
    await expect(add({ title: 'd', phone: 'v1:z', phoneHash: 'h', phase: 1 })).rejects.toMatchObject({ code: '23505' })
  })
})

describe('what differs from the definition', () => {
  const brought = async (one: Entity, options: MigrateOptions = {}) =>
    migrate(pool, tablesOf([...around, one]), options).then(String, (error: Error) => error.message)
  /** A plan for some entities; the other tables of the database are nobody's then, and are not told. */
  const planAround = async (some: readonly Entity[], options?: MigrateOptions) => {
    const plan = await planSchema(pool, tablesOf([...around, ...some]), options)
    return { ...plan, differences: plan.differences.filter(one => one.class !== 'later') }
  }
  const differences = async (one: Entity) => {
    const plan = await planAround([one])
    return plan.differences.map(({ class: kind, table, name, rows }) => [kind, table, name, rows ?? 0])
  }
  const rows = async (sql: string) => (await pool.query(sql)).rows
  const sheet = (more: Fields, options: EntityOptions<string> = {}) => entity('sheet-x', '样表', more, options)
  const ids = async () => (await rows('SELECT id::text FROM sheet_x ORDER BY id')).map(row => row.id)

  /** The catalogue and the rows of the table, to see that nothing has happened. */
  const picture = async () =>
    JSON.stringify([
      await columns(),
      await rows('SELECT * FROM sheet_x ORDER BY id'),
      await rows(`SELECT conname FROM pg_constraint WHERE conrelid = 'sheet_x'::regclass ORDER BY 1`),
      await rows(`SELECT indexname FROM pg_indexes WHERE tablename = 'sheet_x' ORDER BY 1`),
      await rows('SELECT name, hash FROM migration ORDER BY 1'),
    ])

  /**
   * Somebody who writes without a pause and waits for no lock longer than half a second.
   * @param statement the next one, by its number
   * @returns ends it, answers the refusals
   */
  function write(statement: (n: number) => string): { end(): Promise<string[]> } {
    let isOn = true
    const refusals: string[] = []
    const own = openPool({ connectionString: database.url, max: 1, options: '-c lock_timeout=500ms' })
    const writing = (async () => {
      for (let n = 1; isOn; n++) await own.query(statement(n)).catch((error: Error) => refusals.push(error.message))
    })()
    const end = async () => {
      isOn = false
      await writing.finally(() => own.end())
      return refusals
    }
    return { end }
  }

  /** A definition is refused by plan and start with the same words, and nothing has changed. */
  async function refused(one: Entity, column: string, ...words: (string | RegExp)[]): Promise<void> {
    const before = await picture()
    const said = await brought(one)
    for (const word of [`sheet_x.${column}: `, ...words]) expect(said).toMatch(word)
    expect(await differences(one)).toContainEqual(['refused', 'sheet_x', column, expect.any(Number)])
    expect(await picture()).toBe(before)
  }

  test('is nothing when the program has brought it there', async () => {
    await bring(Sheet)
    expect(await differences(Sheet)).toEqual([])
  })

  test('a renamed field keeps its values, if it says so', async () => {
    await bring(sheet({ title: text('名称'), phone: optional(sealed('手机号码')) }))
    await pool.query(`INSERT INTO sheet_x (title, phone, "phoneHash") VALUES ('a', 'v1:x', 'h')`)
    const mobile = optional(sealed('手机号码', { renamed: 'phone' }))
    await refused(
      sheet({ heading: text('名称') }),
      'title',
      /1 row/,
      /«heading»/,
      /renamed: 'title'/,
      /retired: \['title'\]/,
    )
    const renamed = sheet({ heading: text('名称', { renamed: 'title' }), mobile })
    expect(await differences(renamed)).toContainEqual(['safe', 'sheet_x', 'heading', 0])
    await bring(renamed)
    expect(await rows('SELECT heading, mobile, "mobileHash" FROM sheet_x')).toEqual([
      { heading: 'a', mobile: 'v1:x', mobileHash: 'h' },
    ])
    expect(await differences(renamed)).toEqual([])
  })

  test('a field that goes leaves its column, which nobody must fill', async () => {
    await bring(sheet({ title: text('名称'), note: text('说明') }))
    await pool.query(`INSERT INTO sheet_x (title, note) VALUES ('a', 'b')`)
    const less = sheet({ title: text('名称') })
    await bring(less)
    expect(await differences(less)).toEqual([['left', 'sheet_x', 'note', 1]])
    await pool.query(`INSERT INTO sheet_x (title) VALUES ('c')`)
    await refused(sheet({ title: text('名称'), remark: optional(text('备注')) }), 'note', /«remark»/)
    await bring(sheet({ title: text('名称'), remark: optional(text('备注')) }, { retired: ['note'] }))
    expect(await rows('SELECT note, remark FROM sheet_x ORDER BY id')).toEqual([
      { note: 'b', remark: null },
      { note: null, remark: null },
    ])
  })

  test('what nobody defines any more is dropped when it is asked for and holds nothing', async () => {
    const Other = entity('other-x', '别的', { sheet: optional(ref('样表', 'sheet-x' as 'menu')) })
    const Third = entity('third-x', '又一', {})
    const Second = entity('second-x', '再一', { third: optional(ref('又一', 'third-x' as 'menu')) })
    const full = entities.filter(({ name }) => name !== 'menu')
    const wide = sheet({ title: text('名称'), note: optional(text('说明')), kept: optional(text('备注')) })
    const before = tablesOf([...entities, wide, Other, Second, Third])
    await migrate(pool, before)
    await pool.query(`INSERT INTO sheet_x (title, kept) VALUES ('a', 'b')`)
    const less = sheet({ title: text('名称') }, { retired: ['kept'] })
    const after = tablesOf([...entities, less])
    await expect(dropUnused(pool, after)).rejects.toThrow('Run `npm run schema -- apply` first')
    await migrate(pool, after)
    const later = (await planSchema(pool, after)).differences.filter(one => one.class === 'later')
    expect(later.map(({ table, name }) => [table, name])).toEqual([
      ['sheet_x', 'note'],
      ['other_x', null],
      ['second_x', null],
      ['third_x', null],
    ])
    // Menus stand in a table that has rows, so that it stays although this program would not know it.
    expect((await planSchema(pool, tablesOf([...full, less]))).differences.map(({ table }) => table)).not.toContain(
      'menu',
    )
    expect(await migrate(pool, before)).toBe('newer')
    expect(await dropUnused(pool, after)).toEqual(later)
    expect(await columns()).not.toHaveProperty('note')
    expect(await rows(`SELECT to_regclass('other_x')::text AS name`)).toEqual([{ name: null }])
    expect(await rows('SELECT title, kept FROM sheet_x')).toEqual([{ title: 'a', kept: 'b' }])
    expect(await dropUnused(pool, after)).toEqual([])
    expect((await planSchema(pool, after)).differences).toEqual([])
    await expect(migrate(pool, before)).rejects.toThrow('ways that this one cannot work with')
  })

  test('a shorter text is refused while rows hold longer ones', async () => {
    await bring(sheet({ title: text('名称', { maxLength: 20 }) }))
    await pool.query(`INSERT INTO sheet_x (title) VALUES ('abcdef'), ('abc')`)
    const [long] = await ids()
    const shorter = sheet({ title: text('名称', { maxLength: 5 }) })
    await refused(shorter, 'title', /1 row/, long)
    await pool.query(`UPDATE sheet_x SET title = 'abcde' WHERE id = ${long}`)
    await bring(shorter)
    expect((await columns()).title).toBe('character varying(5)')
  })

  test('of many rows in the way ten are named', async () => {
    await bring(sheet({ title: text('名称', { maxLength: 20 }) }))
    await pool.query(`INSERT INTO sheet_x (title) SELECT 'abcdef' FROM generate_series(1, 12)`)
    const all = await ids()
    const shorter = sheet({ title: text('名称', { maxLength: 5 }) })
    await refused(shorter, 'title', `12 rows (id ${all.slice(0, 10).join(', ')}, …)`)
    const { differences: found } = await planAround([shorter])
    expect(found).toMatchObject([{ rows: 12, ids: all.slice(0, 10) }])
  })

  test('another kind is refused while rows hold values', async () => {
    await bring(sheet({ size: optional(text('大小')) }))
    await pool.query(`INSERT INTO sheet_x (size) VALUES ('3'), (NULL)`)
    await refused(sheet({ size: optional(integer('大小')) }), 'size', /1 row/, /becomes integer/)
    await pool.query('UPDATE sheet_x SET size = NULL')
    await bring(sheet({ size: optional(integer('大小')) }))
    expect((await columns()).size).toBe('integer')
  })

  test('a text that becomes a reference keeps the ids it held, and is refused while it holds anything else', async () => {
    await bring(sheet({ title: text('名称'), owner: optional(text('归属', { maxLength: 64 })) }))
    const users = await rows('SELECT id FROM menu LIMIT 1')
    await pool.query(`INSERT INTO sheet_x (title, owner) VALUES ('a', $1), ('b', '张三'), ('c', '')`, [users[0].id])
    const reference = sheet({ title: text('名称'), owner: optional(ref('归属', 'menu')) })
    await refused(reference, 'owner', /1 row/, /becomes bigint/)
    await pool.query(`UPDATE sheet_x SET owner = NULL WHERE owner = '张三'`)
    await bring(reference)
    expect((await rows('SELECT owner FROM sheet_x ORDER BY id')).map(row => row.owner)).toEqual([
      users[0].id,
      null,
      null,
    ])
  })

  test('fewer choices, narrower limits and missing rows are refused with the rows that stand in the way', async () => {
    const more = dictionary('phase', '阶段', { draft: [0, '草稿'], live: [1, '生效'], void: [2, '作废'] })
    const wide = { phase: state('阶段', more), size: optional(integer('大小')), owner: optional(integer('归属')) }
    await bring(sheet(wide))
    await pool.query('INSERT INTO sheet_x (phase, size) VALUES (2, 1), (1, 90)')
    const [first, second] = await ids()
    await refused(sheet({ ...wide, phase: state('阶段', phase) }), 'phase', /none of the choices/, first)
    await refused(sheet({ ...wide, size: optional(integer('大小', { maximum: 80 })) }), 'size', /80/, second)
    await pool.query('UPDATE sheet_x SET phase = 1, size = 80')
    await bring(sheet({ ...wide, phase: state('阶段', phase), size: optional(integer('大小', { maximum: 80 })) }))
    await expect(pool.query('UPDATE sheet_x SET phase = 2')).rejects.toMatchObject({ code: '23514' })
    await expect(pool.query('UPDATE sheet_x SET size = 81')).rejects.toMatchObject({ code: '23514' })
    await bring(sheet(wide, { version: true }))
    await pool.query('UPDATE sheet_x SET phase = 2, size = 81')
  })

  test('a unique rule is refused while rows share values', async () => {
    await bring(sheet({ title: text('名称') }))
    await pool.query(`INSERT INTO sheet_x (title, "isDeleted") VALUES ('a', 0), ('a', 0), ('b', 0), ('b', 1)`)
    const [one, other] = await ids()
    const unique = sheet({ title: text('名称', { unique: true }) })
    await refused(unique, 'u_sheet_x_tenantId_title', /2 rows/, `${one}=${other}`)
    await pool.query(`UPDATE sheet_x SET title = 'c' WHERE id = ${one}`)
    await bring(unique)
  })

  test('a required field is refused while rows lack it, and a default gives it', async () => {
    await bring(sheet({ title: text('名称'), size: optional(integer('大小')) }))
    await pool.query(`INSERT INTO sheet_x (title, size) VALUES ('a', NULL), ('b', 1)`)
    const [lacking] = await ids()
    await refused(sheet({ title: text('名称'), size: integer('大小') }), 'size', /1 row/, lacking, /optional/)
    await refused(
      sheet({ title: text('名称'), size: optional(integer('大小')), colour: text('颜色') }),
      'colour',
      /2 rows/,
    )
    const preset = sheet({
      title: text('名称'),
      size: optional(integer('大小')),
      colour: text('颜色', { default: '红' }),
    })
    await bring(preset)
    await pool.query('UPDATE sheet_x SET size = 2 WHERE size IS NULL')
    await bring(sheet({ title: text('名称'), size: integer('大小'), colour: text('颜色', { default: '蓝' }) }))
    await pool.query(`INSERT INTO sheet_x (title, size) VALUES ('c', 3)`)
    expect((await rows('SELECT colour FROM sheet_x ORDER BY id')).map(row => row.colour)).toEqual(['红', '红', '蓝'])
    await expect(pool.query(`INSERT INTO sheet_x (title) VALUES ('d')`)).rejects.toMatchObject({ code: '23502' })
    await bring(
      sheet({ title: text('名称'), size: optional(integer('大小')), colour: text('颜色', { default: '绿' }) }),
    )
    await pool.query(`INSERT INTO sheet_x (title) VALUES ('d')`)
  })

  test('rows from before the rules keep their installation going; what they break is enforced when they are mended', async () => {
    const before = sheet({
      title: optional(text('名称')),
      phase: optional(integer('阶段')),
      owner: optional(text('归属')),
    })
    await bring(before)
    await pool.query(`INSERT INTO sheet_x (title, phase) VALUES (NULL, 0), ('b', 7), ('c', 1)`)
    // As a program of before the rules has left it.
    await pool.query(`ALTER TABLE sheet_x ALTER owner TYPE bigint USING 4711; DROP TABLE schema_open, schema_past;
      DELETE FROM migration WHERE name IN ('definitions', '400-schema.before', '690-older-programs.before',
        '698-program.before')`)
    const told: string[] = []
    const now = sheet({ title: text('名称'), phase: state('阶段', phase), owner: optional(ref('归属', 'user')) })
    const tell = ({ table, name, rows: count }: Difference) =>
      told.push(`${table}.${name?.replace(/_[0-9a-f]{6}$/, '')} ${count}`)
    expect(await brought(now, { tell })).toBe('changed')
    expect(told).toEqual(['sheet_x.title 1', 'sheet_x.c_sheet_x_phase 1', 'sheet_x.f_sheet_x_owner 3'])
    await pool.query('UPDATE sheet_x SET phase = 1 WHERE title IS NULL')
    await expect(pool.query(`INSERT INTO sheet_x (title, owner) VALUES ('d', 4712)`)).rejects.toMatchObject({
      code: '23503',
    })
    expect((await differences(now)).map(one => one[0])).toEqual(['open', 'open', 'open'])
    await pool.query(`UPDATE sheet_x SET title = 'a' WHERE title IS NULL; UPDATE sheet_x SET owner = NULL`)
    expect(await brought(now)).toBe('changed')
    await pool.query('UPDATE sheet_x SET phase = 1')
    expect(await brought(now)).toBe('changed')
    expect([await brought(now), await differences(now)]).toEqual(['same', []])
    await expect(pool.query('INSERT INTO sheet_x (phase) VALUES (0)')).rejects.toMatchObject({ code: '23502' })
    await expect(pool.query('UPDATE sheet_x SET phase = 7')).rejects.toMatchObject({ code: '23514' })
  })

  test('a value that is required because of others is held; rows of before keep their installation going', async () => {
    const phased = { title: optional(text('名称')), phase: optional(integer('阶段')) }
    await bring(sheet(phased))
    await pool.query(`INSERT INTO sheet_x (title, phase) VALUES (NULL, 1), ('b', 1), (NULL, 0), (NULL, NULL), ('e', 0)`)
    const [lacking, , draft, blank] = await ids()
    const broken = async (one: Entity) =>
      (await planAround([one])).differences.map(({ class: kind, says }) => [kind, says])
    const when = (condition: Condition) => sheet(phased, { requiredWhen: { title: condition } as never })
    const now = when({ phase: 1 })
    await refused(now, 'title', '1 row', `id ${lacking}`, 'required: phase IN (1)', /numbered migration/)
    // As a program of before these rules has left it.
    await pool.query(`DELETE FROM migration WHERE name = '416-asked-values'`)
    expect(await brought(now)).toBe('changed')
    await pool.query(`UPDATE sheet_x SET phase = 1 WHERE id = ${lacking}`)
    expect(await brought(now)).toBe('same')
    expect(await broken(now)).toEqual([['open', expect.stringMatching(`^title: 1 row .id ${lacking}. have no value`)]])
    await pool.query(`UPDATE sheet_x SET title = 'a' WHERE id = ${lacking}`)
    expect([await brought(now), await broken(now)]).toEqual(['changed', []])
    await expect(pool.query(`UPDATE sheet_x SET phase = 1 WHERE id = ${draft}`)).rejects.toMatchObject({
      code: '23514',
    })
    await expect(pool.query(`UPDATE sheet_x SET title = NULL WHERE id = ${lacking}`)).rejects.toThrow('c_sheet_x_title')
    await pool.query(`INSERT INTO sheet_x (title, phase) VALUES (NULL, 0), ('more than is asked for', 0)`)
    // A row without a phase is in any phase but 1; it meets no condition that names one.
    await refused(when({ phase: { not: [0, 1] } }), 'title', '1 row', `id ${blank}`)
    await refused(when({ phase: null }), 'title', '1 row', `id ${blank}`)
    expect(await broken(when({ phase: [1, 2] }))).toEqual([
      ['safe', 'rule of before'],
      ['safe', 'new rules'],
    ])
    // A column that the condition looks at is called otherwise by then.
    const renamed = { title: optional(text('名称')), stage: optional(integer('阶段', { renamed: 'phase' })) }
    await refused(sheet(renamed, { requiredWhen: { title: { stage: [0, 1] } } as never }), 'title', '2 rows')
  })

  test('ids in a text that lead to no row are told, and stop nothing', async () => {
    const owned = sheet({ title: text('名称'), menus: optional(refs('菜单', 'menu')) })
    await bring(owned)
    const [first, second] = (
      await rows(`INSERT INTO menu (name, code, category, sort, alias) SELECT 'm' || i, 'm' || i, 1, i, 'm'
      FROM generate_series(1, 2) i RETURNING id`)
    ).map(row => row.id)
    await pool.query(`INSERT INTO sheet_x (title, menus, "isDeleted") VALUES
      ('a', '${first},${second}', 0), ('b', '${first},4711', 0), ('c', '', 0), ('d', NULL, 0), ('e', 'x', 0), ('f', '4711', 1)`)
    expect(await differences(owned)).toEqual([['left', 'sheet_x', 'menus', 3]])
    await pool.query(`DELETE FROM menu WHERE id = ${second}`)
    expect(await differences(owned)).toEqual([['left', 'sheet_x', 'menus', 4]])
    expect(await brought(owned)).toBe('same')
  })

  describe('is removed by statements', () => {
    const bounds = { minimum: 0, maximum: 9 }
    const before = sheet(
      {
        title: text('名称', { maxLength: 20 }),
        code: text('代码', { maxLength: 20 }),
        note: optional(text('说明', { maxLength: 20 })),
        size: optional(integer('大小', bounds)),
        weight: integer('重量', { default: 1 }),
        height: integer('高度', { default: 1 }),
        owner: optional(text('归属', { maxLength: 64 })),
        chief: optional(ref('主管', 'user')),
        grade: integer('等级'),
        width: optional(integer('宽度')),
      },
      { indexes: [['title']] },
    )
    const after = sheet(
      {
        heading: text('名称', { maxLength: 20, renamed: 'title' }),
        code: text('代码', { maxLength: 40 }),
        note: optional(text('说明', { maxLength: 10 })),
        size: optional(integer('大小')),
        weight: integer('重量', { default: 2 }),
        height: integer('高度'),
        owner: optional(ref('归属', 'menu')),
        chief: optional(integer('主管')),
        grade: optional(integer('等级')),
        width: integer('宽度', { minimum: 1 }),
        colour: text('颜色', { maxLength: 8, default: '红' }),
        mark: optional(text('标记', { maxLength: 8 })),
      },
      { indexes: [['size']], uniques: [{ fields: ['code'] }] },
    )
    const Other = entity('sheet-y', '另表', { sheet: ref('样表', 'menu') }, {})
    const plan = async (options: Pick<MigrateOptions, 'big'> = {}) => {
      await bring(before)
      return (await planAround([after, Other], options)).differences
    }

    test('in one transaction', async () => {
      expect((await plan()).map(({ says, sql }) => [says, ...sql])).toEqual([
        ['rule of before', 'ALTER TABLE "sheet_x" DROP CONSTRAINT "c_sheet_x_size_4a5772"'],
        ['rule of before', 'ALTER TABLE "sheet_x" DROP CONSTRAINT "f_sheet_x_chief_b50045"'],
        ['no longer required', 'ALTER TABLE "sheet_x" ALTER COLUMN "grade" DROP NOT NULL'],
        ['renamed from title', 'ALTER TABLE "sheet_x" RENAME COLUMN "title" TO "heading"'],
        [
          'wider: character varying(20) becomes character varying(40)',
          'ALTER TABLE "sheet_x" ALTER COLUMN "code" DROP DEFAULT, ALTER COLUMN "code" TYPE character varying(40)',
        ],
        [
          'shorter: character varying(20) becomes character varying(10)',
          'ALTER TABLE "sheet_x" ALTER COLUMN "note" DROP DEFAULT, ALTER COLUMN "note" TYPE character varying(10)',
        ],
        ['has the default 2', 'ALTER TABLE "sheet_x" ALTER COLUMN "weight" SET DEFAULT 2'],
        ['no longer has a default', 'ALTER TABLE "sheet_x" ALTER COLUMN "height" DROP DEFAULT'],
        [
          'character varying(64) becomes bigint',
          `ALTER TABLE "sheet_x" ALTER COLUMN "owner" DROP DEFAULT, ALTER COLUMN "owner" TYPE bigint USING nullif("owner", '')::bigint`,
        ],
        [
          'bigint becomes integer',
          'ALTER TABLE "sheet_x" ALTER COLUMN "chief" DROP DEFAULT, ALTER COLUMN "chief" TYPE integer USING NULL::integer',
        ],
        ['new column', `ALTER TABLE "sheet_x" ADD COLUMN "colour" character varying(8) DEFAULT '红'`],
        ['new column', 'ALTER TABLE "sheet_x" ADD COLUMN "mark" character varying(8)'],
        ['index of before', 'DROP INDEX "i_sheet_x_title"'],
        ['index of before', 'DROP INDEX "i_sheet_x_chief"'],
        [
          'new index',
          'CREATE UNIQUE INDEX "u_sheet_x_tenantId_code" ON "sheet_x" ("tenantId", "code") WHERE "isDeleted" = 0',
        ],
        ['new index', 'CREATE INDEX "i_sheet_x_size" ON "sheet_x" ("size")'],
        ['new index', 'CREATE INDEX "i_sheet_x_owner" ON "sheet_x" ("owner")'],
        [
          'new table',
          expect.stringMatching(
            /^CREATE TABLE "sheet_y" \(\n {2}"id" bigint DEFAULT next_id\(\),[\s\S]*"sheet" bigint,\n {2}PRIMARY KEY \(id\)\n\)$/,
          ),
          'CREATE INDEX "i_sheet_y_sheet" ON "sheet_y" ("sheet")',
          'CREATE INDEX "i_sheet_y_tenantId_createTime_id" ON "sheet_y" ("tenantId", "createTime", "id") WHERE "isDeleted" = 0',
        ],
        ['required', 'ALTER TABLE "sheet_x" ALTER COLUMN "width" SET NOT NULL'],
        [
          'new rules',
          'ALTER TABLE "sheet_x" ADD CONSTRAINT "f_sheet_x_owner_8dbce3" FOREIGN KEY ("owner") REFERENCES "menu" (id),\n  ADD CONSTRAINT "c_sheet_x_width_375576" CHECK ("width" >= 1)',
        ],
        [
          '1 rules',
          'ALTER TABLE "sheet_y" ADD CONSTRAINT "f_sheet_y_sheet_0dd2b1" FOREIGN KEY ("sheet") REFERENCES "menu" (id)',
        ],
      ])
    })

    test('one by one where the table is big', async () => {
      const slow = (await plan({ big: -1 })).filter(one => one.class === 'slow')
      expect(slow.map(({ says, sql }) => [says, ...sql])).toEqual([
        [
          'new index',
          'CREATE UNIQUE INDEX CONCURRENTLY "u_sheet_x_tenantId_code" ON "sheet_x" ("tenantId", "code") WHERE "isDeleted" = 0',
        ],
        ['new index', 'CREATE INDEX CONCURRENTLY "i_sheet_x_size" ON "sheet_x" ("size")'],
        ['new index', 'CREATE INDEX CONCURRENTLY "i_sheet_x_owner" ON "sheet_x" ("owner")'],
        ['index of before', 'DROP INDEX CONCURRENTLY "i_sheet_x_title"'],
        ['index of before', 'DROP INDEX CONCURRENTLY "i_sheet_x_chief"'],
        [
          'required',
          'ALTER TABLE "sheet_x" DROP CONSTRAINT IF EXISTS "n_width"',
          'ALTER TABLE "sheet_x" ADD CONSTRAINT "n_width" CHECK ("width" IS NOT NULL) NOT VALID',
          'ALTER TABLE "sheet_x" VALIDATE CONSTRAINT "n_width"',
          'ALTER TABLE "sheet_x" ALTER COLUMN "width" SET NOT NULL',
          'ALTER TABLE "sheet_x" DROP CONSTRAINT "n_width"',
        ],
        [
          'new rule',
          'ALTER TABLE "sheet_x" ADD CONSTRAINT "f_sheet_x_owner_8dbce3" FOREIGN KEY ("owner") REFERENCES "menu" (id) NOT VALID',
          'ALTER TABLE "sheet_x" VALIDATE CONSTRAINT "f_sheet_x_owner_8dbce3"',
        ],
        [
          'new rule',
          'ALTER TABLE "sheet_x" ADD CONSTRAINT "c_sheet_x_width_375576" CHECK ("width" >= 1) NOT VALID',
          'ALTER TABLE "sheet_x" VALIDATE CONSTRAINT "c_sheet_x_width_375576"',
        ],
      ])
    })
  })

  test('indexes and rules of big tables are made beside the work of others, also when two servers start', async () => {
    await bring(sheet({ title: text('名称'), size: optional(integer('大小')) }))
    await bulk(pool, `INSERT INTO sheet_x (title, size) SELECT 'n' || i, i FROM generate_series(1, 200000) i`)
    const bigger = sheet(
      { title: text('名称', { unique: true }), size: integer('大小', { minimum: 0 }) },
      { indexes: [['size', 'title']] },
    )
    expect(await planAround([bigger], { big: 0 })).toMatchObject({
      differences: [{ class: 'slow' }, { class: 'slow' }, { class: 'slow' }, { class: 'slow' }],
    })
    const writer = write(n => `INSERT INTO sheet_x (title, size) VALUES ('w${n}', ${n})`)
    const second = openPool({ connectionString: database.url })
    const both = [pool, second].map(on => migrate(on, tablesOf([...around, bigger]), { big: 0 }))
    expect((await Promise.all(both)).toSorted()).toEqual(['changed', 'same'])
    expect(await writer.end()).toEqual([])
    await second.end()
    // An index that cannot be used, or a rule that is not known to hold, would be a difference.
    expect(await differences(bigger)).toEqual([])
    await expect(add({ title: 'n1', size: 1 })).rejects.toThrow()
  })

  test('a table that somebody reads for long is changed when that has ended; nobody is refused meanwhile', async () => {
    await bring(sheet({ title: text('名称') }))
    const reader = await pool.connect()
    await reader.query('BEGIN; SELECT count(*) FROM sheet_x')
    const writer = write(n => `INSERT INTO sheet_x (title) VALUES ('w${n}')`)
    let isDone = false
    const changing = bring(sheet({ title: text('名称'), size: optional(integer('大小')) })).then(done => {
      isDone = true
      return done
    })
    await sleep(3000)
    expect(isDone).toBe(false)
    await reader.query('COMMIT')
    reader.release()
    const ended = performance.now()
    expect(await changing).toBe('changed')
    // A moment on an idle machine: it tries twice a second.
    expect(performance.now() - ended).toBeLessThan(30_000)
    expect(await writer.end()).toEqual([])
    expect((await columns()).size).toBe('integer')
  })

  test('an index whose building was interrupted is built anew', async () => {
    await bring(Sheet)
    await pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i_sheet_x_owner'::regclass`)
    expect(await differences(Sheet)).toEqual([['safe', 'sheet_x', 'i_sheet_x_owner', 0]])
    await pool.query(`DELETE FROM migration WHERE name = 'definitions'; DELETE FROM schema_past`)
    await bring(Sheet)
    expect(await differences(Sheet)).toEqual([])
  })

  test('a start that changes nothing is refused until somebody has applied what differs', async () => {
    const check = (one: Entity) =>
      requireSchema(pool, tablesOf([...around, one])).then(
        () => 'as it should be',
        (error: Error) => error.message,
      )
    await bring(sheet({ title: text('名称') }))
    const wider = sheet({ title: text('名称'), size: optional(integer('大小')) }, { indexes: [['size']] })
    const before = [await picture(), await structureOf(database.url)]
    expect(await check(wider)).toMatch(/SCHEMA=check.*`npm run schema -- apply`\.\n(.*\n)*sheet_x\.size: new column/)
    expect([await picture(), await structureOf(database.url)]).toEqual(before)
    await pool.query(`INSERT INTO sheet_x (title, "isDeleted") VALUES ('a', 0), ('a', 0)`)
    const unique = sheet({ title: text('名称', { unique: true }) })
    expect(await check(unique)).toMatch(/u_sheet_x_tenantId_title: must be unique .* 2 rows/)
    await bring(wider)
    expect(await check(wider)).toBe('as it should be')
    await pool.query(`DELETE FROM migration WHERE name = '501-backup-by'`)
    const widest = sheet({ title: text('名称'), size: optional(integer('大小')), more: optional(text('更多')) })
    expect(await check(widest)).toMatch(/501-backup-by\.sql has not run\n(.*\n)*sheet_x\.more: new column/)
    await pool.query(`INSERT INTO migration (name, hash) VALUES ('501-backup-by', '')`)
  })

  describe('when a newer program has been there', () => {
    const own = sheet({ title: text('名称', { maxLength: 20 }), owner: optional(ref('归属', 'user')) })
    const fieldsOf = { title: text('名称', { maxLength: 20 }), owner: optional(ref('归属', 'user')) }
    const check = (one: Entity) =>
      requireSchema(pool, tablesOf([...around, one])).catch((error: Error) => error.message)

    test.for<[string, Fields, EntityOptions<string>]>([
      ['a field that may be left out', { ...fieldsOf, size: optional(integer('大小')) }, {}],
      ['a field with a default', { ...fieldsOf, size: integer('大小', { default: 1 }) }, {}],
      ['a reference', { ...fieldsOf, chief: optional(ref('主管', 'user')) }, {}],
      ['a longer text', { ...fieldsOf, title: text('名称', { maxLength: 40 }) }, {}],
      ['an index', fieldsOf, { indexes: [['title']] }],
    ])('an older one starts and changes nothing after %s', async ([, more, options]) => {
      await bring(own)
      expect(await brought(sheet(more, options))).toBe('changed')
      const before = [await picture(), await structureOf(database.url)]
      expect([await brought(own), await check(own), await differences(own)]).toEqual(['newer', 'newer', []])
      expect([await picture(), await structureOf(database.url)]).toEqual(before)
      expect(await brought(sheet(more, options))).toBe('same')
      // What an older one can work with says nothing of what comes after it.
      const later = sheet({ ...more, last: optional(text('最后')) }, options)
      expect([await brought(later), await brought(own), await brought(sheet(more, options))]).toEqual([
        'changed',
        'newer',
        'newer',
      ])
    })

    test.for<[string, Fields, EntityOptions<string>]>([
      ['a field that must be given', { ...fieldsOf, size: integer('大小') }, {}],
      ['a field that must be given now', { ...fieldsOf, owner: ref('归属', 'user') }, {}],
      ['a new name', { heading: text('名称', { maxLength: 20, renamed: 'title' }), owner: fieldsOf.owner }, {}],
      ['a shorter text', { ...fieldsOf, title: text('名称', { maxLength: 10 }) }, {}],
      ['another kind', { ...fieldsOf, owner: optional(text('归属')) }, {}],
      ['a rule of uniqueness', fieldsOf, { uniques: [{ fields: ['title'] }] }],
      ['a value that others ask for', fieldsOf, { requiredWhen: { owner: { title: 'a' } } as never }],
    ])('an older one does not start after %s', async ([, more, options]) => {
      await bring(own)
      expect(await brought(sheet(more, options))).toBe('changed')
      const before = [await picture(), await structureOf(database.url)]
      for (const one of [await brought(own), await check(own)]) expect(one).toMatch(/older than the database/)
      expect([await picture(), await structureOf(database.url)]).toEqual(before)
    })

    test('one that was brought back by an order leaves the newer one to be asked for, too', async () => {
      const newer = sheet({ ...fieldsOf, size: optional(integer('大小')) }, { indexes: [['size']] })
      await bring(own)
      await bring(newer)
      expect(await brought(own)).toBe('newer')
      expect(await brought(own, { evenOlder: true })).toBe('changed')
      await pool.query(
        `UPDATE schema_past SET program = '9.9.9' WHERE hash = (SELECT hash FROM migration WHERE name = 'definitions')`,
      )
      const versions =
        /^This program, version \d+\.\d+\.\d+, is older than the database, which version 9\.9\.9 has changed last: /
      expect(await brought(newer)).toMatch(versions)
      expect(await brought(newer)).toMatch('--older')
      expect(await brought(newer, { evenOlder: true })).toBe('changed')
      expect(await differences(newer)).toEqual([])
    })

    test('with a numbered file that is not known here, nothing is begun', async () => {
      await bring(own)
      await pool.query(`INSERT INTO migration (name, hash) VALUES ('999-later', '')`)
      const other = sheet({ ...fieldsOf, size: optional(integer('大小')) })
      for (const options of [{}, { evenOlder: true }])
        expect(await brought(other, options)).toMatch(
          /older than the database, which version [0-9.]+ has changed last: a newer one has run 999-later/,
        )
      await expect(differences(other)).rejects.toThrow('999-later')
    })
  })
})

test('a migration that fails leaves everything as it was', async () => {
  const broken = entity('sheet-x', '样表', fields, { indexes: [['nothing' as 'title']] })
  await expect(bring(broken)).rejects.toThrow('nothing')
  expect((await pool.query(`SELECT to_regclass('sheet_x') AS found`)).rows).toEqual([{ found: null }])
})

test('ids ascend and never repeat, whoever makes them', async () => {
  const sql = 'SELECT next_id() AS id FROM generate_series(1, 2000)'
  const answers = await Promise.all([1, 2, 3, 4].map(() => pool.query<{ id: string }>(sql)))
  const lists = answers.map(({ rows }) => rows.map(({ id }) => id))
  expect(new Set(lists.flat()).size).toBe(8000)
  for (const list of lists) expect(list).toEqual(list.toSorted())
})

test('what is counted over thousands of rows has an index that holds it, of rows that are there', () => {
  const sheet = entity('sheet-x', '样表', fields, { covered: [['owner', 'phase', 'phone']] })
  const statement = 'CREATE INDEX "i_sheet_x_tenantId_owner_phase_phoneHash_id"'
  const found = Object.values(indexesOf(sheet)).filter(sql => sql.includes('"owner", "phase"'))
  expect(found).toEqual([
    expect.stringMatching(/ON "sheet_x" \("tenantId", "owner", "phase", "phoneHash", "id"\) WHERE "isDeleted" = 0$/),
  ])
  expect(found[0]).toContain(statement)
})

test('texts that a list is searched by have an index that finds parts of them', async () => {
  // Rows of nobody and of no exam: it is the texts that count.
  await pool.query(`SET session_replication_role = replica; INSERT INTO signup ("examId", "userId", name, "signNo", "idCard",
      phone, unit, code, type, sex, birthday, province, city, content, files)
    SELECT 1, i, '考生' || left(md5(i::text), 10), 'N' || i, 'x', 'x', '01', '01', '01', 1, '2000-01-01', '35', '3501', '{}', '[]'
    FROM generate_series(1, 10000) i; RESET session_replication_role`)
  await pool.query('VACUUM ANALYZE signup')
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT 1 FROM signup t WHERE t."name"::text ILIKE '%c4ca4238a0%' AND "isDeleted" = 0`,
  )
  expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain('i_signup_name_part')
})

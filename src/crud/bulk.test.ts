import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { examitems } from '#resources/exams/examitems'
import { examroom } from '#resources/exams/examroom'
import { examuser } from '#resources/exams/examuser'
import { user } from '#resources/system/user'
import { ExamStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { Dept } from '#schemas/system/dept'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'

/** As many as one call takes. */
const MOST = 500

let t: TestApp
let admin: Caller
let ids: string[]
let examId: string

const send = async (path: string, caller: Caller, payload: object) => {
  const reply = await t.app.inject({ method: 'POST', url: `/api${path}`, headers: caller.headers, payload })
  return reply.json() as { code: number; msg: string; data: unknown }
}
const change = (body: object, caller = admin) => send(`${examitems.path}/change`, caller, body)
const chosen = (rows = ids) => ({ ids: rows.join(','), versions: rows.map(() => 0).join(',') })

/** How many positions have which ratio in which version. */
async function stored(): Promise<Record<string, number>> {
  const { rows } = await t.pool.query<{ as: string; n: number }>(
    `SELECT trim_scale("openRatio") || ' v' || version AS as, count(*)::int AS n FROM examitems WHERE "examId" = $1 GROUP BY 1`,
    [examId],
  )
  return Object.fromEntries(rows.map(({ as, n }) => [as, n]))
}
beforeAll(async () => {
  t = await testApp({ now: '2026-06-15 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

beforeEach(async () => {
  examId = (await insert(t.app, Examination, { examStatus: ExamStatus.draft })).id
  const [first, second] = [0, 1].map(n => ({ postName: `医师${n}`, code: `C${n}` }))
  ids = [(await insert(t.app, Examitems, { ...first, examId, openRatio: '2' })).id]
  ids.push((await insert(t.app, Examitems, { ...second, examId, openRatio: '2' })).id)
})

/** Further positions like the first, so that there are as many as one call takes, or fewer. */
async function fill(most = MOST): Promise<void> {
  const { rows } = await t.pool.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
      WHERE table_name = 'examitems' AND column_name NOT IN ('id', 'code', 'postName') AND is_generated = 'NEVER'`,
  )
  const names = rows.map(({ column }) => `"${column}"`).join(', ')
  const more = await t.pool.query<{ id: string }>(
    `INSERT INTO examitems (code, "postName", ${names}) SELECT 'M' || n, '岗位' || n, ${names}
      FROM examitems, generate_series(1, $2::int) n WHERE id = $1 RETURNING id`,
    [ids[0], most - 2],
  )
  ids.push(...more.rows.map(({ id }) => id))
}

test('500 rows take a value at once, each with a line of its history', async () => {
  await fill()
  expect(await change({ ...chosen(), openRatio: '3' })).toMatchObject({ code: 200, data: { num: MOST } })
  expect(await stored()).toEqual({ '3 v1': MOST })
  const { rows } = await t.pool.query<{ n: number }>(
    `SELECT count(DISTINCT "rowId")::int AS n FROM history
      WHERE entity = 'examitems' AND act = 'edit' AND "rowId" = ANY($1) AND changes ? 'openRatio'`,
    [ids],
  )
  expect(rows).toEqual([{ n: MOST }])
})

test('of many rows none is changed when one has been changed since, and it is named', async () => {
  const many = MOST
  await fill(many)
  const stale = 30
  const edit = { id: ids[stale], version: 0, openRatio: '5' }
  const [whole, single] = await Promise.all([
    change({ ...chosen(), openRatio: '3' }),
    send(`${examitems.path}/submit`, admin, edit),
  ])
  // Whoever comes second is refused, whichever that is: as late, or because the first held the rows for too long.
  const refusals = [29002, 29007]
  expect([whole.code, single.code].toSorted()).toEqual([200, expect.toSatisfy(code => refusals.includes(code))])
  const won = whole.code === 200
  expect(await stored()).toEqual(won ? { '3 v1': many } : { '2 v0': many - 1, '5 v1': 1 })

  const versions = ids.map((_, at) => (won || at === stale ? 1 : 0))
  await t.pool.query('UPDATE examitems SET version = version + 1 WHERE id = $1', [ids[stale]])
  const before = await stored()
  const refused = await change({ ids: ids.join(','), versions: versions.join(','), openRatio: '4' })
  expect(refused).toMatchObject({ code: 29002, msg: `「岗位${stale - 1}」：数据已被他人修改，请刷新` })
  expect(await stored()).toEqual(before)
})

test('what the form refuses is refused, naming the row, and nothing is changed', async () => {
  const wrong = await change({ ...chosen(), openRatio: '3', maxSignup: -1 })
  expect(wrong).toMatchObject({ code: 29005, data: [{ field: 'ids.0.maxSignup' }] })
  expect(wrong.msg).toMatch(/^「医师0」：/)
  expect((await change({ ...chosen(), openRatio: '' })).code).toBe(29005)
  expect((await change({ ...chosen(), planNum: 9 })).data).toEqual([{ field: 'planNum', msg: '不支持批量修改planNum' }])
  expect((await change(chosen())).code).toBe(29005)
  expect((await change({ ids: ids.join(','), openRatio: '3' })).data).toMatchObject([{ field: 'versions' }])
  expect((await change({ ...chosen([...ids, '999999']), openRatio: '3' })).code).toBe(29001)
  expect(
    (await change({ ids: Array.from({ length: MOST + 1 }, (_, n) => n + 1).join(','), openRatio: '3' })).msg,
  ).toContain('500')
  expect(await stored()).toEqual({ '2 v0': 2 })
})

test('whoever may not edit changes nothing; rows of another tenant are not there', async () => {
  const reader = await signIn(t, { permissions: ['examitems', 'examitems_view'] })
  const stranger = await signIn(t, {
    role: 'tenant_admin',
    permissions: ['examitems', 'examitems_edit'],
    tenantId: '000007',
  })
  expect((await change({ ...chosen(), openRatio: '3' }, reader)).code).toBe(403)
  expect((await change({ ...chosen(), openRatio: '3' }, stranger)).code).toBe(29001)
  expect(await stored()).toEqual({ '2 v0': 2 })
})

test('an optional field of appointments is emptied', async () => {
  const endTime = new Date('2026-06-20T00:00:00+08:00')
  const { id } = await insert(t.app, Examuser, { examId, userId: admin.userId, endTime })
  const emptied = { ids: id, versions: '0', enable: 0, endTime: '' }
  expect((await send(`${examuser.path}/change`, admin, emptied)).code).toBe(200)
  const { rows } = await t.pool.query('SELECT enable, "endTime", version FROM examuser WHERE id = $1', [id])
  expect(rows).toEqual([{ enable: 0, endTime: null, version: 1 }])
})

test('appointments and rooms that have been changed since are found and named, and none is changed', async () => {
  const { id: itemId } = await insert(t.app, Examinationitem, { examId })
  const of = {
    examuser: (name: string) => insert(t.app, Examuser, { examId, userId: admin.userId, userName: name }),
    examroom: (name: string) => insert(t.app, Examroom, { examId, itemId, roomNo: name }),
  }
  for (const resource of [examuser, examroom]) {
    const { name, path } = resource
    const two = [(await of[name]('甲')).id, (await of[name]('乙')).id]
    const [, stale] = two
    expect((await send(`${path}/submit`, admin, { id: stale, version: 0, enable: 1 })).code).toBe(200)
    const refused = await send(`${path}/change`, admin, { ids: two.join(','), versions: '0,0', enable: 0 })
    expect(refused).toMatchObject({ code: 29002, msg: expect.stringMatching(/^「.+」：数据已被他人修改，请刷新$/) })
    const { rows } = await t.pool.query(`SELECT enable, version FROM ${name} WHERE id = ANY($1) ORDER BY version`, [
      two,
    ])
    expect(rows).toEqual([
      { enable: 1, version: 0 },
      { enable: 1, version: 1 },
    ])
  }
})

test('several people come to another department at once, and none does when one of them may not be managed', async () => {
  const manager = await signIn(t, { permissions: ['user', 'user_edit'] })
  const two = [(await signIn(t, { userType: 3 })).userId, (await signIn(t, { userType: 3 })).userId]
  const { rows: before } = await t.pool.query<{ deptId: string }>('SELECT "deptId" FROM "user" WHERE id = $1', [two[0]])
  const { id: deptId } = await insert(t.app, Dept, { deptName: '护理部' })
  const [path, ids] = [`${user.path}/change`, two.join(',')]
  const stored = async () =>
    (await t.pool.query<{ deptId: string }>('SELECT "deptId" FROM "user" WHERE id = ANY($1)', [two])).rows
  expect((await send(path, manager, { ids: `${ids},${admin.userId}`, deptId })).code).not.toBe(200)
  expect(await stored()).toEqual([before[0], before[0]])
  expect((await send(path, admin, { ids, deptId })).data).toEqual({ num: 2 })
  expect(await stored()).toEqual([{ deptId }, { deptId }])
})

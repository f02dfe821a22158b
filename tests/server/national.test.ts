import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../../src/demo/index.ts'
import { NotEmpty, seedNational } from '../../src/demo/national.ts'
import { nationalPerson } from '../../src/demo/national-rows.ts'
import { positions } from '../../src/demo/units.ts'
import { placeDifferences } from '../../src/modules/sign-up/server/place-check.ts'
import { openPool } from '../../src/platform/database/database.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { login } from '../helper/login.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const [first, all] = [600, 1200]
const national = (candidates: number, tell?: (line: string) => void) =>
  seedNational(t.app, { candidates, portion: 200, ...(tell && { tell }) })

test('a nation signs up; filling that was ended goes on where it was', async () => {
  const ended = national(first, line => {
    if (line.startsWith('400/')) throw new Error('ended')
  })
  await expect(ended).rejects.toThrow('ended')
  expect(await national(first)).toBe(200)
  expect(await national(all)).toBe(all - first)
  expect(await national(all)).toBe(0)
  const exam = await t.db.selectFrom('examination').selectAll().executeTakeFirstOrThrow()
  const { rows } = await t.pool.query(
    `SELECT count(*)::int AS n, count(DISTINCT "signNo")::int AS numbers, count(DISTINCT "idCardHash")::int AS people,
       count(DISTINCT code)::int AS codes, max("signNo") AS last FROM signup`,
  )
  const last = `${exam.examCode}00${all}`
  expect(rows).toEqual([{ n: all, numbers: all, people: all, codes: positions(0).length, last }])
  expect(await placeDifferences(t.db, exam.id)).toEqual([])
  const whole = await t.db.selectFrom('place_count').selectAll().where('code', '=', '').executeTakeFirstOrThrow()
  expect(whole).toMatchObject({ signed: all, passed: 0, taken: all })
})

test('filling waits for the database however long it works', async () => {
  const impatient = openPool({ connectionString: t.url, query_timeout: 300 })
  const holder = await t.pool.connect()
  await holder.query('BEGIN; LOCK TABLE signup IN SHARE UPDATE EXCLUSIVE MODE')
  const end = setTimeout(() => void holder.query('COMMIT'), 1500)
  const app = { db: t.app.db, vault: t.app.vault, secrets: t.app.secrets, now: t.app.now, direct: impatient }
  try {
    expect(await seedNational(app, { candidates: all + 100 })).toBe(100)
  } finally {
    clearTimeout(end)
    // Closed rather than given back, so that a failure leaves no lock.
    holder.release(true)
    await impatient.end()
  }
})

test('numbers are sealed with the keys of the installation, and people sign in and see their sign-up', async () => {
  const person = nationalPerson(7)
  const row = await t.db
    .selectFrom('signup')
    .select(['idCard', 'idCardHash', 'phone', 'phoneMask', 'name'])
    .where('signNo', 'like', '%000008')
    .executeTakeFirstOrThrow()
  expect(t.app.vault.open(row.idCard)).toBe(person.idCard)
  expect(t.app.vault.open(row.phone as string)).toBe(person.phone)
  expect(row.idCardHash).toBe(t.app.vault.hash('000000', person.idCard))
  expect([row.name, row.phoneMask?.slice(0, 3)]).toEqual([person.name, person.phone.slice(0, 3)])
  const { headers } = await login(t, 'gj0000007')
  const list = await t.call<{ records: { signNo: string }[] }>({
    url: '/api/blade-signup/signup/myExamList',
    headers,
  })
  expect(list.data.records.map(one => one.signNo.slice(-6))).toEqual(['000008'])
})

test('it is refused where there is something else, and nothing else is made beside it', async () => {
  expect(await seedDemo(t.app)).toBe(false)
  const other = await testApp()
  await seedDemo(other.app, { candidates: 1 })
  await expect(seedNational(other.app, { candidates: 10 })).rejects.toThrow(NotEmpty)
  await other.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../../src/demo/index.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { signIn } from '../helper/person.ts'
import { schoolForm, schoolSheet, schools } from '../helper/school-sheet.ts'
import { drawing, makeCrowd, numbersAndSeats, seatStaff } from '../helper/seat-bench.ts'

// What the suite does with few is done here with as many as a large installation has.

let t: TestApp
beforeAll(async () => {
  t = await testApp({ now: drawing })
})
afterAll(() => t?.close())

test('five thousand people are drawn and locked', async () => {
  const staff = await seatStaff(t)
  const { itemId } = await makeCrowd(t, 5000)
  const began = performance.now()
  const drawn = await staff.act('allotSeat', itemId, { strategy: 3, snake: true })
  expect(drawn.data).toMatchObject({ total: 5000, unplaced: [] })
  const between = performance.now()
  expect((await staff.act('lockAllot', itemId)).data).toEqual({ num: 5000 })
  const [draws, locks] = [between - began, performance.now() - between].map(Math.round)
  console.log(`5,000 people: drawn in ${draws} ms, locked in ${locks} ms`)
  expect(await numbersAndSeats(t, itemId)).toEqual({ numbers: 5000, seats: 5000 })
})

test('of 20,000 rows 100 bad ones are named; mode 1 takes none, mode 2 the good ones', async () => {
  const who = await signIn(t, { role: 'administrator' })
  const { fill, school } = await schoolSheet(t, who)
  const bad = (i: number) => (i % 200 === 7 ? { 类型: '没有' } : {})
  const book = await fill(Array.from({ length: 20_000 }, (_, i) => ({ ...school(`B${i}`), ...bad(i) })))
  const send = (mode: 1 | 2) =>
    t.call({
      method: 'POST',
      url: `/api${schools}/import`,
      headers: who.headers,
      payload: schoolForm(book, mode) as never,
    })
  const stored = async () =>
    (await t.pool.query(`SELECT count(*)::int AS n FROM school WHERE "schoolCode" LIKE 'B%'`)).rows[0].n
  expect(await send(1)).toMatchObject({ code: 28006, data: { total: 20_000, success: 0, failed: 100 } })
  expect(await stored()).toBe(0)
  const began = performance.now()
  expect(await send(2)).toMatchObject({ code: 200, data: { total: 20_000, success: 19_900, failed: 100 } })
  console.log(`19,900 of 20,000 rows in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  expect(await stored()).toBe(19_900)
})

test.each([1, 2, 3, 4, 5, 8, 13])('a demonstration of %i candidates is whole', async candidates => {
  const small = await testApp()
  try {
    expect(await seedDemo(small.app, { candidates })).toBe(true)
    const { rows } = await small.pool.query(`SELECT count(*)::int AS n FROM "user" WHERE "userType" = 2`)
    expect(rows[0].n).toBe(candidates)
  } finally {
    await small.close()
  }
})

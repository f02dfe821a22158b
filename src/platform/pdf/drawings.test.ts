import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { appoint } from '../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../tests/helper/login.ts'
import { pdfText } from '../../../tests/helper/pdf-text.ts'
import { type Caller, signIn } from '../../../tests/helper/person.ts'
import { candidateOf, drawing, makeStage, passed, seatStaff } from '../../../tests/helper/seat-bench.ts'

let t: TestApp
let second: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
let made: Awaited<ReturnType<typeof makeStage>>
let candidate: Awaited<ReturnType<typeof candidateOf>>
/** Counts the documents that are drawn, in whichever of the two servers: each is one message to the thread. */
const posted = vi.spyOn(Worker.prototype, 'postMessage')
const drawn = () =>
  posted.mock.calls.filter(([message]) => /Pdf$/.test((message as { name?: string } | null)?.name ?? '')).length
const rows = async () => (await t.pool.query('SELECT * FROM kept_drawing ORDER BY "madeTime"')).rows

beforeAll(async () => {
  t = await testApp({
    now: drawing,
  })
  second = await testApp({ now: drawing, url: t.url, config: { dataDir: t.app.config.dataDir } })
  staff = await seatStaff(t)
  made = await makeStage(t, 2)
  candidate = await candidateOf(t, made.examId, { files: [] as never, content: {} as never })
  for (let i = 0; i < 3; i++) await passed(t, made.examId)
  for (const name of ['allotSeat', 'lockAllot']) await staff.act(name, made.itemId)
})
beforeEach(async () => {
  for (const server of [t, second]) server.setNow(drawing)
  await t.pool.query('DELETE FROM kept_drawing')
  posted.mockClear()
})
afterAll(async () => {
  posted.mockRestore()
  await second?.close()
  await t?.close()
})

const print = async (type = 3, server = t, who: Caller = staff.who) => {
  await stayLoggedIn(server)
  return server.app.inject({
    url: `/api/blade-signup/signup/exportTicket?id=${made.itemId}&type=${type}`,
    headers: who.headers,
  })
}
const form = (server = t, who: Caller = candidate.caller) =>
  server.app.inject({
    method: 'POST',
    url: '/api/blade-signup/signup/exportPDFView',
    headers: who.headers,
    payload: { signupId: candidate.signup.id },
  })
const textOf = (pdf: Buffer) => pdfText(pdf).join('').replace(/\s/g, '')

test('what did not change is drawn once for all servers, and says when that was', async () => {
  const first = await print(4)
  t.setNow('2026-12-20 11:30:00')
  second.setNow('2026-12-20 11:30:00')
  const answers = [await print(4), await print(4, second)]
  expect(drawn()).toBe(1)
  for (const answer of answers) expect(answer.rawPayload.equals(first.rawPayload)).toBe(true)
  expect(textOf(first.rawPayload)).toContain('生成时间2026年12月20日09:00')
  expect(await rows()).toHaveLength(1)
})

test('each kind of document is another one', async () => {
  for (const type of [2, 3, 4, 5, 2, 3, 4, 5]) expect((await print(type)).statusCode).toBe(200)
  expect((await form()).statusCode).toBe(200)
  expect((await form(second)).statusCode).toBe(200)
  expect(drawn()).toBe(5)
})

test('what changed is drawn again', async () => {
  await print()
  const { rows: found } = await t.pool.query(
    `UPDATE examinationticket SET name = '改名' WHERE "itemId" = $1 AND id = (SELECT min(id) FROM examinationticket WHERE "itemId" = $1) RETURNING name`,
    [made.itemId],
  )
  expect(found).toHaveLength(1)
  const later = await print()
  expect(drawn()).toBe(2)
  expect(textOf(later.rawPayload)).toContain('改名')
})

test('two servers that are asked at the same moment both answer with the one that is kept', async () => {
  second.setNow('2026-12-20 09:01:00')
  const answers = await Promise.all([print(4), print(4, second), print(4), print(4, second)])
  // Each server draws at most once; the one that comes later may find what the other has kept.
  expect([1, 2]).toContain(drawn())
  expect(answers.map(answer => answer.statusCode)).toEqual([200, 200, 200, 200])
  expect(await rows()).toHaveLength(1)
  const [kept] = await rows()
  expect(kept.isWhole).toBe(true)
  const again = await print(4)
  const same = answers.filter(answer => answer.rawPayload.equals(again.rawPayload))
  expect(same).toHaveLength(4)
})

test('whoever may not read the content gets nothing of what is kept', async () => {
  await print(2)
  await form()
  const clerk = await signIn(t, { permissions: ['examinationticket_export'] })
  const stranger = await signIn(t, { role: 'candidate' })
  for (const answer of [await print(2, t, clerk), await print(2, t, stranger), await form(t, stranger)]) {
    expect(answer.headers['content-type']).toContain('json')
    expect(answer.json().success).toBe(false)
  }
  await appoint(t, made.examId, clerk)
  expect((await print(2, t, clerk)).headers['content-type']).toBe('application/pdf')
  expect(drawn()).toBe(2)
})

test('the bytes that are kept cannot be read without the key', async () => {
  const { rawPayload } = await form()
  const [{ key, bytes }] = await rows()
  const kept = await t.app.storage.get(key)
  expect(kept.length).toBe(Number(bytes))
  expect(kept.includes('%PDF')).toBe(false)
  expect(t.app.vault.openBytes(kept).equals(rawPayload)).toBe(true)
})

test('a file that is gone or damaged is made again', async () => {
  await print()
  const [{ key }] = await rows()
  await t.app.storage.put(key, Buffer.from('v1:damaged'))
  expect((await print()).statusCode).toBe(200)
  const [next] = await rows()
  expect(next.key).not.toBe(key)
  await t.app.storage.remove(next.key)
  expect((await print()).statusCode).toBe(200)
  expect(drawn()).toBe(3)
  expect(await rows()).toHaveLength(1)
})

test('what nobody asks for any more is removed, and what is too much, the oldest first', async () => {
  await print(3)
  t.setNow('2026-12-24 09:00:00')
  await print(5)
  await print(3)
  t.setNow('2026-12-30 09:00:00')
  await print(4)
  expect((await rows()).map(row => row.usedTime.getDate())).toEqual([24, 24, 30])
  t.setNow('2026-12-31 10:00:00')
  const gone = (await rows()).slice(0, 2).map(row => row.key)
  await t.app.jobs.run('drawings-tidy')
  expect(await rows()).toHaveLength(1)
  for (const key of gone) await expect(t.app.storage.get(key)).rejects.toMatchObject({ code: 'ENOENT' })
  await print(3)
  await t.pool.query(`UPDATE kept_drawing SET bytes = 900 * 1024 * 1024`)
  await t.app.jobs.run('drawings-tidy')
  expect((await rows()).map(row => row.usedTime.getDate())).toEqual([31])
  // One that its process did not finish, with what had come of it.
  await t.app.storage.put('aa/half.sealed', Buffer.from('half'))
  await t.pool.query(`INSERT INTO kept_drawing VALUES ('aa/half.sealed', 'x', 0, false, $1, $1)`, [
    new Date(t.app.now().getTime() - 2 * 3_600_000),
  ])
  await t.app.jobs.run('drawings-tidy')
  expect(await rows()).toHaveLength(1)
  await expect(t.app.storage.get('aa/half.sealed')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a storage that takes nothing keeps nobody from a document', async () => {
  const put = vi.spyOn(t.app.storage, 'put').mockRejectedValue(new Error('The disk is full.'))
  expect((await print()).statusCode).toBe(200)
  put.mockRestore()
  expect((await rows()).filter(row => row.isWhole)).toEqual([])
})

test('whoever asks for documents makes few at once', async () => {
  const get = (url: string) => t.app.inject({ url: `/api${url}`, headers: staff.who.headers })
  // Where places of work cannot be taken, nothing that takes one is answered.
  await t.pool.query('ALTER TABLE work_place RENAME TO work_place_away')
  const answers = await Promise.all([
    print(1),
    print(2),
    form(),
    get(`/blade-result/result/printFinalList?examId=${made.examId}`),
    get(`/blade-ticketRemark/ticketremark/preview?id=${made.examId}`),
  ]).finally(() => t.pool.query('ALTER TABLE work_place_away RENAME TO work_place'))
  expect(answers.map(answer => answer.statusCode)).toEqual([500, 500, 500, 500, 500])
})

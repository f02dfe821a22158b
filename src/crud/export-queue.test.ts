import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Examination } from '#schemas/exams/examination'
import { Exporttask } from '#schemas/workbook/exporttask'
import { Importtask } from '#schemas/workbook/importtask'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { stayLoggedIn } from '../../tests/helper/login.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'
import { soon } from '../../tests/helper/soon.ts'
import { tellDue } from '../modules/notifications/server/tell.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { claim } from '../platform/queue/claim.ts'
import type { ExportKind } from './export-kind.ts'
import { tidyExports } from './export-tidy.ts'
import { storeStream } from './stored-file.ts'

let one: TestApp
let two: TestApp
let who: Caller

/** What the kind of these tests does while it makes a file; each test says. */
let during: (app: TestApp['app']) => Promise<void>
let made = 0

const kind: ExportKind<{ n: number }> = {
  name: 'test',
  atOnce: 0,
  access: () => ({ permission: 'school_export', url: '/x' }),
  count: async () => 3,
  async make({ app }, { n }, counted) {
    async function* rows() {
      made++
      for (const row of ['a', 'b', 'c']) yield row
      await during(app)
    }
    return { name: `${n}.txt`, contentType: 'text/plain', bytes: Readable.from(counted(rows())) }
  },
}

beforeAll(async () => {
  const prepare = (app: TestApp['app']) => app.exports.add(kind)
  one = await testApp({ now: '2026-06-01 08:00:00', prepare })
  two = await testApp({
    now: '2026-06-01 08:00:00',
    prepare,
    url: one.url,
    config: { dataDir: one.app.config.dataDir },
  })
  who = await signIn(one, { role: 'exporter', permissions: ['school', 'school_export'] })
})
afterAll(async () => {
  await two.close()
  await one.close()
})
beforeEach(async () => {
  during = async () => {}
  made = 0
  await one.pool.query('DELETE FROM exporttask')
  await one.pool.query('DELETE FROM work_item')
})

let n = 0
async function ask(): Promise<string> {
  const { rows } = await one.pool.query(`SELECT "roleId" FROM "user" WHERE id = $1`, [who.userId])
  const person = { userId: who.userId, tenantId: '000000', roleIds: [rows[0].roleId], deptIds: [] } as never
  return one.app.exports.ask(person, kind, { n: ++n }, { bizType: 'test', title: '测试', params: {} })
}
const taskOf = (id: string) =>
  one.db.selectFrom('exporttask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const call = async (act: string, id: string, caller = who) => {
  await stayLoggedIn(one)
  return one.call({ method: 'POST', url: `/api/blade-exam/exporttask/${act}?id=${id}`, headers: caller.headers })
}
const download = async (id: string, caller = who) => {
  await stayLoggedIn(one)
  return two.app.inject({ url: `/api/blade-exam/exporttask/download?id=${id}`, headers: caller.headers })
}
const pass = (seconds: number) => {
  const time = new Date(one.app.now().getTime() + seconds * 1000)
  one.setNow(time)
  two.setNow(time)
}
/** Files in the register, and in the storage. */
const files = async () => {
  const { rows } = await one.pool.query(`SELECT count(*)::int AS n FROM attach WHERE "ownerType" = 'task'`)
  const folder = path.join(one.app.config.dataDir, 'files')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return [rows[0].n as number, found.filter(entry => entry.isFile()).length]
}
const toldOf = (id: string) =>
  one.db.selectFrom('message').select(['code', 'userId']).where('subjectId', '=', id).orderBy('id').execute()
const plus = ([rows = 0, bytes = 0]: number[], n: number) => [rows + n, bytes + n]

test('of two servers one makes the file; who asked takes it, at either', async () => {
  const id = await ask()
  expect((await one.call<object[]>({ url: '/api/blade-exam/exporttask/news', headers: who.headers })).data).toEqual([
    { id, title: '测试', taskStatus: 0, rowNum: '', totalNum: '', failReason: '' },
  ])
  await Promise.all([one.app.queue.workOff(), two.app.queue.workOff()])
  expect(made).toBe(1)
  expect(await taskOf(id)).toMatchObject({ taskStatus: 2, rowNum: 3, totalNum: 3, createUser: who.userId })
  await tellDue(one.app)
  expect(await toldOf(id)).toEqual([{ code: 'exporttask.ended', userId: who.userId }])
  const file = await download(id)
  expect([file.statusCode, file.body, file.headers['content-length']]).toEqual([200, 'abc', '3'])
  expect((await taskOf(id)).downTime).not.toBeNull()
  const other = await signIn(one, { role: 'administrator' })
  expect((await download(id, other)).json().code).toBe(28009)
  const seen = async (caller: Caller) =>
    (await one.call<{ total: number }>({ url: '/api/blade-exam/exporttask/page', headers: caller.headers })).data.total
  expect([await seen(who), await seen(other), await seen(await signIn(one, { role: 'finance' }))]).toEqual([1, 1, 0])
})

test('exports say in words what their list was filtered by, with the names of rows that the reader meets', async () => {
  await stayLoggedIn(one)
  const chief = await signIn(one, { role: 'administrator' })
  const exam = await insert(one.app, Examination, { examName: '春季招聘' })
  const asked = async (query: string) => {
    await one.pool.query('DELETE FROM exporttask')
    const url = `/api/blade-examitem/examitems/export?${query}`
    expect((await one.app.inject({ url, headers: chief.headers })).statusCode).toBe(200)
    const rows = await one.call<{ records: { condition: string }[] }>({
      url: '/api/blade-exam/exporttask/page',
      headers: chief.headers,
    })
    return rows.data.records.map(row => row.condition)
  }
  const query = {
    examId: exam.id,
    postStatus: '1',
    createTime_dategt: '2026-01-01 00:00:00',
    keyword: '张',
    code_notlike: '三',
  }
  expect(await asked(new URLSearchParams({ ...query, chip: '', current: '2' }).toString())).toEqual([
    '考试：春季招聘；关键词：张；岗位状态：正常；岗位代码：≠ *三*；创建时间：> 2026-01-01 00:00:00',
  ])
  expect(await asked('')).toEqual([''])
})

test.each([Exporttask, Importtask])(
  '$name shows people their own rows, and all to whoever may see all',
  async entity => {
    await stayLoggedIn(one)
    const permissions = ['importtask']
    const [owner, colleague] = [await signIn(one, { permissions }), await signIn(one, { permissions })]
    const wide = [
      await signIn(one, { role: 'administrator', permissions }),
      await signIn(one, { role: 'auditor', permissions }),
    ]
    const elsewhere = await signIn(one, { role: 'administrator', permissions, tenantId: '000077' })
    const { id } = await insert(one.app, entity, { createUser: owner.userId })
    const sees = async ({ headers }: Caller) => {
      const ask = (call: string) =>
        one.call<{ records: { id: string }[] }>({ url: `/api/blade-exam/${entity.name}/${call}`, headers })
      const lists = [await ask('page'), await ask('list')].map(({ data }) => data.records.map(row => row.id))
      return [...lists, (await ask(`detail?id=${id}`)).code]
    }
    expect(await sees(owner)).toEqual([[id], [id], 200])
    for (const caller of wide) expect(await sees(caller)).toEqual([[id], [id], 200])
    for (const caller of [colleague, elsewhere]) expect(await sees(caller)).toEqual([[], [], 29001])
  },
)

/** The process that has an export no longer answers. */
const expire = () =>
  one.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second' WHERE state = 3`)
/** A process begins an export and ends in the middle. */
const die = (t: TestApp) =>
  claim(t.db, { node: 'dead', kinds: ['export'], rooms: new Map([['export', 1] as const]), now: t.app.now() })

describe('a process that is killed', () => {
  test('and comes back hands nothing over, and its bytes are thrown away', async () => {
    const id = await ask()
    const before = await files()
    during = async app => {
      if (app !== one.app) return
      await expire()
      await two.app.queue.workOff()
    }
    await one.app.queue.workOff()
    expect(made).toBe(2)
    expect(await files()).toEqual(plus(before, 1))
    expect((await download(id)).body).toBe('abc')
    const next = await ask()
    during = async () => {
      await expire()
      expect((await die(two))[0]?.key).toBe(next)
    }
    await one.app.queue.workOff()
    expect([(await taskOf(next)).taskStatus, await files()]).toEqual([1, plus(before, 1)])
  })

  test('while it puts bytes somewhere leaves them to be thrown away by whoever takes the export over', async () => {
    const id = await ask()
    const before = await files()
    await die(one)
    const place = await one.app.storage.place('000000', '.txt')
    await storeStream(one.app.storage, place, Readable.from(['half']))
    await one.pool.query(`UPDATE work_item SET memo = memo || jsonb_build_object('place', $1::text)`, [place.key])
    expect(await files()).toEqual([before[0], before[1]! + 1])
    await expire()
    await two.app.queue.workOff()
    expect([(await taskOf(id)).taskStatus, await files()]).toEqual([2, plus(before, 1)])
  })

  test('by its export each time is not followed by all others', async () => {
    const id = await ask()
    for (let i = 0; i < 3; i++) {
      expect(await die(one)).toHaveLength(1)
      await expire()
    }
    await two.app.queue.workOff()
    expect([made, (await taskOf(id)).failReason]).toEqual([0, '多次中断，请缩小范围后重试'])
  })
})

describe('cancelled', () => {
  test('while it waits it is not made, until it is asked for again', async () => {
    const id = await ask()
    expect((await call('cancel', id, await signIn(one, { role: 'administrator' }))).code).toBe(29009)
    expect((await call('cancel', id)).code).toBe(200)
    await one.app.queue.workOff()
    expect([made, (await taskOf(id)).taskStatus]).toEqual([0, 4])
    expect((await call('cancel', id)).code).toBe(200)
    expect((await call('retry', id)).code).toBe(200)
    await one.app.queue.workOff()
    expect((await taskOf(id)).taskStatus).toBe(2)
    expect((await call('retry', id)).code).toBe(29009)
  })

  test('while it is made its file is thrown away', async () => {
    const id = await ask()
    const before = await files()
    during = async () => {
      expect((await call('cancel', id)).code).toBe(200)
    }
    await one.app.queue.workOff()
    expect([(await taskOf(id)).taskStatus, await files()]).toEqual([4, before])
    expect((await download(id)).json().code).toBe(28009)
  })
})

describe('a failure', () => {
  test('is tried three times with pauses between, then told', async () => {
    const id = await ask()
    during = () => Promise.reject(new Error('no'))
    expect(await one.app.queue.workOff()).toBe(1)
    expect(await one.app.queue.workOff()).toBe(0)
    for (const pause of [21, 41]) {
      pass(pause)
      expect(await two.app.queue.workOff()).toBe(1)
    }
    pass(3600)
    expect(await one.app.queue.workOff()).toBe(0)
    expect(await taskOf(id)).toMatchObject({ taskStatus: 3, failReason: '系统错误，请稍后重试', fileId: null })
    during = async () => {}
    expect((await call('retry', id)).code).toBe(200)
    await one.app.queue.workOff()
    expect(await taskOf(id)).toMatchObject({ taskStatus: 2, failReason: null })
  })

  test('that is a refusal is told at once', async () => {
    const id = await ask()
    during = () => Promise.reject(refuse('exams.notFound'))
    await one.app.queue.workOff()
    expect(await taskOf(id)).toMatchObject({ taskStatus: 3, failReason: '考试不存在' })
    await tellDue(one.app)
    expect(await toldOf(id)).toEqual([{ code: 'exporttask.failed', userId: who.userId }])
  })
})

test('a right that was taken meanwhile counts, as does an account that was closed', async () => {
  const [first, second] = [await ask(), await ask()]
  const right = `FROM role_menu WHERE "roleId" = (SELECT "roleId"::bigint FROM "user" WHERE id = $1)
    AND "menuId" IN (SELECT id FROM menu WHERE code = 'school_export')`
  const { rows } = await one.pool.query(`SELECT * ${right}`, [who.userId])
  await one.pool.query(`DELETE ${right}`, [who.userId])
  await one.app.queue.workOff()
  expect(await taskOf(first)).toMatchObject({ taskStatus: 3, failReason: '没有导出权限' })
  await one.pool.query('INSERT INTO role_menu ("roleId", "menuId") VALUES ($1, $2)', [rows[0].roleId, rows[0].menuId])
  await call('retry', second)
  await one.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [who.userId])
  await one.app.queue.workOff()
  expect(await taskOf(second)).toMatchObject({ taskStatus: 3, failReason: '没有导出权限' })
  await one.pool.query('UPDATE "user" SET "accountStatus" = 1 WHERE id = $1', [who.userId])
  await call('retry', second)
  await one.app.queue.workOff()
  expect([made, (await taskOf(second)).taskStatus]).toEqual([1, 2])
})

test('somebody may have ten waiting, and the same one once', async () => {
  for (let i = 0; i < 10; i++) await ask()
  await expect(ask()).rejects.toMatchObject({ code: 29007 })
  await one.pool.query(`UPDATE exporttask SET "taskStatus" = 4 WHERE id = (SELECT min(id) FROM exporttask)`)
  n -= 2
  await expect(ask()).rejects.toMatchObject({ code: 28007 })
})

test('a server that ends gives its export back at once', async () => {
  const third = await testApp({ now: one.app.now(), url: one.url, prepare: app => app.exports.add(kind) })
  const id = await ask()
  during = app => new Promise(done => (app === third.app ? setTimeout(done, 1000) : done()))
  const ended = third.app.queue.workOff()
  await soon(() => expect(made).toBe(1))
  await third.close()
  await ended
  expect(await one.app.queue.workOff()).toBe(1)
  expect((await taskOf(id)).taskStatus).toBe(2)
  expect(made).toBe(2)
})

test('the file goes when its days are over', async () => {
  await one.pool.query(`UPDATE param SET "paramValue" = '2' WHERE "paramKey" = 'export.days'`)
  const id = await ask()
  await one.app.queue.workOff()
  const { rows } = await one.pool.query(`SELECT name FROM attach WHERE "ownerId" = $1`, [id])
  pass(2 * 86_400 - 60)
  await tidyExports(one.app)
  expect((await download(id)).body).toBe('abc')
  pass(120)
  expect((await download(id)).json().code).toBe(28009)
  await tidyExports(one.app)
  expect((await taskOf(id)).fileId).toBeNull()
  await expect(one.app.storage.get(rows[0].name)).rejects.toThrow()
  expect((await one.pool.query(`SELECT 1 FROM attach WHERE "ownerId" = $1`, [id])).rows).toEqual([])
})

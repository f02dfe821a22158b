import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { School } from '#schemas/exams/school'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'
import { streamWorkbook, templateWorkbook } from '../platform/workbook/workbook.ts'
import { readRows } from '../platform/workbook/workbook-read.ts'
import { listExport } from './export-list.ts'
import type { StoredHooks } from './rules.ts'

let t: TestApp
let admin: Caller
const at = '/api/blade-school/school'

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

const roleIds = async () =>
  (await t.pool.query(`SELECT "roleId" FROM "user" WHERE id = $1`, [admin.userId])).rows.map(row => row.roleId)
/** Waits until no more connections than these are in use; what the server does by itself takes one for a moment. */
const idle = (inUse = 0) => expect.poll(() => t.app.pool.totalCount - t.app.pool.idleCount).toBe(inUse)
const rowsOf = async (book: Buffer) => {
  const rows = []
  for await (const row of readRows(book)) rows.push(row)
  return rows
}
const exported = async (query = '') => {
  const answer = await t.app.inject({ url: `${at}/export${query}`, headers: admin.headers })
  expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, expect.stringContaining('.xlsx')])
  return rowsOf(answer.rawPayload)
}

describe('export', () => {
  const wicked = ['=HYPERLINK("http://x")', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '＝1+1']

  test('writes every text as text, whatever it begins with, and words for keys', async () => {
    for (const [i, schoolName] of wicked.entries()) await insert(t.app, School, { schoolName, schoolCode: `W${i}` })
    const [head, ...rows] = await exported()
    const place = head?.cells.findIndex(cell => cell.text === '学校名称') ?? -1
    const names = rows.map(row => row.cells[place])
    expect(rows).toHaveLength(wicked.length)
    expect(new Set(names.map(cell => cell?.kind))).toEqual(new Set(['text']))
    expect(names.map(cell => cell?.text).sort()).toEqual(wicked.map(text => text.trim()).sort())
    const enable = head?.cells.findIndex(cell => cell.text === '启用') ?? -1
    expect(['是', '否', '启用', '停用']).toContain(rows[0]?.cells[enable]?.text)
  })

  test('keeps to the filter and refuses what it does not know before the file begins', async () => {
    expect(await exported('?schoolCode_equal=W1')).toHaveLength(2)
    const wrong = await t.call({ url: `${at}/export?colour=1`, headers: admin.headers })
    expect(wrong).toMatchObject({ status: 400, code: 29005 })
  })

  describe('of many rows', () => {
    beforeAll(async () => {
      await t.pool.query(
        `INSERT INTO school ("schoolName", "schoolCode", "schoolType") SELECT 'n' || i, 'N' || i, 1 FROM generate_series(1, 9000) i`,
      )
    })
    afterAll(async () => {
      await t.pool.query(`DELETE FROM school WHERE "schoolCode" LIKE ANY('{N%,M%}')`)
    })

    test('is sent at once up to 2,000, and made in the background from there on', async () => {
      await t.pool.query(`UPDATE school SET "schoolCode" = 'NN' || "schoolCode" WHERE "schoolCode" LIKE 'N1___'`)
      const thousand = '?schoolCode_likeright=NNN1'
      expect(await exported(thousand)).toHaveLength(1001)
      await idle()
      const large = { url: `${at}/export?schoolCode_likeright=N&ascs=schoolCode`, headers: admin.headers }
      const asked = await t.call<{ taskId: string; background: number }>(large)
      expect(asked).toMatchObject({ code: 200, msg: '数据较多，已转入后台导出', data: { background: 1 } })
      expect((await t.call(large)).code).toBe(28007)
      const derive = vi.spyOn(t.app.rules.school?.hooks as Required<StoredHooks>, 'derive')
      onTestFinished(() => derive.mockRestore())
      expect(await t.app.queue.workOff()).toBe(1)
      const portions = derive.mock.calls.map(([, given]) => given.length)
      expect([portions.reduce((sum, n) => sum + n, 0), portions[0]]).toEqual([9000, 2001])
      expect(Math.min(...portions.slice(1, -1))).toBe(100)
      const url = `/api/blade-exam/exporttask/download?id=${asked.data.taskId}`
      const file = await t.app.inject({ url, headers: admin.headers })
      expect(file.headers['content-disposition']).toContain('.xlsx')
      const rows = await rowsOf(file.rawPayload)
      expect(rows).toHaveLength(9001)
      const place = rows[0]?.cells.findIndex(cell => cell.text === '地图') ?? -1
      const links = rows.slice(1).map(row => row.cells[place]?.text)
      expect(links.every(link => link?.startsWith('https://'))).toBe(true)
      expect(new Set(links).size).toBe(9000)
      await idle()
    })

    test('reads no further than somebody takes it, and lets its connection go when nobody does any more', async () => {
      const [person, read] = [(await t.app.personNow({ ...admin, roleIds: await roleIds(), deptIds: [] }))!, { n: 0 }]
      async function* counted<T>(rows: AsyncIterable<T>) {
        for await (const row of rows) {
          read.n++
          yield row
        }
      }
      await t.pool.query(
        `INSERT INTO school ("schoolName", "schoolCode", "schoolType") SELECT md5(i::text), 'M' || i, 1 FROM generate_series(1, 60000) i`,
      )
      const order = { resource: 'school', query: { schoolCode_likeright: 'M' } }
      const { bytes } = await listExport.make({ app: t.app, person }, order, counted)
      onTestFinished(() => void bytes.destroy())
      bytes.once('readable', () => {})
      await expect.poll(() => read.n).toBeGreaterThan(0)
      // Buffers on the way fill up, and then nothing moves.
      for (let before = -1; before !== read.n; await pause(1000)) before = read.n
      expect(read.n).toBeLessThan(20_000)
      await idle(1)
      bytes.destroy()
      await idle()
    })
  })

  test('is entered in the register with its filter and its number of rows', async () => {
    await exported('?schoolCode_likeright=W&schoolName=1')
    const task = `SELECT "bizType", params, "rowNum", "taskStatus", "createUser" FROM exporttask ORDER BY id DESC LIMIT 1`
    expect((await t.pool.query(task)).rows[0]).toEqual({
      bizType: 'school',
      params: { schoolCode_likeright: 'W', schoolName: '1' },
      rowNum: 3,
      taskStatus: 2,
      createUser: admin.userId,
    })
    await t.pool.query(`UPDATE exporttask SET "taskStatus" = 1`)
    const again = await t.call({ url: `${at}/export?schoolCode_likeright=W&schoolName=1`, headers: admin.headers })
    expect(again).toMatchObject({ status: 409, code: 28007 })
    await t.pool.query(`UPDATE exporttask SET "createTime" = "createTime" - interval '11 minutes'`)
    expect(await exported('?schoolCode_likeright=W&schoolName=1')).toHaveLength(4)
  })
})

describe('import', () => {
  const template = async () => {
    const answer = await t.app.inject({ url: `${at}/template`, headers: admin.headers })
    const [mark, head] = await rowsOf(answer.rawPayload)
    return {
      version: /：(\S+?)（/.exec(mark?.cells[0]?.text ?? '')?.[1] ?? '',
      titles: head?.cells.map(cell => cell.text) ?? [],
    }
  }
  /** A filled-in template: rows name cells by their titles. */
  const fill = async (rows: Record<string, unknown>[]) => {
    const { version, titles } = await template()
    const columns = titles.map(title => ({ title: title.replace('* ', ''), required: title.startsWith('* ') }))
    const cells = rows.map(row => columns.map(({ title }) => row[title] ?? null))
    return templateWorkbook({ sheet: '学校', version, columns, rows: cells })
  }
  const send = (book: Buffer, mode: string, name = 'a.xlsx') => {
    const form = new FormData()
    form.set('mode', mode)
    form.set('file', new Blob([new Uint8Array(book)]), name)
    return t.call<{
      total: number
      success: number
      failed: number
      errors: { row: number; column: string; msg: string }[]
    }>({
      method: 'POST',
      url: `${at}/import`,
      headers: admin.headers,
      payload: form as never,
    })
  }
  const count = async () => Number((await t.pool.query('SELECT count(*) FROM school')).rows[0].count)
  const good = (n: number) => ({ 学校名称: `好学校${n}`, 学校代码: `G${n}`, 类型: type, 启用: '是' })
  let type = ''

  beforeAll(async () => {
    const { rows } = await t.pool.query(
      `SELECT "dictValue" FROM dict WHERE code = 'school_type' AND "parentId" > 0 LIMIT 1`,
    )
    type = rows[0]?.dictValue ?? '考点'
  })

  test('takes words, keys and all rows of a good file', async () => {
    const before = await count()
    const answer = await send(await fill([good(1), { ...good(2), 启用: '0' }]), '1')
    expect(answer).toMatchObject({ code: 200, data: { total: 2, success: 2, failed: 0, errors: [] } })
    expect(await count()).toBe(before + 2)
    const { rows } = await t.pool.query(`SELECT enable, "createUser" FROM school WHERE "schoolCode" = 'G2'`)
    expect(rows[0]).toEqual({ enable: 0, createUser: admin.userId })
  })

  test('mode 1 takes nothing of a file with a bad row, mode 2 the good ones; both name row and column', async () => {
    const long = 'x'.repeat(300)
    const rows = [
      good(11),
      { ...good(12), 学校名称: '' },
      { ...good(13), 类型: '没有这种' },
      { ...good(14), 学校名称: long },
      good(15),
    ]
    const before = await count()
    const refused = await send(await fill(rows), '1')
    expect(refused).toMatchObject({ status: 400, code: 28006, data: { total: 5, success: 0, failed: 3 } })
    expect(refused.data.errors.map(one => [one.row, one.column])).toEqual([
      [4, '学校名称'],
      [5, '类型'],
      [6, '学校名称'],
    ])
    expect(refused.data.errors[0]?.msg).toBe('请输入学校名称')
    expect(await count()).toBe(before)
    const partly = await send(await fill(rows), '2')
    expect(partly).toMatchObject({ code: 200, data: { total: 5, success: 2, failed: 3 } })
    expect(await count()).toBe(before + 2)
  })

  test('refuses another template, another kind of file and no file', async () => {
    const other = await templateWorkbook({ sheet: 'x', version: 'other-1', columns: [{ title: 'a' }] })
    expect((await send(other, '1')).code).toBe(28005)
    const plain: Buffer[] = []
    for await (const part of streamWorkbook({ sheet: 'x', columns: [{ title: 'a' }], rows: [['1']] })) plain.push(part)
    expect((await send(Buffer.concat(plain), '1')).code).toBe(28005)
    expect((await send(Buffer.from('no workbook'), '1')).code).toBe(28003)
    expect((await send(Buffer.from('x'), '1', 'a.csv')).code).toBe(28001)
    expect((await t.call({ method: 'POST', url: `${at}/import`, headers: admin.headers })).code).toBe(28001)
  })
})

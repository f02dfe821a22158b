import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Examuser } from '#schemas/exams/examuser'
import { Attach } from '#schemas/resource/attach'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { encrypt, password } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { applicant, get, makeExam, post, reviewer, signApp, submit } from '../../../../tests/helper/sign-bench.ts'
import { unzip } from '../../../../tests/helper/unzip.ts'
import { enterExport, registered } from '../../../crud/export-register.ts'
import { streamZip } from '../../../platform/files/zip.ts'
import { hashPassword } from '../../../platform/vault/password.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { signupList } from './export-kinds.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

/** A picture in the storage. */
async function picture(who: Caller, width = 295, height = 413): Promise<string> {
  const key = `aa/${Math.random().toString(36).slice(2)}.jpg`
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#7fb2e5' } })
    .jpeg()
    .toBuffer()
  await t.app.storage.put(key, bytes)
  const row = await insert(t.app, Attach, {
    originalName: '照片.jpg',
    extension: 'jpg',
    attachSize: bytes.length,
    ownerType: 'photo',
    ownerId: null,
    name: key,
    createUser: who.userId,
    visible: 3,
    contentType: 'image/jpeg',
    scanState: 1,
    createTime: t.app.now(),
  })
  return row.id
}

/** An exam with two people, one called like a formula, and an administrator of the exam with a password. */
async function scene() {
  const { exam } = await makeExam(t)
  const staff = await signIn(t, { role: 'exam_admin' })
  await insert(t.app, Examuser, { examId: exam.id, userId: staff.userId, examRole: 1, enable: 1 })
  await t.db
    .updateTable('user')
    .set({ password: await hashPassword(password) })
    .where('id', '=', staff.userId)
    .execute()
  const people = []
  for (const name of ['=HYPERLINK("x")', '李/四']) {
    const who = await applicant(t)
    who.photo = await picture(who)
    await t.db.updateTable('user').set({ realName: name }).where('id', '=', who.userId).execute()
    people.push({ who, ...(await submit(t, who, exam.id)).data })
  }
  return { examId: exam.id, staff, people }
}

const order = (more: object = {}) => ({ reason: '报考资格复核', password: encrypt(t, password), ...more })

async function raw(who: Caller, path: string, payload: object) {
  const answer = await t.app.inject({
    method: 'POST',
    url: `/api/blade-signup/signup/${path}`,
    headers: who.headers,
    payload,
  })
  return {
    answer,
    bytes: answer.rawPayload,
    code: String(answer.headers['content-type']).includes('json') ? answer.json().code : 200,
  }
}

async function sheetOf(bytes: Buffer): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of readRows(bytes)) rows.push(row.cells.map(cell => cell.text))
  return rows
}

const tasksOf = (who: Caller) =>
  t.db.selectFrom('exporttask').selectAll().where('createUser', '=', who.userId).orderBy('id').execute()

describe('exportSignUp', () => {
  it('gives the filtered rows with masks, a watermark, and a line in the register', async () => {
    const { examId, staff } = await scene()
    const { bytes } = await raw(staff, 'exportSignUp', { examId })
    const [head = [], first = [], second = [], mark = []] = await sheetOf(bytes)
    expect(head.slice(0, 4)).toEqual(['报名号', '姓名', '性别', '证件号码'])
    expect([first[1], second[1]]).toEqual(['=HYPERLINK("x")', '李/四'])
    expect(first[3]).toMatch(/^\d{6}\*+\w{4}$/)
    expect(mark[0]).toMatch(/^导出人：测试\d+　导出时间：2026-12-02 10:00:00$/)
    expect(await tasksOf(staff)).toMatchObject([{ bizType: 'signup', rowNum: 2, sensitive: 0, taskStatus: 2 }])
    const audited = await t.db.selectFrom('auditlog').selectAll().where('userId', '=', staff.userId).execute()
    expect(audited.map(row => row.event)).toContain('export')
  })

  it('writes names that look like formulas as texts', async () => {
    const { examId, staff } = await scene()
    const { bytes } = await raw(staff, 'exportSignUp', { examId })
    const xml = [...unzip(bytes)].find(([name]) => /sheet1\.xml$/.test(name))?.[1].toString() ?? ''
    expect(xml).not.toContain('<f>')
    expect(xml).toContain('HYPERLINK')
  })

  it('B32 · shows whole numbers for a reason and the own password only', async () => {
    const { examId, staff, people } = await scene()
    const columns = ['signNo', 'idCard', 'phone']
    const asked = (more: object) => raw(staff, 'exportSignUp', { examId, columns, ...more })
    expect((await asked({})).code).toBe(29005)
    expect((await asked({ reason: '复核' })).code).toBe(20050)
    expect((await asked({ reason: '复核', password: encrypt(t, 'wrong') })).code).toBe(20051)
    const { bytes } = await asked(order())
    const [head, first, , mark] = await sheetOf(bytes)
    expect(head).toEqual(['报名号', '证件号码', '手机号码'])
    const row = await t.db.selectFrom('signup').selectAll().where('id', '=', people[0]!.id).executeTakeFirstOrThrow()
    expect(first?.slice(1)).toEqual([t.app.vault.open(row.idCard), t.app.vault.open(row.phone!)])
    expect(mark?.[0]).toContain('用途：报考资格复核')
    expect((await tasksOf(staff)).at(-1)).toMatchObject({ sensitive: 1, reason: '报考资格复核' })
  })

  it('offers the answers that columns keep, and lists are filtered by them', async () => {
    const { examId, staff, people } = await scene()
    const { bytes } = await raw(staff, 'exportSignUp', { examId, columns: 'signNo,education,degree' })
    const [head, ...rows] = await sheetOf(bytes)
    expect(head).toEqual(['报名号', '最高学历', '最高学位'])
    expect(rows.slice(0, 2).map(row => row.slice(1))).toEqual([
      ['大学本科', ''],
      ['大学本科', ''],
    ])
    await t.db.updateTable('signup').set({ education: '20' }).where('id', '=', people[0]!.id).execute()
    const list = await get<{ records: object[] }>(
      t,
      staff,
      `/api/blade-signup/signup/page?examId=${examId}&education=20`,
    )
    expect(list.data.records).toMatchObject([{ id: people[0]!.id, education: '20' }])
  })

  it('adds the items of the form, and refuses what it does not know', async () => {
    const { examId, staff, people } = await scene()
    const { bytes } = await raw(staff, 'exportSignUp', { examId, columns: 'signNo', items: 1, ids: [people[1]!.id] })
    expect(await sheetOf(bytes)).toMatchObject([
      ['报名号', '学历', '专业', '说明'],
      [people[1]!.signNo, '大学本科', '临床医学', ''],
      [expect.stringContaining('导出人'), '', '', ''],
    ])
    expect((await raw(staff, 'exportSignUp', { examId, columns: ['content'] })).code).toBe(29005)
    expect((await raw(staff, 'exportSignUp', { examId, evil: '1' })).code).toBe(29005)
    expect((await raw(staff, 'exportSignUp', { items: 1 })).code).toBe(21001)
  })

  it('shows nobody outside the scope, and is not for everybody', async () => {
    const { examId } = await scene()
    const other = await signIn(t, { role: 'exam_admin' })
    expect(await sheetOf((await raw(other, 'exportSignUp', { examId })).bytes)).toHaveLength(2)
    const { answer } = await raw(await signIn(t, { role: 'reviewer' }), 'exportSignUp', { examId })
    expect(answer.statusCode).toBe(403)
  })

  it('made in the background holds what the person may see when it is made, and says who took it', async () => {
    const { examId, staff } = await scene()
    const { rows } = await t.pool.query(`SELECT "roleId" FROM "user" WHERE id = $1`, [staff.userId])
    const person = { ...staff, roleIds: [rows[0].roleId], deptIds: [] } as never
    const order = {
      ids: [],
      columns: ['signNo', 'idCard'],
      fileCodes: [],
      items: true,
      reason: '抽查',
      filters: { examId },
    }
    const made = async () => {
      const entry = { bizType: 'signup', title: '报名名单', params: {}, sensitive: true, reason: '抽查' }
      const id = await t.app.exports.ask(person, signupList, order, entry)
      expect(JSON.stringify((await t.pool.query('SELECT payload, memo FROM work_item')).rows)).not.toContain(examId)
      await t.app.queue.workOff()
      const url = `/api/blade-exam/exporttask/download?id=${id}`
      const file = await t.app.inject({ url, headers: staff.headers })
      return file.statusCode === 200 ? sheetOf(file.rawPayload) : (await tasksOf(staff)).at(-1)
    }
    const sheet = (await made()) as string[][]
    expect(sheet[0]?.slice(0, 4)).toEqual(['报名号', '证件号码', '学历', '专业'])
    expect(sheet).toHaveLength(4)
    expect(sheet[3]?.[0]).toMatch(/^导出人：测试\d+　导出时间：2026-12-02 10:00:00　用途：抽查$/)
    const audited = t.db.selectFrom('auditlog').select('event').where('userId', '=', staff.userId)
    expect(await audited.execute()).toEqual([{ event: 'export' }])
    await t.db.updateTable('examuser').set({ enable: 0 }).where('userId', '=', staff.userId).execute()
    expect(await made()).toMatchObject({ taskStatus: 3, failReason: '考试不存在' })
  })

  it('is refused while the same one is running', async () => {
    const { examId, staff } = await scene()
    await raw(staff, 'exportSignUp', { examId })
    await t.db.updateTable('exporttask').set({ taskStatus: 1 }).where('createUser', '=', staff.userId).execute()
    expect((await raw(staff, 'exportSignUp', { examId })).code).toBe(28007)
    expect((await raw(staff, 'exportSignUp', { examId, name: '李' })).code).toBe(200)
  })
})

describe('archives', () => {
  it('hold one printed form for each person', async () => {
    const { examId, staff, people } = await scene()
    expect((await raw(staff, 'exportSignUpEach', { examId })).code).toBe(29005)
    const { bytes } = await raw(staff, 'exportSignUpEach', { examId, ...order() })
    const files = unzip(bytes)
    expect([...files.keys()]).toEqual([
      `A01_${people[0]!.signNo}_=HYPERLINK(_x_).pdf`,
      `A01_${people[1]!.signNo}_李_四.pdf`,
    ])
    for (const file of files.values()) expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await tasksOf(staff)).at(-1)).toMatchObject({
      bizType: 'signupForms',
      rowNum: 2,
      taskStatus: 2,
      sensitive: 1,
    })
  })

  it('hold the files of each person in a folder, and say what is lost', async () => {
    const { examId, staff, people } = await scene()
    const key = await t.db
      .selectFrom('attach')
      .select('name')
      .where('id', '=', people[0]!.who.photo)
      .executeTakeFirstOrThrow()
    await t.app.storage.remove(key.name)
    const files = unzip((await raw(staff, 'exportFilesForUser', { examId, fileCodes: ['photo'], ...order() })).bytes)
    expect([...files.keys()]).toEqual([`A01/${people[1]!.signNo}_李_四/证件照.jpg`, '缺失的文件.txt'])
    expect(files.get('缺失的文件.txt')?.toString()).toContain(people[0]!.signNo)
    const none = unzip((await raw(staff, 'exportFilesForUser', { examId, fileCodes: ['degree'], ...order() })).bytes)
    expect(none.size).toBe(0)
  })

  it('note in the register when their reader goes away', async () => {
    const { examId, staff } = await scene()
    const person = { userId: staff.userId, tenantId: '000000' } as never
    const entry = { bizType: 'x', title: 'x', params: { examId }, sensitive: true }
    const task = await enterExport(t.app, { ...(person as object), deptIds: [] } as never, entry, {})
    async function* slow() {
      for (let i = 0; i < 20; i++)
        yield { name: `${i}`, time: t.app.now(), compress: false, open: async () => Buffer.alloc(200_000) }
    }
    const archive = streamZip(registered(t.app, task, slow()))
    archive.destroy()
    await expect(buffer(archive as Readable)).rejects.toThrow()
    await expect.poll(async () => (await tasksOf(staff)).at(-1)?.taskStatus).toBe(3)
  })
})

describe('the wall of photos', () => {
  it('shows photos by links that need no header, and what is wrong with some', async () => {
    const { examId, staff, people } = await scene()
    const odd = await picture(people[0]!.who, 300, 300)
    await t.db.updateTable('signup').set({ photo: odd }).where('id', '=', people[0]!.id).execute()
    type Wall = { total: number; records: { name: string; state: string; photoUrl: string }[] }
    const wall = await get<Wall>(t, staff, `getExamAvatarList?examId=${examId}`)
    expect(wall.data.records.map(one => one.state)).toEqual(['odd', 'ok'])
    const opened = await t.app.inject(wall.data.records[0]!.photoUrl)
    expect(opened.headers['content-type']).toBe('image/jpeg')
    await t.db.updateTable('signup').set({ photo: null }).where('id', '=', people[1]!.id).execute()
    const missing = await get<Wall>(t, staff, `getExamAvatarList?examId=${examId}&missing=1`)
    expect(missing.data.records).toMatchObject([{ name: '李/四', state: 'missing', photoUrl: '' }])
    const other = await signIn(t, { role: 'exam_admin' })
    expect((await get<Wall>(t, other, `getExamAvatarList?examId=${examId}`)).data.total).toBe(0)
  })
})

describe('reveal', () => {
  it('shows one number for a reason, which the audit log keeps', async () => {
    const { examId, staff, people } = await scene()
    const { id } = people[0]!
    const look = (who: Caller, more: object = {}) =>
      post(t, who, 'reveal', { id, field: 'idCard', reason: '核对证件', ...more })
    const row = await t.db.selectFrom('signup').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect((await look(staff)).data).toEqual({ idCard: t.app.vault.open(row.idCard) })
    expect((await look(staff, { reason: ' ' })).code).toBe(29005)
    expect((await look(staff, { field: 'content' })).code).toBe(29005)
    expect((await look(await signIn(t, { role: 'exam_admin' }))).code).toBe(22010)
    expect((await look(people[0]!.who)).status).toBe(403)
    expect((await look(await reviewer(t, examId, 2))).status).toBe(403)
    const kept = await t.db.selectFrom('auditlog').selectAll().where('userId', '=', staff.userId).execute()
    const notes = kept.filter(one => one.event === 'reveal')
    expect(notes[0]).toMatchObject({ outcome: 1 })
    expect(JSON.stringify(notes)).toContain('核对证件')
    expect(JSON.stringify(notes)).not.toContain(t.app.vault.open(row.idCard))
  })
})

import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Delivery } from '#schemas/notifications/delivery'
import { Message } from '#schemas/notifications/message'
import { Exportpay } from '#schemas/payment/exportpay'
import { Exportpaymain } from '#schemas/payment/exportpaymain'
import { Payrecord } from '#schemas/payment/payrecord'
import { Objection } from '#schemas/publicity/objection'
import { Publicity } from '#schemas/publicity/publicity'
import { Publicityrow } from '#schemas/publicity/publicityrow'
import { Attach } from '#schemas/resource/attach'
import { Signup } from '#schemas/sign-up/signup'
import { Event } from '#schemas/system/event'
import { User } from '#schemas/system/user'
import { launchBrowser } from '../../../../tests/e2e/browser.ts'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { verifyFolder as verify, writtenFolder } from '../../../../tests/helper/archive-folder.ts'
import { asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { encrypt, password } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { ticketOf } from '../../../../tests/helper/result-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { unzip } from '../../../../tests/helper/unzip.ts'
import { enterFile } from '../../../crud/stored-file.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { hashPassword } from '../../../platform/vault/password.ts'
import { archiveLines } from '../../exams/server/archive.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { csvCell } from './tables.ts'

let t: TestApp
let admin: Caller
let second: Caller
const folders: string[] = []
beforeAll(async () => {
  t = await testApp({ now: '2027-03-01 09:00:00' })
  admin = await signIn(t, { role: 'admin' })
  second = await signIn(t, { role: 'admin' })
  await t.db
    .updateTable('user')
    .set({ password: await hashPassword(password) })
    .where('id', '=', admin.userId)
    .execute()
})
afterAll(async () => {
  await t.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** A closed exam with so many people, one called like a formula. */
async function closedExam(people: number) {
  const { exam, stage } = await makeDraft(t, {
    exam: { examStatus: 2, closeTime: shanghai('2027-02-10 09:00:00'), publicityEnd: shanghai('2027-02-15 09:00:00') },
  })
  const ids: string[] = []
  for (let i = 0; i < people; i++) {
    const name = i === 0 ? '=1+1' : `考生${i}`
    const user = await insert(t.app, User, { userType: 2, accountStatus: 1, tenantId: '000000' })
    const { id } = await insert(t.app, Signup, { examId: exam.id, userId: user.id, name, signStatus: 1 })
    ids.push(id)
  }
  await insert(t.app, Payrecord, { examId: exam.id, itemId: stage.id, signupId: ids[0] as string, amount: 10050 })
  await ticketOf(t, stage.id, { id: ids[0] as string, examId: exam.id, name: '考生' })
  return { examId: exam.id, ids }
}

/** A file in the storage that a row names. */
async function stored(name: string, text: string): Promise<string> {
  const place = await t.app.storage.place('000000', name.slice(name.lastIndexOf('.') + 1))
  await t.app.storage.put(place.key, Buffer.from(text))
  const file = { tenantId: '000000', userId: null, ownerType: 'task', ownerId: null, name, contentType: 'x/y' } as const
  return enterFile(t.db, file, { ...place, size: text.length, sha256: '' }, t.app.now())
}

/** What was frozen for a person of an exam: a list with the files, an objection with a paper, a ledger, a message. */
async function withFrozen({ examId, ids }: { examId: string; ids: string[] }) {
  const [signupId = ''] = ids
  const { signNo, userId } = await t.db
    .selectFrom('signup')
    .select(['signNo', 'userId'])
    .where('id', '=', signupId)
    .executeTakeFirstOrThrow()
  const list = await insert(t.app, Publicity, {
    examId,
    title: '资格审核公示',
    publicityKind: 1,
    publicityStatus: 2,
    pdfFile: await stored('list.pdf', 'the frozen list'),
    xlsxFile: await stored('list.xlsx', 'the frozen table'),
  })
  await insert(t.app, Publicityrow, { publicityId: list.id, signupId, rowNo: 1, signNo, name: '考*生' })
  const objection = await insert(t.app, Objection, {
    examId,
    publicityId: list.id,
    listNo: signNo,
    content: '学历不符合岗位要求',
    objectorPhone: '13900001234',
    file1: await stored('paper.jpg', 'the paper'),
  })
  const main = await insert(t.app, Exportpaymain, { examId, file: await stored('ledger.xlsx', 'the ledger') })
  const record = await t.db
    .selectFrom('payrecord')
    .select('id')
    .where('signupId', '=', signupId)
    .executeTakeFirstOrThrow()
  await insert(t.app, Exportpay, { mainId: main.id, payRecordId: record.id, name: '台账中的人' })
  const event = await insert(t.app, Event, { examId, code: 'signup.passed', subjectId: signupId, facts: { signNo } })
  const message = await insert(t.app, Message, {
    eventId: event.id,
    userId,
    code: 'signup.passed',
    subjectId: signupId,
  })
  const address = '13911112222'
  await insert(t.app, Delivery, { examId, userId, messageId: message.id, code: 'signup.passed', address })
  return { signNo, receipt: objection.receipt, batchNo: main.batchNo, address }
}

const ask = (examId: string, sort: 'full' | 'masked', more: object = {}) =>
  asCaller(t, admin).post<{ taskId: string; waits: string }>('/blade-exam/examination/archiveWhole', {
    id: examId,
    sort,
    ...more,
  })
const proof = () => ({ reason: '归档', password: encrypt(t, password) })
const base = '/blade-exam/examarchive'
const confirm = (id: string, who = second) => asCaller(t, who).post(`${base}/confirm?id=${id}`, {})

/** The tasks of archives of an exam. */
const tasksOf = async (examId: string) =>
  (
    await t.pool.query<{ id: string; createUser: string; reason: string }>(
      `SELECT id, "createUser", reason FROM exporttask WHERE "bizType" = 'examArchive' AND params->>'examId' = $1`,
      [examId],
    )
  ).rows

/** A full archive that one person asks for and another one confirms. @returns the id of its task */
async function askedByTwo(examId: string): Promise<string> {
  const { data } = await ask(examId, 'full', proof())
  expect(data).toEqual({ taskId: '', waits: expect.any(String) })
  expect((await confirm(data.waits)).code).toBe(200)
  return (await tasksOf(examId))[0]?.id ?? ''
}

const taskOf = (id: string) => t.db.selectFrom('exporttask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function bytesOf(id: string): Promise<Buffer> {
  const { fileId } = await taskOf(id)
  const { name } = await t.db.selectFrom('attach').select('name').where('id', '=', fileId).executeTakeFirstOrThrow()
  return t.app.storage.get(name)
}

async function unpacked(bytes: Buffer): Promise<{ folder: string; files: Map<string, Buffer> }> {
  const files = unzip(bytes)
  return { folder: await written(files), files }
}

/** Writes files into a folder of their own. */
async function written(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const folder = await writtenFolder(files)
  folders.push(folder)
  return folder
}

/** What a person sees who opens the archive from a folder, without a network. */
async function looksOffline(folder: string, { signNo, receipt }: { signNo: string; receipt: string }): Promise<void> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ offline: true })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(pathToFileURL(path.join(folder, 'index.html')).href)
    await page.getByText('3 / 3').waitFor()
    const section = (id: string) => page.locator(`#${id}`)
    await section('posts').getByText('内科医师').waitFor()
    await section('objections').getByText(receipt, { exact: true }).waitFor()
    await section('objections').getByText('学历不符合岗位要求').waitFor()
    await section('lists').getByRole('link', { name: '资格审核公示_PDF文件.pdf' }).waitFor()
    await section('lists').getByRole('link', { name: '资格审核公示', exact: true }).click()
    await page.getByRole('heading', { name: '资格审核公示' }).waitFor()
    await page.getByText('考*生').waitFor()
    await page.getByRole('link', { name: '返回' }).click()
    await page.getByRole('searchbox').fill(signNo)
    await page.getByText('1 / 3').waitFor()
    await page.getByRole('link', { name: signNo }).click()
    await page.getByRole('heading', { name: '=1+1' }).waitFor()
    for (const text of ['100.50', '考*生', receipt, '报名表.pdf', '准考证_笔试.pdf'])
      await page.getByText(text).first().waitFor()
    const paper = await page.getByRole('link', { name: '报名表.pdf' }).getAttribute('href')
    expect(existsSync(fileURLToPath(new URL(paper ?? '', page.url())))).toBe(true)
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
}

test('cells of tables are never calculated', () => {
  expect(['=1+1', '@x', '-5', 'a,"b"', '\t='].map(one => csvCell(one))).toEqual([
    "'=1+1",
    "'@x",
    "'-5",
    '"a,""b"""',
    "'\t=",
  ])
  expect(csvCell(-5, true)).toBe('-5')
})

describe('the whole archive', () => {
  test('takes a reason and the password, stands offline, and verifies until something is changed', async () => {
    const made = await closedExam(3)
    const { examId } = made
    const frozen = await withFrozen(made)
    expect((await ask(examId, 'full')).code).not.toBe(200)
    expect((await ask(examId, 'full', { reason: '归档', password: encrypt(t, 'Wrong@2026') })).code).not.toBe(200)
    const taskId = await askedByTwo(examId)
    await t.app.queue.workOff()

    expect(await taskOf(taskId)).toMatchObject({ taskStatus: 2 })
    const { folder, files } = await unpacked(await bytesOf(taskId))
    expect(await verify(folder)).toEqual({ code: 0, out: expect.stringContaining('OK') })

    const csv = files.get('tables/signup.csv')?.toString() ?? ''
    expect(csv.startsWith('\ufeff')).toBe(true)
    expect(csv).toContain("'=1+1")
    expect(files.get('tables/payrecord.csv')?.toString()).toContain('100.50,10050')
    const forms = [...files.keys()].filter(name => name.startsWith('pdf/'))
    expect(forms.filter(name => name.endsWith('/报名表.pdf'))).toHaveLength(3)
    expect(forms.filter(name => name.endsWith('/准考证_笔试.pdf'))).toHaveLength(1)
    expect([...files.keys()].filter(name => name.startsWith('view/data/p-'))).toHaveLength(3)
    const pages = ['index.html', 'view/person.html'].map(name => files.get(name)?.toString() ?? '')
    for (const page of pages) expect(page).not.toMatch(/https?:|fetch\(/)
    // What was frozen is there as it was.
    const { receipt, batchNo } = frozen
    for (const [name, text] of [
      ['pdf/公示/资格审核公示_PDF文件.pdf', 'the frozen list'],
      ['pdf/公示/资格审核公示_XLSX文件.xlsx', 'the frozen table'],
      [`files/异议/${receipt}_材料一.jpg`, 'the paper'],
      [`pdf/缴费台账/${batchNo}_导出文件.xlsx`, 'the ledger'],
    ] as const)
      expect([name, files.get(name)?.toString()]).toEqual([name, text])
    const counts = JSON.parse(files.get('tables/counts.json')?.toString() ?? '{}')
    expect(counts).toMatchObject({ publicityrow: 1, objection: 1, exportpay: 1, event: 1, message: 1, delivery: 1 })
    const deliveries = files.get('tables/delivery.jsonl')?.toString() ?? ''
    expect(deliveries).toContain('2222')
    expect(deliveries).not.toContain(frozen.address)
    await looksOffline(folder, frozen)

    const name = 'tables/signup.csv'
    await writeFile(path.join(folder, name), Buffer.concat([files.get(name) as Buffer, Buffer.from(' ')]))
    expect(await verify(folder)).toEqual({ code: 1, out: expect.stringContaining(`changed: ${name}`) })
    await rm(path.join(folder, name))
    expect(await verify(folder)).toEqual({ code: 1, out: expect.stringContaining(`missing: ${name}`) })
    await writeFile(path.join(folder, name), files.get(name) as Buffer)
    await writeFile(path.join(folder, 'tables/more.csv'), 'x')
    expect(await verify(folder)).toEqual({ code: 1, out: expect.stringContaining('added: tables/more.csv') })
    await rm(path.join(folder, 'tables/more.csv'))
    // Whoever writes the list anew has no key to sign it.
    const list = files.get('MANIFEST.sha256') as Buffer
    await writeFile(path.join(folder, 'MANIFEST.sha256'), list.toString().split('\n').slice(1).join('\n'))
    expect(await verify(folder)).toEqual({ code: 1, out: expect.stringContaining('signature') })
  })

  test('is not entered where the disk has no room for it', async () => {
    const { examId, ids } = await closedExam(1)
    const huge = await insert(t.app, Attach, { ownerId: ids[0] as string })
    // One file stands for many.
    await t.pool.query('ALTER TABLE attach ALTER "attachSize" TYPE bigint')
    await t.pool.query('UPDATE attach SET "attachSize" = 9e15 WHERE id = $1', [huge.id])
    expect(await ask(examId, 'full', proof())).toMatchObject({ code: 30101 })
    expect(await tasksOf(examId)).toEqual([])
    const rows = await t.db.selectFrom('examarchive').select('id').where('examId', '=', examId).execute()
    expect(rows).toEqual([])
    await t.db.deleteFrom('attach').where('id', '=', huge.id).execute()
  })

  test('is all that archiving an exam asks for', async () => {
    const { examId } = await closedExam(1)
    const who = { tenantId: admin.tenantId, userId: admin.userId }
    const line = async () =>
      (await archiveLines(liveAs(t.app, who), examId, t.app.now()))?.find(one => one.key === 'export')?.ok
    expect(await line()).toBe(false)
    await ask(examId, 'masked')
    await t.app.queue.workOff()
    expect(await line()).toBe(false)
    await askedByTwo(examId)
    await t.app.queue.workOff()
    expect(await line()).toBe(true)
  })

  test('shows no number, form or paper where it is masked', async () => {
    const { examId, ids } = await closedExam(1)
    const { data } = await ask(examId, 'masked')
    expect(data).toEqual({ taskId: expect.any(String), waits: '' })
    await t.app.queue.workOff()
    const { folder, files } = await unpacked(await bytesOf(data.taskId))
    expect((await verify(folder)).code).toBe(0)
    const { idCard } = await t.db
      .selectFrom('signup')
      .select('idCard')
      .where('id', '=', ids[0] as string)
      .executeTakeFirstOrThrow()
    const number = t.app.vault.open(idCard)
    for (const content of files.values()) expect(content.includes(number)).toBe(false)
    expect([...files.keys()].filter(name => /^(files|pdf)\//.test(name))).toEqual([])
  })

  test('goes on where it was when its process is gone, and leaves no parts behind', async () => {
    const { examId } = await closedExam(12)
    const taskId = await askedByTwo(examId)
    const { storage } = t.app
    const put = storage.putStream
    let made = 0
    // The storage is away from the eleventh part on: what is finished is kept.
    storage.putStream = async (key, bytes) => {
      made++
      if (made > 10) throw new Error('the process is gone')
      return put(key, bytes)
    }
    await t.app.queue.workOff()
    expect(made).toBe(11)
    const finished = made - 1
    storage.putStream = async (key, bytes) => {
      made++
      return put(key, bytes)
    }
    t.setNow(new Date(t.app.now().getTime() + 60_000))
    await t.app.queue.workOff()
    storage.putStream = put
    const task = await taskOf(taskId)
    expect(task).toMatchObject({ taskStatus: 2 })
    // Each part once, the one that failed again, and the archive itself.
    expect(made).toBe(finished + 1 + (Number(task.rowNum) - finished) + 1)
    const { folder, files } = await unpacked(await bytesOf(taskId))
    expect(await verify(folder)).toEqual({ code: 0, out: expect.stringContaining('OK') })
    expect([...files.keys()].filter(name => name.startsWith('view/data/p-'))).toHaveLength(12)
  })

  test('has volumes by position above a length, each once though its process is gone between two of them', async () => {
    const { examId, ids } = await closedExam(9)
    for (const [i, id] of ids.entries())
      await t.pool.query('UPDATE signup SET "finalCode" = $2 WHERE id = $1', [id, `V0${1 + Math.floor(i / 3)}`])
    const { storage, config } = t.app
    const before = config.archiveVolume
    config.archiveVolume = 200_000
    const put = storage.putStream
    const stored: string[] = []
    let isAway = true
    storage.putStream = async (key, bytes) => {
      // The second volume meets a storage that is away.
      if (isAway && key.endsWith('.zip') && stored.some(one => one.endsWith('.zip')))
        throw new Error('the storage is away')
      stored.push(key)
      return put(key, bytes)
    }
    const taskId = await askedByTwo(examId)
    await t.app.queue.workOff()
    expect(stored.filter(key => key.endsWith('.zip'))).toHaveLength(1)
    isAway = false
    // A password is taken a few times in a quarter of an hour.
    t.setNow(new Date(t.app.now().getTime() + 16 * 60_000))
    await t.app.queue.workOff()
    storage.putStream = put
    config.archiveVolume = before

    const tasks = (await tasksOf(examId)).map(one => one.id)
    const volumes = await Promise.all(tasks.map(taskOf))
    const count = volumes.length
    expect(stored.filter(key => key.endsWith('.zip'))).toHaveLength(count)
    expect(new Set(stored).size).toBe(stored.length)
    expect(volumes.map(one => [one.taskStatus, one.sensitive, one.createUser, one.reason])).toEqual(
      volumes.map(() => [2, 1, admin.userId, '归档']),
    )
    const titles = volumes.map(one => /第\d卷共\d卷$/.exec(one.title ?? '')?.[0]).toSorted()
    expect(titles).toEqual(volumes.map((_, i) => `第${i + 1}卷共${count}卷`))
    expect(volumes.find(one => one.id === taskId)?.title).toMatch(/第1卷/)
    // Nobody's people are in two volumes, and all of them in one folder are the archive.
    const parts = await Promise.all(tasks.map(async id => unzip(await bytesOf(id))))
    const people = parts.map(files => [...files.keys()].filter(name => name.startsWith('view/data/p-')).length)
    expect(people.reduce((sum, n) => sum + n, 0)).toBe(9)
    expect(people.every(n => n % 3 === 0)).toBe(true)
    const all = new Map(parts.flatMap(files => [...files]))
    expect(all.get('README.txt')?.toString()).toContain(`共 ${count} 卷`)
    expect(all.get('README.txt')?.toString()).toMatch(/ {2}2\/\d {2}V0\d/)
    const folder = await written(all)
    expect(await verify(folder)).toEqual({ code: 0, out: expect.stringContaining('OK') })
    const left = await readdir(t.app.config.dataDir, { recursive: true })
    expect(left.filter(name => name.endsWith('.part'))).toEqual([])
  })
})

describe('the full archive', () => {
  const waiting = async (who: Caller) =>
    (
      await asCaller(t, who).get<{ records: { examId: string }[] }>(`${base}/page?chip=等我确认&size=100`)
    ).data.records.map(one => one.examId)
  const todo = async (who: Caller): Promise<number> => {
    const { data } = await asCaller(t, who).get<{ todo: { title: string; num: number }[] }>('/blade-desk/home/staff')
    return data.todo.find(one => one.title === '待确认的完整归档包')?.num ?? 0
  }

  test('takes two people: whoever asked neither confirms nor asks anew', async () => {
    const { examId } = await closedExam(1)
    const before = await todo(second)
    const { data } = await ask(examId, 'full', proof())
    await t.app.queue.workOff()
    expect(await tasksOf(examId)).toEqual([])
    // Asked for again it is the same; for something else it is refused while the first one waits.
    expect((await ask(examId, 'full', proof())).data).toEqual(data)
    expect((await ask(examId, 'full', { ...proof(), reason: '移交' })).code).toBe(30102)
    expect((await confirm(data.waits, admin)).code).toBe(24018)
    expect(await tasksOf(examId)).toEqual([])
    expect([await waiting(admin), await waiting(second)]).toEqual([
      expect.not.arrayContaining([examId]),
      expect.arrayContaining([examId]),
    ])
    expect(await todo(second)).toBe(before + 1)
    expect((await confirm(data.waits)).code).toBe(200)
    expect(await todo(second)).toBe(before)
    const tasks = await tasksOf(examId)
    // It is of whoever asked, and made once however often it is confirmed.
    expect(tasks).toEqual([{ id: expect.any(String), createUser: admin.userId, reason: '归档' }])
    expect((await confirm(data.waits)).code).toBe(200)
    expect(await tasksOf(examId)).toEqual(tasks)
    await t.app.queue.workOff()
    const { files } = await unpacked(await bytesOf(tasks[0]?.id ?? ''))
    expect(files.get('README.txt')?.toString()).toMatch(/确认人 \/ confirmed by: [^-\n]/)
    const history = await asCaller(t, second).get<{ act: string }[]>(`${base}/history?id=${data.waits}`)
    expect(JSON.stringify(history.data)).toContain(admin.userId)
  })

  test('that is refused is not made, and may be asked for anew', async () => {
    const { examId } = await closedExam(1)
    const { data } = await ask(examId, 'full', proof())
    expect((await asCaller(t, second).post(`${base}/drop?id=${data.waits}`, { reason: '公示未结束' })).code).toBe(200)
    expect((await confirm(data.waits)).code).not.toBe(200)
    await t.app.queue.workOff()
    expect(await tasksOf(examId)).toEqual([])
    await tellDue(t.app)
    const told = await t.db.selectFrom('message').select('userId').where('code', '=', 'examarchive.dropped').execute()
    expect(told).toEqual([{ userId: admin.userId }])
    expect((await ask(examId, 'full', proof())).data.waits).not.toBe(data.waits)
  })

  test('is not made for somebody who lost the right to it meanwhile', async () => {
    const { examId } = await closedExam(1)
    const { data } = await ask(examId, 'full', proof())
    const { roleId } = await t.db
      .selectFrom('user')
      .select('roleId')
      .where('id', '=', admin.userId)
      .executeTakeFirstOrThrow()
    await t.pool.query(`UPDATE "user" SET "roleId" = '' WHERE id = $1`, [admin.userId])
    expect((await confirm(data.waits)).code).not.toBe(200)
    await t.pool.query(`UPDATE "user" SET "roleId" = $2 WHERE id = $1`, [admin.userId, roleId])
    expect(await tasksOf(examId)).toEqual([])
    expect((await confirm(data.waits)).code).toBe(200)
  })
})

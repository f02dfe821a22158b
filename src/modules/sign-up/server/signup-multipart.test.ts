import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { pdfText } from '../../../../tests/helper/pdf-text.ts'
import {
  type Applicant,
  applicant,
  formOf,
  makeExam,
  rowsOf,
  type Saved,
  signApp,
} from '../../../../tests/helper/sign-bench.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

const jpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7fb2e5' } })
    .jpeg()
    .toBuffer()

const fileOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })

const send = (who: Applicant, form: FormData) =>
  t.call<Saved & object[]>({
    method: 'POST',
    url: '/api/blade-signup/signup/submit',
    headers: who.headers,
    payload: form as never,
  })

/** A form as a client with an upload control of its own sends it. */
async function formWith(examId: string, more: Record<string, string> = {}) {
  const form = new FormData()
  const content = JSON.stringify({ education: '30', major: '临床医学' })
  const fields = { examId, code: 'A01', draft: '0', consentVersion: '1.0', content, ...more }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

describe('a sign-up that comes as a form with files', () => {
  it('is handed in like any other, its files kept and bound', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const form = await formWith(exam.id)
    form.append('photo', fileOf(await jpeg(295, 413)), '证件照.jpg')
    form.append('degree', fileOf(await jpeg(600, 400)), '学位一.jpg')
    form.append('degree', fileOf(await jpeg(600, 400)), '学位二.jpg')
    const { code, data } = await send(who, form)
    expect([code, data.signStatus]).toEqual([200, 1])
    const [row] = await rowsOf(t, exam.id)
    const files = row?.files as { fileCode: string; list: { attachId: string; name: string }[] }[]
    expect(files.map(slot => [slot.fileCode, slot.list.map(file => file.name)])).toEqual([
      ['photo', ['证件照.jpg']],
      ['degree', ['学位一.jpg', '学位二.jpg']],
    ])
    const kept = await t.db.selectFrom('attach').selectAll().where('ownerId', '=', row!.id).orderBy('id').execute()
    expect(kept.map(one => one.ownerType)).toEqual(['photo', 'signup', 'signup'])
    expect(row?.photo).toBe(kept[0]?.id)
  })

  it('may hold the whole sign-up as JSON and files uploaded before', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const form = new FormData()
    form.set('data', JSON.stringify(formOf(who, exam.id)))
    expect((await send(who, form)).code).toBe(200)
  })

  it.each([
    ['content that is no JSON', { content: '{' }, 29005],
    ['a field nobody knows', { examine: '1' }, 29005],
    ['a number that is none', { draft: 'x' }, 29005],
    ['no position', { code: '' }, 22006],
  ])('is refused with %s', async (_, more, code) => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const form = await formWith(exam.id, more)
    form.append('photo', fileOf(await jpeg(295, 413)), 'a.jpg')
    expect((await send(who, form)).code).toBe(code)
    expect(await rowsOf(t, exam.id)).toEqual([])
  })

  it('is refused with a file that is not what it says, and without an exam', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const wrong = await formWith(exam.id)
    wrong.append('photo', fileOf(Buffer.from('<script>')), 'a.jpg')
    expect((await send(who, wrong)).code).toBe(28003)
    const headless = new FormData()
    headless.append('photo', fileOf(await jpeg(295, 413)), 'a.jpg')
    expect((await send(who, headless)).code).toBe(29005)
  })

  it('may name the exam after its files', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const form = new FormData()
    form.append('photo', fileOf(await jpeg(295, 413)), '证件照.jpg')
    form.append('degree', fileOf(await jpeg(600, 400)), '学位.jpg')
    for (const [name, value] of await formWith(exam.id)) form.append(name, value as string)
    expect(await send(who, form)).toMatchObject({ code: 200, data: { signStatus: 1 } })
  })
})

describe('the printed form of what is being filled in', () => {
  const print = (who: Applicant, payload: object) =>
    t.app.inject({ method: 'POST', url: '/api/blade-signup/signup/exportPDFView', headers: who.headers, payload })

  it('is a draft, and nothing is stored', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { consentVersion: _, ...sheet } = formOf(who, exam.id)
    const answer = await print(who, sheet)
    expect(answer.headers['content-type']).toBe('application/pdf')
    const text = pdfText(answer.rawPayload).join('')
    expect(text).toContain('草稿')
    expect(text).toContain('临床医学')
    expect(await rowsOf(t, exam.id)).toEqual([])
  })

  it("takes nobody else's files, and asks what it is to print", async () => {
    const { exam } = await makeExam(t)
    const [who, other] = [await applicant(t), await applicant(t)]
    expect((await print(who, formOf(other, exam.id))).json().code).toBe(28009)
    expect((await print(who, {})).json().code).toBe(29005)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExamStatus, PublicityKind, PublicityStatus } from '#schemas/dictionaries'
import { Publicity } from '#schemas/publicity/publicity'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { candidateOf } from '../../../../tests/helper/seat-bench.ts'

let t: TestApp
let admin: Caller
let candidate: Caller
let examId: string
beforeAll(async () => {
  t = await testApp({ now: '2027-02-10 09:00:00' })
  admin = await signIn(t, { role: 'administrator' })
  const made = await makeDraft(t, {
    exam: {
      examStatus: ExamStatus.released,
      publicityStart: shanghai('2027-02-05 09:00:00'),
      publicityEnd: shanghai('2027-02-15 09:00:00'),
    },
  })
  examId = made.exam.id
  candidate = (await candidateOf(t, examId)).caller
})
afterAll(() => t.close())

interface Standing {
  phases: string[]
  deadline: { label: string; at: string } | ''
}

/** Where everybody who looks at the exam finds its public notice. */
async function seen() {
  const staff = asCaller(t, admin)
  const own = asCaller(t, candidate)
  const { data: list } = await staff.get<{ records: (Standing & { id: string })[] }>(
    '/blade-exam/examination/page?size=50',
  )
  const { data: place } = await staff.get<{ line: { phase: string; end: string; state: string }[] }>(
    `/blade-exam/examination/workspace?id=${examId}`,
  )
  const { data: home } = await staff.get<{ exams: (Standing & { id: string })[] }>('/blade-desk/home/staff')
  const { data: page } = await own.get<{ exam: Standing }>(
    `/blade-signup/signup/getExamInfoOrSignUpInfo?examId=${examId}`,
  )
  const { data: mine } = await own.get<{ records: { line: { station: string; time: string }[] }[] }>(
    '/blade-signup/signup/myExamList',
  )
  const row = list.records.find(one => one.id === examId)
  return {
    list: row?.phases.includes('公示中'),
    deadline: (row?.deadline || undefined)?.at,
    home: home.exams.some(one => one.id === examId && one.phases.includes('公示中')),
    page: page.exam.phases.includes('公示中'),
    line: place.line.find(one => one.phase === '公示中'),
    mine: mine.records[0]?.line.find(one => one.station === 'PUBLICITY')?.time,
  }
}

test('an exam is on public notice while one of its lists is, wherever it is looked at', async () => {
  expect(await seen()).toMatchObject({ list: false, home: false, page: false, line: { state: 'before' } })
  const list = await insert(t.app, Publicity, {
    examId,
    itemId: null,
    publicityKind: PublicityKind.hiring,
    publicityStatus: PublicityStatus.released,
    startTime: shanghai('2027-02-08 09:00:00'),
    endTime: shanghai('2027-02-19 17:00:00'),
  })
  const end = '2027-02-19 17:00:00'
  expect(await seen()).toEqual({
    list: true,
    deadline: end,
    home: true,
    page: true,
    line: expect.objectContaining({ end, state: 'open' }),
    mine: '2027-02-08 09:00:00',
  })
  const correction = { publicityKind: PublicityKind.correction, publicityStatus: PublicityStatus.released } as const
  const other = await insert(t.app, Publicity, {
    ...correction,
    examId,
    itemId: null,
    replaces: list.id,
    startTime: shanghai('2027-02-09 09:00:00'),
    endTime: shanghai('2027-02-22 17:00:00'),
  })
  expect((await seen()).deadline).toBe('2027-02-22 17:00:00')
  const takeBack = (id: string) =>
    t.db.updateTable('publicity').set({ publicityStatus: PublicityStatus.withdrawn }).where('id', '=', id).execute()
  await takeBack(other.id)
  expect((await seen()).deadline).toBe(end)
  await takeBack(list.id)
  expect(await seen()).toMatchObject({ list: false, home: false, page: false, line: { state: 'before' } })
})

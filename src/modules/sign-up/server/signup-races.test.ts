import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Attach } from '#schemas/resource/attach'
import { User } from '#schemas/system/user'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { insert, sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'
import {
  type Applicant,
  applicant,
  at,
  formOf,
  get,
  makeExam,
  post,
  put,
  rowsOf,
  signApp,
  submit,
  times as windows,
} from '../../../../tests/helper/sign-bench.ts'
import { readBeforeMoving } from '../../../../tests/helper/without-locks.ts'
import type { Caller as SignCaller } from '../../../platform/access/server/caller.ts'
import { Refusal } from '../../../platform/http/server/refusal.ts'
import { placeRefusal } from './choices.ts'
import { placeDifferences } from './place-check.ts'
import { submit as submitSignup } from './submit.ts'

let t: TestApp
let other: TestApp
beforeAll(async () => {
  t = await signApp()
  other = await testApp({ url: t.url, now: t.app.now() })
})
afterAll(async () => {
  await other.close()
  await t.close()
})

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

describe('the same form sent many times', () => {
  it('makes one sign-up without a key: the others are told so', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const answers = await Promise.all(times(50, i => submit(i % 2 ? t : other, who, exam.id)))
    const codes = answers.map(answer => answer.code).sort()
    expect(codes).toEqual([200, ...times(49, () => 22003)])
    expect(await rowsOf(t, exam.id)).toHaveLength(1)
  })

  it('makes one sign-up with a key, and everybody gets the same answer', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const answers = await Promise.all(times(50, i => submit(i % 2 ? t : other, who, exam.id, {}, 'form-1')))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 200, data: { signStatus: 1 } })
    expect(await rowsOf(t, exam.id)).toHaveLength(1)
    const changed = await submit(t, who, exam.id, { adjustAccept: 1 }, 'form-1')
    expect(changed).toMatchObject({ code: 29006, status: 409 })
  })

  it('takes a corrected form with the same key after a refusal', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    expect((await submit(t, who, exam.id, { consentVersion: '' }, 'form-2')).code).toBe(22011)
    expect((await submit(t, who, exam.id, {}, 'form-2')).code).toBe(200)
  })

  it('keeps one of two tabs with two positions', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const codes = await Promise.all(['A01', 'A02'].map(code => submit(t, who, exam.id, { code })))
    expect(codes.map(answer => answer.code).sort()).toEqual([200, 22003])
  })

  it('lets one of two people with one ID number sign up', async () => {
    const { exam } = await makeExam(t)
    const [one, two] = [await applicant(t), await applicant(t)]
    expect((await submit(t, one, exam.id)).code).toBe(200)
    const idCard = await t.db
      .selectFrom('user')
      .select(['idCard', 'idCardHash'])
      .where('id', '=', one.userId)
      .executeTakeFirstOrThrow()
    await t.db.updateTable('user').set({ idCard: null, idCardHash: null }).where('id', '=', one.userId).execute()
    await t.db.updateTable('user').set(idCard).where('id', '=', two.userId).execute()
    const answer = await submit(t, two, exam.id)
    expect(answer).toMatchObject({ code: 22004, msg: '该证件号码已报名本考试，请联系0591-1' })
  })
})

/** Two hundred people who only exist in the database: what is raced is the rule, not the login. */
async function crowd(n: number): Promise<Applicant[]> {
  return Promise.all(
    times(n, async i => {
      const user = await insert(t.app, User, {
        account: `crowd${n}x${Math.random()}`,
        userType: 2,
        accountStatus: 1,
        deptId: null,
        phone: samplePhone(800_000 + i + n * 1000),
        idCard: sampleIdCard(800_000 + i + n * 1000),
      })
      const photo = await insert(t.app, Attach, {
        ownerType: 'photo',
        ownerId: null,
        createUser: user.id,
        extension: 'jpg',
        attachSize: 9,
        visible: 3,
        scanState: 1,
      })
      return { userId: user.id, tenantId: '000000', headers: {}, photo: photo.id }
    }),
  )
}

/** All of them at once, by two processes in turns. */
async function rush(people: readonly Applicant[], examId: string): Promise<number[]> {
  return Promise.all(
    people.map(async (who, i) => {
      const { db, vault } = (i % 2 ? t : other).app
      const person = { userId: who.userId, tenantId: who.tenantId, deptIds: [] as string[] }
      const caller = { db, vault, person, now: t.app.now(), ip: '' } as unknown as SignCaller
      try {
        await submitSignup(caller, formOf(who, examId))
        return 200
      } catch (error) {
        const refusal = error instanceof Refusal ? error : placeRefusal(error)
        if (refusal) return refusal.code
        throw error
      }
    }),
  )
}

describe('places', () => {
  it('gives five places to exactly five of two hundred, of a position and of an exam', async () => {
    const people = await crowd(200)
    for (const made of [await makeExam(t, { post: { maxSignup: 5 } }), await makeExam(t, { exam: { maxSignup: 5 } })]) {
      const codes = await rush(people, made.exam.id)
      expect(codes.filter(code => code === 200)).toHaveLength(5)
      expect(codes.filter(code => code === 22005)).toHaveLength(195)
      expect(await rowsOf(t, made.exam.id)).toHaveLength(5)
      expect(await placeDifferences(t.db, made.exam.id)).toEqual([])
      await t.db.updateTable('attach').set({ ownerId: null }).where('ownerType', '=', 'photo').execute()
    }
  })

  it('gives away more when the count is read before it is moved, which is why moving it decides', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 5 } })
    await readBeforeMoving(t, async () => {
      await rush(await crowd(12), exam.id)
      expect((await rowsOf(t, exam.id)).length).toBeGreaterThan(5)
    })
  })

  it('holds for an exam as a whole, and frees a place that is given up', async () => {
    const { exam } = await makeExam(t, { exam: { maxSignup: 1 } })
    const [one, two] = [await applicant(t), await applicant(t)]
    const { id } = (await submit(t, one, exam.id)).data
    expect((await submit(t, two, exam.id, { code: 'A02' })).code).toBe(22005)
    await post(t, one, 'giveUp', { id })
    expect((await submit(t, two, exam.id, { code: 'A02' })).code).toBe(200)
    expect((await submit(t, one, exam.id)).code).toBe(22005)
  })

  it('counts a refused one out and asks for a place when it comes back', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 1 } })
    const [one, two] = [await applicant(t), await applicant(t)]
    const { id } = (await submit(t, one, exam.id)).data
    await put(t, id, { examine: 2 })
    expect((await submit(t, two, exam.id)).code).toBe(200)
    expect((await submit(t, one, exam.id, { id })).code).toBe(22005)
    expect((await submit(t, one, exam.id, { id, code: 'A02' })).code).toBe(200)
    const page = await get<{ positions: object[] }>(t, one, `getExamInfoOrSignUpInfo?examId=${exam.id}`)
    expect(page.data.positions).toMatchObject([
      { code: 'A01', full: true, selectable: false, reason: '已满', signNum: 1 },
      { code: 'A02', full: false, selectable: true, reason: '', signNum: 1 },
    ])
  })

  it('judges the window by the arrival of a request, however long it waits', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 5 } })
    await submit(t, await applicant(t), exam.id)
    const who = await applicant(t)
    const client = await t.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(`SELECT 1 FROM place_count WHERE "examId" = $1 AND code = 'A01' FOR UPDATE`, [exam.id])
      await at(t, new Date(shanghai(windows.end).getTime() - 1))
      const answer = submit(t, who, exam.id)
      await sleep(700)
      await at(t, windows.end)
      await client.query('ROLLBACK')
      expect(await answer).toMatchObject({ code: 200 })
      expect((await submit(t, await applicant(t), exam.id)).code).toBe(22002)
    } finally {
      await client.query('ROLLBACK')
      client.release()
      await at(t, windows.inside)
    }
  })

  it('answers 29007 when the count of the position stays locked', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 5 } })
    await submit(t, await applicant(t), exam.id)
    const who = await applicant(t)
    const client = await t.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(`SELECT 1 FROM place_count WHERE "examId" = $1 AND code = 'A01' FOR UPDATE`, [exam.id])
      expect(await submit(t, who, exam.id)).toMatchObject({ code: 29007, status: 429 })
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    expect((await submit(t, who, exam.id)).code).toBe(200)
  })
})

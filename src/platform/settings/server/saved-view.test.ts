import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExamineStatus, ExamRole, SignStatus, ViewAudience } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examuser } from '#schemas/exams/examuser'
import { Signup } from '#schemas/sign-up/signup'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, sampleIdCard } from '../../../../tests/helper/sample.ts'

const base = '/blade-system/savedview'
let t: TestApp
let officer: Caller
let chushen: Caller
let rechecker: Caller

beforeAll(async () => {
  t = await testApp({ now: '2026-06-15 08:00:00' })
  officer = await signIn(t, { role: 'exam_admin' })
  chushen = await signIn(t, { role: 'reviewer' })
  rechecker = await signIn(t, { role: 'rechecker' })
})
afterAll(() => t.close())

const send = async (path: string, { headers }: Caller, payload: object) => {
  const reply = await t.app.inject({ method: 'POST', url: `/api${base}/${path}`, headers, payload })
  return reply.json() as { code: number; data: { id: string } }
}
const read = async <T>(url: string, { headers }: Caller) =>
  ((await t.app.inject({ url: `/api${url}`, headers })).json() as { data: T }).data
interface Seen {
  id: string
  title: string
  isMine: boolean
  content: { filters: Record<string, string> }
}
const seen = (who: Caller) => read<Seen[]>(`${base}/own`, who)
const titles = async (who: Caller) => (await seen(who)).map(({ title }) => title)
const keep = async (who: Caller, title: string, filters: object = {}) =>
  (await send('keep', who, { resource: 'signup', title, content: { filters } })).data.id
const roleId = async (alias: string) =>
  (await t.pool.query<{ id: string }>(`SELECT id FROM role WHERE "roleAlias" = $1 AND "tenantId" = '000000'`, [alias]))
    .rows[0]!.id

test('a view shared with reviewers is theirs to look through, at their own rows', async () => {
  const { id: examId } = await insert(t.app, Examination, { examCode: 'V1' })
  const person = { examId, examRole: ExamRole.firstReviewer, units: 'U1', startTime: null, endTime: null, codes: null }
  await insert(t.app, Examuser, { ...person, userId: chushen.userId })
  const waiting = { examId, signStatus: SignStatus.submitted, examine: ExamineStatus.pending }
  const names = ['甲', '乙', '丙', '丁']
  for (const [at, name] of names.entries()) {
    const createTime = new Date(Date.parse(at < 2 ? '2026-06-12T00:00:00Z' : '2026-06-15T00:00:00Z'))
    const unit = at % 2 ? 'U2' : 'U1'
    await insert(t.app, Signup, {
      ...waiting,
      name,
      unit,
      finalUnit: null,
      createTime,
      userId: String(900 + at),
      idCard: sampleIdCard(900 + at),
    } as never)
  }
  const id = await keep(officer, '超 24 小时', { examine: '0', createTime_datelt: '2026-06-14 08:00:00' })
  expect(await titles(chushen)).toEqual([])
  const shared = { audience: ViewAudience.roles, roles: await roleId('reviewer') }
  expect((await send(`share?id=${id}`, officer, shared)).code).toBe(200)

  const [view] = await seen(chushen)
  expect(view).toMatchObject({ id, title: '超 24 小时', isMine: false })
  expect(await titles(rechecker)).toEqual([])
  const query = new URLSearchParams(view!.content.filters)
  const { records } = await read<{ records: { name: string }[] }>(`/blade-signup/signup/page?${query}`, chushen)
  expect(records.map(({ name }) => name)).toEqual(['甲'])
})

test('the rows of all views of a list are counted at once, as the list finds them in its place; one that fits no more is left out', async () => {
  const { rows } = await t.pool.query<{ id: string }>(`SELECT id FROM examination WHERE "examCode" = 'V1'`)
  const within = JSON.stringify({ examId: rows[0]?.id })
  const ids = await Promise.all([
    keep(chushen, '等待', { examine: '0' }),
    keep(chushen, '七天', { createTime_dategt: '$today-1 00:00:00' }),
    keep(chushen, '旧的', { nothing: '1' }),
  ])
  const counted = async (who: Caller, resource: string, place = within) =>
    read<{ id: string; number: string | number }[]>(
      `${base}/counts?${new URLSearchParams({ resource, within: place })}`,
      who,
    )
  const found = new Map((await counted(chushen, 'signup')).map(({ id, number }) => [id, Number(number)]))
  // Two of one's own unit wait, one of them since today.
  expect(ids.map(id => found.get(id))).toEqual([2, 1, undefined])
  expect((await counted(chushen, 'signup', '{"examId":"1"}')).map(({ number }) => Number(number))).not.toContain(2)
  // Of a list that one may not look at there is nothing to count.
  await keep(chushen, '参数')
  expect(await counted(chushen, 'param', '{}')).toEqual([])
  const refused = await t.app.inject({ url: `/api${base}/counts?resource=signup&within=[1]`, headers: chushen.headers })
  expect(refused.json()).toMatchObject({ code: 29005 })
  for (const id of ids) await send('drop', chushen, { id })
})

test('without the right nothing is shared, and nobody changes what another has made', async () => {
  const own = await keep(chushen, '我的')
  expect((await send(`share?id=${own}`, chushen, { audience: ViewAudience.everyone })).code).toBe(403)
  expect(await titles(rechecker)).toEqual([])
  // Whoever may share does not share what is somebody's own.
  expect((await send(`share?id=${own}`, officer, { audience: ViewAudience.everyone })).code).toBe(29001)
  const given = { id: own, resource: 'signup', title: '别人的', content: {} }
  expect((await send('keep', officer, given)).code).toBe(29001)
  await send('drop', officer, { id: own })
  expect(await titles(chushen)).toContain('我的')
  expect((await send('keep', chushen, { ...given, title: '改名' })).data.id).toBe(own)
  expect(await titles(chushen)).toContain('改名')
  await send('drop', chushen, { id: own })
  expect(await titles(chushen)).not.toContain('改名')
})

test('everybody sees what is shared with everybody; roles must be said; what is too much is refused', async () => {
  const id = await keep(officer, '全部可见')
  expect((await send(`share?id=${id}`, officer, { audience: ViewAudience.roles })).code).toBe(29005)
  await send(`share?id=${id}`, officer, { audience: ViewAudience.everyone })
  expect(await titles(rechecker)).toContain('全部可见')
  const stranger = await signIn(t, { role: 'reviewer', tenantId: '000009' })
  expect(await titles(stranger)).toEqual([])
  const content = { filters: { name: 'x'.repeat(9000) } }
  expect((await send('keep', officer, { resource: 'signup', title: '太多', content })).code).toBe(29005)
  const list = await read<{ records: { title: string }[] }>(`${base}/page`, officer)
  expect(list.records.map(({ title }) => title)).toContain('全部可见')
})

import type { FastifyInstance } from 'fastify'
import { domainEvents } from '#resources/events'
import { HoldStatus } from '#schemas/dictionaries'
import { askFullArchive } from '../modules/archives/server/rules.ts'
import { hookSandboxUrl } from '../modules/webhooks/server/sandbox/plugin.ts'
import { keepSecret } from '../modules/webhooks/server/sandbox/received.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveAs } from '../platform/http/server/live.ts'
import { actAs } from './caller.ts'
import { oldExamCode } from './exams.ts'

/** What the other system of the demonstration is told of. */
const told: readonly string[] = [
  'postreduction.cut',
  'payrefund.asked',
  'payrefund.done',
  'reconciliation.differs',
  'publicity.started',
  'examinationitem.ticketsReleased',
  'examinationitem.resultsReleased',
  'examination.windowMoved',
  'datapurge.planned',
]

/** Other systems that are told of events: the sandbox, which has its secret, and one that is not set up yet. */
export async function playHooks(app: FastifyInstance): Promise<void> {
  await actAs(app, 'admin', async ({ get, post }) => {
    const idOf = async (name: string): Promise<string> => {
      const { records } = await get<{ records: { id: string; name: string }[] }>('/blade-develop/hook/page?size=50')
      return records.find(one => one.name === name)?.id ?? ''
    }
    const [sandbox, later] = ['演示接收系统', '人社数据交换平台']
    const events = told.filter(code => domainEvents.has(code)).join(',')
    await post('/blade-develop/hook/submit', { name: later, url: 'https://data.example.org/events', events })
    await post('/blade-develop/hook/submit', {
      name: sandbox,
      url: hookSandboxUrl(app),
      events,
      remark: '收到的推送见 /sandbox/hook/',
    })
    const id = await idOf(sandbox)
    const { secret } = await post<{ secret: string }>(`/blade-develop/hook/issue?id=${id}`)
    await keepSecret(app.pool, secret, app.now())
    await post(`/blade-develop/hook/enable?id=${id}`)
  })
}

/** Somebody has asked for the full archive of an exam; a second person has yet to confirm it. */
export async function playArchive(app: FastifyInstance): Promise<void> {
  await actAs(app, 'jigou', async ({ get, userId }) => {
    const exams = await get<{ records: { id: string; examCode: string }[] }>('/blade-exam/examination/page?size=50')
    const exam = exams.records.find(one => one.examCode.startsWith('XY'))
    if (!exam) return
    const live = liveAs(app, { tenantId: firstTenant, userId })
    // The call itself asks whether the disk has room for it, which a demonstration does not need.
    const order = { examId: exam.id, reason: '档案室移交本场考试的全部资料' }
    await askFullArchive(live, order, { userId, now: app.now() })
  })
}

/** Data of an exam that ended years ago, of whose erasure people are told; those of another are held back by a dispute. */
export async function playPurge(app: FastifyInstance): Promise<void> {
  await actAs(app, 'admin', async ({ get, post }) => {
    const exams = await get<{ records: { id: string; examCode: string }[] }>('/blade-exam/examination/page?size=50')
    const idBy = (start: string) => exams.records.find(one => one.examCode.startsWith(start))?.id
    const [old, disputed] = [idBy(oldExamCode), idBy('XY')]
    if (!old || !disputed) return
    const reason = '考生就笔试成绩申请行政复议，复议期间不得清除'
    await post('/blade-exam/datahold/submit', { examId: disputed, reason })
    await post('/blade-exam/datahold/submit', { examId: old, reason: '纪检部门调阅报名资料' })
    const held = await get<{ records: { id: string; examId: string; holdStatus: number }[] }>(
      '/blade-exam/datahold/page?size=50',
    )
    const ended = held.records.find(one => one.examId === old && one.holdStatus === HoldStatus.held)
    await post(`/blade-exam/datahold/release?id=${ended?.id}`, { reason: '调阅结束，已出具说明' })
    // Of one candidate nobody was there then.
    const people = await get<{ total: number }>(`/blade-signup/signup/page?examId=${old}&size=1`)
    if (Number(people.total) === 0) return
    await post('/blade-exam/datapurge/submit', { examId: old })
    const begun = await get<{ records: { id: string }[] }>('/blade-exam/datapurge/page?size=10')
    await post(`/blade-exam/datapurge/plan?id=${begun.records[0]?.id}`)
  })
}

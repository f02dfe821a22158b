import type { FastifyInstance } from 'fastify'
import { ExamineStatus, PayState, SignStatus } from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { FillFilter } from '../contract.ts'
import { addReceivers, type Receiver } from './receivers.ts'
import { lockDraft, type SendRow, type TextSource, templateOf } from './rows.ts'

/** Keys of template values that the system knows of a candidate. */
const known = ['name', 'examName', 'signNo', 'code'] as const

/** @throws messages.parametersMissing when a template wants a value that the system does not have of everybody */
export function requireKnown({ templateContent }: Pick<TextSource, 'templateContent'>): void {
  const strange = paramsOf(templateContent).filter(name => !(known as readonly string[]).includes(name))
  if (strange.length > 0) throw refuse('messages.parametersMissing', { 参数: strange.join('、') })
}

/**
 * Adds candidates of an exam to a draft: those of a state, as far as the caller may see them. No phone leaves the
 * server.
 * @throws messages.alreadySent, messages.parametersMissing when the template wants a value the system does not have of
 * everybody, workbook.tooManyRows
 */
export async function fillReceivers(
  app: FastifyInstance,
  person: Person,
  send: SendRow,
  examId: string,
  filter: FillFilter,
): Promise<{ num: number; dupNum: number }> {
  const db = liveAs(app, person)
  const template = await templateOf(db, send)
  const receivers = await candidates(app, person, examId, filter)
  requireKnown(template)
  const { added, twice } = await db.transaction().execute(async trx => {
    const draft = await lockDraft(trx, send.id)
    await bindExam(trx, draft, examId)
    return addReceivers(trx, draft, template, receivers)
  })
  return { num: added, dupNum: twice }
}

/** A sending that names candidates of an exam belongs to that exam, so that its staff alone meet their names. */
async function bindExam(db: Live, draft: SendRow, examId: string): Promise<void> {
  if (draft.examId === examId) return
  if (draft.examId) throw refuse('input.invalid', { 说明: '该发送订单属于另一个考试' })
  await db.updateTable('send').set({ examId }).where('id', '=', draft.id).execute()
}

async function candidates(
  app: FastifyInstance,
  person: Person,
  examId: string,
  filter: FillFilter,
): Promise<Receiver[]> {
  const rows = await signUps(app, person)
    .where('s.examId', '=', examId)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('s.phone', 'is not', null)
    .$if(filter === 'passed' || filter === 'unpaid' || filter === 'paid', query =>
      query.where('s.examine', '=', ExamineStatus.approved),
    )
    .$if(filter === 'unpaid', query => query.where('s.payState', '=', PayState.due))
    .$if(filter === 'paid', query => query.where('s.payState', 'in', [PayState.paid, PayState.exempt]))
    .$if(filter === 'rejected', query => query.where('s.examine', '=', ExamineStatus.rejected))
    .$if(filter === 'returned', query => query.where('s.examine', '=', ExamineStatus.returned))
    .execute()
  return rows.map(receiverOf)
}

/** Sign-ups that the caller may see, with what a message to their candidates is made of. */
const signUps = (app: FastifyInstance, person: Person) =>
  liveAs(app, person)
    .selectFrom('signup as s')
    .innerJoin('examination as e', 'e.id', 's.examId')
    .where(inScope(app, person, 'signup', 's'))
    .select(['s.userId', 's.name', 's.signNo', 's.phone', 's.phoneHash', 's.phoneMask', 'e.examName', 'e.id as examId'])
    .select(eb => eb.fn.coalesce('s.finalCode', 's.code').as('code'))
    .orderBy('s.id')

type SignUp = Awaited<ReturnType<ReturnType<typeof signUps>['execute']>>[number]

const receiverOf = (row: SignUp): Receiver => ({
  name: row.name,
  userId: row.userId,
  phone: row.phone ?? '',
  phoneHash: row.phoneHash ?? '',
  phoneMask: row.phoneMask ?? '',
  params: { name: row.name, examName: row.examName, signNo: row.signNo, code: row.code ?? '' },
})

/**
 * The candidates of some sign-ups, as far as they have a phone, and the exams that these are of.
 * @throws row.notFound for one that the caller may not see
 */
export async function chosenCandidates(app: FastifyInstance, person: Person, ids: readonly string[]) {
  const rows = await signUps(app, person).where('s.id', 'in', ids).execute()
  if (rows.length < ids.length) throw refuse('row.notFound')
  const exams = new Map(rows.map(({ examId, examName }) => [examId, { id: examId, examName }]))
  return { exams: [...exams.values()], receivers: rows.filter(row => row.phone).map(receiverOf) }
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ExamStatus, PublicityKind, publicityKind, ReleaseStatus } from '#schemas/dictionaries'
import { type Across, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { eachAlone } from '../../../platform/queue/each-alone.ts'
import { columnsFor, type OwnKind } from '../rules/columns.ts'
import { addDraft } from './draft.ts'

/** Milliseconds in which a list follows by itself what has come out; staff have decided on what is older. */
const fresh = 7 * 86_400_000

/** A list that something asks for which has come out. */
interface Due {
  tenantId: string
  examId: string
  examName: string
  contactPhone: string | null
  itemId: string | null
  itemName: string | null
  kind: OwnKind
}

const ofExam = ['e.tenantId', 'e.id as examId', 'e.examName', 'e.contactPhone'] as const

/** Stages whose results are out, for their scores and for who goes on. */
async function dueOfStages(db: Across, since: Date): Promise<Due[]> {
  const rows = await db
    .selectFrom('examinationitem as i')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .innerJoin('result as r', 'r.itemId', 'i.id')
    .select([...ofExam, 'i.id as itemId', 'i.itemName'])
    .select(sql<number>`max(r."isNext")`.as('isNext'))
    .where('e.examStatus', '=', ExamStatus.released)
    .where('i.resultRelease', '=', ReleaseStatus.released)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .groupBy(['e.id', 'i.id'])
    .having(eb => eb.fn.max('r.releaseTime'), '>', since)
    .execute()
  return rows.flatMap(({ isNext, ...row }) => [
    { ...row, kind: PublicityKind.scores },
    ...(isNext === 1 ? [{ ...row, kind: PublicityKind.shortlist }] : []),
  ])
}

/** Exams whose plan was reduced. */
async function dueOfReductions(db: Across, since: Date): Promise<Due[]> {
  const rows = await db
    .selectFrom('examination as e')
    .innerJoin('postreduction as p', 'p.examId', 'e.id')
    .select(ofExam)
    .where('e.examStatus', '=', ExamStatus.released)
    .groupBy('e.id')
    .having(eb => eb.fn.max('p.confirmTime'), '>', since)
    .execute()
  return rows.map(row => ({ ...row, itemId: null, itemName: null, kind: PublicityKind.reduction }))
}

/** Drafts one list, unless there is or was one. @returns whether it was drafted */
function draftDue(db: Across, one: Due, now: Date): Promise<boolean> {
  return db.transaction().execute(async across => {
    const trx = liveFor(across, { tenantId: one.tenantId, userId: null, now: () => now })
    await trx.selectFrom('examination').select('id').where('id', '=', one.examId).forNoKeyUpdate().execute()
    const known = await trx
      .selectFrom(withRemoved('publicity'))
      .select('publicity.id')
      .where('publicity.examId', '=', one.examId)
      .where('publicity.publicityKind', '=', one.kind)
      .where('publicity.itemId', one.itemId === null ? 'is' : '=', one.itemId)
      .executeTakeFirst()
    if (known) return false
    await addDraft(
      trx,
      {
        examId: one.examId,
        itemId: one.itemId,
        publicityKind: one.kind,
        title: `${one.examName}${one.itemName ?? ''}${publicityKind.entries[one.kind]}公示`.slice(-100),
        basis: `根据${one.examName}公告，现予公示。`,
        columns: columnsFor(one.kind).preset.join(','),
        contactPhone: (one.contactPhone ?? '').slice(0, 50),
      },
      now,
    )
    return true
  })
}

/**
 * Follows what has come out: results, who goes on, and a reduced plan get their public list as a draft. Staff look at it, and two of them
 * let it out; one that somebody has removed does not come again.
 * @returns how many were drafted
 */
export async function draftDueLists(app: Pick<FastifyInstance, 'db' | 'now' | 'log'>): Promise<number> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  const since = new Date(now.getTime() - fresh)
  const due = [...(await dueOfStages(db, since)), ...(await dueOfReductions(db, since))]
  return eachAlone(app, due, async one => ((await draftDue(db, one, now)) ? 1 : 0))
}

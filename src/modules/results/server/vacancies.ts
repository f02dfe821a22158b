import { sql } from 'kysely'
import { EnableStatus, ExamStatus, PostStatus, PromotionStatus, ReleaseStatus, SignStatus } from '#schemas/dictionaries'
import { hasDuty } from '../../../crud/scope.ts'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { givenUp } from './marks.ts'
import { rankingTypes } from './vacancy.ts'

type Server = ScopesNow & Parameters<typeof liveAs>[0] & { now: () => Date }

/** Stages that rank, of the exam and after the beginning of the stage `i`. */
const rankingAfter = (db: Live) =>
  db
    .selectFrom('examinationitem as n')
    .select('n.id')
    .whereRef('n.examId', '=', 'i.examId' as 'n.examId')
    .where('n.itemStatus', '=', EnableStatus.enabled)
    .where('n.itemType', 'in', rankingTypes)
    .where(sql<boolean>`n."startTime" > i."startTime"`)

/** Results of the person of `r` in a check between the stage `i` and the next that ranks, that were not passed or given up. */
const failedCheck = (db: Live) =>
  db
    .selectFrom('result as f')
    .innerJoin('examinationitem as c', 'c.id', 'f.itemId')
    .select('f.id')
    .where(sql<boolean>`f."signupId" = r."signupId" AND c."startTime" > i."startTime"`)
    .where('f.resultStatus', '=', ReleaseStatus.released)
    .where('c.itemStatus', '=', EnableStatus.enabled)
    .where('c.itemType', 'not in', rankingTypes)
    .where(eb => eb.or([eb('f.isPass', '=', 0), eb('f.confirmStatus', 'in', givenUp)]))
    .where(({ not, exists }) => not(exists(rankingAfter(db).where(sql<boolean>`n."startTime" < c."startTime"`))))

/**
 * Positions with free places on a published shortlist that somebody can still move up to, of exams that the person manages. By the same
 * rules as `vacancyOf`, in one statement for all of them.
 */
function vacant(app: Server, person: Person, examId?: string) {
  const db = liveAs(app, person)
  const code = sql<string>`coalesce(s."finalCode", s.code)`
  const places = sql<number>`ceil(p."curPlanNum" * CASE WHEN i."itemType" = '1' THEN coalesce(p."interviewRatio", 1) ELSE 1 END)::int`
  const counted = db
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .where(hasDuty(app, person, 'result', 'r.examId', 'change'))
    .where('e.examStatus', '=', ExamStatus.released)
    .where('i.itemStatus', '=', EnableStatus.enabled)
    .where('i.itemType', 'in', rankingTypes)
    .where('i.resultRelease', '=', ReleaseStatus.released)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('r.isPass', '=', 1)
    .$if(examId !== undefined, query => query.where('r.examId', '=', examId ?? ''))
    .where(({ not, exists }) => not(exists(rankingAfter(db).where('n.startTime', '<=', app.now()))))
    .where(({ not, exists }) => not(exists(failedCheck(db))))
    .groupBy(['r.itemId', code])
    .select(['r.itemId', code.as('code')])
    .select(eb => [
      eb.cast<number>(eb.fn.countAll().filterWhere('r.isNext', '=', 1), 'integer').as('held'),
      eb
        .cast<number>(
          eb.fn.countAll().filterWhere('r.isNext', '=', 0).filterWhere('r.confirmStatus', 'not in', givenUp),
          'integer',
        )
        .as('waiting'),
    ])
  return db
    .selectFrom(counted.as('w'))
    .innerJoin('examinationitem as i', 'i.id', 'w.itemId')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .innerJoin('examitems as p', join => join.onRef('p.examId', '=', 'i.examId').onRef('p.code', '=', 'w.code'))
    .where('p.postStatus', '<>', PostStatus.cancelled)
    .where('w.waiting', '>', 0)
    .where(eb => eb('w.held', '<', places))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('promotion as m')
            .select('m.id')
            .whereRef('m.itemId', '=', 'w.itemId')
            .whereRef('m.code', '=', 'w.code')
            .where('m.promotionStatus', '=', PromotionStatus.pending),
        ),
      ),
    )
    .select([
      'e.examName',
      'i.examId',
      'i.itemName',
      'w.itemId',
      'p.unit',
      'w.code',
      'p.postName',
      'w.held',
      'w.waiting',
    ])
    .select(places.as('places'))
}

/** A page of the positions with free places. */
export async function vacanciesIn(
  app: Server,
  person: Person,
  { examId, ...query }: { current?: number | undefined; size?: number | undefined; examId?: string | undefined },
) {
  const place = pageOf(query)
  const [rows, { num }] = await Promise.all([
    vacant(app, person, examId)
      .orderBy('e.examName')
      .orderBy('i.examId')
      .orderBy('i.startTime')
      .orderBy('p.unit')
      .orderBy('w.code')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    count(app, person, examId),
  ])
  return page(rows, num, place)
}

const count = async (app: Server, person: Person, examId?: string): Promise<{ num: number }> => {
  const { n } = await liveAs(app, person)
    .selectFrom(vacant(app, person, examId).as('one'))
    .select(eb => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return { num: Number(n) }
}

/** How many positions have free places that somebody can move up to. */
export const vacanciesWaiting = async (app: Server, person: Person) => ({
  ...(await count(app, person)),
  oldest: null,
  overdue: 0,
})

import { sql } from 'kysely'
import { ExamStatus, PromotionStatus } from '#schemas/dictionaries'
import { hasDuty } from '../../../crud/scope.ts'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { places, rankingAfterStage, standings } from './places.ts'

type Server = ScopesNow & Parameters<typeof liveAs>[0] & { now: () => Date }

/**
 * Positions with free places on a published shortlist that somebody can still move up to, of exams that the person manages, in one
 * statement for all of them.
 */
function vacant(app: Server, person: Person, examId?: string) {
  const db = liveAs(app, person)
  const people = standings(db)
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .where(hasDuty(app, person, 'result', 'r.examId', 'change'))
    .where('e.examStatus', '=', ExamStatus.released)
    .$if(examId !== undefined, query => query.where('r.examId', '=', examId ?? ''))
    .where(({ not, exists }) => not(exists(rankingAfterStage(db).where('n.startTime', '<=', app.now()))))
  const counted = db
    .selectFrom(people.as('one'))
    .groupBy(['one.itemId', 'one.code'])
    .select(['one.itemId', 'one.code'])
    .select(eb => [
      eb.cast<number>(eb.fn.countAll().filterWhere('one.isHeld', '=', sql<boolean>`true`), 'integer').as('held'),
      eb.cast<number>(eb.fn.countAll().filterWhere('one.isWaiting', '=', sql<boolean>`true`), 'integer').as('waiting'),
    ])
  return db
    .selectFrom(counted.as('w'))
    .innerJoin('examinationitem as i', 'i.id', 'w.itemId')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .innerJoin('examitems as p', join => join.onRef('p.examId', '=', 'i.examId').onRef('p.code', '=', 'w.code'))
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
  due: null,
})

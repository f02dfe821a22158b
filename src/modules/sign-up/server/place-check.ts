import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ExamStatus } from '#schemas/dictionaries'
import '../../../platform/database/signup-tables.ts'
import type { Reader } from '../../../platform/database/database.ts'
import { liveAcross } from '../../../platform/database/live.ts'
import { eachAlone } from '../../../platform/queue/each-alone.ts'

/** Counts of an exam that differ from its sign-ups; none when there is no row. */
export interface PlaceDifference {
  code: string
  /** Counted at the commits. */
  counted: readonly [signed: number, passed: number, taken: number]
  /** As the sign-ups say. */
  found: readonly [signed: number, passed: number, taken: number]
}

/** Compares the counts of an exam with its sign-ups, both as of one moment. @returns those that differ */
export async function placeDifferences(db: Reader, examId: string): Promise<PlaceDifference[]> {
  const { rows } = await sql<PlaceDifference>`
    SELECT code, json_build_array(coalesce(c.signed, 0), coalesce(c.passed, 0), coalesce(c.taken, 0)) AS counted,
      json_build_array(coalesce(r.signed, 0), coalesce(r.passed, 0), coalesce(r.taken, 0)) AS found
    FROM place_rows(${examId}) r FULL JOIN (SELECT * FROM place_count WHERE "examId" = ${examId}) c USING (code)
    WHERE (coalesce(c.signed, 0), coalesce(c.passed, 0), coalesce(c.taken, 0))
      IS DISTINCT FROM (coalesce(r.signed, 0), coalesce(r.passed, 0), coalesce(r.taken, 0))
    ORDER BY code`.execute(db)
  return rows
}

/** Puts the counts of an exam right, while nobody moves them. @returns what differed */
async function mend(db: Reader, examId: string): Promise<PlaceDifference[]> {
  return db.transaction().execute(async trx => {
    // In the order in which commits move them.
    await sql`SELECT 1 FROM place_count WHERE "examId" = ${examId} ORDER BY code = '', code FOR NO KEY UPDATE`.execute(
      trx,
    )
    const differing = await placeDifferences(trx, examId)
    for (const { code, counted, found } of differing) {
      const [signed, passed, taken] = found.map((n, i) => n - counted[i]!) as [number, number, number]
      await trx
        .insertInto('place_count')
        .values({ examId, code, signed, passed, taken })
        .onConflict(on =>
          on.columns(['examId', 'code']).doUpdateSet(eb => ({
            signed: eb('place_count.signed', '+', signed),
            passed: eb('place_count.passed', '+', passed),
            taken: eb('place_count.taken', '+', taken),
          })),
        )
        .execute()
    }
    return differing
  })
}

/**
 * Compares the counts of places with the sign-ups of every exam that is not archived, and puts right what differs. A difference is a
 * fault of the program or of whoever changed rows past its triggers: it is written into the log.
 * @returns how many counts differed
 */
export async function checkPlaces(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  const exams = await liveAcross(app, { now: () => app.now() })
    .selectFrom('examination')
    .select('id')
    .where('examStatus', '<>', ExamStatus.archived)
    .orderBy('id')
    .execute()
  return eachAlone(
    app,
    exams,
    async ({ id }) => {
      if ((await placeDifferences(app.db, id)).length === 0) return 0
      const mended = await mend(app.db, id)
      for (const { code, counted, found } of mended)
        app.log.error(
          { examId: id, code, counted, found },
          'a count of places differed from the sign-ups; it was put right',
        )
      return mended.length
    },
    signal,
  )
}

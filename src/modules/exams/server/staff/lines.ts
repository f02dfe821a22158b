import type { Db } from '../../../../platform/access/server/caller.ts'

/** A stored appointment of an exam, with its role. */
export interface Line {
  id: string
  userId: string
  userName: string | null
  examRole: number
  units: string | null
  codes: string | null
  startTime: Date | null
  endTime: Date | null
  enable: number
}

/** The appointments of an exam in the order they were made. */
export const linesOf = (db: Db, examId: string): Promise<Line[]> =>
  db
    .selectFrom('examuser')
    .select(['id', 'userId', 'userName', 'examRole', 'units', 'codes', 'startTime', 'endTime', 'enable'])
    .where('examId', '=', examId)
    .orderBy('id')
    .execute()

/** The positions of an exam, those out of use too: whoever signed up there is still looked at. */
export const placesOf = (db: Db, examId: string) =>
  db
    .selectFrom('examitems')
    .select(['unit', 'code', 'enable'])
    .where('examId', '=', examId)
    .orderBy('unit')
    .orderBy('code')
    .execute()

import { commaList } from '#engine'
import { resultEvents } from '#resources/results/events'
import { PublicityKind, PublicityStatus, ReleaseStatus } from '#schemas/dictionaries'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { type CellName, isOfStage } from '../rules/columns.ts'
import { addDraft, buildLines, cellsOf } from './draft.ts'
import { linesOf, sourceOf } from './lines.ts'

/** The result of somebody that was put right. */
type Corrected = { itemId: string; examId: string; signupId: string; itemName: string }

/** The lists of an exam that count: released, and not replaced by another one that was. Locked, so that each is corrected once. */
const standing = (db: LiveTrx, examId: string) =>
  db
    .selectFrom('publicity as p')
    .selectAll()
    .where('p.examId', '=', examId)
    .where('p.publicityStatus', '=', PublicityStatus.released)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('publicity as later')
            .select('later.id')
            .whereRef('later.replaces', '=', 'p.id')
            .where('later.publicityStatus', '=', PublicityStatus.released),
        ),
      ),
    )
    .orderBy('p.id')
    .forNoKeyUpdate()
    .execute()

type StandingList = Awaited<ReturnType<typeof standing>>[number]

/** Whether a list says of somebody what the data do not say any more: another value, or that he is on it, or is not. */
async function isWrongAbout(db: LiveTrx, list: StandingList, { itemId, signupId }: Corrected): Promise<boolean> {
  const source = await sourceOf(db, list)
  if (isOfStage(source.kind) ? source.itemId !== itemId : source.kind !== PublicityKind.hiring) return false
  const lines = await linesOf(db, list, commaList(list.columns))
  const line = lines.find(one => one.signupId === signupId)
  const stored = await db
    .selectFrom('publicityrow')
    .selectAll()
    .where('publicityId', '=', list.id)
    .where('signupId', '=', signupId)
    .executeTakeFirst()
  if (!line || !stored) return Boolean(line) !== Boolean(stored)
  return Object.entries(cellsOf(line)).some(([name, value]) => (stored[name as CellName] || null) !== value)
}

/** A correction of a list as a draft, with the lines of now; one that is a draft already gets them. One that was handed on stays. */
async function draftOf(db: LiveTrx, list: StandingList, { itemName }: Corrected, now: Date): Promise<void> {
  const open = await db
    .selectFrom('publicity')
    .selectAll()
    .where('replaces', '=', list.id)
    .where('publicityStatus', 'in', [PublicityStatus.draft, PublicityStatus.pending])
    .forNoKeyUpdate()
    .execute()
  if (open.some(one => one.publicityStatus === PublicityStatus.pending)) return
  for (const one of open) await buildLines(db, one)
  if (open.length > 0) return
  const { examId, itemId, basis, columns, contactPhone, contactMail, contactAddress } = list
  await addDraft(
    db,
    {
      examId,
      itemId,
      basis,
      columns,
      contactPhone,
      contactMail,
      contactAddress,
      publicityKind: PublicityKind.correction,
      replaces: list.id,
      changeReason: `「${itemName}」成绩有更正`,
      title: `${list.title}（更正）`.slice(-100),
    },
    now,
  )
}

/**
 * Follows corrected results: public lists that say otherwise get a correction as a draft. Staff look at it, and two of them let it out;
 * nothing goes out by itself.
 */
export async function draftCorrections(
  db: LiveTrx,
  { code, subjectId, createTime }: { code: string; subjectId: string; createTime: Date },
): Promise<void> {
  if (code !== resultEvents.corrected.name) return
  const corrected = await db
    .selectFrom('result')
    .innerJoin('examinationitem as item', 'item.id', 'result.itemId')
    .select(['result.itemId', 'result.examId', 'result.signupId', 'item.itemName'])
    .where('result.id', '=', subjectId)
    // Recalled again it says nothing; what comes of it is told when it is out anew.
    .where('result.resultStatus', '=', ReleaseStatus.released)
    .executeTakeFirst()
  if (!corrected) return
  for (const list of await standing(db, corrected.examId))
    if (await isWrongAbout(db, list, corrected)) await draftOf(db, list, corrected, createTime)
}

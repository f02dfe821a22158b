import type { Insertable, Updateable } from 'kysely'
import { maskSealed } from '#engine'
import { signupEvents } from '#resources/sign-up/events'
import { ExamineStatus, PayState, ReduceState, ReviewStatus, SignAction, SignStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import type { LiveDatabase, LiveTrx } from '../../../platform/database/live.ts'
import { apart } from '../../../platform/database/request-transaction.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { lookAtCommit, lookForPlace, type WantedPlace } from './choices.ts'
import type { Prepared } from './prepared.ts'
import { bindFiles } from './sheet-files.ts'
import { nextSignNo } from './sign-number.ts'

/** The place that this save takes; none when it is a draft or has the place already. */
function wantedPlace({ before, draft, sheet, exam, position }: Prepared): WantedPlace | null {
  if (draft || !position) return null
  const isIn = before?.signStatus === SignStatus.submitted
  const changes = isIn && before.examine !== ExamineStatus.rejected
  const stays = isIn && before.code === sheet.code
  return changes && stays ? null : { exam, position, changes, choosing: !stays }
}

/** What a sign-up taken up again begins with. */
const untouched = {
  reviewStatus: ReviewStatus.pending,
  reduceState: ReduceState.none,
  payState: PayState.due,
  examineRemark: null,
} as const

/** The columns a save writes, for a new row and an old one alike. */
function columnsOf(caller: Caller, one: Prepared) {
  const { sheet, answers, applicant, region, draft, before, photo, precheck } = one
  const { vault, person, now } = caller
  const [province, city, area] = region
  const { content, files, ...choice } = sheet
  const handedIn = { submitTime: now, consentTime: now, submitCount: (before?.submitCount ?? 0) + 1 }
  return {
    ...choice,
    ...answers,
    finalUnit: sheet.unit,
    finalType: sheet.type,
    finalCode: sheet.code,
    province,
    city,
    area,
    photo,
    adjustAccept: sheet.adjustAccept === 1 ? (1 as const) : (0 as const),
    content: JSON.stringify(content),
    files: JSON.stringify(files),
    precheck: JSON.stringify(precheck),
    name: applicant.realName,
    sex: applicant.sex,
    birthday: applicant.birthday,
    idCard: vault.seal(applicant.idCard),
    idCardHash: vault.hash(person.tenantId, applicant.idCard),
    idCardMask: maskSealed(applicant.idCard),
    phoneMask: maskSealed(applicant.phone),
    phone: vault.seal(applicant.phone),
    phoneHash: vault.hash(person.tenantId, applicant.phone),
    signStatus: draft ? SignStatus.draft : SignStatus.submitted,
    examine: ExamineStatus.pending,
    ...(draft ? {} : handedIn),
    ...(before?.signStatus === SignStatus.withdrawn ? untouched : {}),
  } satisfies Updateable<LiveDatabase['signup']>
}

function insert(trx: Db, caller: Caller, one: Prepared, signNo: string): Promise<SignupRow> {
  const { person } = caller
  const row: Insertable<LiveDatabase['signup']> = {
    ...columnsOf(caller, one),
    examId: one.exam.id,
    userId: person.userId,
    signNo,
    version: 1,
    createDept: person.deptIds[0] ?? null,
  }
  return trx.insertInto('signup').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Writes over the row as it was read; if anybody has changed it since, the refusal says what was done. */
async function update(trx: Db, caller: Caller, one: Prepared, before: SignupRow): Promise<SignupRow> {
  const row = await trx
    .updateTable('signup')
    .set(eb => ({ ...columnsOf(caller, one), version: eb('version', '+', 1) }))
    .where('id', '=', before.id)
    .where('version', '=', before.version)
    .where('signStatus', '=', before.signStatus)
    .where('examine', '=', before.examine)
    .returningAll()
    .executeTakeFirst()
  if (row) return row
  const now = await trx.selectFrom('signup').select('examine').where('id', '=', before.id).executeTakeFirst()
  throw now && now.examine !== before.examine ? refuse('signup.notEditable', { 状态: '已审核' }) : refuse('row.changed')
}

/** What the history calls this save: 1 saved, 2 handed in, 6 taken up again; null for the further saves of a draft. */
function actionOf({ before, draft }: Prepared): 1 | 2 | 6 | null {
  if (!draft) return SignAction.submit
  if (!before) return SignAction.save
  return before.signStatus === SignStatus.withdrawn ? SignAction.restore : null
}

async function log(trx: Db, caller: Caller, one: Prepared, signupId: string): Promise<void> {
  const action = actionOf(one)
  if (action === null) return
  const { person, now, ip } = caller
  await trx
    .insertInto('signuplog')
    .values({
      signupId,
      action,
      diff: JSON.stringify(one.changes),
      userId: person.userId,
      time: now,
      ip,
      consentVersion: one.draft ? null : one.exam.consentVersion,
    })
    .execute()
}

/** Tells the candidate that a sign-up has been handed in: for the first time, anew, or corrected. */
const tell = (trx: LiveTrx, { before }: Prepared, row: SignupRow): Promise<void> =>
  before?.signStatus === SignStatus.submitted && before.examine === ExamineStatus.returned
    ? emit(trx, signupEvents.resubmitted, [row])
    : emit(trx, signupEvents.submitted, [row])

async function writeAll(trx: LiveTrx, caller: Caller, one: Prepared, signNo: string): Promise<SignupRow> {
  const { before, sheet } = one
  const row = before ? await update(trx, caller, one, before) : await insert(trx, caller, one, signNo)
  await bindFiles(trx, row.id, caller.person.userId, sheet.files)
  await log(trx, caller, one, row.id)
  if (!one.draft) await tell(trx, one, row)
  return row
}

interface Violation {
  code?: string
  constraint?: string
}

/** Reads a broken unique rule: the person signed up twice, or somebody else has this ID number. */
async function doubled({ db, person }: Caller, { exam }: Prepared, error: Violation): Promise<unknown> {
  const isOurs =
    error.code === '23505' && /^(signup_one_per_person|u_signup_(tenantId_)?examId_idCard)/.test(error.constraint ?? '')
  if (!isOurs) return error
  const own = await db
    .selectFrom('signup')
    .select('id')
    .where('examId', '=', exam.id)
    .where('userId', '=', person.userId)
    .where('signStatus', '<>', SignStatus.withdrawn)
    .executeTakeFirst()
  return own ? refuse('signup.alreadySignedUp') : refuse('signup.idCardSignedUp', { 咨询电话: exam.contactPhone })
}

/**
 * Writes a prepared sign-up: place, row, files and history in one transaction. The number of a new one is given before it, so
 * that nobody waits for another's transaction to get one.
 * @throws exams.notReleased, exams.positionDisabled, signup.alreadySignedUp, signup.idCardSignedUp,
 * signup.positionFull, signup.notEditable, file.notFound, row.changed
 */
export async function store(caller: Caller, one: Prepared): Promise<SignupRow> {
  const { before, exam } = one
  const place = wantedPlace(one)
  if (place) await lookForPlace(caller.db, place)
  const signNo = before?.signNo ?? (await apart(() => nextSignNo(caller.db, exam)))
  try {
    return await caller.db.transaction().execute(async trx => {
      if (place) await lookAtCommit(trx, place)
      return writeAll(trx, caller, one, signNo)
    })
  } catch (error) {
    throw await doubled(caller, one, error as Violation)
  }
}

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { objectionEvents } from '#resources/publicity/events'
import { objection } from '#resources/publicity/objection'
import {
  ObjectionOutcome,
  ObjectionStatus,
  objectionKind,
  PublicityKind,
  ScanState,
  SignStatus,
} from '#schemas/dictionaries'
import type { Objection } from '#schemas/publicity/objection'
import { emit } from '../../../crud/emit.ts'
import { type Derive, guard, type HandlerOf, on, rules } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import { digest, enterFile } from '../../../crud/stored-file.ts'
import { makeTransition, programUser } from '../../../crud/transition.ts'
import { uploadKinds } from '../../../platform/attachments/server/kinds.ts'
import { scanFile } from '../../../platform/attachments/server/scan.ts'
import { foundByGuess } from '../../../platform/auth/server/attempts.ts'
import { canSendCodes, proveCode, sendCode, spendCode } from '../../../platform/auth/server/sms/code.ts'
import { type Live, type LiveTrx, liveAcross, liveFor } from '../../../platform/database/live.ts'
import { readNumberParam, readPlatformParam } from '../../../platform/database/param.ts'
import { countUp } from '../../../platform/database/throttle.ts'
import { advice } from '../../../platform/files/file-advice.ts'
import { checkUpload } from '../../../platform/files/upload-check.ts'
import { countedAddress } from '../../../platform/http/server/client-address.ts'
import type { SentFile } from '../../../platform/http/server/form.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readReceipt, receiptBytes, receiptOf } from '../rules/receipt.ts'
import { workdaysAfter } from '../rules/work-days.ts'
import { plainPhone, tellAnswered, tellReceived } from './answer-text.ts'
import { workCalendar } from './calendar.ts'
import type { PublicList } from './public-list.ts'

/** What somebody has filled in, unchecked. */
export interface Filed {
  listNo: string
  kind: string
  content: string
  isNamed: boolean
  name: string
  phone: string
  files: readonly SentFile[]
  /** The number of the code that was sent to the phone, and the code; empty where none is asked for. */
  codeId: string
  code: string
}

/** A field of the form with what is wrong with it. */
export interface Problem {
  field: keyof Filed | 'captcha'
  msg: string
}

const DAY = 86_400
const fields = objection.entity.properties
/** Files with an objection, at most. */
export const mostFiles = 3

const lengthOf = (text: string): number => [...text].length

/** Whether whoever objects by name proves the phone by a code: wherever codes can be sent. */
export const asksPhoneCode = (app: FastifyInstance, { tenantId }: PublicList): Promise<boolean> =>
  canSendCodes(liveFor(app, { tenantId, userId: null, now: app.now }))

/** What is wrong with the phone that a code is to go to. */
export const codeProblems = ({ phone }: Filed): Problem[] =>
  phoneProblem(plainPhone(phone)) === null ? [] : [{ field: 'phone', msg: '请填写能接收短信验证码的手机号码' }]

/**
 * Sends a code to the phone of whoever objects by name.
 * @returns the number of the code
 * @throws as sendCode
 */
export const sendPhoneCode = (app: FastifyInstance, { tenantId }: PublicList, { phone }: Filed, ip: string) =>
  sendCode(app, { tenantId, phone: plainPhone(phone), purpose: 'objection', ip })

const phoneCode = ({ tenantId }: PublicList, { phone, codeId, code }: Filed) =>
  ({ tenantId, address: plainPhone(phone), purpose: 'objection', id: codeId, code }) as const

/** Looks at the code that somebody gives back. @throws auth.smsCodeWrong */
export const provePhone = (app: FastifyInstance, list: PublicList, given: Filed) =>
  proveCode(app, phoneCode(list, given))

/** What is wrong with what somebody has filled in. */
export function problemsOf(given: Filed): Problem[] {
  const problems: Problem[] = []
  const add = (field: Problem['field'], msg: string) => problems.push({ field, msg })
  if (!Object.hasOwn(objectionKind.entries, given.kind)) add('kind', '请选择异议类别')
  if (!given.content) add('content', '请填写异议内容')
  if (lengthOf(given.content) > (fields.content.maxLength ?? 0)) add('content', '异议内容最多2000个字')
  if (lengthOf(given.listNo) > (fields.listNo.maxLength ?? 0)) add('listNo', '涉及的编号最多30个字')
  if (given.files.length > mostFiles) add('files', '材料最多3个文件')
  if (!given.isNamed) return problems
  if (!given.name) add('name', '实名提出的，请填写姓名')
  if (lengthOf(given.name) > (fields.objectorName.maxLength ?? 0)) add('name', '姓名最多30个字')
  if (!/^[0-9+() -]{5,20}$/.test(given.phone)) add('phone', '请填写能联系到您的电话号码')
  return problems
}

/** A file that has passed every look, and is kept but named by no row yet. */
async function keepFile(app: FastifyInstance, tenantId: string, sent: SentFile) {
  const { bytes, ext, mime } = await checkUpload(await sent.bytes(), sent.filename, uploadKinds.objection.rules)
  const scanState = await scanFile(app, bytes)
  if (scanState === ScanState.blocked) throw refuse('file.contentInvalid', { 做法: advice.scan })
  const place = await app.storage.place(tenantId, ext)
  await app.storage.put(place.key, bytes)
  return { stored: { ...place, size: bytes.length, sha256: digest(bytes) }, contentType: mime, ext, scanState }
}

type KeptFile = Awaited<ReturnType<typeof keepFile>>

/** Its name says nothing of who sent it. */
const enter = (trx: LiveTrx, tenantId: string, ownerId: string, file: KeptFile, n: number, now: Date) =>
  enterFile(
    trx,
    {
      tenantId,
      userId: null,
      ownerType: 'objection',
      ownerId,
      name: `异议材料${n}.${file.ext}`,
      contentType: file.contentType,
      scanState: file.scanState,
    },
    file.stored,
    now,
  )

/** Refuses an address that has filed its number of objections within a day. @throws input.tooOften */
async function countFiling(app: FastifyInstance, db: Live, ip: string): Promise<void> {
  const most = Number(await readPlatformParam(db, 'limit.objection.address'))
  if ((await countUp(db, `objection:${countedAddress(ip)}`, DAY, app.now())) > most) throw refuse('input.tooOften')
}

/**
 * Files an objection against a public list. Who objects is sealed; the address is counted and not kept.
 * @param given without {@link problemsOf}; where a code is asked for, with one that is right, which is used up
 * @returns the receipt number, and until when there is an answer
 * @throws input.tooOften, and what files are refused with
 */
export async function fileObjection(
  app: FastifyInstance,
  list: PublicList,
  given: Filed,
  ip: string,
): Promise<{ receipt: string; answerDue: Date }> {
  const { tenantId } = list
  const now = app.now()
  const db = liveFor(app, { tenantId, userId: null, now: () => now })
  await countFiling(app, db, ip)
  const kept: KeptFile[] = []
  for (const sent of given.files) kept.push(await keepFile(app, tenantId, sent))
  if (given.isNamed && given.codeId) await spendCode(app, phoneCode(list, given))
  const [calendar, acceptDays, answerDays] = await Promise.all([
    workCalendar(db),
    readNumberParam(db, tenantId, 'objection.acceptDays'),
    readNumberParam(db, tenantId, 'objection.answerDays'),
  ])
  const receipt = receiptOf(randomBytes(receiptBytes))
  const answerDue = workdaysAfter(now, answerDays, calendar)
  const sealed = (text: string) => (given.isNamed && text ? app.vault.seal(text) : null)
  const objectorPhone = sealed(given.phone)
  await db.transaction().execute(async trx => {
    const { id } = await trx
      .insertInto('objection')
      .values({
        examId: list.examId,
        publicityId: list.id,
        receipt,
        objectionKind: Number(given.kind) as never,
        listNo: given.listNo || null,
        content: given.content,
        isNamed: given.isNamed ? 1 : 0,
        objectorName: sealed(given.name),
        objectorPhone,
        acceptDue: workdaysAfter(now, acceptDays, calendar),
        answerDue,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ids: string[] = []
    for (const [i, file] of kept.entries()) ids.push(await enter(trx, tenantId, id, file, i + 1, now))
    const [file1 = null, file2 = null, file3 = null] = ids
    if (file1) await trx.updateTable('objection').set({ file1, file2, file3 }).where('id', '=', id).execute()
    const row = { id, examId: list.examId, receipt, objectorPhone }
    await emit(trx, objectionEvents.filed, [row], { until: answerDue })
    await tellReceived(app, trx, tenantId, row, answerDue)
  })
  return { receipt, answerDue }
}

const byReceipt = (app: FastifyInstance, receipt: string) =>
  liveAcross(app, app)
    .selectFrom('objection')
    .innerJoin('publicity', 'publicity.id', 'objection.publicityId')
    .select([
      'objection.id',
      'objection.tenantId',
      'receipt',
      'objectionKind',
      'objectionStatus',
      'objection.createTime',
    ])
    .select(['acceptDue', 'answerDue', 'acceptTime', 'refuseReason', 'answer', 'answerTime', 'title', 'publicityId'])
    .where('receipt', '=', receipt)
    .executeTakeFirst()

/** An objection as whoever has its number sees it. */
export type OwnObjection = NonNullable<Awaited<ReturnType<typeof byReceipt>>>

/** States in which an objection waits for an answer. */
export const openStates: readonly number[] = [
  ObjectionStatus.pending,
  ObjectionStatus.accepted,
  ObjectionStatus.investigating,
]

/**
 * An objection by its receipt number.
 * @returns undefined for a wrong number
 * @throws auth.locked for an address that has guessed too often
 */
export async function findObjection(
  app: FastifyInstance,
  typed: string,
  ip: string,
): Promise<OwnObjection | undefined> {
  const receipt = readReceipt(typed)
  return foundByGuess(app, 'objection', ip, async () => (receipt ? byReceipt(app, receipt) : undefined))
}

/** Takes an objection back, for whoever has its number. @throws row.wrongState once it is decided */
export async function withdrawObjection(app: FastifyInstance, { id, tenantId }: OwnObjection): Promise<void> {
  const now = app.now()
  await liveAcross(app, app)
    .transaction()
    .execute(trx =>
      makeTransition({ app, trx, caller: { userId: programUser, tenantId }, now }, objection, 'withdraw', [id]),
    )
}

/** The next deadline of objections that wait for something. */
const derive: Derive<typeof objection> = async (_, rows) =>
  rows.map(row => {
    const isPending = row.objectionStatus === ObjectionStatus.pending
    const field = isPending ? 'acceptDue' : 'answerDue'
    const isOpen = openStates.some(state => state === row.objectionStatus)
    return { due: isOpen ? { field, label: fields[field].title, at: row[field] ?? '' } : null }
  })

/** Who objected, for a reason that is kept. @throws row.notFound */
const reveal: HandlerOf<typeof objection, 'reveal'> = async ({ app, person, id }) => {
  const row = await changeable(app, person, 'objection')
    .select(['objectorName', 'objectorPhone'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const opened = (text: string | null) => (text ? app.vault.open(text) : '')
  return { objectorName: opened(row.objectorName), objectorPhone: opened(row.objectorPhone) }
}

const strange = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** What came of an objection: somebody struck off, a changed result or a correcting list, all of its exam. @throws input.invalid */
async function checkConsequence(
  db: Live,
  { examId, createTime }: Pick<Objection, 'examId' | 'createTime'>,
  { outcome, strike, resultChange, correction }: Partial<Objection>,
): Promise<void> {
  if (outcome === ObjectionOutcome.unfounded) {
    const [field] = Object.entries({ strike, resultChange, correction }).flatMap(([name, id]) => (id ? [name] : []))
    if (field) throw strange(field, '不属实的异议没有处理结果')
  }
  if (strike) {
    const row = await db
      .selectFrom('signup')
      .select('id')
      .where('id', '=', strike)
      .where('examId', '=', examId)
      .where('signStatus', '=', SignStatus.disqualified)
      .executeTakeFirst()
    if (!row) throw strange('strike', '请选择本考试中已取消资格的报名')
  }
  if (resultChange) {
    const row = await db
      .selectFrom('resultlog')
      .select('id')
      .where('id', '=', resultChange)
      .where('examId', '=', examId)
      .where('createTime', '>=', createTime)
      .executeTakeFirst()
    if (!row) throw strange('resultChange', '请选择本考试中收到异议后的成绩变更')
  }
  if (correction) {
    const row = await db
      .selectFrom('publicity')
      .select('id')
      .where('id', '=', correction)
      .where('examId', '=', examId)
      .where('publicityKind', '=', PublicityKind.correction)
      .executeTakeFirst()
    if (!row) throw strange('correction', '请选择本考试的更正公示')
  }
}

/** Rules of objections. What is told of them hangs on {@link fileObjection} and on the transitions that confirm an answer. */
export const objectionRules = [
  rules(objection, { hooks: { derive }, handlers: { reveal } }),
  guard(objection, 'propose', async ({ db, rows, values }) => {
    for (const row of rows) await checkConsequence(db, row, values as Partial<Objection>)
  }),
  ...(['refuse', 'confirmUpheld', 'confirmPartly', 'confirmUnfounded'] as const).map(act =>
    on(objection, act, tellAnswered),
  ),
]

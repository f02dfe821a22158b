import type { FastifyInstance } from 'fastify'
import { type Counted, type ExportKind, type Taker, workbookType } from '../../../crud/export-kind.ts'
import { scoped } from '../../../crud/scope.ts'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { streamZip, type ZipEntry } from '../../../platform/files/zip.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { takenBy } from '../../../platform/pdf/taken-by.ts'
import { fileEntries, formEntries, mostInArchive } from './export-archive.ts'
import { checkSize, countRows, type Selection } from './export-rows.ts'
import { columnsOf, signupSheet } from './export-sheet.ts'

/** What an export of sign-ups is asked for. */
export interface SignupOrder {
  ids: string[]
  columns: string[]
  fileCodes: string[]
  /** True: the items of the exam's form become columns. */
  items: boolean
  reason: string
  filters: Record<string, string>
}

/** The taker as the functions of sign-ups know callers. */
const callerFrom = (app: FastifyInstance, person: Person): Caller => ({
  db: liveAs(app, person),
  vault: app.vault,
  person,
  now: app.now(),
  ip: '',
  meter: app.meter,
})

const base = '/api/blade-signup/signup'
const access = (path: string) => () => ({ permission: 'signup_export', url: `${base}/${path}` })
const selectionOf = ({ ids, filters }: SignupOrder, drafts: boolean): Selection => ({ ids, filters, drafts })

/** The exam whose form is wanted, if the taker may see it; null when no form is. @throws exams.notFound */
async function formOf({ app, person }: Taker, { items, filters }: SignupOrder): Promise<string | null> {
  if (!items) return null
  const exam = scoped(app, person, 'examination').select('id')
  const found = await exam.where('id', '=', filters.examId ?? '0').executeTakeFirst()
  if (!found) throw refuse('exams.notFound')
  return found.id
}

/** A list of sign-ups as a workbook; its last row says who took it. */
export const signupList: ExportKind<SignupOrder> = {
  name: 'signup',
  atOnce: 2000,
  access: access('exportSignUp'),
  async count(taker, order, most) {
    await formOf(taker, order)
    return countRows(taker.app, callerFrom(taker.app, taker.person), selectionOf(order, true), most)
  },
  async make(taker, order, counted) {
    const { app, person } = taker
    const caller = callerFrom(app, person)
    const watermark = takenBy(person, caller.now, order.reason)
    const sheet = { selection: selectionOf(order, true), columns: columnsOf(order.columns), watermark }
    const bytes = await signupSheet(app, caller, { ...sheet, formOf: await formOf(taker, order) }, counted)
    return { name: `报名_${wireDay(caller.now)}.xlsx`, contentType: workbookType, bytes }
  },
}

function archive(
  name: string,
  path: string,
  title: string,
  entries: (app: FastifyInstance, caller: Caller, order: SignupOrder) => AsyncIterable<ZipEntry>,
): ExportKind<SignupOrder> {
  return {
    // A form takes some milliseconds to draw, and files are large: fewer people than rows of a list.
    name,
    atOnce: 200,
    access: access(path),
    async count({ app, person }, order) {
      return checkSize(app, callerFrom(app, person), selectionOf(order, false), mostInArchive)
    },
    async make({ app, person }, order, counted: Counted) {
      const caller = callerFrom(app, person)
      const bytes = streamZip(counted(entries(app, caller, order)))
      return { name: `${title}_${wireDay(caller.now)}.zip`, contentType: 'application/zip', bytes }
    },
  }
}

/** One printed form for each person. */
export const signupForms = archive('signupForms', 'exportSignUpEach', '报名表', (app, caller, order) =>
  formEntries(app, caller, selectionOf(order, false)),
)

/** The files of each person in a folder of the own. */
export const signupFiles = archive('signupFiles', 'exportFilesForUser', '报名附件', (app, caller, order) =>
  fileEntries(app, caller, selectionOf(order, false), order.fileCodes),
)

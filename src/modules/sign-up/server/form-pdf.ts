import { Sex, SignStatus } from '#schemas/dictionaries'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { Storage } from '../../../platform/channels/storage/index.ts'
import type { Drawings } from '../../../platform/pdf/drawings.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadRegions } from '../../exams/server/candidate/dictionaries.ts'
import { type ExamForm, findExam, formDicts, loadForm, regionCodes } from '../../exams/server/candidate/exam-form.ts'
import { postNames } from './my-list.ts'

const sexWords: Readonly<Record<number, string>> = { [Sex.male]: '男', [Sex.female]: '女' }

/** HTML as paragraphs of plain text. */
function paragraphs(html: string): string[] {
  const named: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replace(/<(br|\/p|\/li|\/h\d|\/div)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => named[name] ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}

async function photoOf({ db }: Caller, storage: Storage, id: string | null): Promise<Buffer | null> {
  if (!id) return null
  const row = await db.selectFrom('attach').select('name').where('id', '=', id).executeTakeFirst()
  return row ? storage.get(row.name).catch(() => null) : null
}

/** What of a sign-up a printed form shows. */
export type PrintedRow = Pick<
  SignupRow,
  | 'examId'
  | 'signNo'
  | 'signStatus'
  | 'submitTime'
  | 'name'
  | 'sex'
  | 'birthday'
  | 'idCard'
  | 'phone'
  | 'photo'
  | 'unit'
  | 'type'
  | 'code'
  | 'unit2'
  | 'code2'
  | 'finalCode'
  | 'adjustAccept'
  | 'content'
  | 'files'
>

/** What printing needs of the server. */
export interface Printing {
  storage: Storage
  drawings: Drawings
}

/** What the printed forms of an exam have in common. */
export interface FormKit {
  exam: ExamRow
  form: ExamForm
  dicts: Dicts
}

/** Reads what the printed forms of an exam have in common. @throws exams.notFound */
export async function formKit(db: Db, examId: string): Promise<FormKit> {
  const [exam, form] = await Promise.all([findExam(db, examId), loadForm(db, examId)])
  return { exam, form, dicts: await formDicts(db, form.items, true) }
}

/**
 * The printed form of a sign-up; a draft is marked as one. The caller has made sure that it may be seen.
 * @param kit what several forms of one exam have in common, when it has been read already
 */
export async function formPdf(
  caller: Caller,
  { storage, drawings }: Printing,
  row: PrintedRow,
  kit?: FormKit,
): Promise<{ name: string; bytes: Buffer }> {
  const { db, vault } = caller
  const content = row.content as Content
  const { exam, form, dicts: words } = kit ?? (await formKit(db, row.examId))
  const [names, region] = await Promise.all([postNames(db, [row]), loadRegions(db, regionCodes(form.items, content))])
  const dicts: Dicts = { ...words, region }
  const place = (unit: string, code: string, type?: string | null) => ({
    unit: optionText(dicts.recruit_unit, unit),
    code,
    postName: names(row.examId, code),
    ...(type ? { type: optionText(dicts.post_type, type) } : {}),
  })
  const document = {
    examName: exam.examName,
    signNo: row.signNo,
    draft: row.signStatus === SignStatus.draft,
    submitTime: row.submitTime,
    name: row.name,
    sex: sexWords[row.sex] ?? '',
    birthday: row.birthday,
    idCard: vault.open(row.idCard),
    phone: row.phone ? vault.open(row.phone) : '',
    photo: await photoOf(caller, storage, row.photo),
    position: place(row.unit, row.code, row.type),
    second: row.code2 ? place(row.unit2 ?? '', row.code2) : null,
    adjust: exam.allowAdjust === 1 ? (row.adjustAccept === 1 ? '是' : '否') : null,
    items: form.items,
    type: row.type,
    content,
    dicts,
    promise: paragraphs(exam.promise),
    files: row.files.flatMap(slot => slot.list.map(() => slot.fileName ?? slot.fileCode)),
  }
  // What is being filled in is not saved, so neither is its picture.
  const bytes = row.signNo
    ? await drawings.get('signFormPdf', document, caller.person.tenantId)
    : await drawings.once('signFormPdf', document)
  return { name: `报名表_${row.signNo}_${row.name}.pdf`, bytes }
}

import { commaList } from '#engine'
import { FormInputType } from '#schemas/dictionaries'
import type { Dicts } from '../../../../engine/form-field.ts'
import type { Db, ExamRow } from '../../../../platform/access/server/caller.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import type { FileSlot } from '../../rules/sign-files.ts'
import { cleanContent, withKeys } from '../../rules/sign-form.ts'
import type { Content, SignItem } from '../../rules/sign-item.ts'
import { loadDicts, loadRegions } from './dictionaries.ts'

/** What an exam asks of a candidate. */
export interface ExamForm {
  items: SignItem[]
  files: FileSlot[]
}

/** An exam of a tenant. @throws exams.notFound */
export async function findExam(db: Db, examId: string): Promise<ExamRow> {
  const exam = await db.selectFrom('examination').selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return exam
}

/** A row without what is empty: an item's rules, conditions and columns are there or not, never blank text. */
const present = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** The fields and files an exam asks for, switched on and in order. */
export async function loadForm(db: Db, examId: string): Promise<ExamForm> {
  const [items, files] = await Promise.all([
    db
      .selectFrom('examsignitems')
      .select(['itemCode', 'itemName', 'groupName', 'inputType', 'dictCode', 'required', 'rules'])
      .select(['showWhen', 'applyTypes', 'columns', 'span', 'sort', 'enable', 'inPrint'])
      .where('examId', '=', examId)
      .where('enable', '=', 1)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('examsignfiles')
      .select(['fileCode', 'fileName', 'fileDesc', 'required', 'minNum', 'maxNum', 'maxSize', 'exts'])
      .select(['isPhoto', 'photoW', 'photoH', 'sample', 'showWhen', 'sort', 'enable'])
      .where('examId', '=', examId)
      .where('enable', '=', 1)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ])
  return { items: items.map(present) as SignItem[], files: files.map(present) as FileSlot[] }
}

const dictCodes = (items: readonly SignItem[]): string[] =>
  items.flatMap(item => [item.dictCode ?? '', ...dictCodes(item.columns ?? [])]).filter(Boolean)

/** Dictionaries the positions' demands are worded with. */
const positionDicts = ['recruit_unit', 'post_type', 'education', 'degree', 'title_level', 'exam_subject']

/** Every dictionary a form and the positions use. Regions are not among them: they are asked for level by level. */
export const formDicts = (db: Db, items: readonly SignItem[], sealed: boolean) =>
  loadDicts(db, [...positionDicts, 'exam_type', 'item_group', 'yes_no', ...dictCodes(items)], sealed)

/** The region codes somewhere in a filled form. */
export function regionCodes(items: readonly SignItem[], content: Content): string[] {
  return items.flatMap(item => {
    const value = content[item.itemCode]
    if (item.inputType === FormInputType.region && Array.isArray(value)) return value.map(String)
    if (item.inputType !== FormInputType.table || !Array.isArray(value)) return []
    return value.flatMap(row => regionCodes(item.columns ?? [], (row ?? {}) as Content))
  })
}

/** The dictionaries of a form together with the names of the regions one candidate chose, for wording values. */
export async function wordingDicts(db: Db, items: readonly SignItem[], content: Content): Promise<Dicts> {
  const [dicts, region] = await Promise.all([formDicts(db, items, true), loadRegions(db, regionCodes(items, content))])
  return { ...dicts, region }
}

/**
 * What somebody has filled in as it is kept: keys in place of words, and only what is asked, which keys decide; and the
 * dictionaries that word it.
 */
export async function readContent(
  db: Db,
  items: readonly SignItem[],
  given: Content = {},
  type?: string | null,
): Promise<{ content: Content; dicts: Dicts }> {
  const words = await formDicts(db, items, true)
  const content = cleanContent(items, withKeys(items, given, words), type)
  return { content, dicts: { ...words, region: await loadRegions(db, regionCodes(items, content)) } }
}

/** `hardRules` of an exam as rule names; it may be kept as a list or as a comma list. */
export const hardRulesOf = (exam: Pick<ExamRow, 'hardRules'>): string[] =>
  Array.isArray(exam.hardRules) ? exam.hardRules.map(String) : commaList(String(exam.hardRules ?? ''))

import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { compileForm } from '../../../platform/http/server/form-validator.ts'
import { formCheck } from '../../exams/rules/sign-check.ts'
import { askedFiles, missingFiles } from '../../exams/rules/sign-files.ts'
import { cleanContent } from '../../exams/rules/sign-form.ts'
import { type ExamForm, wordingDicts } from '../../exams/server/candidate/exam-form.ts'
import type { Sheet } from './changes.ts'
import { latestAdvisement, scopeOf } from './edit-scope.ts'

/** The sheet of a sign-up that was handed in or kept before, as the same form would keep it today. */
export function sheetBefore(before: SignupRow, { items, files }: ExamForm): Sheet {
  const sheet = before as unknown as Sheet
  const content = cleanContent(items, sheet.content, sheet.type)
  const asked = askedFiles(files, content, { unit: sheet.unit, type: sheet.type, code: sheet.code })
  const kept = sheet.files.filter(slot => asked.some(one => one.fileCode === slot.fileCode))
  return { ...sheet, content, files: kept }
}

/**
 * What the form of today finds wrong in a sign-up that was handed in, `item:major`, `file:degree`: an item asked since, a
 * choice taken away. It must be corrected with the rest, or nothing could be handed in.
 */
function lackingOf({ items, files }: ExamForm, sheet: Sheet, dicts: Dicts): string[] {
  const { unit, type, code, content } = sheet
  const wrong = formCheck(items, { type, dicts }, compileForm)(content, true)
  const lacking = missingFiles(sheet.files, files, content, { unit, type, code }).filter(one => one.fileCode)
  return [
    ...new Set([
      ...wrong.map(one => `item:${one.field.replace(/\[.*$/, '')}`),
      ...lacking.map(one => `file:${one.fileCode}`),
    ]),
  ]
}

/** What a candidate may correct of a returned sign-up, see {@link scopeOf}. */
export async function returnedScope({ db }: Pick<Caller, 'db'>, row: SignupRow, form: ExamForm): Promise<string[]> {
  const sheet = sheetBefore(row, form)
  const dicts = await wordingDicts(db, form.items, sheet.content)
  return scopeOf(await latestAdvisement(db, row.id), lackingOf(form, sheet, dicts))
}

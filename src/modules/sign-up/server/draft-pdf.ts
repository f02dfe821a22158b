import { SignStatus } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { readContent } from '../../exams/server/candidate/exam-form.ts'
import { findPosition } from '../../exams/server/candidate/positions.ts'
import { findApplicant } from './applicant.ts'
import { formKit, formPdf, type PrintedRow, type Printing } from './form-pdf.ts'
import { checkInputLimits } from './input-limits.ts'
import { photoOf, resolveFiles } from './sheet-files.ts'
import type { SubmitBody } from './submit.ts'

/**
 * The printed form of what somebody is filling in and has not saved, marked as a draft. Nothing is stored.
 * @throws exams.notFound, exams.positionNotFound, signup.identityIncomplete, file.notFound, input.invalid
 */
export async function draftPdf(caller: Caller, printing: Printing, body: SubmitBody) {
  checkInputLimits(body)
  const { db, person, vault } = caller
  const kit = await formKit(db, body.examId)
  const applicant = await findApplicant(caller)
  const position = body.code ? await findPosition(db, body.examId, { code: body.code }) : null
  const around = { userId: person.userId, signupId: body.id ?? null, slots: kit.form.files }
  const files = await resolveFiles(db, around, body.files ?? [])
  const { content } = await readContent(db, kit.form.items, body.content, position?.type)
  const row: PrintedRow = {
    examId: body.examId,
    signNo: '',
    signStatus: SignStatus.draft,
    submitTime: null,
    name: applicant.realName,
    sex: applicant.sex,
    birthday: applicant.birthday,
    idCard: vault.seal(applicant.idCard),
    phone: vault.seal(applicant.phone),
    unit: position?.unit ?? '',
    type: position?.type ?? '',
    code: position?.code ?? '',
    unit2: body.unit2 ?? null,
    code2: body.code2 ?? null,
    finalCode: null,
    adjustAccept: body.adjustAccept ?? 0,
    content,
    files,
    photo: photoOf(files, kit.form.files) ?? applicant.avatar,
  }
  return formPdf(caller, printing, row, kit)
}

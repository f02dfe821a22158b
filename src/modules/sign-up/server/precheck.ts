import type { RuleResult } from '#schemas/sign-up/signup-json'
import type { Caller } from '../../../platform/access/server/caller.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { findExam, hardRulesOf, loadForm, readContent } from '../../exams/server/candidate/exam-form.ts'
import { findPosition } from '../../exams/server/candidate/positions.ts'
import { findApplicant } from './applicant.ts'
import { checkInputLimits } from './input-limits.ts'
import { precheckOf } from './submit.ts'

/**
 * Compares what a candidate has filled in with a position and changes nothing; `hard` results would refuse a sign-up.
 * @throws exams.notFound, exams.positionNotFound, signup.identityIncomplete
 */
export async function precheckFor(
  caller: Caller,
  asked: { examId: string; unit?: string; code: string; content?: Content },
): Promise<(RuleResult & { hard: boolean })[]> {
  checkInputLimits(asked)
  const { db } = caller
  const exam = await findExam(db, asked.examId)
  const applicant = await findApplicant(caller)
  const [form, position] = await Promise.all([
    loadForm(db, exam.id),
    findPosition(db, exam.id, { code: asked.code, unit: asked.unit ?? '' }),
  ])
  const { content, dicts } = await readContent(db, form.items, asked.content, position.type)
  const hard = hardRulesOf(exam)
  return precheckOf(exam, position, applicant, content, dicts).map(one => ({ ...one, hard: hard.includes(one.rule) }))
}

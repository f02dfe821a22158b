import { examination } from '#resources/exams/examination'
import { ExamStatus } from '#schemas/dictionaries'
import { guard } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { releaseLines } from './checklist.ts'

/** Who moves an exam, and when. */
export interface Actor {
  userId: string
  now: Date
}

/** An exam is released when its list lacks nothing, and one that was closed with a reason. */
export const releaseRules = [
  guard(examination, 'releaseExam', async ({ db, rows, now, reason }) => {
    for (const exam of rows) {
      if (exam.examStatus === ExamStatus.closed && !reason)
        throw refuse('input.invalid', { 说明: '请输入重新发布的原因' })
      const missing = ((await releaseLines(db, exam.id, now)) ?? []).filter(line => !line.ok)
      if (missing.length > 0)
        throw refuse('exams.incomplete', { 缺项清单: missing.map(line => line.msg).join('；') }, missing)
    }
  }),
]

import { examination } from '#resources/exams/examination'
import { examinationitem } from '#resources/exams/examinationitem'
import { examitems } from '#resources/exams/examitems'
import { examsignfiles } from '#resources/exams/examsignfiles'
import { examsignitems } from '#resources/exams/examsignitems'
import { examuser } from '#resources/exams/examuser'
import { items } from '#resources/exams/items'
import { school } from '#resources/exams/school'
import { guard, rules } from '../../../crud/rules.ts'
import { archiveRules } from './archive.ts'
import { examNumbers } from './exam-numbers.ts'
import { deriveStanding, examLine } from './exam-status.ts'
import { examinationHooks, positionHooks, signFileHooks, signItemHooks, stageHooks } from './hooks.ts'
import { changeItemStatus } from './items.ts'
import { deriveMap } from './map-link.ts'
import { beginItems, beginPapers, stageBeginnings } from './packages.ts'
import { libraryHooks } from './patterns.ts'
import { releaseRules } from './release.ts'
import { examUserHooks } from './staff/hooks.ts'
import { checkUnused } from './stage-use.ts'

/** Rules of exams and their parts beyond their definitions. */
export const examRules = [
  rules(examination, {
    hooks: { ...examinationHooks, derive: deriveStanding, measure: examNumbers, line: examLine },
  }),
  ...releaseRules,
  ...archiveRules,
  rules(examitems, { later: ['derive'], hooks: positionHooks }),
  rules(examinationitem, {
    later: ['releasePay', 'recallPay', 'releaseResult', 'recallResult', 'derive'],
    hooks: stageHooks,
    handlers: stageBeginnings,
  }),
  guard(examinationitem, 'disable', async ({ db, rows }) => {
    for (const stage of rows) await checkUnused(db, stage)
  }),
  rules(items, { hooks: libraryHooks, handlers: { changeStatus: changeItemStatus } }),
  rules(examsignitems, { hooks: signItemHooks, handlers: { beginUsual: beginItems } }),
  rules(examsignfiles, { hooks: signFileHooks, handlers: { beginUsual: beginPapers } }),
  rules(examuser, { later: ['derive'], hooks: examUserHooks }),
  rules(school, { hooks: { derive: deriveMap } }),
]

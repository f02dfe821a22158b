import { examination } from '#resources/exams/examination'
import { examroom } from '#resources/exams/examroom'
import { examsignfiles } from '#resources/exams/examsignfiles'
import { examsignitems } from '#resources/exams/examsignitems'
import { examuser } from '#resources/exams/examuser'
import { items } from '#resources/exams/items'
import { school } from '#resources/exams/school'
import { rules } from '../../../crud/rules.ts'
import { deriveStanding } from './exam-status.ts'
import { examinationHooks, roomHooks, signFileHooks, signItemHooks } from './hooks.ts'
import { changeItemStatus } from './items.ts'
import { deriveMap } from './map-link.ts'
import { libraryHooks } from './patterns.ts'
import { examUserHooks } from './staff/hooks.ts'

/** Rules of exams and their parts beyond their definitions; positions and stages have theirs where their acts are known. */
export const examRules = [
  rules(examination, {
    routed: ['copyExam'],
    hooks: { ...examinationHooks, derive: deriveStanding },
  }),
  rules(items, { hooks: libraryHooks, handlers: { changeStatus: changeItemStatus } }),
  rules(examsignitems, { hooks: signItemHooks }),
  rules(examsignfiles, { hooks: signFileHooks }),
  rules(examuser, { hooks: examUserHooks }),
  rules(examroom, { hooks: roomHooks }),
  rules(school, { hooks: { derive: deriveMap } }),
]

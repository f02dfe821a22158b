import { examination } from '#resources/exams/examination'
import { examinationitem } from '#resources/exams/examinationitem'
import { examitems } from '#resources/exams/examitems'
import { examroom } from '#resources/exams/examroom'
import { examsignfiles } from '#resources/exams/examsignfiles'
import { examsignitems } from '#resources/exams/examsignitems'
import { examuser } from '#resources/exams/examuser'
import { items } from '#resources/exams/items'
import { school } from '#resources/exams/school'
import { rules } from '../../../crud/rules.ts'
import { examinationHooks, positionHooks, roomHooks, signFileHooks, signItemHooks, stageHooks } from './hooks.ts'
import { changeItemStatus } from './items.ts'
import { deriveMap } from './map-link.ts'
import { libraryHooks } from './patterns.ts'
import { derivePeople, totalPeople } from './position-counts.ts'
import { examUserHooks } from './staff/hooks.ts'
import { stageActs } from './stage-acts.ts'
import { deriveMoves } from './stage-moves.ts'
import { disableStage } from './stage-use.ts'
import { deriveStanding } from './standing.ts'

/** Rules of exams and their parts beyond their definitions. */
export const examRules = [
  rules(examination, {
    routed: ['copyExam', 'closeExam'],
    hooks: { ...examinationHooks, derive: deriveStanding },
  }),
  rules(examitems, { hooks: { ...positionHooks, derive: derivePeople, total: totalPeople } }),
  rules(examinationitem, {
    hooks: { ...stageHooks, derive: deriveMoves },
    handlers: { ...stageActs, disable: disableStage },
  }),
  rules(items, { hooks: libraryHooks, handlers: { changeStatus: changeItemStatus } }),
  rules(examsignitems, { hooks: signItemHooks }),
  rules(examsignfiles, { hooks: signFileHooks }),
  rules(examuser, { hooks: examUserHooks }),
  rules(examroom, { hooks: roomHooks }),
  rules(school, { hooks: { derive: deriveMap } }),
]

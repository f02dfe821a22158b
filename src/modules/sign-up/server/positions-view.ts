import { commaList } from '#engine'
import { PostStatus } from '#schemas/dictionaries'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Db, ExamRow, PositionRow } from '../../../platform/access/server/caller.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { countPositions, type PositionCount } from './counts.ts'

const none: PositionCount = { signNum: 0, passNum: 0, taken: 0 }
/** Where the exam does not show how many people stand at a position. */
const hidden = { signNum: '', passNum: '', ratio: '' } as const

/** Several keys in words. */
const words = (dicts: Dicts, code: string, keys: string | null): string =>
  commaList(keys)
    .map(key => optionText(dicts[code], key))
    .join('、')

/** What a position demands, keys and words. */
export function positionView(one: PositionRow, dicts: Dicts) {
  return {
    id: one.id,
    unit: one.unit,
    unitName: optionText(dicts.recruit_unit, one.unit),
    type: one.type,
    typeName: optionText(dicts.post_type, one.type),
    code: one.code,
    postName: one.postName,
    planNum: one.planNum,
    curPlanNum: one.curPlanNum ?? one.planNum,
    postStatus: one.postStatus,
    eduReq: one.eduReq,
    eduReqName: optionText(dicts.education, one.eduReq),
    degreeReq: one.degreeReq,
    degreeReqName: words(dicts, 'degree', one.degreeReq),
    majorReq: one.majorReq,
    titleReq: one.titleReq,
    titleReqName: words(dicts, 'title_level', one.titleReq),
    certReq: one.certReq,
    ageMax: one.ageMax,
    sexReq: one.sexReq,
    freshReq: one.freshReq,
    expYears: one.expYears,
    regionReq: one.regionReq,
    otherReq: one.otherReq,
    examSubject: one.examSubject,
    remark: one.remark,
  }
}

/** Why a position cannot be chosen; `""` when it can. */
function obstacle(one: PositionRow, taken: number): string {
  if (one.postStatus === PostStatus.cancelled) return '已取消'
  if (one.enable !== 1) return '已停用'
  return one.maxSignup && taken >= one.maxSignup ? '已满' : ''
}

/**
 * The positions of an exam as a candidate chooses among them. Whether one is full shows always, how many people stand
 * at it only where the exam says so.
 */
export async function listPositions(db: Db, exam: ExamRow, dicts: Dicts) {
  const [rows, counts] = await Promise.all([
    db
      .selectFrom('examitems')
      .selectAll()
      .where('examId', '=', exam.id)
      .orderBy('sort')
      .orderBy('unit')
      .orderBy('code')
      .execute(),
    countPositions(db, exam.id),
  ])
  return rows.map(one => {
    const count = counts.get(one.code) ?? none
    const reason = obstacle(one, count.taken)
    const plan = one.curPlanNum ?? one.planNum
    const shown = {
      signNum: count.signNum,
      passNum: count.passNum,
      ratio: plan ? (count.signNum / plan).toFixed(2) : '',
    }
    const numbers = exam.showNum === 1 ? shown : hidden
    return { ...positionView(one, dicts), ...numbers, full: reason === '已满', selectable: reason === '', reason }
  })
}

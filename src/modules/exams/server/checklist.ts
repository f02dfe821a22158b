import { ExamineMode, ExamRole } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import { examWindows, isTimely } from '../rules/act-windows.ts'
import { stands } from '../rules/exam-staff.ts'
import { windowProblems } from '../rules/exam-windows.ts'
import { optionText } from '../rules/sign-text.ts'
import { adviceLines } from './advice.ts'
import { type CheckLine, line } from './check-line.ts'
import { examFacts, type Facts } from './exam-facts.ts'
import { stageLines } from './stage-checks.ts'

type Position = Facts['positions'][number]

/** Who of a role looks after a position. An appointment without units, or without codes, stands for all of them. */
const membersFor = ({ staff }: Facts, role: number, position: Position): string[] =>
  staff.filter(one => one.examRole === role && stands(one, position)).map(one => one.userId)

/** Units in which a position is without somebody, in words. */
function unitsWithout(facts: Facts, has: (position: Position) => boolean): string[] {
  const units = facts.positions.filter(one => !has(one)).map(one => one.unit)
  return [...new Set(units)].map(unit => optionText(facts.dicts.recruit_unit, unit) || unit)
}

const filledIn = (html: string | null) => (html ?? '').replace(/<[^>]*>|&nbsp;|\s/g, '') !== ''

/** Reviewers, and for two-stage review re-reviewers, who are never somebody's only reviewer in both stages. */
function staffLines(facts: Facts): CheckLine[] {
  const first = unitsWithout(facts, position => membersFor(facts, 2, position).length > 0)
  const lines = [
    line(
      'reviewer',
      '每个招聘单位都有初审员',
      first.length === 0 && facts.staff.some(one => one.examRole === ExamRole.firstReviewer),
      `缺少初审员的单位：${first.join('、') || '全部'}`,
    ),
  ]
  if (facts.exam.examineMode !== ExamineMode.firstAndSecond) return lines
  const second = unitsWithout(facts, position => {
    const [ones, others] = [membersFor(facts, 2, position), membersFor(facts, 3, position)]
    return others.some(other => ones.length === 0 || ones.some(one => one !== other))
  })
  return [
    ...lines,
    line(
      'rechecker',
      '每个招聘单位都有复审员，且不是唯一的初审员',
      second.length === 0 && facts.staff.some(one => one.examRole === ExamRole.secondReviewer),
      `缺少复审员的单位：${second.join('、') || '全部'}`,
    ),
  ]
}

/** Of the items of a form, whether they ask for a photo, and for one that is as pages send it. */
function photoLine({ files }: Facts): CheckLine {
  const photos = files.filter(one => one.isPhoto === 1)
  const isJpg = ({ exts }: { exts: string | null }) => /\bjpe?g\b/i.test(exts ?? '')
  const fits = photos.some(isJpg)
  const msg = photos.length > 0 ? '证件照须允许jpg格式' : '请新增一个“证件照”附件项'
  return line('photo', '附件项中有证件照', fits, msg, { row: photos[0]?.id })
}

/** Texts that everybody reads before signing up. */
function textsLine({ exam }: Facts): CheckLine {
  const empty = [
    ...(['signNotice', 'promise'] as const).filter(name => !filledIn(exam[name])),
    ...(exam.contactPhone ? [] : (['contactPhone'] as const)),
  ]
  return line(
    'texts',
    '已填写报名须知、诚信承诺书和咨询电话',
    empty.length === 0,
    '请补全报名须知、诚信承诺书和咨询电话',
    { field: empty[0] },
  )
}

function lines(facts: Facts, now: Date): CheckLine[] {
  const { exam, positions, stages, items } = facts
  const times = windowProblems(exam, stages[0]?.startTime)
  return [
    line(
      'position',
      '至少有一个启用的招聘岗位',
      positions.some(one => one.planNum >= 1),
      '请新增或导入招聘岗位',
    ),
    line('stage', '至少有一个启用的考试项目', stages.length > 0, '请新增考试项目（如笔试）'),
    line('items', '报名表至少有一个信息项', items.length > 0, '请从信息项库选择报名信息项'),
    photoLine(facts),
    textsLine(facts),
    ...staffLines(facts),
    ...stageLines(facts),
    line('windows', '各阶段时间先后合理', times.length === 0, times.map(one => one.msg).join('；'), {
      field: times[0]?.field,
    }),
    line('future', '报名结束时间在将来', isTimely(examWindows.release, { exam }, now), '报名结束时间已过，请修改', {
      field: 'signEndTime',
    }),
    ...adviceLines(facts),
  ]
}

/**
 * The list of what an exam needs before its release, each line with what to do when it fails.
 * @returns undefined when there is no such exam
 */
export async function releaseLines(db: Live, examId: string, now: Date): Promise<CheckLine[] | undefined> {
  const known = await examFacts(db, examId, now)
  return known && lines(known, now)
}

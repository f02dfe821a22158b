import { FreshReq, SexReq } from '#schemas/dictionaries/exam'
import type { RuleResult } from '#schemas/sign-up/signup-json'
import { isBlank } from '../../../engine/blank.ts'
import type { Dicts } from '../../../engine/form-field.ts'
import { ageOn } from '../../../engine/format.ts'
import type { Content } from './sign-item.ts'
import { certificateRule, type Finding, majorRule, regionRule } from './sign-matching.ts'
import { optionText } from './sign-text.ts'

/** What a position demands; a requirement left empty is not looked at. */
export interface PositionRules {
  ageMax?: number | null
  eduReq?: string | null
  degreeReq?: string | null
  majorReq?: string | null
  titleReq?: string | null
  certReq?: string | null
  /** 0 none, 1 only this year's graduates, 2 only others. */
  freshReq?: number | null
  /** 0 none, 1 men, 2 women. */
  sexReq?: number | null
  regionReq?: string | null
  expYears?: number | null
}

/** From the candidate's own data: day of birth `yyyy-MM-dd`, sex 1 or 2. */
export interface CandidateFacts {
  birthday: string
  sex: number
}

/** One of the two must be there. */
export interface RuleDates {
  /** The day age and experience are counted on, `yyyy-MM-dd`; without it the day sign-up ends. */
  ageBaseDate?: string | null
  signEndTime?: Date | null
}

interface Case {
  position: PositionRules
  candidate: CandidateFacts
  content: Content
  baseDate: string
  labels: Dicts
}

const shanghai = 8 * 3600_000

function baseDateOf({ ageBaseDate, signEndTime }: RuleDates): string {
  if (ageBaseDate) return ageBaseDate
  if (!signEndTime) throw new RangeError('neither a base date nor an end of sign-up')
  return new Date(signEndTime.getTime() + shanghai).toISOString().slice(0, 10)
}

const judge = (fits: boolean, demand: string, found: string): Finding =>
  fits ? { level: 1, msg: `${demand}，符合` } : { level: 3, msg: `${demand}，${found}` }

function age({ position: { ageMax }, candidate, baseDate }: Case): Finding {
  if (!ageMax) return null
  const years = ageOn(candidate.birthday, baseDate)
  return judge(years <= ageMax, `年龄须在${ageMax}周岁及以下（计算至${baseDate}）`, `您为${years}周岁`)
}

/** Keys of these dictionaries fall as the level rises; one key asks for it or better, several ask for one of them. */
function ranked(
  code: string,
  name: string,
  demanded: string | null | undefined,
  value: unknown,
  labels: Dicts,
): Finding {
  const keys = (demanded ?? '')
    .split(/[,，、]/)
    .map(key => key.trim())
    .filter(Boolean)
  if (keys.length === 0) return null
  const words = keys.map(key => optionText(labels[code], key)).join('或')
  const own = Number(value)
  const fits = !isBlank(value) && (keys.length === 1 ? own <= Number(keys[0]) : keys.some(key => Number(key) === own))
  const found = isBlank(value) ? `您未填写${name}` : `您填写的是${optionText(labels[code], value)}`
  return judge(fits, `${name}须为${words}${keys.length === 1 ? '及以上' : ''}`, found)
}

function fresh({ position: { freshReq }, content }: Case): Finding {
  if (!freshReq) return null
  const isFresh = String(content.freshGraduate ?? '')
  const demand = freshReq === FreshReq.currentYear ? '仅限应届毕业生' : '仅限非应届人员'
  return judge(
    isFresh === (freshReq === FreshReq.currentYear ? '1' : '0'),
    demand,
    isFresh === '' ? '您未填写是否应届' : '您不符合',
  )
}

function sex({ position: { sexReq }, candidate }: Case): Finding {
  if (!sexReq) return null
  const word = sexReq === SexReq.male ? '男性' : '女性'
  return judge(candidate.sex === sexReq, `性别须为${word}`, `您不是${word}`)
}

/** Whole years from the first day of a month to a day. */
const yearsSince = (month: string, day: string): number => ageOn(`${month}-01`, day)

function experience({ position: { expYears }, content, baseDate }: Case): Finding {
  if (!expYears) return null
  const start = String(content.workStart ?? '')
  const demand = `须有${expYears}年及以上工作经历`
  if (!/^\d{4}-\d{2}/.test(start)) return judge(false, demand, '您未填写参加工作时间')
  const years = Math.max(0, yearsSince(start.slice(0, 7), baseDate))
  return judge(years >= expYears, demand, `至${baseDate}您满${years}年`)
}

const rules: Readonly<Record<RuleResult['rule'], (one: Case) => Finding>> = {
  age,
  education: one => ranked('education', '学历', one.position.eduReq, one.content.education, one.labels),
  degree: one => ranked('degree', '学位', one.position.degreeReq, one.content.degree, one.labels),
  major: one => majorRule(one.position.majorReq, one.content.major),
  title: one => ranked('title_level', '职称', one.position.titleReq, one.content.title, one.labels),
  certificate: one => certificateRule(one.position.certReq, one.content.certificates),
  fresh,
  sex,
  region: one =>
    regionRule(one.position.regionReq, [one.content.householdRegion, one.content.studentOrigin], one.labels),
  experience,
}

/** All rule names, in the order shown. */
const ruleNames = Object.keys(rules) as readonly RuleResult['rule'][]

/**
 * Compares a candidate with what a position demands: one result for each demand the position makes. `content` is read
 * by the library's own item codes; `labels` turns keys and region codes into words. Throws RangeError without a day to
 * count on.
 */
export function precheck(
  position: PositionRules,
  candidate: CandidateFacts,
  content: Content,
  exam: RuleDates,
  labels: Dicts = {},
): RuleResult[] {
  const one = { position, candidate, content, baseDate: baseDateOf(exam), labels }
  return ruleNames.flatMap(rule => {
    const finding = rules[rule](one)
    return finding ? [{ rule, ...finding }] : []
  })
}

/**
 * The results that refuse a sign-up (signup.requirementsNotMet): unfit ones whose rule the exam made hard. Warnings
 * never refuse.
 */
export function hardFailures(
  results: readonly RuleResult[],
  hardRules: readonly string[] | null | undefined,
): RuleResult[] {
  return results.filter(result => result.level === 3 && (hardRules ?? []).includes(result.rule))
}

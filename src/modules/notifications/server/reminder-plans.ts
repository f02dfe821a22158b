import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Reminder, variablesOf, wordsWith } from '#engine'
import { deadlineTitles } from '#resources/deadlines'
import { reminderRules } from '#resources/reminders'
import { ExamStatus } from '#schemas/dictionaries'
import { seesAllRows } from '../../../crud/scope.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { type Live, removeRows } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { lockUnarchived } from '../../exams/server/archived.ts'
import { hasTextFor } from '../../messages/server/text-codes.ts'
import { nextStep } from '../rules/due.ts'
import { choicesOf, isUsed, presetOf, wechatOffers } from './choices.ts'
import { deadlinesOf, type Moment, momentOf } from './deadlines.ts'
import { ownerOf } from './exam-of.ts'
import type { Reader } from './inbox.ts'
import { countPeople } from './remind.ts'
import { type ChangedReminder, changedReminders, isMust, planOf } from './reminder-settings.ts'
import { type ExamFacts, type Language, titleOf } from './words.ts'

/** Whether a reminder is of exams; others are of the tenant alone. */
const isOfExam = ({ reminds }: Reminder): boolean => reminds.before !== 'officeMorning'

/** A reminder as people read it, with the names of what is different for each. */
function textOf(rule: Reminder, exam: ExamFacts, language: Language): string {
  const known: Readonly<Record<string, string | null>> = {
    exam: exam.examName,
    examName: exam.examName,
    phone: exam.contactPhone,
  }
  const title = (name: string) => (name in known ? '考试' : titleOf(rule, name))
  const shown = (name: string) => known[name] ?? `{${language === 'en' ? inEnglish(title(name)) : title(name)}}`
  const text = rule.text[language]
  return wordsWith(text, Object.fromEntries(variablesOf(text).map(name => [name, shown(name)])))
}

/** When somebody is reminded next, and of how many rows somebody would be now. */
async function outlookOf(
  db: Live,
  rule: Reminder,
  steps: readonly number[],
  examId: string | null,
  moment: Moment,
): Promise<{ next: Date | null; people: number }> {
  const where = { ...moment, ...(examId !== null && { examId }) }
  const deadlines = await deadlinesOf(db, rule.reminds.before, where)
  const times = deadlines.flatMap(one => nextStep(one, steps, moment)?.at ?? [])
  const [next = null] = times.sort((a, b) => a.getTime() - b.getTime())
  return { next, people: await countPeople(db, rule, deadlines, moment) }
}

/** What people are reminded of in an exam, or in all of the tenant. @throws exams.notFound, request.forbidden */
export async function plansIn(app: FastifyInstance, { db, person, language }: Reader, examId: string | null) {
  const exam = await ownerOf(app, person, examId)
  const [changed, choices, templates, moment, wechat] = await Promise.all([
    changedReminders(db, examId),
    choicesOf(db, examId),
    usableTemplates(db),
    momentOf(db, app.now()),
    wechatOffers(app, db),
  ])
  const codes = new Set(templates.map(({ smsCode }) => smsCode))
  const rules = [...reminderRules.values()].filter(rule => examId === null || isOfExam(rule))
  const reminders = await Promise.all(
    rules.map(async rule => {
      const { isOn, steps, most } = planOf(rule, changed, examId)
      const { next, people } = await outlookOf(db, rule, steps, examId, moment)
      const before = deadlineTitles[rule.reminds.before]
      return {
        code: rule.name,
        label: language === 'en' ? inEnglish(rule.label) : rule.label,
        text: textOf(rule, exam, language),
        steps: [...steps],
        before: language === 'en' ? inEnglish(before) : before,
        most,
        isOn,
        isMust: isMust(rule),
        isChanged: changed.some(one => one.rule === rule.name && one.examId === examId),
        sms: presetOf(rule, 'sms'),
        isSms: isUsed(rule, 'sms', choices),
        wechat: presetOf(rule, 'wechat'),
        isWechat: isUsed(rule, 'wechat', choices),
        hasWechat: rule.by?.wechat !== undefined && wechat.includes(rule.by.wechat),
        hasTemplate: hasTextFor(rule, codes),
        next: isOn ? next : null,
        people,
      }
    }),
  )
  const isArchived = exam.examStatus === ExamStatus.archived
  return { reminders, quiet: moment.quiet, mayPreset: seesAllRows(person), isArchived }
}

/** What somebody wants of a reminder. */
interface Wanted {
  readonly examId?: string | undefined
  readonly code: string
  readonly isOn: boolean
  readonly steps: readonly number[]
  readonly most?: number | null | undefined
}

/** Most steps of a reminder. */
const mostSteps = 6

/** The hours in their order, each once. @throws input.invalid for too many */
function stepsOf(steps: readonly number[]): string {
  const all = [...new Set(steps)].sort((a, b) => b - a)
  if (all.length > mostSteps) throw refuse('input.invalid', { 说明: `最多提醒${mostSteps}次` })
  return all.join(',')
}

const isSame = (one: Omit<ChangedReminder, 'examId' | 'rule'>, other: typeof one): boolean =>
  one.isOn === other.isOn && one.steps === other.steps && one.most === other.most

/**
 * Changes how a reminder is done in an exam, or in all of the tenant; without hours it is done as it is otherwise.
 * @throws exams.notFound, exams.archived, request.forbidden, input.invalid, row.builtIn for one that cannot be switched off
 */
export async function changePlan(
  app: FastifyInstance,
  person: Person,
  { examId: exam, code, isOn, steps, most }: Wanted,
): Promise<void> {
  const examId = exam ?? null
  await ownerOf(app, person, examId)
  const rule = reminderRules.get(code)
  if (!rule || (examId !== null && !isOfExam(rule))) throw refuse('input.invalid', { 说明: '没有这项提醒' })
  if (!isOn && isMust(rule)) throw refuse('row.builtIn')
  const wanted = { isOn: isOn ? 1 : 0, steps: stepsOf(steps), most: most ?? null } as const
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      if (examId !== null) await lockUnarchived(trx, examId)
      // Of two who change the same one the later waits for the first.
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`reminder:${person.tenantId}:${examId}:${code}`}, 0))`.execute(
        trx,
      )
      await removeRows(trx, 'reminderplan')
        .where('examId', examId === null ? 'is' : '=', examId)
        .where('rule', '=', code)
        .execute()
      if (steps.length === 0) return
      const otherwise = planOf(rule, await changedReminders(trx, examId), examId)
      const kept = { isOn: otherwise.isOn ? 1 : 0, steps: otherwise.steps.join(','), most: otherwise.most } as const
      if (!isSame(wanted, kept))
        await trx
          .insertInto('reminderplan')
          .values({ examId, rule: code, ...wanted })
          .execute()
    })
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  type ChannelName,
  type DomainEvent,
  variablesOf,
  type WechatTemplate,
  wechatTemplates,
  wordsWith,
} from '#engine'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { ExamStatus, SignStatus } from '#schemas/dictionaries'
import { seesAllRows } from '../../../crud/scope.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { segmentsOf } from '../../../platform/channels/sms/sms-text.ts'
import type { Live } from '../../../platform/database/live.ts'
import { readNumberParam, readParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { lockUnarchived } from '../../exams/server/archived.ts'
import { lookAtHeld, textsOfExam } from '../../messages/server/held.ts'
import { balanceOf } from '../../messages/server/ledger.ts'
import { hasTextFor } from '../../messages/server/text-codes.ts'
import { colleagues } from './audiences.ts'
import { examOf, ownerOf } from './exam-of.ts'
import type { Reader } from './inbox.ts'
import { keepChoice } from './keep-choice.ts'
import { commonTitles, namesFor, worded, wordingsOf, writersOf } from './wording.ts'
import { titleOf } from './words.ts'

/** What was chosen for an event and a channel. */
interface Choice {
  readonly examId: string | null
  readonly code: string
  readonly channel: string
  readonly isOn: 0 | 1
}

/** What the tenant and an exam have chosen beyond the presets. */
export const choicesOf = (db: Live, examId: string | null): Promise<Choice[]> =>
  db
    .selectFrom('eventchoice')
    .select(['examId', 'code', 'channel', 'isOn'])
    .where(eb => eb.or([eb('examId', 'is', null), eb('examId', '=', examId)]))
    .execute()

/** Whether a channel is used for an event: what the exam says, else the tenant, else the preset; what must be told is told. */
export function isUsed(event: DomainEvent, channel: ChannelName, choices: readonly Choice[]): boolean {
  const preset = event.by?.[channel]
  if (preset === undefined) return false
  if (preset === 'must') return true
  const own = choices.filter(one => one.code === event.name && one.channel === channel)
  const chosen = own.find(one => one.examId !== null) ?? own[0]
  return chosen ? chosen.isOn === 1 : preset !== false
}

/** How an event goes out by a channel unless somebody chooses otherwise. */
export const presetOf = (event: DomainEvent, channel: ChannelName) => {
  const preset = event.by?.[channel]
  if (preset === undefined) return 'none' as const
  if (preset === 'must') return 'must' as const
  return preset ? ('on' as const) : ('off' as const)
}

/** Templates that the official account in use has. */
export async function wechatOffers(app: FastifyInstance, db: Live): Promise<readonly WechatTemplate[]> {
  const offered = await Promise.all(wechatTemplates.map(one => app.wechat.offers(db, one)))
  return wechatTemplates.filter((_, at) => offered[at])
}

const isCommon = (name: string): name is keyof typeof commonTitles => name in commonTitles

/** How many candidates an exam has, and asks for at least by its plan. */
async function peopleIn(db: Live, examId: string) {
  const [signed, planned] = await Promise.all([
    db
      .selectFrom('signup')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('examId', '=', examId)
      .where('signStatus', '=', SignStatus.submitted)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('examitems')
      .select(sql<string>`coalesce(sum(ceil(coalesce("curPlanNum", "planNum") * "openRatio")), 0)`.as('n'))
      .where('examId', '=', examId)
      .executeTakeFirstOrThrow(),
  ])
  return { people: Number(signed.n), planned: Number(planned.n) }
}

/**
 * What people are told in an exam, and by which ways; without an exam what holds in all of the tenant.
 * @throws exams.notFound, request.forbidden
 */
export async function choicesIn(
  app: FastifyInstance,
  { person, language }: Pick<Reader, 'person' | 'language'>,
  examId: string | null,
) {
  const exam = await ownerOf(app, person, examId)
  const db = liveAs(app, person)
  const [choices, templates, people, site, balance, unitFen, hasMail, wechat, texts, wordings, writers] =
    await Promise.all([
      choicesOf(db, examId),
      usableTemplates(db),
      examId === null ? { people: 0, planned: 0 } : peopleIn(db, examId),
      readParam(db, 'site.title'),
      balanceOf(db),
      readNumberParam(db, person.tenantId, 'sms.unitFen'),
      app.mail.isOn(db),
      wechatOffers(app, db),
      examId === null ? { used: 0, held: 0 } : textsOfExam(db, examId),
      wordingsOf(db, [examId]),
      writersOf(db, examId),
    ])
  const codes = new Set(templates.map(({ smsCode }) => smsCode))
  const known: Readonly<Record<string, string>> = {
    ...(exam.examName !== null && {
      exam: exam.shortName || exam.examName,
      examName: exam.examName,
      phone: exam.contactPhone ?? '',
    }),
  }
  const events = [...domainEvents.values()]
    .filter(({ name, to }) => !reminderRules.has(name) && to.some(name => !colleagues.includes(name)))
    .map(preset => {
      const event = worded(preset, examId, wordings)
      const title = (name: string) => {
        const own = isCommon(name) ? commonTitles[name] : titleOf(event, name)
        return language === 'en' ? inEnglish(own) : own
      }
      const names = variablesOf(event.text[language])
      const values = Object.fromEntries(names.map(name => [name, known[name] ?? `{${title(name)}}`]))
      return {
        code: event.name,
        label: event.label,
        text: wordsWith(event.text[language], values),
        words: { zh: event.text.zh, en: event.text.en },
        isWorded: wordings.some(one => one.code === preset.name && one.examId === examId),
        wordedUser: writers.get(preset.name)?.name ?? '',
        wordedTime: writers.get(preset.name)?.time ?? null,
        names: namesFor(event),
        sms: presetOf(event, 'sms'),
        isOn: isUsed(event, 'sms', choices),
        mail: presetOf(event, 'mail'),
        isMailOn: isUsed(event, 'mail', choices),
        wechat: presetOf(event, 'wechat'),
        isWechatOn: isUsed(event, 'wechat', choices),
        hasWechat: event.by?.wechat !== undefined && wechat.includes(event.by.wechat),
        hasTemplate: hasTextFor(event, codes),
        segments: segmentsOf(`【${site}】${wordsWith(preset.text.zh, values)}`),
      }
    })
  return {
    events,
    ...people,
    unitFen,
    balance,
    hasMail,
    hasWechat: wechat.length > 0,
    limit: { most: exam.textMost, ...texts },
    mayPreset: seesAllRows(person),
    isArchived: exam.examStatus === ExamStatus.archived,
  }
}

/**
 * Says how many text messages an exam may be charged for in all, and lets those that are held go on as far as it may have more.
 * @throws exams.notFound, exams.archived
 */
export async function limitTextsOf(
  app: FastifyInstance,
  person: Person,
  { examId, most = null }: { examId: string; most?: number | null | undefined },
): Promise<void> {
  await examOf(app, person, examId)
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      await lockUnarchived(trx, examId)
      await trx.updateTable('examination').set({ textMost: most }).where('id', '=', examId).execute()
      await lookAtHeld(app, trx, person.tenantId, examId)
    })
}

/** What is said of an event that does not go out by a channel. */
const notOffered = { sms: '该事件不发短信', mail: '该事件不发邮件', wechat: '该事件不发微信' } as const

/**
 * Switches text messages, e-mails or WeChat messages of an event on or off for an exam, or for all of the tenant.
 * @throws exams.notFound, exams.archived, request.forbidden, input.invalid for an event that has none, row.builtIn for one that must be told
 */
export async function choose(
  app: FastifyInstance,
  person: Person,
  {
    examId: exam,
    code,
    isOn,
    channel,
  }: { examId?: string | undefined; code: string; isOn: boolean; channel: ChannelName },
): Promise<void> {
  const examId = exam ?? null
  await ownerOf(app, person, examId)
  const event = domainEvents.get(code)
  if (!event || presetOf(event, channel) === 'none') throw refuse('input.invalid', { 说明: notOffered[channel] })
  if (presetOf(event, channel) === 'must' && !isOn) throw refuse('row.builtIn')
  await keepChoice(app, person, { examId, code, channel }, { isOn: isOn ? 1 : 0 })
}

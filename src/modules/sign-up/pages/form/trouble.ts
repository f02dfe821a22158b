import { fieldId } from '../../../../screens/candidate/inputs/props.ts'
import type { SignProblem } from '../../../exams/rules/sign-check.ts'
import type { FileProblem } from '../../../exams/rules/sign-files.ts'
import type { RuleResult } from '../exams/use-fitting.ts'
import { at } from './steps.ts'
import { isRefusal } from './use-sheet.ts'

/** A refusal as the form shows it: where to go and what to say there. */
export interface Trouble {
  step: number
  message: string
  elementId?: string
  /** Wrong fields with what is wrong. */
  fields?: ReadonlyMap<string, string>
  /** Slots with what is wrong. */
  files?: ReadonlyMap<string, string>
  /** Rules of the position that are not met. */
  rules?: readonly RuleResult[]
  /** The page is out of date: positions or texts have changed since. */
  isStale?: boolean
}

/** Refusals that are shown in the form instead of as a message. */
export const passed = [
  REFUSAL.exams.positionNotFound,
  REFUSAL.exams.positionDisabled,
  REFUSAL.signup.positionFull,
  REFUSAL.signup.invalid,
  REFUSAL.signup.filesMissing,
  REFUSAL.signup.consentRequired,
  REFUSAL.signup.requirementsNotMet,
] as const

type Words = (text: string, vars?: Record<string, unknown>) => string

/** The id of a slot's control. */
export const slotId = (fileCode: string): string => `file-${fileCode}`

/** The id of the tick under the promise. */
export const CONSENT = 'consent'

function fieldsTrouble(data: readonly SignProblem[], t: Words): Trouble {
  const fields = new Map(data.map(one => [one.field, one.msg]))
  const first = data[0]
  if (first?.field === 'code') return { step: at.position, message: first.msg }
  const message = t('有 {{n}} 处需要改正', { n: data.length })
  return { step: at.items, message, fields, elementId: first && fieldId(first.field) }
}

function filesTrouble(data: readonly FileProblem[], t: Words): Trouble {
  const files = new Map(data.map(one => [one.fileCode, one.msg]))
  const message = t('附件还有 {{n}} 处需要处理', { n: data.length })
  return { step: at.files, message, files, elementId: data[0] && slotId(data[0].fileCode) }
}

/** Where a refused hand-in leads; undefined for what has been shown already and for a broken connection. */
export function troubleOf(error: unknown, t: Words): Trouble | undefined {
  if (!isRefusal(error)) return undefined
  const { code, message } = error
  const data = Array.isArray(error.data) ? error.data : []
  switch (code) {
    case REFUSAL.signup.invalid:
      return data.length > 0 ? fieldsTrouble(data, t) : { step: at.items, message }
    case REFUSAL.signup.filesMissing:
      return data.length > 0 ? filesTrouble(data, t) : { step: at.files, message }
    case REFUSAL.signup.requirementsNotMet:
      return { step: at.preview, message, rules: data }
    case REFUSAL.signup.consentRequired:
      return { step: at.preview, message, elementId: CONSENT, isStale: true }
    case REFUSAL.signup.positionFull:
    case REFUSAL.exams.positionNotFound:
    case REFUSAL.exams.positionDisabled:
      return { step: at.position, message, isStale: true }
    default:
      return undefined
  }
}

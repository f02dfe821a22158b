import { REGISTERING } from '../../../http/browser/session.ts'
import { blank, type Fields } from './fields.ts'

const [NAME] = REGISTERING
/** Milliseconds for which a form that was left is kept in its tab. */
const KEPT = 2 * 3600_000
/** What is never kept: passwords, and the code on the phone. */
const SECRET: readonly (keyof Fields)[] = ['password', 'password2', 'smsCode']

/** What this tab keeps of a form that was being filled in; the blank form for nothing. */
export function readDraft(): Fields {
  try {
    const found = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as { at: number; fields: Partial<Fields> } | null
    return found && Date.now() - found.at < KEPT ? { ...blank, ...found.fields } : blank
  } catch {
    return blank
  }
}

/** Keeps what was typed, without secrets, in this tab. */
export function keepDraft(fields: Fields): void {
  const kept = Object.entries(fields).filter(([name]) => !SECRET.includes(name as keyof Fields))
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ at: Date.now(), fields: Object.fromEntries(kept) }))
  } catch {
    // A browser without room or leave keeps nothing; the form itself goes on.
  }
}

/** Forgets it, with the number of the code that was sent: the account is there. */
export function dropDraft(): void {
  for (const name of REGISTERING) sessionStorage.removeItem(name)
}

import { DRAFTS, session } from '../../../../platform/http/browser/session.ts'
import type { Sheet } from './sheet.ts'

/** What this device keeps of a form that the server has not taken yet. */
export interface LocalDraft {
  sheet: Sheet
  /** The server's version the changes were made on; 0 for none. */
  version: number
  /** Milliseconds since 1970. */
  at: number
}

const nameOf = (examId: string): string => `${DRAFTS}${session.get()?.user_id ?? ''}-${examId}`

/** What is kept for an exam by the person who is signed in; undefined for nothing or nonsense. */
export function readLocal(examId: string): LocalDraft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(examId)) ?? 'null') as LocalDraft | null
    return found && typeof found.sheet === 'object' && Array.isArray(found.sheet.files) ? found : undefined
  } catch {
    return undefined
  }
}

/** Keeps a form on this device. False where the browser has no room or forbids it. */
export function keepLocal(examId: string, draft: LocalDraft): boolean {
  try {
    localStorage.setItem(nameOf(examId), JSON.stringify({ ...draft, sheet: { ...draft.sheet, consent: false } }))
    return true
  } catch {
    return false
  }
}

/** Forgets it: the server has it now. */
export const dropLocal = (examId: string): void => localStorage.removeItem(nameOf(examId))

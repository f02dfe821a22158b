import { DRAFTS, session } from '../../../../platform/http/browser/session.ts'

/** What this device keeps of a drawing that has not been saved. */
export interface Draft {
  readonly xml: string
  readonly category: string
  /** The version of the model that it was drawn on; 0 for a new one. */
  readonly version: number
}

const nameOf = (modelId: string): string => `${DRAFTS}${session.get()?.user_id ?? ''}-flow-${modelId}`

/** What is kept of a model for the person who is signed in; undefined for nothing or nonsense. */
export function readDraft(modelId: string): Draft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(modelId)) ?? 'null') as Draft | null
    return found && typeof found.xml === 'string' && typeof found.version === 'number' ? found : undefined
  } catch {
    return undefined
  }
}

/** Keeps a drawing on this device. False where the browser has no room or forbids it. */
export function keepDraft(modelId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(nameOf(modelId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Forgets it: it has been saved, or is no longer wanted. */
export const dropDraft = (modelId: string): void => localStorage.removeItem(nameOf(modelId))

import { useSyncExternalStore } from 'react'
import { type Session, session, type TokenAnswer } from '../../platform/http/browser/session.ts'
import { dropDrafts, leaveFor, signInAddress } from '../../screens/providers/auth.ts'

/** A window that waits for its person. */
interface Waiting {
  readonly person: Session
  readonly until: Promise<void>
  readonly done: () => void
}

let waiting: Waiting | undefined
const listeners = new Set<() => void>()

function put(next: Waiting | undefined): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The session has run out while something typed has not been saved: the window stays as it is, and the person is asked
 * to sign in over it. Settles after the sign-in.
 */
export function askToSignInAgain(): Promise<void> {
  if (waiting) return waiting.until
  const person = session.hold()
  let done = (): void => undefined
  const until = new Promise<void>(kept => {
    done = kept
  })
  if (person) put({ person, until, done })
  else leaveFor(signInAddress('expired'))
  return until
}

/** The person has signed in again: what was interrupted continues. */
export function goOn(): void {
  const { done } = waiting ?? {}
  session.release()
  put(undefined)
  done?.()
}

const isSame = (person: Session, { user_id, tenant_id = person.tenant_id }: TokenAnswer): boolean =>
  user_id === person.user_id && tenant_id === person.tenant_id

/** Takes the answer of signing in. False when it is somebody else's: nothing has been done with it then. */
export function takeAnswer(answer: TokenAnswer): boolean {
  if (!waiting || !isSame(waiting.person, answer)) return false
  session.open(answer)
  goOn()
  return true
}

/** Somebody else has signed in: the window begins again, without what the person before typed. */
export function beginAs(answer: TokenAnswer): void {
  leaveFor('/')
  dropDrafts()
  session.begin(answer)
}

/** Gives up what was typed. */
export function giveUp(): void {
  leaveFor('/login')
  dropDrafts()
  session.clear()
}

/** Whom this window waits for; undefined while it waits for nobody. */
export const useAwaited = (): Session | undefined => useSyncExternalStore(subscribe, () => waiting?.person)

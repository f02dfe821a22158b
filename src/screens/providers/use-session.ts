import { useSyncExternalStore } from 'react'
import { type Session, session } from '../../platform/http/browser/session.ts'

/** Who is signed in; drawn again when that changes, in this tab or another. */
export function useSession(): Session | null {
  return useSyncExternalStore(session.subscribe, session.get)
}

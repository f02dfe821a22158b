import { useSyncExternalStore } from 'react'

/** Dialogs of the console's window: few people open any, so each comes when it is first opened. */
export type Dialog = 'settings' | 'lock' | 'logs' | 'keys' | 'search' | 'switch'

const listeners = new Set<() => void>()
let opened: Dialog | undefined

/** Opens a dialog in the place of any other; without a name the one that is open is closed. */
export function openDialog(name?: Dialog): void {
  opened = name
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The dialog that is open. */
export function useDialog(): Dialog | undefined {
  return useSyncExternalStore(subscribe, () => opened)
}

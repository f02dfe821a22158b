import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { session } from '../../../../platform/http/browser/session.ts'
import { doorBundle, syncMarks } from '../../check-in/contract.ts'
import { Door, type DoorCalls } from './door.ts'
import { browserStore } from './door-store.ts'
import { keepShell } from './offline-shell.ts'

/** Milliseconds between two exchanges while the page is looked at: other devices note people too. */
const EVERY = 20_000
/** Milliseconds a call may take: a bad network is treated as none, and tried again. */
const PATIENCE = 15_000

/** A door shows refusals and tries again itself. */
const itself = { pass: 'all', patience: 0 } as const

const calls: DoorCalls = {
  bundle: (roomId, rehearsal) =>
    call(doorBundle, { roomId, ...(rehearsal && { rehearsal }) }, { ...itself, timeout: 60_000 }),
  sync: (roomId, events, rehearsal) =>
    call(syncMarks, { roomId, events, ...(rehearsal && { rehearsal }) }, { ...itself, timeout: PATIENCE }),
}

/** Keeps a door in touch with the server while its page is open, and the page itself on the device. */
function live(door: Door, fail: (error: unknown) => void): () => void {
  const turn = (): void => {
    if (document.visibilityState === 'visible')
      void door
        .tidy()
        .then(() => door.flush())
        .catch(fail)
  }
  void door
    .open()
    .then(() => door.get().bundle && keepShell().catch(() => undefined))
    .catch(fail)
  const timer = setInterval(turn, EVERY)
  addEventListener('online', turn)
  document.addEventListener('visibilitychange', turn)
  return () => {
    clearInterval(timer)
    removeEventListener('online', turn)
    document.removeEventListener('visibilitychange', turn)
  }
}

/** The door of a room, and whether this device can keep anything. */
export function useDoor(roomId: string, rehearsal: boolean) {
  const [door] = useState(
    () => new Door({ roomId, rehearsal, userId: session.get()?.user_id ?? '' }, browserStore(), calls),
  )
  const [broken, setBroken] = useState(false)
  useEffect(() => live(door, () => setBroken(true)), [door])
  const state = useSyncExternalStore(door.subscribe, door.get)
  return { door, state, broken }
}

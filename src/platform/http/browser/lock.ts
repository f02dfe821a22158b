const NAME = 'juxian-lock'

/** What lock and unlock leave in the storage: other tabs are told of that, and not of cookies. `on` or `off`, and when. */
export const LOCK_TOLD = 'juxian-lock-told'

function read(): string {
  return (
    document.cookie
      .split('; ')
      .find(part => part.startsWith(`${NAME}=`))
      ?.slice(NAME.length + 1) ?? ''
  )
}

/** The Cookie Store API is missing outside secure contexts, so the plain property it is. */
function write(cookie: string, now: 'on' | 'off'): void {
  Object.assign(document, { cookie })
  localStorage.setItem(LOCK_TOLD, `${now} ${Date.now()}`)
  dispatchEvent(new Event(LOCK_TOLD))
}

/**
 * The screen lock. A cookie without an end lasts exactly as long as the browser session, and in all its tabs. It hides
 * what is on the screen; the session itself is guarded by the server's idle limit.
 */
export const lock = {
  /** True while the screen is locked. */
  isOn: (): boolean => read() !== '',
  /** True while the cookie does not say yet what another tab has told: browsers bring the two on different ways. */
  isBehind: (told: string | null): boolean => told !== null && told.startsWith('on') !== (read() !== ''),
  /** What the lock password is compared with; empty while the screen is not locked. */
  mark: read,
  /** Locks every tab of this browser session. */
  on: (mark: string): void => {
    write(`${NAME}=${mark}; path=/; SameSite=Strict`, 'on')
  },
  /** Unlocks. */
  off: (): void => {
    if (read()) write(`${NAME}=; path=/; max-age=0; SameSite=Strict`, 'off')
  },
}

import { UserType } from '#schemas/dictionaries/administration'
import type { SessionBody, TokenBody } from '../contract.ts'
import { lock } from './lock.ts'

/** What the token call answers of a person, as pages keep it. */
export interface Session extends Omit<SessionBody, 'post_id' | 'license' | 'userType' | 'detail'> {
  userType: number
  detail?: Partial<SessionBody['detail']>
  /** The person acts with some of several roles or departments, and may switch back. */
  several?: boolean
}

/** The token call's answer: the session and its two tokens. */
export interface TokenAnswer
  extends Partial<Session>,
    Pick<TokenBody, 'access_token' | 'refresh_token'>,
    Partial<Pick<TokenBody, 'expires_in'>> {}

const ACCESS = 'juxian-access-token'
const REFRESH = 'juxian-refresh-token'
const TIME = 'juxian-token-time'
const INFO = 'juxian-user-info'
const ALL = [ACCESS, REFRESH, TIME, INFO]

/** The exam whose form has been handed in from this tab. */
export const HANDED_IN = 'juxian-handed-in'

/** Names of what lasts as long as the browser session and must not outlive the person's. */
const PASSING = ['juxian-tabs', 'juxian-unpaid', 'juxian-code-phone', HANDED_IN]

/** What the forms of a device are kept under until the server has taken them. */
export const DRAFTS = 'juxian-draft-'

/** The database of rosters that doors work with offline: personal data, which signing out deletes. */
export const ROSTERS = 'juxian-rosters'

/** Seconds after which a token is renewed before the server would refuse it. */
export const TOKEN_TIME = 3000

const BLANK: Session = {
  tenant_id: '000000',
  user_id: '',
  dept_id: '',
  role_id: '',
  oauth_id: '',
  account: '',
  user_name: '',
  nick_name: '',
  real_name: '',
  role_name: '',
  avatar: '',
  userType: UserType.staff,
  userCode: '',
}

/** Left in the storage when a session has run out, so that other tabs do not take it for signing out. */
const ENDED = 'juxian-session-ended'

/** What strangers have typed in this tab to get an account: nobody's any more once somebody has signed in. */
export const REGISTERING = ['juxian-register', 'juxian-code-register'] as const

/** The person of a session that has run out while this window waits for signing in again. */
let held: Session | null = null
let cached: { raw: string; value: Session } | undefined
const listeners = new Set<() => void>()

const read = (): Session | null => stored() ?? held

function stored(): Session | null {
  const raw = localStorage.getItem(INFO)
  if (!raw || !localStorage.getItem(ACCESS)) return null
  if (cached?.raw !== raw) cached = { raw, value: parse(raw) }
  return cached.value
}

function parse(raw: string): Session {
  try {
    return { ...BLANK, ...(JSON.parse(raw) as Partial<Session>) }
  } catch {
    return BLANK
  }
}

function changed(): void {
  for (const listener of listeners) listener()
}

function open(answer: TokenAnswer, before = read() ?? BLANK): void {
  const { access_token, refresh_token, expires_in: _life, ...rest } = answer
  const info = { ...before, ...rest, userType: Number(rest.userType ?? BLANK.userType) }
  localStorage.setItem(TIME, String(Date.now()))
  localStorage.setItem(REFRESH, refresh_token)
  localStorage.setItem(INFO, JSON.stringify(info))
  localStorage.setItem(ACCESS, access_token)
  localStorage.removeItem(ENDED)
  held = null
  changed()
}

/** Forgets what only this tab knows of its person. */
function leave(): void {
  for (const name of PASSING) sessionStorage.removeItem(name)
}

/** Forgets what this device has of its person besides the session itself. */
function forget(): void {
  leave()
  globalThis.indexedDB?.deleteDatabase(ROSTERS)
  lock.off()
}

function wipe(): void {
  held = null
  for (const name of ALL) localStorage.removeItem(name)
  forget()
  changed()
}

/** Says in the storage that a session has run out. Before its tokens go: other tabs are told of each change at once. */
const markEnded = (): void => localStorage.setItem(ENDED, String(Date.now()))

/** Milliseconds between two looks whether the session is still there: a tab is told of other tabs only. */
const LOOK = 1000

/**
 * Follows the session while a page is open. When its token is gone, whoever took it, everything of the session goes as well.
 * @param gone called once: the session has ended, or somebody else has signed in
 * @param waits asked when the session has run out in another tab: true when this window keeps its person and waits for the sign-in
 * @param back called when the person for whom this window waits has signed in again in another tab
 */
function follow(
  gone: (why: 'ended' | 'other') => void,
  waits: () => boolean = () => false,
  back: () => void = () => undefined,
): () => void {
  const me = read()?.user_id
  const look = (): void => {
    // A token without its person: the storage was cleared in part, and this window still knows who it is.
    if (cached && cached.value.user_id === me && localStorage.getItem(ACCESS) && !localStorage.getItem(INFO))
      localStorage.setItem(INFO, cached.raw)
    const who = stored()
    if (who?.user_id === me) {
      if (held) back()
      return
    }
    if (!who && (held || (localStorage.getItem(ENDED) !== null && waits()))) return
    stop()
    if (who) leave()
    else wipe()
    gone(who ? 'other' : 'ended')
  }
  const timer = setInterval(look, LOOK)
  const stop = (): void => {
    clearInterval(timer)
    removeEventListener('storage', look)
    document.removeEventListener('visibilitychange', look)
  }
  addEventListener('storage', look)
  document.addEventListener('visibilitychange', look)
  return stop
}

function subscribe(listener: () => void): () => void {
  const heard = (event: StorageEvent): void => {
    if (event.key === null || ALL.includes(event.key)) listener()
  }
  listeners.add(listener)
  addEventListener('storage', heard)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', heard)
  }
}

/** Who is signed in on this browser: kept in localStorage, so every tab knows the same person. */
export const session = {
  /** The person, or null without a token. The same object until something changes. */
  get: read,
  /** The access token, or an empty string. */
  token: (): string => localStorage.getItem(ACCESS) ?? '',
  /** The refresh token, or an empty string. */
  refreshToken: (): string => localStorage.getItem(REFRESH) ?? '',
  /** Seconds since the token was received; 0 without one. */
  age: (): number => (localStorage.getItem(ACCESS) ? (Date.now() - Number(localStorage.getItem(TIME))) / 1000 : 0),
  /** Keeps what a token call answered. A person signed in before stays known for what the answer leaves out. */
  open: (answer: TokenAnswer): void => open(answer),
  /** Starts a new person's session: tabs and lock of whoever was here before are forgotten. */
  begin: (answer: TokenAnswer): void => {
    forget()
    for (const name of REGISTERING) sessionStorage.removeItem(name)
    // Written over, never removed first: other tabs would take the moment between for the end of the session.
    open(answer, BLANK)
  },
  /** Changes what is known of the person, for example after a new avatar. */
  update: (part: Partial<Session>): void => {
    localStorage.setItem(INFO, JSON.stringify({ ...(read() ?? BLANK), ...part }))
    changed()
  },
  /** Forgets tokens, person, tabs and lock, here and in every other tab. */
  clear: (): void => {
    localStorage.removeItem(ENDED)
    wipe()
  },
  /** The same for a session that has run out: other tabs that hold something unsaved may ask for signing in again. */
  expire: (): void => {
    markEnded()
    wipe()
  },
  /** True when the session has run out rather than been ended by its person. */
  hasExpired: (): boolean => localStorage.getItem(ENDED) !== null,
  /** Forgets the tokens of a session that has run out, but keeps its person in this window, which waits for the sign-in. */
  hold: (): Session | null => {
    // In a tab that is only told of it the storage is empty already.
    held = read() ?? cached?.value ?? null
    markEnded()
    for (const name of ALL) localStorage.removeItem(name)
    return held
  },
  /** True while this window waits for its person to sign in again. */
  isHeld: (): boolean => held !== null,
  /** The person has signed in again, perhaps in another tab: what is stored counts again. */
  release: (): void => {
    held = null
    changed()
  },
  /** The same when another tab has ended the session: its tabs are forgotten here too. */
  leave,
  follow,
  /** Calls back after every change, also those made in other tabs; answers how to stop. */
  subscribe,
}

/** True for a candidate (userType 2). */
export function isCandidate(who: Session | null): boolean {
  return who?.userType === UserType.candidate
}

/** True for who may choose among several roles or departments. */
export function hasSeveral(who: Session | null): boolean {
  return who !== null && (who.several === true || [who.role_id, who.dept_id].some(ids => ids.includes(',')))
}

/** True for a guest of a third-party login who has no account yet: the server writes a missing id as -1 or "". */
export function isGuest(who: Session | null): boolean {
  return who !== null && (who.user_id === '' || Number(who.user_id) < 0)
}

/** What a browser remembers while its person is at a provider elsewhere. */
export interface ReturnState {
  /** Where to go on afterwards: a path of ours. */
  to: string
  tenantId: string
  /** The identity is to be linked to the account that is signed in. */
  links?: true
  /** Signing in goes on with a code of the app. */
  factorToken?: string
}

const KEY = 'juxian-trip'

/** Remembers a trip in this tab. */
export function keepReturnState(trip: ReturnState): void {
  sessionStorage.setItem(KEY, JSON.stringify(trip))
}

/** The trip this tab was on, once. */
export function takeReturnState(): ReturnState | undefined {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return text ? (JSON.parse(text) as ReturnState) : undefined
  } catch {
    return undefined
  }
}

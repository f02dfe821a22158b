import { workspaces } from 'virtual:catalogue'
import { session } from '../../platform/http/browser/session.ts'
import { changePreference, preference, usePreference } from '../preferences.ts'

/** The rows that somebody last worked on, by the names of their workspaces. */
type Last = Readonly<Record<string, string>>

/** Under which the settings of a person have them. */
const NAME = 'place'

/** The row that this window last worked on: two windows may be in two of them. An empty one stands for all rows. */
const nameOf = (workspace: string) => `juxian-place-${session.get()?.user_id ?? ''}-${workspace}`

const lastOf = (workspace: string, kept: Partial<Last>): string | undefined =>
  sessionStorage.getItem(nameOf(workspace)) ?? kept[workspace]

/** Remembers the row that somebody works on, for this window and for those to come. */
function remember(workspace: string, id: string): void {
  sessionStorage.setItem(nameOf(workspace), id)
  changePreference(NAME, { [workspace]: id })
}

/**
 * The row that a person last worked on, in this window or else in any; empty or undefined when that was none.
 * @param workspace name of the resource
 */
export const lastPlace = (workspace: string): string | undefined => lastOf(workspace, preference<Last>(NAME))

/** Whether the person was in any place last. */
export const isAnywhere = (): boolean => workspaces.some(({ name }) => lastPlace(name))

/** From now on this window is about all rows, until one is opened. */
export const leavePlace = (workspace: string): void => sessionStorage.setItem(nameOf(workspace), '')

/** Forgets a row that is not there any more. */
export function forgetPlace(workspace: string): void {
  sessionStorage.removeItem(nameOf(workspace))
  changePreference(NAME, { [workspace]: undefined })
}

/**
 * {@link lastPlace}, drawn again when it changes, and how to remember another.
 * @param workspace name of the resource
 */
export function useLastPlace(workspace: string): readonly [id: string | undefined, remember: typeof remember] {
  const [kept] = usePreference<Record<string, string>>(NAME)
  return [lastOf(workspace, kept), remember]
}

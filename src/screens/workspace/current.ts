import { useCallback } from 'react'
import { usePreference } from '../preferences.ts'

/** The row that this window last worked on, by the name of its workspace: two windows may be in two of them. */
const nameOf = (workspace: string) => `juxian-place-${workspace}`

/**
 * The row that a person last worked on, in this window or else in any, and how to remember another.
 * @param workspace name of the resource
 */
export function useLastPlace(workspace: string): readonly [id: string | undefined, remember: (id: string) => void] {
  const [kept, change] = usePreference<Record<string, string>>('place')
  const remember = useCallback(
    (id: string): void => {
      sessionStorage.setItem(nameOf(workspace), id)
      change({ [workspace]: id })
    },
    [workspace, change],
  )
  return [sessionStorage.getItem(nameOf(workspace)) ?? kept[workspace], remember]
}

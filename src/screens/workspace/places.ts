import { useEffect, useState } from 'react'
import type { Workspace } from '#engine'
import { drawNow, loadPart } from '../window/lazy-page.ts'
import type { Place } from './place.ts'
import { readPlace } from './place-route.ts'

const loaded = new Map<string, Workspace>()

/** The place at an address: undefined while it is being loaded, null where there is none. */
function placeOf(path: string): Place | null | undefined {
  const found = readPlace(path)
  const workspace = found && loaded.get(found.listed.name)
  if (!found || !workspace) return found ? undefined : null
  const isPage = found.page === '' || workspace.pages.some(({ name }) => name === found.page)
  return isPage ? { workspace, id: found.id, page: found.page } : null
}

/** Loads the workspace of an address, where there is one. */
async function loadPlace(path: string): Promise<void> {
  const found = readPlace(path)
  if (!found || loaded.has(found.listed.name)) return
  loaded.set(found.listed.name, (await loadPart(found.listed.load)).default)
}

/** The place at an address: undefined while that is not known, null when there is none. */
export function usePlaceAt(path: string): Place | null | undefined {
  const [, draw] = useState(0)
  const [error, setError] = useState<unknown>()
  const place = placeOf(path)
  useEffect(() => {
    if (place === undefined) loadPlace(path).then(() => drawNow(() => draw(times => times + 1)), setError)
  }, [path, place])
  if (error) throw error
  return place
}

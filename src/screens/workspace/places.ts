import { catalogue, workspaces } from 'virtual:catalogue'
import { useEffect, useState } from 'react'
import type { Workspace } from '#engine'
import { drawNow, loadPart } from '../window/lazy-page.ts'
import type { Place } from './place.ts'

const loaded = new Map<string, Workspace>()

/** What an address says of a place, before the workspace itself is known. */
function read(path: string) {
  for (const listed of workspaces) {
    const start = listed.route.slice(0, -':id'.length)
    const [, id, page = ''] = path.startsWith(start)
      ? (/^(\d+)(?:\/([a-z-]+))?$/.exec(path.slice(start.length)) ?? [])
      : []
    if (id) return { listed, id, page }
  }
  return null
}

/** Whether an address is one of a workspace, whether or not there is such a page or row. */
export const isPlace = (path: string): boolean => read(path) !== null

/** The place at an address: undefined while it is being loaded, null where there is none. */
function placeOf(path: string): Place | null | undefined {
  const found = read(path)
  const workspace = found && loaded.get(found.listed.name)
  if (!found || !workspace) return found ? undefined : null
  const isPage = found.page === '' || workspace.pages.some(({ name }) => name === found.page)
  return isPage ? { workspace, id: found.id, page: found.page } : null
}

/** Address of the list that the rows of a workspace stand in; undefined for an address that is none of a workspace. */
export function listOfPlace(path: string): string | undefined {
  const found = read(path)
  return catalogue.find(one => one.name === found?.listed.name)?.screen
}

/** Loads the workspace of an address, where there is one. */
export async function loadPlace(path: string): Promise<void> {
  const found = read(path)
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

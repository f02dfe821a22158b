import { catalogue, workspaces } from 'virtual:catalogue'
import type { Resource } from '#engine'

/** Address of the workspace around a row of a resource, with `:id` for the row; undefined where there is none. */
export const placeRoute = ({ name }: Pick<Resource, 'name'>): string | undefined =>
  workspaces.find(one => one.name === name)?.route

/** What an address says of a place, before the workspace itself is known; null for one that is none of a workspace. */
export function readPlace(path: string) {
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
export const isPlace = (path: string): boolean => readPlace(path) !== null

/** Address of the list that the rows of a workspace stand in; undefined for an address that is none of a workspace. */
export function listOfPlace(path: string): string | undefined {
  const found = readPlace(path)
  return catalogue.find(one => one.name === found?.listed.name)?.screen
}

import { workspaces } from 'virtual:catalogue'
import type { Resource } from '#engine'

/** Address of the workspace around a row of a resource, with `:id` for the row; undefined where there is none. */
export const placeRoute = ({ name }: Pick<Resource, 'name'>): string | undefined =>
  workspaces.find(one => one.name === name)?.route

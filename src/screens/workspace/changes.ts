import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PageShape, Resource, Wire, workspaceEntryShape } from '#engine'
import { call } from '../../platform/http/browser/http.ts'
import type { Place } from './place.ts'

/** One entry of what has been changed around a row. */
export type Change = Wire<typeof workspaceEntryShape>

/**
 * What has been changed around the row of a workspace, the newest first.
 * @param part which part of it, by its number and size
 */
export const useChanges = (
  { workspace, id }: Pick<Place, 'workspace' | 'id'>,
  { path }: Pick<Resource, 'path'>,
  part: { current: number; size: number },
) =>
  useQuery({
    queryKey: ['workspace', workspace.name, id, 'changes', part],
    queryFn: ({ signal }) =>
      call<Wire<PageShape<typeof workspaceEntryShape>>>('GET', `${path}/changes`, { params: { id, ...part }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** The page of a workspace that lists the rows to which an entry belongs; undefined for the row itself. */
export const pageOf = ({ workspace }: Pick<Place, 'workspace'>, { resource }: Change): string | undefined =>
  workspace.pages.find(page => 'list' in page && page.list === resource)?.name

import { createContext, use } from 'react'
import type { PageOfWorkspace, Resource, Workspace } from '#engine'
import type { Search } from '../use-rows.ts'

/** Where somebody is in a workspace. */
export interface Place {
  readonly workspace: Workspace
  /** Id of the row. */
  readonly id: string
  /** Name of the page; empty for the home. */
  readonly page: string
  /** Names of the pages that the person may open, where a page stands in the place. */
  readonly open?: ReadonlySet<string>
  /** Nothing is changed in it any more. */
  readonly isStill?: boolean
}

/** The place that a page stands in. */
export const PlaceContext = createContext<Place | null>(null)

/** The place that a page stands in; null for one that stands by itself. */
const usePlace = (): Place | null => use(PlaceContext)

/** Name of the workspace that a page stands in, where nothing is changed in it any more. */
export function useStillPlace(): string | undefined {
  const place = usePlace()
  return place?.isStill ? place.workspace.name : undefined
}

/**
 * Id of the row in whose workspace a page stands.
 * @param resource name of the resource whose row the page is about
 */
export function usePlaceRow(resource: string): string | undefined {
  const place = usePlace()
  return place?.workspace.name === resource ? place.id : undefined
}

/** What a list is filtered by where it stands in a workspace, and nobody takes away. */
export function usePlaceFilter(resource: Pick<Resource, 'name'>): Search | undefined {
  const place = usePlace()
  const page = place?.workspace.pages.find(({ name }) => name === place.page)
  return place && page && 'list' in page && page.list === resource.name ? { [page.by]: place.id } : undefined
}

/** Address of a page of a workspace; of its home without a page. */
export const placeAddress = ({ workspace: { route }, id }: Pick<Place, 'workspace' | 'id'>, page = ''): string =>
  route.replace(':id', id) + (page && `/${page}`)

/** Address of a page that opens in a window of its own. */
export const apartAddress = (
  { id }: Pick<Place, 'id'>,
  { page, apart }: Extract<PageOfWorkspace, { readonly page: string }>,
): string => `${page}?${new URLSearchParams({ [apart ?? 'id']: id })}`

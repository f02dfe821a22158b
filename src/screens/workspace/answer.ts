import { useQuery } from '@tanstack/react-query'
import {
  type checkLineShape,
  matches,
  permissionOf,
  type Resource,
  readCall,
  type Wire,
  type workspaceShape,
} from '#engine'
import { call } from '../../platform/http/browser/http.ts'
import type { WireRow } from '../fields/props.ts'
import { usePermissions } from '../providers/rights.ts'
import type { Place } from './place.ts'

/** What the server says of a workspace. */
export interface PlaceAnswer extends Omit<Wire<typeof workspaceShape>, 'row'> {
  readonly row: WireRow & { readonly id: string }
}
/** One thing that the row of a workspace needs. */
export type CheckLine = Wire<typeof checkLineShape>

/** Milliseconds after which what waits is counted again while the page is seen. */
const EVERY = 60_000

/** Header and waiting work of a workspace; counted again by itself. */
export const usePlaceAnswer = ({ workspace, id }: Pick<Place, 'workspace' | 'id'>, { path }: Pick<Resource, 'path'>) =>
  useQuery<PlaceAnswer>({
    queryKey: ['workspace', workspace.name, id],
    queryFn: ({ signal }) => call<PlaceAnswer>('GET', `${path}/workspace`, { params: { id }, signal }),
    refetchInterval: EVERY,
    retry: false,
  })

/** What of the checks of a workspace is shown: all of them, only what is missing, or nothing. */
type Shown = 'all' | 'missing' | null

const shownOf = ({ checks }: Place['workspace'], row: PlaceAnswer['row'] | undefined): Shown => {
  if (!checks || !row) return null
  if (matches(row, checks.while)) return 'all'
  return checks.later && matches(row, checks.later) ? 'missing' : null
}

/**
 * What the row of a workspace needs before its next step. Once it has taken that, only what is missing all the same.
 * @param row the row, as the workspace's answer has it
 */
export function useChecks(
  { workspace, id }: Pick<Place, 'workspace' | 'id'>,
  resource: Resource,
  row: PlaceAnswer['row'] | undefined,
) {
  const permissions = usePermissions()
  const { checks } = workspace
  const shown = shownOf(workspace, row)
  const { path } = readCall(checks?.call ?? 'GET ')
  const lines = useQuery<CheckLine[]>({
    queryKey: ['workspace', workspace.name, id, 'checks'],
    queryFn: ({ signal }) => call<CheckLine[]>('GET', `${resource.path}/${path}`, { params: { id }, signal }),
    enabled: shown !== null && permissions[permissionOf(resource, checks?.then ?? '')] === true,
    refetchInterval: EVERY,
    retry: false,
  })
  const all = lines.data ?? []
  const missing = all.filter(line => !line.ok && !(shown === 'missing' && checks?.once.includes(line.key)))
  return {
    shown,
    missing,
    done: shown === 'all' ? all.filter(line => line.ok) : [],
    isKnown: lines.isSuccess,
    error: lines.error,
  }
}

/** What {@link useChecks} answers. */
export type Checks = ReturnType<typeof useChecks>

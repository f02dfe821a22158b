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

function shownOf({ checks }: Place['workspace'], row: PlaceAnswer['row'] | undefined, isAsked: boolean): Shown {
  if (!checks || !row) return null
  if (matches(row, checks.while)) return 'all'
  if (isAsked && checks.again && matches(row, checks.again)) return 'all'
  return checks.later && matches(row, checks.later) ? 'missing' : null
}

/**
 * What the row of a workspace needs before its next step. Once it has taken that, only what is missing all the same.
 * @param row the row, as the workspace's answer has it
 * @param isAsked somebody wants to see what it needs to take it once more
 */
export function useChecks(
  { workspace, id }: Pick<Place, 'workspace' | 'id'>,
  resource: Resource,
  row: PlaceAnswer['row'] | undefined,
  isAsked: boolean,
) {
  const permissions = usePermissions()
  const { checks } = workspace
  const shown = shownOf(workspace, row, isAsked)
  const { path } = readCall(checks?.call ?? 'GET ')
  const lines = useQuery<CheckLine[]>({
    queryKey: ['workspace', workspace.name, id, 'checks'],
    queryFn: ({ signal }) => call<CheckLine[]>('GET', `${resource.path}/${path}`, { params: { id }, signal }),
    enabled: shown !== null && permissions[permissionOf(resource, checks?.then ?? '')] === true,
    refetchInterval: EVERY,
    retry: false,
  })
  const all = lines.data ?? []
  const isMissing = (line: CheckLine): boolean =>
    !line.ok && !line.advice && !(shown === 'missing' && checks?.once.includes(line.key))
  const atFirst = (some: readonly CheckLine[]): readonly CheckLine[] => (shown === 'all' ? some : [])
  return {
    shown,
    all,
    missing: all.filter(isMissing),
    /** What is worth a thought and hinders nothing. */
    advice: atFirst(all.filter(line => line.advice && !line.ok)),
    done: atFirst(all.filter(line => line.ok && !line.advice)),
    isKnown: lines.isSuccess,
    error: lines.error,
    /** Asks again. @returns what is missing now, and everything that is needed */
    reload: async () => {
      const { data = [] } = await lines.refetch()
      return { all: data, missing: data.filter(isMissing) }
    },
  }
}

/** What {@link useChecks} answers. */
export type Checks = ReturnType<typeof useChecks>

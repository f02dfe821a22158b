import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { matches, type Resource } from '#engine'
import { ApiError } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { useMay } from '../may.ts'
import { NoAnswer } from '../parts/NoAnswer.tsx'
import type { PageRoute } from '../parts/route.ts'
import { useRights } from '../providers/rights.ts'
import { PageSkeleton } from '../window/PageSkeleton.tsx'
import { definitionOf } from '../window/screens.ts'
import { type CheckLine, type PlaceAnswer, useChecks, usePlaceAnswer } from './answer.ts'
import { ChecksBar } from './ChecksBar.tsx'
import { forgetPlace, useLastPlace } from './current.ts'
import { Home } from './Home.tsx'
import { CHECKS, checksAddress, LIST, lineAfter, mendAddress, openingFor, openingOfRow, ROW } from './mending.ts'
import { type OpenPage, openPages } from './open-pages.ts'
import { PlaceHeader } from './PlaceHeader.tsx'
import { PlaceTabs } from './PlaceTabs.tsx'
import { apartAddress, type Place, PlaceContext, placeAddress } from './place.ts'
import './beside.css'
import './workspace.css'

// Pages of a workspace: a list needs none of the form, and neither is needed by the home.
const FormDialog = lazy(() => import('../FormDialog.tsx'))
const ResourceScreen = lazy(() => import('../ResourceScreen.tsx'))
const Changes = lazy(() => import('./Changes.tsx'))

interface Props {
  place: Place
  /** Pages made by hand. */
  made: readonly PageRoute[]
  /** Draws a page made by hand. */
  draw: (page: PageRoute) => ReactNode
  /** Told the name of the row as soon as it is known, for the tab: the short one where it has one. */
  onName: (name: string) => void
}

/** The definition of a resource; undefined while it is being loaded. */
function useDefinition(name: string): Resource | undefined {
  const [found, set] = useState<Resource>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    definitionOf(name).then(set, setError)
  }, [name])
  if (error) throw error
  return found?.name === name ? found : undefined
}

interface ListPageProps {
  name: string
  place: Place
  line: CheckLine | undefined
  onSaved: (() => void) | undefined
}

function ListPage({ name, place, line, onSaved }: ListPageProps): ReactNode {
  const resource = useDefinition(name)
  return resource ? <ListHere resource={resource} place={place} line={line} onSaved={onSaved} /> : <PageSkeleton />
}

function ListHere({ resource, place, line, onSaved }: Omit<ListPageProps, 'name'> & { resource: Resource }): ReactNode {
  const may = useMay(resource)
  const [query] = useSearchParams()
  const row = query.get(ROW)
  const begin = line ? openingFor(place, line, resource, may) : row ? openingOfRow(row, resource, may) : undefined
  return <ResourceScreen key={row} resource={resource} begin={begin} onSaved={onSaved} />
}

interface OverviewProps extends Pick<Props, 'place'> {
  /** Name of the page. */
  page: string
  /** What the overview is called. */
  title: string
  isList: boolean
  children: ReactNode
}

/** A list with an overview before it: the way from one to the other stands above both. */
function Overview({ place, page, title, isList, children }: OverviewProps): ReactNode {
  const t = useT()
  const here = placeAddress(place, page)
  return (
    <>
      <nav className="place-ways" aria-label={t('显示方式')}>
        <Link className="place-way" to={here} aria-current={isList ? undefined : 'page'}>
          {t(title)}
        </Link>
        <Link className="place-way" to={`${here}?${LIST}`} aria-current={isList ? 'page' : undefined}>
          {t('名单')}
        </Link>
      </nav>
      {children}
    </>
  )
}

interface PageProps extends Pick<Props, 'place' | 'draw'> {
  open: OpenPage
  resource: Resource
  row: PlaceAnswer['row']
  /** What the page is opened to mend. */
  line: CheckLine | undefined
  /** Called when something has been saved that was to be mended. */
  onMended: (() => void) | undefined
}

function PageHere({ open, place, draw, resource, row, line, onMended }: PageProps): ReactNode {
  const go = useNavigate()
  const { page, made, overview, title } = open
  const [query] = useSearchParams()
  if ('apart' in page && page.apart !== null) return <Navigate to={apartAddress(place, page)} replace />
  if (made) return draw(made)
  if ('list' in page) {
    const rows = <ListPage name={page.list} place={place} line={line} onSaved={onMended} />
    // A row that is to be mended stands in the list.
    const isList = line !== undefined || query.has(LIST)
    return overview ? (
      <Overview place={place} page={page.name} title={overview.title} isList={isList}>
        {isList ? rows : draw(overview)}
      </Overview>
    ) : (
      rows
    )
  }
  if ('history' in page) return <Changes place={place} resource={resource} />
  return (
    <FormDialog
      resource={resource}
      row={row}
      inPage={title}
      at={line?.field}
      onClose={() => void go(placeAddress(place))}
      onSaved={onMended}
    />
  )
}

function Around({ resource, place, made, draw, onName }: Props & { resource: Resource }): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { rights } = useRights()
  const client = useQueryClient()
  const [query] = useSearchParams()
  const key = query.get(CHECKS)
  const answer = usePlaceAnswer(place, resource)
  const checks = useChecks(place, resource, answer.data?.row, key !== null)
  const [round, setRound] = useState(0)
  const { workspace, id } = place
  const name = String(answer.data?.row[workspace.header.short ?? ''] || answer.data?.label || '')
  useEffect(() => {
    if (name) onName(name)
  }, [name, onName])
  const [last, remember] = useLastPlace(workspace.name)
  const isNew = answer.isSuccess && last !== id
  useEffect(() => {
    if (isNew) remember(workspace.name, id)
  }, [id, isNew, remember, workspace.name])
  const here = use(PlaceContext)
  const row = answer.data?.row
  const isStill = Boolean(row && workspace.still && matches(row, workspace.still))
  const around = useMemo(() => here && { ...here, isStill }, [here, isStill])
  const isGone = answer.error instanceof ApiError && answer.error.code === REFUSAL.row.notFound
  useEffect(() => {
    if (isGone && last === id) forgetPlace(workspace.name)
  }, [id, isGone, last, workspace.name])
  if (!answer.data)
    return answer.error ? <NoAnswer error={answer.error} onRetry={() => void answer.refetch()} /> : <PageSkeleton />
  const reload = (): void => void client.invalidateQueries({ queryKey: ['workspace', workspace.name, id] })
  const pages = rights ? openPages(workspace, rights, made) : []
  const open = pages.find(one => one.page.name === place.page)
  const isMending = Boolean(key) && checks.shown !== null
  const line = checks.all.find(one => one.key === key && !one.ok)
  const mendable = (lines: readonly CheckLine[]) => lines.filter(one => mendAddress(place, pages, one))
  const mended = async (): Promise<void> => {
    reload()
    const { all, missing } = await checks.reload()
    const next = lineAfter(mendable(missing), all, key ?? '')
    // The same again, of another row: the page stays where it is.
    if (next && next.key === key) setRound(round + 1)
    else void go((next && mendAddress(place, pages, next)) ?? checksAddress(place))
  }
  const other = lineAfter(mendable(checks.missing.filter(one => one.key !== key)), checks.all, key ?? '')
  const step = resource.actions[workspace.checks?.then as never] as { label: string } | undefined
  return (
    <PlaceContext value={around}>
      <div className="place">
        <PlaceHeader place={place} resource={resource} answer={answer.data} reload={reload} />
        <PlaceTabs place={place} pages={pages} answer={answer.data} missing={checks.missing} />
        {open && isMending && checks.isKnown && (
          <ChecksBar
            step={checks.shown === 'all' ? t(step?.label ?? '') : ''}
            number={checks.missing.length}
            line={line}
            next={other && mendAddress(place, pages, other)}
            back={checksAddress(place)}
          />
        )}
        <Suspense fallback={<PageSkeleton />}>
          {!open ? (
            <Home
              place={place}
              resource={resource}
              pages={pages}
              answer={answer.data}
              checks={checks}
              reload={reload}
              made={made}
              draw={draw}
            />
          ) : isMending && !checks.isKnown ? (
            <PageSkeleton />
          ) : (
            <PageHere
              key={`${key} ${round}`}
              open={open}
              place={place}
              draw={draw}
              resource={resource}
              row={answer.data.row}
              line={line}
              onMended={isMending ? () => void mended() : undefined}
            />
          )}
        </Suspense>
      </div>
    </PlaceContext>
  )
}

/** The place around one row: what stands above its pages, the tabs, and the page of the address. */
export function WorkspaceScreen(props: Props): ReactNode {
  const { place, made } = props
  const { rights } = useRights()
  const resource = useDefinition(place.workspace.name)
  const here = useMemo(() => {
    const pages = rights ? openPages(place.workspace, rights, made) : []
    return { ...place, open: new Set(pages.map(({ page }) => page.name)) }
  }, [place, rights, made])
  if (!resource) return <PageSkeleton />
  return (
    <PlaceContext value={here}>
      <Around {...props} resource={resource} />
    </PlaceContext>
  )
}

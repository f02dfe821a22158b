import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Resource } from '#engine'
import { NoAnswer } from '../parts/NoAnswer.tsx'
import type { PageRoute } from '../parts/route.ts'
import { useRights } from '../providers/rights.ts'
import { PageSkeleton } from '../window/PageSkeleton.tsx'
import { definitionOf } from '../window/screens.ts'
import { type PlaceAnswer, useChecks, usePlaceAnswer } from './answer.ts'
import { useLastPlace } from './current.ts'
import { Home } from './Home.tsx'
import { type OpenPage, openPages } from './open-pages.ts'
import { PlaceHeader } from './PlaceHeader.tsx'
import { PlaceTabs } from './PlaceTabs.tsx'
import { type Place, PlaceContext, placeAddress } from './place.ts'
import './workspace.css'

// Pages of a workspace: a list needs none of the form, and neither is needed by the home.
const FormDialog = lazy(() => import('../FormDialog.tsx'))
const ResourceScreen = lazy(() => import('../ResourceScreen.tsx'))

interface Props {
  place: Place
  /** Pages made by hand. */
  made: readonly PageRoute[]
  /** Draws a page made by hand. */
  draw: (page: PageRoute) => ReactNode
  /** Told the name of the row as soon as it is known, for the tab. */
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

function ListPage({ name }: { name: string }): ReactNode {
  const resource = useDefinition(name)
  return resource ? <ResourceScreen resource={resource} /> : <PageSkeleton />
}

interface PageProps extends Pick<Props, 'place' | 'draw'> {
  open: OpenPage
  resource: Resource
  row: PlaceAnswer['row']
}

function PageHere({ open, place, draw, resource, row }: PageProps): ReactNode {
  const go = useNavigate()
  const { page, made, title } = open
  if (made) return draw(made)
  if ('list' in page) return <ListPage name={page.list} />
  return <FormDialog resource={resource} row={row} inPage={title} onClose={() => void go(placeAddress(place))} />
}

function Around({ resource, place, made, draw, onName }: Props & { resource: Resource }): ReactNode {
  const { rights } = useRights()
  const answer = usePlaceAnswer(place, resource)
  const checks = useChecks(place, resource, answer.data?.row)
  const label = answer.data?.label
  useEffect(() => {
    if (label) onName(label)
  }, [label, onName])
  const { workspace, id } = place
  const [last, remember] = useLastPlace(workspace.name)
  const isNew = answer.isSuccess && last !== id
  useEffect(() => {
    if (isNew) remember(id)
  }, [id, isNew, remember])
  if (!answer.data)
    return answer.error ? <NoAnswer error={answer.error} onRetry={() => void answer.refetch()} /> : <PageSkeleton />
  const pages = rights ? openPages(workspace, rights, made) : []
  const open = pages.find(one => one.page.name === place.page)
  return (
    <div className="place">
      <PlaceHeader place={place} resource={resource} answer={answer.data} reload={() => void answer.refetch()} />
      <PlaceTabs place={place} pages={pages} answer={answer.data} missing={checks.missing} />
      <Suspense fallback={<PageSkeleton />}>
        {open ? (
          <PageHere open={open} place={place} draw={draw} resource={resource} row={answer.data.row} />
        ) : (
          <Home
            place={place}
            resource={resource}
            pages={pages}
            answer={answer.data}
            checks={checks}
            reload={() => void answer.refetch()}
          />
        )}
      </Suspense>
    </div>
  )
}

/** The place around one row: what stands above its pages, the tabs, and the page of the address. */
export function WorkspaceScreen(props: Props): ReactNode {
  const resource = useDefinition(props.place.workspace.name)
  if (!resource) return <PageSkeleton />
  return (
    <PlaceContext value={props.place}>
      <Around {...props} resource={resource} />
    </PlaceContext>
  )
}

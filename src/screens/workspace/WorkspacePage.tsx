import { type ComponentType, type ReactNode, useState } from 'react'
import type { PageRoute } from '../parts/route.ts'
import { useRights } from '../providers/rights.ts'
import { PageSkeleton } from '../window/PageSkeleton.tsx'
import { openPages } from './open-pages.ts'
import { placeAddress } from './place.ts'
import { usePlaceAt } from './places.ts'
import { WorkspaceScreen } from './WorkspaceScreen.tsx'

/** What is told to whatever a page of a workspace stands in. */
export interface PlaceFrameProps {
  /** The entry of the menu that lets one in. */
  menu: string
  /** Name of the row, once it is known. */
  title: string
  /** What all pages of one workspace have in common. */
  group: string
  children: ReactNode
}

interface Props {
  /** The address. */
  path: string
  /** Pages made by hand. */
  made: readonly PageRoute[]
  /** Draws a page made by hand. */
  draw: (page: PageRoute) => ReactNode
  /** Lets people in, and gives the page its tab and title. */
  frame: ComponentType<PlaceFrameProps>
  /** What stands at an address without such a page. */
  absent: ReactNode
}

/** The page of a workspace at an address. */
export default function WorkspacePage({ path, made, draw, frame: Frame, absent }: Props): ReactNode {
  const { rights } = useRights()
  const place = usePlaceAt(path)
  const [name, setName] = useState<string>()
  if (!place) return place === null ? absent : <PageSkeleton />
  const pages = rights ? openPages(place.workspace, rights, made) : []
  const open = place.page === '' ? pages[0] : pages.find(({ page }) => page.name === place.page)
  return (
    <Frame menu={open?.menu ?? '/'} title={name ?? place.workspace.title} group={placeAddress(place)}>
      <WorkspaceScreen place={place} made={made} draw={draw} onName={setName} />
    </Frame>
  )
}

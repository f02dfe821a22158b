import type { Location } from 'react-router-dom'

/** A page that stays as it was left: rows, search, scroll, half-typed forms. */
export interface KeptPage {
  readonly path: string
  /** Where it is: what its own hooks read, also while another page is shown. */
  readonly location: Location
  /** The address by which it was last reached. */
  readonly by: Location
  /** Grows when the page must begin again. */
  readonly turn: number
  /** Grows with every arrival at any page: the highest was shown last. */
  readonly arrival: number
}

/** Pages kept at most; the one not seen for longest gives way, and is reloaded when it is opened. */
const MOST = 20

function arrive(kept: readonly KeptPage[], here: Location, arrival: number): readonly KeptPage[] {
  const known = kept.find(page => page.path === here.pathname)
  if (!known) return [...kept, { path: here.pathname, location: here, by: here, turn: 0, arrival }]
  // An address that says what it wants to see gets that; without a query the page is shown as it was left.
  const isNew = here.search !== '' && here.search !== known.location.search
  const location = isNew ? here : known.location
  const next = { ...known, location, by: here, turn: known.turn + Number(isNew), arrival }
  return kept.map(page => (page === known ? next : page))
}

function move(kept: readonly KeptPage[], here: Location): readonly KeptPage[] {
  return kept.map(page => (page.path === here.pathname ? { ...page, location: here, by: here } : page))
}

/**
 * The pages kept after a step to `here`, in the order in which they came: closed ones go, and of too many the oldest.
 * The same list when nothing has changed.
 */
export function keep(kept: readonly KeptPage[], here: Location, open: ReadonlySet<string>): readonly KeptPage[] {
  const last = Math.max(0, ...kept.map(page => page.arrival))
  const shown = kept.find(page => page.arrival === last)
  let next = kept
  if (shown?.path !== here.pathname) next = arrive(kept, here, last + 1)
  else if (shown.by !== here) next = move(kept, here)
  const oldest = next.length > MOST ? next.map(page => page.arrival).sort((a, b) => a - b)[next.length - MOST] : 0
  const left = next.filter(
    page => page.path === here.pathname || (open.has(page.path) && page.arrival >= (oldest ?? 0)),
  )
  return left.length === next.length ? next : left
}

import { useNavigate } from 'react-router-dom'
import { isFar, type Resource } from '#engine'
import type { Opened } from './list-props.ts'
import type { Search } from './use-rows.ts'

interface Around {
  resource: Resource
  open: (opened: Opened) => void
  /** What a new row of the list begins with. */
  defaults: Readonly<Record<string, unknown>>
}

/** What a list is filtered by and a new row of it holds: nothing that lies behind a reference. */
export const ownValues = (filter: Search = {}) =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !isFar(name)))

/** Begins a new row: on the page that its definition names, else in the form. */
export function useAdding(): (around: Around) => void {
  const go = useNavigate()
  return ({ resource, open, defaults }) =>
    resource.addPage ? void go(resource.addPage) : open({ what: 'form', row: null, defaults })
}

import { useNavigate } from 'react-router-dom'
import type { Resource } from '#engine'
import { actionsAt } from './actions.ts'
import { useAdding } from './adding.ts'
import type { Opened } from './list-props.ts'
import { useRights } from './providers/rights.ts'
import type { Actions } from './use-actions.tsx'
import type { Search } from './use-rows.ts'

/** A button of what comes next. */
interface NextStep {
  /** In Chinese. */
  readonly label: string
  readonly run: () => void
}

/** The list that has no rows. */
export interface Around {
  resource: Resource
  may: (what: string) => boolean
  actions: Actions
  open: (opened: Opened) => void
  /** What a new row of the list begins with. */
  defaults: Readonly<Record<string, unknown>>
  /** What the list is filtered by. */
  filter: Search
}

/** Addresses that everybody may open. */
const PUBLIC = '/public/'

/** What comes next in a list without rows, of that what the person may do: as the definition says, else adding. */
export function useNextSteps({ resource, may, actions, open, defaults, filter }: Around): readonly NextStep[] {
  const { rights } = useRights()
  const go = useNavigate()
  const add = useAdding()
  const steps = Object.entries(resource.empty?.next ?? (resource.empty ? {} : { 新增: 'add' }))
  return steps.flatMap(([label, to]): NextStep[] => {
    if (to.startsWith('/')) {
      // Without a value the rest of the address says nothing.
      const [path = '', query = ''] = to.split('?')
      const filled = (text: string): string =>
        text.replace(/:([A-Za-z]\w*)/g, (_, name: string) => encodeURIComponent(String(filter[name] ?? '')))
      const isOpen = path.startsWith(PUBLIC) || rights?.names.has(path)
      const asked = filled(query)
      return isOpen && !filled(path).endsWith('/')
        ? [{ label, run: () => void go(filled(path) + (asked && !asked.endsWith('=') ? `?${asked}` : '')) }]
        : []
    }
    if (!may(to)) return []
    if (to === 'add') return [{ label, run: () => add({ resource, open, defaults }) }]
    if (to === 'import') return [{ label, run: () => open({ what: 'import' }) }]
    const action = actionsAt(resource, 'toolbar').find(one => one.name === to)
    return action ? [{ label, run: () => actions.start(action, []) }] : []
  })
}

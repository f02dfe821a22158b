import { App } from 'antd'
import { useNavigate } from 'react-router-dom'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { type AnyAction, actionsAt } from './actions.ts'
import { useAdding } from './adding.ts'
import { useButtonKeys } from './button-keys.ts'
import { isEmpty } from './fields/props.ts'
import type { NextStep, Opened } from './list-props.ts'
import { useMayOpen } from './may-open.ts'
import { runAction } from './run-action.ts'
import type { Actions } from './use-actions.tsx'
import type { Search } from './use-rows.ts'
import { doneText } from './window/toasts.tsx'

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
  reload: () => void
  /** What the page around the list offers first. */
  first?: readonly NextStep[] | undefined
}

/** What comes next in a list without rows, of that what the person may do: as the definition says, else adding. */
export function useNextSteps({
  first = [],
  resource,
  may,
  actions,
  open,
  defaults,
  filter,
  reload,
}: Around): readonly NextStep[] {
  const t = useT()
  const mayOpen = useMayOpen()
  const go = useNavigate()
  const add = useAdding()
  const { message } = App.useApp()
  const keys = useButtonKeys()
  /** Puts the first rows into the list; pressed twice, it does so once. A refusal has been shown. */
  const begin = (action: AnyAction, values: Readonly<Record<string, unknown>>): Promise<void> =>
    keys
      .once([action.name, values], async key => {
        await runAction(resource, action, { ids: [], values, key })
        void message.success(doneText('', t(action.label)))
        reload()
      })
      .catch(() => undefined)
  const steps = Object.entries(resource.empty?.next ?? (resource.empty ? {} : { 新增: 'add' }))
  const declared = steps.flatMap(([label, to]): NextStep[] => {
    if (to.startsWith('/')) {
      // Without a value the rest of the address says nothing.
      const [path = '', query = ''] = to.split('?')
      const filled = (text: string): string =>
        text.replace(/:([A-Za-z]\w*)/g, (_, name: string) => encodeURIComponent(String(filter[name] ?? '')))
      const asked = filled(query)
      return mayOpen(path) && !filled(path).endsWith('/')
        ? [{ label, run: () => void go(filled(path) + (asked && !asked.endsWith('=') ? `?${asked}` : '')) }]
        : []
    }
    if (!may(to)) return []
    if (to === 'add') return [{ label, run: () => add({ resource, open, defaults }) }]
    if (to === 'import') return [{ label, run: () => open({ what: 'import' }) }]
    const begins = actionsAt(resource, 'empty').find(one => one.name === to)
    if (begins) {
      const values = Object.fromEntries((begins.input ?? []).map(name => [name, filter[name]]))
      return Object.values(values).some(isEmpty) ? [] : [{ label, run: () => void begin(begins, values) }]
    }
    const action = actionsAt(resource, 'toolbar').find(one => one.name === to)
    return action ? [{ label, run: () => actions.start(action, [], filter) }] : []
  })
  return [...first, ...declared]
}

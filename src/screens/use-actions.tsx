import { App } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Fields, Resource } from '#engine'
import { type t, useT } from '../platform/i18n/i18n.ts'
import { type AnyAction, idOf } from './actions.ts'
import { fileMark, useButtonKeys } from './button-keys.ts'
import type { WireRow } from './fields/props.ts'
import { rowName } from './fields/shown-name.ts'
import { useMay } from './may.ts'
import type { Run } from './run-action.ts'

const AskDialog = lazy(() => import('./AskDialog.tsx').then(part => ({ default: part.AskDialog })))

/** Lets the person choose one file with one of these endings. */
function chooseFile(accept: string, chosen: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.onchange = () => input.files?.[0] && chosen(input.files[0])
  input.click()
}

/** Which rows something was done to, in words: what the one is called, or how many they are. */
export const rowsText = (say: typeof t, resource: Resource, rows: readonly WireRow[]): string =>
  rows.length > 1 ? say('已选 {{n}} 项', { n: rows.length }) : rowName(resource.entity, rows[0])

interface Asked {
  action: AnyAction
  rows: readonly WireRow[]
  /** What is asked. */
  fields: Fields
  file?: File
  /** What is told of the rows above what is asked. */
  about?: ReactNode
}

/**
 * Runs actions with everything around them: page, file, question, dialog, message.
 * @param reload called after every action that succeeded
 * @returns how to start one, how to begin with its question on the page that it would open, which one is under way, and the dialog to draw
 */
export function useActions(resource: Resource, reload: () => void) {
  const t = useT()
  const { modal, message } = App.useApp()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState<string>()
  const keys = useButtonKeys()
  const may = useMay(resource)

  const run = async (action: AnyAction, how: Run, rows: readonly WireRow[]): Promise<void> => {
    setBusy(action.name)
    try {
      const { runAction } = await import('./run-action.ts')
      const answer = await runAction(resource, action, how)
      reload()
      const done = { resource, action, rows, answer, whom: rowsText(t, resource, rows) }
      const { tellDone } = await import('./action-done.tsx')
      tellDone(done, { modal, message, may, reload, go: navigate })
    } finally {
      setBusy(undefined)
    }
  }
  /** Which of the rows that could be selected are meant. */
  const whom = ({ on }: AnyAction, rows: readonly WireRow[]): string | undefined =>
    on === 'rows' ? rowsText(t, resource, rows) : undefined
  const idsOf = (rows: readonly WireRow[]): string[] => rows.map(row => idOf(resource, row))
  const begin = async (
    action: AnyAction,
    rows: readonly WireRow[],
    { file, about }: Pick<Asked, 'file' | 'about'> = {},
  ): Promise<void> => {
    const { askedFields, askWhetherMeant } = await import('./run-action.ts')
    const fields = askedFields(resource, action, rows)
    if (Object.keys(fields).length > 0) return setAsked({ action, rows, fields, file, about })
    const ids = idsOf(rows)
    const what = [action.name, ids, file && fileMark(file)]
    const go = () => keys.once(what, key => run(action, { ids, file, key }, rows)).catch(() => undefined)
    if (action.confirm) askWhetherMeant({ modal, t }, action, about ?? whom(action, rows), go)
    else void go()
  }
  const lead = async (pattern: string, rows: readonly WireRow[], filter: WireRow): Promise<void> => {
    const { pageOf } = await import('./run-action.ts')
    await navigate(pageOf(pattern, idsOf(rows)[0] ?? '', rows[0] ?? filter))
  }
  /** @param filter what the list is filtered by, for the address of a page that a button above it opens */
  const start = (action: AnyAction, rows: readonly WireRow[], filter: WireRow = {}): void => {
    if (action.open) void lead(action.open, rows, filter)
    else if (action.upload) chooseFile(action.upload, file => void begin(action, rows, { file }))
    else void begin(action, rows)
  }
  const dialog: ReactNode = asked && (
    <Suspense fallback={null}>
      <AskDialog
        resource={resource}
        action={asked.action}
        fields={asked.fields}
        rows={asked.rows}
        about={asked.about ?? whom(asked.action, asked.rows)}
        onRun={(values, key) =>
          run(asked.action, { ids: idsOf(asked.rows), file: asked.file, values, key }, asked.rows)
        }
        onClose={() => setAsked(undefined)}
      />
    </Suspense>
  )
  return { start, begin, busy, dialog }
}

/** What {@link useActions} answers. */
export type Actions = ReturnType<typeof useActions>

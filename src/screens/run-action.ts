import type { App } from 'antd'
import type { ReactNode } from 'react'
import { type Field, type Fields, fieldOf, matches, namesRows, type Resource, readCall } from '#engine'
import { call } from '../platform/http/browser/http.ts'
import { download, upload } from '../platform/http/browser/transfer.ts'
import type { t as translate } from '../platform/i18n/i18n.ts'
import type { AnyAction } from './actions.ts'
import { isEmpty, type WireRow } from './fields/props.ts'

/** What an action asks for beside fields of the entity, of these rows. */
function furtherFields({ ask = {}, askWhen }: AnyAction, rows: readonly WireRow[]): Fields {
  if (!askWhen) return ask
  if (!rows.some(row => matches(row, askWhen))) return {}
  return Object.fromEntries(Object.entries(ask).map(([name, { optional: _, ...field }]) => [name, field as Field]))
}

/** What a dialog asks for before an action on rows: fields of the entity and further ones. */
export function askedFields(resource: Resource, action: AnyAction, rows: readonly WireRow[]): Fields {
  const own = (action.input ?? []).map(name => {
    const { filled: _filled, ...field } = fieldOf(resource.entity, name) as Field
    return [name, field] as const
  })
  return { ...Object.fromEntries(own), ...furtherFields(action, rows) }
}

/**
 * Asks before an action that has nothing to fill in whether it is meant.
 * @param content what is told of the rows
 * @param onOk begun when it is
 */
export function askWhetherMeant(
  { modal, t }: { modal: ReturnType<typeof App.useApp>['modal']; t: typeof translate },
  action: AnyAction,
  content: ReactNode,
  onOk: () => Promise<void>,
): void {
  modal.confirm({
    title: t(action.confirm ?? ''),
    content,
    okText: t('确定'),
    cancelText: t('取消'),
    okButtonProps: { danger: action.danger ?? false },
    onOk,
  })
}

/** The address of a page about a row: `:id` stands for its id, `:field` for the value of a field. */
export const pageOf = (pattern: string, id: string, row: WireRow): string =>
  pattern.replace(/:([A-Za-z]\w*)/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? id : String(row[name] ?? '')),
  )

/** What a dialog begins with: the defaults, and for one row alone what the action takes from it. */
export function startValues(action: AnyAction, fields: Fields, rows: readonly WireRow[]): Record<string, unknown> {
  const [row, ...others] = rows
  const own = row && others.length === 0 ? Object.entries(action.begin ?? {}) : []
  const preset = Object.entries(fields).map(([name, field]) => [name, field.default])
  const given = own.map(([name, field]) => [name, row?.[field]])
  return Object.fromEntries([...preset, ...given].filter(([, value]) => !isEmpty(value)))
}

/** What an action is run with. */
export interface Run {
  /** Ids of the rows it applies to; none for the toolbar. */
  readonly ids: readonly string[]
  readonly values?: Readonly<Record<string, unknown>>
  readonly file?: File
  readonly onProgress?: (percent: number) => void
  /** Idempotency-Key: one per dialog that is filled in. */
  readonly key?: string
}

/** The address and query of a call: ids and asked values that it names, the rest travels in the body. */
export function partsOf(resource: Resource, action: AnyAction, { ids, values = {} }: Run) {
  const { method, path, params, fixed } = readCall(action.call)
  const named = params.map(name => [name, namesRows(name) ? ids.join(',') : values[name]] as const)
  const rest = Object.entries(values).filter(([name, value]) => !params.includes(name) && !isEmpty(value))
  const query = { ...Object.fromEntries(named.filter(([, value]) => !isEmpty(value))), ...fixed }
  return { method, url: `${resource.path}/${path}`, query, body: rest.length ? Object.fromEntries(rest) : undefined }
}

/**
 * Runs an action and answers what the server says.
 * @throws as `call`; a refusal has been shown.
 */
export async function runAction(resource: Resource, action: AnyAction, run: Run): Promise<unknown> {
  const { method, url, query, body } = partsOf(resource, action, run)
  if (action.download) return { saved: await download(url, { method, params: query, data: body }) }
  if (!run.file) return call(method, url, { params: query, data: body, key: run.key })
  const form = new FormData()
  form.append('file', run.file)
  for (const [name, value] of Object.entries(body ?? {})) form.append(name, String(value))
  return upload(url, form, { params: query, onProgress: run.onProgress, key: run.key })
}

import { catalogue, type Listed } from 'virtual:catalogue'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isMissing } from '../../platform/http/browser/absent.ts'
import { addressOf, type ChoiceRow, callAny, isPage } from '../providers/any-resource.ts'
import { shownName } from './shown-name.ts'

/** One row of another resource as a choice. */
export interface RefOption {
  readonly value: string
  readonly label: string
  children?: RefOption[]
}

/** Most choices asked for at once; of a tree everything is wanted. */
const PAGE = 50
const WHOLE = 1000
/** Milliseconds for which choices are kept. */
const FRESH = 30_000

/** The resource that offers an entity. */
export function resourceOf(entity: string): Listed | undefined {
  return catalogue.find(one => one.entity === entity)
}

/** Flat rows as a tree by the field that names the parent. Rows without a known parent stand at the top. */
function treeOf(rows: readonly ChoiceRow[], parent: string): RefOption[] {
  const options = new Map(rows.map(row => [row.id, { value: row.id, label: row.label } as RefOption]))
  const tops: RefOption[] = []
  for (const row of rows) {
    const option = options.get(row.id) as RefOption
    const above = options.get(String(row[parent]))
    if (!above || above === option) tops.push(option)
    else above.children = [...(above.children ?? []), option]
  }
  return tops
}

/** The choices with their names in the language in use. */
const inWords = (entity: string, options: readonly RefOption[]): RefOption[] =>
  options.map(({ value, label, children }) => ({
    value,
    label: shownName(entity, label),
    ...(children && { children: inWords(entity, children) }),
  }))

/** What is asked for: words and ids, and fixed values. */
type Query = Readonly<Record<string, unknown>> & { readonly keyword?: string; readonly ids?: string }

/** What narrows the choices of a reference. */
export interface RefQuery {
  /** What was typed. */
  readonly keyword?: string
  /** Only these ids, comma-joined: to find the words of a value. */
  readonly ids?: string
  /** Fixed values such as an exam. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly enabled?: boolean
}

/** Rows of the list itself as choices: other Blade servers than ours offer few of their rows as choices. */
async function rowsOf(target: Listed, query: Query, signal: AbortSignal): Promise<readonly ChoiceRow[]> {
  const { keyword, ids, ...rest } = query
  const { label } = target
  const asked = { ...rest, current: 1, ...(keyword && { [label]: keyword }) }
  const sent = addressOf(target, 'list').method === 'GET' ? { params: asked } : { data: asked }
  const answer = await callAny(target, 'list', { ...sent, signal, pass: 'all' })
  const rows = isPage(answer) ? answer.records : answer
  const wanted = ids?.split(',')
  return rows
    .map(row => ({ ...row, id: String(row.id), label: String(row[label] ?? '') }))
    .filter(row => !wanted || wanted.includes(row.id))
}

async function load(target: Listed, query: Query, signal: AbortSignal): Promise<RefOption[]> {
  const choices = callAny(target, 'select', { params: { ...query }, signal, pass: 'all' })
  const rows = await choices.catch((error: unknown) => {
    if (isMissing(error)) return rowsOf(target, query, signal)
    throw error
  })
  if (target.tree) return treeOf(rows, target.tree.parent)
  return rows.map(row => ({ value: row.id, label: row.label || row.id }))
}

/** The choices of a reference to an entity: a page of them, or the whole tree where the resource is one. */
export function useRefOptions(entity: string, { keyword, ids, params, enabled = true }: RefQuery) {
  const target = resourceOf(entity)
  const query = { ...params, size: target?.tree ? WHOLE : PAGE, ...(keyword && { keyword }), ...(ids && { ids }) }
  return useQuery({
    queryKey: ['ref', entity, query],
    enabled: enabled && target !== undefined,
    staleTime: FRESH,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => load(target as Listed, query, signal),
    select: options => inWords(entity, options),
  })
}

import { catalogue } from 'virtual:catalogue'
import { DownOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { matches, plainTests, type Resource, widerTest } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { type ChoiceRow, callAny } from '../providers/any-resource.ts'
import { useShortcut } from '../window/shortcuts.ts'
import { leavePlace } from './current.ts'
import { type Place, placeAddress } from './place.ts'

interface Props {
  place: Place
  resource: Resource
  /** What the row is called. */
  label: string
}

/** Most rows to choose from; they are found among as they are typed, without asking the server. */
const MOST = 500
/** Milliseconds for which they are kept. */
const FRESH = 60_000
/** Stands for the list of all rows. */
const ALL = ''

function useRows({ name }: Pick<Resource, 'name'>) {
  const target = catalogue.find(one => one.name === name)
  return useQuery({
    queryKey: ['places', name],
    queryFn: ({ signal }) =>
      target ? callAny(target, 'select', { params: { size: MOST }, signal, pass: 'all' }) : Promise.resolve([]),
    staleTime: FRESH,
    retry: false,
  })
}

/** The rows by the named filters of their list, as far as what they offer of themselves tells; the others last, without a title. */
function grouped(rows: readonly ChoiceRow[], { views, choices }: Resource) {
  const known = Object.entries(views).filter(([, view]) =>
    Object.entries(view).every(([field, test]) => choices.includes(field) && widerTest(test) === undefined),
  )
  const groups = known.map(([title, view]) => ({ title, test: plainTests(view, null), rows: [] as ChoiceRow[] }))
  const others: ChoiceRow[] = []
  for (const row of rows) (groups.find(({ test }) => matches(row, test))?.rows ?? others).push(row)
  return [...groups, { title: '', rows: others }].filter(group => group.rows.length > 0)
}

/** What the row of a workspace is called; a click, or its key, chooses another one, and the page stays the same. */
export function PlacePicker({ place, resource, label }: Props): ReactNode {
  const t = useT()
  const go = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { data = [], isPending } = useRows(resource)
  const list = catalogue.find(one => one.name === resource.name)?.screen
  const here = place.workspace.pages.find(({ name }) => name === place.page)
  const across = (here && 'list' in here && catalogue.find(one => one.name === here.list)?.screen) || list
  useShortcut('place', () => setOpen(true))
  const choose = (id: string): void => {
    setOpen(false)
    if (id === ALL) leavePlace(place.workspace.name)
    void go(id === ALL ? (across ?? '/') : placeAddress({ workspace: place.workspace, id }, place.page))
    document.getElementById('main')?.focus()
  }
  const name = t(resource.entity.title)
  if (!isOpen)
    return (
      <h1>
        <button type="button" className="place-name" aria-haspopup="listbox" onClick={() => setOpen(true)}>
          {label} <DownOutlined aria-label={t('切换{{name}}', { name })} />
        </button>
      </h1>
    )
  const options = grouped(data, resource).map(({ title, rows }) => ({
    label: t(title || resource.entity.title),
    title,
    options: rows.map(row => ({ value: row.id, label: row.label || row.id })),
  }))
  const all = across && typed === '' ? [{ value: ALL, label: t('全部{{name}}', { name }) }] : []
  return (
    <Select
      className="place-choice"
      autoFocus
      open
      showSearch={{ optionFilterProp: 'label', onSearch: setTyped }}
      aria-label={t('切换{{name}}', { name })}
      placeholder={label}
      listHeight={420}
      loading={isPending}
      options={[...options, ...all]}
      notFoundContent={isPending ? t('加载中') : t('没有可选的数据')}
      onSelect={(id: string) => choose(id)}
      onOpenChange={open => !open && setOpen(false)}
      onBlur={() => setOpen(false)}
    />
  )
}

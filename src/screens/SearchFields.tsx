import { ClearOutlined, DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { columnField, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { columnTitle } from './columns.tsx'
import { searchInputOf } from './fields/search-inputs.tsx'
import type { Search } from './use-rows.ts'
import { useSmall } from './window/use-width.ts'

/** What the search of a list is given. */
export interface SearchProps {
  resource: Resource
  /** What is searched for now. */
  value: Search
  onSearch: (search: Search) => void
  /** Fields not offered because they are fixed. */
  without?: readonly string[]
  busy?: boolean
}

/** Inputs shown before the bar is unfolded. */
const FOLDED = 3
const FOLDED_SMALL = 1

function searchable(resource: Resource, without: readonly string[]) {
  return resource.search.flatMap(name => {
    const field = columnField(resource, name)
    const Input = field && searchInputOf(field, resource.searchBy[name])
    return field && Input && !without.includes(name) ? [{ name, field, Input }] : []
  })
}

/** Fields to search by: the first at once, all of them unfolded. Enter searches. */
export function SearchFields({
  resource,
  value,
  onSearch,
  without = [],
  busy,
  isWhole = false,
}: SearchProps & { isWhole?: boolean }) {
  const t = useT()
  const prefix = useId()
  const fields = searchable(resource, without)
  const isSmall = useSmall()
  const first = isWhole ? fields.length : isSmall ? FOLDED_SMALL : FOLDED
  const [draft, setDraft] = useState<Search>(value)
  const [open, setOpen] = useState(() => fields.slice(first).some(({ name }) => value[name] !== undefined))
  const [isUnfolded, setUnfolded] = useState(false)
  if (fields.length === 0) return null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSearch(draft)
  }
  const clear = (): void => {
    setDraft({})
    onSearch({})
  }
  return (
    <form className="search-bar" onSubmit={submit}>
      {fields.slice(0, open ? undefined : first).map(({ name, field, Input }) => {
        const id = `${prefix}-${name}`
        return (
          <div key={name} className="search-item">
            <label htmlFor={id}>{columnTitle(resource, name)}</label>
            <Input
              id={id}
              field={field}
              value={draft[name]}
              isOpen={isUnfolded}
              onChange={next => setDraft(current => ({ ...current, [name]: next }))}
            />
          </div>
        )
      })}
      <div className="search-buttons">
        <Button type="primary" htmlType="submit" icon={<SearchOutlined aria-hidden />} loading={busy}>
          {t('搜索')}
        </Button>
        <Button icon={<ClearOutlined aria-hidden />} onClick={clear}>
          {t('清空')}
        </Button>
        {fields.length > first && (
          <Button
            type="link"
            aria-expanded={open}
            icon={open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
            onClick={() => {
              setOpen(!open)
              setUnfolded(true)
            }}
          >
            {t(open ? '收起' : '展开')}
          </Button>
        )}
      </div>
    </form>
  )
}

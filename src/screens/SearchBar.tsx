import { ClearOutlined, DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input as TextInput } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { columnField, type Resource } from '#engine'
import { language, useT } from '../platform/i18n/i18n.ts'
import { columnTitle } from './columns.tsx'
import { searchInputOf } from './fields/search-inputs.tsx'
import type { Search } from './use-rows.ts'
import { useSmall } from './window/use-width.ts'
import './screens.css'

interface Props {
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

/** The one box of a list that is found by several texts together, with its other fields behind a button. Enter searches. */
function FindBar(props: Props) {
  const { resource, value, onSearch } = props
  const t = useT()
  const [text, setText] = useState(String(value.keyword ?? ''))
  const { keyword: _keyword, ...others } = value
  const number = Object.keys(others).length
  const [open, setOpen] = useState(number > 0)
  const names = resource.find.map(name => columnTitle(resource, name)).join(language() === 'en' ? ', ' : '、')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSearch({ ...others, keyword: text })
  }
  return (
    <search className="find-bar">
      <form onSubmit={submit}>
        <TextInput
          allowClear
          value={text}
          prefix={<SearchOutlined aria-hidden />}
          placeholder={names}
          aria-label={t('搜索{{names}}', { names })}
          enterKeyHint="search"
          onChange={event => setText(event.target.value)}
          onClear={() => onSearch(others)}
        />
      </form>
      <Button
        icon={open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t('更多条件')}
        {!open && number > 0 && <sup className="search-number">{number}</sup>}
      </Button>
      {open && <Fields {...props} value={others} onSearch={next => onSearch({ ...next, keyword: text })} isWhole />}
    </search>
  )
}

/** The search of a list: one box where it has one, fields by themselves elsewhere. */
export function SearchBar(props: Props) {
  if (props.resource.find.length > 0) return <FindBar {...props} />
  return (
    <search>
      <Fields {...props} />
    </search>
  )
}

/** Fields to search by: the first at once, all of them unfolded. Enter searches. */
function Fields({ resource, value, onSearch, without = [], busy, isWhole = false }: Props & { isWhole?: boolean }) {
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

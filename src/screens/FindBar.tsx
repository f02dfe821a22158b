import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { type FormEvent, useState } from 'react'
import { language, useT } from '../platform/i18n/i18n.ts'
import { columnTitle } from './columns.tsx'
import { SearchFields, type SearchProps } from './SearchFields.tsx'

/** The one box of a list that is found by several texts together, with its other fields behind a button. Enter searches. */
export default function FindBar(props: SearchProps) {
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
        <Input
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
      {open && (
        <SearchFields {...props} value={others} onSearch={next => onSearch({ ...next, keyword: text })} isWhole />
      )}
    </search>
  )
}

import { DownOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { type FormEvent, useState } from 'react'
import { language, useT } from '../platform/i18n/i18n.ts'
import { columnTitle } from './columns.tsx'
import { SearchFields, type SearchProps } from './SearchFields.tsx'
import { textWidth } from './text-width.ts'
import { useSmall } from './window/use-width.ts'

/** Pixels of the box that its words may take, on a desk and on a phone. */
const ROOM = 290
const ROOM_SMALL = 190

const comma = (): string => (language() === 'en' ? ', ' : '、')

/** As many of some names as are shown whole; the others may be found by, too. */
function whole(titles: readonly string[], room: number): string {
  const most = titles.findLastIndex((_, at) => textWidth(titles.slice(0, at + 1).join(comma())) <= room)
  return titles.slice(0, Math.max(most, 0) + 1).join(comma())
}

/** The one box of a list that is found by several texts together, with its other fields behind a button. Enter searches. */
export default function FindBar(props: SearchProps) {
  const { resource, value, onSearch } = props
  const t = useT()
  const [text, setText] = useState(String(value.keyword ?? ''))
  const { keyword: _keyword, ...others } = value
  const number = Object.keys(others).length
  const [open, setOpen] = useState(number > 0)
  const titles = resource.find.map(name => columnTitle(resource, name))
  const names = titles.join(comma())
  const isSmall = useSmall()
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
          placeholder={whole(titles, isSmall ? ROOM_SMALL : ROOM)}
          title={names}
          aria-label={t('搜索{{names}}', { names })}
          enterKeyHint="search"
          onChange={event => setText(event.target.value)}
          onClear={() => onSearch(others)}
        />
      </form>
      <Button
        aria-label={t('更多条件')}
        title={t('更多条件')}
        icon={open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {!isSmall && t('更多条件')}
        {!open && number > 0 && <sup className="search-number">{number}</sup>}
      </Button>
      {open && (
        <SearchFields {...props} value={others} onSearch={next => onSearch({ ...next, keyword: text })} isWhole />
      )}
    </search>
  )
}

import { SearchOutlined } from '@ant-design/icons'
import { AutoComplete, Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { flatten, type MenuNode } from '../../screens/providers/rights.ts'
import { useOpening } from '../../screens/window/menu-path.ts'
import { type FoundRow, useFoundRows } from './found-rows.ts'
import { initials } from './initials.ts'

/** Pages whose name begins with what was typed: in the language in use, in Chinese, or by the initials of its pinyin. */
function usePages(routes: readonly MenuNode[], typed: string): readonly MenuNode[] {
  const t = useT()
  const text = typed.toLowerCase()
  const pages = useMemo(() => flatten(routes).filter(node => !node.children?.length && node.path), [routes])
  if (!text) return []
  const begins = (name: string): boolean => name.toLowerCase().startsWith(text)
  return pages.filter(({ name }) => begins(name) || begins(t(name)) || begins(initials(name)))
}

/** A line to choose. */
interface Option {
  value: string
  label: ReactNode
  open: () => void
}

/** What was found, in groups, and what is said where that is nothing. */
function useOptions(routes: readonly MenuNode[], typed: string) {
  const t = useT()
  const go = useNavigate()
  const openPage = useOpening()
  const text = typed.trim()
  const pages = usePages(routes, text)
  const { exams, people, isPending, isFailed } = useFoundRows(text)
  const rowOption = ({ id, name, note, to }: FoundRow): Option => ({
    value: id,
    label: (
      <>
        {name} <small className="menu-search-note">{note}</small>
      </>
    ),
    open: () => void go(to),
  })
  const groups = [
    {
      title: '页面',
      options: pages.map(node => ({ value: node.id, label: t(node.name), open: () => openPage(node) })),
    },
    { title: '考试', options: exams.map(rowOption) },
    { title: '人员', options: people.map(rowOption) },
  ]
  const found = groups.filter(({ options }) => options.length > 0)
  const state = isPending ? '正在查找…' : isFailed ? '考试和人员没有查到，请稍后重试' : '没有找到'
  return {
    options: found.map(({ title, options }) => ({
      label: t(title),
      title,
      options: options.map(({ value, label }) => ({ value, label })),
    })),
    choose: (value: string) =>
      found
        .flatMap(one => one.options)
        .find(one => one.value === value)
        ?.open(),
    none: text ? <span role="status">{t(state)}</span> : null,
  }
}

/**
 * Finds a page by the beginning of its name, an exam by its name or code, a person by a number, and opens it. Esc closes it.
 */
export function MenuSearch(props: {
  id?: string
  routes: readonly MenuNode[]
  autoFocus?: boolean
  onDone?: () => void
}): ReactNode {
  const { id, routes, autoFocus, onDone } = props
  const t = useT()
  const [typed, setTyped] = useState('')
  const { options, choose, none } = useOptions(routes, typed)
  const onSelect = (value: string): void => {
    setTyped('')
    choose(value)
    onDone?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Escape') return
    setTyped('')
    event.currentTarget.querySelector('input')?.blur()
  }
  return (
    <AutoComplete
      id={id}
      className="menu-search"
      classNames={{ popup: { root: 'menu-search-list' } }}
      value={typed}
      options={options}
      onSearch={setTyped}
      onSelect={onSelect}
      onKeyDown={onKeyDown}
      notFoundContent={none}
      defaultActiveFirstOption
      popupMatchSelectWidth={320}
      autoFocus={autoFocus}
    >
      <Input
        suffix={<SearchOutlined className="menu-search-icon" aria-hidden />}
        placeholder={t('搜索页面、考试、人员')}
        aria-label={t('搜索页面、考试、人员')}
        allowClear
        data-unkept
      />
    </AutoComplete>
  )
}

import '@testing-library/jest-dom/vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  date,
  dateTime,
  decimal,
  dict,
  dicts,
  type Field,
  file,
  flag,
  image,
  integer,
  json,
  type Kind,
  longText,
  money,
  ref,
  refs,
  region,
  richText,
  sealed,
  secret,
  state,
  text,
} from '#engine'
import { education, examStatus, sex } from '#schemas/dictionaries'
import '../../../tests/helper/screens-page.tsx'
import { wire } from '../../../tests/helper/screens-wire.ts'
import { setLanguage } from '../../platform/i18n/i18n.ts'
import { Cell, cells } from './cells.tsx'
import { FieldInput, inputs } from './inputs.tsx'
import { sanitize } from './sanitize.ts'
import { searchInputs } from './search-inputs.tsx'

beforeEach(() => {
  const rows = [
    { dictKey: '10', dictValue: '博士', isSealed: 1 },
    { dictKey: '20', dictValue: '硕士', isSealed: 0 },
  ]
  wire.seen.length = 0
  wire.answer = ({ path, query }) => ({ data: path.endsWith('dictionary') && query.code === 'education' ? rows : [] })
})

function Around({ children }: { children: ReactNode }) {
  return (
    <App>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </App>
  )
}

/** One field of each kind with a value of the wire, what a table says of it, and what typing or choosing gives. */
const kinds: Readonly<Record<Kind, { field: Field; value: unknown; told: string | null; typed?: [string, unknown] }>> =
  {
    text: { field: text('名'), value: '甲', told: '甲', typed: ['ab', 'ab'] },
    longText: { field: longText('名'), value: '甲', told: '甲', typed: ['ab', 'ab'] },
    richText: { field: richText('名'), value: '<p>甲<b>乙</b></p>', told: '甲乙' },
    integer: { field: integer('名'), value: 0, told: '0', typed: ['12', 12] },
    decimal: { field: decimal('名'), value: '3.5', told: '3.5', typed: ['1.25', '1.25'] },
    money: { field: money('名'), value: 123450, told: '¥1,234.50', typed: ['10.1', 1010] },
    flag: { field: flag('名'), value: 1, told: '是' },
    date: { field: date('名'), value: '2026-01-02', told: '2026-01-02' },
    dateTime: { field: dateTime('名'), value: '2026-01-02 03:04:05', told: '2026-01-02 03:04:05' },
    dict: { field: dict('名', sex), value: 2, told: '女' },
    dicts: { field: dicts('名', education), value: '10,20', told: '博士、硕士' },
    state: { field: state('名', examStatus), value: 1, told: '已发布' },
    ref: { field: ref('名', 'user'), value: '7', told: '王五' },
    refs: { field: refs('名', 'role'), value: '7,8', told: '王五' },
    region: { field: region('名'), value: '350102', told: '王五' },
    image: { field: image('名'), value: '9', told: null },
    file: { field: file('名'), value: '9', told: '下载附件' },
    json: { field: json('名'), value: { a: 1 }, told: '{"a":1}', typed: ['[[1]', [1]] },
    sealed: {
      field: sealed('名', { format: 'phone' }),
      value: '138****1234',
      told: '138****1234',
      typed: ['13', '13'],
    },
    secret: { field: secret('名'), value: undefined, told: '••••••', typed: ['pw', 'pw'] },
  }

describe.each(Object.entries(kinds))('kind %s', (kind, { field, value, told, typed }) => {
  test('has a cell, an input and a search, or says that it has none', () => {
    expect(cells[kind as Kind]).toBeDefined()
    expect(inputs[kind as Kind]).toBeDefined()
    expect(searchInputs[kind as Kind]).not.toBeUndefined()
  })

  if (told !== null)
    test('is told', async () => {
      render(<Cell field={field} name="x" row={{ x: value, xName: '王五' }} where="table" />, { wrapper: Around })
      // A time is short in a list, and whole where somebody points.
      const find = kind === 'dateTime' ? screen.findByTitle : screen.findByText
      expect(await find(told as string)).toBeTruthy()
    })

  if (typed)
    test('is typed', async () => {
      const [keys, expected] = typed as [string, unknown]
      let got: unknown
      function Typed() {
        const [now, set] = useState<unknown>()
        got = now
        return <FieldInput id="x" name="x" field={field} value={now} onChange={set} />
      }
      render(<Typed />, { wrapper: Around })
      await userEvent.type(document.querySelector('#x') as Element, keys)
      expect(got).toEqual(expected)
    })
})

test('a missing value is a dash, zero is not missing', () => {
  render(<Cell field={integer('名')} name="x" row={{ x: '' }} where="table" />, { wrapper: Around })
  expect(screen.getByText('—')).toBeTruthy()
})

test('a dictionary is asked for once and a sealed entry is translated but not offered', async () => {
  const field = dict('名', education)
  render(
    <>
      <p>
        <Cell field={field} name="x" row={{ x: '10' }} where="table" />
      </p>
      <p>
        <Cell field={field} name="x" row={{ x: '10' }} where="table" />
      </p>
      <FieldInput id="x" name="x" field={field} value={undefined} onChange={() => undefined} />
    </>,
    { wrapper: Around },
  )
  expect(await screen.findAllByText('博士')).toHaveLength(2)
  await userEvent.click(screen.getByRole('combobox'))
  expect(await screen.findByTitle('硕士')).toBeTruthy()
  expect(screen.queryByTitle('博士')).toBeNull()
  expect(wire.paths()).toEqual(['/blade-system/dict-biz/dictionary?code=education&all=1'])
})

test('cells that show one dictionary share one watch of it, also after it was forgotten meanwhile', async () => {
  const client = new QueryClient()
  const watchers = () =>
    client
      .getQueryCache()
      .find({ queryKey: ['dictionary', 'education'] })
      ?.getObserversCount()
  const field = dict('名', education)
  const list = [1, 2, 3].map(at => <Cell key={at} field={field} name="x" row={{ x: '10' }} where="table" />)
  const show = () => render(<QueryClientProvider client={client}>{list}</QueryClientProvider>)
  const shown = show()
  expect(await screen.findByText('博士博士博士')).toBeTruthy()
  expect(watchers()).toBe(1)
  shown.unmount()
  expect(watchers()).toBe(0)
  client.clear()
  wire.answer = () => ({ data: [{ dictKey: '10', dictValue: '博士生', isSealed: 0 }] })
  show()
  expect(await screen.findByText('博士生博士生博士生')).toBeTruthy()
  expect(watchers()).toBe(1)
})

test('roles that the product brings have English names, in lists and in selects; others stay as they were written', async () => {
  const field = refs('角色', 'role')
  const row = { x: '1,2', xName: '初审员,护理部' }
  wire.answer = () => ({ data: ['初审员', '护理部', '财务'].map((label, at) => ({ id: String(at), label })) })
  await act(() => setLanguage('en'))
  const input = { id: 'x', name: 'x', field, value: undefined, row, onChange: () => undefined }
  render(
    <>
      <p>
        <Cell field={field} name="x" row={row} where="table" />
      </p>
      <FieldInput {...input} />
    </>,
    { wrapper: Around },
  )
  expect(screen.getByText('Reviewer,护理部')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveProperty('disabled', false))
  await userEvent.click(screen.getByRole('combobox'))
  for (const name of ['Reviewer', '护理部', 'Finance']) expect(await screen.findByTitle(name)).toBeTruthy()
  await act(() => setLanguage('zh'))
  expect(screen.getByText('初审员,护理部')).toBeTruthy()
  expect(await screen.findByTitle('财务')).toBeTruthy()
})

test('an editor that comes while somebody types elsewhere leaves the focus where it is', async () => {
  const input = { name: 'x', value: '<p>alt</p>', onChange: () => undefined }
  render(
    <>
      <FieldInput {...input} id="x" field={text('名')} value="" />
      <FieldInput {...input} id="y" field={richText('正文')} />
    </>,
    { wrapper: Around },
  )
  const [line] = screen.getAllByRole('textbox')
  line?.focus()
  expect(await screen.findByRole('textbox', { name: '正文' }).then(editor => editor.textContent)).toBe('alt')
  expect(document.activeElement).toBe(line)
})

test('code in a detail has a name and can be scrolled by keys', () => {
  render(<Cell field={longText('模型')} name="x" row={{ x: '<definitions />' }} where="detail" />, { wrapper: Around })
  expect(screen.getByRole('region', { name: '模型' }).tabIndex).toBe(0)
})

test('what can run is taken out of formatted text, what people wrote stays', () => {
  const dirty =
    '<p onclick="x()">a<script>alert(1)</script><a href="javascript:x()">b</a><img src=x onerror=y()><iframe src="//e"></iframe><form>c</form><font>d</font></p>'
  const clean = sanitize(dirty)
  expect(clean).not.toMatch(/script|onclick|onerror|javascript|iframe|form/)
  expect(clean).toContain('d')
})

describe('a system parameter', () => {
  const value = longText('参数键值')
  const shown = (key: string, text: string, change: (next: unknown) => void = () => {}) =>
    render(
      <Around>
        <FieldInput as="parameter" field={value} name="paramValue" value={text} beside={key} onChange={change} />
      </Around>,
    )

  test('is a switch where it is true or false', async () => {
    const given: unknown[] = []
    shown('site.register', 'true', next => given.push(next))
    expect(screen.getByRole('switch')).toBeChecked()
    await userEvent.click(screen.getByRole('switch'))
    expect(given).toEqual(['false'])
  })

  test('is a number with its unit and its limits', () => {
    shown('export.days', '7')
    expect(screen.getByRole('spinbutton')).toHaveValue('7')
    expect(screen.getByText('天')).toBeVisible()
    expect(screen.getByText('后台导出的文件保留几天，到期自动删除')).toBeVisible()
  })

  test('is one of its words where it has some', () => {
    shown('register.sms', 'auto')
    expect(screen.getByRole('combobox')).toBeInTheDocument()
    expect(screen.getByText('已启用短信时需要')).toBeVisible()
  })

  test('of an installation’s own is free text', () => {
    shown('own.key', '任意')
    expect(screen.getByRole('textbox')).toHaveValue('任意')
  })

  test('is told in words in a list', async () => {
    render(
      <Around>
        <Cell
          field={value}
          name="paramValue"
          row={{ paramKey: 'register.audit', paramValue: '1' }}
          where="table"
          as="parameter"
        />
      </Around>,
    )
    expect(await screen.findByText('需要审核')).toBeVisible()
  })
})

import { readFileSync } from 'node:fs'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { type MouseEvent, type Ref, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { browserFiles } from '../../../tests/helper/tree.ts'
import { useLayoutEffect } from './align-util.ts'
import LazyLoadingIcon from './LazyLoadingIcon.tsx'
import MeasureRow from './MeasureRow.tsx'
import PlainCheckbox from './PlainCheckbox.tsx'
import { getTargetScrollBarSize } from './table-util.ts'
import { arrAdd, arrDel, conductCheck } from './tree-parts.ts'
import { useComposeRef } from './trigger-util.ts'

afterEach(() => vi.unstubAllGlobals())

test('a box of a table tells what is wanted, and that its row was not meant', () => {
  const [change, row] = [vi.fn(), vi.fn()]
  const box = { 'aria-label': '一', onClick: (event: MouseEvent) => event.stopPropagation() }
  document.addEventListener('click', row)
  render(
    <>
      <PlainCheckbox {...box} checked={false} onChange={change} />
      <PlainCheckbox aria-label="二" checked indeterminate disabled onChange={change} />
    </>,
  )
  fireEvent.click(screen.getByLabelText('一'))
  expect(change.mock.calls[0]?.[0]).toMatchObject({ target: { checked: true }, nativeEvent: expect.any(Event) })
  document.removeEventListener('click', row)
  expect(row).not.toHaveBeenCalled()
  const second = screen.getByLabelText<HTMLInputElement>('二')
  expect([second.checked, second.indeterminate, second.disabled]).toEqual([true, true, true])
  const classes = 'ant-checkbox ant-checkbox-checked ant-checkbox-indeterminate ant-checkbox-disabled'
  expect(second.parentElement?.className).toBe(classes)
})

test('a button has the sign of its work from the first time on that it works', () => {
  const icon = (loading: boolean) => (
    <LazyLoadingIcon prefixCls="ant-btn" existIcon={false} loading={loading} mount={false} />
  )
  const { container, rerender } = render(icon(false))
  expect(container.innerHTML).toBe('')
  rerender(icon(true))
  expect(container.querySelector('.ant-btn-loading-icon')).not.toBeNull()
})

test('a table hears the width of each column when its rows are seen', () => {
  const watched: Element[] = []
  let seen = (): void => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: () => void) {
        seen = told
      }
      observe = (cell: Element) => watched.push(cell)
      disconnect = () => undefined
    },
  )
  const tell = vi.fn()
  const columns = [
    { key: 'a', title: '甲' },
    { key: 'b', title: <b>乙</b> },
  ]
  render(
    <table>
      <tbody>
        <MeasureRow prefixCls="ant-table" columnsKey={['a', 'b']} columns={columns} onColumnResize={tell} />
      </tbody>
    </table>,
  )
  expect(watched.map(cell => cell.textContent)).toEqual(['甲', '\u00a0'])
  const row = watched[0]?.parentElement as HTMLElement
  for (const [at, cell] of watched.entries())
    Object.defineProperty(cell, 'offsetWidth', { value: 100 + at, configurable: true })
  seen()
  expect(tell).not.toHaveBeenCalled()
  Object.defineProperty(row, 'offsetParent', { value: document.body })
  seen()
  expect(tell.mock.calls).toEqual([
    ['a', 100],
    ['b', 101],
  ])
})

test('what opens something learns of its element, and so does whoever else asked', async () => {
  const other = vi.fn()
  function Opening() {
    const [element, learn] = useState<HTMLElement | null>(null)
    const ref = useComposeRef<HTMLElement>(learn, other as Ref<HTMLElement>)
    return (
      <button type="button" ref={ref as Ref<HTMLButtonElement>}>
        {element?.tagName ?? '—'}
      </button>
    )
  }
  render(<Opening />)
  expect(await screen.findByText('BUTTON')).toBe(other.mock.calls[0]?.[0])
})

test('a place is forgotten when something changes, not at first', () => {
  const forget = vi.fn()
  function Place({ side }: { side: string }) {
    useLayoutEffect(forget, [side])
    return null
  }
  const { rerender } = render(<Place side="top" />)
  expect(forget).not.toHaveBeenCalled()
  act(() => rerender(<Place side="left" />))
  expect(forget).toHaveBeenCalledTimes(1)
})

test('a table of choosable rows has what it needs of trees, and none of ours chooses children with their parents', () => {
  expect([arrAdd(['a'], 'b'), arrAdd(['a'], 'a'), arrDel(['a', 'b'], 'a'), arrDel(['a'], 'b')]).toEqual([
    ['a', 'b'],
    ['a'],
    ['b'],
    ['a'],
  ])
  expect(conductCheck).toThrow('@rc-component/tree')
  const others = browserFiles.filter(file => /\.tsx?$/.test(file) && !file.startsWith('src/web/slim/'))
  expect(others.filter(file => readFileSync(file, 'utf8').includes('checkStrictly'))).toEqual([])
})

test('the options of a select come when somebody is near one, and every list drawn after that has them at once', async () => {
  const asked = vi.fn()
  vi.doMock('@rc-component/select/es/OptionList', () => {
    asked()
    return { default: ({ ref }: { ref?: Ref<HTMLUListElement> }) => <ul ref={ref} /> }
  })
  const { default: LazyOptionList } = await import('./LazyOptionList.tsx')
  render(
    <>
      <div className="ant-select" data-testid="select" />
      <p>elsewhere</p>
    </>,
  )
  fireEvent.pointerOver(screen.getByText('elsewhere'))
  await act(async () => undefined)
  expect(asked).not.toHaveBeenCalled()
  fireEvent.pointerOver(screen.getByTestId('select'))
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  const list = vi.fn()
  render(<LazyOptionList ref={list} />)
  await vi.waitFor(() => expect(list).toHaveBeenCalled())
  render(<LazyOptionList />)
  expect(screen.getAllByRole('list')).toHaveLength(2)
  vi.doUnmock('@rc-component/select/es/OptionList')
})

test('the bars of a table are measured where its head stays, and nowhere else', () => {
  const measured = vi.spyOn(window, 'getComputedStyle')
  render(
    <>
      <div className="ant-table-content" />
      <div className="ant-table-body" />
    </>,
  )
  const [whole, body] = ['content', 'body'].map(name => document.querySelector<HTMLElement>(`.ant-table-${name}`))
  if (!whole || !body) throw new Error('There are no boxes.')
  expect(getTargetScrollBarSize(whole)).toEqual({ width: 0, height: 0 })
  expect(measured).not.toHaveBeenCalled()
  getTargetScrollBarSize(body)
  expect(measured).toHaveBeenCalled()
  measured.mockRestore()
})

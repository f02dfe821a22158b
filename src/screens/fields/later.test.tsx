import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { dateTime, integer } from '#engine'
import '../../../tests/helper/screens-page.tsx'
import { searchInputs } from './search-inputs.tsx'

afterEach(cleanup)

/** A search bar of one field after another one, and what is searched for. */
function Bar({ kind, start, isOpen = false }: { kind: 'dateTime' | 'integer'; start?: unknown; isOpen?: boolean }) {
  const [value, setValue] = useState<unknown>(start)
  const Input = searchInputs[kind]
  const field = kind === 'integer' ? integer('名') : dateTime('名')
  return (
    <App>
      <input aria-label="前" />
      <label htmlFor="x">名</label>
      {Input && <Input id="x" field={field} value={value} onChange={setValue} isOpen={isOpen} />}
      <output>{JSON.stringify(value)}</output>
    </App>
  )
}

const calendar = () => document.querySelector('.ant-picker')

test('a span looks and feels like an input before its calendar has come', async () => {
  render(<Bar kind="dateTime" />)
  const line = screen.getByLabelText<HTMLInputElement>('名')
  expect([line.disabled, line.readOnly, line.placeholder]).toEqual([false, false, '开始'])
  expect(screen.getByPlaceholderText('结束')).toBeTruthy()
  expect(document.body.textContent).not.toContain('加载中')
  await new Promise(resolve => setTimeout(resolve, 400))
  expect(calendar()).toBeNull()
})

test('tab brings the calendar and the focus stays', async () => {
  render(<Bar kind="dateTime" />)
  await userEvent.click(screen.getByLabelText('前'))
  await userEvent.tab()
  await expect.poll(calendar).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('名'))
  expect(calendar()?.contains(document.activeElement)).toBe(true)
  expect(document.querySelector('.ant-picker-dropdown')).toBeNull()
})

test('a press brings the calendar open', async () => {
  render(<Bar kind="dateTime" />)
  // A finger: nothing hovers before.
  fireEvent.pointerDown(screen.getByPlaceholderText('结束'))
  screen.getByPlaceholderText('结束').focus()
  await expect.poll(() => document.querySelector('.ant-picker-dropdown')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByPlaceholderText('结束'))
})

test('what is typed meanwhile is kept', async () => {
  render(<Bar kind="integer" />)
  // By the keyboard: a pointer would press whatever has come to stand there by then.
  screen.getByLabelText('名').focus()
  await userEvent.keyboard('4')
  await expect.poll(() => document.querySelector('.ant-input-number')).toBeTruthy()
  await userEvent.keyboard('2')
  expect(screen.getByRole('status').textContent).toBe('42')
})

test.each([
  ['an unfolded bar', <Bar key="1" kind="dateTime" isOpen />],
  ['a value', <Bar key="2" kind="dateTime" start={['2026-01-02 00:00:00', undefined]} />],
])('%s brings the calendar by itself', async (_, bar) => {
  render(bar)
  await expect.poll(calendar).toBeTruthy()
  expect(document.activeElement).toBe(document.body)
})

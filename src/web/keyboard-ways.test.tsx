import '../../tests/helper/screens-page.tsx'
import { cleanup, render, screen } from '@testing-library/react'
import { Button } from 'antd'
import { afterEach, expect, test, vi } from 'vitest'
import { resources } from '#resources'
import { SearchBar } from '../screens/SearchBar.tsx'
import { WideTable } from '../screens/WideTable.tsx'
import { MoreTabs } from './chrome/MoreTabs.tsx'

/** An observer that sees at once what it is shown. */
class Observer {
  constructor(private readonly see: (seen: readonly object[]) => void) {}
  observe(): void {
    this.see([])
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Gives every box this much to hold and this much room. */
function measure(holds: number, room: number): void {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(holds)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room)
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const table = () => {
  vi.stubGlobal('ResizeObserver', Observer)
  return render(<WideTable label="岗位" rowKey="code" columns={[{ dataIndex: 'code' }]} dataSource={[]} width={900} />)
}

test('the keyboard stops at a table that is wider than its place, and hears what it holds', () => {
  measure(900, 300)
  table()
  const box = screen.getByRole('region', { name: '岗位' })
  box.focus()
  expect(document.activeElement).toBe(box)
})

test('the keyboard passes a table that fits', () => {
  measure(300, 300)
  table()
  expect(screen.queryByRole('region')).toBeNull()
})

test('what opens the tabs that have no room is one of the tabs', () => {
  render(<Button icon={<MoreTabs />} />)
  expect(screen.getByRole('tab', { name: '更多' })).toBeTruthy()
})

test('a label leads to the input of its own list, where the same list waits behind another tab', () => {
  const resource = resources.find(one => one.name === 'param')!
  const bar = <SearchBar resource={resource} value={{}} onSearch={() => undefined} />
  render(
    <>
      <div style={{ display: 'none' }}>{bar}</div>
      {bar}
    </>,
  )
  const inputs = screen.getAllByText<HTMLLabelElement>('参数名称').map(label => label.control)
  expect(inputs).toHaveLength(2)
  expect(inputs[1]?.closest('[style="display: none;"]')).toBeNull()
})

import { render } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlaceTabs } from './PlaceTabs.tsx'

const before = Element.prototype.scrollIntoView
let shown: string[] = []

beforeEach(() => {
  shown = []
  Element.prototype.scrollIntoView = function show() {
    shown.push(this.textContent ?? '')
  }
})
afterEach(() => {
  Element.prototype.scrollIntoView = before
})

const pages = [
  { page: { name: 'edit', tab: '准备' }, title: '基本与时间' },
  { page: { name: 'log', tab: '记录' }, title: '变更记录' },
  { page: { name: 'archive', tab: '记录' }, title: '归档' },
]

const tabsAt = (page: string) => {
  const place = { workspace: { route: '/exam/:id', checks: null, today: [] }, id: '1', page }
  return (
    <MemoryRouter>
      <PlaceTabs
        place={place as never}
        pages={pages as never}
        answer={{ today: [], label: '考试' } as never}
        missing={[]}
      />
    </MemoryRouter>
  )
}

test('the tab of the open page, and the page among those of its tab, are brought into sight', () => {
  const { rerender } = render(tabsAt('edit'))
  expect(shown).toEqual(['准备'])
  rerender(tabsAt('archive'))
  expect(shown.slice(1)).toEqual(['记录', '归档'])
})
